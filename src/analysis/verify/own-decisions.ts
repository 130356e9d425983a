import { assert } from '../../core/assert.js';
import { type Struct, isStruct } from '../../core/values.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { MICROS_PER_MILLI, MICROS_PER_SECOND } from '../../core/units.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import type { BehaviorRule } from '../../settings/behavior.js';
import type { ExplicitRequest, ProxySpec, DnsAnswer } from '../../settings/world.js';
import { loadScenarioValue } from '../../scenario/load.js';
import { backOffRange } from '../../upstream/retry.js';
import type { BalancerDescription } from '../../hostset/generated/descriptions.js';
import { createSimulation } from '../run/run-scenario.js';
import { type Pause, runUntil } from '../pause.js';
import { type CapturedLevel, capturedOf } from './capture.js';
import { headersAt, type Traffic, weighingIn } from './situations.js';
import type { RequestRecord } from '../../result/request-record.js';
import { localityResult } from '../../result/run-result.js';
import { aggregated, type Cluster } from '../../config/cluster/cluster-shape.js';

/** Requests, and what discovery says before them. */
export interface Stage {
  /** Whole assignments of clusters, v3. */
  readonly updates: readonly Struct[];
  /** What names are answered from now on; absent: no cluster has names. */
  readonly answers?: ReadonlyMap<string, DnsAnswer> | undefined;
  readonly traffic: readonly Traffic[];
  /** Clusters that get requests; absent: all. */
  readonly asked?: ReadonlySet<string>;
  /** Before the requests, in milliseconds: what follows from requests of before has come into force by then. Default 0. */
  readonly waitMs?: number;
}

/**
 * What a request has of its client: all its cookies (empty: none), and its end of the connection, `ip:port`; and the cookies
 * that the proxy made for it, as `Set-Cookie` has them (absent: none).
 */
export type Sent = Readonly<{ cookie: string; address: string; made?: readonly string[] }>;

export interface Question {
  readonly spec: ProxySpec;
  /** In v3, with hosts at loopback. */
  readonly clusters: readonly Struct[];
  /** One after the other, to one proxy: what discovery says first, then requests. The traffic is that of the first. */
  readonly stages: readonly Stage[];
  /** Names that clusters ask for, by cluster. */
  readonly names?: ReadonlyMap<string, readonly string[]>;
  /** Absent: hosts answer 200. */
  readonly behavior?: readonly BehaviorRule[];
}

/** Where the proxy reads the assignment of a cluster from, beside its bootstrap: a file has one, or is rejected. */
export const assignmentFile = (cluster: string): string => `./${encodeURIComponent(cluster)}.assignment.json`;

/** Clusters whose hosts files name, as far as updates come for them. */
export type AssignedByFile = Readonly<{ clusters: readonly Struct[]; first: readonly Struct[] }>;

/** Clusters that get updates become those of EDS, of {@link assignmentFile}; the others stay as they are. */
export function assignedByFile(clusters: readonly Struct[], stages: readonly Stage[]): AssignedByFile {
  const updated = new Set(stages.flatMap(({ updates }) => updates.map(clusterNameOf)));
  const first: Struct[] = [];
  const changed = clusters.map((cluster) => {
    const { load_assignment: assignment, ...others } = cluster;
    if (assignment === undefined || !isStruct(assignment) || !updated.has(clusterNameOf(assignment))) return cluster;
    first.push(assignment);
    const path = assignmentFile(clusterNameOf(assignment));
    const source = { path_config_source: { path }, resource_api_version: 'V3' };
    return { ...others, type: 'EDS', eds_cluster_config: { eds_config: source } };
  });
  return { clusters: changed, first };
}

export function assignmentMessage(assignment: Struct, version: number): Struct {
  const type = 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment';
  return { version_info: String(version), resources: [{ '@type': type, ...assignment }] };
}

export const clusterNameOf = ({ cluster_name: name }: Struct): string => (typeof name === 'string' ? name : '');

/** The loopback address (`ip:port`) of the host that answered; null: there was no host; empty: neither was said. */
export type Answerer = string | null;

export interface Decisions {
  /** For each traffic who answered each request, in order. */
  readonly hosts: readonly (readonly Answerer[])[];
  /** And how it was sent; absent: by nobody in particular. */
  readonly sent?: readonly (readonly Sent[])[];
  /** Counters and gauges by name, after these requests. */
  readonly stats: ReadonlyMap<string, number>;
  /** Of each traffic, in this stage. */
  readonly requests: number;
}

