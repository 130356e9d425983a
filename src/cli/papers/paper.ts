import type { PaperComparison } from '../../analysis/paper/comparison.js';
import type { ClusterPrediction } from '../../predict/prediction.js';

/** A published table, and how its numbers come out of a scenario of `papers/`. */
export interface Paper extends Pick<PaperComparison, 'title' | 'citation' | 'scenario' | 'quantity' | 'runs'> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly notes?: readonly string[];
}

export interface Row {
  readonly row: string;
  /** As `--set` takes them. */
  readonly changes: readonly string[];
  readonly values: readonly Value[];
  /** Why the published figure cannot be ours. */
  readonly why?: string;
}

export type Value = { readonly published: number; readonly within: number } & (Simulated | Exact | Disruption);

/** The mean of a number of `lbsim run --json`, times `scale`. */
export interface Simulated {
  readonly number: string;
  readonly scale: number;
}

/** A number of a prediction, which needs no run: the mean over sets of hosts, where there are several. */
export interface Exact {
  readonly cluster: string;
  readonly of: (prediction: ClusterPrediction) => number;
  /** Changes that make another set of hosts each. */
  readonly sets?: readonly (readonly string[])[];
}

/** Keys that move where a host is lost, in those that have to move then: the mean over all hosts of a cluster. */
export interface Disruption {
  readonly disrupted: string;
}

/** A row of one number of `lbsim run --json`, with the scenario as it is. */
export function simulatedRow(row: string, published: number, within: number, number: string, scale: number): Row {
  return { row, changes: [], values: [{ published, within, number, scale }] };
}

export function isDisruption(value: Value): value is Value & Disruption {
  return 'disrupted' in value;
}

export function isSimulated(value: Value): value is Value & Simulated {
  return 'number' in value;
}
