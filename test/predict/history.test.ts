import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xxhash64String } from '../../src/hash/text-hashes.js';
import { predict } from '../../src/predict/predict.js';
import { runScenario } from '../../src/words/library.js';
import { requestsByHost, scenarioOf } from '../support/run.js';

const POLICIES = ['RING_HASH', 'RING_HASH', 'MAGLEV', 'RANDOM', 'ROUND_ROBIN', 'LEAST_REQUEST'] as const;

interface HostState {
  readonly weight: number;
  readonly health: string;
}

type Change = (
  | { readonly kind: 'add' | 'remove' }
  | { readonly kind: 'weight'; readonly weight: number }
  | { readonly kind: 'health'; readonly health: string }
) & { readonly host: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), host: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    kind: fc.constant('weight' as const),
    weight: fc.integer({ min: 1, max: 4 }),
    host: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('health' as const),
    health: fc.constantFrom('UNHEALTHY', 'DEGRADED', 'HEALTHY'),
    host: fc.integer({ min: 1, max: 9 }),
  }),
);

const addressOf = (host: number): string => `10.0.0.${host}:80`;

/** A scenario with these hosts at its start. */
function scenario(policy: string, hosts: ReadonlyMap<number, HostState>, timeline: readonly object[]) {
  return scenarioOf({
    proxy: { version: '1.17' },
    clusters: [
      {
        name: 'c',
        lb_policy: policy,
        ...(policy === 'RING_HASH' && { ring_hash_lb_config: { minimum_ring_size: 64 } }),
        ...(policy === 'MAGLEV' && { maglev_lb_config: { table_size: 251 } }),
        common_lb_config: { update_merge_window: '0s', healthy_panic_threshold: { value: 20 } },
      },
    ],
    endpoints: {
      c: [...hosts].map(([host, { weight, health }]) => ({ address: addressOf(host), weight, health })),
    },
    workloads: [
      {
        cluster: 'c',
        arrivals: '100/s',
        stop: '20s',
        ...(policy.includes('_HASH') || policy === 'MAGLEV' ? { hash_key: { uniform: { keys: 500 } } } : {}),
      },
    ],
    timeline,
  });
}

/** What the hosts are after a change, and the entry of the timeline that makes it; undefined: it changes nothing. */
function applied(hosts: Map<number, HostState>, one: Change, at: string): object | undefined {
  const state = hosts.get(one.host);
  if (one.kind === 'add') {
    if (state !== undefined) return undefined;
    hosts.set(one.host, { weight: 1, health: 'HEALTHY' });
    return { at, add_hosts: { cluster: 'c', endpoints: [addressOf(one.host)] } };
  }
  if (state === undefined || (one.kind === 'remove' && hosts.size === 1)) return undefined;
  switch (one.kind) {
    case 'remove':
      hosts.delete(one.host);
      return { at, remove_hosts: addressOf(one.host) };
    case 'weight':
      hosts.set(one.host, { ...state, weight: one.weight });
      return { at, set_weight: { hosts: addressOf(one.host), weight: one.weight } };
    case 'health':
      hosts.set(one.host, { ...state, health: one.health });
      return { at, set_health: { hosts: addressOf(one.host), status: one.health } };
  }
}

