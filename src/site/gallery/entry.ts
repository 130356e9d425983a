import type { Example } from '../../scenario/example.js';
import type { RunPicture } from '../engine/picture.js';
import type { Telling } from './telling.js';

/** A scenario with what its run gave. */
export interface Entry {
  readonly example: Example & { readonly text: string };
  readonly picture: RunPicture;
  /** The report in words. */
  readonly report: string;
  /** Of each cluster, what is drawn of it. */
  readonly telling: readonly Telling[];
}

/** The playground on this scenario, at the time of its picture. */
export function playgroundLink({ example, telling }: Entry): string {
  const at = telling[0]?.phase.fromS ?? 0;
  return `../index.html#example=${encodeURIComponent(example.name)}${at > 0 ? `&at=${Number(at.toFixed(3))}` : ''}`;
}
