import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  importCycles,
  LAYERS,
  layerViolations,
  neededBy,
  packagesNeededBy,
  sentencesIn,
  waysInto,
} from './support/layers.js';

const root = join(import.meta.dirname, '..');

let known: ReadonlyMap<string, string> | undefined;

function sources(): ReadonlyMap<string, string> {
  return (known ??= read());
}

function read(): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // Another language with its own imports, compiled by itself.
    .filter((path) => !path.includes(join('kernel', 'assembly')));
  return new Map(files.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
}

describe('import order of the folders in src/', () => {
  it('is kept by every file', () => {
    const files = sources();
    expect(files.size).toBeGreaterThan(20);
    expect(layerViolations(files)).toEqual([]);
  });

  it('is of the folders that there are, and told so in docs/architecture.md', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(LAYERS.flat().sort());
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    expect(text).toContain(`\`${LAYERS.map((group) => group.join('/')).join(' · ')}\``);
    for (const folder of LAYERS.flat()) expect(text).toContain(`| \`${folder}\` |`);
  });

  it.each([
    ['src/policy/a.ts', `import { x } from '../hostset/panic.js';`],
    ['src/core/a.ts', `import type { Host } from '../host/host.js';`],
    ['src/stats/a.ts', `export * from '../upstream/cluster.js';`],
    ['src/report/a.ts', `const main = await import('../cli/main.js');`],
    ['src/simulation/a.ts', `import { y } from '../index.js';`],
    ['src/misc/a.ts', ''],
    ['src/core/a.ts', `import { z } from '../../test/support/layers.js';`],
  ])('refuses %s with %s', (path, source) => {
    expect(layerViolations(new Map([[path, source]]))).toHaveLength(1);
  });

  it('allows the own folder, folders to the left, packages, and the edge among itself', () => {
    const files = new Map([
      ['src/hostset/a.ts', `import './b.js'; import { c } from '../core/c.js'; import { parse } from 'yaml';`],
      ['src/cli/a.ts', `import { w } from '../web/w.js';`],
      ['src/index.ts', `export * from './simulation/simulation.js';`],
    ]);
    expect(layerViolations(files)).toEqual([]);
  });
});

describe('sentences', () => {
  const ENGINE = /^src\/(?:policy|hostset|simulation)\//;

  it('are written in words/: policies, host sets and the event loop leave facts', () => {
    const engine = new Map([...sources()].filter(([path]) => ENGINE.test(path)));
    expect(engine.size).toBeGreaterThan(90);
    // What is left names sources and settings of policies, and tells the authors of modules what theirs did.
    expect(sentencesIn(engine).length).toBeLessThan(60);
  });

  it('are found wherever they stand', () => {
    const source = "const a = { b: `no panic: ${n} of ${m}`, c: 'no-weight', d: 'two words' }; // not here";
    expect(sentencesIn(new Map([['a.ts', source]]))).toEqual(['a.ts: no panic: 0 of 0', 'a.ts: two words']);
  });
});

describe('names of the files in src/', () => {
  const repeated = (paths: Iterable<string>): string[] => {
    const counts = new Map<string, number>();
    for (const path of paths) {
      const name = basename(path).replace(/\.tsx?$/, '');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > 2).map(([name]) => name);
  };

  it('stand at most twice, so that a name says which file is meant', () => {
    // The entry points of the package are `index.ts`, one a folder.
    expect(repeated(sources().keys()).filter((name) => name !== 'index')).toEqual([]);
  });

  it('are counted across folders', () => {
    expect(repeated(['src/a/ring.ts', 'src/b/ring.ts', 'src/c/ring.tsx', 'src/a/b.ts', 'src/b/b.ts'])).toEqual([
      'ring',
    ]);
  });
});

