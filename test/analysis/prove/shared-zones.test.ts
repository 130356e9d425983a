import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Losses, NoPrediction } from '../../../src/analysis/prove/losses.js';
import { fewestHosts, brings, smallestSets } from '../../../src/analysis/prove/minimum.js';
import { NO_PAUSE } from '../../../src/analysis/pause.js';
import { loadScenario } from '../../../src/scenario/load.js';

const CHECK = { timeout: '1s', interval: '1s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} };
it(
  'what proxies of several zones send to hosts that they share is that of all sets',
  { timeout: 3_000_000 },
  async () => {
    const tally = new Map<string, number>();
    const zone = fc.constantFrom('a', 'b', 'c');
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          kinds: fc.array(
            fc.record({
              count: fc.integer({ min: 1, max: 7 }),
              zone,
              weight: fc.constantFrom(1, 1, 2),
              priority: fc.constantFrom(0, 0, 0, 1),
              health: fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'UNHEALTHY'),
            }),
            { minLength: 2, maxLength: 5 },
          ),
          local: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 2, maxLength: 7 }),
          sides: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 2, maxLength: 3 }),
          shares: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
          room: fc.double({ min: 1.2, max: 7, noNaN: true }),
          forced: fc.constantFrom(undefined, undefined, 0, 2, 4),
          policy: fc.constantFrom('ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'),
          threshold: fc.constantFrom(0, 30, 50),
        }),
        async ({ kinds, local: more, sides, shares, room, forced, policy, threshold }) => {
          const local = [...sides, ...more];
          const groups = (
            all: readonly { zone: string; count: number; weight?: number; priority?: number; health?: string }[],
            net: number,
          ) =>
            all.map(({ zone: own, count, weight = 1, priority = 0, health = 'HEALTHY' }, index) => ({
              locality: { zone: own },
              priority,
              lb_endpoints: Array.from({ length: count }, (_, host) => ({
                endpoint: {
                  address: { socket_address: { address: `10.${net}.${index}.${host + 1}`, port_value: 80 } },
                },
                load_balancing_weight: weight,
                health_status: health,
              })),
            }));
          const hosts = kinds.reduce((sum, one) => sum + one.count, 0);
          const scenario = loadScenario({
            file: 'a.yaml',
            text: JSON.stringify({
              clusters: [
                {
                  name: 'c',
                  type: 'STATIC',
                  lb_policy: policy,
                  health_checks: [CHECK],
                  load_assignment: { cluster_name: 'c', endpoints: groups(kinds, 0) },
                  common_lb_config: {
                    healthy_panic_threshold: { value: threshold },
                    zone_aware_lb_config: {
                      min_cluster_size: 1,
                      ...(forced !== undefined && { force_local_zone: { min_size: forced } }),
                    },
                  },
                },
                {
                  name: 'local',
                  type: 'STATIC',
                  load_assignment: {
                    cluster_name: 'local',
                    endpoints: groups(
                      [...new Set(local)].map((own) => ({
                        zone: own,
                        count: local.filter((one) => one === own).length,
                      })),
                      9,
                    ),
                  },
                },
              ],
              proxies: sides.map((own, at) => ({
                name: `p${own}`,
                version: '1.40',
                share: shares[at],
                node: { locality: { zone: own } },
                local_cluster_name: 'local',
              })),
              workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, stop: '2s' }],
            }),
          }).scenario;
          fc.pre(scenario !== undefined);
          let losses: Losses;
          try {
            losses = (await Losses.all(scenario, (1000 / hosts) * room))('c');
          } catch (error) {
            if (error instanceof NoPrediction) fc.pre(false);
            throw error;
          }
          fc.pre(losses.hosts.length > 0);
          const HARMS = ['failures', 'overload', 'panic'] as const;
          const units = losses.units('hosts');
          const kindsOf = new Map<string, number>();
          for (const { kind } of units) kindsOf.set(kind, (kindsOf.get(kind) ?? 0) + 1);
          fc.pre([...kindsOf.values()].reduce((product, count) => product * (count + 1), 1) < 3000);
          const all = await smallestSets(
            { losses, units, beside: [], most: Infinity, pause: NO_PAUSE },
            new Map(HARMS.map((harm) => [harm, { atLeast: 0, covered: { by: 'sets', number: 0 } }])),
          );
          for (const [harm, { units: lost, atLeast, undecided, covered }] of await fewestHosts(
            losses,
            HARMS,
            NO_PAUSE,
          )) {
            const key = `${harm} ${undecided ?? covered.by} ${lost === undefined ? 'none' : lost.length === 0 ? 'already' : 'some'}`;
            tally.set(key, (tally.get(key) ?? 0) + 1);
            const wanted = all.get(harm)?.units?.length ?? Infinity;
            expect([lost?.length ?? Infinity, atLeast], key).toEqual([wanted, wanted]);
            if (lost !== undefined) expect(brings(harm, await losses.lose(lost))).toBe(true);
          }
        },
      ),
      {
        numRuns: Number(process.env['PROVE_RUNS'] ?? 60),
        seed: Number(process.env['PROVE_SEED'] ?? 1),
        endOnFailure: true,
      },
    );
    // Neither overloaded as it is, nor open.
    expect(tally.get('overload classes some')).toBeGreaterThan(5);
  },
);
