import { addTo, type Struct } from '../core/values.js';
import type { Micros } from '../core/units.js';
import { type Cidr, firstOf, formatIp, ipAfter } from '../core/ip.js';
import type { Locality } from '../host/host.js';
import type { HashSource } from '../hostset/lb-config.js';
import type { Assignment, EndpointState } from './assignment.js';
import { type Behavior, type BehaviorRule, type Duration, IDEAL_BEHAVIOR, mayFail, takesTime } from './behavior.js';
import type { ClusterSettings } from './cluster-settings.js';
import type { Selector } from './selector.js';
import type { Messages } from '../core/generated/message-types.js';
import type { U64 } from '../core/u64.js';
import type { Distribution } from '../random/distributions.js';
import { describeEntries, sortedEntries } from '../hostset/subset/subset-values.js';
import { DEFAULT_PROXY_VERSION, type ProxyVersion } from '../core/version.js';

/** In which form discovery's messages stand in a timeline. */
export type MessageForms = Readonly<{ cluster: unknown; assignment: unknown; endpoint: unknown }>;

/** Settings: what the engine takes. */
interface AsSettings extends MessageForms {
  readonly cluster: ClusterSettings;
  readonly assignment: Assignment;
  readonly endpoint: EndpointState;
}

export interface TimelineEntry<Forms extends MessageForms = AsSettings> {
  /** First time it acts. */
  readonly atUs: Micros;
  /** With `every`: repeats until `untilUs` (exclusive; undefined: the end of the run). */
  readonly everyUs: Micros | undefined;
  readonly untilUs: Micros | undefined;
  readonly action: Action<Forms>;
  /** For reports: "10.0.0.3:80 stops answering", "zone a set UNHEALTHY". */
  readonly label: string;
}

type DiscoveryStatus = 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'TIMEOUT' | 'DEGRADED';

export type Action<Forms extends MessageForms = AsSettings> =
  | { readonly kind: 'set_health'; readonly hosts: Selector; readonly status: DiscoveryStatus }
  | { readonly kind: 'set_weight'; readonly hosts: Selector; readonly weight: number }
  | { readonly kind: 'set_metadata'; readonly hosts: Selector; readonly metadata: Readonly<Record<string, Struct>> }
  | {
      readonly kind: 'add_hosts';
      readonly cluster: string;
      readonly priority: number;
      readonly locality: Locality | undefined;
      readonly endpoints: readonly Forms['endpoint'][];
    }
  | { readonly kind: 'remove_hosts'; readonly hosts: Selector }
  /** A whole new assignment, by cluster name or EDS service name. */
  | { readonly kind: 'assign'; readonly name: string; readonly assignment: Forms['assignment'] }
  | { readonly kind: 'dns'; readonly answers: ReadonlyMap<string, DnsAnswer> }
  | { readonly kind: 'update_cluster'; readonly cluster: Forms['cluster'] }
  | { readonly kind: 'remove_cluster'; readonly name: string }
  /** `fail` and `recover` are this kind too; `label` has the written word. */
  | { readonly kind: 'set_behavior'; readonly hosts: Selector; readonly behavior: Partial<Behavior> }
  | { readonly kind: 'set_rate'; readonly workload: string; readonly perSecond: number }
  | { readonly kind: 'set_runtime'; readonly values: Struct }
  | { readonly kind: 'note'; readonly text: string };

export function actionsOf<Any extends { readonly kind: string }, Kind extends Any['kind']>(
  timeline: readonly { readonly action: Any }[],
  kind: Kind,
): readonly Extract<Any, { readonly kind: Kind }>[] {
  type Wanted = Extract<Any, { readonly kind: Kind }>;
  return timeline.flatMap(({ action }) => (action.kind === kind ? [action as Wanted] : []));
}

type Times = Pick<TimelineEntry, 'atUs' | 'everyUs' | 'untilUs'>;

/** When an entry of the timeline acts, up to `endUs`. */
export function occurrences(entry: Times, endUs: Micros): Micros[] {
  const { atUs, everyUs, untilUs = Infinity } = entry;
  if (everyUs === undefined) return atUs <= endUs ? [atUs] : [];
  const times: Micros[] = [];
  for (let time = atUs; time <= endUs && time < untilUs; time += everyUs) times.push(time);
  return times;
}

