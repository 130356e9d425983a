import { only } from '../core/values.js';
import type { CurveOptions, ProveOptions, SurviveOptions } from '../analysis/generated/options.js';
import * as lost from '../analysis/prove/curve.js';
import { NoPrediction } from '../analysis/prove/losses.js';
import * as found from '../analysis/prove/prove.js';
import type { Scenario } from '../scenario/model.js';
import { lossText, noSplitText } from './obstacles.js';
import { withReasons } from './reasons.js';
import type { Curve, Findings, Survival } from './results.js';

/**
 * Proves which losses of hosts, of zones, and of the records of DNS clusters are the smallest that bring failed requests, a host
 * above its capacity, panic, requests that leave the proxies' zone, or more open ones than circuit breakers admit, each judged by
 * its exact prediction.
 */
export async function prove(scenario: Scenario, options?: ProveOptions): Promise<Findings> {
  const findings = await found.prove(scenario, options);
  return { ...findings, found: findings.found.map(withReasons), notes: findings.facts.map(lossText) };
}

/** The old name of {@link prove}. */
export const find = async (scenario: Scenario, options?: ProveOptions): Promise<Findings> => prove(scenario, options);

/**
 * Proves whether clusters survive the loss of any so many zones and hosts, or fewer: that none of them brings a harm.
 *
 * @param lose as `zone`, `2 zones`, `zone=a`, `3 hosts`, `2 records`; together.
 * @throws NoPrediction where one of them cannot be read.
 */
export async function survive(
  scenario: Scenario,
  lose: readonly string[],
  options?: SurviveOptions,
): Promise<Survival> {
  const survival = await found.survive(scenario, lose, options).catch(told);
  const clusters = survival.clusters.map(({ loss, ...one }) => ({
    ...one,
    loss: loss && withReasons(loss),
    ...(one.why && { why_not: noSplitText(one.why) }),
  }));
  return { ...survival, clusters };
}

/** Errors get their sentence. */
const told = only(NoPrediction, (error): never => {
  error.message = noSplitText(error.fact, error.cluster);
  throw error;
});

/**
 * Loses the hosts that a selector names one by one, in the order of the cluster, and predicts each step exactly.
 *
 * @param lose as `zone=a`, `priority=0`, `10.0.0.0/24`.
 * @throws NoPrediction where there is no such host, or no exact split.
 */
export async function curve(scenario: Scenario, lose: string, options?: CurveOptions): Promise<Curve> {
  const found = await lost.curve(scenario, lose, options).catch(told);
  return { ...found, points: found.points.map(withReasons), notes: found.facts.map(lossText) };
}
