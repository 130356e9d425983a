/**
 * Load-balancing policies and their parts as functions, the same that simulations run: each can be imported alone, and none
 * but `seededStream` needs another package. docs/policies.md has an example of each.
 */
export { PROXY_VERSIONS, type ProxyVersion } from '../core/version.js';
export type { Clock, Runtime, RuntimeDouble } from '../core/environment.js';
export type { Rules } from './rules.js';

// Hashes and numbers of 64 bits, subsets of clients, bounded loads, priorities, weights by reports.
export * from './engine-parts.js';

// Hosts, and the health that lists go by.
export { Host, HealthFlag, type HostOptions, type Locality, type HealthCheckPort, type Health } from '../host/host.js';

// Policies of lists.
export type {
  DecisionTrace,
  HostIndex,
  HostList,
  ListPickInput,
  ListPolicy,
  PickedRequest,
} from '../policy/policy-kinds.js';
export type { TableInput, TableMemory } from '../policy/policy-kinds.js';
export type { PolicyTable, SourceId, TableGauges, TablePolicy, WeightedHosts } from '../policy/policy-kinds.js';
export * from './lists.js';
export type { LeastRequestOptions, WeightedPickerOptions } from './generated/picker-options.js';
export type { SlowStartConfig } from '../policy/slow-start.js';
export { weightedTurns, nextTurn, type WeightedTurns } from './schedule.js';
export type { EdfSchedule } from '../schedule/edf.js';

// Which hosts each of many clients uses.
export type { ApertureHost, ClientPlace } from '../policy/client-subsets.js';

// Policies of tables.
export { weightedHosts } from '../policy/weighted-hosts.js';
export * from './tables.js';
export type { RingEntry, RingHashConfig, RingTable } from '../policy/ring-hash.js';
export type { MaglevTable, MaglevTableConfig } from '../policy/maglev.js';
export type { HostLoads } from '../policy/bounded-load.js';
export { HostShuffle } from '../policy/host-shuffle.js';

// Weights that follow what hosts report.
export { ClientSideWeights, type ClientSideWeightsConfig } from '../policy/client-side-weights.js';
export type { LoadReport } from '../policy/load-report.js';
export type { LocalityLoad } from '../policy/load-aware-locality.js';

// Which hosts may be picked.
export * from './level-functions.js';
export type { LevelOptions, PriorityOptions, ZoneOptions } from './generated/picker-options.js';
export type { HealthLists, HostRows, HostSet, LevelLists, LocalityGroup, WeightedList } from '../hostset/host-set.js';
export type { Measured, PriorityLoad, PriorityState } from '../hostset/priority-load.js';
export type { ZoneGate, ZoneRouting, ZoneShares } from '../hostset/zone-aware.js';
export { subsets, type SubsetAnswer, type Subsets, type SubsetStep } from './subsets.js';
export type { SelectorOptions, SubsetOptions } from './generated/picker-options.js';
export type { SelectorFallbackPolicy, SubsetConfig, SubsetFallbackPolicy } from '../hostset/lb-config.js';
export type { SubsetSelector, ZoneAwareConfig } from '../hostset/lb-config.js';
export { mergeWindow, type CountedMergeWindow } from './merging.js';
export type { ClusterManagerStats } from '../core/generated/counts.js';
export type { MergeWindow } from '../upstream/merge-window.js';

// Hashes and randomness.
export type { U64 } from '../core/u64.js';
export { createKeyHasher, type HashFunction, type KeyHasher } from '../hash/text-hashes.js';
export { seededStream } from './streams.js';
export type { RandomStream } from '../random/streams.js';
export { type Random64, ScriptedRandom } from '../random/random64.js';
export type { JsonValue, Struct } from '../core/values.js';
export type { FewestInputs, Step, Taken } from '../policy/generated/policy-steps.js';
export type { PolicyStep } from '../policy/generated/policy-steps.js';
export type { Turns } from '../policy/turns.js';
export type { Micros } from '../core/units.js';
export type { AnswerOutcome, ProbeAnswer } from '../policy/answers.js';
export type { SortedRing } from '../hash/kernel/ring-kernel.js';
export type { Fallback, FallbackStep, PlanStep } from '../hostset/subset/subset-plan.js';
export type { LeastRequestConfig } from '../policy/least-request.js';
