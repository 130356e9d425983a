import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../src/scenario/load.js';
import { sharedFolder } from './conformance/shared.js';

/** Configurations as they stand in public repositories: which clusters they hold is known. */

type Clusters = Readonly<Record<string, readonly string[]>>;

interface Expected {
  readonly files: Readonly<Record<string, Clusters>>;
  readonly groups: Readonly<Record<string, { readonly files: readonly string[]; readonly clusters: Clusters }>>;
}

const folder = join(sharedFolder, 'real');

/** What they hold that is refused by name, as it is not simulated. */
const REFUSED: readonly RegExp[] = [
  /boot-all\.json$/, // a sink that is none of the three
];

function cases(): readonly (readonly [string, readonly string[], readonly string[]])[] {
  const expected = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Expected;
  return [
    ...Object.entries(expected.files).map(([file, clusters]) => [file, [file], Object.keys(clusters)] as const),
    ...Object.entries(expected.groups).map(([name, one]) => [name, one.files, Object.keys(one.clusters)] as const),
  ].filter(([name, , clusters]) => clusters.length > 0 && !REFUSED.some((pattern) => pattern.test(name)));
}

describe.skipIf(!existsSync(folder))('a real configuration', () => {
  it.each(existsSync(folder) ? cases() : [])('%s', (_, files, clusters) => {
    const inputs = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    const { scenario, problems } = loadScenario(inputs);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(scenario?.clusters.map(({ name }) => name)).toEqual(expect.arrayContaining([...clusters]));
  });
});
