import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProblemRule } from '../core/problem.js';

/** Why a file was not read; the message is a sentence about "this file". */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';

  /** @param rule of the problem that it becomes. */
  constructor(
    readonly rule: ProblemRule,
    message: string,
  ) {
    super(message);
  }
}

/** The calls of the operating system that reading takes; tests bring their own. */
export interface Files {
  readonly stat: (path: string) => Stats;
  readonly open: (path: string) => number;
  readonly fstat: (descriptor: number) => Stats;
  readonly read: (descriptor: number, into: Buffer) => number;
  readonly close: (descriptor: number) => void;
}

export const FILES: Files = {
  stat: (path) => statSync(path),
  // Without O_NONBLOCK the open itself could wait forever, if a named pipe took the place of the file just now.
  open: (path) =>
    openSync(path, isOwnDescriptor(path) ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK),
  fstat: (descriptor) => fstatSync(descriptor),
  read: (descriptor, into) => readSync(descriptor, into),
  close: closeSync,
};

const CHUNK = 1024 * 1024;

/**
 * The whole of a regular file, as it is at one moment, within bounds.
 *
 * @throws RefusedFile for what is no file, is too large, or changes while it is read.
 * @throws the error of the system for what cannot be opened or read.
 */
export function readWholeFile(path: string, maxBytes: number, files: Files = FILES): Buffer {
  refuseOthers(path, files.stat(path));
  const descriptor = files.open(path);
  try {
    const before = files.fstat(descriptor);
    refuseOthers(path, before);
    if (before.size > maxBytes) throw tooLarge(maxBytes);
    // One byte more, to see the end. What the kernel makes up as it is read (/proc) says that it has no size.
    let bytes = Buffer.allocUnsafe(before.size === 0 ? CHUNK : before.size + 1);
    let size = 0;
    for (;;) {
      const read = files.read(descriptor, bytes.subarray(size));
      if (read === 0) break;
      size += read;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (size === bytes.length) bytes = Buffer.concat([bytes], 2 * size);
    }
    const after = files.fstat(descriptor);
    if (before.isFile() && isChanged(before, after, size)) {
      throw new RefusedFile('changed', 'This file changed while it was read. Try again when it is written completely.');
    }
    return bytes.subarray(0, size);
  } finally {
    files.close(descriptor);
  }
}

function isChanged(before: Stats, after: Stats, size: number): boolean {
  const whole = size === after.size || after.size === 0;
  return !whole || before.size !== after.size || before.mtimeMs !== after.mtimeMs;
}

/** Devices may go on forever, and a named pipe waits for a writer who may never come. */
function refuseOthers(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isFIFO() && isOwnDescriptor(path)) return;
  throw new RefusedFile(
    'not-a-file',
    `This is ${kindOf(stats)}, not a file.${stats.isFIFO() ? ` ${PIPE_ADVICE}` : ''}`,
  );
}

const PIPE_ADVICE = 'Name it as standard input: - < PIPE.';

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** `<(command)` of a shell is `/dev/fd/63`: a pipe that is open already, so that nothing waits for a writer. */
function isOwnDescriptor(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(resolve(path));
}

function tooLarge(maxBytes: number): RefusedFile {
  return new RefusedFile('too-large', `This file is larger than ${maxBytes / 1024 / 1024} MiB.`);
}
