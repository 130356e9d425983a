import type { Inspection, LoadOptions, Problem } from '../../index.js';
import type { Lever } from './levers.js';
import type { CheckPicture, RunPicture } from './picture.js';

/** Messages between the page and the engine in its worker. */

/** A text as the user named it. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** Options beside the text, as the command has them. */
export type Overrides = Pick<
  LoadOptions,
  | 'seed'
  | 'proxyVersion'
  | 'api'
  | 'durationText'
  | 'set'
  | 'unhealthy'
  | 'fail'
  | 'hosts'
  | 'clusters'
  | 'allowUnknownFields'
>;

/** One scenario, in one text or several. */
export interface Subject {
  readonly files: readonly SourceFile[];
  readonly overrides: Overrides;
}

/** Export formats of the last run. */
export const EXPORTS = ['json', 'csv', 'text'] as const;
export type ExportForm = (typeof EXPORTS)[number];

/** What is to be explained. */
export type Question =
  /** The next decision at the time, of a request with a key of its own if it is given. */
  | { readonly kind: 'decision'; readonly hashKey: string | undefined }
  /** Why it gets what it gets. */
  | { readonly kind: 'host'; readonly address: string }
  /** The path of one request of the run, by its number. */
  | { readonly kind: 'request'; readonly number: number };

/** What the engine is asked for. */
export type Ask =
  /** Reads, checks and predicts. */
  | { readonly kind: 'check'; readonly subject: Subject }
  /** Runs; progress is reported until the answer. */
  | { readonly kind: 'run'; readonly subject: Subject }
  /** Ends the current run; its answer has the results so far. */
  | { readonly kind: 'cancel' }
  /** Changes a text. */
  | { readonly kind: 'pull'; readonly text: string; readonly lever: Lever }
  /** Turns a proxy's configuration into a scenario. */
  | { readonly kind: 'import'; readonly files: readonly SourceFile[] }
  /** Takes out what must not leave in a link. */
  | { readonly kind: 'safe'; readonly subject: Subject }
  /** Tells a decision, or the share of a host. */
  | {
      readonly kind: 'explain';
      readonly subject: Subject;
      readonly cluster: string;
      readonly atS: number;
      readonly about: Question;
    }
  /** The state of a cluster at a time. A later one takes the place of one that is not answered yet. */
  | {
      readonly kind: 'inspect';
      readonly subject: Subject;
      readonly cluster: string;
      readonly atS: number;
      /** Where does it fall? */
      readonly hashKey: string | undefined;
    }
  | { readonly kind: 'export'; readonly form: ExportForm }
  /** What differs between two texts. */
  | { readonly kind: 'compare'; readonly subjects: readonly [a: Subject, b: Subject] }
  /** JSON Schema of a scenario, for completion. */
  | { readonly kind: 'schema' };

export type EngineRequest = Ask & { readonly id: number };

/** The state, or why there is none; undefined: another question took the place of this one. */
export type InspectAnswer = Inspection | { readonly problem: string } | undefined;

export interface RunAnswer {
  readonly problems: readonly Problem[];
  /** undefined where errors prevented a run. */
  readonly picture: RunPicture | undefined;
}

/** A text after a change, or why it cannot be changed. */
export type PullAnswer = { readonly text: string; readonly lines: readonly string[] } | { readonly problem: string };

/** The type of the answer to each kind of request. */
export interface Answers {
  readonly check: CheckPicture;
  readonly run: RunAnswer;
  readonly cancel: null;
  readonly pull: PullAnswer;
  readonly import: PullAnswer;
  readonly safe: Subject;
  /** Lines for people. */
  readonly explain: string;
  readonly inspect: InspectAnswer;
  readonly export: readonly string[];
  /** A sentence each. */
  readonly compare: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The table of v3, which the page loads when a text needs it. */
export interface TableMessage {
  readonly kind: 'table';
  readonly text: string;
}

export type EngineMessage =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answers[keyof Answers] }
  /** The table of v3 is needed, and the request once more behind it. */
  | { readonly kind: 'table-missing'; readonly id: number }
  /** The engine failed: a defect. */
  | { readonly kind: 'defect'; readonly id: number; readonly message: string };
