import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../src/result/run-result.js';
import { lbsim } from './cli/harness.js';
import { sharedFolder } from './conformance/shared.js';

/** Configurations as they stand in public repositories: which clusters they hold is known, and which hosts. */

type Clusters = Readonly<Record<string, readonly string[]>>;

interface Case {
  readonly name: string;
  readonly files: readonly string[];
  readonly clusters: Clusters;
}

const folder = join(sharedFolder, 'real');

function cases(): readonly Case[] {
  if (!existsSync(folder)) return [];
  const { files, groups } = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as {
    readonly files: Readonly<Record<string, Clusters>>;
    readonly groups: Readonly<Record<string, Omit<Case, 'name'>>>;
  };
  return [
    ...Object.entries(files).map(([name, clusters]) => ({ name, files: [name], clusters })),
    ...Object.entries(groups).map(([name, group]) => ({ name, ...group })),
  ];
}

const hasClusters = ({ clusters }: Case): boolean => Object.keys(clusters).length > 0;
/** Not among what is expected, and a configuration all the same. */
const isPage = ({ name }: Case): boolean => /clusters-format-json/.test(name);

function run({ files }: Case, ...options: readonly string[]): ReturnType<typeof lbsim> {
  return lbsim(['run', ...options, ...files.map((file) => join(folder, file))]);
}

describe.skipIf(cases().length === 0)('a real configuration is answered', () => {
  it.each(cases().filter(hasClusters))('$name', async (one) => {
    const { code, stdout, stderr } = await run(one, '--json', '--hosts', '*=3');
    expect({ code, errors: / error /.test(stderr) }).toEqual({ code: 0, errors: false });
    const result = JSON.parse(stdout) as RunResult;
    // What is not simulated stands before it.
    const input = result.input?.filter((sentence) => !/^[\w.]+ is not simulated: /.test(sentence));
    expect(input?.[0]).toMatch(/^read as v[23] \(/);
    expect(result.unknown_hosts).toBeUndefined();
    for (const [name, addresses] of Object.entries(one.clusters)) {
      const hosts = result.clusters[name]?.hosts;
      const told = hosts?.flatMap(({ address, hostname }) => [
        address,
        `${hostname}${address.slice(address.lastIndexOf(':'))}`,
      ]);
      // A dump may have a name, and what it resolved to.
      const some = addresses.some((address) => told?.includes(address));
      expect({ name, found: told !== undefined, some }).toEqual({ name, found: true, some: addresses.length > 0 });
      const numbers = addresses.filter((address) => /^[\d.]+:\d+$/.test(address));
      expect(told).toEqual(expect.arrayContaining(numbers));
    }
  });
});

describe.skipIf(cases().length === 0)('what is none is refused in one sentence', () => {
  it.each(cases().filter((one) => !hasClusters(one) && !isPage(one)))('$name', async (one) => {
    const { code, stdout } = await run(one, '--json');
    expect(code).toBe(2);
    const { problems } = JSON.parse(stdout) as { readonly problems: readonly { readonly message: string }[] };
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^(?:this is a|there is no cluster in|neither)/),
    ]);
  });
});
