import type { Micros } from '../core/units.js';
import { type Balancer, isHashPolicy, type PickContext, pickByDrawnHash, pickFromLists, pickKeys } from './balancer.js';
import type { BusyHosts } from './list-shares.js';
import { type HashedKeys, Hashes } from './request-hashes.js';
import { Outcome } from './outcome.js';
import type { ChainLink, ProxyClusterView } from './proxy-view.js';
import type { GivenHash, RequestKind } from './traffic.js';
import type { Obstacle } from './obstacle.js';

export type KindOutcome = Outcome | ((fromUs: Micros, toUs: Micros) => Outcome);

export const SCRIPTED: Obstacle = { kind: 'scripted_draws' };

/** @param underLoad why a policy that looks at load has no shares; undefined: it has. */
export function outcomeOf(
  kind: RequestKind,
  view: ProxyClusterView,
  rows: number,
  underLoad: Obstacle | undefined,
): KindOutcome {
  const chain = view.chain(kind.metadataMatch);
  const hashes = isHashPolicy(view.config);
  if (kind.scripted && !(hashes && kind.hash.kind === 'given')) return Outcome.without(SCRIPTED);
  if (!hashes) return byLists(chain, view.context(underLoad), () => undefined);
  const { hash } = kind;
  switch (hash.kind) {
    case 'none':
      return byDraws(chain, pickByDrawnHash);
    case 'given':
      return (fromUs, toUs) => byGivenHashes(chain, hash.requests, fromUs, toUs, rows);
    case 'keys':
      if (hash.keys.hasEmpty) return Outcome.without({ kind: 'empty_key' });
      if (!hash.keys.inTurn) return byDrawnKeys(chain, hash.keys, rows);
      return (fromUs, toUs) => {
        const from = hash.numberBefore(fromUs);
        const to = hash.numberBefore(toUs);
        return byKeysInTurn(chain, hash.keys, from, to, hash.certain, rows);
      };
  }
}

/** @param busy what is known of busy hosts, by the part of the requests that reaches a balancer. */
export function byLists(
  chain: readonly ChainLink[],
  context: PickContext,
  busy: (portion: number) => BusyHosts | undefined,
): Outcome {
  return byDraws(chain, (balancer, answer, portion) =>
    pickFromLists(balancer, { ...context, busy: busy(portion) }, answer),
  );
}

/** Each candidate draws again, also a hash if there is none; the next one is tried where the one before finds no host. */
function byDraws(
  chain: readonly ChainLink[],
  pick: (balancer: Balancer, answer: Outcome, portion: number) => void,
): Outcome {
  const whole = new Outcome();
  let remaining = 1;
  for (const { balancer, name, singleHost } of chain) {
    const answer = new Outcome();
    if (singleHost) {
      const first = firstRow(balancer);
      if (first === undefined) answer.addNone(1);
      else answer.addPart({ rows: Uint32Array.of(first), share: 1, second: 1, granularitySquared: 0 });
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
  outcome.addPart({ rows: undefined, share, second: share, granularitySquared: 0 });
  outcome.noneSecond = outcome.none;
  return outcome;
}

/**
 * Keys that come in turn are counted, not drawn: which of them fall into a stretch of time follows from how many requests
 * came before. Where that number is only a mean, the edges of the stretch blur by its deviation.
 */
function byKeysInTurn(
  chain: readonly ChainLink[],
  keys: HashedKeys,
  from: number | undefined,
  to: number | undefined,
  certain: boolean,
  rows: number,
): Outcome {
  const known = from !== undefined && to !== undefined && to > from;
  const portions = known ? keys.window(from, to) : keys.probabilities;
  const { outcome, share } = spreadHashes(chain, keys.hashes, portions, rows);
  outcome.noneSecond = outcome.none * outcome.none;
  const length = known ? to - from : Infinity;
  // Of a part of a round, a host's count varies as a sample without replacement does.
  const loose = Math.min(length, keys.count / 4);
  const second = share.map((own) => own * own);
  const granularitySquared = share.map((own) => (certain ? 1 : 1 + own * (1 - own) * loose));
  outcome.addPart({ rows: undefined, share, second, granularitySquared });
  outcome.noneGranularitySquared = outcome.none === 0 ? 0 : certain ? 1 : 1 + outcome.none * (1 - outcome.none) * loose;
  if (!certain || !known) {
    const blur = known ? 0.8 * (Math.sqrt(from) + Math.sqrt(to)) + 1 : keys.count;
    outcome.errorRequests = Math.min(keys.count, blur);
  }
  return outcome;
}

function byGivenHashes(
  chain: readonly ChainLink[],
  requests: readonly GivenHash[],
  fromUs: Micros,
  toUs: Micros,
  rows: number,
): Outcome {
  const some = requests.filter(({ atUs }) => atUs >= fromUs && atUs < toUs);
  const hashes = new Hashes(Uint32Array.from(some.flatMap(({ hi, lo }) => [hi, lo])));
  const portions = new Float64Array(some.length).fill(1 / some.length);
  const { outcome, share } = spreadHashes(chain, hashes, portions, rows);
  const second = share.map((own) => own * own);
  outcome.addPart({ rows: undefined, share, second, granularitySquared: 0 });
  outcome.noneSecond = outcome.none * outcome.none;
  if (some.length === 0) outcome.obstacle = { kind: 'nothing_sent' };
  return outcome;
}

/**
 * The shares of hashed requests by row, and an outcome with the requests without a host and the subset that
 * answers. A hash is the same for every link of the chain: the first that finds a host gets the request.
 * @param portions by hash.
 */
function spreadHashes(
  chain: readonly ChainLink[],
  hashes: Hashes,
  portions: Float64Array,
  rowCount: number,
): { readonly outcome: Outcome; readonly share: Float64Array } {
  const outcome = new Outcome();
  const rows = new Int32Array(hashes.count).fill(-1);
  let before = 0;
  for (const { balancer, name, singleHost } of chain) {
    if (!singleHost) {
      pickKeys(balancer, hashes, rows);
    } else {
      const first = firstRow(balancer);
      if (first !== undefined) for (let i = 0; i < rows.length; i++) if ((rows[i] as number) < 0) rows[i] = first;
    }
    if (name === undefined) continue;
    let found = 0;
    for (let i = 0; i < rows.length; i++) if ((rows[i] as number) >= 0) found += portions[i] as number;
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

function firstRow({ levels }: Balancer): number | undefined {
  return levels.find(({ hosts }) => hosts.length > 0)?.hosts[0]?.index;
}
