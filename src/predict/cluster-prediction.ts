import { policyName } from '../config/lb.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import type { Scenario } from '../scenario/model.js';
import { versionsOf } from '../settings/world.js';
import type { ClusterPredictor, ClusterPhase } from './cluster-predictor.js';
import { rowOrder, type RowOrder } from './host-columns.js';
import { Mixture } from './mixture.js';
import { SuccessTotals } from './success-totals.js';
import type { ClusterPrediction, PredictedPhase, PredictedSplit, Prediction } from './prediction.js';

/** When a prediction ends. */
export interface End {
  readonly atUs: Micros;
  /**
   * Events before this moment count: it lies just after the last instant, so that requests of that instant are included.
   */
  readonly beforeUs: Micros;
}

/** Builds the prediction, for all proxies together and for each of several. */
export function buildPrediction(scenario: Scenario, all: readonly ClusterPredictor[], end: End): Prediction {
  const { origin } = scenario;
  const predictors = all.filter(({ name }) => origin.reported?.has(name) !== false);
  const several = scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1;
  const orders = new Map(predictors.map((predictor) => [predictor, rowOrder(predictor.rows.rows)]));
  const build = (predictor: ClusterPredictor, pick: (phase: ClusterPhase) => PhaseParts): ClusterPrediction =>
    clusterPrediction(predictor, end, orders.get(predictor) ?? rowOrder([]), pick);
  const clusters = (pick: (phase: ClusterPhase) => PhaseParts): Record<string, ClusterPrediction> =>
    Object.fromEntries(predictors.map((predictor) => [predictor.name, build(predictor, pick)]));
  const own = several ? scenario.proxies : [];
  const proxies = own.map(({ name }, index): [string, Prediction['proxies'][string]] => [
    name,
    { clusters: clusters((phase) => partsOf(phase, index)) },
  ]);
  return {
    scenario: scenario.name,
    ...versionsOf(scenario),
    duration_s: microsToSeconds(end.atUs),
    ...(origin.says.length > 0 && { input: [...origin.says] }),
    ...(origin.unknownHosts.length > 0 && { unknown_hosts: [...origin.unknownHosts] }),
    clusters: clusters(({ total, success }) => ({ shares: total, success })),
    proxies: Object.fromEntries(proxies),
    notes: [...scenario.notes],
  };
}

/** A phase, of all proxies or of one of them. */
interface PhaseParts {
  readonly shares: Mixture;
  readonly success: SuccessTotals;
}

function partsOf({ byProxy, successByProxy, total, success }: ClusterPhase, proxy: number): PhaseParts {
  return { shares: byProxy[proxy] ?? total, success: successByProxy[proxy] ?? success };
}

function clusterPrediction(
  predictor: ClusterPredictor,
  end: End,
  order: RowOrder,
  pick: (phase: ClusterPhase) => PhaseParts,
): ClusterPrediction {
  const whole = new Mixture();
  const ends = new SuccessTotals();
  // A phase that begins as the traffic ends is left out.
  const shown = predictor.phases.filter(({ fromUs }, index) => index === 0 || fromUs < end.beforeUs);
  const phases = shown.map((phase, index): PredictedPhase => {
    const { shares: mixture, success } = pick(phase);
    whole.addAll(mixture);
    ends.addAll(success);
    const head = {
      from_s: microsToSeconds(phase.fromUs),
      to_s: microsToSeconds(Math.max(shown[index + 1]?.fromUs ?? end.atUs, phase.fromUs)),
      causes: phase.causes.flat(),
      facts: [...phase.facts],
    };
    return withSuccess(mixture.split(head, order, phase.states), success);
  });
  const split = whole.split({ policy: policyName(predictor.cluster) }, order, predictor.statesNow());
  // Not copied: the hosts of a split are made on demand.
  return Object.assign(withSuccess(split, ends), { phases });
}

function withSuccess<Split extends PredictedSplit>(split: Split, totals: SuccessTotals): Split {
  const success = totals.result();
  return success === undefined ? split : Object.assign(split, { success });
}