describe('a phase', () => {
  it('is split as if its hosts had been there from the start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...POLICIES),
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        async (policy, first, changes) => {
          const start = new Map(first.map((host): [number, HostState] => [host, { weight: 1, health: 'HEALTHY' }]));
          const hosts = new Map(start);
          const timeline = changes.flatMap((one, index) => applied(hosts, one, `${index + 1}s`) ?? []);
          const shares = async (of: ReturnType<typeof scenario>) => {
            const last = (await predict(of)).clusters['c']?.phases.at(-1);
            const own = last?.hosts.map(({ address, share }): [string, number] => [address, share]);
            return { method: last?.method, priorities: last?.priorities, shares: new Map(own) };
          };
          const [late, early] = [
            await shares(scenario(policy, start, timeline)),
            await shares(scenario(policy, hosts, [])),
          ];
          expect([late.method, [...late.shares.keys()].sort()]).toEqual([
            early.method,
            [...early.shares.keys()].sort(),
          ]);
          for (const [address, share] of late.shares) expect(share).toBeCloseTo(early.shares.get(address) ?? -1, 9);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('hashes at the entries of a ring', () => {
  it('belong to the entry that is not below them, in whatever order they come', async () => {
    const hosts = [1, 2, 3].map(addressOf);
    const near = hosts.flatMap((address) =>
      [0, 1, 2, 3].flatMap((entry) => {
        const { hi, lo } = xxhash64String(`${address}_${entry}`);
        const hash = (BigInt(hi) << 32n) | BigInt(lo);
        return [hash + 1n, hash, hash - 1n];
      }),
    );
    const hashes = [...near, 0n, 2n ** 64n - 1n];
    for (const asked of hashes.map((hash, index) => [hashes[(index + 1) % hashes.length] ?? 0n, hash])) {
      const scenario = scenarioOf({
        clusters: [{ name: 'c', lb_policy: 'RING_HASH', ring_hash_lb_config: { minimum_ring_size: 12 } }],
        endpoints: { c: hosts },
        requests: asked.map((hash) => ({ at: '1s', cluster: 'c', hash: String(hash) })),
      });
      const [run, { clusters }] = [await runScenario(scenario), await predict(scenario)];
      const counts = clusters['c']?.hosts.map(({ address, share }) => [address, Math.round(share * asked.length)]);
      expect(Object.fromEntries(counts ?? [])).toMatchObject(requestsByHost(run));
    }
  });
});

describe('a host that failed, and is well again', () => {
  it.each([
    [{ outlier_detection: { consecutive_5xx: 3 } }, 'outliers_ejected'],
    [
      {
        health_checks: [
          {
            timeout: '1s',
            interval: '5s',
            unhealthy_threshold: 2,
            healthy_threshold: 2,
            http_health_check: { path: '/' },
          },
        ],
      },
      'health_checked',
    ],
  ] as const)('may still be out: %j', async (watched, obstacle) => {
    const { clusters } = await predict(
      scenarioOf({
        clusters: [{ name: 'c', ...watched }],
        endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
        workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '30s' }],
        timeline: [
          { at: '10s', fail: '10.0.0.1' },
          { at: '20s', recover: '10.0.0.1' },
        ],
      }),
    );
    expect(clusters['c']?.phases.map(({ from_s: from, obstacle: why }) => [from, why?.kind])).toEqual([
      [0, undefined],
      [10, obstacle],
      [20, obstacle],
    ]);
  });
});

describe('priorities of which none can take a whole percent', () => {
  it('keep the loads of the update before the last', async () => {
    const scenario = scenarioOf({
      proxy: { version: '1.40' },
      clusters: [
        {
          name: 'c',
          common_lb_config: { healthy_panic_threshold: { value: 30 } },
          load_assignment: {
            cluster_name: 'c',
            policy: { overprovisioning_factor: 1 },
            endpoints: [1, 2, 2].map((size, priority) => ({
              priority,
              lb_endpoints: Array.from({ length: size }, (_, at) => ({
                endpoint: { address: { socket_address: { address: `10.0.${priority}.${at}`, port_value: 80 } } },
              })),
            })),
          },
        },
      ],
      workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '20s' }],
      timeline: ['10.0.0.0', '10.0.1.0', '10.0.2.0', '10.0.2.1'].map((hosts) => ({
        at: '10s',
        set_health: { hosts, status: 'UNHEALTHY' },
      })),
    });
    const [run, { clusters }] = [await runScenario(scenario), await predict(scenario)];
    const last = (from: typeof run.clusters | typeof clusters) =>
      from['c']?.phases.at(-1)?.hosts.map(({ address, share }) => [address, share]);
    // Priorities lose one after the other, and the last has all of the load by then. So does a proxy 1.40.0.
    expect(last(clusters)).toEqual([
      ['10.0.0.0:80', 0],
      ['10.0.1.0:80', 0],
      ['10.0.1.1:80', 0],
      ['10.0.2.0:80', 0.5],
      ['10.0.2.1:80', 0.5],
    ]);
    expect(last(run.clusters)).toEqual(last(clusters));
  });
});
