import { toDecimal } from '../../core/u64.js';
import { MICROS_PER_MILLI, microsToSeconds } from '../../core/units.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import type { Host } from '../../host/host.js';
import { Decision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import { RecordedDraws, ScriptedRandom } from '../../random/random64.js';
import { localityResult } from '../../result/run-result.js';
import { keyAt } from '../../settings/world.js';
import type { Scenario } from '../../scenario/model.js';
import type { Proxy } from '../../simulation/proxy.js';
import { createSimulation } from '../run/run-scenario.js';
import { ExplainOptions } from '../generated/options.js';
import { EVENTS_PER_PAUSE, NO_PAUSE, type Pause, runUntil } from '../pause.js';
import * as args from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { BalancerStep } from '../../hostset/generated/balancer-steps.js';
import { answerHead } from '../../scenario/origin.js';
import { NoAnswer } from '../../core/no-answer.js';
import type * as explanations from './generated/explanation.js';

/** The cluster, proxy, host or request does not exist. */
export class NothingToExplain extends NoAnswer {
  override readonly name = 'NothingToExplain';
}

/** Runs the scenario until that moment; then the worker's own balancer decides one more request, and reports each step. */
export async function explain(scenario: Scenario, options: ExplainOptions = {}): Promise<explanations.Explanation> {
  args.demand('explain', ['scenario', scenario, args.SCENARIO], ['options', options, optionsIn(ExplainOptions)]);
  const { atUs = 0, pause = NO_PAUSE, worker = 0 } = options;
  const simulation = await createSimulation({ ...scenario, expect: [] });
  await runUntil(simulation, pause, atUs);
  const proxy = proxyWith(worker, simulation.proxies, options.proxy);
  const name = options.cluster ?? usualCluster(scenario, proxy);
  const cluster = found('cluster', name, proxy.clusters);
  const explained = requestFor(scenario, name, options);
  const { pick, facts } = explained;
  const others = scenario.clusters.length - 1;
  if (options.cluster === undefined && others > 0) facts.push({ kind: 'other_clusters', clusters: others });
  const draws: string[] = [];
  const steps: explanations.ExplainedDecisionStep[] = [];
  const own = options.random === undefined ? cluster.randomOf(worker) : new ScriptedRandom(options.random);
  pick.random = new RecordedDraws(own, draws);
  const trace = (step: BalancerStep | explanations.DropStep): void => {
    steps.push({ ...step, draws: draws.splice(0) });
  };
  pick.trace = trace;
  const decision = new Decision();
  if (cluster.world.present) {
    const { dropRatio } = cluster.upstream.delivery;
    // Before a host is chosen.
    if (dropRatio > 0) trace({ kind: 'drop', inputs: { drop_ratio: dropRatio } });
    cluster.balancerOf(worker).choose(pick, decision);
  } else facts.push({ kind: 'cluster_gone', cluster: name });
  const { host } = decision;
  return {
    ...answerHead(scenario),
    seed: scenario.seed,
    version: proxy.spec.version,
    at_s: microsToSeconds(atUs),
    proxy: proxy.name,
    worker,
    cluster: name,
    policy: cluster.world.settings.policyName,
    ...(explained.tcp && { over_tcp: true }),
    request: {
      hash_key: explained.hashKey ?? null,
      hash: pick.hasHash ? toDecimal(pick.hashHi, pick.hashLo) : null,
      metadata_match: pick.metadataMatch ?? null,
      headers: pick.headers ?? {},
    },
    steps,
    host: (host && explainedHost(host, decision.priority)) ?? null,
    panic: decision.panic,
    subset: decision.subset ?? null,
    facts,
  };
}

const explainedHost = (host: Host, priority: number): explanations.ExplainedHost => ({
  ...{ address: host.address, priority, locality: localityResult(host.locality) },
  ...{ weight: host.weight, health: host.health, active_requests: host.activeRequests },
});

/** The default cluster: of those with traffic the first that has hosts. */
function usualCluster(scenario: Scenario, proxy: Proxy): string {
  const asked = scenario.workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster));
  const names = [...new Set([...asked, ...scenario.clusters.map(({ name }) => name)])];
  const hasHosts = (name: string): boolean => {
    const { world, upstream } = proxy.clusterNamed(name) ?? {};
    return world?.type === 'AGGREGATE' || [...(upstream?.priorities.hosts() ?? [])].length > 0;
  };
  return names.find(hasHosts) ?? names[0] ?? '';
}

