import type { CheckPicture, RunPicture } from './engine/picture.js';
import type { Overrides, SourceFile, Subject } from './engine/protocol.js';
import { Store } from './store.js';

/** A run that stays in sight beside the current one: A, where the current one is B. */
export interface Pinned {
  readonly subject: Subject;
  readonly run: RunPicture;
}

/** Lines that levers added to the scenario. */
export interface Change {
  readonly lines: readonly string[];
  /** The text before any of them. */
  readonly before: string;
  /** From the lever to the exact prediction, in ms; undefined: it is being worked out. */
  readonly tookMs: number | undefined;
}

export interface AppState {
  readonly files: readonly SourceFile[];
  /** Which of them is edited. */
  readonly active: number;
  /** Counts texts set by the page; typed text is in the editor already. */
  readonly revision: number;
  readonly overrides: Overrides;
  /** Result of the last check of the texts. */
  readonly check: CheckPicture | undefined;
  /** The last run. It stays on the page until there is a new one. */
  readonly run: RunPicture | undefined;
  /** After a lever, until the run that follows: the exact prediction, drawn in place of the run. */
  readonly ahead: RunPicture | undefined;
  /** undefined: one run alone is looked at. */
  readonly pinned: Pinned | undefined;
  /** What differs between the two, a sentence each; undefined: it is being worked out. */
  readonly difference: readonly string[] | undefined;
  /** 0–1; undefined: nothing runs. */
  readonly progress: number | undefined;
  /** A defect, or why a link or a file cannot be read. */
  readonly message: string;
  readonly cluster: string | undefined;
  /** Index of the selected host in its cluster. */
  readonly host: number | undefined;
  readonly playing: boolean;
  /** Seconds of virtual time for each second. */
  readonly speed: number;
  /** The change by the last lever; undefined: the text was not changed by levers. */
  readonly change: Change | undefined;
  /** The zoomed part of the run, in seconds. */
  readonly zoom: readonly [number, number] | undefined;
}

export const app = new Store<AppState>({
  files: [],
  active: 0,
  revision: 0,
  overrides: {},
  check: undefined,
  run: undefined,
  ahead: undefined,
  pinned: undefined,
  difference: undefined,
  progress: undefined,
  message: '',
  cluster: undefined,
  host: undefined,
  playing: false,
  speed: 1,
  change: undefined,
  zoom: undefined,
});

/**
 * The virtual time shown. It changes with every frame, and is a separate store so that only its readers are drawn again.
 */
export const clock = new Store<{ readonly t: number }>({ t: 0 });

/** How long the run is; of two the longer one. */
export function durationOf({ run, pinned }: Pick<AppState, 'run' | 'pinned'>): number {
  return Math.max(run?.durationS ?? 0, pinned?.run.durationS ?? 0);
}
