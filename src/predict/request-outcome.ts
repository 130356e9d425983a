import type { Micros } from '../core/units.js';
import type { Asked, ProxyClusterView } from './proxy-view.js';
import type { Balancer } from './balancer.js';
import { isHashPolicy, pickByDrawnHash, pickByHash, pickFromLists } from './balancer.js';
import type { Member } from './discovery.js';
import { Outcome } from './outcome.js';
import type { GivenHash, RequestKind } from './traffic.js';
import type { HashedKeys } from './keys.js';
import { residueOf } from './tables.js';

/** What becomes of requests of one kind while nothing changes: known at once, or only for a given stretch of time. */
export type KindOutcome = Outcome | ((fromUs: Micros, toUs: Micros) => Outcome);

/**
 * @param rows how many rows there are.
 * @param whyNot of the cluster as a whole.
 */
export function outcomeOf(
  kind: RequestKind,
  view: ProxyClusterView,
  rows: number,
  underLoad: string | undefined,
  whyNot: string | undefined,
): KindOutcome {
  if (whyNot !== undefined) return without(whyNot);
  const chain = view.chain(kind.metadataMatch);
  const hashes = isHashPolicy(view.config);
  if (kind.scripted && !(hashes && kind.hash.kind === 'given')) {
    return without('these requests script their random values; explain shows each of them');
  }
  if (!hashes) {
    const context = view.context(underLoad);
    return byDraws(chain, (balancer, answer) => pickFromLists(balancer, context, answer), rows);
  }
  const { hash } = kind;
  switch (hash.kind) {
    case 'none':
      return byDraws(chain, pickByDrawnHash, rows);
    case 'given':
      return (fromUs, toUs) => byGivenHashes(chain, hash.requests, fromUs, toUs, rows);
    case 'keys':
      if (!hash.keys.inTurn) return byDrawnKeys(chain, hash.keys, rows);
      return (fromUs, toUs) => {
        const from = hash.numberBefore(fromUs);
        const to = hash.numberBefore(toUs);
        return byKeysInTurn(chain, hash.keys, from, to, hash.certain, rows);
      };
  }
}

function without(whyNot: string): Outcome {
  const outcome = new Outcome(0);
  outcome.whyNot = whyNot;
  return outcome;
}

/** Each question draws anew, a hash too if there is none; the next one is asked where the one before finds nobody. */
function byDraws(chain: readonly Asked[], pick: (balancer: Balancer, answer: Outcome) => void, rows: number): Outcome {
  const whole = new Outcome(rows);
  let remaining = 1;
  for (const { balancer, name, singleHost } of chain) {
    const answer = new Outcome(rows);
    if (singleHost) {
      const first = firstHost(balancer);
      if (first === undefined) answer.addNone(1);
      else answer.add(first.row.index, 1, 1, 0);
    } else {
      pick(balancer, answer);
    }
    if (name !== undefined) answer.answeredBy(name, 1 - answer.none);
    if (chain.length === 1) return answer;
    const { none } = answer;
    answer.none = 0;
    answer.noneSecond = 0;
    whole.mix(answer, remaining);
    remaining *= none;
  }
  // What is left of a certain answer is rounding.
  if (remaining > 1e-12) whole.addNone(remaining);
  return whole;
}

function byDrawnKeys(chain: readonly Asked[], keys: HashedKeys, rows: number): Outcome {
  const outcome = new Outcome(rows);
  forEachKey(chain, keys, keys.probabilities, (row, portion, name) => {
    if (row < 0) outcome.addNone(portion);
    else {
      outcome.add(row, portion, portion, 0);
      if (name !== undefined) outcome.answeredBy(name, portion);
    }
  });
  return outcome;
}

/**
 * Keys that come in turn are counted, not drawn: which of them fall into a stretch of time follows from how many requests
 * came before. Where that number is only a mean, the edges of the stretch blur by its deviation.
 */
