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
export { Host, type HostOptions, type HealthStatus, type Locality } from '../host/host.js';
export type { BalancerDescription, PriorityDescription } from '../hostset/describe.js';
export type { HostSet, LocalityGroup } from '../hostset/host-set.js';
export type { LbPolicy, LoadBalancerConfig, PolicySettings, SubsetConfig } from '../hostset/lb-config.js';
export type { LbEnvironment } from '../hostset/load-balancer.js';
export type { Decision, LoadBalancer, PickRequest } from '../hostset/load-balancer.js';
export type { LbStats } from '../hostset/lb-stats.js';
export type { HostIndex, HostList, ListPickInput, ListPolicy, SourceId } from '../policy/policy-kinds.js';
export type { ListPolicyModule, PolicyModule, TablePolicyModule } from '../policy/foreign/policy-module.js';
export type { TablePolicy, WeightedHosts } from '../policy/policy-kinds.js';
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
export {
  byWeight,
  drawBound,
  evenly,
  followsShares,
  scheduleBound,
  takesTurns,
  weighsRequests,
  type ShareExpectation,
} from './laws/shares.js';
export {
  buildsPureTables,
  looksUpItsHosts,
  dividesItsEntries,
  ignoresListOrder,
  movesOnlyLostKeys,
  type TablePolicyUnderTest,
} from './laws/tables.js';
export * from './laws/lookups.js';

export * from './arbitraries.js';
export {
  play,
  type HostChange,
  type Pick,
  type Story,
  type StoryCluster,
  type StoryHost,
  type StoryRequest,
  type StoryStep,
  type Watcher,
} from './story.js';
export { storyScenario, type Remarks } from './scenario-file.js';

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