export function countOccurrences({ atUs, everyUs, untilUs = Infinity }: Times, endUs: Micros): number {
  const lastUs = Math.min(endUs, untilUs - 1);
  if (atUs > lastUs) return 0;
  return everyUs === undefined ? 1 : Math.floor((lastUs - atUs) / everyUs) + 1;
}

export type DnsAnswer =
  { readonly addresses: readonly string[]; readonly ttlUs: Micros | undefined } | { readonly fail: true };

/** Names are case-insensitive, and a final dot has no meaning. */
export const canonicalName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

export const ipsIn = (answer: DnsAnswer): readonly string[] => ('fail' in answer ? [] : answer.addresses);

type Answering = Pick<WorldSettings<MessageForms>, 'dns'> & {
  readonly timeline: readonly Pick<TimelineEntry<MessageForms>, 'action'>[];
};

/** Every answer that the resolver ever has, by the name as it compares. */
export function answersEver({ dns, timeline }: Answering): Map<string, DnsAnswer[]> {
  const found = new Map<string, DnsAnswer[]>();
  for (const answers of [dns, ...actionsOf(timeline, 'dns').map((action) => action.answers)])
    for (const [name, answer] of answers) addTo(found, canonicalName(name), answer);
  return found;
}

/**
 * What is simulated: proxies with their clusters, hosts with their behaviour, traffic, and what changes while the run goes
 * on. Every default is filled in, every unit canonical (durations in whole µs, rates per second, portions 0–1).
 */
export interface WorldSettings<Forms extends MessageForms = AsSettings> {
  /** As text; 7 and "7" are one seed. */
  readonly seed: string;
  /** undefined: until the last request has ended. */
  readonly durationUs: Micros | undefined;
  readonly warmupUs: Micros;
  readonly proxies: readonly ProxySpec[];
  readonly clusters: readonly Forms['cluster'][];
  /** Routes of the proxy's files name them and no file has them: the proxies do not know them. Nothing but the name counts. */
  readonly absentClusters: readonly Forms['cluster'][];
  /** First assignment by cluster name or EDS service name. */
  readonly assignments: ReadonlyMap<string, Forms['assignment']>;
  readonly dns: ReadonlyMap<string, DnsAnswer>;
  /** Later entries override earlier ones, field by field. */
  readonly behavior: readonly BehaviorRule[];
  readonly workloads: readonly Workload[];
  readonly requests: readonly ExplicitRequest[];
  /** `every` is kept, the simulation repeats it. */
  readonly timeline: readonly TimelineEntry<Forms>[];
}

/** What a header must be: at most one of its texts, expressions and ranges is set, beside `name` and `invertMatch`; none: it is there. */
export type HeaderMatcher = Messages['route.HeaderMatcher'];

/** What a proxy says of itself. */
type Node = Messages['core.Node'];

export interface ProxySpec {
  readonly name: string;
  /** Independent instances; with more than one they are called `name-1` … `name-count`. */
  readonly count: number;
  /** Weight of each instance when requests are distributed. */
  readonly share: number;
  readonly workers: number;
  /** A new connection goes to the worker with the fewest; else the kernel chooses. */
  readonly exactBalance: boolean;
  /** Time 0 is the birth of the process, which waits for the first results of health checks, or a moment in its life. */
  readonly at: 'birth' | 'life';
  readonly version: ProxyVersion;
  readonly node?: Node | undefined;
  readonly localClusterName?: string | undefined;
  readonly runtime: Struct;
  /** Where clients reach it, `ip:port`: a part of the cookies that it makes. */
  readonly address: string;
  /** A client is who opened the connection, not the last address of `x-forwarded-for`. */
  readonly useRemoteAddress: boolean;
  /** Proxies before it whose addresses there are skipped. */
  readonly xffNumTrustedHops: number;
  readonly statsFlushIntervalUs: Micros;
  readonly statsConfig?: StatsConfig | undefined;
  readonly statsSinks: readonly StatsSink[];
  /** Scripted random values for the construction of each balancer, then 0; undefined: seeded. */
  readonly initRandom?: readonly U64[] | undefined;
}

