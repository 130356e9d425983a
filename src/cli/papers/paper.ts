import type { PaperComparison } from '../../analysis/paper/comparison.js';
import type { ClusterPrediction } from '../../predict/prediction.js';
import { PAPERS as WRITTEN } from './generated/papers.js';

/** What a published table is, as papers.yaml has it. */
export interface PaperWords extends Pick<PaperComparison, 'title' | 'citation' | 'scenario' | 'quantity' | 'runs'> {
  readonly notes?: readonly string[];
  readonly tables: readonly (Shared & { readonly rows: readonly (Shared & { readonly row: string })[] })[];
}

/** What a row has, or all rows of its table. */
interface Shared {
  /** Of the values of the row: one of all, or one of each. */
  readonly cluster?: string | readonly string[];
  readonly published?: number | readonly number[];
  readonly within?: number;
  /** Of what is published, instead of `within`. */
  readonly part?: number;
  /** Why the published figure cannot be ours. */
  readonly why?: string;
  readonly changes?: readonly string[];
  readonly number?: string;
  readonly scale?: number;
  readonly of?: keyof typeof QUANTITIES | 'disruption';
  /** Of a hundred hosts of each level how many are healthy, or healthy and degraded. */
  readonly levels?: readonly (number | readonly number[])[];
  /** Of a hundred hosts of weight 1 how many are healthy; there are a hundred others of weight 2, all healthy. */
  readonly west?: number;
  /** So many hosts, in several sets: the mean over these. */
  readonly hosts?: number;
}

/** A published table, and how its numbers come out of a scenario of `docs/papers/`. */
export interface Paper extends Omit<PaperWords, 'tables'> {
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly row: string;
  /** As `--set` takes them. */
  readonly changes: readonly string[];
  readonly values: readonly Value[];
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

export function isDisruption(value: Value): value is Value & Disruption {
  return 'disrupted' in value;
}

export function isSimulated(value: Value): value is Value & Simulated {
  return 'number' in value;
}

const sharesOf = ({ hosts }: ClusterPrediction): readonly number[] => hosts.map(({ share }) => share);

/** Quantities of a prediction, of the n-th value of a row. */
const QUANTITIES = {
  /** Percent of the requests that go to the n-th level. */
  level: ({ priorities }, level) => 100 * (priorities.find(({ priority }) => priority === level)?.share ?? 0),
  /** To the healthy hosts of level 0, and to the degraded ones. */
  health: ({ hosts }, part) =>
    100 * hosts.reduce((sum, { address, share }) => sum + (address.startsWith(`10.0.${part}.`) ? share : 0), 0),
  /** To each of the zones of {@link zonesOf}. */
  zone: ({ localities }, index) =>
    100 * (localities.find(({ locality }) => locality.zone === ['west', 'east'][index])?.share ?? 0),
  /** The coefficient of variation of the hosts' shares. */
  deviation: (prediction) => {
    const shares = sharesOf(prediction);
    const mean = 1 / shares.length;
    return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length) / mean;
  },
  /** The largest share, in even ones. */
  peak: (prediction) => Math.max(...sharesOf(prediction)) * prediction.hosts.length,
  /** The difference between the largest and the smallest share, in percent of an even one. */
  spread: (prediction) => {
    const shares = sharesOf(prediction);
    return 100 * (Math.max(...shares) - Math.min(...shares)) * shares.length;
  },
  /** Of the n-th host, in the usual Maglev table. */
  entries: (prediction, host) => (sharesOf(prediction)[host] ?? 0) * 65_537,
} satisfies Readonly<Record<string, (prediction: ClusterPrediction, index: number) => number>>;

/** Of the groups of hosts of a level. */
const HEALTH = ['HEALTHY', 'DEGRADED', 'UNHEALTHY'];

/** Other sets of hosts of the same size: their addresses are another network. */
const SETS = [1, 2, 3, 4, 5];

/** The published tables that we have, in the order of docs/papers.md. */
export const PAPERS = Object.entries<PaperWords>(WRITTEN).map(([name, { tables, ...words }]): Paper => ({
  name,
  ...words,
  rows: tables.flatMap(({ rows, ...all }) => rows.map((own) => rowOf({ ...all, ...own }))),
}));

function rowOf({ row, why, changes = [], levels, west, ...of }: Shared & { readonly row: string }): Row {
  const { cluster = '', published = 0, part = 0, within } = of;
  return {
    row,
    changes: [
      ...changes,
      ...(levels === undefined ? [] : [`endpoints.levels=${levelsOf(levels)}`]),
      ...(west === undefined ? [] : [`clusters.localities.load_assignment.endpoints=${zonesOf(west)}`]),
    ],
    values: [published].flat().map((value: number, index) => ({
      published: value,
      within: within ?? value * part,
      ...sourceOf([cluster].flat()[index] ?? String(cluster), of, index),
    })),
    ...(why !== undefined && { why }),
  };
}

function sourceOf(
  cluster: string,
  { number = '', scale = 1, of, hosts }: Shared,
  index: number,
): Simulated | Exact | Disruption {
  if (of === undefined) return { number: `clusters.${cluster}.${number}`, scale };
  if (of === 'disruption') return { disrupted: cluster };
  const quantity: (prediction: ClusterPrediction, index: number) => number = QUANTITIES[of];
  const sets = SETS.map((set) => [`endpoints.${cluster}=[{address: 10.${set}.0.1:80, count: ${hosts ?? 0}}]`]);
  return { cluster, of: (prediction) => quantity(prediction, index), ...(hosts !== undefined && { sets }) };
}

/** The endpoints of a cluster with these levels, as `--set` takes them. */
function levelsOf(levels: NonNullable<Shared['levels']>): string {
  const groups = levels.flatMap((hosts, level) => {
    const [healthy = 0, degraded = 0] = [hosts].flat();
    return [healthy, degraded, 100 - healthy - degraded].flatMap((count, part) =>
      count === 0
        ? []
        : [`{address: 10.${level}.${part}.1:80, count: ${count}, health: ${HEALTH[part] ?? ''}, priority: ${level}}`],
    );
  });
  return `[${groups.join(', ')}]`;
}

function zonesOf(west: number): string {
  const zones = [
    ['west', west],
    ['east', 100],
  ] as const;
  const entries = zones.map(([zone, healthy], index) => {
    const hosts = Array.from({ length: 100 }, (_, host) => {
      const address = `{socket_address: {address: 10.${index + 1}.0.${host + 1}, port_value: 80}}`;
      return `{endpoint: {address: ${address}}, health_status: ${host < healthy ? 'HEALTHY' : 'UNHEALTHY'}}`;
    });
    return `{locality: {zone: ${zone}}, load_balancing_weight: ${index + 1}, lb_endpoints: [${hosts.join(', ')}]}`;
  });
  return `[${entries.join(', ')}]`;
}