export interface OwnDecisions extends Decisions {
  /** Clusters whose loads the proxy leaves to chance, see {@link keepsLoads}. */
  readonly unsettled: ReadonlySet<string>;
  readonly clusters: ReadonlyMap<string, readonly CapturedLevel[]>;
}

/** What a proxy did with the stages of a question, and where it listened, `ip:port`. */
export type AskedProxy = Readonly<{ address: string; stages: readonly Decisions[] }>;

/** Of one stage. */
export type BothDecisions = Readonly<{ proxy: Decisions; lbsim: OwnDecisions }>;

/** Requests are so far apart that none meets another, whatever it waits before it is sent again. */
const APART_US = 1000;
/** Updates come in the middle between two requests. */
const UPDATE_BEFORE_US = APART_US / 2;
/** Names that are answered otherwise are known by then. */
const ASKED_AGAIN_US = MICROS_PER_SECOND;

/** lbsim decides on a multiple of the proxy's requests: an order has some start in them, and chance less to say. */
const OURS_PER_REQUEST = 2;

/** The stages as lbsim sees them: the very clusters and assignments that the real proxy gets, in the same order. */
export async function ownDecisions(
  { spec, stages, behavior = [], ...asked }: Question,
  { address, stages: real }: AskedProxy,
  pause: Pause,
  times = OURS_PER_REQUEST,
): Promise<readonly BothDecisions[]> {
  const { clusters, first: assigned } = assignedByFile(asked.clusters, stages);
  const ends: number[] = [];
  const timeline: Struct[] = [];
  const requests: ExplicitRequest[] = [];
  /** Of each request: where it is noted. */
  const notes: { readonly answers: Answerer[]; readonly sent: Sent[] }[] = [];
  const { workers, runtime, useRemoteAddress, xffNumTrustedHops } = spec;
  const values = new RuntimeValues(runtime);
  let nextUs = 0;
  const noted = stages.map((one, stage) => {
    const { traffic, updates, answers: dns, waitMs = 0 } = one;
    const atUs = nextUs - UPDATE_BEFORE_US;
    timeline.push(...updates.map((assign) => ({ at: `${atUs}us`, assign })));
    if (dns !== undefined && stage > 0) {
      timeline.push({ at: `${atUs}us`, dns: dnsOf(dns) });
      nextUs += ASKED_AGAIN_US;
    }
    nextUs += waitMs * 1000;
    const answered = traffic.map((stream, number) => {
      const { keys, routeHash, cluster, spec: sent, route } = stream;
      const { numRetries = 0, retryBackOff } = sent.retryPolicy ?? {};
      const { most } = backOffRange({ retryBackOff }, values);
      const apartUs = APART_US + numRetries * most * MICROS_PER_MILLI;
      const noted = { answers: [], sent: [] };
      const all = Array.from({ length: times }, () => real[stage]?.sent?.[number] ?? []).flat();
      for (const [index, { cookie, address: client }] of all.entries()) {
        const headers = { ...headersAt(stream, index), ...(cookie !== '' && { cookie }) };
        const hashKey = routeHash ? keys[index % keys.length] : undefined;
        const own = { atUs: nextUs, cluster, route, headers, hashKey, address: client };
        requests.push({ ...sent, ...own, worker: requests.length % workers });
        notes.push(noted);
        nextUs += apartUs;
      }
      return noted;
    });
    ends.push(nextUs - UPDATE_BEFORE_US - 1);
    return answered;
  });
  const proxy = {
    ...{ version: MODERN_PROXY_VERSION, workers, runtime, address, ...nodeOf(spec) },
    ...{ use_remote_address: useRemoteAddress, xff_num_trusted_hops: xffNumTrustedHops },
  };
  const assignments = Object.fromEntries(assigned.map((one) => [clusterNameOf(one), one]));
  const requested = [{ at: '0s', cluster: requests[0]?.cluster ?? '' }];
  const dns = dnsOf(stages[0]?.answers ?? new Map());
  const value = { api: 'v3', proxy, clusters, assignments, timeline, dns, requests: requested };
  const { scenario, problems } = loadScenarioValue(value, 'the situation');
  const error = problems.find(({ severity }) => severity === 'error');
  assert(scenario !== undefined, `a situation is refused: ${error?.path ?? ''}: ${error?.message ?? ''}`);
  const onRequest = ({ request, host, outcome, setCookies: made }: RequestRecord): void => {
    notes[request]?.answers.push(outcome === 'answered' || outcome === 'no_host' ? host : '');
    notes[request]?.sent.push({ cookie: '', address: '', ...(made && { made }) });
  };
  const simulation = await createSimulation({ ...scenario, behavior, requests }, { onRequest });
  const both: BothDecisions[] = [];
  for (const [stage, proxy] of real.entries()) {
    await runUntil(simulation, () => pause(0), ends[stage]);
    const { counters, gauges } = simulation.result().stats;
    const known = simulation.proxies.flatMap((one) => one.clusters);
    const keeping = known.filter(({ parts }) => parts.balancers.some((each) => keepsLoads(each.describe())));
    const lbsim = {
      hosts: (noted[stage] ?? []).map(({ answers }) => answers),
      sent: (noted[stage] ?? []).map(({ sent }) => sent),
      stats: new Map([...Object.entries(counters), ...Object.entries(gauges)]),
      requests: times * proxy.requests,
      unsettled: new Set(keeping.map(({ name }) => name)),
      clusters: new Map(simulation.proxies.flatMap((one) => [...capturedOf(one)])),
    };
    both.push({ proxy, lbsim });
  }
  return both;
}

