import type { Struct } from '../core/json-value.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { FALLBACK_LIST } from '../hostset/subset-plan.js';
import { describeEntries, sortedEntries } from '../hostset/subset-values.js';
import type { Scenario } from '../scenario/model.js';
import type { Question } from './subset-candidate.js';
import { nameOf } from './subset-candidate.js';

/** Kinds of requests that are told apart; a scenario with more has its answers in the list of subsets. */
const MAX_KINDS = 4;

/** What is known of the subsets of a cluster, whoever found it out. */
export interface SubsetFindings {
  /** Who is asked in turn by a request with this metadata. */
  readonly questions: (metadata: Struct) => readonly Question[];
  /** Hosts of all priorities, whatever their health. */
  readonly hostsOf: (question: Question) => number;
  /** Each subset is balanced by itself: why its split is what it is. */
  readonly reasonsOf: (question: Question) => readonly string[];
}

/**
 * Which subset, or which fallback, answers what the scenario's requests ask of a cluster, and what acts inside it: a few
 * sentences for each kind of request.
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
  const chain = findings.questions(criteria);
  const wanted = describeEntries(sortedEntries(criteria));
  const answering = chain.find((question) => findings.hostsOf(question) > 0);
  const inside =
    answering === undefined
      ? []
      : findings.reasonsOf(answering).map((reason) => `${answererName(answering)}: ${reason}`);
  if (answering !== undefined && answering === chain[0] && nameOf(answering) === wanted) return inside;
  let text = whyNot(criteria, wanted, config);
  let separator = ' → ';
  for (const question of chain) {
    const isEmpty = findings.hostsOf(question) === 0;
    text += `${separator}${answererName(question)}${isEmpty ? ', which is empty' : ''}`;
    separator = isEmpty ? ' → ' : ', else ';
  }
  if (answering === undefined) text += ' → no host';
  return [text, ...inside];
}

/** Why it is not simply the subset that was asked for. */
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

function answererName(question: Question): string {
  switch (question.kind) {
    case 'default':
      return 'default subset';
    case 'any':
      return 'any host';
    case 'subset':
      return `subset ${nameOf(question)}`;
  }
}

/** What requests to the cluster ask for, each once; nothing in particular is {}. */
function criteriaOf({ workloads, requests }: Pick<Scenario, 'workloads' | 'requests'>, cluster: string): Struct[] {
  const asked = [
    ...workloads.flatMap(({ route, metadataMatch }) =>
      route.filter((entry) => entry.cluster === cluster).map((entry) => ({ ...metadataMatch, ...entry.metadataMatch })),
    ),
    ...requests.filter((request) => request.cluster === cluster).map(({ metadataMatch }) => ({ ...metadataMatch })),
  ];
  return [...new Map(asked.map((criteria) => [describeEntries(sortedEntries(criteria)), criteria])).values()];
}
