/**
 * The library behind the `lbsim` command: read a scenario, run it or work out its exact shares, look at the result.
 *
 * Nothing here touches files, clocks or the network. The same scenario and seed give the same result, byte for byte.
 */
export type { Problem, Severity } from './core/problem.js';
export { MODERN_PROXY_VERSION, PROXY_VERSIONS, type ProxyVersion } from './core/version.js';
export type { CompareOptions } from './analysis/compare/compare.js';
export type { ComparedSide } from './analysis/compare/cluster-runs.js';
export type {
  HostComparison,
  ImbalanceComparison,
  KeyComparison,
  KeyStep,
  LossSummary,
  Measure,
  MovedKeysResult,
  SideHead,
  StretchComparison,
  SubsetKeys,
} from './analysis/compare/comparison.js';
export type * from './analysis/sweep/sweep.js';
export { race, type Behind, type Race, type RaceEntry } from './analysis/race.js';
export type { Interval } from './analysis/interval.js';
export { type ExplainOptions, NothingToExplain } from './analysis/explain/explain.js';
export type { ExplainedHost, ExplainNote } from './analysis/explain/explain.js';
export type { WhyNotFact } from './analysis/explain/why-not.js';
export type { InspectOptions } from './analysis/inspect/inspector.js';
export type {
  InspectedPriority,
  InspectedSubset,
  InspectedList,
  InspectedTable,
  InspectedOutliers,
  InspectedErrors,
  InspectedBreaker,
  InspectedHost,
} from './analysis/inspect/inspection.js';
export { LB_POLICIES, type LbPolicy } from './policy/registry.js';
export type { DecisionTrace, PolicyStep } from './policy/decision-trace.js';
export type { BalancerStep } from './hostset/decision-steps.js';
export type { RequestStep as RequestFact } from './simulation/request-story.js';
export type { StepWords } from './words/steps.js';
export type { CurveEdge, CurveOptions } from './analysis/prove/curve.js';
export type { LossFact, LossGroup, ProveOptions } from './analysis/prove/prove.js';
export type { SurviveOptions } from './analysis/prove/prove.js';
export type { Covered } from './analysis/prove/minimum.js';
export type { Harm } from './settings/measure.js';
export { type LossNote, NoPrediction, type NoSplit } from './analysis/prove/losses.js';
export * from './analysis/observe/bounds.js';
export type { ObservedPart, ObservedSplit, ObservedVerdict } from './analysis/observe/compared.js';
export {
  NothingSeen,
  observe,
  type Observation,
  type ObservedCluster,
  type ObserveOptions,
} from './analysis/observe/observe.js';
export type { LogFields, SeenFact } from './analysis/observe/seen.js';
export type { Pause } from './analysis/pause.js';
export { loadScenario, loadScenarioValue, type LoadOptions, type LoadResult } from './scenario/load.js';
export type { Scenario } from './scenario/model.js';
export { importScenario, type ImportOptions, type Imported } from './scenario/import/import.js';
export { schemaOf, type SchemaKind } from './scenario/scenario.js';
export { settingsApart } from './analysis/run/settings-apart.js';
export { differenceAt, type VersionDifference } from './predict/other-version.js';
export type { VerdictObstacle } from './predict/judge-expectations.js';
export type { PlainObstacle, Undecided, Unjudged } from './predict/generated/plain-obstacles.js';
export type { Obstacle } from './predict/obstacle.js';
export type { PredictedHost, PredictedPortion, PredictedSplit, PredictionMethod } from './predict/prediction.js';
export type { DecisionRecord } from './result/run-result.js';
export type { RequestOutcome, RequestRecord } from './result/request-record.js';
export type { CauseResult, NoticeFact, TimedHappening } from './result/happenings.js';
export type { Happening, SomeHosts } from './upstream/cause.js';
export type { Fact, LoadBasis, LoadCause, PhaseFact, RunFact, SlowStartFact } from './result/facts.js';
export type { Cover, FactScope, LevelLoad, SplitFact, ZoneOff } from './hostset/split-facts.js';
export type {
  CourseResult,
  EventKind,
  ExpectationResult,
  FleetResult,
  GroupResult,
  HistogramResult,
  HostResult,
  IntervalResult,
  LatencyOrNone,
  LocalityResult,
  MergeWindowResult,
  PhaseHostResult,
  Portion,
  Predicted,
  PriorityResult,
  StatsResult,
  TableResult,
  Totals,
} from './result/run-result.js';
export type { SimulationHooks } from './analysis/run/run-scenario.js';
export * from './words/library.js';
export type * from './words/results.js';
export type { RingEntryView, RingHostView } from './result/ring-view.js';
export { panicThresholdOf } from './config/lb.js';
export { mergeWindowUs } from './config/to-settings.js';
export { UnsupportedError, unsupportedFeatures, type UnsupportedFeature } from './analysis/run/unsupported.js';
export { hostsOf } from './result/phase-hosts.js';
export { adviceFor, type Advice } from './report/run/advice.js';
export { answer } from './report/run/answer.js';
export { comparisonAnswer } from './report/compare/compare-answer.js';
export { csvReport } from './report/csv.js';
export { explainReport, explainRequestReport, whyNotReport } from './report/explain-report.js';
export { localityName, localityParts } from './report/run/groups.js';
export { runJson } from './report/run/run-json.js';
export { PLAIN, type Paint } from './report/layout.js';
export { textReport, type TextReportOptions } from './report/run/text-report.js';
