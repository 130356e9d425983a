import type { Runtime } from '../../src/core/environment.js';
import {
  type HealthFlag,
  type HostOptions,
  type Locality,
  HealthFlag as Flag,
  Host,
  localityKey,
  NOWHERE,
} from '../../src/host/host.js';
import { buildHostSet } from '../../src/hostset/build-host-set.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LoadBalancerConfig, PolicySettings } from '../../src/hostset/lb-config.js';
import {
  type LbEnvironment,
  type LoadBalancer,
  type PickRequest,
  Decision,
  emptyPickRequest,
} from '../../src/hostset/load-balancer.js';
import { LbStats } from '../../src/hostset/lb-stats.js';
import { type Random64, ScriptedRandom } from '../../src/random/random64.js';

export const UNHEALTHY: (typeof HealthFlag)[keyof typeof HealthFlag] = Flag.FAILED_EDS_HEALTH;
export const DEGRADED: (typeof HealthFlag)[keyof typeof HealthFlag] = Flag.DEGRADED_EDS_HEALTH;
export const EXCLUDED: (typeof HealthFlag)[keyof typeof HealthFlag] = Flag.PENDING_ACTIVE_HC;

export function zone(name: string): Locality {
  return { ...NOWHERE, zone: name };
}

/** A host at 10.0.0.`index`:80. */
export function hostAt(index: number, options: Omit<HostOptions, 'address'> = {}): Host {
  return new Host({ address: `10.0.0.${index}:80`, ...options });
}

export function hostsOf(count: number, options: Omit<HostOptions, 'address'> = {}, from = 0): Host[] {
  return Array.from({ length: count }, (_, index) => hostAt(from + index, options));
}

export interface LevelOptions {
  readonly priority?: number;
  readonly overprovisioningFactor?: number;
  readonly weightedPriorityHealth?: boolean;
  readonly node?: Locality;
  /** By the zone's name. */
  readonly localityWeights?: Readonly<Record<string, number>>;
}

export function level(hosts: readonly Host[], options: LevelOptions = {}): HostSet {
  const weights = options.localityWeights;
  return buildHostSet({
    priority: options.priority ?? 0,
    hosts,
    overprovisioningFactor: options.overprovisioningFactor ?? 140,
    weightedPriorityHealth: options.weightedPriorityHealth ?? false,
    nodeLocality: options.node,
    localityWeights:
      weights && new Map(Object.entries(weights).map(([name, weight]) => [localityKey(zone(name)), weight])),
  });
}

export function lbConfig(changes: Partial<LoadBalancerConfig> = {}): LoadBalancerConfig {
  return {
    kind: 'hosts',
    clusterName: 'backend',
    version: '1.17',
    lbPolicy: 'ROUND_ROBIN',
    healthyPanicThreshold: 50,
    failTrafficOnPanic: false,
    zoneAware: { routingEnabled: 100, minClusterSize: 6 },
    localityWeighted: false,
    ringHash: { minimumRingSize: 1024, maximumRingSize: 8388608, hashFunction: 'XX_HASH' },
    maglev: { tableSize: 65537 },
    consistentHashing: { useHostnameForHashing: false, hashBalanceFactor: 0 },
    leastRequest: {
      choiceCount: 2,
      activeRequestBias: { defaultValue: 1, runtimeKey: '' },
      selectionMethod: 'N_CHOICES',
    },
    slowStart: undefined,
    ...changes,
  };
}

/** The policy with each of its parts as `change` has it, the innermost first. */
export function changed(policy: PolicySettings, change: (part: PolicySettings) => PolicySettings): PolicySettings {
  return change(policy.kind === 'hosts' ? policy : { ...policy, inner: changed(policy.inner, change) });
}

/** The policy with other settings of the one that chooses the host. */
export function withHosts(
  policy: PolicySettings,
  change: (config: LoadBalancerConfig) => Partial<LoadBalancerConfig>,
): PolicySettings {
  return changed(policy, (part) => (part.kind === 'hosts' ? { ...part, ...change(part) } : part));
}

export function runtimeOf(values: Readonly<Record<string, number>>): Runtime {
  return { number: (key) => values[key] };
}

export interface TestEnvironment extends LbEnvironment {
  readonly stats: LbStats;
  readonly clock: { nowUs: number };
}

export function environment(changes: Partial<LbEnvironment> = {}): TestEnvironment {
  return {
    random: scripted(),
    runtime: runtimeOf({}),
    stats: new LbStats(),
    hasLocalCluster: false,
    ...changes,
    clock: { nowUs: 0 },
  };
}

/** Draws the given numbers, then 0 for ever. */
export function scripted(...values: readonly number[]): ScriptedRandom {
  return new ScriptedRandom(values.map((value) => ({ hi: Math.floor(value / 2 ** 32), lo: value % 2 ** 32 })));
}

export function pickRequest(random: Random64, changes: Partial<PickRequest> = {}): PickRequest {
  return { ...emptyPickRequest(random), ...changes };
}

/** One pick that draws `values`. @returns the host's address; undefined for none. */
export function pickWith(balancer: LoadBalancer, ...values: readonly number[]): string | undefined {
  const decision = new Decision();
  balancer.choose(pickRequest(scripted(...values)), decision);
  return decision.host?.address;
}
