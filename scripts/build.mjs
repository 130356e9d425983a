/**
 * `npm run build`, also before `npm pack`: the WebAssembly kernels, then the library into dist/, the command into dist/cli/, the page of
 * the playground into dist/site/, and a note there of what it was built from, so that the next `npm start` need not build again.
 */
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeDataModules } from './data-modules.mjs';
import { filesBelow, root } from './files.mjs';
import { installOrExit } from './install.mjs';

const NOTE = 'dist/.built-from.json';
/** What the build itself makes of sources. */
const GENERATED = /\/generated\//;
const COMMAND = 'dist/cli/';
const SITE = 'dist/site/';

/** One digest of every file the build reads, names included. */
function inputDigest() {
  const inputs = [
    ...filesBelow('src').filter((path) => !GENERATED.test(path)),
    ...filesBelow('scenarios').filter((path) => path.endsWith('.yaml')),
    ...['build', 'build-page', 'build-wasm', 'bundle', 'bundled', 'page-parts'].map(
      (script) => `scripts/${script}.mjs`,
    ),
    ...['data-modules', 'kind-types', 'message-types', 'result-types'].map((script) => `scripts/${script}.mjs`),
    ...['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/tsconfig.build.json'],
  ];
  const digest = createHash('sha256');
  for (const path of inputs)
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return digest.digest('hex');
}

/** Whether dist/ was built from the sources as they are now and is complete. */
export function isBuilt() {
  let note;
  try {
    note = JSON.parse(readFileSync(join(root, NOTE), 'utf8'));
  } catch {
    return false;
  }
  return note.inputs === inputDigest() && note.outputs.every((path) => existsSync(join(root, path)));
}

const running = new Set();

/** A process; where one fails, those beside it are ended, too. */
async function step(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  running.add(child);
  const [status, signal] = await once(child, 'close');
  running.delete(child);
  if (status === 0) return;
  for (const other of running) other.kill();
  process.exit(signal === 'SIGINT' ? 130 : (status ?? 1));
}

/** Types that no entry of the package leads to are not shipped. @returns whether all that one leads to are there. */
function keepTypesOfEntries() {
  const reached = new Set();
  const reach = (path) => {
    if (reached.has(path)) return true;
    reached.add(path);
    if (!existsSync(join(root, path))) return false;
    const imports = readFileSync(join(root, path), 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)\.js['"]/g,
    );
    return [...imports].map(([, to]) => reach(posix.join(posix.dirname(path), `${to}.d.ts`))).every((there) => there);
  };
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const whole = Object.values(exports).every(({ types }) => types === undefined || reach(types.replace('./', '')));
  const left = filesBelow('dist').filter((path) => path.endsWith('.d.ts') && !reached.has(path));
  if (whole) for (const path of left) rmSync(join(root, path));
  return whole;
}

const compile = () => step('node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.build.json');

async function buildLibrary() {
  await compile();
  if (keepTypesOfEntries()) return;
  // An earlier build left them out, and the compiler believes that they are there.
  for (const path of filesBelow('dist').filter((file) => file.endsWith('.tsbuildinfo'))) rmSync(join(root, path));
  await compile();
  keepTypesOfEntries();
}

async function buildPrograms() {
  await step('scripts/bundle.mjs');
  await step('scripts/build-page.mjs');
}

async function build() {
  // Before the build: a file saved while it runs must count as newer.
  const inputs = inputDigest();
  rmSync(join(root, NOTE), { force: true });
  // What a deleted source left behind must not be found; the incremental state goes with it.
  const sources = new Set(filesBelow('src').map((path) => path.replace(/^src\//, 'dist/').replace(/\.ts$/, '')));
  const built = filesBelow('dist').filter(
    (path) => path.endsWith('.js') && ![COMMAND, SITE].some((folder) => path.startsWith(folder)),
  );
  const leftOver = built.some((path) => !sources.has(path.replace(/\.js$/, '')));
  if (leftOver || built.length === 0) rmSync(join(root, 'dist'), { recursive: true, force: true });
  await step('scripts/build-wasm.mjs');
  writeDataModules();
  for (const folder of [COMMAND, SITE]) rmSync(join(root, folder), { recursive: true, force: true });
  // Both are made of the sources.
  await Promise.all([buildLibrary(), buildPrograms()]);
  await step('--input-type=module', '--eval', "(await import('./scripts/bundled.mjs')).writeSbom()");
  const outputs = [
    ...filesBelow('dist').filter((path) => /\.(?:js|json|html)$/.test(path)),
    ...filesBelow('src').filter((path) => GENERATED.test(path)),
  ];
  writeFileSync(join(root, NOTE), JSON.stringify({ inputs, outputs }));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  installOrExit();
  await build();
}