describe('the rooms of src/', () => {
  it('can be carried in the head: few files, few of them small, at most 30 in a folder', () => {
    const files = sources();
    const inFolder = new Map<string, number>();
    for (const path of files.keys()) inFolder.set(dirname(path), (inFolder.get(dirname(path)) ?? 0) + 1);
    expect([...inFolder].filter(([, count]) => count > 30)).toEqual([]);
    expect(files.size).toBeLessThanOrEqual(780);
    const small = [...files.values()].filter((text) => text.split('\n').length <= 40);
    expect(small.length).toBeLessThanOrEqual(152);
  });
});

describe('messages', () => {
  /** What looks at words, in a message that somebody else wrote: the engine of JavaScript, SQLite, Redis, its queue. */
  const OF_OTHERS = ['explain-error.ts', 'fleet-worker.ts', 'redis-link.ts', 'results-file.ts'];
  const LOOKS = /\bmessage\.(?:startsWith|endsWith|includes|match|search)\(|\.test\((?:\w+\.)*message\)/;

  it('of ours are read by people alone: code asks for their rule, or a fact', () => {
    const looking = [...sources()].filter(([, text]) => LOOKS.test(text));
    expect(looking.map(([file]) => basename(file)).sort()).toEqual(OF_OTHERS);
  });

  it.each(['message.endsWith("none")', '/found /.test(problem.message)', 'one.message.includes(x)'])(
    '%s looks',
    (code) => {
      expect(code).toMatch(LOOKS);
    },
  );
});

describe('what a file needs at run time', () => {
  it.each([
    ['src/upstream/cluster.ts', 45, 5_500],
    ['src/testing/index.ts', 123, 16_000],
    ['src/simulation/simulation.ts', 200, 24_000],
  ])('%s: at most %i files, %i lines', (entry, mostFiles, mostLines) => {
    const files = sources();
    const needed = [...neededBy(entry, files)];
    const lines = needed.reduce((sum, path) => sum + (files.get(path)?.split('\n').length ?? 1) - 1, 0);
    expect(needed.length).toBeGreaterThan(10);
    expect(needed.length).toBeLessThanOrEqual(mostFiles);
    expect(lines).toBeLessThanOrEqual(mostLines);
  });

  it('is what it imports, and that imports, unless these are types', () => {
    const files = new Map([
      [
        'src/a/start.ts',
        `import type { T } from './types.js'; import { type U } from './more-types.js'; import './one.js';`,
      ],
      ['src/a/one.ts', `export * from '../b/two.js'; export type { V } from './more-types.js';`],
      ['src/b/two.ts', `import three, { type W } from './three.js'; import { x, type Y } from '../c/four.js';`],
      ['src/b/three.ts', `export { type Z } from '../a/types.js'; import * as all from '../c/five.js';`],
      ['src/c/four.tsx', `import { start } from '../a/start.js'; import yaml from 'yaml';`],
      ['src/c/five.ts', ''],
      ['src/a/types.ts', ''],
      ['src/a/more-types.ts', ''],
    ]);
    expect([...neededBy('src/a/start.ts', files)].sort()).toEqual([
      'src/a/one.ts',
      'src/a/start.ts',
      'src/b/three.ts',
      'src/b/two.ts',
      'src/c/five.ts',
      'src/c/four.tsx',
    ]);
  });
});

describe('what a command needs as it begins', () => {
  /** Packages of many, of which the bundle has a good megabyte: others are small, or for every file that is read. */
  const LARGE = ['@hono/node-server', 'bullmq', 'dns-packet', 'fast-check', 'hono', 'hyparquet-writer', 'ioredis'];
  LARGE.push('cli-progress', 'libsql', 'piscina');
  const COMMANDS = [...sources().keys()].flatMap((path) => /^src\/cli\/commands\/(.*)\.ts$/.exec(path)?.[1] ?? []);

  it('is none of the large packages, except for what serves and draws: a queue is loaded for --redis, SQLite for a sweep', () => {
    const files = sources();
    const large = COMMANDS.map((name) => {
      const packages = packagesNeededBy(`src/cli/commands/${name}.ts`, files);
      return [name, LARGE.filter((one) => packages.has(one))] as const;
    });
    expect(COMMANDS.length).toBeGreaterThan(15);
    expect(Object.fromEntries(large.filter(([, packages]) => packages.length > 0))).toEqual({
      serve: ['@hono/node-server', 'hono'],
      fuzz: ['fast-check'],
      laws: ['fast-check'],
    });
  });

  it.each(['predict', 'validate'])('%s: no event loop, no server, no sender, no proxy', (name) => {
    const needed = [...neededBy(`src/cli/commands/${name}.ts`, sources())];
    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter((path) => /^src\/(simulation|sink|web|real-proxy)\//.test(path))).toEqual([]);
  });

  it('is told of each package by its name, parts of it as well', () => {
    const files = new Map([
      [
        'src/a/start.ts',
        `import { a } from '@b/c/d'; import type { T } from 'types'; import './one.js'; void import('x');`,
      ],
      ['src/a/one.ts', `import yaml from 'yaml/browser'; import { join } from 'node:path';`],
    ]);
    expect([...packagesNeededBy('src/a/start.ts', files)]).toEqual(['@b/c', 'yaml']);
  });
});

describe('folders with one door', () => {
  it('src/predict/under-load is entered from one place, by one file; types aside', () => {
    const door = 'src/predict/cluster-predictor.ts -> src/predict/under-load/under-load.ts';
    expect(waysInto('src/predict/under-load', sources())).toEqual([door]);
  });

  it('are entered by whatever another file imports and runs', () => {
    const files = new Map([
      ['src/a/one.ts', `import type { T } from './inside/types.js'; import { f } from './inside/f.js';`],
      ['src/b/two.ts', `export { g } from '../a/inside/g.js'; import { one } from '../a/one.js';`],
      ['src/a/inside/f.ts', `import { g } from './g.js';`],
      ['src/a/inside/g.ts', ''],
      ['src/a/inside/types.ts', ''],
    ]);
    expect(waysInto('src/a/inside', files)).toEqual([
      'src/a/one.ts -> src/a/inside/f.ts',
      'src/b/two.ts -> src/a/inside/g.ts',
    ]);
  });
});

describe('imports between the files of src/', () => {
  it('lead from no file back to itself', () => {
    expect(importCycles(sources()).map((cycle) => cycle.join(' -> '))).toEqual([]);
  });

  it('are found where they do, through types as well', () => {
    const files = new Map([
      ['src/a/one.ts', `import type { Two } from './two.js';`],
      ['src/a/two.ts', `export * from '../b/three.js'; import { free } from './free.js';`],
      ['src/b/three.ts', `import { one } from '../a/one.js';`],
      ['src/a/free.ts', ''],
      ['src/a/user.ts', `import { one } from './one.js';`],
      ['src/b/own.ts', `import { own } from './own.js';`],
      ['src/c/view.tsx', `import type { State } from './state.js';`],
      ['src/c/state.ts', `import { View } from './view.js';`],
    ]);
    expect(importCycles(files)).toEqual([
      ['src/a/one.ts', 'src/a/two.ts', 'src/b/three.ts'],
      ['src/b/own.ts'],
      ['src/c/view.tsx', 'src/c/state.ts'],
    ]);
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const ways = text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      files: [...section.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file = '']) => file),
    }));

  it.each(ways)('$title: of two files that follow each other one imports the other', ({ files }) => {
    const all = sources();
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !all.has(file))).toEqual([]);
    const imports = (from: string, to: string): boolean => {
      const path = relative(dirname(from), to).replace(/\.tsx?$/, '.js');
      return all.get(from)?.includes(`from '${path.startsWith('.') ? path : `./${path}`}'`) === true;
    };
    const apart = files.slice(1).filter((file, index) => {
      const before = files[index] ?? '';
      return !imports(before, file) && !imports(file, before);
    });
    expect(apart).toEqual([]);
  });
});
