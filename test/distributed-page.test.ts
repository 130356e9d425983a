import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lbsim } from './cli/harness.js';

/** The files that docs/distributed.md offers: every command in them is one that lbsim takes. */
const docs = join(import.meta.dirname, '../docs');

function commandsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    return first === 'worker' || first === 'sweep' ? [value as readonly string[]] : value.flatMap(commandsIn);
  }
  return Object.values(value).flatMap(commandsIn);
}

it.each(['compose.yaml', 'job.yaml'])('docs/distributed/%s has commands that lbsim takes', async (file) => {
  const documents = parseAllDocuments(readFileSync(join(docs, 'distributed', file), 'utf8'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const commands = documents.flatMap((document) => commandsIn(document.toJS()));
  expect(commands.map(([name]) => name)).toEqual(['worker', 'sweep']);
  for (const argv of commands) {
    const here = argv.map((word) => {
      if (word.endsWith('/checkout.yaml')) return join(docs, 'experiments/checkout.yaml');
      return word.startsWith('--results=') ? '--results=:memory:' : word;
    });
    const { code, stderr } = await lbsim(here, { env: { LBSIM_REDIS_URL: 'redis://127.0.0.1:1' } });
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 2,
      stderr: 'lbsim: redis://127.0.0.1:1 cannot be used: nothing listens there',
    });
  }
});
