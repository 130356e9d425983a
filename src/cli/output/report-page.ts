import type { Observation } from '../../analysis/observe/observe.js';
import { type Pause, runUntil } from '../../analysis/pause.js';
import type { SweepMeasures } from '../../analysis/sweep/sweep.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { settingsApart } from '../../analysis/run/settings-apart.js';
import { differenceAt } from '../../predict/other-version.js';
import type { Comparison, Prediction, RunResult } from '../../words/results.js';
import type { Advice } from '../../report/run/advice.js';
import { answer } from '../../report/run/answer.js';
import { PLAIN, type ReportLayout, textOf } from '../../report/layout.js';
import * as swept from '../../report/sweep-report.js';
import { textReport } from '../../report/run/text-report.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation, predict, type Simulation } from '../../words/library.js';
import { differenceOf } from '../../site/engine/difference.js';
import { pictureOf, type RunPicture } from '../../site/engine/draw-picture.js';
import { observedPicture } from '../../site/engine/observed-picture.js';
import type { Shared } from '../../site/link.js';
import type { Report } from '../../site/report.js';
import type { SweepPicture } from '../../site/sweep-lines.js';
import { htmlReport } from './page-files.js';
import type { SweepHead, SweepPoint } from '../../analysis/generated/experiments.js';

/** Of the report in words that a page carries: the same on every machine. */
export const PAGE_LAYOUT: ReportLayout = { width: 100, bars: true, paint: PLAIN, all: false };

type Carried = Pick<Report, 'shared' | 'race'>;

export async function reportOfRun(
  result: RunResult,
  scenario: Scenario,
  { advice, simulation, shared }: Readonly<{ advice: readonly Advice[]; simulation: Simulation } & Carried>,
): Promise<string> {
  const otherVersion = await differenceAt(scenario, simulation, MODERN_PROXY_VERSION);
  const extras = { otherVersion, advice, settingsApart: settingsApart(scenario) };
  const text = textReport(result, { ...PAGE_LAYOUT, expectations: scenario.expect, ...extras });
  const picture = pictureOf(result, scenario, answer(result));
  return htmlReport({ command: 'run', sides: [{ name: scenario.name, picture }], text, shared });
}

/** A prediction as one page. @public commands import it when they need it. */
export function reportOfPrediction(
  prediction: Prediction,
  scenario: Scenario,
  text: string,
  shared: Shared | undefined,
): Promise<string> {
  const picture = pictureOf(prediction, scenario, ['Predicted from formulas: nothing was run.']);
  return htmlReport({ command: 'predict', sides: [{ name: scenario.name, picture }], text, shared });
}

/** What hosts were seen to get, over the picture of what is configured. @public commands import it when they need it. */
export async function reportOfObservation(found: Observation, scenario: Scenario, text: string): Promise<string> {
  const observation = observedPicture(found);
  const picture = pictureOf(await predict(scenario), scenario, observation.told);
  return htmlReport({
    command: 'observe',
    sides: [{ name: scenario.name, picture }],
    text,
    observation,
    shared: undefined,
  });
}

/** Sides as one page: each is run once more, under its own seed, for its pictures. @public imported when needed. */
export async function reportOfSides(
  command: string,
  sides: readonly { readonly name: string; readonly scenario: Scenario }[],
  text: string,
  { shared, pause, race, comparison }: Readonly<{ pause: Pause; comparison?: Comparison } & Carried>,
): Promise<string> {
  const drawn: { readonly name: string; readonly picture: RunPicture }[] = [];
  for (const [index, { name, scenario }] of sides.entries()) {
    const simulation = await createSimulation(scenario, { predict: true });
    await runUntil(simulation, (done) => pause((index + done) / sides.length));
    const result = simulation.result();
    drawn.push({ name, picture: pictureOf(result, scenario, answer(result)) });
  }
  const difference = comparison === undefined || drawn.length !== 2 ? undefined : differenceOf(comparison);
  return htmlReport({ command, sides: drawn, text, race, difference, shared });
}

/** A sweep as one page. @public commands import it when they need it. */
export function reportOfSweep(
  head: SweepHead,
  measures: SweepMeasures,
  points: readonly SweepPoint[],
): Promise<string> {
  const text = textOf(swept.sweepReport(head, measures, points, PAGE_LAYOUT));
  const sweep: SweepPicture = {
    sweep: { ...head, results: points },
    measures: swept.shownOf(measures).map(({ name, unit }) => ({ name, unit })),
    fields: Object.fromEntries(swept.headings(head.paths).map((name, axis) => [head.paths[axis] ?? '', name])),
    answer: swept.answerOf(head, points, measures),
  };
  return htmlReport({ command: 'sweep', sides: [], text, sweep, shared: undefined });
}
