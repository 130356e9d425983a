import type { CheckPicture, RunPicture } from './engine/picture.js';
import type { Overrides, SourceFile } from './engine/protocol.js';
import { Store } from './store.js';

/** Lines that levers put into the scenario. */
export interface Change {
  readonly lines: readonly string[];
  /** The text before all of them. */
  readonly before: string;
}

export interface AppState {
  readonly files: readonly SourceFile[];
  /** Which of them is edited. */
  readonly active: number;
  /** Counts the texts that the page put in place; what the user types is in the editor already. */
  readonly revision: number;
  readonly overrides: Overrides;
  /** Of the texts as they were last read. */
  readonly check: CheckPicture | undefined;
  /** The last run. What is drawn stays until there is something else to draw. */
  readonly run: RunPicture | undefined;
  /** 0–1; undefined: nothing runs. */
  readonly progress: number | undefined;
  /** A defect, or why a link or a file cannot be read. */
  readonly message: string;
  readonly cluster: string | undefined;
  /** Place of the host that is looked at, in its cluster. */
  readonly host: number | undefined;
  readonly playing: boolean;
  /** Seconds of virtual time for each second. */
  readonly speed: number;
  /** What the last lever changed; undefined: the text is as it was opened or typed. */
  readonly change: Change | undefined;
  /** A part of the run that is looked at closely, in seconds. */
  readonly zoom: readonly [number, number] | undefined;
}

export const app = new Store<AppState>({
  files: [],
  active: 0,
  revision: 0,
  overrides: {},
  check: undefined,
  run: undefined,
  progress: undefined,
  message: '',
  cluster: undefined,
  host: undefined,
  playing: false,
  speed: 1,
  change: undefined,
  zoom: undefined,
});

/** Virtual time that is shown. It moves with every frame: apart from the rest, so that only what shows it follows. */
export const clock = new Store<{ readonly t: number }>({ t: 0 });
