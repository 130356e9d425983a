import type { ProxyVersion } from '../core/version.js';
import type { Health, Locality } from '../host/host.js';
import type { PhaseFact, RunFact } from './facts.js';
import type { Happening } from '../upstream/cause.js';
import type { CauseResult, NoticeFact, TimedHappening } from './happenings.js';
import type { MeasureSubject, MeasureUnit } from '../settings/measure.js';
import type { Failures } from './failures.js';
import type { Micros } from '../core/units.js';
import type { RequestOrigin } from './request-record.js';

/** One decision: which host an attempt of a request was sent to, as `run --decisions` writes it. */
export interface DecisionRecord extends RequestOrigin {
  /** 0 for the first try, then one more for each retry. */
  readonly attempt: number;
  readonly tUs: Micros;
  /** null where no host was chosen; priority and locality are then null too. */
  readonly host: string | null;
  readonly priority: number | null;
  readonly locality: LocalityResult | null;
  /** null outside subsets. */
  readonly subset: string | null;
  /** True where the priority that was chosen from was in panic. */
  readonly panic: boolean;
  /** Where `cluster` is an aggregate: which of its members chose. */
  readonly member?: string;
  /** Of a copy of the request, for `request_mirror_policies`. */
  readonly mirrored?: true;
}

/**
 * What a run leaves behind, in the shape of `lbsim run --json` (docs/results.md): field names are the
 * contract's own snake_case, so that the JSON report is this object and nothing else.
 */
export interface RunResult {
  scenario: string;
  /** What the scenario asks, in the words of its file; absent: it does not say. */
  description?: string;
  seed: string;
  version: ProxyVersion;
  /** Where proxies are of several: all of them. */
  versions?: ProxyVersion[];
  duration_s: number;
  /** How the files were read, what is unknown and what to add, a sentence each; further lines of one are to be pasted. */
  input?: string[];
  /** Clusters whose hosts no file tells. */
  unknown_hosts?: string[];
  /** True where the run was interrupted and shows what was known so far. */
  partial?: true;
  totals: Totals;
  /** The failed ones of the totals by cause. */
  failures: Failures;
  clusters: Record<string, ClusterResult>;
  /** Present with more than one proxy. */
  proxies: Record<string, ProxyResult>;
  stats: StatsResult;
  /** In time order; of very many the first and the last. */
  events: EventResult[];
  /** How many events between the first and the last were not kept; absent: none. */
  events_omitted?: number;
  /** The numbers that the scenario is about; absent: it does not say. */
  question?: QuestionResult[];
  expect: ExpectationResult[];
  /** Notes for the reader: defaults that were filled in, features that would have acted differently. */
  notes: string[];
}

/** What a run leaves behind of the world alone: without the files that it came from, and what was expected of it. */
export type WorldResult = Omit<
  RunResult,
  'scenario' | 'description' | 'input' | 'unknown_hosts' | 'question' | 'expect' | 'notes'
>;

export interface Totals {
  requests: number;
  success: number;
  failed: number;
  in_flight: number;
  no_healthy_upstream: number;
  overflow: number;
  retries: number;
}

export interface LatencyOrNone {
  p50: number | null;
  p90: number | null;
  p99: number | null;
  max: number | null;
  mean: number | null;
}

export interface LocalityResult {
  region: string;
  zone: string;
  sub_zone: string;
}

export const portion = (requests: number, of: number): Portion => ({ requests, share: of === 0 ? 0 : requests / of });

export function localityResult(locality: Locality): LocalityResult {
  return { region: locality.region, zone: locality.zone, sub_zone: locality.subZone };
}

/** What a prediction says of a portion; absent without one, never null and never a guess. */
export interface Predicted {
  predicted_share?: number;
  /** How many standard errors the counted share lies above (+) or below (−) the predicted one. */
  predicted_z?: number;
}

/** A count of attempts and its part of all attempts of the cluster, 0–1. */
export interface Portion extends Predicted {
  requests: number;
  share: number;
}

/**
 * The traffic of the whole fleet by place; present where a proxy's node states its locality, and proxies or hosts are in
 * several places.
 */
export interface FleetResult {
  /** Where requests came from. */
  from: {
    /** null: proxies whose nodes state no locality. They are in no place, and nothing that they send crosses zones. */
    locality: LocalityResult | null;
    proxies: number;
    /** Attempts sent to a host. */
    requests: number;
    cross_zone: Portion;
  }[];
  /** Where they went. */
  to: { locality: LocalityResult; hosts: number }[];
  /** Attempts by place of the proxy and of the host: `flows[i][j]` from `from[i]` to `to[j]`. */
  flows: number[][];
  /** Attempts that went to another place than the proxy's own, of all that proxies with a place sent to a host. */
  cross_zone: Portion;
  /** What a host got on average. */
  mean_requests: number;
}

