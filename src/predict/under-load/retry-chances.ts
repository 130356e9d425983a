import type { PriorityAvailability, PriorityLoad } from '../../hostset/priority-load.js';
import { PreviousPriorities } from '../../upstream/retry.js';
import type { AttemptChances } from './attempt-chances.js';

/**
 * The chance that a request has succeeded after 1, 2 … tries, where each pick is an independent draw: a chain over how
 * many hosts of each kind have been tried. With `retry_host_predicate` a retry draws anew while it meets a host that is
 * rejected, up to `attempts` times more; the last pick counts whatever it is. With the sum q of the shares of rejected
 * hosts, a pick ends at a host with share s with s (1 + q + … + q^attempts) if it is not rejected, and with s
 * q^attempts if it is.
 */

/** Equal hosts, tried or not. */
export interface HostKind {
  readonly count: number;
  readonly chances: Pick<AttemptChances, 'done' | 'accepted' | 'failed'>;
  /** Every retry rejects them. */
  readonly omitted: boolean;
  readonly priority: number;
}

export interface Rejections {
  /** `host_selection_retry_max_attempts`; 0 where nothing rejects. */
  readonly attempts: number;
  readonly previousHosts: boolean;
}

/** The priorities of a request's attempts; `key` distinguishes states. */
export interface PriorityMemory {
  readonly key: string;
  /** By kind: the share of one of its hosts. */
  readonly shares: readonly number[];
  attempted(priority: number): PriorityMemory;
}

/** By number of tries. */
export interface TryChances {
  /** Probability of success with at most this many. */
  readonly after: readonly number[];
  /** Probability that this many are needed, if allowed. */
  readonly reach: readonly number[];
}

interface State {
  readonly probability: number;
  /** By kind: how many of its hosts were tried. */
  readonly tried: readonly number[];
  readonly memory: PriorityMemory;
}

const MOST_STATES = 20_000;
/** Chains that are less likely than this end. */
const NEVER = 1e-15;

/** @returns undefined: there are too many kinds of hosts and tries. */
export function drawnChances(
  kinds: readonly HostKind[],
  first: PriorityMemory,
  tries: number,
  rejections: Rejections,
): TryChances | undefined {
  let states: State[] = [{ probability: 1, tried: kinds.map(() => 0), memory: first }];
  const after: number[] = [];
  const reach: number[] = [];
  let done = 0;
  for (let attempt = 0; attempt < tries && states.length > 0; attempt++) {
    reach.push(states.reduce((sum, { probability }) => sum + probability, 0));
    const next = new Map<string, State>();
    let accepted = 0;
    for (const { probability, tried, memory } of states) {
      for (const [index, kind] of kinds.entries()) {
        for (const { count, share, fresh } of reached(kinds, index, tried, memory.shares, attempt > 0, rejections)) {
          const chance = probability * count * share;
          if (chance === 0) continue;
          const { chances } = kind;
          done += chance * chances.done;
          accepted += chance * chances.accepted;
          const again = chance * (chances.accepted + chances.failed);
          if (again < NEVER) continue;
          const counts = fresh && rejections.previousHosts ? tried.with(index, (tried[index] as number) + 1) : tried;
          const memories = memory.attempted(kind.priority);
          const key = `${counts.join()} ${memories.key}`;
          const known = next.get(key);
          next.set(key, { probability: again + (known?.probability ?? 0), tried: counts, memory: memories });
        }
      }
    }
    after.push(Math.min(1, done + accepted));
    if (next.size > MOST_STATES) return undefined;
    states = [...next.values()];
  }
  return { after, reach };
}

/** Hosts of one kind that were tried, and those that were not: with the chance that the pick of an attempt is one of them. */
function reached(
  kinds: readonly HostKind[],
  index: number,
  tried: readonly number[],
  shares: readonly number[],
  isRetry: boolean,
  { attempts, previousHosts }: Rejections,
): { count: number; share: number; fresh: boolean }[] {
  const { count, omitted } = kinds[index] as HostKind;
  const own = shares[index] as number;
  const known = previousHosts ? (tried[index] as number) : 0;
  if (!isRetry) return [{ count, share: own, fresh: true }];
  const rejected = kinds.reduce(
    (sum, kind, other) => sum + (shares[other] as number) * (kind.omitted ? kind.count : (tried[other] as number)),
    0,
  );
  const last = Math.pow(rejected, attempts);
  const taken = rejected < 1 - 1e-12 ? (1 - last * rejected) / (1 - rejected) : attempts + 1;
  const fresh = { count: count - known, share: own * (omitted ? last : taken), fresh: true };
  return known === 0 ? [fresh] : [fresh, { count: known, share: own * last, fresh: false }];
}

/** No memory: earlier attempts do not change picks. */
export function noMemory(shares: readonly number[]): PriorityMemory {
  const memory: PriorityMemory = { key: '', shares, attempted: () => memory };
  return memory;
}

/** What a retry that goes by `previous_priorities` has to know of its cluster. */
interface Priorities {
  readonly updateFrequency: number;
  readonly availability: PriorityAvailability;
  readonly sharesOf: (load: PriorityLoad) => readonly number[];
}

/** The priorities of these attempts, as the request of a run remembers them. */
export function triedPriorities(rules: Priorities, attempts: readonly number[] = []): PriorityMemory {
  const memory = new PreviousPriorities(rules.updateFrequency);
  let { load } = rules.availability;
  for (const priority of attempts) {
    memory.attempted(priority);
    load = memory.loadFor(rules.availability);
  }
  return {
    key: memory.state,
    shares: rules.sharesOf(load),
    attempted: (priority) => triedPriorities(rules, [...attempts, priority]),
  };
}

/** The same where the hosts of all attempts are known in advance, as those of a hash are. */
export function fixedChances(attempts: Iterable<HostKind['chances']>): TryChances {
  const after: number[] = [];
  const reaches: number[] = [];
  let [reach, done] = [1, 0];
  for (const { done: own, accepted, failed } of attempts) {
    reaches.push(reach);
    done += reach * own;
    after.push(Math.min(1, done + reach * accepted));
    reach *= accepted + failed;
    if (reach < NEVER) break;
  }
  return { after, reach: reaches };
}
