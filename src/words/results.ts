import type * as verified from '../analysis/verify/verification.js';
import { mapValues } from '../core/values.js';
import type { CauseResult } from '../result/happenings.js';
import { causesText, happeningText, noticeText } from './happenings.js';
import type * as told from './generated/results.js';
import type * as compared from '../analysis/compare/generated/comparison.js';
import type * as judged from '../predict/judge-expectations.js';
import type * as predicted from '../predict/generated/prediction.js';
import { changedClusters } from '../result/cluster-overview.js';
import type * as run from '../result/generated/run-result.js';
import { obstacleText } from './obstacles.js';
import { withReasons } from './reasons.js';

/** Results with their facts in words beside them: what `--json` prints, and what the library returns. */

export type * from '../analysis/verify/verification.js';
export type * from './generated/results.js';
export type { ExplainedStep, RequestStep } from './steps.js';

export interface PredictedExpectation extends judged.PredictedExpectation, told.Unpredicted {}

export interface VerifiedSituation extends verified.VerifiedSituation, told.Caused {}

export interface Verification extends verified.Verification {
  readonly situations: readonly VerifiedSituation[];
}

const tellPhase = (phase: run.PhaseResult): told.PhaseResult =>
  Object.assign(tellCause(withReasons(phase)), {
    labels: phase.happened.map(happeningText),
    label_times_s: phase.happened.map(({ at_s: at }) => at),
  });

const tellCause = <Part extends { readonly causes: readonly CauseResult[] }>(part: Part): Part & told.Caused =>
  Object.assign(part, { cause: causesText(part.causes) });

function tellCluster(cluster: run.ClusterResult): told.ClusterResult {
  const { phases, detections, ...rest } = withReasons(cluster);
  const notices = (some: readonly run.NoticeResult[]): told.NoticeResult[] =>
    some.map((notice) => ({ ...notice, by: noticeText(notice.fact) }));
  return Object.assign(rest, {
    phases: phases.map(tellPhase),
    ...(detections && {
      detections: detections.map((one) => ({ ...one, seen: notices(one.seen), back: notices(one.back) })),
    }),
  });
}

/** Each cluster when it is read. */
export const runInWords = (result: run.RunResult): told.RunResult => ({
  ...result,
  events: result.events.map((event) => ({ ...event, text: happeningText(event.fact) })),
  clusters: changedClusters(result.clusters, tellCluster),
  proxies: mapValues(result.proxies, (proxy) => ({
    ...proxy,
    clusters: changedClusters(proxy.clusters, tellCluster),
  })),
});

/** A prediction with a sentence for each of its facts, as `lbsim predict --json` has it. */
export const predictionInWords = (prediction: predicted.Prediction): told.Prediction => ({
  ...prediction,
  clusters: mapValues(prediction.clusters, tellPrediction),
  proxies: mapValues(prediction.proxies, ({ clusters }) => ({ clusters: mapValues(clusters, tellPrediction) })),
});

/** The text of an obstacle follows the method. Where there is none, splits are made on demand and must not be copied. */
function tellPrediction(cluster: predicted.ClusterPrediction): told.ClusterPrediction {
  const phases = cluster.phases.map((phase): told.PredictedPhase => {
    const told = tellSuccess(tellCause(withReasons(phase)));
    const { from_s, to_s, causes, facts, method, obstacle } = told;
    if (obstacle === undefined) return told;
    return Object.assign({ from_s, to_s, causes, facts, method, why_not: obstacleText(obstacle) }, told);
  });
  const told = Object.assign(tellSuccess(cluster), { phases });
  const { policy, method, obstacle } = told;
  return obstacle === undefined ? told : Object.assign({ policy, method, why_not: obstacleText(obstacle) }, told);
}

function tellSuccess<Part extends predicted.PredictedSplit>(part: Part): Part & { success?: told.PredictedSuccess } {
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
export function comparisonInWords(comparison: compared.Comparison): told.Comparison {
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
