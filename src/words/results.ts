import type * as little from '../analysis/explain/why-not.js';
import type * as found from '../analysis/find/find.js';
import type * as lost from '../analysis/curve.js';
import type * as predicted from '../predict/prediction.js';
import { changedClusters } from '../result/cluster-overview.js';
import type { Fact } from '../result/facts.js';
import type * as run from '../result/run-result.js';
import { reasonTexts, whyNotTexts } from './reasons.js';

/** Results with their facts in words beside them: what `--json` prints, and what the library returns. */

export interface PhaseResult extends run.PhaseResult {
  /** The facts, a sentence each. */
  reasons: string[];
}

export interface ClusterResult extends run.ClusterResult {
  /** The facts, a sentence each. */
  reasons: string[];
  phases: PhaseResult[];
}

export interface ProxyResult extends run.ProxyResult {
  clusters: Record<string, ClusterResult>;
}

export interface RunResult extends run.RunResult {
  clusters: Record<string, ClusterResult>;
  proxies: Record<string, ProxyResult>;
}

export interface PredictedPhase extends predicted.PredictedPhase {
  /** The facts, a sentence each. */
  reasons: string[];
}

export interface ClusterPrediction extends predicted.ClusterPrediction {
  phases: PredictedPhase[];
}

export interface Prediction extends predicted.Prediction {
  clusters: Record<string, ClusterPrediction>;
  proxies: Record<string, { clusters: Record<string, ClusterPrediction> }>;
}

export interface Finding extends found.Finding {
  /** The facts, a sentence each. */
  readonly reasons: readonly string[];
}

export interface Findings extends found.Findings {
  readonly found: readonly Finding[];
}

export interface CurvePoint extends lost.CurvePoint {
  /** The facts, a sentence each. */
  readonly reasons: readonly string[];
}

export interface Curve extends lost.Curve {
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

/** Adds the sentences to the object itself: the hosts of a phase are made on demand, and would be made for a copy. */
function tell<Part extends { readonly facts: readonly Fact[] }>(part: Part): Part & { reasons: string[] } {
  return Object.assign(part, { reasons: reasonTexts(part.facts) });
}

function tellCluster(cluster: run.ClusterResult): ClusterResult {
  return Object.assign(tell(cluster), { phases: cluster.phases.map(tell) });
}

/** Each cluster when it is read. */
export function runInWords(result: run.RunResult): RunResult {
  const proxies = Object.entries(result.proxies).map(([name, proxy]): [string, ProxyResult] => [
    name,
    { ...proxy, clusters: changedClusters(proxy.clusters, tellCluster) },
  ]);
  return {
    ...result,
    clusters: changedClusters(result.clusters, tellCluster),
    proxies: Object.fromEntries(proxies),
  };
}

type PredictedClusters = Record<string, predicted.ClusterPrediction>;

export function predictionInWords(prediction: predicted.Prediction): Prediction {
  const ofClusters = (clusters: PredictedClusters): Record<string, ClusterPrediction> =>
    Object.fromEntries(
      Object.entries(clusters).map(([name, cluster]) => [
        name,
        Object.assign(cluster, { phases: cluster.phases.map(tell) }),
      ]),
    );
  const proxies = Object.entries(prediction.proxies).map(([name, proxy]): [string, Prediction['proxies'][string]] => [
    name,
    { clusters: ofClusters(proxy.clusters) },
  ]);
  return { ...prediction, clusters: ofClusters(prediction.clusters), proxies: Object.fromEntries(proxies) };
}

export function findingsInWords(findings: found.Findings): Findings {
  return { ...findings, found: findings.found.map(tell) };
}

export function curveInWords(curve: lost.Curve): Curve {
  return { ...curve, points: curve.points.map(tell) };
}

export function whyNotInWords(whyNot: little.WhyNot): WhyNot {
  const clusters = whyNot.clusters.map((cluster) => ({
    ...cluster,
    phases: cluster.phases.map((phase) => ({ ...phase, why: whyNotTexts(phase.facts) })),
  }));
  return { ...whyNot, clusters };
}
