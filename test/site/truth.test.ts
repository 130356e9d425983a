import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostInWords, instantAt, tellingInstants } from '../../src/site/instant.js';
import { headlineOf } from '../../src/site/number-format.js';
import { layoutFlow } from '../../src/site/view/flow-layout.js';
import { clusterNamed, pictureOf } from './pictures.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const names = readdirSync(scenarios).filter((name) => name.endsWith('.yaml'));
const textOf = (name: string): string => readFileSync(join(scenarios, name), 'utf8');

/** Before a host is chosen. */
const EARLY = ['no_host', 'overflow', 'drop_overload', 'no_cluster'] as const;
/** Of a host, a part of its attempts: fewer failures are hidden by rounding. */
const SEEN = 0.02;
const PARTS = [0, 0.25, 0.5, 0.75, 0.999];

describe('the picture tells the truth', () => {
  it.each(names)('%s: what fails is red where it fails, at every instant', async (name) => {
    const run = await pictureOf(textOf(name));
    const hidden: unknown[] = [];
    for (const cluster of run.clusters) {
      for (const { from_s: from, to_s: to, failed, success, failures } of cluster.course?.intervals ?? []) {
        if (failed === 0) continue;
        const partOf = (requests: number): number => requests / (failed + success);
        const early = EARLY.reduce((sum, cause) => sum + (failures[cause] ?? 0), 0);
        // Hosts come and go within an interval: a part of it shows those that fail.
        const drawn = PARTS.map((part) => {
          const instant = instantAt(cluster, from + part * (to - from));
          if (instant === undefined) throw new Error('no phase');
          return layoutFlow(run, cluster, instant, 800);
        });
        for (const { bands, nodes } of drawn) {
          if (!bands.some(({ id, failingArea }) => id === 'clients-proxies' && failingArea !== ''))
            hidden.push([from, 'users']);
          if (!nodes.some(({ kind, says }) => kind === 'clients' && / fail$/.test(says)))
            hidden.push([from, 'in words']);
        }
        const red = drawn.flatMap(({ bands }) =>
          bands.filter(({ failingArea }) => failingArea !== '').map(({ id }) => id),
        );
        if (cluster.members.length > 0) continue;
        if (partOf(early) > SEEN && !red.includes('to-lost')) hidden.push([from, 'lost']);
        if (partOf(failed - early) > SEEN && !red.some((id) => id.startsWith('to-host'))) hidden.push([from, 'hosts']);
      }
    }
    expect(hidden).toEqual([]);
    // It fits a line, but where it is a single clause.
    const headline = headlineOf(run.answer[0] ?? '');
    expect(headline.length).toBeLessThanOrEqual(/[;:] /.test(headline) ? 106 : 135);
  });

  it('of a zone that is dead, whatever the proxy believes', async () => {
    const run = await pictureOf(textOf('zone-outage.yaml'));
    const cluster = clusterNamed(run, 'backend');
    const [telling] = tellingInstants(run);
    expect(telling).toEqual({ cluster, t: 23.5 });
    const at = (t: number): readonly unknown[] => {
      const instant = instantAt(cluster, t);
      if (instant === undefined) throw new Error('no instant');
      const { phase, failed } = instant;
      return [Math.round(1000 * failed) / 10, hostInWords(phase, 0), hostInWords(phase, 2)];
    };
    expect(at(10)).toEqual([0, '', '']);
    expect(at(23.5)).toEqual([33.3, 'dead, believed healthy', '']);
    expect(at(30.5)).toEqual([0, 'dead', '']);
    expect(at(41.5)).toEqual([0, 'alive, believed dead', '']);
    expect(at(50)).toEqual([0, '', '']);
  });

  it('of slow hosts, and of those that fail', async () => {
    const run = await pictureOf(`clusters: [{name: web, connect_timeout: 1s}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80]}
behavior: [{hosts: {}, service_time: 10ms, concurrency: 1}, {hosts: 10.0.0.2, service_time: 40ms}]
workloads: [{cluster: web, arrivals: 30/s, stop: 10s}]
timeline: [{at: 5s, set_behavior: {hosts: 10.0.0.3, error_rate: 1}}]
`);
    const instant = instantAt(clusterNamed(run, 'web'), 8);
    expect([0, 1, 2].map((host) => instant && hostInWords(instant.phase, host))).toEqual([
      '',
      'slow',
      'failing, believed healthy',
    ]);
    expect([...(instant?.failing ?? [])]).toEqual([0, 0, 1]);
  });

  it('of a dead host that is believed degraded', async () => {
    const run = await pictureOf(`clusters: [{name: web, connect_timeout: 1s}]
endpoints: {web: [{address: 10.0.0.1:80, health: DEGRADED}, 10.0.0.2:80]}
workloads: [{cluster: web, arrivals: 30/s, stop: 2s}]
timeline: [{at: 1s, fail: 10.0.0.1}]
`);
    const instant = instantAt(clusterNamed(run, 'web'), 1.5);
    expect(instant && hostInWords(instant.phase, 0)).toBe('dead, believed degraded');
  });
});
