import type { ScenarioAnswer } from '../../core/document-format.js';
import { toDecimal } from '../../core/u64.js';
import { MICROS_PER_MILLI, microsToSeconds } from '../../core/units.js';
import { xxhash64String } from '../../hash/text-hashes.js';
import type { Host } from '../../host/host.js';
import { Decision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import { RecordedDraws, ScriptedRandom } from '../../random/random64.js';
import { localityResult, type PlacedHost } from '../../result/run-result.js';
import { keyAt } from '../../settings/world.js';
import type { Scenario } from '../../scenario/model.js';
import type { Proxy } from '../../simulation/proxy.js';
import { createSimulation } from '../run/run-scenario.js';
import { ExplainOptions } from '../generated/options.js';
import { EVENTS_PER_PAUSE, NO_PAUSE, type Pause, runUntil } from '../pause.js';
import * as args from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import type { BalancerStep } from '../../hostset/decision-steps.js';
import type { RequestOrigin, RequestOutcome } from '../../result/request-record.js';
import type { RequestStep } from '../../simulation/request-story.js';
import { answerHead } from '../../scenario/origin.js';
import { NoAnswer } from '../../core/no-answer.js';
import type { Step } from '../../policy/decision-trace.js';

/** The cluster, proxy, host or request does not exist. */
export class NothingToExplain extends NoAnswer {
  override readonly name = 'NothingToExplain';
}

/** Runs the scenario until that moment; then the worker's own balancer decides one more request, and reports each step. */
export async function explain(scenario: Scenario, options: ExplainOptions = {}): Promise<Explanation> {
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
  const steps: ExplainedDecisionStep[] = [];
  const own = options.random === undefined ? cluster.randomOf(worker) : new ScriptedRandom(options.random);
  pick.random = new RecordedDraws(own, draws);
  const trace = (step: BalancerStep | DropStep): void => {
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

const explainedHost = (host: Host, priority: number): ExplainedHost => ({
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
  const facts: ExplainNote[] = [];
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

/**
 * The path of one request of a run, from its arrival to its end. Field names are those of `lbsim explain --request N
 * --json`.
 */
export interface ExplainedRequest extends ScenarioAnswer, RequestOrigin {
  readonly seed: string;
  readonly version: string;
  readonly arrived_s: number;
  /** It is a connection over TCP. */
  readonly over_tcp?: true;
  readonly steps: readonly ExplainedRequestStep[];
  /** How it ended; null: no answer before the end of the run; then so are the fields below. */
  readonly outcome: RequestOutcome | null;
  readonly status: number | null;
  readonly latency_ms: number | null;
  /** Number of its decisions. */
  readonly attempts: number | null;
  /** The host that answered; null: the proxy did. */
  readonly host: string | null;
}

export type ExplainedRequestStep = RequestStep & {
  readonly at_s: number;
  /** 0 for the first try, then one more for each retry. */
  readonly attempt: number;
  /** The 64-bit values drawn for it, decimal, in order. */
  readonly draws: readonly string[];
};

/** What happened to one request of a run, without words. @throws NothingToExplain where the run has no such request. */
export async function explainRequest(
  scenario: Scenario,
  request: number,
  pause: Pause = NO_PAUSE,
): Promise<ExplainedRequest> {
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

/**
 * One decision, in the order of the proxy's steps.
 *
 * Field names are those of `lbsim explain --json`, so that the JSON report is this object and nothing else.
 */
export interface Explanation extends ScenarioAnswer {
  readonly seed: string;
  readonly version: string;
  readonly at_s: number;
  readonly proxy: string;
  readonly worker: number;
  readonly cluster: string;
  readonly policy: string;
  /** It is a connection over TCP. */
  readonly over_tcp?: true;
  readonly request: {
    readonly hash_key: string | null;
    /** Decimal; null: the route computes none. */
    readonly hash: string | null;
    readonly metadata_match: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly steps: readonly ExplainedDecisionStep[];
  /** null: no host was found. */
  readonly host: ExplainedHost | null;
  readonly panic: boolean;
  readonly subset: string | null;
  /** Assumptions that the caller did not state. */
  readonly facts: readonly ExplainNote[];
}

/** An assumption that the caller of `explain` did not state. */
export type ExplainNote =
  /** The request is one of this workload, where nothing else is said; `routed`: one of its routes leads here. */
  | { readonly kind: 'as_workload'; readonly workload: string; readonly routed: boolean }
  /** `note`: what the key of the workload stands for, as its route says. */
  | { readonly kind: 'hashed_together'; readonly note: string }
  /** There are others that could have been asked. */
  | { readonly kind: 'other_clusters'; readonly clusters: number }
  | { readonly kind: 'cluster_gone'; readonly cluster: string };

export type ExplainStep = RequestStep | DropStep;

/** `drop_overloads` drops a part of all requests before any host is asked. */
export type DropStep = Step<'drop', { drop_ratio: number }>;

export type ExplainedDecisionStep = (BalancerStep | DropStep) & {
  /** The 64-bit values drawn for it, decimal, in order. */
  readonly draws: readonly string[];
};

export interface ExplainedHost extends Readonly<PlacedHost> {
  /** Before this request. */
  readonly active_requests: number;
}