/** Where a proxy runs; empty: it does not say. */
export const zoneOf = ({ node }: ProxySpec): string => node?.locality?.zone ?? '';

/** What workloads and explicit requests have in common. */
export interface RequestSpec {
  readonly metadataMatch?: Struct | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: 'DEFAULT' | 'HIGH';
  /** 0: none. Default 15 s. */
  readonly timeoutUs: Micros;
  readonly retryPolicy?: RetryPolicy | undefined;
  /** An attempt that takes longer than a try may is not ended then: the next one is a hedge beside it. */
  readonly hedgePolicy?: { readonly hedgeOnPerTryTimeout: boolean } | undefined;
  readonly requestMirrorPolicies?: readonly MirrorPolicy[] | undefined;
  /** What the route hashes of a request; undefined: its key. */
  readonly hashPolicy?: readonly HashSource[] | undefined;
  /** The hash, where there is one, chooses the cluster of the route. */
  readonly useHashPolicy?: boolean | undefined;
  /** The number in this header chooses it, where there is one; lower case. */
  readonly headerName?: string | undefined;
  /** With a point and a cluster's name behind it: the key of runtime with its weight. */
  readonly runtimeKeyPrefix?: string | undefined;
  /** How many times the work of a plain one it is; undefined: 1. */
  readonly size?: Sizes | undefined;
  /** It is a connection over TCP, and `timeoutUs` its longest life; undefined: HTTP. */
  readonly tcp?: TcpSpec | undefined;
}

/** `in_order`: those of a trace, one for each of its arrivals. */
export type Sizes = Distribution | { readonly kind: 'in_order'; readonly values: readonly number[] };

/** How long clients hold connections, and how many hosts are tried for each. */
export type TcpSpec = Readonly<{ lifetime: Duration; maxConnectAttempts: number }>;

/** Copies of requests to a cluster, or to the one that a header names, in lower case. */
export interface MirrorPolicy {
  readonly cluster: string;
  readonly clusterHeader: string | undefined;
  /** 0–1. */
  readonly portion: number;
  /** Runtime may have another portion there, in percent; undefined: it may not. */
  readonly runtimeKey: string | undefined;
}

export interface RetryPolicy {
  readonly numRetries: number;
  /** Conditions of `retry_on`, lower case. */
  readonly retryOn: readonly string[];
  /** 0: none. */
  readonly perTryTimeoutUs: Micros;
  readonly hostSelectionRetryMaxAttempts: number;
  readonly retryHostPredicate: readonly RetryHostPredicate[];
  /** undefined: retries use the priorities as first attempts do. */
  readonly retryPriority?: RetryPriority | undefined;
  readonly retriableStatusCodes: readonly number[];
  /** Names in lower case. */
  readonly retriableHeaders: readonly HeaderMatcher[];
  /** Names in lower case; none: every request may be retried. */
  readonly retriableRequestHeaders: readonly HeaderMatcher[];
  readonly retryBackOff?: { readonly baseIntervalUs: Micros; readonly maxIntervalUs: Micros } | undefined;
  /** Headers of answers with the seconds to wait, in lower case; values above the maximum are ignored. */
  readonly rateLimitedBackOff?: { readonly headers: readonly string[]; readonly maxIntervalUs: Micros } | undefined;
}

export type RetryHostPredicate =
  | { readonly kind: 'previous_hosts' | 'omit_canary_hosts' }
  /** Entries under `proxy.lb`. */
  | { readonly kind: 'omit_host_metadata'; readonly metadataMatch: Struct };

/** `previous_priorities`: each time after this many attempts, priorities that were tried get no load. */
export type RetryPriority = Readonly<{ updateFrequency: number }>;

/** A cluster of a route, its weight and its metadata criteria, which include those of the route. */
export type RouteCluster = Readonly<{ cluster: string; weight: number; metadataMatch?: Struct | undefined }>;

