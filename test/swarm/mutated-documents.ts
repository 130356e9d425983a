import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasErrors } from '../../src/core/problem.js';
import { createSimulation, predict } from '../../src/words/library.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { UnsupportedError } from '../../src/analysis/run/unsupported.js';
import { configDump } from '../../src/web/pages/config-dump.js';
import { clustersText } from '../../src/web/pages/clusters.js';
import { lbsim } from '../cli/harness.js';
import { modernScenario } from './modern-scenario.js';
import { Dice, randomScenario } from './random-scenario.js';
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
  switch (dice.int(0, 7)) {
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
    case 5: {
      // A field with a letter less, which is guessed.
      const fields = [...text.matchAll(/\b[a-z][a-z_]+(?="?:)/g)];
      if (fields.length === 0) return text;
      const { index, 0: field } = dice.pick(fields);
      const letter = index + dice.int(0, field.length - 1);
      return text.slice(0, letter) + text.slice(letter + 1);
    }
    default: {
      if (value === undefined) return text;
      // Values are what most often leaves a document valid, and strange.
      const replacement = dice.chance(0.6) ? dice.pick(JUNK) : dice.pick(values)[0];
      return text.slice(0, value.index) + replacement + text.slice(value.index + value[0].length);
    }
  }
}

export interface Document {
  readonly file: string;
  readonly text: string;
}

/** What is put together before it is changed: a scenario, what a proxy or a management server says of it, or several files. */
export async function originals(seed: number, shipped: readonly string[]): Promise<readonly Document[]> {
  const one = (file: string, value: unknown): Document => ({ file, text: JSON.stringify(value, null, 1) });
  const random = seed % 5000;
  switch (seed % 8) {
    case 0:
    case 2:
      return [{ file: 'shipped.yaml', text: shipped[(seed / 2) % shipped.length] ?? '' }];
    case 1:
    case 3:
      return [one('random.json', randomScenario(random))];
    case 4:
      return [one('modern.json', modernScenario(random))];
    default: {
      const { rest, dump, page } = await running(random);
      const clusters = itemsIn(dump, /ClustersConfigDump$/, 'cluster');
      const hosts = itemsIn(dump, /EndpointsConfigDump$/, 'endpoint_config');
      if (seed % 8 === 5) return [one('config_dump.json', dump)];
      if (seed % 8 === 6) return [one('resources.json', { resources: [...clusters, ...hosts] })];
      const apart = [one('cds.json', { resources: clusters }), one('eds.json', { resources: hosts })];
      return seed % 16 === 7 ? [...apart, one('traffic.json', rest)] : [...apart, { file: 'clusters', text: page }];
    }
  }
}

/** The pages of a simulated proxy of a random scenario of v3, and what of the scenario they do not say. */
async function running(seed: number): Promise<{ rest: object; dump: unknown; page: string }> {
  const { clusters: _, endpoints: _hosts, ...rest } = modernScenario(seed);
  const { scenario } = loadScenario({ file: 'a.json', text: JSON.stringify(modernScenario(seed)) });
  if (scenario === undefined) throw new Error(`the random scenario ${seed} is not valid`);
  const [proxy] = (await createSimulation(scenario)).proxies;
  if (proxy === undefined) throw new Error('a scenario has a proxy');
  return { rest, dump: configDump(proxy, '2024-01-01T00:00:00Z', true), page: clustersText(proxy, () => true) };
}

/** The resources in the sections of a dump. */
function itemsIn(dump: unknown, section: RegExp, field: string): readonly unknown[] {
  const { configs } = dump as { readonly configs: readonly Readonly<Record<string, unknown>>[] };
  return configs
    .filter((config) => section.test(String(config['@type'])))
    .flatMap((config) => Object.values(config))
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Readonly<Record<string, unknown>>[]) : []))
    .map((item) => item[field]);
}

/** The calls that take a file or several, and end at the first interrupt. */
const CALLS: readonly ((files: readonly string[]) => readonly string[])[] = [
  (files) => ['validate', ...files],
  (files) => ['validate', '--json', '--no-files', ...files],
  (files) => ['run', ...files],
  (files) => ['run', '--json', '--allow-unknown-static-fields', ...files],
  (files) => ['run', '--csv', '--hosts', '*=2', ...files],
  (files) => ['predict', '--json', ...files],
  (files) => ['predict', '--allow-unknown-static-fields', '--hosts', '*=1', ...files],
  (files) => ['import', ...files],
  (files) => ['import', '--json', ...files],
  (files) => ['compare', ...files, '--policies', 'RANDOM,MAGLEV'],
  (files) => ['compare', ...files, '--version-a', '1.17', '--version-b', '1.40', '--json'],
  (files) => ['explain', '--key', 'a', ...files],
  (files) => ['explain', '--json', '--why-not', '10.0.0.1:80', ...files],
  (files) => ['find', ...files],
  (files) => ['curve', '--lose', 'zone=a', ...files],
  (files) => ['race', '--policies', 'RANDOM,ROUND_ROBIN', ...files],
  (files) => ['ring', '--json', ...files],
  (files) => ['sweep', '--vary', 'seed=1,2', '--yes', '--results', ':memory:', '--json', ...files],
  (files) => ['test', ...files],
  (files) => ['run', '--link', ...files],
  (files) => ['run', '--html', '-', '--playable', ...files],
];

/**
 * One call with the files.
 *
 * @returns what it answered.
 * @throws Error where it ends as if lbsim were wrong, or refuses without a word.
 */
export async function answers(documents: readonly Document[], seed: number, folder: string): Promise<number> {
  const files = documents.map(({ file, text }) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return path;
  });
  const call = CALLS[seed % CALLS.length]?.(files) ?? [];
  const { code, stdout, stderr } = await lbsim(call, { interrupt: true, env: { LBSIM_DEBUG: '1' } });
  const words = `${call.join(' ')}: ${code} ${stderr}`;
  if (code !== 0 && code !== 1 && code !== 2 && code !== 130) throw new Error(words);
  if (code === 2 && !/error|lbsim: /.test(stderr + stdout)) throw new Error(words);
  return code;
}

/**
 * Loads documents and, where they are valid, predicts and runs them and writes the report.
 *
 * @returns whether they were valid.
 * @throws Error where something was thrown, a number is none, or a share is outside of 0–1.
 */
export async function survives(documents: readonly Document[], allowUnknownFields = false): Promise<boolean> {
  const noFiles = (): string => {
    throw new Error('there is no such file');
  };
  const { scenario, problems } = loadScenario(documents, { readFile: noFiles, lint: true, allowUnknownFields });
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
