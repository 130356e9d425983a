import type * as explained from '../analysis/explain/explain.js';
import type * as little from '../analysis/explain/why-not.js';
import type * as found from '../analysis/prove/prove.js';
import type * as compared from '../analysis/compare/comparison.js';
import type * as verified from '../analysis/verify/verification.js';
import { mapValues } from '../core/values.js';
import type { CauseResult } from '../result/happenings.js';
import { causesText, happeningText, noticeText } from './happenings.js';
import type * as lost from '../analysis/prove/curve.js';
import type * as judged from '../predict/judge-expectations.js';
import type * as predicted from '../predict/prediction.js';
import { changedClusters } from '../result/cluster-overview.js';
import type * as run from '../result/run-result.js';
import type * as inspected from '../analysis/inspect/inspection.js';
import type * as ring from '../result/ring-view.js';
import { obstacleText } from './obstacles.js';
import { withReasons } from './reasons.js';
import type { StepWords } from './steps.js';

/** Results with their facts in words beside them: what `--json` prints, and what the library returns. */

export type * from '../analysis/compare/comparison.js';
export type * from '../analysis/inspect/inspection.js';
export type * from '../analysis/verify/verification.js';

export interface Reasons {
  /** The facts, a sentence each. */
  reasons: string[];
}

export interface Caused {
  /** What began it, in a line. */
  cause: string;
}

export interface PhaseResult extends run.PhaseResult, Caused, Reasons {
  /** Notes, behaviour changes and rates that fall into this phase, in time order. */
  labels: string[];
  /** When each of {@link labels} happened. */
  label_times_s: number[];
}

export interface EventResult extends run.EventResult {
  text: string;
}

export interface NoticeResult extends run.NoticeResult {
  /** "failed checks", "ejected, consecutive_5xx" … */
  by: string;
}

export interface DetectionResult extends run.DetectionResult {
  seen: NoticeResult[];
  back: NoticeResult[];
}

export interface ClusterResult extends run.ClusterResult, Reasons {
  phases: PhaseResult[];
  detections?: DetectionResult[];
}

export interface ProxyResult extends run.ProxyResult {
  clusters: Record<string, ClusterResult>;
}

export interface RunResult extends run.RunResult {
  events: EventResult[];
  clusters: Record<string, ClusterResult>;
  proxies: Record<string, ProxyResult>;
}

/** Only of `none`. */
export interface Unpredicted {
  /** The obstacle, as a clause. */
  why_not?: string;
}

export interface PredictedSuccess extends predicted.PredictedSuccess, Unpredicted {}

export interface PredictedPhase extends predicted.PredictedPhase, Unpredicted, Caused, Reasons {
  success?: PredictedSuccess;
}

export interface ClusterPrediction extends predicted.ClusterPrediction, Unpredicted {
  success?: PredictedSuccess;
  phases: PredictedPhase[];
}

export interface PredictedExpectation extends judged.PredictedExpectation, Unpredicted {}

export interface Prediction extends predicted.Prediction {
  clusters: Record<string, ClusterPrediction>;
  proxies: Record<string, { clusters: Record<string, ClusterPrediction> }>;
}

export interface Finding extends found.Finding, Reasons {}

export interface Notes {
  /** The facts of the answer itself, a clause each. */
  readonly notes: readonly string[];
}

export interface Findings extends found.Findings, Notes {
  readonly found: readonly Finding[];
}

export interface Survival extends found.Survival {
  readonly clusters: readonly (Omit<found.ClusterSurvival, 'loss'> & {
    readonly loss: Finding | null;
    /** Why nothing is known, in a sentence. */
    readonly why_not?: string;
  })[];
}

export interface CurvePoint extends lost.CurvePoint, Reasons {}

export interface Curve extends lost.Curve, Notes {
  readonly points: readonly CurvePoint[];
}

export interface WhyNotPhase extends little.WhyNotPhase {
  /** The facts, a sentence each; none where it gets as much as its weight says. */
  readonly why: readonly string[];
}

export interface WhyNotCluster extends little.WhyNotCluster {
  readonly phases: readonly WhyNotPhase[];
}

export interface WhyNot extends little.WhyNot {
  readonly clusters: readonly WhyNotCluster[];
}

export type ExplainedStep = StepWords & explained.ExplainedDecisionStep;

export interface Explanation extends explained.Explanation, Notes {
  readonly steps: readonly ExplainedStep[];
}

export type RequestStep = StepWords & explained.ExplainedRequestStep;

export interface ExplainedRequest extends explained.ExplainedRequest {
  readonly steps: readonly RequestStep[];
}

export interface InspectedKey extends inspected.InspectedKey {
  /** How it is looked up, a sentence a step. */
  readonly steps: readonly string[];
}

export interface InspectedZone extends inspected.InspectedZone {
  /** Why it does not route by zone; null: it does. */
  readonly why: string | null;
}

