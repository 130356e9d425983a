import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type SchemaKind, schemaOf } from '../../src/scenario/scenario.js';
import { DOCUMENTED_RULES } from './lint/documented-rules.js';
import { loadScenario } from '../../src/scenario/load.js';

/** A validator of the standard that is not ours; strict about schemas that say what cannot be meant. */
const ajv = new Ajv2020({
  allErrors: true,
  inlineRefs: false,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
});
const compiled = new Map<string, ValidateFunction>();

function validator(kind: SchemaKind, api: 'v2' | 'v3' = 'v2'): ValidateFunction {
  const validate = compiled.get(`${kind} ${api}`) ?? ajv.compile(schemaOf(kind, api));
  compiled.set(`${kind} ${api}`, validate);
  return validate;
}

/** What an editor would underline: places and reasons. */
function complaints(kind: SchemaKind, value: unknown): string[] {
  const validate = validator(kind);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

describe('the schema of v3', () => {
  const cluster = {
    name: 'backend',
    lbPolicy: 'ROUND_ROBIN',
    ignore_health_on_host_removal: true,
    dns_lookup_family: 'V4_PREFERRED',
    load_assignment: {
      cluster_name: 'backend',
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'h', port_value: 80 } } } }] }],
    },
  };
  const complaints3 = (kind: SchemaKind, value: unknown): number => {
    const validate = validator(kind, 'v3');
    return validate(value) ? 0 : (validate.errors ?? []).length;
  };

  it('has the fields of v3, and only those', () => {
    expect(complaints3('cluster', cluster)).toBe(0);
    expect(complaints('cluster', cluster)).not.toEqual([]);
    expect(complaints3('cluster', { ...cluster, hosts: [] })).toBeGreaterThan(0);
    expect(complaints3('cluster', { ...cluster, dns_lookup_family: 'V5' })).toBeGreaterThan(0);
    expect(complaints3('scenario', { clusters: [cluster] })).toBe(0);
    expect(complaints3('bootstrap', { static_resources: { clusters: [cluster] }, watchdogs: {} })).toBe(0);
    expect(complaints3('bootstrap', { static_resources: { clusters: [cluster] }, watchdogs: 1 })).toBe(1);
  });
});

const scenarios = join(import.meta.dirname, '../../scenarios');

describe('the schema of scenarios', () => {
  it.each(readdirSync(scenarios).filter((name) => name.endsWith('.yaml')))('takes %s, which names it', (name) => {
    const text = readFileSync(join(scenarios, name), 'utf8');
    expect(complaints('scenario', parse(text))).toEqual([]);
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../schema/scenario.schema.json');
  });

  it('takes every example of a lint rule, each as what it is', () => {
    for (const { name, example, repaired } of DOCUMENTED_RULES) {
      for (const text of [example, repaired]) {
        const kind = text.startsWith('name:') ? 'cluster' : 'scenario';
        expect({ name, complaints: complaints(kind, parse(text)) }).toEqual({ name, complaints: [] });
      }
    }
  });

  const ok = {
    clusters: [{ name: 'backend', connectTimeout: '1s', lb_policy: 'maglev' }],
    endpoints: { backend: ['10.0.0.1:80', { address: '10.0.0.2:80', count: 3, zone: 'a' }] },
    workloads: [
      { cluster: 'backend', arrivals: { ramp: [{ at: 0, rate: '5/s' }] }, stop: '1.5s', hash_key: { cycle: [1, 'b'] } },
    ],
    timeline: [
      { at: '1s', fail: { zone: 'a' } },
      { every: '2s', add_hosts: { cluster: 'backend', endpoints: ['10.0.0.9:80'] } },
    ],
  };

  it('takes what lbsim takes', () => {
    expect(complaints('scenario', ok)).toEqual([]);
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(ok) });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each([
    ['a typo', { ...ok, worklods: [] }, /additional properties/],
    ['no clusters', { workloads: ok.workloads }, /required property 'clusters'/],
    ['an empty list', { ...ok, clusters: [] }, /\/clusters must NOT have fewer than 1 items/],
    ['a duration without a unit', { ...ok, duration: 60 }, /\/duration must be <= 0/],
    ['a duration in words', { ...ok, duration: 'a while' }, /\/duration must match pattern/],
    ['a bare percentage', { ...ok, behavior: [{ error_rate: 50 }] }, /error_rate must be <= 1/],
    [
      'a rate without a unit',
      { ...ok, workloads: [{ cluster: 'backend', arrivals: '500' }] },
      /arrivals must match pattern/,
    ],
    ['two of a group', { ...ok, proxy: {}, proxies: [{}] }, /\/prox(y|ies) boolean schema is false/],
    ['none of a group', { ...ok, timeline: [{ at: '1s' }] }, /\/timeline\/0 must have required property/],
    [
      'an unknown policy',
      { ...ok, clusters: [{ name: 'a', lb_policy: 'ROUNDROBIN' }] },
      /lb_policy must be equal to one of/,
    ],
    [
      'a duration of ours in a cluster',
      { ...ok, clusters: [{ name: 'a', connect_timeout: '250ms' }] },
      /connect_timeout must match/,
    ],
    [
      'a ring that is too large',
      { ...ok, clusters: [{ name: 'a', ring_hash_lb_config: { minimum_ring_size: 8388609 } }] },
      /minimum_ring_size must be <=/,
    ],
  ])('complains of %s, as lbsim does', (_, value, expected) => {
    expect(complaints('scenario', value).join('\n')).toMatch(expected);
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(value) });
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
  });
});

