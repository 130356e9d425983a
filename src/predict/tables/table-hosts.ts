import { entryOf } from '../../core/lists.js';
import { quirksOf } from '../../core/quirks.js';
import type { Host } from '../../host/host.js';
import type { LoadBalancerConfig } from '../../hostset/lb-config.js';
import { hashKey } from '../../hostset/normalized-weights.js';
import type { LevelColumns, LevelView } from '../level-view.js';
import type { Hashes } from './request-hashes.js';

/** The hosts in the table of a level, in the table's order. */
export interface TableHosts {
  /** Number of each host's key, see {@link KeyNumbers}. */
  readonly keys: Uint32Array;
  readonly rows: Uint32Array;
  /** Normalised weights: they sum to 1, or to less where a weighted locality has no host. */
  readonly weights: Float64Array;
}

/**
 * The healthy hosts of a level, or all of them in panic.
 *
 * Weights are normalised to a sum of 1, over all hosts, or per locality where localities have weights: the order of the
 * operations is the proxy's, since the last bit of a weight can decide which host gets an entry. Weights are current ones,
 * not those of the delivery: hosts are shared.
 */
export function tableHosts(level: LevelView, panic: boolean, numbers: KeyNumbers): TableHosts {
  const { columns, localityWeights } = level;
  if (localityWeights === undefined || localityWeights.length === 0) {
    const { at } = panic ? level.hosts : level.healthy;
    return hostsAt(columns, at, normalized(level, at, 1), numbers);
  }
  const sum = localityWeights.reduce((total, weight) => total + weight, 0);
  const groups = level.localities.map((lists) => (panic ? lists.hosts : lists.healthy).at);
  const size = groups.reduce(
    (total, { length }, index) => total + ((localityWeights[index] ?? 0) === 0 ? 0 : length),
    0,
  );
  const at = new Uint32Array(size);
  const weights = new Float64Array(size);
  let next = 0;
  for (const [index, group] of groups.entries()) {
    const weight = localityWeights[index] ?? 0;
    if (weight === 0) continue;
    at.set(group, next);
    weights.set(normalized(level, group, weight / sum), next);
    next += group.length;
  }
  return hostsAt(columns, at, weights, numbers);
}

/**
 * Numbers for what is hashed of each host: its address, its host name or the metadata's `hash_key`. Several hosts of a
 * level with one key have a number each.
 */
export class KeyNumbers {
  readonly keys: string[] = [];
  private readonly numberOf = new Map<string, number[]>();
  /** By priority: the columns numbered last. */
  private readonly last: (Numbered | undefined)[] = [];

  constructor(private readonly config: LoadBalancerConfig) {}

  /** By position in the columns. */
  of({ hosts, metadata, hostSet: { priority } }: LevelColumns): Uint32Array {
    const last = this.last[priority];
    if (last?.hosts === hosts && last.metadata === metadata) return last.numbers;
    const { version, consistentHashing } = this.config;
    const readsMetadata = quirksOf(version).hashKeyOfMetadata;
    const seen = new Map<string, number>();
    const numbers = new Uint32Array(hosts.length);
    for (let position = 0; position < hosts.length; position++) {
      const key = hashKey(hosts[position] as Host, consistentHashing.useHostnameForHashing, readsMetadata);
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      numbers[position] = this.number(key, times);
    }
    this.last[priority] = { hosts, metadata, numbers };
    return numbers;
  }

  private number(key: string, times: number): number {
    const known = entryOf(this.numberOf, key, () => []);
    return (known[times] ??= this.keys.push(key) - 1);
  }
}

interface Numbered extends Pick<LevelColumns, 'hosts' | 'metadata'> {
  readonly numbers: Uint32Array;
}

function hostsAt(columns: LevelColumns, at: Uint32Array, weights: Float64Array, numbers: KeyNumbers): TableHosts {
  const of = numbers.of(columns);
  const keys = new Uint32Array(at.length);
  const rows = new Uint32Array(at.length);
  for (let index = 0; index < at.length; index++) {
    const i = at[index] as number;
    keys[index] = of[i] as number;
    rows[index] = columns.rows[i] as number;
  }
  return { keys, rows, weights };
}

function normalized(level: LevelView, at: Uint32Array, portion: number): Float64Array {
  const { weightsNow } = level;
  let sum = 0;
  for (let index = 0; index < at.length; index++) sum += weightsNow[at[index] as number] as number;
  const weights = new Float64Array(at.length);
  for (let index = 0; index < at.length; index++) {
    weights[index] = ((weightsNow[at[index] as number] as number) * portion) / sum;
  }
  return weights;
}

export interface TableLookup {
  /**
   * Looks up hashes.
   *
   * @param residues 1 for each hash mod 100 that reaches this table; the other hashes are skipped.
   * @param rows     by hash: written where it is still -1 and a host is found.
   */
  readonly find: (hashes: Hashes, residues: Uint8Array, rows: Int32Array) => void;
  /** The rows of hashes for which the hosts before were all rejected. @param attempt 1 after the first rejection. */
  readonly findAgain: (hashes: Hashes, attempt: number) => Int32Array;
  /** For a hash that is drawn: the probability, by host, that it is found and that hash mod 100 is one of those that are set. */
  readonly shares: (residues: Uint8Array) => Float64Array;
}

/** Builds the tables of a policy. They are built on demand: one without load never is. */
export type TableBuilder = (hosts: TableHosts) => TableLookup;

export interface HashTable extends TableHosts, TableLookup {
  /** The table before it, kept so that a host that fails and returns needs no third one. */
  readonly earlier: HashTable | undefined;
}
