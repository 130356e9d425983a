import { describe, expect, it } from 'vitest';
import { weighsLocalities } from '../../src/config/policy/policy.js';
import { policyOf } from '../../src/config/policy/of-cluster.js';
import type { Cluster } from '../../src/config/cluster/cluster-shape.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Plain } from '../../src/config/source/trees.js';

const PREFIX = 'type.googleapis.com/envoy.extensions.load_balancing_policies';
const weighted = { locality_weighted_lb_config: {} };
const ofLists = { locality_lb_config: weighted };
const turns = { '@type': `${PREFIX}.round_robin.v3.RoundRobin`, ...ofLists };
const table = { '@type': `${PREFIX}.maglev.v3.Maglev`, table_size: 65537, ...weighted };
const reports = {
  '@type': `${PREFIX}.wrr_locality.v3.WrrLocality`,
  endpoint_picking_policy: listOf({
    '@type': `${PREFIX}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
  }),
};

function listOf(config: Plain, name = 'any'): Plain {
  return { policies: [{ typed_extension_config: { name, typed_config: config } }] };
}

function subsets(inner: Plain): Plain {
  return {
    '@type': `${PREFIX}.subset.v3.Subset`,
    fallback_policy: 'ANY_ENDPOINT',
    subset_selectors: [{ keys: ['version'] }],
    subset_lb_policy: inner,
  };
}

/** The cluster as it is simulated, and what was said of the option. */
function loaded(
  policy: Plain,
  set?: string,
): { readonly cluster: Cluster | undefined; readonly said: readonly string[] } {
  const text = JSON.stringify({
    clusters: [{ name: 'a', connect_timeout: '1s', load_balancing_policy: policy }],
    endpoints: { a: ['10.0.0.1:80'] },
    workloads: [{ cluster: 'a', arrivals: '1/s', stop: '1s' }],
  });
  const sets = set === undefined ? [] : [`clusters.a.lb_policy=${set}`];
  const { scenario, problems } = loadScenario([{ file: 'a.json', text }], { api: 'v3', set: sets });
  return {
    cluster: scenario?.clusters[0],
    said: problems.filter(({ rule }) => rule === 'set' || rule === 'enum').map(({ message }) => message),
  };
}

describe('another policy in the place of a typed one', () => {
  it.each([
    ['its own', turns, 'ROUND_ROBIN', turns],
    ['one for lists', turns, 'RANDOM', { '@type': `${PREFIX}.random.v3.Random`, ...ofLists }],
    ['a table for a list', turns, 'RING_HASH', { '@type': `${PREFIX}.ring_hash.v3.RingHash`, ...weighted }],
    ['a list for a table', table, 'LEAST_REQUEST', { '@type': `${PREFIX}.least_request.v3.LeastRequest`, ...ofLists }],
    ['one for weights by load', reports, 'ROUND_ROBIN', turns],
  ])('%s keeps the weights of localities', (_, written, policy, same) => {
    const { cluster } = loaded(listOf(written), policy);
    expect(cluster && weighsLocalities(policyOf(cluster))).toBe(true);
    expect(cluster).toEqual(loaded(listOf(same)).cluster);
  });

  it('stays inside of the subsets', () => {
    const { cluster } = loaded(listOf(subsets(listOf(turns))), 'MAGLEV');
    expect(cluster && policyOf(cluster)).toMatchObject({
      kind: 'subset',
      fallbackPolicy: 'ANY_ENDPOINT',
      inner: { kind: 'maglev' },
    });
    const same = { '@type': `${PREFIX}.maglev.v3.Maglev`, ...weighted };
    expect(cluster).toEqual(loaded(listOf(subsets(listOf(same)))).cluster);
  });

  it.each([
    ['PEAK_EWMA', ofLists],
    ['RENDEZVOUS', weighted],
  ])('%s, which the proxy has not, keeps them, too', (name, settings) => {
    const { cluster } = loaded(listOf(turns), name);
    expect(cluster && weighsLocalities(policyOf(cluster))).toBe(true);
    expect(cluster).toEqual(loaded(listOf(settings, name)).cluster);
  });

  it('names the settings that are left out', () => {
    expect(loaded(listOf(table), 'ROUND_ROBIN').said).toEqual([
      "the file's table_size is left out: it belongs to another policy",
    ]);
    expect(loaded(listOf(turns), 'ROUND_ROBIN').said).toEqual([]);
  });

  it.each(['MAGLEVV', 'constructor'])('%s is no policy', (name) => {
    expect(loaded(listOf(turns), name).said.at(-1)).toContain('expected one of ROUND_ROBIN');
  });
});

describe('a setting that other clusters have in a field of their own', () => {
  const setTo = (policy: Plain, set: string): unknown => {
    const text = JSON.stringify({ name: 'a', connect_timeout: '1s', load_balancing_policy: policy });
    const { scenario, problems } = loadScenario([{ file: 'a.json', text }], { api: 'v3', set: [set] });
    const [cluster] = scenario?.clusters ?? [];
    return cluster === undefined
      ? problems.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))
      : policyOf(cluster);
  };

  it('is set in the policy', () => {
    expect(setTo(listOf(table), 'maglev_lb_config.table_size=7')).toMatchObject({ tableSize: 7n });
    expect(setTo(listOf(subsets(listOf(table))), 'maglev_lb_config={table_size: 7}')).toMatchObject({
      kind: 'subset',
      inner: { kind: 'maglev', tableSize: 7n, localityWeightedLbConfig: {} },
    });
    expect(setTo(listOf(table), 'maglev_lb_config=7')).toEqual([expect.stringContaining('is a mapping')]);
    expect(setTo(listOf(table), 'round_robin_lb_config.slow_start_config={}')).toEqual([
      expect.stringContaining('names MAGLEV, which has no round_robin_lb_config.slow_start_config'),
    ]);
  });

  it('of weights by load is set where these are', () => {
    const set = 'round_robin_lb_config.slow_start_config.slow_start_window=5s';
    expect(setTo(listOf(reports), set)).toMatchObject({ inner: { slowStartConfig: { slowStartWindow: 5_000_000 } } });
  });
});

describe('the policy of a cluster with a typed one', () => {
  it('may be named in any case, and be the other one of those that hosts choose', () => {
    const { cluster } = loaded(listOf(turns), 'maglev');
    expect(cluster && policyOf(cluster)).toEqual({ kind: 'maglev', localityWeightedLbConfig: {} });
    expect(loaded(listOf(reports), 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN').cluster).toEqual(
      loaded(listOf(reports)).cluster,
    );
  });

  it('keeps its hashing among tables', () => {
    const hashing = { consistent_hashing_lb_config: { hash_balance_factor: 150 } };
    const { cluster } = loaded(listOf({ ...table, ...hashing }), 'RING_HASH');
    expect(cluster && policyOf(cluster)).toMatchObject({
      kind: 'ring_hash',
      consistentHashingLbConfig: { hashBalanceFactor: 150 },
    });
  });
});
