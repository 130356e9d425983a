import type { Micros } from '../core/units.js';
import { sum } from '../core/values.js';
import { type Balancer, isHashPolicy, type PickContext, pickByDrawnHash, pickFromLists, pickKeys } from './balancer.js';
import type { BusyHosts } from './list-shares.js';
import { type HashedKeys, Hashes } from './request-hashes.js';
import { Outcome } from './outcome.js';
import type { ChainLink, ProxyClusterView } from './proxy-view.js';
import type { RequestHash, RequestKind } from './traffic.js';
import type { Obstacle } from './obstacle.js';

export type KindOutcome = Outcome | ((fromUs: Micros, toUs: Micros) => Outcome);

export const SCRIPTED: Obstacle = { kind: 'scripted_draws' };

/** @param underLoad why a policy that looks at load has no shares; undefined: it has. */
export function outcomeOf(
  kind: RequestKind,
  view: ProxyClusterView,
  rows: number,
  underLoad: Obstacle | undefined,
  chain: readonly ChainLink[] = view.chain(kind.metadataMatch),
): KindOutcome {
  const hashes = isHashPolicy(view.config);
  if (kind.scripted && !(hashes && kind.hash.kind === 'given')) return Outcome.without(SCRIPTED);
  if (!hashes) return byLists(chain, view.context(underLoad), () => undefined);
  const { hash } = kind;
  if (hash.kind === 'none') return byDraws(chain, pickByDrawnHash);
  if (hash.kind === 'keys' && hash.keys.hasEmpty) return Outcome.without({ kind: 'empty_key' });
  if (hash.kind === 'keys' && !hash.keys.inTurn) return byDrawnKeys(chain, hash.keys, rows);
  return (fromUs, toUs) => byHashesInTurn(chain, hash, fromUs, toUs, rows);
}

/** @param busy what is known of busy hosts, by the part of the requests that reaches a balancer. */
export const byLists = (
  chain: readonly ChainLink[],
  context: PickContext,
  busy: (portion: number) => BusyHosts | undefined,
): Outcome =>
  byDraws(chain, (balancer, answer, portion) => pickFromLists(balancer, { ...context, busy: busy(portion) }, answer));

/** Each candidate draws again, also a hash if there is none; the next one is tried where the one before finds no host. */
function byDraws(chain: readonly ChainLink[], pick: (balancer: Balancer, answer: Outcome, portion: number) => void) {
  const whole = new Outcome();
  let remaining = 1;
  for (const { balancer, name, singleHost } of chain) {
    const answer = new Outcome();
    if (singleHost) {
      const first = firstRow(balancer);
      if (first === undefined) answer.addNone(1);
      else answer.parts.push({ rows: Uint32Array.of(first), share: 1, second: 1, granularitySquared: 0 });
    } else {
      pick(balancer, answer, remaining);
    }
    if (name !== undefined) answer.answeredBy(name, 1 - answer.none);
    if (chain.length === 1) return answer;
    const { none } = answer;
    answer.none = 0;
    answer.noneSecond = 0;
    whole.mix(answer, remaining);
    remaining *= none;
  }
  // The rest after a certain answer is rounding.
  if (remaining > 1e-12) whole.addNone(remaining);
  return whole;
}

function byDrawnKeys(chain: readonly ChainLink[], keys: HashedKeys, rows: number): Outcome {
  const { outcome, share } = spreadHashes(chain, keys.hashes, keys.probabilities, rows);
  // Each request is an independent draw.
  outcome.parts.push({ rows: undefined, share, second: share, granularitySquared: 0 });
  outcome.noneSecond = outcome.none;
  return outcome;
}

type Hash = Exclude<RequestHash, { readonly kind: 'none' }>;

/** The hashes in a stretch of time, and the portion of each; `numbers`: of its requests, where keys come in turn and these are known. */
export function hashesIn(hash: Hash, fromUs: Micros, toUs: Micros) {
  if (hash.kind === 'given') {
    const some = hash.requests.filter(({ atUs }) => atUs >= fromUs && atUs < toUs);
    const hashes = new Hashes(Uint32Array.from(some.flatMap(({ hi, lo }) => [lo, hi])));
    return { hashes, portions: new Float64Array(some.length).fill(1 / some.length), numbers: undefined };
  }
  const { hashes, inTurn, probabilities, window } = hash.keys;
  const [from, to] = [hash.numberBefore(fromUs), hash.numberBefore(toUs)];
  if (!inTurn || from === undefined || to === undefined || to <= from)
    return { hashes, portions: probabilities, numbers: undefined };
  return { hashes, portions: window(from, to), numbers: { from, to } };
}

/**
 * Hashes that come in turn are counted, not drawn: which of them fall into a stretch of time follows from how many requests
 * came before. Where that number is only a mean, the edges of the stretch blur by its deviation.
 */
function byHashesInTurn(chain: readonly ChainLink[], hash: Hash, fromUs: Micros, toUs: Micros, rows: number): Outcome {
  const { hashes, portions, numbers } = hashesIn(hash, fromUs, toUs);
  const { outcome, share } = spreadHashes(chain, hashes, portions, rows);
  const second = share.map((own) => own * own);
  outcome.noneSecond = outcome.none * outcome.none;
  if (hash.kind === 'given') {
    outcome.parts.push({ rows: undefined, share, second, granularitySquared: 0 });
    if (hashes.count === 0) outcome.obstacle = { kind: 'nothing_sent' };
    return outcome;
  }
  const { certain } = hash;
  // Of a part of a round, a host's count varies as a sample without replacement does.
  const loose = Math.min(numbers === undefined ? Infinity : numbers.to - numbers.from, hashes.count / 4);
  const stray = (own: number): number => (certain ? 1 : 1 + own * (1 - own) * loose);
  outcome.parts.push({ rows: undefined, share, second, granularitySquared: share.map(stray) });
  outcome.noneGranularitySquared = outcome.none === 0 ? 0 : stray(outcome.none);
  if (!certain || numbers === undefined) {
    const blur = numbers && 0.8 * (Math.sqrt(numbers.from) + Math.sqrt(numbers.to)) + 1;
    outcome.errorRequests = Math.min(hashes.count, blur ?? hashes.count);
  }
  return outcome;
}

/**
 * The shares of hashed requests by row, and an outcome with the requests without a host and the subset that
 * answers. A hash is the same for every link of the chain: the first that finds a host gets the request.
 * @param portions by hash.
 */
export function spreadHashes(chain: readonly ChainLink[], hashes: Hashes, portions: Float64Array, rowCount: number) {
  const outcome = new Outcome();
  const rows = new Int32Array(hashes.count).fill(-1);
  let before = 0;
  for (const { balancer, name, singleHost } of chain) {
    if (singleHost) rows.set(rows.map((row) => (row < 0 ? (firstRow(balancer) ?? -1) : row)));
    else pickKeys(balancer, hashes, rows);
    if (name === undefined) continue;
    const found = sum(portions.filter((_, index) => (rows[index] as number) >= 0));
    outcome.answeredBy(name, found - before);
    before = found;
  }
  const share = new Float64Array(rowCount);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0) outcome.none += portions[i] as number;
    else share[row] = (share[row] as number) + (portions[i] as number);
  }
  return { outcome, share };
}

const firstRow = ({ levels }: Balancer): number | undefined =>
  levels.find(({ hosts }) => hosts.length > 0)?.hosts[0]?.index;
