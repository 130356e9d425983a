/**
 * The `lbsim` command as a few files in dist/cli/: a process that lives for a second spends a third of it on finding and
 * linking hundreds of modules otherwise. What a command needs alone stays in a file of its own, loaded when that command
 * is called, and so does what few files need (`ON_DEMAND`). The library keeps its modules and types, as the compiler writes them.
 *
 * Names of functions are not shortened: the stack of a defect must be readable.
 */
import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/experimental';
import { parseSync, Visitor } from 'rolldown/utils';
import { noteBundled, packagesOf } from './bundled.mjs';
import { inAscii } from './data-modules.mjs';
import { root } from './files.mjs';

// As deep as src/cli/: both find the package's own files at the same place (src/cli/package-root.ts).
const folder = join(root, 'dist/cli');

/** The licences of the packages that are part of the bundle ask to come along. */
function licences(modules) {
  return packagesOf(modules)
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : `\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license ?? 'as below'})\n${text}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** What commander starts programs with, which takes Node long to load: no command of ours is a program of its own. */
const PROGRAMS = "const childProcess = require('node:child_process');";

/** What the queue of a fleet has for others: its tables in PostgreSQL, and jobs by the calendar. */
const LEFT_OUT = {
  'bullmq/dist/esm/postgres/sql-scripts.js': 'export const SQL_COMMANDS = {}, SQL_MIGRATIONS = {};',
  'node_modules/cron-parser/dist/index.js': 'export const CronExpressionParser = undefined;',
};

/** The same program: no text of it is one that keeps its escapes (`String.raw`). */
function programInAscii(code) {
  if (code.includes('String.raw`')) throw new Error('String.raw keeps escapes as they are written');
  return inAscii(code);
}

/** The same program with texts in quotes, which the engine reads faster than the templates that make it shorter. */
function inQuotes(name, code) {
  const parts = [];
  let from = 0;
  const { program } = parseSync(name, code, { sourceType: 'script' });
  const tagged = new Set();
  const visitor = new Visitor({
    TaggedTemplateExpression: ({ quasi }) => tagged.add(quasi),
    TemplateLiteral(template) {
      if (template.expressions.length > 0 || tagged.has(template)) return;
      parts.push(code.slice(from, template.start), JSON.stringify(template.quasis[0].value.cooked));
      from = template.end;
    },
  });
  visitor.visit(program);
  return `${parts.join('')}${code.slice(from)}`;
}

/** What a file exports, as the bundler writes it. */
const EXPORTED =
  /Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);\n/g;

/**
 * Names that a file exports are set at once, without a function that reads each: none is given another value later. A file that
 * is loaded in a circle has the object already, so that it stays. In one call: for hundreds of assignments the engine would make an
 * object of another shape each time.
 */
function exportedAtOnce(code) {
  const names = [];
  const rest = code.replaceAll(EXPORTED, (_, name, local) => {
    if ([';', ' ='].some((next) => code.includes(`\nlet ${local}${next}`)))
      throw new Error(`${local} is exported and changes`);
    names.push(`${name}: ${local}`);
    return '';
  });
  return names.length === 0 ? rest : `${rest}Object.assign(exports, { ${names.join()} });`;
}

/**
 * Modules of functions that few calls need, loaded with all that only they need when one of them is called. Anything else that they
 * export cannot be imported: the build says so.
 */
const ON_DEMAND = [
  ...[
    'cli/output/output-files',
    'config/json-schema',
    'config/reader/extension-points',
    'config/write',
    'core/regex/parse-regex',
    'policy/foreign/adapted-module',
    'policy/policy-of',
    'predict/under-load/under-load',
    'report/prediction-json',
    'scenario/fields/policy-settings',
    'scenario/fields/trace',
    'scenario/lint/rules',
    'scenario/input/gather',
    'scenario/input/rates',
    'scenario/input/routes',
    'scenario/modules/module-shape',
    'scenario/objects/control-planes',
    'scenario/options/apply-hosts-option',
    'scenario/options/set-path',
    'scenario/secrets',
    'stats/tags',
    'upstream/discovery/dns-discovery',
  ].map((part) => `src/${part}.ts`),
  ...['stringify', 'stringifyCollection', 'stringifyDocument', 'stringifyPair', 'stringifyString'].map(
    (part) => `node_modules/yaml/browser/dist/stringify/${part}.js`,
  ),
];
/** A package that is one function. */
const WIDTH = 'string-width';
const IN_PLACE = '\0on-demand:';
const fileOf = (part) => basename(part).replace(/\.[jt]s$/, '');

