import { attempt } from '../../core/values.js';
import { closeSync, createWriteStream, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Output, OutputError, type Session, UsageError } from '../session.js';

export interface OutputFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Closes a file, which is there from then on; standard output stays open. */
  close(): Promise<void>;
}

export interface OutputRules {
  /** Inputs, never to be overwritten: files of the call (`-` is standard input), and those that a scenario names. */
  readonly inputs: readonly string[];
  readonly named: readonly string[];
  readonly force?: boolean | undefined;
}

/** The files that one call writes, by the option that names them. */
export type OutputFiles = ReadonlyMap<string, OutputFile>;

/**
 * Opens all files that a call writes at its start: a run of minutes should not end with "no such directory". If one cannot
 * be opened, none is changed. What is in a file stays until the new content is whole and on the disk: a full disk or an end
 * of the process loses nothing.
 * @param targets files by option, `-` for standard output.
 * @throws UsageError for files that would be overwritten; OutputError where a file cannot be opened.
 */
export async function openOutputs(
  targets: ReadonlyMap<string, string>,
  rules: OutputRules,
  session: Session,
): Promise<OutputFiles> {
  const files = [...targets].flatMap(([option, target]) => (target === '-' ? [] : [lookAt(option, target)]));
  const refusals = refusalsOf(files, rules);
  if (refusals.length > 0) throw new UsageError(refusals.join('\n'));
  const opened = new Map<string, OutputFile>();
  const stdout: OutputFile = { write: (content) => session.out.write(content), close: () => Promise.resolve() };
  for (const [option, target] of targets) if (target === '-') opened.set(option, stdout);
  try {
    for (const file of files)
      opened.set(file.option, await (file.is === 'device' ? openDevice(file) : opener(file, session)));
  } catch (error) {
    session.discardUnfinished();
    throw error;
  }
  return opened;
}

async function openDevice({ target }: Target): Promise<OutputFile> {
  const output = new Output(createWriteStream(target), target);
  await output.write('');
  return { write: (content) => output.write(content), close: () => output.end() };
}

let besides = 0;

/** Written beside the file, from the first write on, and put in its place at the end: a busy process hears no signal. */
async function opener({ target, is }: Target, session: Session): Promise<OutputFile> {
  const place = is === 'missing' ? resolve(target) : realpathSync(target);
  const beside = join(dirname(place), `.lbsim-${process.pid}-${++besides}`);
  const tried = is === 'missing' ? place : beside;
  // "wx" fails if the file was created since the check.
  await written(target, () => closeSync(openSync(tried, 'wx')));
  rmSync(tried);
  let output: Output | undefined;
  let discard = (): void => undefined;
  const begin = (): Output => {
    const mode = attempt(() => statSync(place).mode, undefined);
    const stream = createWriteStream(beside, { flags: 'wx', mode, flush: true });
    discard = () => {
      process.off('exit', discard);
      stream.destroy();
      rmSync(beside, { force: true });
    };
    session.unfinished.add(discard);
    // A second Ctrl-C ends the process where it stands.
    process.once('exit', discard);
    return (output = new Output(stream, target));
  };
  return {
    write: (content) => (output ?? begin()).write(content),
    async close() {
      await (output ?? begin()).end();
      await written(target, () => renameSync(beside, place));
      session.unfinished.delete(discard);
      process.off('exit', discard);
    },
  };
}

/** @throws OutputError for what fails. */
export async function written(target: string, write: () => unknown): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new OutputError(target, error);
  }
}

/** The same for one file; undefined: the option is not given. */
export const openOutput = async (
  option: string,
  target: string | undefined,
  rules: OutputRules,
  session: Session,
): Promise<OutputFile | undefined> =>
  target === undefined ? undefined : (await openOutputs(new Map([[option, target]]), rules, session)).get(option);

/** Writes the whole of a file that {@link openOutput} opens, if the option is given. */
export async function writeOutput(content: string, ...opened: Parameters<typeof openOutput>): Promise<void> {
  const output = await openOutput(...opened);
  await output?.write(content);
  await output?.close();
}

type Target = ReturnType<typeof lookAt>;

/** `id`: the same for every name of a file, through links of both kinds. */
function lookAt(option: string, target: string) {
  const stats = attempt(() => statSync(target, { bigint: true }), undefined);
  if (stats !== undefined)
    return { option, target, id: `${stats.dev}:${stats.ino}`, is: stats.isFile() ? 'file' : 'device' } as const;
  const id = attempt(() => join(realpathSync(dirname(target)), basename(target)), resolve(target));
  return { option, target, id, is: 'missing' } as const;
}

function refusalsOf(files: readonly Target[], { inputs, named, force = false }: OutputRules): string[] {
  const read = new Map<string, string>();
  for (const path of named) read.set(lookAt('', path).id, `${path}, which the scenario names`);
  for (const path of inputs) {
    const what = inputs.length === 1 ? 'the scenario' : `${path === '-' ? 'standard input' : path}, which is read`;
    read.set(lookAt('', path === '-' ? '/dev/stdin' : path).id, what);
  }
  const writers = new Map<string, string>();
  return files.flatMap(({ option, target, id, is }) => {
    // A terminal or a pipe is not overwritten, and may be shared.
    if (is === 'device') return [];
    const input = read.get(id);
    if (input !== undefined) return [`${option} ${target} would overwrite ${input}`];
    const other = writers.get(id);
    if (other !== undefined) return [`${other} and ${option} both write ${target}`];
    writers.set(id, option);
    return is === 'file' && !force ? [`${option} ${target}: this file exists already; --force overwrites it`] : [];
  });
}
