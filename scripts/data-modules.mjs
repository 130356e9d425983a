/**
 * Data as modules: tables and recordings are text files, and what runs without files beside it (the library in a browser, the
 * page, a worker) imports them. Each module holds one string or one object, whose
 * type says no more than that, or its names.
 */
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './files.mjs';

const require = createRequire(import.meta.url);

/** A package: it is asked for late, as scripts that install it import this file. */
const parse = (text, options) => require('yaml').parse(text, options);

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

/** Of each name its fields: a word and a text. */
const fieldsByName = (text) =>
  Object.fromEntries(
    Object.entries(linesByName(text)).map(([name, lines]) => [
      name,
      Object.fromEntries(lines.map((line) => /(\w+) (.*)/.exec(line).slice(1))),
    ]),
  );

const MODULES = [
  ...['v2', 'v3'].map((version) => ({
    data: `src/config/api/${version}.txt`,
    module: `src/config/api/generated/${version}-table.ts`,
    head: 'TABLE: string',
    value: withoutComments,
  })),
  {
    data: 'src/config/api/telling-fields.txt',
    module: 'src/config/api/generated/telling-fields.ts',
    head: "TELLING_FIELDS: Readonly<Record<'bootstrap' | 'newer' | 'extended', readonly string[]>>",
    value: linesByName,
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
    data: 'src/cli/program/commands.yaml',
    module: 'src/cli/program/generated/commands.ts',
    head: 'COMMAND_LINE: unknown',
    // Options that commands share are written out.
    value: (text) => ({ ...parse(text, { maxAliasCount: -1 }), shared: undefined }),
  },
  {
    data: 'src/cli/papers/papers.yaml',
    module: 'src/cli/papers/generated/papers.ts',
    head: 'PAPERS',
    value: (text) => parse(text),
  },
  ...['scenario', 'policy', 'policy-test'].map((name) => ({
    data: `src/cli/starters/${name}.txt`,
    module: `src/cli/starters/generated/${name}.ts`,
    head: 'TEXT: string',
    value: (text) => text,
  })),
];

/** Writes the modules that are not what their data says: anew where that changed, none at most starts. */
export function writeDataModules() {
  for (const { data, module, head, value, tail = '' } of MODULES) {
    const text = readFileSync(join(root, data), 'utf8');
    const literal = `${JSON.stringify(value(text))}${tail}`;
    const source = `// Made of ${basename(data)} by scripts/data-modules.mjs.\nexport const ${head} = ${literal};\n`;
    const file = join(root, module);
    if (isWritten(file, source)) continue;
    mkdirSync(dirname(file), { recursive: true });
    // Several processes may do so at a time: each reader sees a whole file.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, source);
    renameSync(unfinished, file);
  }
}

function isWritten(file, source) {
  try {
    return readFileSync(file, 'utf8') === source;
  } catch {
    return false;
  }
}
