import { createHash } from 'node:crypto';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { judgeExpectations } from '../../src/predict/judge-expectations.js';
import { differenceAt } from '../../src/predict/other-version.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

/** What is wording, or repeats what the scenario says: the parts are facts and numbers. */
const WORDS = new Set(['why_not', 'expectation', 'event', 'notes', 'input', 'scenario', 'entry']);
/** Of an obstacle it is recorded that there is one, as of its words. */
const RECORDED_AS = new Map([['obstacle', 'why_not']]);
/** Significant digits: how the last ones come out is the processor's and its compiler's business. */
const DIGITS = 9;

/** What a scenario gives, as text: by what part of it each is. */
export type Outcome = Readonly<Record<string, string>>;

/** All that a scenario gives, run and predicted. @throws Error where it does not load. */
export async function outcomeOf(value: unknown): Promise<Outcome> {
  const scenario = load(value);
  let happened = '';
  const result = await runScenario(scenario, {
    predict: true,
    onDecision: (record) => (happened += `${lineOf(record)}\n`),
    onRequest: (record) => (happened += `${lineOf(record)}\n`),
  });
  const { clusters, proxies, stats, events, expect, ...counts } = result;
  const inTime: Record<string, unknown> = {};
  const overall: Record<string, unknown> = {};
  const all = { ...clusters, ...byProxy(proxies) };
  for (const [name, { phases, facts, course, detections, merge_window: window, ...rest }] of Object.entries(all)) {
    inTime[name] = { phases, facts, course, detections, window };
    overall[name] = rest;
  }
  return {
    requests: happened,
    counts: textOf({ counts, overall }),
    phases: textOf(inTime),
    statistics: textOf([stats, ...Object.values(proxies).map((proxy) => proxy.stats)]),
    events: textOf(events),
    expectations: textOf(expect),
    ...(await predictedOf(value)),
  };
}

/** What is predicted of a scenario. @throws Error where it does not load. */
export async function predictedOf(value: unknown): Promise<Outcome> {
  const scenario = load(value);
  const prediction = await predict(scenario);
  // At the version that most others are not.
  const isOld = scenario.proxies.every(({ version }) => version !== '1.40');
  const elsewhere = await differenceAt(scenario, { prediction }, isOld ? '1.40' : '1.12');
  return {
    prediction: textOf(prediction.clusters),
    judged: textOf(judgeExpectations(scenario, prediction)),
    elsewhere: textOf(elsewhere ?? null),
  };
}

function load(value: unknown): Scenario {
  const { scenario, problems } = loadScenarioValue(value, 'random');
  if (scenario !== undefined) return scenario;
  throw new Error(problems.map(({ path, message, severity }) => `${severity} ${path}: ${message}`).join('\n'));
}

/** As one short line: eight digits for each part. */
export function digestOf(outcome: Outcome): string {
  return Object.entries(outcome)
    .map(([part, text]) => `${part} ${digest(text)}`)
    .join('  ');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function byProxy<T>(proxies: Readonly<Record<string, { readonly clusters: Readonly<Record<string, T>> }>>) {
  const entries = Object.entries(proxies).flatMap(([proxy, { clusters }]) =>
    Object.entries(clusters).map(([name, cluster]) => [`${proxy}/${name}`, cluster] as const),
  );
  return Object.fromEntries(entries);
}

/** Of a decision or a request. */
function lineOf(record: object): string {
  return Object.values(record)
    .map((value: unknown) => (typeof value === 'object' && value !== null ? Object.values(value).join('/') : value))
    .join(' ');
}

function textOf(value: unknown): string {
  return JSON.stringify(facts(value), undefined, 1);
}

/** Without words, and with numbers rounded. */
function facts(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(facts);
  const found: Record<string, unknown> = {};
  for (const [own, one] of Object.entries(value)) {
    const key = RECORDED_AS.get(own) ?? own;
    found[key] = WORDS.has(key) ? one !== undefined : facts(one);
  }
  return found;
}
