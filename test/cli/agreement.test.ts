import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { InputError, Session } from '../../src/cli/session.js';
import { readRunnable } from '../../src/cli/input/scenario-file.js';
import { sharedFolder } from '../conformance/shared.js';
import { ioOf, lbsim } from './harness.js';

/** `validate` says that a configuration runs exactly where `run` takes it. */

interface Verdict {
  readonly valid: boolean;
  readonly runs?: boolean;
}

const scenarios = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const real = join(sharedFolder, 'real');

function realCases(): readonly (readonly [string, readonly string[]])[] {
  if (!existsSync(real)) return [];
  const { files, groups } = JSON.parse(readFileSync(join(real, 'expect.json'), 'utf8')) as {
    readonly files: Readonly<Record<string, unknown>>;
    readonly groups: Readonly<Record<string, { readonly files: readonly string[] }>>;
  };
  const single = Object.keys(files).map((file) => [file, [file]] as const);
  const several = Object.entries(groups).map(([name, group]) => [name, group.files] as const);
  return [...single, ...several].map(([name, list]) => [name, list.map((file) => join(real, file))]);
}

const shipped = readdirSync(scenarios).filter((file) => file.endsWith('.yaml'));
const cases = [...shipped.map((file) => [file, [join(scenarios, file)]] as const), ...realCases()];

async function isTaken(files: readonly string[], hosts: readonly string[]): Promise<boolean> {
  try {
    await readRunnable(files, { hosts }, new Session(ioOf({})));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

describe.each([
  ['as it stands', []],
  ['with hosts', ['*=3']],
])('%s', (_, hosts) => {
  it.each(cases)('%s', async (__, files) => {
    const { code, stdout } = await lbsim(['validate', '--json', ...hosts.flatMap((one) => ['--hosts', one]), ...files]);
    const { valid, runs = valid } = JSON.parse(stdout) as Verdict;
    const isTold = await isTaken(files, hosts);
    expect({ code, runs }).toEqual({ code: valid ? 0 : 2, runs: isTold });
  });
});
