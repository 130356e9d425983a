import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressText } from '../../../src/config/address.js';
import { loadScenario } from '../../../src/scenario/load.js';

/** The lines that a proxy has of a host, of which most tell of traffic. */
const lines = (cluster: string, address: string, facts: object): string =>
  Object.entries({
    cx_active: 0,
    rq_total: 3,
    hostname: '',
    health_flags: 'healthy',
    weight: 1,
    region: '',
    zone: '',
    ...facts,
  })
    .map(([name, value]) => `${cluster}::${address}::${name}::${String(value)}\n`)
    .join('');
const head = (cluster: string): string =>
  `${cluster}::observability_name::${cluster}\n${cluster}::default_priority::max_connections::1024\n`;

function hostsOf(text: string): Record<string, readonly string[]> {
  const { scenario, problems } = loadScenario([{ file: 'clusters.txt', text }]);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const entries = (scenario?.clusters ?? []).map(({ name, loadAssignment }) => [
    name,
    (loadAssignment?.endpoints ?? []).flatMap(({ lbEndpoints, priority, locality }) =>
      lbEndpoints.map(({ endpoint: { address }, healthStatus, loadBalancingWeight = 1 }) =>
        [addressText(address), healthStatus, loadBalancingWeight, priority, locality?.zone ?? ''].join(' '),
      ),
    ),
  ]);
  return Object.fromEntries(entries) as Record<string, readonly string[]>;
}

describe('the text of /clusters', () => {
  it('says of each host where it is, how it is and what it weighs', () => {
    const text =
      head('backend') +
      lines('backend', '10.0.0.1:80', { weight: 3, zone: 'a', priority: 0 }) +
      lines('backend', '10.0.0.2:80', { health_flags: '/failed_active_hc/active_hc_timeout', zone: 'b', priority: 0 }) +
      lines('backend', '10.0.0.3:80', { health_flags: '/eds_status_draining', priority: 1 }) +
      lines('backend', '10.0.0.4:80', { health_flags: '/degraded_eds_health', priority: 1 }) +
      lines('backend', '10.0.0.5:80', { health_flags: '/failed_outlier_check', priority: 1 });
    expect(hostsOf(text)).toEqual({
      backend: [
        '10.0.0.1:80 HEALTHY 3 0 a',
        '10.0.0.2:80 UNHEALTHY 1 0 b',
        '10.0.0.3:80 DRAINING 1 1 ',
        '10.0.0.4:80 DEGRADED 1 1 ',
        '10.0.0.5:80 UNHEALTHY 1 1 ',
      ],
    });
  });

  it('may have colons in its names and addresses, and clusters without hosts', () => {
    const text =
      head('outbound|80||a::b') +
      lines('outbound|80||a::b', '[2001:db8::1]:80', {}) +
      head('empty') +
      lines('local', '/run/app.sock', {});
    expect(hostsOf(text)).toEqual({
      'outbound|80||a::b': ['[2001:db8::1]:80 HEALTHY 1 0 '],
      empty: [],
      local: ['/run/app.sock HEALTHY 1 0 '],
    });
  });

  it('has a host in two places twice', () => {
    const text = [0, 1].map((priority) => lines('backend', '10.0.0.1:80', { priority })).join('');
    expect(hostsOf(text)).toEqual({ backend: ['10.0.0.1:80 HEALTHY 1 0 ', '10.0.0.1:80 HEALTHY 1 1 '] });
  });

  it('is known in part, as grep leaves it', () => {
    expect(hostsOf('backend::10.0.0.1:80::rq_total::7\r\nbackend::10.0.0.2:80::rq_total::9\r\n')).toEqual({
      backend: ['10.0.0.1:80 HEALTHY 1 0 ', '10.0.0.2:80 HEALTHY 1 0 '],
    });
  });
});

const recorded = new URL('../../../../shared/fixtures/admin/', import.meta.url);

describe.runIf(existsSync(recorded))('of a real proxy', () => {
  it('says what its JSON says', () => {
    const [text = '', json = ''] = ['clusters.txt', 'clusters.json'].map((name) =>
      readFileSync(new URL(name, recorded), 'utf8'),
    );
    const read = Object.entries(hostsOf(text)).sort();
    expect(read).toEqual(Object.entries(hostsOf(json)).sort());
    expect(read).toHaveLength(10);
  });
});
