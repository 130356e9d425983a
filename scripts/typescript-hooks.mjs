import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// Module hooks that strip types with the project's own compiler. Nothing is checked here (`npm run check` does that), so
// a start costs no more than what changed: output is kept by content under node_modules/.cache.

const cache = new URL('../node_modules/.cache/lbsim-typescript/', import.meta.url);
const project = new URL('../', import.meta.url).href;
let compiler;

export async function resolve(specifier, context, next) {
  const own = context.parentURL?.startsWith(project) && !context.parentURL.includes('/node_modules/');
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
  if (!url.startsWith(project) || !url.endsWith('.ts')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  return { format: 'module', source: await transpiled(text, fileURLToPath(url)), shortCircuit: true };
}

async function transpiled(text, fileName) {
  const kept = new URL(`${createHash('sha256').update(text).digest('hex')}.mjs`, cache);
  if (await exists(kept)) return readFile(kept, 'utf8');
  compiler ??= (await import('typescript')).default;
  const { outputText } = compiler.transpileModule(text, {
    fileName,
    compilerOptions: {
      target: compiler.ScriptTarget.ES2023,
      module: compiler.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  await mkdir(cache, { recursive: true });
  const unfinished = new URL(`${kept.href}.${process.pid}`);
  await writeFile(unfinished, outputText);
  await rename(unfinished, kept);
  return outputText;
}

async function exists(url) {
  return stat(url).then(
    () => true,
    () => false,
  );
}
