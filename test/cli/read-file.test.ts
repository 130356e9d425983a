import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readWholeFile, RefusedFile } from '../../src/cli/input/read-file.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const MB = 1024 * 1024;

/** Rule of the refusal. */
function refusal(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof RefusedFile) return error.rule;
    throw error;
  }
  return undefined;
}

describe('readWholeFile', () => {
  it('reads a file of several chunks, and through a link', () => {
    const text = 'x'.repeat(3 * MB + 5);
    const file = folder.file('long.txt', text);
    const link = join(folder.path, 'link.txt');
    symlinkSync(file, link);
    expect(readWholeFile(file, 4 * MB).toString() === text).toBe(true);
    expect(readWholeFile(link, 4 * MB).length).toBe(text.length);
  });

  it('refuses more than it may read, before reading it', () => {
    const file = folder.file('large.txt', 'x'.repeat(2 * MB));
    let reads = 0;
    const read = (from: number, into: Buffer): number => ((reads += 1), readSync(from, into));
    expect(refusal(() => readWholeFile(file, MB, read))).toBe('too-large');
    expect(reads).toBe(0);
    expect(refusal(() => readWholeFile(file, 2 * MB))).toBeUndefined();
  });

  it.each<[string, (file: string) => void]>([
    ['grows', (file) => appendFileSync(file, 'more')],
    ['shrinks', (file) => writeFileSync(file, 'less')],
    ['is written anew', (file) => utimesSync(file, 1, 1)],
  ])('refuses a file that %s while it is read', (_, change) => {
    const file = folder.file('changing.txt', 'x'.repeat(2 * MB));
    let reads = 0;
    const read = (fd: number, into: Buffer): number => {
      reads += 1;
      if (reads === 2) change(file);
      return readSync(fd, into);
    };
    expect(refusal(() => readWholeFile(file, 8 * MB, read))).toBe('changed');
  });

  it('refuses a file that grows without end', () => {
    const file = folder.file('endless.txt', 'x');
    const read = (_: number, into: Buffer): number => into.fill(120).length;
    expect(refusal(() => readWholeFile(file, 3 * MB, read))).toBe('too-large');
  });
});

describe('what is no file', () => {
  const pipe = join(folder.path, 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);

  it.each([
    [pipe, 'not-a-file', 'a named pipe'],
    ['/dev/zero', 'not-a-file', 'a device'],
    ['/dev/null', 'not-a-file', 'a device'],
    [folder.path, 'no-files', 'directory'],
  ])('%s is refused, not waited for', async (file, rule, word) => {
    const { code, stdout } = await lbsim(['validate', file, '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, problems: [{ rule, file }] });
    expect(stdout).toContain(word);
  });

  it('as a trace is refused with its reason', async () => {
    const text = `clusters: [{name: b}]\nendpoints: {b: [10.0.0.1:80]}\nworkloads: [{cluster: b, arrivals: {trace: /dev/zero}}]\n`;
    const { code, stdout } = await lbsim(['validate', '-', '--allow-outside-files'], { stdin: text });
    expect(code).toBe(2);
    expect(stdout).toMatch(/\/dev\/zero cannot be read: this is a device, not a file/);
  });

  it('is passed over in a directory', async () => {
    const inner = join(folder.path, 'inner');
    mkdirSync(inner);
    execFileSync('mkfifo', [join(inner, 'pipe.yaml')]);
    writeFileSync(join(inner, 'a.yaml'), 'name: a\nload_assignment: {cluster_name: a}\n');
    expect(await lbsim(['validate', inner])).toMatchObject({ code: 0, stdout: '1 file: valid.\n' });
  });
});

describe('text', () => {
  it.each([
    ['a byte order mark', '\uFEFFname: a\nload_assignment: {cluster_name: a}\n'],
    ['line ends of Windows', 'name: a\r\nload_assignment:\r\n  cluster_name: a\r\n'],
    ['a replacement character', '# \uFFFD\nname: a\nload_assignment: {cluster_name: a}\n'],
  ])('may have %s', async (_, text) => {
    const file = folder.file('text.yaml', text);
    expect(await lbsim(['validate', file])).toMatchObject({ code: 0, stdout: '1 file: valid.\n' });
  });

  it('that is not UTF-8 is refused where it stops being so', async () => {
    const file = join(folder.path, 'latin1.yaml');
    writeFileSync(file, Buffer.concat([Buffer.from('name: \uFFFD\nx: caf'), Buffer.from([0xe9]), Buffer.from('\n')]));
    const { stdout } = await lbsim(['validate', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ rule: 'not-text', line: 2, column: 7 }] });
  });
});
