import { attempt, entryOf } from '../../core/values.js';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileProblem, type ProblemRule } from '../../core/problem.js';
import { closest, distance } from 'fastest-levenshtein';
import { MAX_LENGTH } from '../../config/source/source-limits.js';
import { errorCode, InputError, type Io, reasonOf } from '../session.js';
import { shippedScenario } from '../package-root.js';
import type { Input } from '../../scenario/input/read-inputs.js';

/** The texts of standard input and pipes, which a call can read once. */
const readBefore = new WeakMap<Io, Map<string, string>>();

/** `-` is standard input. @throws InputError: no such file, a directory, binary, not UTF-8, empty, too large. */
export async function readInput(file: string, io: Io): Promise<string> {
  const before = entryOf(readBefore, io, () => new Map<string, string>());
  const text = before.get(file) ?? (await readText(file, io));
  if (file === '-' || isOwnDescriptor(file)) before.set(file, text);
  return text;
}

/** One after the other: standard input is read once. */
export async function readInputs(files: readonly string[], io: Io): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const file of files) inputs.push({ file, text: await readInput(file, io) });
  return inputs;
}

async function readText(file: string, io: Io): Promise<string> {
  const subject = file === '-' ? 'Standard input' : 'This file';
  try {
    const bytes = await (file === '-' ? readStream(io.stdin) : readBytes(file));
    const zero = bytes.indexOf(0);
    const isUtf16 = /^(fffe|feff)$/.test(bytes.toString('hex', 0, 2));
    if (isUtf16) throw new RefusedFile('not-text', 'This file is UTF-16. Save it as UTF-8.');
    if (zero >= 0) throw new RefusedFile('not-text', `This is a binary file: there is a zero byte at offset ${zero}.`);
    const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), undefined);
    if (text === undefined)
      throw new RefusedFile('not-text', `${subject} is not UTF-8 text. Save it as UTF-8.`, firstBadByte(bytes));
    if (text.trim() !== '') return text;
    throw new RefusedFile('empty-file', `${subject} is empty. "lbsim init FILE" writes a scenario to start from.`);
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    throw new InputError([{ ...fileProblem(file, error.rule, error.message), ...error.place }]);
  }
}

function firstBadByte(bytes: Buffer): RefusedFile['place'] {
  const text = bytes.toString('utf8');
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) {
    const before = text.slice(0, at);
    // A replacement character in the file itself is valid.
    if (bytes.indexOf('\ufffd', Buffer.byteLength(before)) === Buffer.byteLength(before)) continue;
    return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
  }
  return { line: 0, column: 0 };
}

function readBytes(file: string): Buffer {
  try {
    if (statSync(file).isDirectory()) throw new RefusedFile('directory', directoryMessage(file));
    return readWholeFile(file, MAX_LENGTH);
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    // By its bare name: a path that is not there is a mistake.
    const shipped = file.endsWith('.yaml') ? undefined : shippedScenario(file);
    if (errorCode(error) === 'ENOENT' && shipped !== undefined)
      return readWholeFile(fileURLToPath(shipped), MAX_LENGTH);
    if (errorCode(error) === 'ENOENT') throw new RefusedFile('no-such-file', `There is no such file.${nearby(file)}`);
    throw new RefusedFile('unreadable', `This file cannot be read: ${reasonOf(error)}.`);
  }
}

async function readStream(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
      size += bytes.length;
      if (size > MAX_LENGTH)
        throw new RefusedFile('too-large', `Standard input is larger than ${MAX_LENGTH / 1024 / 1024} MiB.`);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new RefusedFile('unreadable', `Standard input cannot be read: ${reasonOf(error)}.`);
  }
  return Buffer.concat(chunks);
}

const scenarioFiles = (directory: string): string[] =>
  attempt(() => readdirSync(directory), []).filter((name) => SUFFIX.test(name));

function nearby(file: string): string {
  const names = scenarioFiles(dirname(file));
  if (names.length === 0) return '';
  const wanted = basename(file);
  const nearest = closest(wanted, names);
  const alike = nearest.startsWith(wanted) || distance(wanted, nearest) <= Math.max(1, Math.floor(wanted.length / 4));
  return alike ? ` Did you mean ${join(dirname(file), nearest)}?` : '';
}

function directoryMessage(directory: string): string {
  const names = scenarioFiles(directory);
  const example = names[0] === undefined ? '' : `, for example ${join(directory, names[0])}`;
  return `This is a directory. Name a file${example}.`;
}

/** Why a file was not read; the message is a sentence about "this file". */
export class RefusedFile extends Error {
  constructor(
    readonly rule: ProblemRule,
    message: string,
    readonly place?: { readonly line: number; readonly column: number },
  ) {
    super(message);
  }
}