/** @param name of the proxy, or of its instances; default: the first. */
export function proxyWith(worker: number, proxies: readonly Proxy[], name = proxies[0]?.name ?? ''): Proxy {
  const proxy = found('proxy', name, proxies, ({ spec }) => spec.name === name);
  const { workers } = proxy.spec;
  if (worker < workers) return proxy;
  throw new NothingToExplain(`proxy ${proxy.name} has ${workers} workers, from 0: there is no worker ${worker}`);
}

export function found<One extends { readonly name: string }>(
  what: 'proxy' | 'cluster',
  name: string,
  all: readonly One[],
  isMeantToo?: (one: One) => boolean,
): One {
  const one = all.find((each) => each.name === name || isMeantToo?.(each) === true);
  if (one !== undefined) return one;
  throw new NothingToExplain(`there is no ${what} ${name}; there are ${all.map((each) => each.name).join(', ')}`);
}

/** A request as the first workload of the cluster sends it, with the caller's changes. */
function requestFor(scenario: Scenario, cluster: string, options: ExplainOptions) {
  const workload = scenario.workloads.find(({ route }) => route.some((target) => target.cluster === cluster));
  const target = workload?.route.find((one) => one.cluster === cluster);
  const facts: explanations.ExplainNote[] = [];
  if (workload !== undefined)
    facts.push({ kind: 'as_workload', workload: workload.name, routed: workload.route.length > 1 });
  const usual = workload?.hashKey && keyAt(workload.hashKey, 0);
  const keyOf = options.hashKey ?? (options.hash === undefined ? usual : undefined);
  const hashed = scenario.origin.hashNotes.get(workload?.name ?? '');
  if (hashed !== undefined && keyOf !== undefined) facts.push({ kind: 'hashed_together', note: hashed });
  const hash = options.hash ?? xxhash64String(keyOf ?? '');
  const byRoute = options.hash !== undefined || options.hashKey !== undefined || workload?.routeHash !== false;
  const hasHash = byRoute && (options.hash !== undefined || (keyOf ?? '') !== '');
  const pick: PickRequest = {
    ...emptyPickRequest(new ScriptedRandom([])),
    hasHash,
    hashHi: hasHash ? hash.hi : 0,
    hashLo: hasHash ? hash.lo : 0,
    metadataMatch: options.metadataMatch ?? target?.metadataMatch,
    headers: options.headers ?? workload?.headers ?? {},
    key: keyOf,
  };
  return { pick, hashKey: keyOf, facts, tcp: workload?.tcp };
}

/** What happened to one request of a run, without words. @throws NothingToExplain where the run has no such request. */
export async function explainRequest(
  scenario: Scenario,
  request: number,
  pause: Pause = NO_PAUSE,
): Promise<explanations.ExplainedRequest> {
  args.demand(
    'explainRequest',
    ['scenario', scenario, args.SCENARIO],
    ['request', request, args.INDEX],
    ['pause', pause, args.FUNCTION],
  );
  const simulation = await createSimulation({ ...scenario, expect: [] }, { storyOf: request });
  const { story } = simulation;
  while (story?.end === undefined && !simulation.advance(EVENTS_PER_PAUSE)) await pause(simulation.progress);
  const { origin } = story ?? {};
  if (story === undefined || origin === undefined) {
    const isNone = simulation.result().totals.requests === 0;
    const has = isNone ? 'no requests' : 'fewer: they are numbered from 0, as they arrive';
    throw new NothingToExplain(`there is no request ${request}: the run has ${has}`);
  }
  const { end } = story;
  const { version, tUs, ...from } = origin;
  return {
    ...answerHead(scenario),
    seed: scenario.seed,
    version,
    request,
    arrived_s: microsToSeconds(tUs),
    ...from,
    steps: story.steps.map(({ tUs, attempt, ...step }) => ({ at_s: microsToSeconds(tUs), attempt, ...step })),
    outcome: end?.outcome ?? null,
    status: end?.status ?? null,
    latency_ms: end === undefined ? null : end.latencyUs / MICROS_PER_MILLI,
    attempts: end?.attempts ?? null,
    host: end?.host ?? null,
  };
}
