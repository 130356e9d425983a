/**
 * Laws of load balancing, for authors of a balancer: they check what every balancer of the proxy obeys. The laws take any
 * implementation of {@link ListPolicy}, {@link TablePolicy} or {@link LoadBalancer} and search for a counterexample with
 * fast-check; they print it as a scenario file that `lbsim run` replays.
 */
import type { BalancerLaw } from './law.js';
import * as fleet from './laws/fleet.js';
import * as levels from './laws/levels.js';
import * as loads from './laws/loads.js';
import * as picks from './laws/picks.js';
import * as settings from './laws/settings.js';
import { picksFromSubsets } from './laws/subset-picks.js';

export { PROXY_VERSIONS, type ProxyVersion } from '../core/version.js';
export { Host } from '../host/host.js';
export type { Health, HealthCheckPort, HealthStatus, HostOptions, Locality } from '../host/host.js';
export type { AggregateLevel, BalancerDescription, ListTurns } from '../hostset/generated/descriptions.js';
export type { PriorityDescription } from '../hostset/generated/descriptions.js';
export type { SubsetDescription, TableDescription, ZonePicks } from '../hostset/generated/descriptions.js';
export type { Measured } from '../hostset/priority-load.js';
export type { HealthLists, HostRows, HostSet, LevelLists, LocalityGroup, WeightedList } from '../hostset/host-set.js';
export type { Around, ConsistentHashingConfig, HashSource, LbPolicy } from '../hostset/lb-config.js';
export type { LoadBalancerConfig, MadeCookie, OverrideHostConfig, PolicySettings } from '../hostset/lb-config.js';
export type { SelectorFallbackPolicy, SubsetConfig, SubsetFallbackPolicy } from '../hostset/lb-config.js';
export type { SubsetSelector, ZoneAwareConfig } from '../hostset/lb-config.js';
export type { ClusterActivity, HostSetListener, LbEnvironment } from '../hostset/load-balancer.js';
export type { Decision, LoadBalancer, PickRequest } from '../hostset/load-balancer.js';
export type { LbCounts } from '../core/generated/counts.js';
export type { LbStats } from '../hostset/lb-stats.js';
export type { DecisionTrace, HostIndex, HostList, SourceId } from '../policy/policy-kinds.js';
export type { ListPickInput, ListPolicy, PickedRequest, PolicyFacts } from '../policy/policy-kinds.js';
export type { PolicyTable, TableEntry, TableGauges, TablePolicy, WeightedHosts } from '../policy/policy-kinds.js';
export type { TableInput, TableMemory } from '../policy/policy-kinds.js';
export type { ListPolicyModule, ModuleConfig, ModuleFacts, PolicyModule } from '../policy/foreign/policy-module.js';
export type { SettingSchema, SettingsSchema, TablePolicyModule } from '../policy/foreign/policy-module.js';
export { weightedHosts } from '../policy/weighted-hosts.js';
export type { Random64 } from '../random/random64.js';

export * from './balancer-under-test.js';
export { LawFalsified, type BalancerLaw, type LawOptions } from './law.js';
export * from './laws/picks.js';
export * from './laws/levels.js';
export * from './laws/loads.js';
export * from './laws/settings.js';
export * from './laws/fleet.js';
export { decidesAsRecorded, DecisionDiffers } from './laws/decisions.js';
export type { Trial, TrialEvent, TrialHost, TrialLevel, TrialRequest } from './recorded/trial.js';
export * from './laws/subsetting.js';
export * from './laws/subset-picks.js';
export * from './laws/choices.js';
export * from './laws/bounded-picks.js';
export { byWeight, drawBound, evenly, followsShares, scheduleBound, takesTurns } from './laws/shares.js';
export { weighsRequests, type ShareExpectation } from './laws/shares.js';
export { buildsPureTables, looksUpItsHosts, dividesItsEntries, ignoresListOrder } from './laws/tables.js';
export { movesOnlyLostKeys, type TablePolicyUnderTest } from './laws/tables.js';
export * from './laws/lookups.js';