const CHUNK = 1024 * 1024;

/**
 * Reads a whole regular file of limited size, consistently.
 * @param read its next bytes, as the system does.
 * @throws RefusedFile for anything that is not a file, is too large, or changes while it is read.
 * @throws the error of the system if it cannot be opened or read.
 */
export function readWholeFile(
  path: string,
  maxBytes: number,
  read = (from: number, into: Buffer): number => readSync(from, into),
): Buffer {
  refuseOthers(path, statSync(path));
  // Without O_NONBLOCK the open itself could wait forever, if a named pipe took the place of the file just now.
  const descriptor = openSync(path, constants.O_RDONLY | (isOwnDescriptor(path) ? 0 : constants.O_NONBLOCK));
  try {
    const before = fstatSync(descriptor);
    refuseOthers(path, before);
    if (before.size > maxBytes) throw tooLarge(maxBytes);
    // One more byte, to detect the end. Files generated by the kernel (/proc) report a size of 0.
    let bytes = Buffer.allocUnsafe(before.size === 0 ? CHUNK : before.size + 1);
    let size = 0;
    for (;;) {
      const length = read(descriptor, bytes.subarray(size));
      if (length === 0) break;
      size += length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (size === bytes.length) bytes = Buffer.concat([bytes], 2 * size);
    }
    const after = fstatSync(descriptor);
    const isWhole = size === after.size || after.size === 0;
    if (before.isFile() && (!isWhole || before.size !== after.size || before.mtimeMs !== after.mtimeMs))
      throw new RefusedFile('changed', 'This file changed while it was read. Try again when it is written completely.');
    return bytes.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

/** Devices may be endless, and a named pipe waits for a writer that may never come. */
function refuseOthers(path: string, stats: Stats): void {
  if (stats.isFile() || (stats.isFIFO() && isOwnDescriptor(path))) return;
  const advice = stats.isFIFO() ? ' Name it as standard input: - < PIPE.' : '';
  throw new RefusedFile('not-a-file', `This is ${kindOf(stats)}, not a file.${advice}`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** `<(command)` of a shell is `/dev/fd/63`: a pipe that is open already, so that nothing waits for a writer. */
const isOwnDescriptor = (path: string): boolean => /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(resolve(path));

const tooLarge = (maxBytes: number): RefusedFile =>
  new RefusedFile('too-large', `This file is larger than ${maxBytes / 1024 / 1024} MiB.`);

const WILD = /[*?]/;

/**
 * The files of an argument, as {@link inputFiles}; of a pattern that the shell did not expand, as `scenarios/**` or
 * `tests/*.yaml`, all matches. `**` reaches into folders, `*` and `?` do not. @throws InputError where nothing matches.
 */
export function globFiles(argument: string): readonly string[] {
  if (!WILD.test(argument)) return inputFiles(argument);
  const parts = argument.split('/');
  const wild = parts.findIndex((part) => WILD.test(part));
  const folder = parts.slice(0, wild).join('/');
  const base = folder === '' && !argument.startsWith('/') ? '.' : folder === '' ? '/' : folder;
  const pattern = new RegExp(`^${parts.map(expressionOf).join('/').replaceAll('.*/', '(?:.*/)?')}$`);
  const files = inputFiles(base).filter((file) => pattern.test(join(file)));
  if (files.length > 0) return files;
  throw new InputError([fileProblem(argument, 'no-files', 'No *.yaml, *.yml or *.json file matches this pattern.')]);
}

function expressionOf(part: string): string {
  if (part === '**') return '.*';
  return part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}

const SUFFIX = /\.(ya?ml|json)$/i;

/**
 * The files of an argument: itself, or all YAML and JSON files below a directory, in alphabetical order. Hidden entries,
 * `node_modules`, pipes and devices are skipped, links to directories are not followed.
 * @throws InputError where a directory has none, or cannot be listed.
 */
export function inputFiles(argument: string): readonly string[] {
  if (argument === '-' || !attempt(() => statSync(argument).isDirectory(), false)) return [argument];
  const files: string[] = [];
  collect(argument, files);
  if (files.length === 0) {
    const message = 'There is no *.yaml, *.yml or *.json file in this directory.';
    throw new InputError([fileProblem(argument, 'no-files', message)]);
  }
  return files;
}

function collect(directory: string, files: string[]): void {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const message = `This directory cannot be read: ${reasonOf(error)}.`;
    throw new InputError([fileProblem(directory, 'unreadable', message)]);
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) collect(path, files);
    // A named pipe or a device is read only when named explicitly. A dangling link is reported, not skipped.
    else if (SUFFIX.test(entry.name) && attempt(() => statSync(path).isFile(), true)) files.push(path);
  }
}
