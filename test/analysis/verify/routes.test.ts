import { describe, expect, it } from 'vitest';
import { NO_PAUSE } from '../../../src/analysis/pause.js';
import { routeAction } from '../../../src/analysis/verify/route-message.js';
import { headersAt, situationsOf, type Traffic } from '../../../src/analysis/verify/situations.js';
import type { Workload } from '../../../src/settings/world.js';
import { scenarioOf } from '../../support/run.js';

const CLUSTERS = [{ name: 'web', lb_policy: 'MAGLEV' }, { name: 'canary', lb_policy: 'MAGLEV' }, { name: 'copies' }];
const HOSTS = { web: ['10.0.0.1:80', '10.0.0.2:80'], canary: ['10.1.0.1:80'], copies: ['10.2.0.1:80'] };
const ROUTE = [
  { cluster: 'web', weight: 9 },
  { cluster: 'canary', weight: 1 },
];
const USERS = { name: 'users', arrivals: '10/s', stop: '1s', route: ROUTE, hash_key: { cycle: ['a', 'b'] } };

const scenarioWith = (more: object) =>
  scenarioOf({ api: 'v3', clusters: CLUSTERS, endpoints: HOSTS, workloads: [{ ...USERS, ...more }] });

async function traffic(more: object): Promise<readonly Traffic[]> {
  const { situations } = await situationsOf(scenarioWith(more), NO_PAUSE);
  return situations[0]?.traffic ?? [];
}

function workload(more: object): Workload {
  const [only] = scenarioWith(more).workloads;
  if (only === undefined) throw new Error('the test has a workload');
  return only;
}

const BY_HEADER = { hash_policy: [{ header: { header_name: 'x-user' } }], headers: { 'x-user': 'user-{key}' } };

describe('what is asked of a route', () => {
  it.each<[string, object, readonly string[]]>([
    ['chance', {}, ['web', 'canary']],
    ['the hash', { ...BY_HEADER, use_hash_policy: true }, ['web canary']],
    ['a header', { header_name: 'x-target' }, ['web canary']],
    [
      'a cookie that is made',
      { use_hash_policy: true, hash_policy: [{ cookie: { name: 'c', ttl: '1s' } }] },
      ['web canary'],
    ],
    [
      'an address',
      { use_hash_policy: true, hash_policy: [{ connection_properties: { source_ip: true } }] },
      ['web canary'],
    ],
  ])('goes to its clusters by %s', async (_, more, expected) => {
    const asked = await traffic(more);
    expect(asked.map(({ route }) => route.map(({ cluster }) => cluster).join(' '))).toEqual(expected);
  });

  it.each<[string, object, boolean]>([
    ['a cookie that is made', { cookie: { name: 'c', ttl: '1s' } }, true],
    ['an address', { connection_properties: { source_ip: true } }, true],
    ['a cookie that somebody else makes', { cookie: { name: 'c' } }, false],
    ['a header', { header: { header_name: 'x-user' } }, false],
  ])('comes from several clients where it hashes %s', async (_, hashed, several) => {
    const asked = await traffic({ hash_policy: [hashed] });
    expect(asked.map(({ clients }) => clients > 1)).toEqual([several, several]);
  });

  it('has the key where a header has a place for it', async () => {
    const [one] = await traffic({ ...BY_HEADER, use_hash_policy: true });
    if (one === undefined) throw new Error('nothing is asked');
    expect([0, 1, 2].map((index) => headersAt(one, index))).toEqual([
      { 'x-user': 'user-a', 'x-key': 'a' },
      { 'x-user': 'user-b', 'x-key': 'b' },
      { 'x-user': 'user-a', 'x-key': 'a' },
    ]);
  });

  it('is not asked where a cluster with copies cannot be', async () => {
    const scenario = scenarioOf({
      clusters: [
        { name: 'web' },
        { name: 'copies', lb_policy: { policy: 'ROUND_ROBIN', subsetting: { method: 'deterministic', size: 1 } } },
      ],
      endpoints: { web: HOSTS.web, copies: HOSTS.copies },
      workloads: [
        { name: 'a', cluster: 'web', arrivals: '10/s', stop: '1s', request_mirror_policies: [{ cluster: 'copies' }] },
        { name: 'b', cluster: 'web', arrivals: '10/s', stop: '1s' },
      ],
    });
    const { situations } = await situationsOf(scenario, NO_PAUSE);
    expect(situations[0]?.traffic.map((one) => one.workload)).toEqual(['b']);
  });
});

