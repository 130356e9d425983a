/** What the pages of the playground and of the gallery are built from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'lightningcss';
import { root } from './files.mjs';

/** Of jStat, which is one file, the pages need special functions, which want no other part: its package has the sources. */
const partOfJstat = {
  name: 'part-of-jstat',
  transform(_, id) {
    if (!id.endsWith('/jstat/dist/jstat.js')) return null;
    const special = readFileSync(join(root, 'node_modules/jstat/src/special.js'), 'utf8');
    return { code: `const jStat = { fn: {} };\n${special}\nexport default jStat;`, map: null };
  },
};

/** What documentation and the schema say of fields: the engine of the page reads them without it. */
export const wordsOfErrors = {
  name: 'words-of-errors',
  transform(code, id) {
    if (!id.endsWith('/fields/generated/vocabulary.ts')) return null;
    const words = JSON.parse(code.slice(code.indexOf('{'), code.lastIndexOf('}') + 1));
    for (const block of Object.values(words)) Object.assign(block, { doc: '', fields: undefined });
    return { code: `export const VOCABULARY = ${JSON.stringify(words)};`, map: null };
  },
};

/**
 * A script of its own, without imports; what it exports is the value of the global `name`. Of format `es`: a module, for
 * Node or a browser. `alias`: modules in the place of others; `plugins` of Vite. `onModules` gets the paths of those that went in.
 */
export async function bundle(entry, name, { format = 'iife', alias = [], plugins = [], onModules = () => {} } = {}) {
  const { build } = await import('vite');
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [partOfJstat, ...plugins],
    resolve: { alias },
    // Elsewhere than in production it would write the places of its sources into the page.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: [format], name, fileName: name },
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(({ output }) => output);
  const [chunk, ...others] = outputs.filter(({ type }) => type === 'chunk');
  if (chunk === undefined || others.length > 0) throw new Error(`${entry} is ${others.length + 1} files`);
  const outside = /\b(?:require\(|from\s*|import\()\s*["'](?:node:|https?:)/.exec(chunk.code);
  if (outside !== null) throw new Error(`${entry} needs what a browser does not have: ${outside[0]}`);
  onModules(chunk.moduleIds);
  return chunk.code;
}

/** The styles of every page. */
export function styles() {
  const own = transform({
    filename: 'style.css',
    code: readFileSync(join(root, 'src/site/style.css')),
    minify: true,
  }).code;
  return `${readFileSync(join(root, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8')}\n${own}`;
}