export * from './arbitraries.js';
export type { HostsOptions, RequestsOptions, StoryOptions } from './generated/law-options.js';
export { play, type HostChange, type Pick, type Story, type StoryCluster, type StoryHost } from './story.js';
export { type StoryRequest, type StoryStep, type Watcher } from './story.js';
export { storyScenario, type Remarks } from './scenario-file.js';
export type { JsonValue, Struct, Writable } from '../core/values.js';
export type { LocalityScheduleDescription } from '../hostset/locality-weights.js';
export type { EmptyTable, TableHosts } from '../hostset/normalized-weights.js';
export type { ShownTable } from '../hostset/table-cache.js';
export type { StepZoneShares, ZoneGate, ZoneRouting, ZoneShares } from '../hostset/zone-aware.js';
export type { AddedPolicy, ForeignPolicy, ListPolicyConfig, ProxyPolicy } from '../policy/registry.js';
export type { TablePolicySettings } from '../policy/registry.js';
export type { RingHashConfig } from '../policy/ring-hash.js';
export type { HashFunction } from '../hash/text-hashes.js';
export type { MaglevConfig } from '../policy/maglev.js';
export type { Micros } from '../core/units.js';
export type { LeastRequestConfig, LeastRequestSettings } from '../policy/least-request.js';
export type { Clock, Runtime, RuntimeDouble } from '../core/environment.js';
export type { SlowStartConfig } from '../policy/slow-start.js';
export type { ClientSideWeightsConfig } from '../policy/client-side-weights.js';
export type { LoadAwareLocalityConfig } from '../policy/load-aware-locality.js';
export type { ClientPlace, ClientSubsetConfig } from '../policy/client-subsets.js';
export type { Fallback, FallbackStep } from '../hostset/subset/subset-plan.js';
export type { AnswerListener, AnswerOutcome, PolicyEvent, ProbeAnswer } from '../policy/answers.js';
export type { LoadReport } from '../policy/load-report.js';
export type { PanicEffect, PriorityAvailability, PriorityLoad } from '../hostset/priority-load.js';
export type { BalancerTrace } from '../hostset/decision-steps.js';
export type { BalancerStep } from '../hostset/generated/balancer-steps.js';
export type { FewestInputs, Step, Taken } from '../policy/generated/policy-steps.js';
export type { PolicyStep } from '../policy/generated/policy-steps.js';
export type { ZoneOff } from '../hostset/describe.js';
export type { Available, OfPriority } from '../hostset/generated/descriptions.js';
export type { Turns } from '../policy/turns.js';
export type { WeightedListsConfig } from '../policy/weighted-lists.js';
export type { ModuleListConfig } from '../policy/foreign/adapted-module.js';
export type { U64 } from '../core/u64.js';

/**
 * Laws for every balancer, whatever its policy. The distribution of its picks depends on the policy: {@link followsShares}
 * checks it.
 */
export const BALANCER_LAWS: readonly BalancerLaw[] = [
  picks.repeatsItself,
  picks.picksPresentHosts,
  picks.picksEligibleHosts,
  picks.findsEligibleHosts,
  levels.loadsSumTo100,
  loads.spreadsLoadByAvailability,
  levels.drawsLevelsByLoad,
  levels.panicsBelowThreshold,
  levels.recoveryNeverLowersLoad,
  levels.ignoresHostOrder,
  loads.forgetsHistory,
  fleet.agreesAcrossProxies,
  loads.followsLocalityWeights,
  fleet.routesZonesWithinCapacity,
  settings.obeysZoneSettings,
  picksFromSubsets,
  settings.weighsLocalitiesOfSubsets,
  settings.hearsRejections,
  settings.hearsPriorityLoads,
].map((check) => ({ name: check.law, check }));
