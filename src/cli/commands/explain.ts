import type { ExplainOptions as Question } from '../../analysis/explain/explain.js';
import { explain, explainRequest, whyNot } from '../../words/library.js';
import type { JsonValue, Struct } from '../../core/values.js';
import { explainReport, explainRequestReport, whyNotReport } from '../../report/explain-report.js';
import { jsonDocument } from '../../report/documents.js';
import type { ReportLayout } from '../../report/layout.js';
import { type Parsed, parseDuration, parseU64 } from '../../scenario/fields/units.js';
import { layoutFor, UsageError, type Work } from '../session.js';
import { longWork } from '../long-work.js';
import { readRunnable } from '../input/scenario-file.js';
import type { ExplainOptions } from '../program/generated/commands.js';

export const explainCommand: Work<'explain'> = async (files, options, session) => {
  const { whyNot: host } = options;
  const request = options.request === undefined ? undefined : wholeNumber('--request', options.request, 9);
  const question = questionOf(options);
  const { scenario, printProblems } = await readRunnable(files, options, session);
  const answer = <Found>(found: Found, report: (found: Found, layout: ReportLayout) => string): string =>
    options.json === true ? jsonDocument(found) : report(found, layoutFor(options, session));
  const text = await longWork('running until then', session, async (pause) => {
    if (host !== undefined) return answer(await whyNot(scenario, host, pause), whyNotReport);
    if (request !== undefined) return answer(await explainRequest(scenario, request, pause), explainRequestReport);
    return answer(await explain(scenario, { ...question, pause }), explainReport);
  });
  await session.out.write(text);
  await printProblems();
};

function questionOf(options: ExplainOptions): Question {
  const { at, key, hashKey = key, hash, proxy, worker, random, cluster = [] } = options;
  if (cluster.length > 1) throw new UsageError('--cluster: explain is about one request, and that asks one cluster');
  return {
    atUs: at === undefined ? undefined : parsed('--at', at, parseDuration),
    cluster: cluster[0],
    hashKey,
    hash: hash === undefined ? undefined : parsed('--hash', hash, parseU64),
    metadataMatch: options.metadata === undefined ? undefined : metadataOf(options.metadata),
    headers: options.header === undefined ? undefined : headersOf(options.header),
    proxy,
    worker: worker === undefined ? undefined : wholeNumber('--worker', worker),
    random: random?.split(',').map((value) => parsed('--random', value.trim(), parseU64)),
  };
}

function parsed<Value>(option: string, text: string, parse: (text: string) => Parsed<Value>): Value {
  const result = parse(text);
  if (!result.ok) throw new UsageError(`${option} ${text}: ${result.message}`);
  return result.value;
}

function wholeNumber(option: string, text: string, digits = 6): number {
  if (!/^\d+$/.test(text) || text.length > digits)
    throw new UsageError(`${option} ${text}: write a whole number, as 0`);
  return Number(text);
}

/** `k=v`, each a text, or one JSON object. */
function metadataOf(written: readonly string[]): Struct {
  const fields: Record<string, JsonValue> = {};
  for (const text of written) {
    const isJson = text.trimStart().startsWith('{');
    Object.assign(fields, isJson ? jsonObject(text) : Object.fromEntries([pairOf('--metadata', text)]));
  }
  return fields;
}

function jsonObject(text: string): Struct {
  try {
    return JSON.parse(text) as Struct;
  } catch {
    throw new UsageError(`--metadata ${text}: this is no JSON; write {"version": "2"} or version=2`);
  }
}

function headersOf(written: readonly string[]): Readonly<Record<string, string>> {
  const pairs = written.map((text) => pairOf('--header', text));
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

function pairOf(option: string, text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new UsageError(`${option} ${text}: write NAME=VALUE`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
