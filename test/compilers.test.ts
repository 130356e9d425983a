import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { TWICE_ONE } from './support/parameter-property.js';

const root = join(import.meta.dirname, '..');
const FILE = 'test/support/parameter-property.ts';

/** Who compiles sources follows tsconfig.json: a class means the same in tests, in the build and run from the sources. */
describe('a field made of a parameter of the constructor', () => {
  it('in tests', () => {
    expect(TWICE_ONE).toBe(2);
  });

  it('from the sources', () => {
    const script = `console.log((await import('./${FILE}')).TWICE_ONE)`;
    const args = ['--import', './scripts/typescript-register.mjs', '--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toBe('2\n');
  });

  it('in the bundled command', async () => {
    const bundle = await rolldown({ cwd: root, input: FILE, tsconfig: 'scripts/tsconfig.build.json' });
    const { output } = await bundle.generate();
    const code = Buffer.from(output[0].code).toString('base64');
    const built = (await import(`data:text/javascript;base64,${code}`)) as { readonly TWICE_ONE: number };
    expect(built.TWICE_ONE).toBe(2);
  });
});
