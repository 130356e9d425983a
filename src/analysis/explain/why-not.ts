import { FORMAT, type Versioned } from '../../core/document-format.js';
import { saysEmptyTable } from '../../hostset/reasons.js';
import type { PolicyFacts } from '../../policy/facts.js';
import { aperture, type ClientSubsetConfig, deterministicSubset } from '../../policy/client-subsets.js';
import { factsOf } from '../../policy/registry.js';
import type { ClusterResult, EventResult, PhaseHostResult, PhaseResult, RunResult } from '../../result/run-result.js';
import { demandScenario } from '../../scenario/argument-checks.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../../simulation/simulation.js';
import { NO_PAUSE, type Pause, runUntil } from '../pause.js';
import { NothingToExplain } from './explain.js';

/**
 * Why a host gets nothing, or less than its weight says, phase by phase. Field names are those of
 * `lbsim explain --why-not HOST --json`.
 */
export interface WhyNot extends Versioned {
  readonly scenario: string;
  readonly seed: string;
  readonly host: string;
  readonly clusters: readonly WhyNotCluster[];
}

export interface WhyNotCluster {
  readonly cluster: string;
  readonly policy: string;
  readonly requests: number;
  /** Of all attempts, 0–1. */
  readonly share: number;
  readonly phases: readonly WhyNotPhase[];
}

export interface WhyNotPhase {
  readonly from_s: number;
  readonly to_s: number;
  readonly share: number;
  /** Its part of the weights of all current hosts, of any priority and health. */
  readonly by_weight: number;
  /** One sentence each; none where it gets as much as its weight says. */
  readonly why: readonly string[];
}

/** A host may miss this part of its share by weight without a reason: that is chance. */
const NEARLY = 0.95;

/**
 * Runs the scenario, and says of each phase why the host got less than its weight says. The reasons are those of the
 * balancers that decided.
 *
 * @param address as `10.0.0.1:80`, without the port, or the name that it was found by.
 * @throws NothingToExplain where there is no such host.
 */
export async function whyNot(scenario: Scenario, address: string, pause: Pause = NO_PAUSE): Promise<WhyNot> {
  demandScenario(scenario, 'whyNot');
  const simulation = await createSimulation({ ...scenario, expect: [] });
  await runUntil(simulation, pause);
  const result = simulation.result();
  const called = new Set(
    Object.values(result.clusters).flatMap(({ hosts }) =>
      hosts.flatMap((host) => (host.hostname === address ? [host.address] : [])),
    ),
  );
  const matches = (own: string): boolean =>
    own === address || own.startsWith(`${address}:`) || own.startsWith(`[${address}]:`) || called.has(own);
  const clusters = Object.entries(result.clusters).filter(([, { hosts }]) =>
    hosts.some((host) => matches(host.address)),
  );
  if (clusters.length === 0) {
    const known = [
      ...new Set(Object.values(result.clusters).flatMap(({ hosts }) => hosts.map((host) => host.address))),
    ];
    const some = known.length === 0 ? 'none is known' : `there are ${known.slice(0, 8).join(', ')}`;
    throw new NothingToExplain(`there is no host ${address}; ${some}${known.length > 8 ? ' …' : ''}`);
  }
  return {
    format: FORMAT,
    scenario: result.scenario,
    seed: result.seed,
    host: address,
    clusters: clusters.map(([name, cluster]) => ofCluster(name, cluster, matches, result, partsOf(name, scenario))),
  };
}

function ofCluster(
  name: string,
  cluster: ClusterResult,
  matches: (address: string) => boolean,
  { events }: RunResult,
  parts: Parts | undefined,
): WhyNotCluster {
  const own = cluster.hosts.filter((host) => matches(host.address));
  return {
    cluster: name,
    policy: cluster.policy,
    requests: own.reduce((sum, { requests }) => sum + requests, 0),
    share: own.reduce((sum, { share }) => sum + share, 0),
    phases: cluster.phases.map((phase) => ofPhase(phase, cluster, matches, events, parts)),
  };
}

function ofPhase(
  phase: PhaseResult,
  cluster: ClusterResult,
  matches: (address: string) => boolean,
  events: readonly EventResult[],
  parts: Parts | undefined,
): WhyNotPhase {
  const hosts = [...phase.hosts];
  const own = hosts.filter((host) => matches(host.address));
  const weights = hosts.reduce((sum, { weight }) => sum + weight, 0);
  const share = own.reduce((sum, host) => sum + host.share, 0);
  const byWeight = weights === 0 ? 0 : own.reduce((sum, { weight }) => sum + weight, 0) / weights;
  const head = { from_s: phase.from_s, to_s: phase.to_s, share, by_weight: byWeight };
  if (own.length === 0) return { ...head, why: ['it is no member of the cluster then'] };
  if (phase.requests === 0) return { ...head, why: ['no request asks the cluster'] };
  if (share >= NEARLY * byWeight) return { ...head, why: [] };
  const why = own.flatMap((host) => [
    ...reasonsOf(host, phase, cluster, hosts, events),
    ...(parts === undefined ? [] : usersOf(host, hosts, parts)),
  ]);
  return { ...head, why: why.length > 0 ? [...new Set(why)] : ['chance: it was others’ turn'] };
}

