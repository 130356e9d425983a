import type { Struct } from '../core/json.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import type { Question } from '../predict/subsets.js';
import { anyHostHas, nameOf, SubsetRules } from '../predict/subsets.js';
import type { Scenario } from '../scenario/model.js';
import type { ProxyCluster } from './proxy-cluster.js';
import { reasonsFor } from './reasons.js';

/** Kinds of requests that are told apart; a scenario with more has its answers in the list of subsets. */
const MAX_KINDS = 4;

/** Which subset, or which fallback, answers what the scenario's requests ask of a cluster: one sentence for each kind. */
export function subsetReasons(scenario: Scenario, cluster: ProxyCluster): string[] {
  const { subset } = cluster.lb;
  if (subset === undefined || !cluster.world.present) return [];
  const rules = new SubsetRules(subset);
  const levels = cluster.upstream.hostSets.map((level) => ({
    metadata: (level?.hosts ?? []).map((host) => host.metadata),
  }));
  const exists = (criteria: Struct): boolean => anyHostHas(criteria, levels, subset);
  return criteriaOf(scenario, cluster.name)
    .slice(0, MAX_KINDS)
    .flatMap((criteria) => reasonsOf(criteria, rules.questions(criteria, exists), subset, cluster));
}

function reasonsOf(
  criteria: Struct,
  chain: readonly Question[],
  { selectors }: SubsetConfig,
  cluster: ProxyCluster,
): string[] {
  const wanted = nameOf({ kind: 'subset', criteria, singleHost: false });
  const [first] = chain;
  if (first !== undefined && nameOf(first) === wanted) {
    const found = cluster
      .balancerOf(0)
      .describe()
      .subsets?.find(({ subset }) => subset === wanted);
    if (found?.balancer === undefined) return [];
    return reasonsFor(found.balancer, cluster.lb).map((reason) => `subset ${wanted}: ${reason}`);
  }
  const answers = chain.length === 0 ? 'no host' : chain.map(answererName).join(', else ');
  const keys = Object.keys(criteria);
  if (keys.length === 0) return [`requests that ask for no subset → ${answers}`];
  const known = selectors.some(
    (selector) => new Set(selector.keys).size === keys.length && selector.keys.every((key) => key in criteria),
  );
  const why = known ? `subset ${wanted} empty` : `no selector has exactly the keys of ${wanted}`;
  return [`${why} → ${answers}`];
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
function criteriaOf({ workloads, requests }: Scenario, cluster: string): readonly Struct[] {
  const asked = [
    ...workloads.flatMap(({ route, metadataMatch }) =>
      route.filter((entry) => entry.cluster === cluster).map((entry) => ({ ...metadataMatch, ...entry.metadataMatch })),
    ),
    ...requests.filter((request) => request.cluster === cluster).map(({ metadataMatch }) => ({ ...metadataMatch })),
  ];
  return [
    ...new Map(asked.map((criteria) => [nameOf({ kind: 'subset', criteria, singleHost: false }), criteria])).values(),
  ];
}