function byKeysInTurn(
  chain: readonly Asked[],
  keys: HashedKeys,
  from: number | undefined,
  to: number | undefined,
  certain: boolean,
  rows: number,
): Outcome {
  const outcome = new Outcome(rows);
  const known = from !== undefined && to !== undefined && to > from;
  const portions = known ? keys.window(from, to) : keys.probabilities;
  forEachKey(chain, keys, portions, (row, portion, name) => {
    if (row < 0) {
      outcome.none += portion;
      outcome.noneSecond = outcome.none * outcome.none;
    } else {
      outcome.share[row] = (outcome.share[row] as number) + portion;
      if (name !== undefined) outcome.answeredBy(name, portion);
    }
  });
  const length = known ? to - from : Infinity;
  // Of a part of a round, a host's count varies as a sample without replacement does.
  const loose = Math.min(length, keys.count / 4);
  outcome.share.forEach((share, row) => {
    outcome.second[row] = share * share;
    if (share > 0) outcome.grain[row] = certain ? 1 : 1 + share * (1 - share) * loose;
  });
  outcome.noneGrain = outcome.none === 0 ? 0 : certain ? 1 : 1 + outcome.none * (1 - outcome.none) * loose;
  if (!certain || !known) {
    const blur = known ? 0.8 * (Math.sqrt(from) + Math.sqrt(to)) + 1 : keys.count;
    outcome.errorRequests = Math.min(keys.count, blur);
  }
  return outcome;
}

function byGivenHashes(
  chain: readonly Asked[],
  requests: readonly GivenHash[],
  fromUs: Micros,
  toUs: Micros,
  rows: number,
): Outcome {
  const outcome = new Outcome(rows);
  const some = requests.filter(({ atUs }) => atUs >= fromUs && atUs < toUs);
  const answer: Answer = { row: -1, name: undefined };
  for (const { hi, lo } of some) {
    ask(chain, hi, lo, residueOf(hi, lo), answer);
    const { row, name } = answer;
    const portion = 1 / some.length;
    if (row < 0) outcome.none += portion;
    else {
      outcome.share[row] = (outcome.share[row] as number) + portion;
      if (name !== undefined) outcome.answeredBy(name, portion);
    }
  }
  outcome.share.forEach((share, row) => (outcome.second[row] = share * share));
  outcome.noneSecond = outcome.none * outcome.none;
  if (some.length === 0) outcome.whyNot = 'nothing is sent';
  return outcome;
}

function forEachKey(
  chain: readonly Asked[],
  keys: HashedKeys,
  portions: Float64Array,
  visit: (row: number, portion: number, name: string | undefined) => void,
): void {
  const { hashes, residues } = keys;
  const answer: Answer = { row: -1, name: undefined };
  for (let index = 0; index < portions.length; index++) {
    const portion = portions[index] as number;
    if (portion === 0) continue;
    const [hi, lo] = [2 * index, 2 * index + 1];
    ask(chain, hashes[hi] as number, hashes[lo] as number, residues[index] as number, answer);
    visit(answer.row, portion, answer.name);
  }
}

/** Written over by each question: there may be a million of them. */
interface Answer {
  /** -1: nobody. */
  row: number;
  name: string | undefined;
}

/** Hashes decide the same for every link of the chain: the first that finds somebody. */
function ask(chain: readonly Asked[], hashHi: number, hashLo: number, residue: number, answer: Answer): void {
  for (let link = 0; link < chain.length; link++) {
    const { balancer, name, singleHost } = chain[link] as Asked;
    answer.row = singleHost ? (firstHost(balancer)?.row.index ?? -1) : pickByHash(balancer, hashHi, hashLo, residue);
    answer.name = name;
    if (answer.row >= 0) return;
  }
  answer.row = -1;
  answer.name = undefined;
}

/** The first host of the first priority that has one. */
function firstHost({ levels }: Balancer): Member | undefined {
  return levels.find((level) => level.all.members.length > 0)?.all.members[0];
}
