/**
 * `npm run build:site [-- FOLDER]`: the playground into site/index.html, one file that works from any file server and from a disk. The
 * engine, the shipped scenarios and the styles are inside: at run time nothing is loaded from anywhere.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { installOrExit } from './install.mjs';
import { root } from './files.mjs';

const folder = resolve(root, process.argv[2] ?? 'site');

/** A script of its own, without imports. */
async function bundle(build, entry) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: ['iife'], name: 'lbsim', fileName: 'lbsim' },
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(({ output }) => output);
  const [chunk, ...others] = outputs.filter(({ type }) => type === 'chunk');
  if (chunk === undefined || others.length > 0) throw new Error(`${entry} is ${others.length + 1} files`);
  const outside = /\b(?:require\(|from\s*|import\()\s*["'](?:node:|https?:)/.exec(chunk.code);
  if (outside !== null) throw new Error(`${entry} needs what a browser does not have: ${outside[0]}`);
  return chunk.code;
}

/** The same program, in which no text ends the element that it stands in. */
function forElement(code) {
  return code.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
}

function examples() {
  const names = readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((file) => ({ file, text: readFileSync(join(root, 'scenarios', file), 'utf8') }));
}

function styles() {
  const own = readFileSync(join(root, 'src/site/style.css'), 'utf8');
  return `${readFileSync(join(root, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8')}\n${own}`;
}

async function buildSite() {
  const { build } = await import('vite');
  const engine = forElement(await bundle(build, 'src/site/engine/worker.ts'));
  const page = forElement(await bundle(build, 'src/site/main.tsx'));
  const hash = createHash('sha256').update(page).digest('base64');
  const parts = {
    policy: [
      "default-src 'none'",
      // The hashes of keys are computed by WebAssembly.
      `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
      'worker-src blob:',
      "style-src 'unsafe-inline'",
      'img-src data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    // The hash is of all that stands between the tags.
    styles: `<style>${styles()}</style>`,
    engine: `<script type="text/plain" id="engine">${engine}</script>`,
    examples: `<script type="application/json" id="examples">${JSON.stringify(examples()).replaceAll('<', '\\u003c')}</script>`,
    page: `<script>${page}</script>`,
  };
  const html = readFileSync(join(root, 'src/site/index.html'), 'utf8').replace(
    /<!-- (\w+) -->/g,
    (_, part) => parts[part] ?? `<!-- ${part} -->`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  const kilobytes = (text) => `${Math.round(gzipSync(text, { level: 9 }).length / 1000)} kB`;
  process.stdout.write(
    `${relative(root, folder)}/index.html: ${kilobytes(html)} compressed (engine ${kilobytes(engine)}, page ${kilobytes(page)})\n`,
  );
}

installOrExit();
await buildSite();
