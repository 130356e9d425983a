import { FORMAT, type ScenarioAnswer } from '../../core/document-format.js';
import { microsToSeconds, MICROS_PER_MILLI } from '../../core/units.js';
import type { RequestOrigin, RequestOutcome } from '../../result/request-record.js';
import type { Scenario } from '../../scenario/model.js';
import { inputOf } from '../../scenario/origin.js';
import { createSimulation } from '../run/run-scenario.js';
import { EVENTS_PER_PAUSE, NO_PAUSE, type Pause } from '../pause.js';
import { NothingToExplain } from './explain.js';
import { demand, FUNCTION, INDEX, SCENARIO } from '../../core/arguments.js';
import type { RequestStep } from '../../simulation/request-story.js';

/**
 * The path of one request of a run, from its arrival to its end. Field names are those of `lbsim explain --request N
 * --json`.
 */
export interface ExplainedRequest extends ScenarioAnswer, RequestOrigin {
  readonly seed: string;
  readonly version: string;
  readonly arrived_s: number;
  readonly steps: readonly ExplainedRequestStep[];
  /** How it ended; null: no answer before the end of the run; then so are the fields below. */
  readonly outcome: RequestOutcome | null;
  readonly status: number | null;
  readonly latency_ms: number | null;
  /** Number of its decisions. */
  readonly attempts: number | null;
  /** The host that answered; null: the proxy did. */
  readonly host: string | null;
}

export type ExplainedRequestStep = RequestStep & {
  readonly at_s: number;
  /** 0 for the first try, then one more for each retry. */
  readonly attempt: number;
  /** The 64-bit values drawn for it, decimal, in order. */
  readonly draws: readonly string[];
};

/** What happened to one request of a run, without words. @throws NothingToExplain where the run has no such request. */
export async function explainRequest(
  scenario: Scenario,
  request: number,
  pause: Pause = NO_PAUSE,
): Promise<ExplainedRequest> {
  demand('explainRequest', ['scenario', scenario, SCENARIO], ['request', request, INDEX], ['pause', pause, FUNCTION]);
  const simulation = await createSimulation({ ...scenario, expect: [] }, { storyOf: request });
  const { story } = simulation;
  while (story?.end === undefined && !simulation.advance(EVENTS_PER_PAUSE)) await pause(simulation.progress);
  const { origin } = story ?? {};
  if (story === undefined || origin === undefined) {
    const { requests } = simulation.result().totals;
    const last =
      requests === 0 ? 'the run has no requests' : 'the run has fewer: they are numbered from 0, as they arrive';
    throw new NothingToExplain(`there is no request ${request}: ${last}`);
  }
  const { end } = story;
  const { version, tUs, ...from } = origin;
  return {
    format: FORMAT,
    scenario: scenario.name,
    ...inputOf(scenario),
    seed: scenario.seed,
    version,
    request,
    arrived_s: microsToSeconds(tUs),
    ...from,
    steps: story.steps.map(({ tUs, attempt, ...step }) => ({ at_s: microsToSeconds(tUs), attempt, ...step })),
    outcome: end?.outcome ?? null,
    status: end?.status ?? null,
    latency_ms: end === undefined ? null : end.latencyUs / MICROS_PER_MILLI,
    attempts: end?.attempts ?? null,
    host: end?.host ?? null,
  };
}
