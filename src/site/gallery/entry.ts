import { answerOf, type Example } from '../../scenario/example.js';
import type { RunPicture } from '../engine/picture.js';
import { Engine } from '../engine/engine.js';
import { type Telling, tellingInstants } from '../instant.js';
import type { SourceFile } from '../engine/protocol.js';

/** A scenario with what its run gave. */
export interface Entry {
  readonly example: Example & { readonly text: string };
  readonly picture: RunPicture;
  /** The answer in one sentence. */
  readonly answer: string;
  /** The report in words. */
  readonly report: string;
  /** Of each cluster, what is drawn of it. */
  readonly telling: readonly Telling[];
}

/** @throws Error where the scenario cannot be run. */
export async function entryFor(example: Entry['example'] & SourceFile): Promise<Entry> {
  // The engine behind the playground. A page that is built twice is the same, so no time is told; nobody waits for a turn.
  const engine = new Engine({ onProgress: () => undefined, nowMs: () => 0, turn: () => Promise.resolve() });
  const { picture, problems } = await engine.run({ files: [example], overrides: {} });
  if (picture === undefined) throw new Error(`${example.file}: ${problems.map(({ message }) => message).join(' ')}`);
  const answer = answerOf(example.text) || (picture.answer[0] ?? '');
  return {
    example,
    picture: { ...picture, elapsedMs: undefined },
    answer,
    report: engine.export('text').join(''),
    telling: tellingInstants(picture),
  };
}

/** The playground on this scenario, at the time of its picture. */
export function playgroundLink({ example, telling: [first] }: Entry): string {
  return `../index.html#example=${encodeURIComponent(example.name)}&at=${first?.t ?? 0}`;
}
