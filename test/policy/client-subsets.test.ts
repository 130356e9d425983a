import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientSubsetBalancer } from '../../src/hostset/subset/client-subset.js';
import { Decision, type LoadBalancer } from '../../src/hostset/load-balancer.js';
import { aperture, deterministicSubset } from '../../src/policy/client-subsets.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { hostAt, level, pickRequest, scripted } from '../support/balancing.js';

const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}:80`);
const range = (count: number): number[] => [...Array(count).keys()];

const fleet = fc.record({
  hosts: fc.integer({ min: 1, max: 60 }),
  clients: fc.integer({ min: 1, max: 60 }),
  size: fc.integer({ min: 1, max: 70 }),
});

describe('deterministic subsetting', () => {
  it('gives each host the same number of clients, or one more, and each client `size` hosts at least', () => {
    fc.assert(
      fc.property(fleet, ({ hosts, clients, size }) => {
        const counts = new Array<number>(hosts).fill(0);
        for (const client of range(clients)) {
          const own = deterministicSubset(keys(hosts), client, size);
          expect(new Set(own).size).toBe(own.length);
          expect(own.length).toBeGreaterThanOrEqual(Math.min(size, hosts));
          expect(own.length).toBeLessThan(Math.min(2 * size, hosts + 1));
          for (const host of own) counts[host] = (counts[host] ?? 0) + 1;
        }
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order of hosts', () => {
    fc.assert(
      fc.property(fleet, ({ hosts, clients, size }) => {
        const list = keys(hosts);
        const named = (from: readonly string[]): string[] =>
          deterministicSubset(from, clients, size).map((host) => from[host] ?? '');
        expect(named(list.toReversed()).sort()).toEqual(named(list).sort());
      }),
    );
  });

  it('shuffles anew in each round', () => {
    const rounds = range(10).map((round) => deterministicSubset(keys(40), 2 * round, 20).join());
    expect(new Set(rounds).size).toBe(10);
  });
});

describe('aperture', () => {
  it('loads all hosts exactly alike, and gives each client the same, `size` hosts at least', () => {
    fc.assert(
      fc.property(fleet, ({ hosts, clients, size }) => {
        const loads = new Array<number>(hosts).fill(0);
        for (const client of range(clients)) {
          const own = aperture(keys(hosts), { client, clients }, size);
          const width = own.reduce((sum, { part }) => sum + part, 0);
          expect(width).toBeGreaterThan(Math.min(size, hosts) - 1e-9);
          // One client's room less would not do.
          expect(width - hosts / clients).toBeLessThan(Math.min(size, hosts));
          for (const { host, part } of own) {
            expect(part).toBeGreaterThan(0);
            expect(part).toBeLessThanOrEqual(1);
            loads[host] = (loads[host] ?? 0) + part / width;
          }
        }
        for (const load of loads) expect(load).toBeCloseTo(clients / hosts, 9);
      }),
    );
  });

  it('of the example: two hosts whole, two thirds of the third', () => {
    const parts = aperture(keys(4), { client: 0, clients: 3 }, 2).map(({ part }) => part);
    expect(parts.sort()).toEqual([2 / 3, 1, 1]);
    expect(aperture([], { client: 0, clients: 3 }, 2)).toEqual([]);
  });
});

it('a host that an aperture has in part is chosen again, and asked by whom it was not taken', () => {
  const hosts = range(4).map((index) => hostAt(index));
  const [place, order] = [{ client: 0, clients: 3 }, [...hosts]];
  const parts = aperture(
    hosts.map(({ address }) => address),
    place,
    2,
  );
  const partly = parts.find(({ part }) => part < 1)?.host ?? -1;
  order.sort((a, b) => Number(b === hosts[partly]) - Number(a === hosts[partly]));
  let chosen = 0;
  const inner: LoadBalancer = {
    update: () => undefined,
    updateLocalCluster: () => undefined,
    describe: () => ({ panicThreshold: 0, normalizedTotal: 0, priorities: [], zone: undefined }),
    choose: (_, decision) => {
      const host = order[chosen++];
      Object.assign(decision, { host, priority: 0, probes: host === undefined ? [] : [host] });
    },
  };
  const balancer = new ClientSubsetBalancer({ method: 'aperture', size: 2 }, place, [level(hosts)], () => inner);
  const decision = new Decision();
  // The largest number: the part of the first one does not reach it.
  balancer.choose(pickRequest(scripted(2 ** 64 - 2 ** 12)), decision);
  expect([decision.host, decision.probes]).toEqual([order[1], order.slice(0, 2)]);
});

describe('in a run', () => {
  const text = (policy: string, rest = ''): string => `