export interface Inspection extends inspected.Inspection {
  readonly merge_window: {
    readonly window_s: number;
    readonly waiting: readonly (inspected.Inspection['merge_window']['waiting'][number] & {
      readonly causes: readonly string[];
    })[];
  };
  readonly zone: InspectedZone | null;
  readonly key: InspectedKey | null;
}

export interface RingTableView extends ring.RingTableView {
  /** {@link ring.RingTableView.empty} as a sentence. */
  readonly empty_because?: string;
}

export interface RingView extends ring.RingView {
  readonly tables: readonly RingTableView[];
}

export interface PhaseComparison extends compared.PhaseComparison {
  /** What began it, by side; '' where it goes on as before. */
  readonly causes: readonly string[];
}

export interface ClusterComparison extends compared.ClusterComparison {
  readonly phases: readonly PhaseComparison[];
}

export interface Comparison extends compared.Comparison {
  readonly clusters: Readonly<Record<string, ClusterComparison>>;
}

export interface VerifiedSituation extends verified.VerifiedSituation, Caused {}

export interface Verification extends verified.Verification {
  readonly situations: readonly VerifiedSituation[];
}

const tellPhase = (phase: run.PhaseResult): PhaseResult =>
  Object.assign(tellCause(withReasons(phase)), {
    labels: phase.happened.map(happeningText),
    label_times_s: phase.happened.map(({ at_s: at }) => at),
  });

const tellCause = <Part extends { readonly causes: readonly CauseResult[] }>(part: Part): Part & Caused =>
  Object.assign(part, { cause: causesText(part.causes) });

function tellCluster(cluster: run.ClusterResult): ClusterResult {
  const { phases, detections, ...rest } = withReasons(cluster);
  const notices = (some: readonly run.NoticeResult[]): NoticeResult[] =>
    some.map((notice) => ({ ...notice, by: noticeText(notice.fact) }));
  return Object.assign(rest, {
    phases: phases.map(tellPhase),
    ...(detections && {
      detections: detections.map((one) => ({ ...one, seen: notices(one.seen), back: notices(one.back) })),
    }),
  });
}

/** Each cluster when it is read. */
export const runInWords = (result: run.RunResult): RunResult => ({
  ...result,
  events: result.events.map((event) => ({ ...event, text: happeningText(event.fact) })),
  clusters: changedClusters(result.clusters, tellCluster),
  proxies: mapValues(result.proxies, (proxy) => ({
    ...proxy,
    clusters: changedClusters(proxy.clusters, tellCluster),
  })),
});

/** A prediction with a sentence for each of its facts, as `lbsim predict --json` has it. */
export const predictionInWords = (prediction: predicted.Prediction): Prediction => ({
  ...prediction,
  clusters: mapValues(prediction.clusters, tellPrediction),
  proxies: mapValues(prediction.proxies, ({ clusters }) => ({ clusters: mapValues(clusters, tellPrediction) })),
});

/** The text of an obstacle follows the method. Where there is none, splits are made on demand and must not be copied. */
function tellPrediction(cluster: predicted.ClusterPrediction): ClusterPrediction {
  const phases = cluster.phases.map((phase): PredictedPhase => {
    const told = tellSuccess(tellCause(withReasons(phase)));
    const { from_s, to_s, causes, facts, method, obstacle } = told;
    if (obstacle === undefined) return told;
    return Object.assign({ from_s, to_s, causes, facts, method, why_not: obstacleText(obstacle) }, told);
  });
  const told = Object.assign(tellSuccess(cluster), { phases });
  const { policy, method, obstacle } = told;
  return obstacle === undefined ? told : Object.assign({ policy, method, why_not: obstacleText(obstacle) }, told);
}

function tellSuccess<Part extends predicted.PredictedSplit>(part: Part): Part & { success?: PredictedSuccess } {
  const { method, obstacle } = part.success ?? {};
  return Object.assign(part, {
    ...(method && obstacle && { success: { method, why_not: obstacleText(obstacle), obstacle } }),
  });
}

/** Judged expectations with why there is no verdict, in a sentence. */
export const judgedInWords = (expectations: readonly judged.PredictedExpectation[]): PredictedExpectation[] =>
  expectations.map(({ obstacle, ...verdict }) =>
    obstacle === undefined ? verdict : { ...verdict, why_not: obstacleText(obstacle), obstacle },
  );

/** A comparison with a sentence for each of its facts, as `lbsim compare --json` has it. */
export function comparisonInWords(comparison: compared.Comparison): Comparison {
  const clusters = mapValues(comparison.clusters, (cluster) => ({
    ...cluster,
    phases: cluster.phases.map((phase) => ({ ...phase, causes: phase.began.map(causesText) })),
  }));
  return { ...comparison, clusters };
}

/** A verification with a sentence for each of its facts, as `lbsim verify --json` has it. */
export function verificationInWords(verification: verified.Verification): Verification {
  return { ...verification, situations: verification.situations.map((one) => tellCause({ ...one })) };
}
