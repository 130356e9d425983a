import type { Inspection, LoadOptions, Problem } from '../../index.js';
import type { ClusterPicture } from './draw-picture.js';

/** What goes between the page and the engine in its worker, whose methods the page calls. */

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
  | 'warmupText'
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

export type ExportForm = 'json' | 'csv' | 'text';

export type Question =
  /** The next decision at the time, of a request with a key of its own if it is given. */
  | { readonly kind: 'decision'; readonly hashKey: string | undefined }
  /** Why it gets what it gets. */
  | { readonly kind: 'host'; readonly address: string }
  /** The path of one request of the run, by its number. */
  | { readonly kind: 'request'; readonly number: number };

export interface LookQuestion {
  readonly subject: Subject;
  readonly cluster: string;
  readonly atS: number;
  /** Where does it fall? */
  readonly hashKey: string | undefined;
}

export type InspectAnswer = Inspection | { readonly problem: string };

/** The result of reading a text, without a run. */
export interface CheckPicture {
  readonly problems: readonly Problem[];
  /** Whether it is a scenario, or a proxy's configuration; undefined where it has errors. */
  readonly isScenario: boolean | undefined;
  /** undefined without a prediction. */
  readonly clusters: readonly ClusterPicture[] | undefined;
}

/** A text after a change, and the change in a few words; or why it cannot be changed. */
export type PullAnswer = { readonly text: string; readonly says: string } | { readonly problem: string };

export type EngineMessage =
  /** Of the current run, 0–1. */
  | { readonly kind: 'progress'; readonly progress: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  /** The table of v3 is needed, and the call once more behind it. */
  | { readonly kind: 'table-missing'; readonly id: number }
  | { readonly kind: 'defect'; readonly id: number; readonly message: string };
