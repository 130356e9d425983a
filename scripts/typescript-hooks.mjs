import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// Module hooks that strip types with the project's own compiler and the options of tsconfig.json. Nothing is checked here
// (`npm run check` does that), so a start costs no more than what changed: output is kept under node_modules/.cache, by
// what it is made of, which is the text, the options and the compiler's version.

const project = new URL('../', import.meta.url);
const cache = new URL('node_modules/.cache/lbsim-typescript/', project);
const { compilerOptions } = await json('tsconfig.json');
// The files are ES modules by package.json, which the compiler does not see when it is given one text alone.
const options = { ...compilerOptions, module: 'ESNext', moduleResolution: 'Bundler' };
const { version } = await json('node_modules/typescript/package.json');
const recipe = JSON.stringify([version, options]);
let compiler;

export async function resolve(specifier, context, next) {
  const own = context.parentURL?.startsWith(project.href) && !context.parentURL.includes('/node_modules/');
  if (own && specifier.startsWith('.') && specifier.endsWith('.js')) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (await exists(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  if (specifier.startsWith('file:') && specifier.endsWith('.ts')) {
    return { url: specifier, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith(project.href) || !url.endsWith('.ts')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  return { format: 'module', source: await transpiled(text, fileURLToPath(url)), shortCircuit: true };
}

async function transpiled(text, fileName) {
  const key = createHash('sha256').update(recipe).update('\0').update(text).digest('hex');
  const kept = new URL(`${key}.mjs`, cache);
  if (await exists(kept)) return readFile(kept, 'utf8');
  compiler ??= (await import('typescript')).default;
  const converted = compiler.convertCompilerOptionsFromJson(options, fileURLToPath(project));
  const { outputText } = compiler.transpileModule(text, { fileName, compilerOptions: converted.options });
  await mkdir(cache, { recursive: true });
  const unfinished = new URL(`${kept.href}.${process.pid}`);
  await writeFile(unfinished, outputText);
  await rename(unfinished, kept);
  return outputText;
}

async function json(path) {
  return JSON.parse(await readFile(new URL(path, project), 'utf8'));
}

async function exists(url) {
  return stat(url).then(
    () => true,
    () => false,
  );
}