describe('the schema of a bare cluster', () => {
  const cluster = {
    name: 'backend',
    connect_timeout: { seconds: 1 },
    loadAssignment: {
      clusterName: 'backend',
      endpoints: [
        { lbEndpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: '0x50' } } } }] },
      ],
    },
    common_lb_config: { healthy_panic_threshold: { value: 33.5 }, update_merge_window: '0s' },
    circuit_breakers: { thresholds: [{ priority: 1, max_requests: { value: 5 }, max_retries: 5 }] },
  };

  it('takes both name cases, wrappers, enumerations by number', () => {
    expect(complaints('cluster', cluster)).toEqual([]);
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(cluster) });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  // A proxy 1.40 takes each of them, and refuses what is wrong within.
  it.each([
    [[[{ max_requests: 5 }]], true],
    [[[{ max_requests: 5 }], [{ priority: 'HIGH' }]], true],
    [[{ max_requests: 5 }, [[{ priority: 'HIGH' }]]], true],
    [[[]], true],
    [[[{ max_requestss: 5 }]], false],
    [[[{ max_requests: 'x' }]], false],
    [[[5]], false],
  ])('judges the nested list %j as lbsim does', (thresholds, sound) => {
    const value = { ...cluster, circuit_breakers: { thresholds } };
    expect(complaints('cluster', value).length === 0).toBe(sound);
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify(value) });
    expect(problems.some(({ severity }) => severity === 'error')).toBe(!sound);
    const scenario = { clusters: [value] };
    expect(complaints('scenario', scenario).length === 0).toBe(sound);
  });

  it('takes lists of plain values in lists, in the proxy’s messages only', () => {
    const keys = { ...cluster, lb_subset_config: { subset_selectors: [{ keys: [['a'], 'b'] }] } };
    expect(complaints('cluster', keys)).toEqual([]);
    expect(complaints('scenario', { clusters: [[cluster]] })).not.toEqual([]);
    const { problems } = loadScenario({ file: 'a.json', text: JSON.stringify({ clusters: [[cluster]] }) });
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it.each([
    ['no name', { ...cluster, name: undefined }],
    ['a name in another case', { ...cluster, LbPolicy: 'RANDOM' }],
    ['two lb configurations', { ...cluster, ring_hash_lb_config: {}, leastRequestLbConfig: {} }],
    ['an assignment without its name', { ...cluster, loadAssignment: {} }],
  ])('refuses %s', (_, value) => {
    expect(complaints('cluster', JSON.parse(JSON.stringify(value)))).not.toEqual([]);
  });

  it('tells editors what fields mean, and which are deprecated', () => {
    const { properties } = (
      schemaOf('cluster') as { $defs: { Cluster: { properties: Record<string, Record<string, unknown>> } } }
    ).$defs.Cluster;
    expect(properties['hosts']).toMatchObject({ deprecated: true });
    for (const [name, { description }] of Object.entries(properties)) {
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\.$/) as unknown });
    }
  });
});

describe('the schema of a bootstrap', () => {
  it('checks the sinks by their types', () => {
    const sink = (config: object): object => ({
      static_resources: { clusters: [{ name: 'a', connect_timeout: '1s' }] },
      stats_sinks: [
        {
          name: 'envoy.stat_sinks.statsd',
          typed_config: { '@type': 'type.googleapis.com/envoy.config.metrics.v2.StatsdSink', ...config },
        },
      ],
    });
    expect(complaints('bootstrap', sink({ tcp_cluster_name: 'a' }))).toEqual([]);
    expect(complaints('bootstrap', sink({ tcp_cluster: 'a' })).join()).toMatch(/additional properties/);
    expect(complaints('bootstrap', sink({})).join()).toMatch(/required property/);
  });
});