export interface Workload extends RequestSpec {
  readonly name: string;
  /** One entry for `cluster:`. Weights are relative. */
  readonly route: readonly RouteCluster[];
  readonly arrivals: Arrivals;
  readonly startUs: Micros;
  /** Exclusive; undefined: the end of the run. */
  readonly stopUs?: Micros | undefined;
  /** Keys that requests carry in a header; undefined: none. */
  readonly hashKey?: KeyDistribution | undefined;
  /** The route hashes the key. */
  readonly routeHash: boolean;
  /** Names of `proxies`; undefined: all. */
  readonly proxies?: readonly string[] | undefined;
  /** Who sends the requests; undefined: nobody in particular. */
  readonly clients?: ClientsSpec | undefined;
}

/** Clients with an address, one connection and, where they keep what the proxy sets, cookies. */
export interface ClientsSpec {
  /** How many there are, and which sends the next request. */
  readonly turns: KeyDistribution;
  /** One after the other, over and over. */
  readonly addresses: Cidr;
  readonly keepCookies: boolean;
}

/** The address of a client, and how many others had it before. */
export function clientAddress({ addresses }: ClientsSpec, client: number) {
  const first = firstOf(addresses);
  const room = 2 ** Math.min(24, (first.version === 4 ? 32 : 128) - addresses.prefix);
  return { ip: formatIp(ipAfter(first, client % room) ?? first), before: Math.floor(client / room) };
}

export type Arrivals =
  | { readonly kind: 'poisson'; readonly perSecond: number }
  | { readonly kind: 'constant'; readonly perSecond: number }
  | { readonly kind: 'ramp'; readonly points: readonly RateAt[] }
  | { readonly kind: 'closed'; readonly users: number; readonly thinkTime: Duration }
  /** Absolute arrival times, ascending. */
  | { readonly kind: 'trace'; readonly file: string; readonly timesUs: readonly Micros[] };

export type RateAt = Readonly<{ atUs: Micros; perSecond: number }>;

export type KeyDistribution =
  | { readonly kind: 'zipf'; readonly keys: number; readonly exponent: number; readonly prefix: string }
  | { readonly kind: 'uniform'; readonly keys: number; readonly prefix: string }
  | { readonly kind: 'sequence'; readonly keys: number; readonly prefix: string }
  | { readonly kind: 'cycle'; readonly keys: readonly string[] };

export const keyCount = (of: KeyDistribution): number => (of.kind === 'cycle' ? of.keys.length : of.keys);

export const keyAt = (of: KeyDistribution, index: number): string =>
  of.kind === 'cycle' ? (of.keys[index] ?? '') : `${of.prefix}${index}`;

/** What is absent is the host's own. */
export type ScriptedAnswer = Readonly<{ serviceUs?: Micros | undefined; status?: number | undefined }>;

export interface ExplicitRequest extends RequestSpec {
  readonly atUs: Micros;
  /** The first of its route. */
  readonly cluster: string;
  readonly route?: readonly RouteCluster[] | undefined;
  /** Where its client is: `ip:port`. */
  readonly address?: string | undefined;
  readonly hashKey?: string | undefined;
  readonly hash?: U64 | undefined;
  /** Scripted 64-bit values for the draws of this request's decisions, then 0; undefined: the balancer's own stream. */
  readonly random?: readonly U64[] | undefined;
  /** What its attempts get, one after the other, the last for all further ones; absent: what `behavior` says. */
  readonly answers?: readonly ScriptedAnswer[] | undefined;
  readonly proxy?: string | undefined;
  readonly worker?: number | undefined;
}

/** Some requests are larger than others: what a host can take in a second depends on which come. */
export const hasSizes = ({ workloads, requests }: Traffic): boolean =>
  [...workloads, ...requests].some(({ size }) => size !== undefined);

/** The end of a run, as far as they define it; without a duration answers may come later. */
export function endOf({ durationUs, workloads, requests, timeline }: WorldSettings<MessageForms>): Micros {
  if (durationUs !== undefined) return durationUs;
  return [
    ...workloads.map(({ stopUs, arrivals }) => stopUs ?? (arrivals.kind === 'trace' ? arrivals.timesUs.at(-1) : 0)),
    ...requests.map(({ atUs }) => atUs),
    ...timeline.map(({ atUs }) => atUs),
  ].reduce((last: number, timeUs = 0) => Math.max(last, timeUs), 0);
}

