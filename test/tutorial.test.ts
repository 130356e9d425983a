import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './cli/files.js';
import { lbsim } from './cli/harness.js';

/** Every command of docs/tutorial.md prints what the page shows; a line of `…` stands for any lines. */

const docs = join(import.meta.dirname, '../docs');
const page = readFileSync(join(docs, 'tutorial.md'), 'utf8');
const written = new Folder();
afterAll(() => written.remove());

const commands = [...page.matchAll(/```sh\n\$ ([^\n]*)\n([^`]*)```/g)].map(([, command = '', shown = '']) => ({
  command,
  shown: shown.trimEnd().split('\n'),
}));

/** As a shell splits them. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** Files of the page lie in its folder; those that commands make, in one of their own. */
function placed(word: string): string {
  if (!/^[\w-]+\.(?:ya?ml|json)$/.test(word)) return word;
  const shipped = join(docs, 'tutorial', word);
  return existsSync(shipped) ? shipped : join(written.path, word);
}

/** Whether `lines` are as shown, from the first on. */
function isAsShown(lines: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return lines.length === 0;
  if (first !== '…') return lines[0] === first && isAsShown(lines.slice(1), rest);
  return lines.some((_, at) => isAsShown(lines.slice(at), rest)) || rest.length === 0;
}

describe('docs/tutorial.md', () => {
  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)('$command', async ({ command, shown }) => {
    const [program, ...argv] = words(command);
    expect(program).toBe('lbsim');
    const { stdout, stderr } = await lbsim(argv.map(placed));
    const lines = (stdout === '' ? stderr : stdout)
      .replaceAll(`${join(docs, 'tutorial')}/`, '')
      .trimEnd()
      .split('\n');
    // The lines themselves, so that a difference is shown.
    expect(isAsShown(lines, shown) ? shown : lines).toEqual(shown);
  });

  it('shows the scenario that it runs', () => {
    const [, shown = ''] = /```yaml\n([^`]*)```/.exec(page) ?? [];
    expect(shown).toBe(readFileSync(join(docs, 'tutorial/question.yaml'), 'utf8'));
  });
});
