/**
 * The `lbsim` command as a few files in dist/cli/: a process that lives for a second spends a third of it on finding and
 * linking hundreds of modules otherwise. What a command needs alone stays in a file of its own, loaded when that command
 * is called. The library keeps its modules and types, as the compiler writes them.
 *
 * Names are not shortened: the stack of a defect must be readable.
 */
import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/experimental';
import { noteBundled, packagesOf } from './bundled.mjs';
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

/** What the queue of a fleet has for others: its tables in PostgreSQL, and jobs by the calendar. */
const LEFT_OUT = {
  'bullmq/dist/esm/postgres/sql-scripts.js': 'export const SQL_COMMANDS = {}, SQL_MIGRATIONS = {};',
  'node_modules/cron-parser/dist/index.js': 'export const CronExpressionParser = undefined;',
};

/** The same program: no text of it is one that keeps its escapes (`String.raw`). */
function inAscii(code) {
  if (code.includes('String.raw`')) throw new Error('String.raw keeps escapes as they are written');
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: {
    main: 'src/cli/bundled.ts',
    command: 'src/cli/main.ts',
    thread: 'src/cli/thread.ts',
  },
  // Threads begin at a file of the first, the second is a library of the machine's own; the others are large, installed for the
  // library, and what few commands need.
  external: ['piscina', 'libsql', 'fast-check', 'jstat'],
  plugins: [
    {
      name: 'left-out',
      load(id) {
        const file = id.replaceAll('\\', '/');
        // Of its scripts in Lua what the server skips.
        if (/\/bullmq\/dist\/esm\/scripts\/[^/]+\.js$/.test(file)) {
          return readFileSync(id, 'utf8').replaceAll(/--\[\[[^]*?\]\]\n?|^[ \t]*--.*\n|^[ \t]+|^\n/gm, '');
        }
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
  plugins: [
    {
      name: 'packages',
      // Code of others alone, half a megabyte of it for a fleet of workers: nobody reads its stack for a defect of ours. Of our
      // own only white space goes.
      generateBundle: (_, files) => {
        for (const file of Object.values(files)) {
          if (file.type !== 'chunk') continue;
          const isForeign = !file.isEntry && file.moduleIds.every((id) => /[/\\]node_modules[/\\]/.test(id));
          const how = isForeign ? {} : { compress: false, mangle: false };
          file.code = minifySync(file.fileName, file.code, { ...how, sourceType: 'script' }).code;
        }
      },
    },
    {
      name: 'ascii',
      // A file with a single character beyond Latin-1 takes the engine twice the memory, and longer to read.
      generateBundle: (_, files) => {
        for (const file of Object.values(files)) if (file.type === 'chunk') file.code = inAscii(file.code);
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
