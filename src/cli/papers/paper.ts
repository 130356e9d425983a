import type { PaperComparison } from '../../analysis/paper/comparison.js';
import type { ClusterPrediction } from '../../predict/prediction.js';

/** What a published table is, as papers.yaml has it. */
export interface PaperWords extends Pick<PaperComparison, 'title' | 'citation' | 'scenario' | 'quantity' | 'runs'> {
  readonly notes?: readonly string[];
  readonly table?: Means;
}

/** A published table, and how its numbers come out of a scenario of `papers/`. */
export interface Paper extends PaperWords {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** A mean of the scenario as it is in each row. */
interface Means {
  /** Of a cluster in `lbsim run --json`, and what it is multiplied by, where a row says nothing else. */
  readonly number: string;
  readonly scale: number;
  readonly rows: readonly {
    readonly row: string;
    readonly cluster: string;
    readonly published: number;
    readonly number?: string;
    readonly scale?: number;
    readonly within?: number;
    /** Of what is published, instead of `within`. */
    readonly part?: number;
  }[];
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

export function rowsOf({ rows, ...all }: Means): readonly Row[] {
  return rows.map(({ row, cluster, published, part = 0, within = published * part, ...own }) => {
    const { number, scale } = { ...all, ...own };
    return { row, changes: [], values: [{ published, within, number: `clusters.${cluster}.${number}`, scale }] };
  });
}

export function isDisruption(value: Value): value is Value & Disruption {
  return 'disrupted' in value;
}

export function isSimulated(value: Value): value is Value & Simulated {
  return 'number' in value;
}
