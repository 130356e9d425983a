import { sum } from '../../core/values.js';
import type { HostKind, Rejections, TryChances } from './retry-chances.js';

/**
 * The chance that a request has succeeded after 1, 2 … tries, where hosts take turns: the host of a retry is as far
 * behind that of the attempt before as there were turns of others in between. Requests do not begin at each host
 * alike: where a retry follows at once, the turn of the next host is taken. But all picks together meet all hosts
 * equally often, and so, of n hosts, first attempts meet host i as often as (all picks)/n less the retries that it
 * gets. A retry that passes hosts over takes their turns at one go, and no other begins among them: how far an attempt
 * of others moves the turn depends on whose it is. All that is solved for together, by going round.
 */

export type RotationHost = Pick<HostKind, 'chances' | 'omitted'>;

interface Walk {
  readonly probability: number;
  readonly at: number;
  /** Hosts that a retry rejects since they were tried, ascending. */
  readonly tried: readonly number[];
}

/** By the host whose turn it is: the probability that it is each host's turn later on. */
type Turns = readonly Float64Array[];

const MOST_ROUNDS = 500;
const SETTLED = 1e-12;
const MOST_WALKS = 5000;
/** After so many rounds of a rotation nothing is left of whose turn it was. */
const FORGOTTEN = 16;

/**
 * @param hosts in the order of their turns.
 * @param gaps  by retry: the probability of each number of attempts in between, modulo `length`, given how many a request takes.
 * @returns undefined: there are too many ways to go.
 */
export function rotationChances(
  hosts: readonly RotationHost[],
  tries: number,
  rejections: Rejections,
  gaps: (length: number, attempts: number) => readonly Float64Array[],
): TryChances | undefined {
  const size = hosts.length;
  const passesOver = rejections.attempts > 0;
  let starts = new Float64Array(size).fill(1 / size);
  let moves: Turns = hosts.map((_, at) => oneTurn(size, at));
  let attempts = 1;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const between = passesOver
      ? gaps(FORGOTTEN * size, attempts).map((gap) => turnsAfter(gap, moves))
      : gaps(size, attempts).map((gap) => hosts.map((_, at) => gap.map((__, to) => gap[(to + size - at) % size] ?? 0)));
    const walked = walk(hosts, starts, tries, rejections, between);
    if (walked === undefined) return undefined;
    const { after, reach, retried, moved } = walked;
    attempts = sum(reach);
    const next = retried.map((part) => Math.max(0, (1 + sum(retried)) / size - part));
    const all = sum(next);
    const change = next.reduce((most, part, at) => Math.max(most, Math.abs(part / all - (starts[at] as number))), 0);
    if (change < SETTLED) return { after, reach };
    starts = starts.map((part, at) => (part + (next[at] as number) / all) / 2);
    if (passesOver) moves = moved.map((row, at) => portions(row, oneTurn(size, at), starts[at] as number));
  }
  return undefined;
}

const oneTurn = (size: number, at: number): Float64Array => new Float64Array(size).with((at + 1) % size, 1);

/** Where retries and first attempts at a host move the turn; a host that gets neither is passed. */
function portions(retries: Float64Array, first: Float64Array, starts: number): Float64Array {
  const all = sum(retries) + starts;
  return all === 0 ? first : retries.map((part, to) => (part + starts * (first[to] as number)) / all);
}

/** Whose turn it is after attempts of others. @param gap the probability of each number of them. */
function turnsAfter(gap: Float64Array, moves: Turns): Turns {
  const steps = moves.map((row) => [...row.entries()].filter(([, move]) => move > 0));
  return moves.map((_, at) => {
    const later = new Float64Array(moves.length);
    let turn = new Float64Array(moves.length).with(at, 1);
    let left = 1;
    for (const part of gap) {
      const next = new Float64Array(moves.length);
      turn.forEach((here, host) => {
        if (here === 0) return;
        later[host] = (later[host] as number) + part * here;
        for (const [to, move] of steps[host] ?? []) next[to] = (next[to] as number) + here * move;
      });
      turn = next;
      left -= part;
      if (left < SETTLED) break;
    }
    return later;
  });
}