describe('a route for a real proxy', () => {
  it('has all that a workload says of its requests', () => {
    const users = workload({
      ...{ timeout: '2s', use_hash_policy: true, runtime_key_prefix: 'canary' },
      route: [ROUTE[0], { cluster: 'canary', weight: 1, metadata_match: { v: '2' } }],
      hash_policy: [{ cookie: { name: 'sid', ttl: '60s' }, terminal: true }],
      retry_policy: {
        ...{ retry_on: '5xx,reset', per_try_timeout: '250ms', retry_back_off: { base_interval: '10ms' } },
        retry_host_predicate: [
          'proxy.retry_host_predicates.previous_hosts',
          { name: 'proxy.retry_host_predicates.omit_host_metadata', config: { metadata_match: { v: '1' } } },
        ],
        retry_priority: { name: 'proxy.retry_priorities.previous_priorities', config: { update_frequency: 2 } },
        retriable_headers: [{ name: 'x-envoy-again' }],
      },
      hedge_policy: { hedge_on_per_try_timeout: true },
      request_mirror_policies: [{ cluster: 'copies', runtime_fraction: { default_value: { numerator: 40 } } }],
    });
    const retry = 'type.googleapis.com/envoy.extensions.retry.';
    expect(routeAction(users, users.route, false)).toEqual({
      weighted_clusters: {
        clusters: [
          { name: 'web', weight: 9 },
          { name: 'canary', weight: 1, metadata_match: { filter_metadata: { 'envoy.lb': { v: '2' } } } },
        ],
        ...{ use_hash_policy: true, runtime_key_prefix: 'canary' },
      },
      timeout: '2s',
      hash_policy: [{ cookie: { name: 'sid', ttl: '60s' }, terminal: true }],
      retry_policy: {
        ...{ retry_on: '5xx,reset', num_retries: 1, per_try_timeout: '0.25s' },
        retry_back_off: { base_interval: '0.01s', max_interval: '0.1s' },
        retry_host_predicate: [
          {
            name: 'proxy.retry_host_predicates.previous_hosts',
            typed_config: { '@type': `${retry}host.previous_hosts.v3.PreviousHostsPredicate` },
          },
          {
            name: 'proxy.retry_host_predicates.omit_host_metadata',
            typed_config: {
              '@type': `${retry}host.omit_host_metadata.v3.OmitHostMetadataConfig`,
              metadata_match: { filter_metadata: { 'envoy.lb': { v: '1' } } },
            },
          },
        ],
        retry_priority: {
          name: 'proxy.retry_priorities.previous_priorities',
          typed_config: {
            '@type': `${retry}priority.previous_priorities.v3.PreviousPrioritiesConfig`,
            update_frequency: 2,
          },
        },
        retriable_headers: [{ name: 'x-envoy-again' }],
        retriable_request_headers: [],
      },
      hedge_policy: { hedge_on_per_try_timeout: true },
      request_mirror_policies: [
        { cluster: 'copies', runtime_fraction: { default_value: { numerator: 400_000, denominator: 'MILLION' } } },
      ],
    });
  });

  it('hashes the key where nothing else is said', () => {
    const users = workload({ route: [ROUTE[0]], retry_policy: undefined });
    expect(routeAction(users, users.route, true)).toEqual({
      ...{ cluster: 'web', timeout: '15s', hash_policy: [{ header: { header_name: 'x-key' } }] },
    });
  });
});
