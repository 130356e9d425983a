import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './cli/files.js';
import { lbsim } from './cli/harness.js';

/** Every command of docs/experiments.md prints what the page shows; a line of `…` stands for the rest. */

const docs = join(import.meta.dirname, '../docs');
const page = readFileSync(join(docs, 'experiments.md'), 'utf8');
const written = new Folder();
afterAll(() => written.remove());

const commands = [...page.matchAll(/```sh\n\$ lbsim ([^\n]*)\n([^`]*)```/g)].map(([, command = '', shown = '']) => ({
  command,
  shown: shown.trimEnd().split('\n'),
}));

/** As a shell splits them. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

describe('docs/experiments.md', () => {
  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  it.each(commands)('lbsim $command', async ({ command, shown }) => {
    const argv = words(command).map((word) => (word === 'checkout.yaml' ? join(docs, 'experiments', word) : word));
    const results = argv[0] === 'sweep' ? ['--results', join(written.path, 'checkout.sweep.sqlite')] : [];
    const { code, stdout } = await lbsim([...argv, ...results]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const whole = shown.at(-1) !== '…';
    expect(whole ? lines : [...lines.slice(0, shown.length - 1), '…']).toEqual(shown);
  });

  it('shows the scenario that it runs', () => {
    const [, shown = ''] = /```yaml\n([^`]*)```/.exec(page) ?? [];
    expect(shown).toBe(readFileSync(join(docs, 'experiments/checkout.yaml'), 'utf8'));
  });
});