function walk(
  hosts: readonly RotationHost[],
  starts: Float64Array,
  tries: number,
  { attempts, previousHosts }: Rejections,
  between: readonly Turns[],
): (TryChances & { readonly retried: Float64Array; readonly moved: Turns }) | undefined {
  const size = hosts.length;
  const retried = new Float64Array(size);
  const moved = hosts.map(() => new Float64Array(size));
  const after: number[] = [];
  const reach: number[] = [];
  let done = 0;
  let walks: Walk[] = Array.from(starts, (probability, at) => ({ probability, at, tried: [] }));
  for (let attempt = 0; attempt < tries && walks.length > 0; attempt++) {
    reach.push(walks.reduce((sum, { probability }) => sum + probability, 0));
    let accepted = 0;
    const next = new Map<string, Walk>();
    for (const { probability, at, tried } of walks) {
      const { chances } = hosts[at] as HostKind;
      done += probability * chances.done;
      accepted += probability * chances.accepted;
      const again = probability * (chances.accepted + chances.failed);
      if (again < 1e-15 || attempt + 1 === tries) continue;
      const known = previousHosts && !tried.includes(at) ? [...tried, at].sort((a, b) => a - b) : tried;
      ((between[attempt] as Turns)[(at + 1) % size] as Float64Array).forEach((part, from) => {
        if (part < 1e-15) return;
        let to = from;
        for (let more = 0; ; more++) {
          retried[to] = (retried[to] as number) + again * part;
          if (more === attempts || !(known.includes(to) || (hosts[to] as HostKind).omitted)) break;
          to = (to + 1) % size;
        }
        const row = moved[from] as Float64Array;
        row[(to + 1) % size] = (row[(to + 1) % size] as number) + again * part;
        const key = `${to} ${known.join()}`;
        const sum = (next.get(key)?.probability ?? 0) + again * part;
        next.set(key, { probability: sum, at: to, tried: known });
      });
    }
    after.push(Math.min(1, done + accepted));
    if (next.size > MOST_WALKS) return undefined;
    walks = [...next.values()];
  }
  return { after, reach, retried, moved };
}

/**
 * How many attempts there are in between, modulo `size`, in a wait of any of so many whole ms: Poisson arrivals, or even ones with
 * retries at random in between.
 * @param evenRate requests a second that come at equal distances, the retry's own among them.
 * @param rate     attempts a second that come at random.
 */
export function gapsOf(size: number, boundMs: number, evenRate: number, rate: number): Float64Array {
  const gaps = new Float64Array(size);
  // Of very long waits a sample, evenly spread: neighbours hardly differ.
  const steps = Math.min(boundMs, MOST_WAITS);
  for (let step = 0; step < steps; step++) {
    const seconds = Math.floor((step * boundMs) / steps) / 1000;
    const even = evenRate === 0 ? 0 : Math.max(0, Math.ceil(seconds * evenRate - 1e-9) - 1);
    addPoisson(gaps, seconds * rate, even, 1 / steps);
  }
  return gaps;
}

const MOST_WAITS = 400;

function addPoisson(to: Float64Array, mean: number, shift: number, portion: number): void {
  const size = to.length;
  // Beyond this all remainders are equally likely.
  if (mean > 50 * size * size) {
    for (let at = 0; at < size; at++) to[at] = (to[at] as number) + portion / size;
    return;
  }
  const spread = 10 * Math.sqrt(mean) + 20;
  const from = Math.max(0, Math.floor(mean - spread));
  let log = -mean;
  for (let k = 1; k <= from; k++) log += Math.log(mean / k);
  let term = Math.exp(log);
  let sum = 0;
  for (let k = from; k <= mean + spread; k++) {
    const at = (k + shift) % size;
    to[at] = (to[at] as number) + portion * term;
    sum += term;
    term *= mean / (k + 1);
  }
  to[(from + shift) % size] = (to[(from + shift) % size] as number) + portion * Math.max(0, 1 - sum);
}