type Traffic = Pick<WorldSettings<MessageForms>, 'workloads' | 'requests'>;

/** Where requests are sent, an entry for each way there. */
export function targetsOf({ workloads, requests }: Traffic): readonly Omit<RouteCluster, 'weight'>[] {
  const single = requests.flatMap((request): readonly Omit<RouteCluster, 'weight'>[] => request.route ?? [request]);
  return [...workloads.flatMap(({ route }) => route), ...single];
}

/** Names of the clusters that requests are sent to. */
export const clustersAsked = (traffic: Traffic): ReadonlySet<string> =>
  new Set(targetsOf(traffic).map(({ cluster }) => cluster));

/** Whether nothing but connections over TCP is sent to a cluster. */
export function takesConnections({ workloads, requests }: Traffic, name: string): boolean {
  const all = [...workloads, ...requests.map((one) => ({ ...one, route: one.route ?? [one] }))];
  const sent = all.filter(({ route }) => route.some(({ cluster }) => cluster === name));
  return sent.length > 0 && sent.every(({ tcp }) => tcp !== undefined);
}

/** When the last workload stops; Infinity where one ends with the run, or single requests are given. */
export const trafficEndOf = ({ workloads, requests }: WorldSettings<MessageForms>): Micros =>
  requests.length > 0 ? Infinity : workloads.reduce((last, { stopUs = Infinity }) => Math.max(last, stopUs), 0);

/** The versions in results and predictions: that of the first proxy and, where others differ, of all. */
interface Versions {
  version: ProxyVersion;
  /** Each once, in the order of the proxies; absent where there is only one. */
  versions?: ProxyVersion[];
}

export function versionsOf({ proxies }: Pick<WorldSettings<MessageForms>, 'proxies'>): Versions {
  const versions = [...new Set(proxies.map(({ version }) => version))];
  return { version: versions[0] ?? DEFAULT_PROXY_VERSION, ...(versions.length > 1 && { versions }) };
}

/** All behaviours that a file states, from the start or later on. */
type Stated = Pick<WorldSettings<MessageForms>, 'behavior' | 'timeline'>;

export const statedBehaviors = ({ behavior, timeline }: Stated): readonly Partial<Behavior>[] =>
  [...behavior, ...actionsOf(timeline, 'set_behavior')].map((rule) => rule.behavior);

export const mayEverFail = (settings: Stated): boolean =>
  statedBehaviors(settings).some((behavior) => mayFail({ ...IDEAL_BEHAVIOR, ...behavior }));

export const everTakesTime = (settings: Stated & Pick<WorldSettings<MessageForms>, 'requests'>): boolean =>
  statedBehaviors(settings).some((behavior) => takesTime({ ...IDEAL_BEHAVIOR, ...behavior })) ||
  settings.requests.some(({ answers = [] }) => answers.some(({ serviceUs = 0 }) => serviceUs > 0));

/** The metadata criteria of requests to the cluster, each once; {} without any. */
export function metadataCriteria(traffic: Traffic, cluster: string): Struct[] {
  const criteria = targetsOf(traffic)
    .filter((entry) => entry.cluster === cluster)
    .map(({ metadataMatch }) => ({ ...metadataMatch }));
  return [...new Map(criteria.map((criteria) => [describeEntries(sortedEntries(criteria)), criteria])).values()];
}

/** Which statistics a proxy has, and how their names become tags. */
export type StatsConfig = Messages['config.metrics.v2.StatsConfig'];

type StatsSink = Messages['config.metrics.v2.StatsSink'] & {
  /** What it does, from `config` or `typedConfig`. */
  readonly sink: Sink;
};

export type Sink =
  | ({ readonly kind: 'statsd' } & Messages['config.metrics.v2.StatsdSink'])
  | ({ readonly kind: 'tagged_statsd' } & Messages['config.metrics.v2.TaggedStatsdSink'])
  | { readonly kind: 'dashboard'; readonly numBuckets: bigint }
  /** One of the proxy's that is not simulated: nothing is sent to it. */
  | { readonly kind: 'foreign' };
