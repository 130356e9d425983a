import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS, type ProxyVersion, quirksOf } from '../../src/core/version.js';
import type { Host } from '../../src/host/host.js';
import { type OriginEvent, type OutlierStats } from '../../src/upstream/cause.js';
import { writeOutlierStats } from '../../src/upstream/outlier-detector.js';
import { ejected, isEjected, SECOND, watch } from './outlier-fixtures.js';

type Step =
  | { readonly kind: 'answers'; readonly host: number; readonly status: number; readonly count: number }
  | { readonly kind: 'event'; readonly host: number; readonly event: OriginEvent; readonly count: number }
  | { readonly kind: 'sweep'; readonly afterMs: number }
  | { readonly kind: 'check' | 'remove' | 'add'; readonly host: number };

/** Few enough that the same ones are hit again and again. */
const HOSTS = 5;
const host = fc.nat(HOSTS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('answers' as const),
      host,
      status: fc.constantFrom(200, 404, 500, 502, 503, 504),
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      host,
      event: fc.constantFrom<OriginEvent>(
        'EXT_ORIGIN_REQUEST_SUCCESS',
        'EXT_ORIGIN_REQUEST_FAILED',
        'LOCAL_ORIGIN_TIMEOUT',
        'LOCAL_ORIGIN_CONNECT_FAILED',
        'LOCAL_ORIGIN_CONNECT_SUCCESS',
        'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL',
      ),
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), afterMs: fc.integer({ min: 1, max: 20_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('check' as const, 'remove', 'add'), host }) },
);

const percent = fc.constantFrom(0, 1, 10, 25, 50, 99, 100);
const config = fc.record(
  {
    maxEjectionPercent: percent,
    consecutive5xx: fc.integer({ min: 0, max: 6 }),
    consecutiveGatewayFailure: fc.integer({ min: 0, max: 6 }),
    consecutiveLocalOriginFailure: fc.integer({ min: 0, max: 6 }),
    baseEjectionTime: fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * SECOND),
    maxEjectionTimeJitter: fc.integer({ min: 0, max: 5 }).map((seconds) => seconds * SECOND),
    splitExternalLocalOriginErrors: fc.boolean(),
    alwaysEjectOneHost: fc.boolean(),
    enforcingConsecutive5xx: percent,
    enforcingConsecutiveGatewayFailure: percent,
    enforcingConsecutiveLocalOriginFailure: percent,
    enforcingSuccessRate: percent,
    enforcingLocalOriginSuccessRate: percent,
    enforcingFailurePercentage: percent,
    enforcingFailurePercentageLocalOrigin: percent,
    successRateMinimumHosts: fc.nat(6),
    successRateRequestVolume: fc.nat(12),
    successRateStdevFactor: fc.nat(2000),
    failurePercentageThreshold: percent,
    failurePercentageMinimumHosts: fc.nat(6),
    failurePercentageRequestVolume: fc.nat(12),
  },
  { requiredKeys: ['splitExternalLocalOriginErrors', 'maxEjectionPercent', 'alwaysEjectOneHost'] },
);

interface World extends ReturnType<typeof watch> {
  readonly members: Set<Host>;
  nowUs: number;
}

/** How many hosts may be out after an ejection. */
function allowed(version: ProxyVersion, limit: number, hosts: number, alwaysOne: boolean): number {
  if (quirksOf(version).ejectionsStayWithinLimit) return Math.max(Math.floor((limit * hosts) / 100), alwaysOne ? 1 : 0);
  // One more than those that are still below the limit.
  return Math.ceil((limit * hosts) / 100);
}

function play(world: World, one: Step): void {
  const { detector, members } = world;
  if (one.kind === 'sweep') {
    world.nowUs += one.afterMs * 1000;
    detector.sweep(world.nowUs);
    return;
  }
  const target = world.hosts[one.host] as Host;
  switch (one.kind) {
    case 'answers':
    case 'event':
      for (let i = 0; i < one.count; i++) {
        const detections =
          one.kind === 'answers' ? detector.reportStatus(target, one.status) : detector.reportEvent(target, one.event);
        detector.handleDetections(target, detections, world.nowUs);
      }
      return;
    case 'check':
      detector.activeHealthCheckSucceeded(target, world.nowUs);
      return;
    case 'remove':
      detector.removeHost(target);
      members.delete(target);
      return;
    case 'add':
      detector.addHost(target);
      members.add(target);
  }
}

function countersOf(stats: OutlierStats): Readonly<Record<string, number>> {
  const into = { counters: {}, gauges: {} };
  writeOutlierStats(into, '1.17', stats);
  return into.counters;
}

function enforcedByCause({ enforced }: OutlierStats): number {
  return Object.values(enforced).reduce((sum, value) => sum + value, 0);
}

describe('outlier detection, whatever happens', () => {
  it('counts right, keeps its limit, and lets everybody come back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PROXY_VERSIONS),
        config,
        fc.array(fc.nat(99), { maxLength: 20 }),
        fc.array(step, { maxLength: 60 }),
        (version, settings, draws, steps) => {
          const world: World = Object.assign(
            watch(settings, {
              version,
              draws,
              hosts: HOSTS,
              onEvent: () => {
                if (world.log.at(-1)?.includes(' unejected ') === true) return;
                const most = allowed(version, settings.maxEjectionPercent, members.size, settings.alwaysEjectOneHost);
                expect(world.stats.ejectionsActive).toBeLessThanOrEqual(most);
              },
            }),
            { members: new Set<Host>(), nowUs: 0 },
          );
          const { members, stats, log } = world;
          for (const one of world.hosts) members.add(one);
          let before = countersOf(stats);
          const laws = (): void => {
            expect(stats.ejectionsActive).toBe([...members].filter(isEjected).length);
            expect(stats.ejectionsActive).toBe(ejected(world).length);
            expect(stats.ejectionsEnforcedTotal).toBe(log.filter((line) => / ejected /.test(line)).length);
            expect(enforcedByCause(stats)).toBe(stats.ejectionsEnforcedTotal);
            const now = countersOf(stats);
            expect(Object.keys(now).filter((name) => (now[name] ?? 0) < (before[name] ?? 0))).toEqual([]);
            before = now;
          };
          for (const one of steps) {
            play(world, one);
            laws();
          }
          // Sixty steps eject a host at most sixty times, the last time for an hour. The first of these sweeps may still
          // judge the last interval; after that there are no more errors.
          for (let i = 0; i < 3; i++) world.detector.sweep((world.nowUs += 10_000 * SECOND));
          expect(ejected(world)).toEqual([]);
          expect(stats.ejectionsActive).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
