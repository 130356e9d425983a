import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import * as policies from '../../src/policies/index.js';

const root = join(import.meta.dirname, '../..');

interface Bundle {
  /** Files whose code is part of it, from the project's root. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What a program comes to that imports these names from `lbsim/policies` and nothing else. */
async function bundleOf(...names: readonly string[]): Promise<Bundle> {
  const bundle = await rolldown({
    cwd: root,
    input: 'importer',
    tsconfig: 'scripts/tsconfig.build.json',
    plugins: [
      {
        name: 'importer',
        resolveId: (id) => (id === 'importer' ? join(root, 'importer.js') : undefined),
        load: (id) =>
          id === join(root, 'importer.js')
            ? `export { ${names.join(', ')} } from './src/policies/index.ts';`
            : undefined,
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true, codeSplitting: false });
  const [{ code, modules }] = output;
  const files = Object.entries(modules).flatMap(([path, { renderedLength }]) =>
    renderedLength > 0 ? [relative(root, path).replaceAll('\\', '/')] : [],
  );
  return { files: files.filter((path) => path !== 'importer.js'), bytes: code.length };
}

const functions = Object.entries(policies).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
const packages = (files: readonly string[]): readonly string[] => [
  ...new Set(files.flatMap((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
];

describe('lbsim/policies', () => {
  it('needs no package, but for seeded streams', async () => {
    const { files } = await bundleOf(...functions.filter((name) => name !== 'seededStream'));
    expect(files.length).toBeGreaterThan(20);
    expect(packages(files)).toEqual([]);
    expect(packages((await bundleOf('seededStream')).files)).toEqual(['murmurhash', 'seedrandom']);
  });

  it('knows nothing of configuration, scenarios and simulations', async () => {
    const { files } = await bundleOf(...functions);
    const folders = new Set(files.flatMap((path) => /^src\/(\w+)\//.exec(path)?.[1] ?? []));
    expect([...folders].sort()).toEqual([
      'core',
      'hash',
      'host',
      'hostset',
      'policies',
      'policy',
      'random',
      'schedule',
      'upstream',
    ]);
  });

  it.each([
    ['xxhash64String', ['core/', 'hash/', 'policies/engine-parts.ts']],
    ['weightedTurns', ['core/arguments.ts', 'schedule/', 'policies/']],
    ['chooseBounded', ['core/arguments.ts', 'policy/', 'policies/engine-parts.ts']],
    ['mergeWindow', ['core/', 'upstream/merge-window.ts', 'policies/']],
    ['roundRobinPicker', ['core/', 'host/', 'schedule/', 'policy/', 'policies/']],
  ] as const)('%s brings nothing along that it does not need', async (name, own) => {
    const { files } = await bundleOf(name);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => !own.some((prefix) => path.startsWith(`src/${prefix}`)))).toEqual([]);
    // Hashes are worked out there.
    const kernel = files.filter((path) => path.includes('kernel'));
    expect(kernel.length > 0).toBe(name === 'xxhash64String');
  });

  it('is small in parts: a schedule takes less than a quarter of a ring', async () => {
    const [turns, ring] = [await bundleOf('weightedTurns', 'nextTurn'), await bundleOf('buildRing', 'ringHost')];
    expect(turns.bytes * 4).toBeLessThan(ring.bytes);
  });
});
