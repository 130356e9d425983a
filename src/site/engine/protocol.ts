import type { LoadOptions, Problem } from '../../index.js';
import type { Lever } from './levers.js';
import type { CheckPicture, RunPicture } from './picture.js';

/** What the page and the engine in its worker say to each other. */

/** A text as the user named it. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** What the page may change without touching the text. */
export type Overrides = Pick<LoadOptions, 'seed' | 'proxyVersion'>;

/** One scenario, in one text or several. */
export interface Subject {
  readonly files: readonly SourceFile[];
  readonly overrides: Overrides;
}

/** Forms in which the result of the last run leaves. */
export const EXPORTS = ['json', 'csv', 'text'] as const;
export type ExportForm = (typeof EXPORTS)[number];

export type EngineRequest =
  /** Reads, checks and predicts. */
  | { readonly kind: 'check'; readonly id: number; readonly subject: Subject }
  /** Runs; progress is told until the answer. */
  | { readonly kind: 'run'; readonly id: number; readonly subject: Subject }
  /** Ends the run that goes on; its answer tells what was known so far. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** Changes a text. */
  | { readonly kind: 'pull'; readonly id: number; readonly text: string; readonly lever: Lever }
  /** Makes a scenario of what a proxy is configured with. */
  | { readonly kind: 'import'; readonly id: number; readonly files: readonly SourceFile[] }
  /** Tells the next decision at a time; or, of a host, why it gets what it gets. */
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
  /** undefined where errors kept it from running. */
  readonly picture: RunPicture | undefined;
}

/** A text after a change, or why it cannot be changed. */
export type PullAnswer = { readonly text: string; readonly lines: readonly string[] } | { readonly problem: string };

/** What each kind of question is answered with. */
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
