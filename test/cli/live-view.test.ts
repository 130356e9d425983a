import { afterAll, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import { lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const small = folder.file('small.yaml', SMALL);

const terminal = (): Sink => Object.assign(new Sink(), { isTTY: true });
/** What a picture is removed with before the next one. */
const ERASURE = /\u001b\[\d+A\r\u001b\[J/;

describe('the running picture on a terminal', () => {
  it('is drawn over itself while a run is watched, and is gone before the report', async () => {
    const stderr = terminal();
    const stdout = new Sink();
    await lbsim(['run', small, '--watch'], { stdout, stderr, interrupt: true, env: { NO_COLOR: '1' } });
    const [first = '', ...more] = stderr.text.split(ERASURE);
    expect(first).toMatch(/^\d+\.\d s {2}[█░]+ {2}\d+ requests/);
    expect(first).toMatch(/^ ● H .*\d\.\d %$/m);
    // Every picture is erased: what is left is what the command says anyway.
    expect(more.at(-1)).toMatch(/^(?:lbsim: .*\n)*$/);
    // NO_COLOR leaves nothing but the movements.
    expect(stderr.text.replace(new RegExp(ERASURE, 'g'), '')).not.toContain('\u001b');
  });

  it('is that of serve, too', async () => {
    const stderr = terminal();
    await lbsim(['serve', small, '--port', '0', '--pace', 'max', '--at-end', 'exit'], { stderr });
    expect(stderr.text).toMatch(/[█░]{20}.* requests/);
    expect(stderr.text).toMatch(ERASURE);
  });

  it.each([
    ['in a pipe', {}, false],
    ['on a terminal that cannot', { TERM: 'dumb' }, true],
  ])('is not drawn %s', async (_, env, isTTY) => {
    const stderr = Object.assign(new Sink(), { isTTY });
    const plain = await lbsim(['run', small]);
    const { stdout } = await lbsim(['run', small, '--pace', '1000000x'], { stderr, env });
    expect(stdout).toBe(plain.stdout);
    expect(stderr.text).not.toMatch(/●|requests/);
  });
});
