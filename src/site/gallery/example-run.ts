import { Engine } from '../engine/engine.js';
import type { RunPicture } from '../engine/picture.js';
import type { Answers, EngineMessage, EngineRequest, SourceFile } from '../engine/protocol.js';

/** What a page of the gallery shows of a scenario: the same engine as behind the playground, run where it is built. */
export interface ExampleRun {
  readonly picture: RunPicture;
  /** The report in words. */
  readonly text: string;
}

/** @throws Error where the scenario cannot be run. */
export async function runExample(file: SourceFile): Promise<ExampleRun> {
  const messages: EngineMessage[] = [];
  // A page that is built twice is the same, so nothing is timed; nobody waits for a turn.
  const engine = new Engine({
    post: (message) => messages.push(message),
    nowMs: () => 0,
    turn: () => Promise.resolve(),
  });
  const ask = async <K extends 'run' | 'export'>(
    request: EngineRequest & { readonly kind: K },
  ): Promise<Answers[K]> => {
    await engine.receive(request);
    const last = messages.findLast(({ id, kind }) => id === request.id && kind !== 'progress');
    if (last?.kind === 'answer') return last.value as Answers[K];
    throw new Error(`${file.file}: ${last?.kind === 'defect' ? last.message : 'no answer'}`);
  };
  const { picture, problems } = await ask({ kind: 'run', id: 1, subject: { files: [file], overrides: {} } });
  if (picture === undefined) throw new Error(`${file.file}: ${problems.map(({ message }) => message).join(' ')}`);
  const text = await ask({ kind: 'export', id: 2, form: 'text' });
  return { picture: { ...picture, elapsedMs: undefined }, text: text.join('') };
}