/**
 * Whether a balancer has loads of before an update: nothing is available, and not all levels panic, which needs weights
 * that count or shares that are rounded to nothing. A 1.40 goes through the levels of an update in no fixed order, and the
 * last one that had something available has the load.
 */
function keepsLoads({ normalizedTotal, panicThreshold, priorities, subsets = [] }: BalancerDescription): boolean {
  const keeps = normalizedTotal === 0 && panicThreshold > 0 && priorities.length > 1;
  return (
    (keeps && priorities.some(({ panic }) => !panic)) ||
    subsets.some(({ balancer }) => balancer !== undefined && keepsLoads(balancer))
  );
}

/** As a scenario has it. */
const dnsOf = (answers: NonNullable<Stage['answers']>): Struct =>
  Object.fromEntries(
    [...answers].map(([name, answer]) => [name, 'fail' in answer ? { fail: true } : { addresses: answer.addresses }]),
  );

/** What of a proxy its balancers look at, as its bootstrap and our scenarios have it. */
export function nodeOf({ node, localClusterName }: ProxySpec): Struct {
  const place = node?.locality && { locality: { ...localityResult(node.locality) } };
  return {
    node: { id: 'verified', cluster: 'verified', ...place },
    ...(localClusterName !== undefined && { local_cluster_name: localClusterName }),
  };
}

/** Weights by reports have been updated by then. */
const WEIGHED_MS = 300;

/** Clusters that get requests of which some go to hosts that weigh as they report, of members, too. @returns whether that is soon. */
export function reportedIn(clusters: readonly Cluster[], traffic: readonly Traffic[]): ReadonlyMap<string, boolean> {
  const kinds = new Map(clusters.map((cluster) => [cluster.name, weighingIn(cluster)]));
  const members = new Map(clusters.map((cluster) => [cluster.name, aggregated(cluster) ?? []]));
  return new Map(
    traffic.flatMap(({ cluster }): [string, boolean][] => {
      const own = [cluster, ...(members.get(cluster) ?? [])].flatMap((name) => kinds.get(name) ?? []);
      return own.length === 0 ? [] : [[cluster, own.includes('soon')]];
    }),
  );
}

/** Hosts report first; then, with the weights that follow, all is compared. */
export function reportsFirst<Own extends Stage>(
  stages: readonly Own[],
  reported: ReadonlyMap<string, boolean>,
): readonly Own[] {
  const soon = new Set([...reported].flatMap(([name, isSoon]) => (isSoon ? [name] : [])));
  if (soon.size === 0) return stages;
  return stages.flatMap((stage) => [
    { ...stage, asked: soon },
    { ...stage, updates: [], waitMs: WEIGHED_MS },
  ]);
}

type Sides = Readonly<Record<'proxy' | 'lbsim', Decisions>>;

/** Clusters that weigh by reports which not the same hosts sent on both sides. @param both stages until this one. */
export function weighedOtherwise(
  both: readonly Sides[],
  traffic: readonly Traffic[],
  reported: ReadonlyMap<string, boolean>,
): ReadonlySet<string> {
  const answered = (side: keyof Sides, cluster: string, until: number): string => {
    const hosts = both
      .slice(0, until)
      .flatMap((one) => one[side].hosts.flatMap((all, index) => (traffic[index]?.cluster === cluster ? all : [])));
    return [...new Set(hosts.filter((place) => place))].sort().join();
  };
  return new Set(
    [...reported].flatMap(([name, isSoon]) => {
      const until = isSoon ? both.length : both.length - 1;
      return answered('proxy', name, until) === answered('lbsim', name, until) ? [] : [name];
    }),
  );
}
