import type { Struct } from '../core/json-value.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { FALLBACK_LIST } from '../hostset/subset-plan.js';
import { describeEntries, sortedEntries } from '../hostset/subset-values.js';
import type { Scenario } from '../scenario/model.js';
import { candidateName, type SubsetCandidate } from './subset-candidate.js';

/** At most this many kinds of requests are described; with more, the list of subsets has the answers. */
const MAX_KINDS = 4;

/** The subsets of a cluster, from a run or from a prediction. */
export interface SubsetFindings {
  /** The subsets and fallbacks that a request with this metadata tries, in order. */
  readonly candidates: (metadata: Struct) => readonly SubsetCandidate[];
  /** Hosts of all priorities, whatever their health. */
  readonly hostsOf: (candidate: SubsetCandidate) => number;
  /** Each subset has its own balancer: the reasons for its split. */
  readonly reasonsOf: (candidate: SubsetCandidate) => readonly string[];
}

/**
 * Which subset or fallback answers the scenario's requests, and the reasons for the split inside it: a few sentences for
 * each kind of request.
 */
export function subsetReasons(
  scenario: Pick<Scenario, 'workloads' | 'requests'>,
  cluster: string,
  config: SubsetConfig,
  findings: SubsetFindings,
): string[] {
  const criteria = criteriaOf(scenario, cluster).slice(0, MAX_KINDS);
  return [...new Set(criteria.flatMap((wanted) => reasonsOf(wanted, config, findings)))];
}

function reasonsOf(criteria: Struct, config: SubsetConfig, findings: SubsetFindings): string[] {
  const chain = findings.candidates(criteria);
  const wanted = describeEntries(sortedEntries(criteria));
  const answering = chain.find((candidate) => findings.hostsOf(candidate) > 0);
  const inside =
    answering === undefined
      ? []
      : findings.reasonsOf(answering).map((reason) => `${answererName(answering)}: ${reason}`);
  if (answering !== undefined && answering === chain[0] && candidateName(answering) === wanted) return inside;
  let text = whyNot(criteria, wanted, config);
  let separator = ' → ';
  for (const candidate of chain) {
    const isEmpty = findings.hostsOf(candidate) === 0;
    text += `${separator}${answererName(candidate)}${isEmpty ? ', which is empty' : ''}`;
    separator = isEmpty ? ' → ' : ', else ';
  }
  if (answering === undefined) text += ' → no host';
  return [text, ...inside];
}

/** Why it is not simply the requested subset. */
function whyNot(criteria: Struct, wanted: string, { selectors, metadataFallbackList }: SubsetConfig): string {
  const keys = Object.keys(criteria);
  if (keys.length === 0) return 'requests that ask for no subset';
  if (metadataFallbackList && FALLBACK_LIST in criteria) return 'requests with a fallback_list';
  const known = selectors.some(
    (selector) =>
      new Set(selector.keys).size === keys.length && selector.keys.every((key) => Object.hasOwn(criteria, key)),
  );
  return known ? `subset ${wanted} empty` : `no selector has exactly the keys of ${wanted}`;
}

function answererName(candidate: SubsetCandidate): string {
  switch (candidate.kind) {
    case 'default':
      return 'default subset';
    case 'any':
      return 'any host';
    case 'subset':
      return `subset ${candidateName(candidate)}`;
  }
}

/** The metadata criteria of requests to the cluster, each once; {} without any. */
function criteriaOf({ workloads, requests }: Pick<Scenario, 'workloads' | 'requests'>, cluster: string): Struct[] {
  const criteria = [
    ...workloads.flatMap(({ route }) =>
      route.filter((entry) => entry.cluster === cluster).map((entry) => ({ ...entry.metadataMatch })),
    ),
    ...requests.filter((request) => request.cluster === cluster).map(({ metadataMatch }) => ({ ...metadataMatch })),
  ];
  return [...new Map(criteria.map((criteria) => [describeEntries(sortedEntries(criteria)), criteria])).values()];
}
