import { policyName } from '../config/lb.js';
import { type Micros, microsToSeconds } from '../core/units.js';
import type { ExpectedCluster, ExpectedSplit } from '../result/expected.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { RowStates } from '../result/phases.js';
import type { Scenario } from '../scenario/model.js';
import { versionsOf } from '../settings/world.js';
import { type ClusterPredictor, type ClusterPhase, noTotals, type Totals } from './cluster-predictor.js';
import { portion, rowOrder, type RowOrder, rowPortion, statesByRow } from './host-columns.js';
import { joined, type Mixed, Mixture, splitOf } from './mixture.js';
import type { SuccessTotals } from './success-totals.js';
import type { ClusterPrediction, PredictedPhase, PredictedSplit, Prediction } from './generated/prediction.js';
import { isObstacle } from './obstacle.js';

export interface End {
  readonly atUs: Micros;
  /** Events before this moment count: just after the last instant, so that requests of that instant are included. */
  readonly beforeUs: Micros;
}

export type ClusterForecast = ReturnType<typeof forecastOf>;

export function forecastOf(predictor: ClusterPredictor, end: End) {
  // A phase that begins as the traffic ends is left out.
  const shown = predictor.phases.filter(({ fromUs }, index) => index === 0 || fromUs < end.beforeUs);
  return {
    name: predictor.name,
    policy: policyName(predictor.cluster),
    over_tcp: predictor.kinds.length > 0 && predictor.kinds.every(({ spec }) => spec.tcp !== undefined),
    rows: predictor.rows,
    /** At the end. */
    states: predictor.statesNow(),
    phases: shown.map((phase, index) => ({
      ...phase,
      from_s: microsToSeconds(phase.fromUs),
      to_s: microsToSeconds(Math.max(shown[index + 1]?.fromUs ?? end.atUs, phase.fromUs)),
    })),
  };
}

export function buildPrediction(scenario: Scenario, all: readonly ClusterForecast[], end: End): Prediction {
  const { origin } = scenario;
  const forecasts = all.filter(({ name }) => origin.reported?.has(name) !== false);
  const several = scenario.proxies.reduce((sum, { count }) => sum + count, 0) > 1;
  const orders = new Map(forecasts.map((forecast) => [forecast, rowOrder(forecast.rows.rows)]));
  const clusters = (pick: (phase: ClusterPhase) => Totals): Record<string, ClusterPrediction> =>
    Object.fromEntries(
      forecasts.map((one) => [one.name, clusterPrediction(one, orders.get(one) ?? rowOrder([]), pick)]),
    );
  const own = several ? scenario.proxies : [];
  const proxies = own.map(({ name }, index): [string, Prediction['proxies'][string]] => [
    name,
    { clusters: clusters(({ all, byProxy }) => byProxy[index] ?? all) },
  ]);
  return {
    scenario: scenario.name,
    ...versionsOf(scenario),
    duration_s: microsToSeconds(end.atUs),
    ...(origin.says.length > 0 && { input: [...origin.says] }),
    ...(origin.unknownHosts.length > 0 && { unknown_hosts: [...origin.unknownHosts] }),
    clusters: clusters((phase) => phase.all),
    proxies: Object.fromEntries(proxies),
    notes: [...scenario.notes],
  };
}

function clusterPrediction(
  { policy, over_tcp, phases, states }: ClusterForecast,
  order: RowOrder,
  pick: (phase: ClusterPhase) => Totals,
): ClusterPrediction {
  const size = order.rows.length;
  const whole = noTotals();
  const predicted = phases.map((phase): PredictedPhase => {
    const { shares, success } = pick(phase);
    whole.shares.addAll(shares);
    whole.success.addAll(success);
    const { from_s, to_s, causes, facts } = phase;
    const head = { from_s, to_s, causes: causes.flat(), facts: [...facts] };
    return withSuccess(splitOf(head, shares.mixed(size), order, [phase.states]), success);
  });
  const split = splitOf({ policy, ...(over_tcp && { over_tcp }) }, whole.shares.mixed(size), order, [states]);
  // Not copied: the hosts of a split are made on demand.
  const prediction = Object.assign(withSuccess(split, whole.success), { phases: predicted });
  joinsOf.set(prediction, (inside) => {
    const some = phases.filter(({ from_s: from }) => inside.some(({ from_s: own }) => own === from));
    const states = some.map((phase) => phase.states);
    return splitOf({}, joined(some.map((phase) => pick(phase).shares.mixed(size))), order, states);
  });
  return prediction;
}

function withSuccess<Split extends PredictedSplit>(split: Split, totals: SuccessTotals): Split {
  const success = totals.result();
  return success === undefined ? split : Object.assign(split, { success });
}

/** Of each prediction: the split of some of its phases together. */
const joinsOf = new WeakMap<ClusterPrediction, (inside: readonly PredictedPhase[]) => PredictedSplit>();

/** The split of a stretch of time that is {@link wholePhases}; undefined where it is not. */
export function splitBetween(predicted: ClusterPrediction, fromS: number, toS: number): PredictedSplit | undefined {
  const inside = wholePhases(predicted.phases, ({ requests }) => requests, fromS, toS);
  return inside.length > 1 ? joinsOf.get(predicted)?.(inside) : inside[0];
}

/**
 * The phases in a stretch of time that is one of them or several whole ones; none where it is not. A run may see one
 * phase where the prediction sees two (a runtime value changed which its balancers read at each pick). The prediction
 * ends with the traffic, the run with the last answer: beyond the last predicted phase nothing is decided.
 */
function wholePhases<Phase extends Pick<PredictedPhase, 'from_s' | 'to_s'>>(
  phases: readonly Phase[],
  requestsOf: (phase: Phase) => number | null,
  fromS: number,
  toS: number,
): readonly Phase[] {
  const inside = phases.filter((phase) => {
    const { from_s: from, to_s: to } = phase;
    return from >= fromS && to <= toS && (from < to || requestsOf(phase) !== 0);
  });
  const [first, last] = [inside[0], inside.at(-1)];
  if (first?.from_s !== fromS || last === undefined) return [];
  return last.to_s === toS || last === phases.at(-1) ? inside : [];
}

/** The expected shares of a cluster for a report. @param rows of the run. */
export function expectedOf({ phases, rows: own, states }: ClusterForecast, rows: readonly HostRow[]): ExpectedCluster {
  const size = own.rows.length;
  const expected = ({ outcome }: Mixed, listed: readonly RowStates[]): ExpectedSplit | undefined => {
    if (isObstacle(outcome)) return undefined;
    return {
      rows: () => {
        const portions = outcome.byRow(size);
        const { kinds } = statesByRow(listed, size);
        return (index) => {
          const row = own.find(rows[index] as HostRow);
          if (row === undefined) return undefined;
          const isShown = (kinds[row] as number) > 0 || (portions.share[row] as number) > 0;
          return isShown ? rowPortion(portions, row) : undefined;
        };
      },
      noHost: portion(outcome.none, outcome.noneSecond, outcome.noneGranularitySquared),
    };
  };
  const whole = new Mixture();
  for (const { all } of phases) whole.addAll(all.shares);
  return {
    whole: expected(whole.mixed(size), [states]),
    between: (fromS, toS) => {
      const inside = wholePhases(phases, ({ all }) => all.shares.requests, fromS, toS);
      const parts = inside.map(({ all }) => all.shares.mixed(size));
      const listed = inside.map((phase) => phase.states);
      return parts.length === 0 ? undefined : expected(joined(parts), listed);
    },
  };
}
