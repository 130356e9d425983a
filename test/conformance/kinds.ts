import { runHostSetFile } from './hostset/hostset.js';
import type { CaseOutcome } from './outcome.js';

export type RunFile = (content: unknown) => readonly CaseOutcome[] | Promise<readonly CaseOutcome[]>;

/** How the files of each kind are replayed. */
export const kinds: ReadonlyMap<string, RunFile> = new Map<string, RunFile>([['hostset', runHostSetFile]]);