proxies: [{name: edge, count: 6}]
clusters: [{name: web, lb_policy: ${policy}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 12}]}
workloads: [{cluster: web, arrivals: {constant: 600/s}, stop: 10s, hash_key: {uniform: {keys: 1000}}}]
${rest}`;

  const load = (policy: string, rest?: string) => loadScenario({ file: 'a.yaml', text: text(policy, rest) });

  async function run(policy: string, rest?: string) {
    const { scenario, problems } = load(policy, rest);
    expect(problems).toEqual([]);
    if (scenario === undefined) throw new Error('it does not load');
    return runScenario(scenario);
  }

  /** Numbers of the hosts that each proxy sends to. */
  const used = ({ proxies }: Awaited<ReturnType<typeof run>>): number[][] =>
    Object.values(proxies).map(({ clusters }) =>
      (clusters['web']?.hosts ?? []).flatMap(({ requests, address }) =>
        requests === 0 ? [] : [Number(address.replace(/^.*\.(\d+):80$/, '$1')) - 1],
      ),
    );

  const addresses = range(12).map((i) => `10.0.0.${i + 1}:80`);

  it.each(['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV', 'PREQUAL', 'RENDEZVOUS'])(
    '%s: a proxy sends to its part and to nobody else',
    async (policy) => {
      const found = used(await run(`{policy: ${policy}, subsetting: {method: deterministic, size: 4}}`));
      expect(found).toEqual(range(6).map((client) => deterministicSubset(addresses, client, 4)));
    },
  );

  it.each(['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'PEAK_EWMA'])(
    '%s: an aperture loads all hosts alike',
    async (policy) => {
      const result = await run(`{policy: ${policy}, subsetting: {method: aperture, size: 5}}`);
      const found = used(result);
      expect(found).toEqual(
        range(6).map((client) => aperture(addresses, { client, clients: 6 }, 5).map(({ host }) => host)),
      );
      // 500 of 6,000 each; five standard errors of such a draw are 107.
      for (const { requests } of result.clusters['web']?.hosts ?? [])
        expect(Math.abs(requests - 500)).toBeLessThan(107);
    },
  );

  it('follows hosts that come and go, and panics on its part alone', async () => {
    const rest = `
timeline:
- {at: 5s, remove_hosts: {address: 10.0.0.12:80}}
- {at: 6s, set_health: {hosts: 10.0.0.1, status: UNHEALTHY}}
`;
    const { totals, clusters } = await run('{policy: ROUND_ROBIN, subsetting: {method: deterministic, size: 4}}', rest);
    expect(totals.failed).toBe(0);
    const [first, last] = ['10.0.0.1:80', '10.0.0.12:80'].map((address) =>
      clusters['web']?.phases.at(-1)?.hosts.find((host) => host.address === address),
    );
    expect(first?.requests).toBe(0);
    expect(last).toBeUndefined();
  });

  it.each([
    [
      '{policy: RING_HASH, subsetting: {method: aperture, size: 5}}',
      'an aperture has hosts in part, and a table has them whole',
    ],
    ['{policy: RENDEZVOUS, subsetting: {method: aperture, size: 5}}', 'an aperture has hosts in part'],
    [
      '{policy: RANDOM, subsetting: {method: apertur, size: 5}}',
      "expected one of deterministic, aperture, found 'apertur'",
    ],
    [
      '{policy: RANDOM, subsetting: {method: aperture}}',
      'subsetting needs the setting size: a whole number, at least 1',
    ],
    ['{policy: RANDOM, subsetting: 5}', 'subsetting is a map of method and size'],
    ['{policy: RANDOM, settings: {}, subsetting: {method: aperture, size: 5}}', 'settings is not a field here'],
  ])('%s is refused', (policy, message) => {
    expect(
      load(policy)
        .problems.map((problem) => problem.message)
        .join('\n'),
    ).toContain(message);
  });
});
