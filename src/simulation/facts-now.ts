import type { SubsetDescription } from '../hostset/describe.js';
import { candidateName, type PlanStep, type SubsetCandidate, subsetRules } from '../hostset/subset-plan.js';
import { readSelectors } from '../hostset/subset-selectors.js';
import { factsAcross, splitFacts, type SplitFact } from '../hostset/split-facts.js';
import { subsetFacts } from '../hostset/subset-facts.js';
import { metadataCriteria, type WorldSettings } from '../settings/world.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** What acted on a cluster's split at this moment, over all kinds of proxies. */
export function factsNow(settings: WorldSettings, proxies: readonly Proxy[], index: number): SplitFact[] {
  const kinds = new Map<string, readonly SplitFact[]>();
  // The first of a kind represents it.
  for (const proxy of proxies) {
    if (!kinds.has(proxy.spec.name)) kinds.set(proxy.spec.name, factsOf(settings, proxy.clusterAt(index)));
  }
  return factsAcross(kinds);
}

function factsOf(settings: WorldSettings, cluster: ProxyCluster): SplitFact[] {
  const { world, lb } = cluster;
  if (!world.present) return [{ kind: 'no_hosts', of: 'unknown_cluster' }];
  // Hosts on demand are not balanced.
  if (world.type === 'ORIGINAL_DST') return [];
  // The main thread's balancer sees what the workers see.
  const description = cluster.balancers[0]?.describe();
  if (description === undefined) return [];
  if (lb.subset === undefined) return splitFacts(description, lb);
  const candidatesOf = subsetRules(lb.subset, readSelectors(lb.subset, lb.version));
  const subsets = new Map((description.subsets ?? []).map((subset) => [subset.subset, subset]));
  const found = (candidate: SubsetCandidate): SubsetDescription | undefined => subsets.get(candidateName(candidate));
  const answers = ({ name }: PlanStep): boolean => {
    const subset = subsets.get(name);
    return subset !== undefined && subset.hosts > 0 && !subset.passedOver;
  };
  return subsetFacts(metadataCriteria(settings, cluster.name), lb.subset, {
    candidates: (metadata) => candidatesOf(metadata, answers),
    hostsOf: (candidate) => found(candidate)?.hosts ?? 0,
    factsOf: (candidate) => {
      const balancer = found(candidate)?.balancer;
      return balancer === undefined ? [] : splitFacts(balancer, lb);
    },
  });
}
