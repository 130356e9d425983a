import { hasErrors } from '../../src/core/problem.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { UnsupportedError } from '../../src/simulation/unsupported.js';
import { Dice } from './random-scenario.js';
import { soundPrediction, soundResult } from './sound.js';

/** Events of a run before it is interrupted, as Ctrl-C would do it: a valid document may ask for hours. */
const MOST_EVENTS = 3000;

const JUNK = [
  ...['', ' ', '\n', '\t', ':', ': ', '- ', '{', '}', '[', ']', '"', "'", '&a ', '*a', '!x ', '#', '|', ',', '%', '-'],
  ...[
    'null',
    'true',
    '-1',
    '0',
    '1e999',
    '18446744073709551616',
    '4294967295',
    '{}',
    '[]',
    '"@type"',
    '__proto__',
    'NaN',
  ],
  ...[
    '0s',
    '1us',
    '0.000001s',
    '1000h',
    '1e300/s',
    '1e9/s',
    '0/s',
    '1e-300/s',
    '100%',
    '0.5',
    '10.0.0.1:80',
    'a',
    '127',
  ],
];

/** `text` with one to four changes: characters, lines and values replaced, swapped, repeated, moved or taken from elsewhere. */
export function mutated(text: string, seed: number): string {
  const dice = new Dice(seed);
  let document = text;
  for (let change = dice.int(1, 4); change > 0; change--) document = changed(document, dice);
  return document;
}

function changed(text: string, dice: Dice): string {
  const lines = text.split('\n');
  const at = dice.int(0, lines.length - 1);
  const other = dice.int(0, lines.length - 1);
  const values = [...text.matchAll(/(?<=[:,[]\s?)[^\s{}[\],:#]+/g)];
  const value = values.length === 0 ? undefined : dice.pick(values);
  switch (dice.int(0, 6)) {
    case 0: {
      const from = dice.int(0, text.length);
      return text.slice(0, from) + dice.pick(JUNK) + text.slice(from + dice.int(0, 12));
    }
    case 1:
      [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
      return lines.join('\n');
    case 2:
      lines.splice(other, 0, lines[at] ?? '');
      return lines.join('\n');
    case 3:
      lines.splice(at, 1);
      return lines.join('\n');
    case 4:
      lines[at] = `  ${lines[at] ?? ''}`;
      return lines.join('\n');
    default: {
      if (value === undefined) return text;
      // Values are what most often leaves a document valid, and strange.
      const replacement = dice.chance(0.6) ? dice.pick(JUNK) : dice.pick(values)[0];
      return text.slice(0, value.index) + replacement + text.slice(value.index + value[0].length);
    }
  }
}

/**
 * Loads a document and, where it is valid, predicts and runs it and writes the report.
 *
 * @returns whether it was valid.
 * @throws Error where something was thrown, a number is none, or a share is outside of 0–1.
 */
export async function survives(file: string, text: string): Promise<boolean> {
  const noFiles = (): string => {
    throw new Error('there is no such file');
  };
  const { scenario, problems } = loadScenario({ file, text }, { readFile: noFiles, lint: true });
  if ((scenario === undefined) !== hasErrors(problems)) throw new Error('no scenario and no error, or both');
  if (scenario === undefined) return false;
  await predictAndRun(scenario);
  return true;
}

async function predictAndRun(scenario: Scenario): Promise<void> {
  const prediction = await predict(scenario);
  soundPrediction(prediction);
  try {
    const simulation = await createSimulation(scenario, { predict: true });
    for (let events = 0; events < MOST_EVENTS && !simulation.advance(500); events += 500);
    soundResult(simulation.result());
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
  }
}
