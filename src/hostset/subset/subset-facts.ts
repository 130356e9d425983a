import type { Struct } from '../../core/values.js';
import type { SubsetConfig } from '../lb-config.js';
import type { SplitFact } from '../generated/split-facts.js';
import { candidateName, FALLBACK_LIST, type SubsetCandidate } from './subset-plan.js';
import { describeEntries, sortedEntries } from './subset-values.js';

/** At most this many kinds of requests are described; with more, the list of subsets has the answers. */
const MAX_KINDS = 4;

export interface SubsetFindings {
  readonly candidates: (metadata: Struct) => readonly SubsetCandidate[];
  /** Hosts of all priorities, whatever their health. */
  readonly hostsOf: (candidate: SubsetCandidate) => number;
  /** Each subset has its own balancer: the facts of its split. */
  readonly factsOf: (candidate: SubsetCandidate) => readonly SplitFact[];
}

/** Which subset or fallback answers, and the facts of the split in it. @param criteria of requests: each kind once. */
export function subsetFacts(criteria: readonly Struct[], config: SubsetConfig, findings: SubsetFindings): SplitFact[] {
  const facts = criteria.slice(0, MAX_KINDS).flatMap((wanted) => factsOf(wanted, config, findings));
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()];
}

function factsOf(criteria: Struct, config: SubsetConfig, findings: SubsetFindings): SplitFact[] {
  const candidates = findings.candidates(criteria);
  const wanted = describeEntries(sortedEntries(criteria));
  const answering = candidates.find((candidate) => findings.hostsOf(candidate) > 0);
  const subset = answering === undefined ? '' : candidateName(answering);
  const inside = answering === undefined ? [] : findings.factsOf(answering).map((fact) => ({ ...fact, subset }));
  if (answering !== undefined && answering === candidates[0] && subset === wanted) return inside;
  const chain = candidates.map((candidate) => ({
    subset: candidateName(candidate),
    empty: findings.hostsOf(candidate) === 0,
  }));
  return [{ kind: 'fallback', wanted, why: whyNot(criteria, config), chain }, ...inside];
}

/** Why it is not simply the requested subset. */
function whyNot(
  criteria: Struct,
  { selectors, metadataFallbackList }: SubsetConfig,
): Extract<SplitFact, { kind: 'fallback' }>['why'] {
  const keys = Object.keys(criteria);
  if (keys.length === 0) return 'nothing_asked';
  if (metadataFallbackList && FALLBACK_LIST in criteria) return 'fallback_list';
  const known = selectors.some(
    (selector) =>
      new Set(selector.keys).size === keys.length && selector.keys.every((key) => Object.hasOwn(criteria, key)),
  );
  return known ? 'empty' : 'no_selector';
}
