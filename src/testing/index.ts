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

export {
  builtInPolicy,
  leafOf,
  listPolicyUnderTest,
  policyModuleUnderTest,
  tablePolicyUnderTest,
  type BalancerUnderTest,
  type SubjectOptions,
} from './balancer-under-test.js';
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

export {
  cluster,
  healthHistory,
  hosts,
  hostSet,
  listedMetadata,
  plainCluster,
  requests,
  story,
  subsetConfig,
  subsetMetadata,
  type HostsOptions,
  type RequestsOptions,
  type StoryOptions,
} from './arbitraries.js';
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
  { name: 'repeats itself', check: picks.repeatsItself },
  { name: 'picks hosts that are there', check: picks.picksPresentHosts },
  { name: 'picks eligible hosts', check: picks.picksEligibleHosts },
  { name: 'finds a host where there is one', check: picks.findsEligibleHosts },
  { name: 'spreads 100 % of the load over its levels', check: levels.loadsSumTo100 },
  { name: 'spreads load by availability', check: loads.spreadsLoadByAvailability },
  { name: 'draws levels by their load', check: levels.drawsLevelsByLoad },
  { name: 'panics below the threshold and not at it', check: levels.panicsBelowThreshold },
  { name: 'never lowers the load of a level whose host gets better', check: levels.recoveryNeverLowersLoad },
  { name: 'does not depend on the order of hosts', check: levels.ignoresHostOrder },
  { name: 'depends on the present hosts alone', check: loads.forgetsHistory },
  { name: 'agrees with its equals on the host of a hash', check: fleet.agreesAcrossProxies },
  { name: 'follows locality weights', check: loads.followsLocalityWeights },
  { name: 'routes zones within their capacity', check: fleet.routesZonesWithinCapacity },
  { name: 'obeys the settings of zone-aware routing', check: settings.obeysZoneSettings },
  { name: 'picks from subsets', check: picksFromSubsets },
  { name: 'weighs the localities of subsets as it is told', check: settings.weighsLocalitiesOfSubsets },
  { name: 'hears which hosts its caller rejects', check: settings.hearsRejections },
  { name: 'hears the loads that its caller gives levels', check: settings.hearsPriorityLoads },
];