/**
 * What a host is, whatever the proxy believes: it refuses connections, never answers, fails a part of its requests, or takes
 * three times as long as the fastest of its cluster; `back`: it failed before and answers again.
 */
export type HostTruth = 'dead' | 'hangs' | 'failing' | 'slow' | 'back';

/** Attempts of the cluster over what the host could serve in that time: 1 is all; absent where it can serve any number. */
export interface Loaded {
  load?: number;
}

/** A host where it is: health is what the proxy believes. */
export interface PlacedHost {
  address: string;
  priority: number;
  locality: LocalityResult;
  weight: number;
  health: Health;
}

export interface HostResult extends PlacedHost, Portion, Loaded {
  hostname: string;
  /** Only its number was given: the address stands for one that is not known. */
  made_up?: true;
  answered: number;
  errors: number;
  latency_ms: LatencyOrNone;
  removed_at_s?: number;
  /** In clusters with `transport_socket_matches`: the name of the match that the host got, `default` without one. */
  transport_socket_match?: string;
  /** With a {@link FleetResult}: its requests over the mean of all hosts; 1 is a fair share among equals. */
  relative_load?: number;
}

/** A sum of hosts: one locality, one priority or one subset. */
export interface GroupResult extends Portion {
  hosts: number;
  answered: number;
  errors: number;
  latency_ms: LatencyOrNone;
}

/** One interval of a {@link CourseResult}. */
export interface IntervalResult {
  from_s: number;
  to_s: number;
  /** Attempts that were decided in it, and those of them that found no host. */
  requests: number;
  no_host: number;
  /** Requests, not attempts, that ended in it with a status below 500. */
  success: number;
  /** Requests that failed in it, when the client heard of it; by cause, those that occurred. */
  failed: number;
  failures: Partial<Failures>;
  /** Attempts that were with a host, or waited for a connection to it, as the interval ended. */
  in_flight: number;
  /** Hosts that outlier detection kept out as the interval ended; of several proxies, the sum. */
  ejected: number;
  /** Of the requests that a host answered in it. */
  latency_ms: LatencyOrNone;
}

/** A cluster in intervals of equal length, whatever its phases; see docs/results.md for what bounds it. */
export interface CourseResult {
  every_s: number;
  intervals: IntervalResult[];
  /** Attempts for each host, one number an interval; absent where hosts times intervals are too many. */
  hosts?: {
    address: string;
    priority: number;
    requests: number[];
    /** Attempts that failed there, when they did; absent: none. */
    errors?: number[];
  }[];
}

export interface PhaseHostResult extends PlacedHost, Portion, Loaded {
  /** What the host is, where it does not answer as it should: see {@link HostTruth}. */
  truth?: HostTruth;
}

export interface PhaseResult {
  from_s: number;
  to_s: number;
  /** What began it. */
  causes: CauseResult[];
  /** Notes, behaviour changes and rates that fall into this phase, in time order. */
  happened: TimedHappening[];
  requests: number;
  hosts: PhaseHostResult[];
  /** Of an aggregate: the attempts passed on to each of its clusters. */
  members?: (Portion & { cluster: string })[];
  no_host: Portion;
  overflow: Portion;
  /** Requests, not attempts, that failed in the end and whose last attempt was decided in this phase. */
  failed: number;
  /** The same by cause. */
  failures: Failures;
  /** With a {@link FleetResult}: its cross-zone part of this phase. */
  cross_zone?: Portion;
  /** Why the shares are what they are: panic, spill, no healthy host … with the numbers that were compared. */
  facts: PhaseFact[];
  /** Per priority: load in percent and whether it was in panic, as the first worker's balancer held it. */
  priorities: {
    priority: number;
    healthy_load: number;
    degraded_load: number;
    panic: boolean;
    healthy: number;
    degraded: number;
    total: number;
  }[];
}

export type PriorityResult = PhaseResult['priorities'][number];

export interface TableResult {
  policy: string;
  /** The proxy's gauge: planned ring size, or Maglev table size. */
  size: number;
  min_hashes_per_host: number;
  max_hashes_per_host: number;
}

/** What the merge window did; absent where no update was put off. */
export interface MergeWindowResult {
  /** Updates of a priority that waited. */
  updates_put_off: number;
  /** What went out when the window was over. */
  deliveries: number;
  /** Updates that went out together with another one. */
  updates_saved: number;
  /** Attempts sent to hosts that the proxy knew to be unhealthy, while the balancers did not. */
  requests_to_known_bad: Portion;
}

/** One proxy's notice of what a host does. */
export interface NoticeResult {
  proxy: string;
  after_s: number;
  fact: NoticeFact;
}

