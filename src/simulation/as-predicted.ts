import { own } from '../core/own.js';
import { overlap } from '../predict/judge-expectations.js';
import type { PredictedHost, PredictedPhase, PredictedPortion, Prediction } from '../predict/prediction.js';
import { standardErrorsOff, sumOf } from '../result/expected.js';
import type { ExpectationSubject } from '../scenario/model.js';
import { hostPredicate } from '../settings/selector.js';
import type { Measurement } from './measurement.js';
import type { World } from './world.js';

/** Whether a share that was counted lies within `sigmas` standard errors of the prediction; false without one. */
export function isAsPredicted(
  measured: Measurement,
  sigmas: number,
  prediction: Prediction | undefined,
  world: World,
): boolean {
  const cluster = world.clusters[measured.cluster];
  if (cluster === undefined || prediction === undefined || measured.decisions === 0) return false;
  const predicted = own(prediction.clusters, cluster.name);
  if (predicted === undefined) return false;
  const { subject, fromUs, toUs } = measured;
  const isWhole = fromUs === 0 && toUs === Infinity;
  const portions: { readonly portion: PredictedPortion; readonly weight: number }[] = [];
  for (const phase of isWhole ? [predicted] : predicted.phases) {
    const weight = isWhole ? 1 : overlap(phase as PredictedPhase, fromUs, toUs);
    if (weight === 0) continue;
    if (phase.method === 'none') return false;
    const portion = subject.kind === 'no_host' ? phase.no_host : portionOf(subject, cluster.name, phase.hosts, world);
    if (portion === undefined) return false;
    portions.push({ portion, weight: weight * (phase.requests ?? 1) });
  }
  const total = portions.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return false;
  const mean = (of: (portion: PredictedPortion) => number): number =>
    portions.reduce((sum, { portion, weight }) => sum + of(portion) * weight, 0) / total;
  const expected = {
    share: mean((portion) => portion.share),
    variance: mean((portion) => portion.variance),
    granularity: portions.reduce((sum, { portion }) => sum + portion.granularity, 0),
  };
  const off = standardErrorsOff(expected, measured.hits / measured.decisions, measured.decisions);
  return Math.abs(off) <= sigmas;
}

function portionOf(
  subject: ExpectationSubject,
  cluster: string,
  hosts: readonly PredictedHost[],
  world: World,
): PredictedPortion | undefined {
  if (subject.kind !== 'share') return undefined;
  const means = hostPredicate(subject.hosts);
  const rows = world.clusters[world.clusterIndex(cluster)]?.rows.rows ?? [];
  const matching = hosts.filter(({ address, priority, locality }) => {
    const row = rows.find(
      (candidate) =>
        candidate.address === address &&
        candidate.priority === priority &&
        candidate.locality.zone === locality.zone &&
        candidate.locality.region === locality.region &&
        candidate.locality.subZone === locality.sub_zone,
    );
    return row !== undefined && means({ ...row, cluster });
  });
  return sumOf(matching);
}
