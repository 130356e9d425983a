import * as checks from '../../core/arguments.js';
import type { RunSummary } from '../../analysis/replicate/estimates.js';
import type { Cell, CellResult } from '../../analysis/sweep/cell.js';
import { type CellContext, sha256 } from '../cell.js';
import type { PolicyOptions, SentModule } from '../input/policy-modules.js';
import { type NamedText, type ScenarioSource, SOURCE_OPTIONS, type SourceOptions } from '../input/scenario-file.js';

export const PREFIX = 'lbsim';

/** Cells of one version of lbsim: another one may count otherwise, and never sees them. */
export const queueOf = (version: string): string => `cells-${version}`;

/** What cells have in common is stored once. */
export const contextKey = (id: string): string => `${PREFIX}:context:${id}`;

/** After so long without a sweep that wants it, in seconds. */
export const CONTEXT_S = 3600;

/** How long results wait for whoever asked for them, in seconds: a sweep that died finds them when it goes on. */
export const KEPT_S = 3600;

export const ATTEMPTS = 3;

/** Why a cell was stopped that no sweep waited for any more: whoever wants it now hands it out again. */
export const UNWANTED = 'the sweep that wanted it has ended';

/** The data of a job, whose id is the `cellId`: one that is there is not added again. */
export interface CellJob extends Cell {
  /** Of `contextId`. */
  readonly context: string;
}

/** The result of a job, as JSON has it. */
export type CellAnswer =
  | { readonly run: Omit<RunSummary, 'numbers'>; readonly numbers: Readonly<Record<string, number>> }
  | { readonly problem: string; readonly isLimit?: true };

export function answerOf(result: CellResult): CellAnswer {
  if (result.kind === 'problem') {
    const { problem, isLimit } = result;
    return { problem, ...(isLimit && { isLimit }) };
  }
  const { numbers, ...run } = result.run;
  return { run, numbers: Object.fromEntries(numbers) };
}

export function resultOf(answer: CellAnswer): CellResult {
  if ('problem' in answer) return { kind: 'problem', ...answer };
  return { kind: 'run', run: { ...answer.run, numbers: new Map(Object.entries(answer.numbers)) } };
}

/**
 * What comes from Redis, whoever wrote it there: data of these fields alone. Another field is refused, as it may be one that somebody
 * hopes to have acted upon.
 */

/** @throws Error which says what is wrong. */
export function received(value: unknown, name: string, check: checks.Check): unknown {
  const wrong = check(value, name);
  if (wrong.length === 0) return value;
  throw new Error(`Redis holds what no lbsim of this version writes: ${wrong.join('; ')}`);
}

export const DIGEST = checks.must(
  '64 hexadecimal digits',
  (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value),
);
const FINITE = checks.must('a number', (value) => typeof value === 'number' && Number.isFinite(value));

function tableOf(check: checks.Check): checks.Check {
  return (value, name) => {
    const wrong = checks.ANY_TABLE(value, name);
    if (wrong.length > 0) return wrong;
    return Object.entries(value as object).flatMap(([key, one]) => check(one, `${name}.${key}`));
  };
}

const JOB = checks.allFieldsOf<CellJob>({ context: DIGEST, changes: checks.TEXTS, seed: checks.TEXT });

export const receivedJob = (data: unknown): CellJob => received(data, 'the run', JOB) as CellJob;

const RUN = checks.allFieldsOf<Omit<RunSummary, 'numbers'>>({
  seed: checks.TEXT,
  hosts: tableOf(checks.TEXTS),
  phases: tableOf(checks.TEXTS),
  policies: tableOf(checks.TEXT),
  latencies: tableOf(checks.listOf(FINITE, 'a list of numbers')),
  expect: checks.listOf(
    checks.fieldsOf<RunSummary['expect'][number]>({ expectation: checks.ANY_TABLE, passed: checks.FLAG }, 'passed'),
    'a list of expectations',
  ),
});
const PROBLEM = checks.fieldsOf<Extract<CellAnswer, { readonly problem: string }>>(
  { problem: checks.TEXT, isLimit: checks.FLAG },
  'problem',
);
const NUMBERS = checks.allFieldsOf<Extract<CellAnswer, { readonly run: unknown }>>({
  run: RUN,
  numbers: tableOf(FINITE),
});

export function receivedAnswer(value: unknown): CellAnswer {
  const isProblem = typeof value === 'object' && value !== null && 'problem' in value;
  return received(value, 'the answer', isProblem ? PROBLEM : NUMBERS) as CellAnswer;
}

/** Paths of whoever wrote it are not looked at on this machine. */
const NO_FILES: checks.Check = (value, name) => {
  const wrong = checks.ANY_TABLE(value, name);
  if (wrong.length > 0) return wrong;
  const { policy, allowCode, ...others } = value as PolicyOptions;
  const named = [policy ?? []].flat().map(String);
  if (named.length > 0) return [`${name} names ${named.join(', ')}, and a worker loads no module from a file`];
  if (allowCode !== undefined) return [`${name} has allowCode, which is the worker’s to say`];
  return checks.fieldsOf({})(others, name);
};

const CONTEXT = checks.fieldsOf<CellContext>(
  {
    version: checks.TEXT,
    source: checks.allFieldsOf<ScenarioSource>({
      inputs: checks.listOf(checks.allFieldsOf({ file: checks.TEXT, text: checks.TEXT }), 'a list of files'),
      named: checks.listOf(
        checks.allFieldsOf<NamedText>({ path: checks.TEXT, writtenIn: checks.TEXT, text: checks.TEXT }),
        'a list of files',
      ),
      options: checks.optionsOf<SourceOptions>(SOURCE_OPTIONS),
    }),
    policy: NO_FILES,
    code: checks.listOf(DIGEST, 'a list of SHA-256'),
    modules: checks.listOf(
      checks.allFieldsOf<SentModule>({ name: checks.TEXT, text: checks.TEXT }),
      'a list of modules',
    ),
    everyUs: checks.POSITIVE,
    keep: checks.TEXTS,
  },
  ...(['version', 'source', 'policy', 'code', 'modules'] as const),
);

/** @param allowed SHA-256 of modules that may be run here. @throws Error where it is no context, or holds another. */
export function receivedContext(text: string, allowed: ReadonlySet<string>): CellContext {
  const context = received(jsonOf(text), 'the context', CONTEXT) as CellContext;
  const refused = (context.modules ?? []).filter((module) => !allowed.has(sha256(module.text)));
  if (refused.length > 0) {
    const named = refused.map((module) => `${module.name} (--allow-code ${sha256(module.text)})`).join(', ');
    throw new Error(`it runs code that this worker was not told to run: ${named}`);
  }
  return context;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('Redis holds what no lbsim of this version writes: it is no JSON');
  }
}