const onDemand = {
  name: 'on-demand',
  resolveId(source, importer) {
    if (importer?.startsWith(IN_PLACE)) return { id: source, external: true };
    const path = importer && relative(root, join(importer, '..', source)).replaceAll('\\', '/');
    const part = importer && source === WIDTH ? WIDTH : ON_DEMAND.find((one) => path === one.replace(/\.ts$/, '.js'));
    return part && { id: `${IN_PLACE}${part}`, moduleSideEffects: false };
  },
  load(id) {
    if (!id.startsWith(IN_PLACE)) return null;
    const part = id.slice(IN_PLACE.length);
    const start = `let part;\nconst load = () => (part ??= require('./${fileOf(part)}.js'));\n`;
    if (part === WIDTH) return `${start}export default (...given) => load()(...given);\n`;
    const text = readFileSync(join(root, part), 'utf8');
    const functions = text.matchAll(
      /^export (?:(?:async )?function\*? (?<name>\w+)|const (?<short>\w+) = (?:async )?[(<]|\{ (?<names>.*) \};$)/gm,
    );
    const names = Array.from(functions, ({ groups: { name, short, names = name ?? short } }) =>
      names.split(', '),
    ).flat();
    const calls = names.map((name) => `export const ${name} = (...given) => load().${name}(...given);\n`);
    return `${start}${calls.join('')}`;
  },
};

/** What help says of a command and its options is read for the command that is called. */
const helpApart = {
  name: 'help-apart',
  transform(code, id) {
    if (!id.endsWith('/program/generated/commands.ts')) return null;
    const line = code.split('\n').find((one) => one.startsWith('export const COMMAND_LINE'));
    const { commands, ...shared } = JSON.parse(line.slice(line.indexOf('{'), -1));
    const getters = Object.entries(commands).map(([name, help]) => {
      const fileName = `${name}.json`;
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(help) });
      return `get ${name}() { return require('./${fileName}'); },\n`;
    });
    return `export const COMMAND_LINE = { ...${JSON.stringify(shared)}, commands: {\n${getters.join('')}} };\n`;
  },
  resolveId: (source, importer) =>
    importer?.includes('/generated/') && source.endsWith('.json') ? { id: source, external: true } : null,
};