function reasonsOf(
  host: PhaseHostResult,
  phase: PhaseResult,
  cluster: ClusterResult,
  hosts: readonly PhaseHostResult[],
  events: readonly EventResult[],
): string[] {
  const why: string[] = [];
  const level = phase.priorities.find(({ priority }) => priority === host.priority);
  if (host.health === 'unhealthy') {
    const panic = level?.panic === true ? ', and only panic lets it have any' : '';
    why.push(`it is unhealthy${eventBefore(host, phase, events)}${panic}`);
  } else if (host.health === 'degraded') {
    why.push(`it is degraded${eventBefore(host, phase, events)}: healthy hosts come first`);
  }
  const load = (level?.healthy_load ?? 0) + (level?.degraded_load ?? 0);
  if (level !== undefined && phase.priorities.length > 1 && load < 100) {
    const peers = hosts.filter(({ priority }) => priority === host.priority).length;
    why.push(`priority ${host.priority} gets ${load} % of the traffic, for ${peers === 1 ? 'it' : `${peers} hosts`}`);
  }
  const facts = factsOf(cluster.policy);
  const differ = new Set(hosts.map(({ weight }) => weight)).size > 1;
  if (facts !== undefined && !facts.usesWeights && differ) why.push(`${cluster.policy} does not look at weights`);
  if (facts?.looksAtLoad === true && host.health === 'healthy') why.push(...busier(host, cluster, facts));
  if (facts?.kind === 'table' && !(host.share === 0 && phase.reasons.some(saysEmptyTable)))
    why.push(`${cluster.policy} gives it the keys of its part of the table: see lbsim ring`);
  if (cluster.subsets.length > 0) {
    const subsets = cluster.subsets.map(({ subset }) => subset).join(', ');
    why.push(`requests are chosen for by subset (${subsets}): it gets those of the subsets that it is in`);
  }
  why.push(...phase.reasons);
  if (phase.overflow.requests > 0) why.push(`circuit breakers turned ${phase.overflow.requests} requests away`);
  return why;
}

/** Each proxy uses a part of the hosts. */
interface Parts {
  readonly config: ClientSubsetConfig;
  readonly clients: number;
}

function partsOf(name: string, { clusters, proxies }: Scenario): Parts | undefined {
  const config = clusters.find((cluster) => cluster.name === name)?.clientSubset;
  return config && { config, clients: proxies.length };
}

/** How many proxies have the host in their part; of an aperture perhaps a piece of it. */
function usersOf(
  { address, priority }: PhaseHostResult,
  hosts: readonly PhaseHostResult[],
  { config: { method, size }, clients }: Parts,
): string[] {
  const keys = hosts.filter((host) => host.priority === priority).map((host) => host.address);
  const own = keys.indexOf(address);
  const uses = (client: number): boolean =>
    method === 'aperture'
      ? aperture(keys, { client, clients }, size).some(({ host }) => host === own)
      : deterministicSubset(keys, client, size).includes(own);
  const users = Array.from({ length: clients }, (_, client) => client).filter(uses).length;
  const whole = size >= keys.length;
  return whole ? [] : [`subsetting gives each proxy a part of the ${keys.length} hosts: ${users} of ${clients} use it`];
}

/** Slower hosts have more open requests, are remembered as slow, or say so themselves: they are chosen less. */
function busier(
  { address, priority }: PhaseHostResult,
  { hosts, policy }: ClusterResult,
  facts: PolicyFacts,
): string[] {
  const own = hosts.find((host) => host.address === address && host.priority === priority)?.latency_ms.mean ?? null;
  const others = hosts.flatMap((host) => (host.address === address ? [] : (host.latency_ms.mean ?? [])));
  if (own === null || others.length === 0) return [];
  const mean = others.reduce((sum, value) => sum + value, 0) / others.length;
  if (own <= mean * 1.05) return [];
  return [`it answers in ${own.toFixed(1)} ms, the others in ${mean.toFixed(1)} ms: ${slowness(policy, facts)}`];
}

/** How a policy notices that a host is slow. */
function slowness(policy: string, { hears }: PolicyFacts): string {
  if (hears.includes('probes')) return `${policy} asks hosts for their latency and their requests, and it says so`;
  if (hears.includes('answers')) return `${policy} remembers its answers, and it has more requests open`;
  return 'it has more requests open';
}

/** The last event of the host. */
function eventBefore({ address }: PhaseHostResult, phase: PhaseResult, events: readonly EventResult[]): string {
  const last = events.findLast(
    ({ host, t_s: at, kind }) => host === address && at <= phase.from_s && HEALTH_EVENTS.has(kind),
  );
  return last === undefined ? '' : ` (${last.text})`;
}

const HEALTH_EVENTS: ReadonlySet<EventResult['kind']> = new Set(['health_check', 'ejection', 'membership']);
