/**
 * Data as modules: tables and recordings are text files, and what runs without files beside it (the library in a browser, the
 * page, a worker) imports them. Each module holds one string or one object, whose
 * type says no more than that, or its names.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './files.mjs';
import { stepsUnion, unionOf, valuesOf } from './kind-types.mjs';
import { readMessages, TYPE_IMPORTS, typesOfMessages } from './message-types.mjs';
import { resultTypes, toldTypes } from './result-types.mjs';

const require = createRequire(import.meta.url);

/** A package: it is asked for late, as scripts that install it import this file. */
const parse = (text, options) => require('yaml').parse(text, options);

const mapValues = (table, change) => Object.fromEntries(Object.entries(table).map(([name, of]) => [name, change(of)]));

const partOf = (table, part) => mapValues(table, (of) => of[part] ?? {});

const withoutComments = (text) => text.replace(/^#.*\n/gm, '');

/** What stands indented below each name. */
const linesByName = (text) =>
  Object.fromEntries(
    withoutComments(text)
      .split(/^(?=\S)/m)
      .map((entry) => entry.trim().split(/\n+ ?/))
      .filter(([name]) => name !== '')
      .map(([name, ...lines]) => [name, lines]),
  );

/** The words of those lines. */
const wordsByName = (text) =>
  Object.fromEntries(Object.entries(linesByName(text)).map(([name, lines]) => [name, lines.join(' ').split(' ')]));

/** Of each name its fields: a word and a text. */
const fieldsByName = (text) =>
  Object.fromEntries(
    Object.entries(linesByName(text)).map(([name, lines]) => [
      name,
      Object.fromEntries(lines.map((line) => /(\w+) (.*)/.exec(line).slice(1))),
    ]),
  );

/** The type of the value of an option, or of an argument. */
function typeOf(flags, { choices, value }) {
  if (!/[<[]/.test(flags)) return 'boolean';
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(' | ');
  const one = value === undefined ? 'string' : `Value<'${value}'>`;
  return flags.includes('...') ? `readonly ${one}[]` : one;
}

/** An option as a member of a type: its flags are `-o, --output <OUT>`, `--link [SITE]`, `--json` or `--no-bars`. */
function optionType(flags, of) {
  const { words, default: byDefault, required } = of;
  const [, no, name] = /--(no-)?([a-z-]+)(?: [<[].*)?$/.exec(flags);
  const member = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const isThere = byDefault !== undefined || required === true || no !== undefined;
  const orAlone = flags.includes('[') ? ' | true' : '';
  const line = `  readonly ${member}${isThere ? '' : '?'}: ${typeOf(flags, of)}${orAlone};\n`;
  return [member, `  /** ${words.replaceAll('*/', '* /')} */\n${line}`];
}

function argumentType(flags, of) {
  const isThere = of.default !== undefined || /^<|\.\.\./.test(flags);
  return `${typeOf(flags, of)}${isThere ? '' : ' | undefined'}`;
}

/** Options that commands share are written out; summaries stand apart, as they are shown together. */
function commandLine(text) {
  const { commands, ...rest } = parse(text, { maxAliasCount: -1 });
  const names = Object.values(rest.groups).flat();
  const summaries = Object.fromEntries(names.map((name) => [name, commands[name].summary]));
  const entriesOf = (lists) =>
    Object.fromEntries(
      lists
        .flat(Infinity)
        .flatMap(Object.entries)
        .map(([flags, of]) => [flags, typeof of === 'string' ? { words: of } : of]),
    );
  const others = Object.entries(commands).map(([name, { argument = {}, options = [], ...of }]) => [
    name,
    { ...of, summary: undefined, work: undefined, argument: entriesOf([argument]), options: entriesOf(options) },
  ]);
  return { ...rest, shared: undefined, summaries, commands: Object.fromEntries(others) };
}

/** What each command is called with, as types: `RunOptions` … and the list of its arguments, which its options follow. */
function typesOfCalls({ commands }) {
  const inWords = (of) => (typeof of === 'string' ? { words: of } : of);
  const called = Object.entries(commands).map(([name, { options = [], argument = {} }]) => {
    // Of --bars and --no-bars the first leaves it open.
    const members = new Map(
      options
        .flat(Infinity)
        .flatMap(Object.entries)
        .map(([flags, of]) => optionType(flags, inWords(of)))
        .reverse(),
    );
    const given = Object.entries(argument).map(([flags, of]) => argumentType(flags, inWords(of)));
    const type = members.size === 0 ? 'object' : `${name[0].toUpperCase()}${name.slice(1)}Options`;
    const body = [...members.values()].reverse().join('');
    return {
      type: members.size === 0 ? '' : `export interface ${type} {\n${body}}\n`,
      call: `  readonly ${name}: [${[...given, type].join(', ')}];\n`,
    };
  });
  const calls = called.map(({ call }) => call).join('');
  return `${called.map(({ type }) => type).join('')}export interface CommandCalls {\n${calls}}\n`;
}

/** What TypeScript calls what a word of src/core/options.ts asks for; else a number. */
const CHECKED = {
  text: 'string',
  texts: 'readonly string[]',
  flag: 'boolean',
  scenario: 'Scenario',
  u64: 'U64',
  u64s: 'readonly U64[]',
};

/** An option as a member of its type; those that are inherited stand in another one. */
function memberOf([name, { is, type, required, words }]) {
  if (is === undefined) return '';
  const checked = Array.isArray(is) ? is.map((one) => `'${one}'`).join(' | ') : (CHECKED[is] ?? 'number');
  const [mark, orNot] = required === true ? ['', ''] : ['?', ' | undefined'];
  return `${words === undefined ? '' : `  /** ${words} */\n`}  readonly ${name}${mark}: ${type ?? checked}${orNot};\n`;
}

/** Each type of options, and by the same name what each option has to be: none of them is left out, and none is too many. */
function optionTypes({ imports = {}, types }) {
  const lines = Object.entries(imports).map(([module, names]) => `import type { ${names} } from '${module}';\n`);
  const declared = Object.entries(types).map(([type, table]) => {
    const { '(words)': words, '(extends)': others, '(besides)': besides = 'object' } = table;
    const options = Object.entries(table).filter(([name]) => !name.startsWith('('));
    const members = options.map(memberOf).join('');
    const head = `${words === undefined ? '' : `/** ${words} */\n`}export interface ${type}`;
    const checks = Object.fromEntries(options.map(([name, { is, inherited }]) => [name, is ?? inherited]));
    return `${head}${others === undefined ? '' : ` extends ${others}`} {${members && `\n${members}`}}
export const ${type} = ${JSON.stringify(checks)} as const satisfies Record<Exclude<keyof ${type}, keyof ${besides}>, unknown>;
`;
  });
  return [...lines, ...declared].join('');
}

/** How the work of each command is loaded, when it is called. */
function workOf({ commands }) {
  const loaders = Object.entries(commands).map(([name, { work = `${name}/${name}` }]) => {
    const [file, own] = work.split('/');
    return `  ${name}: async () => (await import('../../commands/${file}.js')).${own}Command,\n`;
  });
  const type = '{ readonly [Name in keyof CommandCalls]: () => Promise<Work<Name>> }';
  return `export const WORK: ${type} = {\n${loaders.join('')}};\n`;
}

/** What absent fields of the proxy's messages are, as files write it: of those that a table says it of. */
function defaultsOf(...tables) {
  const defaults = {};
  for (const table of tables) {
    let message = '';
    for (const line of table.split('\n')) {
      if (/^[a-z]/.test(line)) message = line.split(' ', 1)[0].replace(/^api\.v2\./, '');
      const [, field, value] = /^ (\w+) .*# default: (\S+)(?: # |$)/.exec(line) ?? [];
      if (field !== undefined) defaults[`${message}.${field}`] = value;
    }
  }
  return defaults;
}

/** Its groups as types: of each the names, with the comments between them. */
function typesOfObstacles(text) {
  const [, splits, expectations, undecided] = text.split(/^\w+:\n/m);
  const union = (lines) =>
    lines
      .split('\n')
      .flatMap((line) => /^ {2}(?:# (?<comment>.*)|(?<name>\w+):.*)$/.exec(line)?.groups ?? [])
      .map(({ comment, name }) => (name === undefined ? `\n  // ${comment}` : `\n  | '${name}'`))
      .join('');
  return `/** Those without numbers. */
export type PlainObstacle =${union(splits)};

/** What of an expectation is beyond predictions. */
export type Unjudged =${union(expectations)};

/** Why no classes of availability decide on a loss. */
export type Undecided =${union(undecided)};

`;
}

/** Its tables as classes of counts. */
function typesOfCounts(text) {
  const count = ([name, words]) =>
    `${words === null ? '' : `  /** ${words} */\n`}  ${name}${name.endsWith('?') ? ': number' : ' = 0'};\n`;
  return Object.entries(parse(text))
    .map(([name, { is, counts }]) => [
      `/** ${is} */\nexport class ${name} {\n`,
      ...Object.entries(counts).map(count),
      '}\n',
    ])
    .flat()
    .join('');
}

/** What AssemblyScript exports, for its callers: all its numbers are numbers. */
function typesOfKernel(...files) {
  const type = (name) => ({ bool: 'boolean', void: 'void' })[name] ?? 'number';
  const members = files
    .flatMap((text) => [...text.matchAll(/^export function (\w+)\(([^)]*)\): (\w+)/gm)])
    .map(([, name, given, result]) => {
      const parameters = given.trim().replace(/: (\w+)/g, (_, one) => `: ${type(one)}`);
      return `  ${name}(${parameters}): ${type(result)};\n`;
    });
  return `export interface HashKernel {\n  readonly memory: WebAssembly.Memory;\n${members.join('')}}\n`;
}

/** The steps of a policy or of a balancer. @param others as of stepsUnion. */
const stepsOf = (name, owner, words, others) => (text) => {
  const own = Object.entries(parse(text).steps).filter(([, { of }]) => of === owner);
  return stepsUnion(name, words, partOf(Object.fromEntries(own), 'inputs'), others);
};

/** As it stands, so that the command reads it without a parser: src/cli/tables-on-disk.ts. In ASCII that is done in half the time. */
const asTemplate = (text) => `\`${inAscii(text.replace(/[\\`]|\$(?=\{)/g, '\\$&'))}\``;

/** A program or a part of one with its characters beyond ASCII written as escapes. */
export const inAscii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Tables of results, by the name that their types go by where there are words beside them. */
const RESULTS = {
  run: 'result/run-result',
  ring: 'result/ring-view',
  predicted: 'predict/prediction',
  explained: 'analysis/explain/explanation',
  little: 'analysis/explain/why-not',
  inspected: 'analysis/inspect/inspection',
  compared: 'analysis/compare/comparison',
  found: 'analysis/prove/findings',
};

const generated = (path) => `${dirname(path)}/generated/${basename(path)}`;

/** The types of results with their words. */
function typesOfTold(told, ...results) {
  const tables = Object.entries(RESULTS).map(([name, path], index) => ({
    ...parse(results[index]),
    name,
    module: `../../${generated(path)}.js`,
  }));
  return toldTypes(parse(told), tables);
}

const MODULES = [
  ...['v2', 'v3'].map((version) => ({
    data: `src/config/api/${version}.txt`,
    module: `src/config/api/generated/${version}-table.ts`,
    head: 'TABLE: string',
    value: withoutComments,
    literal: asTemplate,
  })),
  {
    data: ['src/config/api/v2.txt', 'src/config/api/v3.txt'],
    module: 'src/core/generated/defaults.ts',
    head: 'DEFAULTS: Readonly<Record<string, string>>',
    value: defaultsOf,
  },
  {
    data: ['read', 'v2', 'v3'].map((name) => `src/config/api/${name}.txt`),
    module: 'src/config/api/generated/read-messages.ts',
    head: 'READ_MESSAGES: Readonly<Record<string, Readonly<Record<string, FieldAbsent>>>>',
    imports: `import type { FieldAbsent } from '../../reader/schema.js';
export type { Messages } from '../../../core/generated/message-types.js';
`,
    value: (read, ...tables) => readMessages(linesByName(read), ...tables),
  },
  {
    // Apart, for the settings of the engine, some of which are messages.
    data: ['read', 'v2', 'v3'].map((name) => `src/config/api/${name}.txt`),
    module: 'src/core/generated/message-types.ts',
    imports: TYPE_IMPORTS,
    types: (read, ...tables) => typesOfMessages(linesByName(read), ...tables),
  },
  {
    data: ['ring', 'maglev', 'texts'].map((name) => `src/hash/kernel/assembly/${name}.ts`),
    module: 'src/hash/kernel/generated/kernel-types.ts',
    types: typesOfKernel,
  },
  {
    data: 'src/settings/behavior-fields.yaml',
    module: 'src/settings/generated/behavior-fields.ts',
    imports: `import type { LoadReport } from '../../policy/load-report.js';
import type { DurationDistribution as Duration } from '../../random/distributions.js';
`,
    types: (text) => valuesOf('Behavior', parse(text), ['IDEAL_BEHAVIOR', 'BEHAVIOR_WORDS']),
  },
  {
    data: 'src/settings/measures.yaml',
    module: 'src/settings/generated/measures.ts',
    head: 'MEASURE_UNITS',
    imports: `import type { FailureCause } from '../../core/failure-cause.js';
import type { NAMES } from '../../core/generated/names.js';
import type { Micros } from '../../core/units.js';
import type { Selector } from '../selector.js';
`,
    value: (text) => mapValues(parse(text).subjects, ({ unit }) => unit),
    tail: ' as const',
    types: (text) =>
      resultTypes(parse(text)) + unionOf('MeasureSubject', undefined, partOf(parse(text).subjects, 'has')),
  },
  {
    data: 'src/policy/foreign/faults.yaml',
    module: 'src/policy/foreign/generated/faults.ts',
    head: 'FAULTS',
    value: (text) => mapValues(parse(text), ({ says }) => says),
    tail: ' as const',
    types: (text) =>
      unionOf(
        'PolicyFault',
        'How a custom policy violated its interface; `value`: what it gave, in short.',
        partOf(parse(text), 'has'),
      ),
  },
  { data: 'src/core/counts.yaml', module: 'src/core/generated/counts.ts', types: typesOfCounts },
  {
    data: 'src/config/known-names.txt',
    module: 'src/config/generated/known-names.ts',
    head: 'KNOWN_NAMES',
    value: wordsByName,
    tail: ' satisfies Readonly<Record<string, readonly string[]>>',
  },
  {
    data: 'src/config/api/telling-fields.txt',
    module: 'src/config/api/generated/telling-fields.ts',
    head: "TELLING_FIELDS: Readonly<Record<'bootstrap' | 'newer' | 'older' | 'extended', readonly string[]>>",
    value: linesByName,
  },
  {
    data: 'src/config/api/hints.txt',
    module: 'src/config/api/generated/hints.ts',
    head: 'HINTS: Readonly<Record<string, Readonly<Record<string, string>>>>',
    value: fieldsByName,
  },
  {
    data: 'src/scenario/secret-names.txt',
    module: 'src/scenario/generated/secret-names.ts',
    head: 'SECRET_NAMES',
    value: wordsByName,
    tail: ' as const',
  },
  {
    data: 'src/scenario/modules/members.yaml',
    module: 'src/scenario/modules/generated/members.ts',
    head: 'MEMBERS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  ...[
    ['src/scenario', 'origins'],
    ['src/scenario', 'topics'],
    ['src/scenario/assemble', 'phrases'],
    ['src/scenario/assemble', 'usual-traffic'],
    ['src/scenario/check', 'costs'],
    ['src/scenario/check', 'findings'],
    ['src/scenario/fields', 'relative-parts'],
    ['src/scenario/objects', 'edited'],
    ['src/scenario/objects', 'objects'],
    ['src/hostset', 'unset'],
    ['src/core', 'names'],
    ['src/config', 'own-names'],
    ['src/web/pages', 'flags'],
  ].map(([folder, name]) => ({
    data: `${folder}/${name}.yaml`,
    module: `${folder}/generated/${name}.ts`,
    head: name.toUpperCase().replace('-', '_'),
    value: (text) => parse(text),
    tail: ' as const',
  })),
  ...[
    ...['analysis/options', 'policies/picker-options', 'scenario/load-options', 'testing/law-options'],
    ...['report/layout-options', 'report/run/text-options', 'cli/laws/described'],
  ].map((path) => ({
    data: `src/${path}.yaml`,
    module: `src/${generated(path)}.ts`,
    types: (text) => optionTypes(parse(text)),
  })),
  ...['hostset/descriptions', 'result/facts', 'analysis/experiments', ...Object.values(RESULTS)].map((path) => ({
    data: `src/${path}.yaml`,
    module: `src/${generated(path)}.ts`,
    types: (text) => resultTypes(parse(text)),
  })),
  {
    data: ['words/results', ...Object.values(RESULTS)].map((path) => `src/${path}.yaml`),
    module: 'src/words/generated/results.ts',
    types: typesOfTold,
  },
  {
    data: 'src/scenario/added-policy.yaml',
    module: 'src/scenario/generated/added-policy.ts',
    head: 'ADDED_POLICY: Readonly<Record<string, unknown>> & { readonly properties: object }',
    value: (text) => parse(text),
  },
  ...['evidence', 'lb-defaults'].map((name) => ({
    data: `src/core/${name}.yaml`,
    module: `src/core/generated/${name}.ts`,
    head: name.replace('-', '_').toUpperCase(),
    value: (text) => parse(text),
    tail: ' as const',
  })),
  {
    data: 'src/policy/policy-facts.yaml',
    module: 'src/policy/generated/policy-facts.ts',
    head: 'FACTS',
    value: (text) => Object.fromEntries(Object.entries(parse(text)).map(([name, of]) => [name, { name, ...of }])),
    tail: ' as const',
  },
  ...['core/problems', 'core/quirks', 'web/pages/pages'].map((path) => ({
    data: `src/${path}.txt`,
    module: `src/${dirname(path)}/generated/${basename(path)}.ts`,
    head: basename(path).toUpperCase(),
    value: fieldsByName,
    // Their names are a closed set.
    tail: ' as const',
  })),
  {
    data: 'src/stats/stat-names.txt',
    module: 'src/stats/generated/stat-names.ts',
    head: 'STAT_NAMES',
    value: linesByName,
    tail: ' as const',
  },
  {
    data: 'src/scenario/fields/vocabulary.yaml',
    module: 'src/scenario/fields/generated/vocabulary.ts',
    head: 'VOCABULARY',
    value: (text) => ({ ...parse(text, { merge: true, maxAliasCount: -1 }), shared: undefined }),
    tail: ' as const',
  },
  {
    data: 'src/config/policy/places.yaml',
    module: 'src/config/policy/generated/places.ts',
    head: 'PLACES: Readonly<Record<string, Readonly<Record<string, string>>>>',
    value: (text) => parse(text, { merge: true }),
  },
  {
    data: 'src/scenario/input/forms.yaml',
    module: 'src/scenario/input/generated/forms.ts',
    head: 'FORMS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/scenario/lint/rules.yaml',
    module: 'src/scenario/lint/generated/lint-rules.ts',
    head: 'RULES',
    // The rest is for documentation and tests.
    value: (text) =>
      Object.fromEntries(
        parse(text)
          .flatMap(({ rules }) => Object.entries(rules))
          .map(([name, { severity, runs, at, says, ignored }]) => [name, { severity, runs, at, says, ignored }]),
      ),
    tail: ' as const',
  },
  {
    data: 'src/config/refusals.yaml',
    module: 'src/config/generated/refusals.ts',
    head: 'REFUSALS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/predict/plain-obstacles.yaml',
    module: 'src/predict/generated/plain-obstacles.ts',
    head: 'PLAIN_OBSTACLES: Readonly<Record<PlainObstacle | Unjudged | Undecided, string>>',
    value: (text) => Object.assign({}, ...Object.values(parse(text))),
    types: typesOfObstacles,
  },
  {
    data: 'src/words/sentences.yaml',
    module: 'src/words/generated/sentences.ts',
    head: 'SENTENCES',
    // What facts have is for their types.
    value: (text) => {
      const { steps, step_types: _, splits, reasons, ...others } = parse(text);
      const said = Object.entries(splits).flatMap(([kind, { says }]) => (says === undefined ? [] : [[kind, says]]));
      return {
        ...others,
        reasons: { ...Object.fromEntries(said), ...reasons },
        steps: mapValues(steps, ({ step, rule, outcome }) => ({ step, rule, outcome })),
      };
    },
    tail: ' as const',
  },
  {
    data: 'src/words/sentences.yaml',
    module: 'src/hostset/generated/split-facts.ts',
    imports: `import type { ZoneOff } from '../describe.js';
import type { EmptyTable } from '../normalized-weights.js';
import type { AggregateLevel, Available, Cover, FactScope, LevelLoad, OfPriority } from './descriptions.js';
`,
    types: (text) =>
      unionOf(
        'SplitFact',
        'Why a split is not what weights alone would give: a gate that acted, with the numbers that it compared.',
        partOf(parse(text).splits, 'has'),
        'FactScope',
      ),
  },
  {
    data: 'src/words/sentences.yaml',
    module: 'src/policy/generated/policy-steps.ts',
    types: (text) =>
      resultTypes({ types: parse(text).step_types }) +
      stepsOf('PolicyStep', 'policy', 'One step of a policy: its kind, and the numbers that it looked at.')(text),
  },
  {
    data: 'src/words/sentences.yaml',
    module: 'src/hostset/generated/balancer-steps.ts',
    imports: `import type { ClientPlace, ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { PolicyStep, Step } from '../../policy/generated/policy-steps.js';
import type { ZoneOff } from '../describe.js';
import type { EmptyTable } from '../normalized-weights.js';
import type { AggregateLevel, Available } from './descriptions.js';
import type { PanicEffect } from '../priority-load.js';
import type { StepZoneShares } from '../zone-aware.js';
`,
    types: stepsOf(
      'BalancerStep',
      'balancer',
      'One step of a decision: its kind, and the numbers that it looked at. Never read by the code that decides.',
      ['PolicyStep'],
    ),
  },
  ...[
    'cli/long-sentences',
    'cli/fleet/redis-errors',
    'analysis/observe/observed',
    'analysis/replicate/notes',
    'report/sentences',
    'report/snippets',
  ].map((name) => ({
    data: `src/${name}.yaml`,
    module: `src/${dirname(name)}/generated/${basename(name)}.ts`,
    head: basename(name).replace('-', '_').toUpperCase(),
    value: (text) => parse(text),
    tail: ' as const',
  })),
  {
    data: 'src/stats/dashboard.json',
    module: 'src/stats/generated/dashboard.ts',
    head: "DASHBOARD: Readonly<Record<'command' | 'threadPool', Readonly<Record<string, unknown>>>>",
    value: JSON.parse,
  },
  {
    data: 'src/testing/recorded/records.json',
    module: 'src/testing/recorded/generated/records.ts',
    head: 'RECORDS: Readonly<Record<string, readonly string[]>>',
    value: JSON.parse,
  },
  {
    data: 'src/testing/recorded/emphases.yaml',
    module: 'src/testing/recorded/generated/emphases.ts',
    head: 'EMPHASES',
    value: (text) => parse(text, { merge: true }),
    tail: ' as const',
  },
  {
    data: 'src/testing/recorded/choices.yaml',
    module: 'src/testing/recorded/generated/choices.ts',
    head: 'CHOICES',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/testing/mix/pools.yaml',
    module: 'src/testing/mix/generated/pools.ts',
    head: 'POOLS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/cli/program/commands.yaml',
    module: 'src/cli/program/generated/commands.ts',
    head: 'COMMAND_LINE: CommandLine',
    value: commandLine,
    imports: "import type { CommandLine, Value } from '../option-values.js';\n",
    types: (text) => typesOfCalls(parse(text, { maxAliasCount: -1 })),
  },
  {
    data: 'src/cli/program/commands.yaml',
    module: 'src/cli/program/generated/work.ts',
    imports: "import type { Work } from '../../session.js';\nimport type { CommandCalls } from './commands.js';\n",
    types: (text) => workOf(parse(text, { maxAliasCount: -1 })),
  },
  {
    data: 'src/site/view/marks.yaml',
    module: 'src/site/view/generated/marks.ts',
    head: 'MARKS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/cli/papers/papers.yaml',
    module: 'src/cli/papers/generated/papers.ts',
    head: 'PAPERS',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/analysis/verify/not-compared.yaml',
    module: 'src/analysis/verify/generated/not-compared.ts',
    head: 'NOT_COMPARED',
    value: (text) => parse(text),
    tail: ' as const',
  },
  {
    data: 'src/cli/system-errors.txt',
    module: 'src/cli/generated/system-errors.ts',
    head: "SYSTEM_ERRORS: Readonly<Record<string, Partial<Readonly<Record<'file' | 'port' | 'redis' | 'receiver', string>>>>>",
    value: fieldsByName,
  },
  ...[
    ...['scenario', 'policy', 'policy-test'].map((name) => `cli/starters/${name}`),
    ...['cli/completion/bash', 'cli/completion/zsh', 'real-proxy/guard', 'site/gallery/page', 'web/pages/index'],
  ].map((path) => ({
    data: `src/${path}.txt`,
    module: `src/${dirname(path)}/generated/${basename(path)}.ts`,
    head: 'TEXT: string',
    value: (text) => text,
  })),
];

/** What modules are made of, and with: tables, these scripts and the package that reads YAML. */
const MADE_OF = [
  ...new Set(MODULES.flatMap(({ data }) => data)),
  ...['data-modules', 'kind-types', 'message-types', 'result-types'].map((script) => `scripts/${script}.mjs`),
  'node_modules/yaml/package.json',
];

/** Of files that are there; undefined: one is not. */
function digestOf(paths) {
  const digest = createHash('sha256');
  try {
    for (const path of paths)
      digest
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
  } catch {
    return undefined;
  }
  return digest.digest('hex');
}

/** Writes the modules that are not what their data says: anew where that changed, none at most starts. */
export function writeDataModules() {
  const modules = MODULES.map(({ module }) => module);
  // To read the tables takes two seconds of CPU, each start of a test: what they gave is known by what they are.
  const note = join(root, 'node_modules/.cache/lbsim-data-modules', digestOf(MADE_OF) ?? 'none');
  if (isWritten(note, digestOf(modules))) return removeOthers(modules);
  for (const one of MODULES) {
    const { data, module, head, value, tail = '', imports = '', types = () => '', literal = JSON.stringify } = one;
    const paths = [data].flat();
    const texts = paths.map((path) => readFileSync(join(root, path), 'utf8'));
    const made = `// Made of ${paths.map((path) => basename(path)).join(' and ')} by scripts/data-modules.mjs.\n`;
    const constant = value && `export const ${head} = ${literal(value(...texts))}${tail};\n`;
    const source = `${made}${imports}${constant ?? ''}${types(...texts)}`;
    const file = join(root, module);
    if (isWritten(file, source)) continue;
    mkdirSync(dirname(file), { recursive: true });
    // Several processes may do so at a time: each reader sees a whole file.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, source);
    renameSync(unfinished, file);
  }
  removeOthers(modules);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, digestOf(modules));
}

const OF_DATA = /^\/\/ Made of .* by scripts\/data-modules\.mjs\.\n/;

/** What was made of data that has gone since. */
function removeOthers(modules) {
  const known = new Set(modules.map((module) => join(root, module)));
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (basename(entry.parentPath) !== 'generated' || known.has(file) || !entry.name.endsWith('.ts')) continue;
    if (OF_DATA.test(readFileSync(file, 'utf8'))) rmSync(file, { force: true });
  }
}

function isWritten(file, source) {
  try {
    return readFileSync(file, 'utf8') === source;
  } catch {
    return false;
  }
}
