// Module hooks: test files get what collects their tests instead of vitest.
const NAMES = ['describe', 'it', 'test', 'beforeEach', 'afterEach', 'afterAll', 'onTestFinished', 'expect', 'vi'];

export async function resolve(specifier, context, next) {
  if (specifier !== 'vitest' || !context.parentURL?.endsWith('.ts')) return next(specifier, context);
  // Each file has its own.
  return { url: `collecting:${context.parentURL}`, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith('collecting:')) return next(url, context);
  const source = `export const { ${NAMES.join(', ')} } = globalThis.collecting;`;
  return { format: 'module', source, shortCircuit: true };
}
