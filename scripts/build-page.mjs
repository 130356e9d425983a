/**
 * The page of the playground into a folder, `dist/site` for the command: index.html, and beside it what few readers need,
 * loaded when they do. It works from any file server and from a disk, and loads nothing from anywhere else.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import { noteBundled } from './bundled.mjs';
import { root } from './files.mjs';
import { bundle, styles, wordsOfErrors } from './page-parts.mjs';

/** The same program, in which no text ends the element that it stands in. */
function forElement(code) {
  return code.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
}

/** As src/site/packed.ts unpacks it: a third of the room, in the package and on a disk. */
async function packed(text) {
  // As zlib packs, only 4 % smaller: it tries longer.
  const bytes = await zopfli.deflateAsync(Buffer.from(text), { numiterations: 5 });
  return Buffer.from(bytes).toString('base64url');
}

/** A file beside the page: a script that sets a global name, packed into a script that sets another. */
const part = async (name, script) => `var lbsim_packed_${name} = "${await packed(script)}";\n`;

const jsonElement = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The shipped scenarios: what is listed in the page, with the text of the first one shown, and all texts. */
async function examples() {
  const { describeExample, inTopics } = await import('../src/scenario/example.ts');
  const files = readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.yaml'));
  const texts = Object.fromEntries(
    files.sort().map((file) => [file, readFileSync(join(root, 'scenarios', file), 'utf8')]),
  );
  const listed = files.map((file) => ({ ...describeExample(file, texts[file]), file }));
  const list = inTopics(listed).map((one) => (one.name === 'showcase' ? { ...one, text: texts[one.file] } : one));
  return { list, texts };
}

/** @returns the sizes of the files, compressed, in a sentence. */
export async function buildPage(folder) {
  await import('./typescript-register.mjs');
  const { list, texts } = await examples();
  const { tableOf } = await import('../src/config/api/table-text.ts');
  // The styles of one package come along as they are.
  const modules = [join(root, 'node_modules/uplot/dist/uPlot.min.css')];
  const onModules = (ids) => modules.push(...ids);
  const page = forElement(await bundle('src/site/main.tsx', 'lbsim_page', { onModules }));
  const report = forElement(await bundle('src/site/report-main.tsx', 'lbsim_report', { onModules }));
  const inPlace = (find, name) => ({ find, replacement: join(root, 'src/site/engine', name) });
  const alias = [
    inPlace(/^\.\/table-text\.js$/, 'tables-on-demand.ts'),
    inPlace(/^.*\/objects\/(?:control-planes|edited)\.js$/, 'objects-elsewhere.ts'),
    inPlace(/^emoji-regex$/, 'emoji.ts'),
  ];
  const engineCode = await bundle('src/site/engine/worker.ts', 'lbsim_engine', {
    alias,
    plugins: [wordsOfErrors],
    onModules,
  });
  const editor = await bundle('src/site/editor.ts', 'lbsim_editor', { onModules });
  const schema = readFileSync(join(root, 'schema/scenario.schema.json'), 'utf8');
  const gif = await bundle('src/site/gif.ts', 'lbsim_gif', { onModules });
  const withScript = (script) => ({
    policy: [
      "default-src 'none'",
      // The page's own script, what it loads from beside itself, and WebAssembly for the hashes of keys.
      `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}' 'strict-dynamic' 'wasm-unsafe-eval'`,
      'worker-src blob:',
      "style-src 'unsafe-inline'",
      'img-src data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    // The hash is of all that stands between the tags.
    page: `<script>${script}</script>`,
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const parts = {
    ...withScript(page),
    version,
    styles: `<style>${styles()}</style>`,
    engine: `<script type="text/plain" id="engine">${await packed(engineCode)}</script>`,
    examples: `<script type="application/json" id="examples">${jsonElement(list)}</script>`,
  };
  const template = readFileSync(join(root, 'src/site/index.html'), 'utf8');
  // `report` is left as it is: it is filled when a report is written.
  const filled = (parts) => template.replace(/<!-- (\w+) -->/g, (mark, part) => parts[part] ?? mark);
  const files = {
    'index.html': filled(parts),
    'report.html': filled({ ...parts, ...withScript(report), engine: '', examples: '' }),
    'editor.js': await part('editor', `var lbsim_schema = ${schema.trim()};\n${editor}`),
    'gif.js': await part('gif', gif),
    'v3.js': await part('v3', `var lbsim_v3 = ${JSON.stringify(tableOf('v3'))};`),
    'examples.js': await part('examples', `var lbsim_examples = ${JSON.stringify(texts)};`),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  noteBundled('site', modules);
  const size = (text) => `${Math.round(gzipSync(text, { level: 9 }).length / 1000)} kB`;
  return Object.entries(files)
    .map(([name, text]) => `${name} ${size(text)}`)
    .join(', ');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = resolve(root, process.argv[2] ?? 'dist/site');
  process.stdout.write(`${relative(process.cwd(), folder)}: ${await buildPage(folder)} compressed\n`);
}
