import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Folder } from './cli/files.js';
import { lbsim } from './cli/harness.js';

/** Every command of these pages prints what the page shows; a line of `…` stands for any lines. */

const docs = join(import.meta.dirname, '../docs');
const written = new Folder();
afterAll(() => written.remove());

/** As a shell splits them. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** Whether `lines` are as shown, from the first on. */
function isAsShown(lines: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return lines.length === 0;
  if (first !== '…') return lines[0] === first && isAsShown(lines.slice(1), rest);
  return lines.some((_, at) => isAsShown(lines.slice(at), rest)) || rest.length === 0;
}

/** The objects of files as `kubectl get -o json` gives them: one list. */
function listOf(folder: string, files: readonly string[]): string {
  const items = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as unknown),
  );
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

const pages: readonly (readonly [name: string, commands: number, inCluster: readonly string[]])[] = [
  ['tutorial', 9, []],
  ['objects', 6, ['rule.yaml', 'services.yaml']],
];

describe.each(pages)('docs/%s.md', (name, least, inCluster) => {
  const page = readFileSync(join(docs, `${name}.md`), 'utf8');
  const folder = join(docs, name);
  const commands = [...page.matchAll(/```sh\n\$ ([^\n]*)\n([^`]*)```/g)].map(([, command = '', shown = '']) => ({
    command,
    shown: shown.trimEnd().split('\n'),
  }));

  /** Files of the page lie in its folder; those that commands make, in one of their own. */
  function placed(word: string): string {
    if (!/^[\w-]+\.(?:ya?ml|json)$/.test(word)) return word;
    const shipped = join(folder, word);
    return existsSync(shipped) ? shipped : join(written.path, word);
  }

  it('has commands', () => {
    expect(commands.length).toBeGreaterThanOrEqual(least);
  });

  it.each(commands)('$command', async ({ command, shown }) => {
    const [program, ...argv] = words(command.replace(/^kubectl .* \| /, ''));
    expect(program).toBe('lbsim');
    const { stdout, stderr } = await lbsim(argv.map(placed), { stdin: listOf(folder, inCluster) });
    const lines = (stdout === '' ? stderr : stdout).replaceAll(`${folder}/`, '').trimEnd().split('\n');
    // The lines themselves, so that a difference is shown.
    expect(isAsShown(lines, shown) ? shown : lines).toEqual(shown);
  });

  const files = [...page.matchAll(/([\w-]+\.yaml)[^`\n]*:\n\n```yaml\n([^`]*)```/g)];
  it.each(files.map(([, file = '', shown = '']) => [file, shown] as const))('shows %s as it is', (file, shown) => {
    expect(shown).toBe(readFileSync(join(folder, file), 'utf8'));
  });
});