/** A host that began to fail, by the timeline, in a cluster that watches its hosts. */
export interface DetectionResult {
  address: string;
  /** The entry of the timeline, in words. */
  event: string;
  failed_at_s: number;
  recovered_at_s: number | null;
  /** Absent unless the run ended before health checks had time to notice: a run of this many seconds shows what follows. */
  needs_run_of_s?: number;
  /** Who took it for unhealthy while it failed, and how long after it began to. */
  seen: NoticeResult[];
  /** Who took it for healthy again, and how long after it had recovered. */
  back: NoticeResult[];
}

export type EventKind =
  | 'timeline'
  | 'health_check'
  | 'ejection'
  | 'unejection'
  | 'membership'
  | 'delivery'
  | 'dns'
  | 'circuit_breaker'
  | 'panic'
  | 'cluster';

/** Something that happened, besides requests. */
export interface EventResult {
  t_s: number;
  /** When it happened last, or was over; absent where it took no time. */
  until_s?: number;
  /** How often within that time; absent: once. */
  times?: number;
  kind: EventKind;
  /** null: it concerns no cluster alone. */
  cluster: string | null;
  /** Who saw or did it; null: it happened in the world. */
  proxy: string | null;
  host: string | null;
  fact: Happening;
}

export interface ClusterResult {
  policy: string;
  /** Its requests are connections over TCP, all of them. */
  over_tcp?: true;
  requests: number;
  hosts: HostResult[];
  no_host: Portion;
  overflow: Portion;
  /** Requests, not attempts, that ended with a status below 500. */
  success: number;
  /** Requests, not attempts, that ended otherwise. */
  failed: number;
  /** The same by cause. */
  failures: Failures;
  /** Attempts that were worth a retry, which a circuit breaker or the retry budget did not allow. */
  retry_overflow: number;
  localities: (GroupResult & { locality: LocalityResult })[];
  priorities: (GroupResult & { priority: number })[];
  /** What was chosen from each subset, or from its fallback; which hosts are in it changes with them and is not counted. */
  subsets: (Omit<GroupResult, 'hosts'> & { subset: string })[];
  /** Of an aggregate: what it passed on to each of its clusters, whose own results have the hosts. */
  members?: (Omit<GroupResult, 'hosts'> & { cluster: string })[];
  fleet?: FleetResult;
  /** Why the numbers of the whole run are what they are, where no single phase shows it. */
  facts: RunFact[];
  phases: PhaseResult[];
  /** Of all proxies together; absent where clusters are many, unless requested. */
  course?: CourseResult;
  merge_window?: MergeWindowResult;
  /** Absent where no host began to fail, or without health checks and outlier detection. */
  detections?: DetectionResult[];
  /** From arrival to the final answer, of the requests that a host gave one. */
  latency_ms: LatencyOrNone;
  load_balancer?: TableResult | { policy: string };
}

export interface ProxyResult {
  clusters: Record<string, ClusterResult>;
  stats: StatsResult;
}

export interface HistogramResult {
  count: number;
  min: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  mean: number;
}

export interface StatsResult {
  counters: Record<string, number>;
  gauges: Record<string, number>;
  histograms: Record<string, HistogramResult>;
}

/** A number that the scenario is about. */
export interface QuestionResult {
  subject: MeasureSubject;
  /** Half-open window of decision time; absent: the whole run. */
  from_s?: number;
  to_s?: number;
  /** In its unit, shares and loads from 0 on; null: there was nothing to measure. */
  value: number | null;
  unit: MeasureUnit;
  /** Only of `moved_keys`: those of them whose host still serves other keys. */
  needless?: number;
  /** Only of `stat`: how it leaves the proxy; absent: it has no sinks that are simulated, and keeps the statistic. */
  published?: PublishedResult;
}

/** What the statistics sinks of a proxy make of a statistic; the first proxy that has it, or the first. */
export interface PublishedResult {
  /** false: stats_matcher leaves it out. */
  kept: boolean;
  /** Between two flushes to its sinks, the first that shows it, and the last; of a dashboard the last of its window. */
  every_s?: number;
  first_s?: number;
  last_s?: number;
  /** How many flushes a dashboard adds up. */
  window?: number;
  /** What a sink with tags makes of its name: the name that is left, `tag:value` in its order, and tags of the configuration that match nothing. */
  sent_as?: { name: string; tags: string[]; without: string[] };
}

export interface ExpectationResult {
  expectation: string;
  passed: boolean;
  /** null where there was nothing to measure; of a comparison of two measures, how many times the second the first is. */
  actual: number | string | null;
  /** Only of a comparison: what was measured … */
  value?: number | null;
  /** … and what it is compared with. */
  reference?: number | null;
  /** Of a latency, where not all requests were answered: the part, 0–1, that was, and has one. */
  answered_share?: number;
  /** Of what does not survive a loss, which is `actual`: what comes of it. */
  brings?: string;
  /** Of the load of the busiest host: which it was, and when. */
  busiest?: { address: string; from_s: number; to_s: number };
}
