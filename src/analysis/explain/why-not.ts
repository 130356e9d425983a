import { sum } from '../../core/values.js';
import { namedPolicy } from '../../config/cluster/cluster-shape.js';
import type { PolicyFacts } from '../../policy/policy-kinds.js';
import { aperture, deterministicSubset } from '../../policy/client-subsets.js';
import { factsOf } from '../../policy/registry.js';
import { loadBasis } from '../../simulation/run-facts/load-feedback.js';
import type { ClusterResult, EventResult, PhaseHostResult, PhaseResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { runScenario } from '../run/run-scenario.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { NothingToExplain } from './explain.js';
import type { WhyNot, WhyNotCluster, WhyNotFact, WhyNotPhase } from './generated/why-not.js';
import { demand, FUNCTION, SCENARIO, TEXT } from '../../core/arguments.js';
import { answerHead } from '../../scenario/origin.js';

/** A host may miss this part of its share by weight without a reason: that is chance. */
const NEARLY = 0.95;

/** Why a host got little, phase by phase, without words. @throws NothingToExplain where there is no such host. */
export async function whyNot(scenario: Scenario, address: string, pause: Pause = NO_PAUSE): Promise<WhyNot> {
  demand('whyNot', ['scenario', scenario, SCENARIO], ['address', address, TEXT], ['pause', pause, FUNCTION]);
  const result = await runScenario({ ...scenario, expect: [] }, {}, pause);
  const all = Object.entries(result.clusters);
  const hosts = all.flatMap(([, cluster]) => cluster.hosts);
  const called = new Set(hosts.flatMap((host) => (host.hostname === address ? [host.address] : [])));
  const isMeant = ({ address: own }: { readonly address: string }): boolean =>
    own === address || own.startsWith(`${address}:`) || own.startsWith(`[${address}]:`) || called.has(own);
  const clusters = all.filter(([, cluster]) => cluster.hosts.some(isMeant));
  if (clusters.length === 0) {
    const known = [...new Set(hosts.map((host) => host.address))];
    const some = known.length === 0 ? 'none is known' : `there are ${known.slice(0, 8).join(', ')}`;
    throw new NothingToExplain(`there is no host ${address}; ${some}${known.length > 8 ? ' …' : ''}`);
  }
  const ofCluster = ([name, cluster]: (typeof clusters)[number]): WhyNotCluster => {
    const own = cluster.hosts.filter(isMeant);
    const about = { cluster, isMeant, events: result.events, name, scenario };
    return {
      cluster: name,
      policy: cluster.policy,
      requests: sum(own.map(({ requests }) => requests)),
      share: sum(own.map(({ share }) => share)),
      phases: cluster.phases.map((phase) => ofPhase(phase, about)),
    };
  };
  return { ...answerHead(scenario), seed: result.seed, host: address, clusters: clusters.map(ofCluster) };
}

interface About {
  readonly cluster: ClusterResult;
  readonly isMeant: (host: PhaseHostResult) => boolean;
  readonly events: readonly EventResult[];
  readonly name: string;
  readonly scenario: Scenario;
}

function ofPhase(phase: PhaseResult, about: About): WhyNotPhase {
  const hosts = [...phase.hosts];
  const own = hosts.filter(about.isMeant);
  const weights = sum(hosts.map(({ weight }) => weight));
  const share = sum(own.map((host) => host.share));
  const byWeight = weights === 0 ? 0 : sum(own.map(({ weight }) => weight)) / weights;
  const head = { from_s: phase.from_s, to_s: phase.to_s, share, by_weight: byWeight };
  if (own.length === 0) return { ...head, facts: [{ kind: 'no_member' }] };
  if (phase.requests === 0) return { ...head, facts: [{ kind: 'no_requests' }] };
  if (share >= NEARLY * byWeight) return { ...head, facts: [] };
  const facts = own.flatMap((host) => factsOfHost(host, phase, hosts, about));
  return { ...head, facts: facts.length > 0 ? facts : [{ kind: 'chance' }] };
}

function factsOfHost(
  host: PhaseHostResult,
  phase: PhaseResult,
  hosts: readonly PhaseHostResult[],
  { cluster, events, ...of }: About,
): WhyNotFact[] {
  const { policy, subsets } = cluster;
  const why: WhyNotFact[] = [];
  const level = phase.priorities.find(({ priority }) => priority === host.priority);
  const { health } = host;
  if (health !== 'healthy') {
    const isBefore = ({ host: address, t_s: at }: EventResult): boolean =>
      address === host.address && at <= phase.from_s;
    const last = events.findLast((event) => isBefore(event) && HEALTH_EVENTS.has(event.kind));
    why.push({ kind: 'not_healthy', health, ...(last && { since: last.fact }), panic: level?.panic === true });
  }
  const load = (level?.healthy_load ?? 0) + (level?.degraded_load ?? 0);
  if (level !== undefined && phase.priorities.length > 1 && load < 100) {
    const peers = hosts.filter(({ priority }) => priority === host.priority).length;
    why.push({ kind: 'level_load', priority: host.priority, load, hosts: peers });
  }
  const facts = factsOf(policy);
  const differ = new Set(hosts.map(({ weight }) => weight)).size > 1;
  if (facts !== undefined && !facts.usesWeights && differ) why.push({ kind: 'weights_unused', policy });
  if (facts?.looksAtLoad === true && health === 'healthy') why.push(...busier(host, cluster, facts));
  if (facts?.kind === 'table' && !(host.share === 0 && phase.facts.some(({ kind }) => kind === 'empty_table')))
    why.push({ kind: 'keys_of_table', policy });
  if (subsets.length > 0) why.push({ kind: 'by_subset', subsets: subsets.map(({ subset }) => subset) });
  why.push(...phase.facts);
  if (phase.overflow.requests > 0) why.push({ kind: 'overflow', requests: phase.overflow.requests });
  return [...why, ...usersOf(host, hosts, of)];
}

/** Each proxy uses a part of the hosts: how many have the host in theirs; of an aperture perhaps a piece of it. */
function usersOf(
  { address, priority }: PhaseHostResult,
  hosts: readonly PhaseHostResult[],
  { name, scenario: { clusters, proxies } }: Pick<About, 'name' | 'scenario'>,
): WhyNotFact[] {
  const cluster = clusters.find((one) => one.name === name);
  const config = cluster && namedPolicy(cluster)?.clientSubset;
  if (config === undefined) return [];
  const [{ method, size }, clients] = [config, proxies.length];
  const keys = hosts.filter((host) => host.priority === priority).map((host) => host.address);
  const own = keys.indexOf(address);
  const uses = (client: number): boolean =>
    method === 'aperture'
      ? aperture(keys, { client, clients }, size).some(({ host }) => host === own)
      : deterministicSubset(keys, client, size).includes(own);
  const users = Array.from({ length: clients }, (_, client) => client).filter(uses).length;
  return size >= keys.length ? [] : [{ kind: 'client_subsets', hosts: keys.length, clients, users }];
}

/** Slower hosts have more open requests, are remembered as slow, or say so themselves: they are chosen less. */
function busier(
  { address, priority }: PhaseHostResult,
  { hosts, policy }: ClusterResult,
  facts: PolicyFacts,
): WhyNotFact[] {
  const own = hosts.find((host) => host.address === address && host.priority === priority)?.latency_ms.mean ?? null;
  const others = hosts.flatMap((host) => (host.address === address ? [] : (host.latency_ms.mean ?? [])));
  if (own === null || others.length === 0) return [];
  const mean = sum(others) / others.length;
  return own <= mean * 1.05 ? [] : [{ kind: 'slower', policy, basis: loadBasis(facts), own_ms: own, others_ms: mean }];
}

const HEALTH_EVENTS: ReadonlySet<EventResult['kind']> = new Set(['health_check', 'ejection', 'membership']);
