import type {
  ClusterPrediction,
  PredictedHost,
  PredictedSplit,
  Prediction,
} from '../../src/predict/generated/prediction.js';
import { splitBetween } from '../../src/predict/cluster-prediction.js';
import { standardError } from '../../src/result/expected.js';
import type { PhaseResult, RunResult } from '../../src/result/run-result.js';
import type { PredictedPortion } from '../../src/result/expected.js';

export interface Deviation {
  readonly where: string;
  readonly observed: number;
  readonly expected: number;
  readonly z: number;
}

/** How far each phase's host of a run lies from its prediction, in standard errors. */
export function deviations(run: RunResult, prediction: Prediction): Deviation[] {
  const found: Deviation[] = [];
  for (const [name, cluster] of Object.entries(run.clusters)) {
    const predicted = prediction.clusters[name];
    if (predicted === undefined) throw new Error(`no prediction of ${name}`);
    const phases = cluster.phases.filter(({ requests }) => requests > 0);
    for (const phase of phases) {
      const twin = splitBetween(predicted, phase.from_s, phase.to_s);
      if (twin === undefined) {
        // Where nothing is predicted, nobody has to know when phases end.
        if (isLost(predicted, phase)) continue;
        found.push({
          where: `${name} ${phase.from_s}–${phase.to_s} s: no such phase`,
          observed: 0,
          expected: 0,
          z: Infinity,
        });
        continue;
      }
      if (twin.method === 'none') continue;
      const where = `${name} ${phase.from_s}–${phase.to_s} s`;
      const seen = new Set<string>();
      for (const host of phase.hosts) {
        const key = keyOf(host);
        seen.add(key);
        const share = twin.hosts.find((one) => keyOf(one) === key);
        found.push(compare(`${where} ${key}`, share ?? NOTHING, host.requests, phase.requests, twin));
      }
      for (const host of twin.hosts) {
        const key = keyOf(host);
        if (!seen.has(key)) found.push(compare(`${where} ${key}`, host, 0, phase.requests, twin));
      }
      found.push(compare(`${where} nobody`, twin.no_host ?? NOTHING, phase.no_host.requests, phase.requests, twin));
    }
  }
  return found;
}

function isLost({ phases }: ClusterPrediction, { from_s: from, to_s: to }: PhaseResult): boolean {
  return phases.some((phase) => phase.from_s < to && phase.to_s > from && phase.method === 'none');
}

function keyOf({ priority, locality, address }: Pick<PredictedHost, 'priority' | 'locality' | 'address'>): string {
  return `${priority} ${locality.region}/${locality.zone}/${locality.sub_zone} ${address}`;
}

const NOTHING: PredictedPortion = { share: 0, variance: 0, granularity: 0 };

/** Counts are whole: the last request is no deviation, and neither is what the prediction says it may be off by. */
function compare(where: string, portion: PredictedPortion, count: number, n: number, split: PredictedSplit): Deviation {
  const expected = portion.share * n;
  const slack = portion.share === 0 ? 0 : 1 + (split.error ?? 0) * n;
  const off = Math.sign(count - expected) * Math.max(0, Math.abs(count - expected) - slack);
  return { where, observed: count, expected, z: off === 0 ? 0 : off / (standardError(portion, n) * n) };
}
