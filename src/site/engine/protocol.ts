import type { LoadOptions, Problem } from '../../index.js';
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

export type EngineRequest =
  /** Reads, checks and predicts. */
  | { readonly kind: 'check'; readonly id: number; readonly subject: Subject }
  /** Runs; progress is reported until the answer. */
  | { readonly kind: 'run'; readonly id: number; readonly subject: Subject }
  /** Ends the current run; its answer has the results so far. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** Changes a text. */
  | { readonly kind: 'pull'; readonly id: number; readonly text: string; readonly lever: Lever }
  /** Turns a proxy's configuration into a scenario. */
  | { readonly kind: 'import'; readonly id: number; readonly files: readonly SourceFile[] }
  /** Explains the next decision at a time, or the share of a host. */
  | {
      readonly kind: 'explain';
      readonly id: number;
      readonly subject: Subject;
      readonly cluster: string;
      readonly atS: number;
      readonly host: string | undefined;
    }
  | { readonly kind: 'export'; readonly id: number; readonly form: ExportForm }
  /** JSON Schema of a scenario, for completion. */
  | { readonly kind: 'schema'; readonly id: number };

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
  /** Lines for people. */
  readonly explain: string;
  readonly export: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

export type EngineMessage =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answers[keyof Answers] }
  /** The engine failed: a defect. */
  | { readonly kind: 'defect'; readonly id: number; readonly message: string };