/** Tables that the build made of data, in a file each, by what stands for them in the code. */
const TABLE = /^export const (\w+)(?:: [^=]*?)? =\s+(["'[{].*["'\]}])(?: as const| satisfies .*)?;$/m;
const LARGE = 1500;
const tables = new Set();

/** The engine reads a table as data, which takes it less than as code, and only where one is asked for. */
const tablesApart = {
  name: 'tables-apart',
  transform(code, id) {
    const path = relative(join(root, 'src'), id).replaceAll('\\', '/');
    const isTable = /\/generated\/[\w-]+\.ts$/.test(path) && code.split('export const ').length === 2;
    const [, name, source] = (isTable && code.length > LARGE && TABLE.exec(code)) || [];
    if (source === undefined) return null;
    const fileName = `${path.slice(0, -'.ts'.length).replace('generated/', '').replaceAll('/', '-')}.json`;
    this.emitFile({ type: 'asset', fileName, source: inAscii(source.replace(/^'(.*)'$/, '"$1"')) });
    tables.add(id);
    return `export const ${name} = /* @__PURE__ */ require('./${fileName}');\n`;
  },
};

/** Each table is read when it is first looked at: `require` would look for a file whose place is known. */
function readLate(code) {
  const files = new Map(
    Array.from(code.matchAll(/^const ([\w$]+) = .*require\("\.\/(.*\.json)"\);$/gm), ([, ...one]) => one),
  );
  const getters = Array.from(code.matchAll(EXPORTED), ([, name, local]) => {
    return `get ${name}() { return ${local} ??= read("${files.get(local)}"); }`;
  });
  return `"use strict";
const { readFileSync } = require("node:fs");
const read = (name) => JSON.parse(readFileSync(\`\${__dirname}/\${name}\`, "utf8"));
let ${[...files.keys()].join()};
module.exports = { ${getters.join()} };
`;
}

/** What stays together, in a file each: what the first of these needs in any case, then what the next needs besides. */
const STAGES = {
  start: 'cli/main',
  reading: 'cli/commands/validate',
  policies: 'policy/policy-of',
  predicting: 'cli/commands/predict',
  running: 'cli/commands/run',
};

function* reachedFrom(entry, getModuleInfo) {
  const [seen, queue] = [new Set(), [entry]];
  for (const id of queue) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield id;
    queue.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
}

const stageOf = new Map();

/** Packages stay apart, to be shortened, and where a program begins: what others load must not begin it. */
function fileInStages(id, context) {
  if (tables.has(id)) return 'tables';
  if (stageOf.size === 0)
    for (const [stage, entry] of Object.entries(STAGES))
      for (const one of reachedFrom(join(root, `src/${entry}.ts`), (id) => context.getModuleInfo(id)))
        if (!stageOf.has(one)) stageOf.set(one, stage);
  const stage = stageOf.get(id);
  return stage === undefined || context.getModuleInfo(id)?.isEntry ? null : isForeign(id) ? `${stage}-packages` : stage;
}

const isForeign = (id) => /[/\\]node_modules[/\\]/.test(id);

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: {
    main: 'src/cli/bundled.ts',
    command: 'src/cli/main.ts',
    thread: 'src/cli/thread.ts',
    [WIDTH]: WIDTH,
    ...Object.fromEntries(ON_DEMAND.map((part) => [fileOf(part), part])),
  },
  // Threads begin at a file of the first, the second is a library of the machine's own; the others are large, installed for the
  // library, and what few commands need.
  external: ['piscina', 'libsql', 'fast-check', 'jstat'],
  preserveEntrySignatures: 'allow-extension',
  plugins: [
    onDemand,
    helpApart,
    tablesApart,
    {
      name: 'left-out',
      load(id) {
        const file = id.replaceAll('\\', '/');
        // Of its scripts in Lua what the server skips.
        if (/\/bullmq\/dist\/esm\/scripts\/[^/]+\.js$/.test(file)) {
          return readFileSync(id, 'utf8').replaceAll(/--\[\[[^]*?\]\]\n?|^[ \t]*--.*\n|^[ \t]+|^\n/gm, '');
        }
        if (file.endsWith('/commander/lib/command.js')) return readFileSync(id, 'utf8').replace(PROGRAMS, '');
        return Object.entries(LEFT_OUT).find(([end]) => file.endsWith(`/${end}`))?.[1];
      },
    },
  ],
  platform: 'node',
  tsconfig: 'scripts/tsconfig.build.json',
  resolve: {
    alias: {
      // As modules, of which only what is used comes along.
      yaml: join(root, 'node_modules/yaml/browser/index.js'),
      './table-text.js': join(root, 'src/cli/tables-on-disk.ts'),
    },
    extensionAlias: { '.js': ['.ts', '.js'] },
    // `main` of some packages is a module that looks for its parts at run time.
    mainFields: ['module', 'main'],
  },
});
const { output } = await bundle.write({
  dir: folder,
  format: 'cjs',
  strict: true,
  // The engine reads them, too.
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  minifyInternalExports: true,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'stages', name: fileInStages }],
  },
  plugins: [
    {
      name: 'packages',
      // Of our own code what a stack shows stays: nobody reads that of code of others for a defect of ours.
      generateBundle: (_, files) => {
        for (const file of Object.values(files)) {
          if (file.type !== 'chunk') continue;
          const isOfOthers = !file.isEntry && file.moduleIds.every(isForeign);
          const how = isOfOthers
            ? {}
            : { compress: { keepNames: { function: true, class: true } }, mangle: { toplevel: true, keepNames: true } };
          file.code = minifySync(
            file.fileName,
            file.name === 'tables' ? readLate(file.code) : exportedAtOnce(file.code),
            { ...how, sourceType: 'script' },
          ).code;
        }
      },
    },
    {
      name: 'ascii',
      // A file with a single character beyond Latin-1 takes the engine twice the memory, and longer to read.
      generateBundle: (_, files) => {
        for (const file of Object.values(files))
          if (file.type === 'chunk') file.code = programInAscii(inQuotes(file.fileName, file.code));
      },
    },
  ],
});
// The package as a whole is of ES modules.
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
chmodSync(join(folder, 'main.js'), 0o755);
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(join(folder, 'third-party-licenses.txt'), licences(modules));
noteBundled('cli', modules);
