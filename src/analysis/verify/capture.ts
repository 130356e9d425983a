import type { CauseResult } from '../../result/happenings.js';
import { entryOf, present } from '../../core/values.js';
import { MICROS_PER_SECOND, type Micros } from '../../core/units.js';
import { type Host, type HealthStatus, type Locality, localityKey } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import type { RunResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../run/run-scenario.js';
import type { Simulation } from '../../simulation/simulation.js';
import { type Pause, runUntil } from '../pause.js';

export interface CapturedHost extends Readonly<Pick<Host, 'address' | 'hostname' | 'weight' | 'metadata'>> {
  /** What discovery would have to say for the same effect. */
  readonly status: HealthStatus;
}

export type CapturedLevel = ReturnType<typeof levelOf>;

/** The hosts of all clusters of a proxy, from one change of what its balancers see to the next. */
export type Capture = Readonly<Awaited<ReturnType<typeof capture>>[number]>;

export type HostAt = Readonly<{ host: CapturedHost; level: CapturedLevel; locality: Locality }>;

export const hostsOf = (levels: readonly CapturedLevel[]): readonly HostAt[] =>
  levels.flatMap((level) =>
    level.localities.flatMap(({ locality, hosts }) => hosts.map((host) => ({ host, level, locality }))),
  );

/**
 * Captures the first instance of each proxy at each phase. It runs twice: when phases begin is known only at the end.
 * @param more other times at which to capture, and why.
 */
export async function capture(
  scenario: Scenario,
  pause: Pause,
  more: ReadonlyMap<Micros, readonly CauseResult[]> = new Map(),
) {
  const first = await createSimulation(scenario);
  await runUntil(first, () => pause(0));
  const starts = new Map([...more, ...startsOf(first.result())]);
  const times = [...starts.keys()].sort((a, b) => a - b);
  const simulation = await createSimulation(scenario);
  const captures = [];
  for (const [index, fromUs] of times.entries()) {
    await pause(index / times.length);
    simulation.advance(Infinity, fromUs);
    const toUs = times[index + 1] ?? Math.max(fromUs, first.nowUs);
    /** `spec`: the index in `Scenario.proxies`. */
    for (const [spec, { name }] of scenario.proxies.entries()) {
      const proxy = simulation.proxies.find(({ spec: { name: group } }) => group === name);
      if (proxy === undefined) continue;
      const causes = starts.get(fromUs) ?? [START];
      captures.push({ fromUs, toUs, proxy: proxy.name, spec, causes, clusters: capturedOf(proxy) });
    }
  }
  return captures;
}

/** The hosts of a proxy's clusters as its main thread has them now. */
export function capturedOf({ clusters }: Simulation['proxies'][number]): ReadonlyMap<string, readonly CapturedLevel[]> {
  const known = clusters.filter(({ world }) => world.present);
  return new Map(known.map(({ name, upstream }) => [name, present(upstream.priorities.hostSets).map(levelOf)]));
}

const START: CauseResult = { kind: 'start' };

/** When phases of any cluster begin, and by what. */
function startsOf({ clusters }: RunResult): ReadonlyMap<Micros, readonly CauseResult[]> {
  const starts = new Map<Micros, readonly CauseResult[]>([[0, [START]]]);
  for (const { phases } of Object.values(clusters))
    for (const { from_s: fromS, causes } of phases) starts.set(Math.round(fromS * MICROS_PER_SECOND), causes);
  return starts;
}

/**
 * One priority of a cluster at one time. Localities come in the order of their first hosts, as in an assignment; a weight is undefined
 * where none is configured.
 */
function levelOf(level: HostSet) {
  const weights = new Map(
    level.localities.map(({ locality }, index) => [localityKey(locality), level.localityWeights?.[index]]),
  );
  const groups = new Map<string, { readonly locality: Locality; readonly hosts: CapturedHost[] }>();
  for (const host of level.hosts) {
    const { locality } = host;
    entryOf(groups, localityKey(locality), () => ({ locality, hosts: [] })).hosts.push(hostOf(host));
  }
  return {
    priority: level.priority,
    overprovisioningFactor: level.overprovisioningFactor,
    weightedPriorityHealth: level.weightedPriorityHealth,
    localities: [...groups].map(([key, group]) => ({ ...group, weight: weights.get(key) })),
  };
}

function hostOf({ address, hostname, weight, metadata, health, excluded }: Host): CapturedHost {
  const status = health === 'healthy' ? 'HEALTHY' : health === 'degraded' ? 'DEGRADED' : 'UNHEALTHY';
  return {
    address,
    hostname,
    weight,
    metadata,
    // Hosts that no denominator counts are as those that are being drained.
    status: status === 'UNHEALTHY' && excluded ? 'DRAINING' : status,
  };
}
