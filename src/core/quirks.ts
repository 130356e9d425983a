import { minorOf, PROXY_VERSIONS, type ProxyVersion } from './version.js';

/** One difference between releases of the proxy: which of them have it, and how that is known. */
export interface Quirk {
  /** What they do, as printed in docs/fidelity.md. */
  readonly what: string;
  /** The first release that has it; absent: those before 1.12.0 had it too. */
  readonly first?: string;
  /** The last release that has it; absent: up to the newest. */
  readonly last?: string;
  /** The evidence: what was run or read. */
  readonly evidence: string;
}

/** For a change without a release note: it came after the last proxy with the v2 API. */
export const AFTER_V2 = '1.18';
const LAST_V2 = '1.17';

/** The old balancers, run with scripted draws: each decision and each counter compared. */
const BALANCERS = 'balancers of 1.12.0, 1.14.0 and 1.17.4, draw by draw';
const RECORDED = 'recordings of 1.40.0';
const WATCHED = 'a proxy 1.40.0, watched';
const UNIT_TESTS = 'unit tests of the proxy';
const NOTES = 'release notes';

/** Where versions differ, and how that is known. */
export const QUIRKS = {
  // policies
  hostByPriorityDraw: {
    what: 'RANDOM takes its host from the value that has chosen the priority, so that a load that is no multiple of gcd(hosts, 100) is uneven; before, from a draw of its own',
    first: '1.16.0',
    evidence: 'balancers of 1.14.0 and 1.17.4, draw by draw; shares of 1.40.0',
  },
  schedulesFromSeed: {
    what: 'a schedule of weights stands where its first `seed` picks would have left it; before, where `seed mod hosts` picks did',
    first: '1.30.0',
    evidence: `${UNIT_TESTS}; ${RECORDED}`,
  },
  seedsLocalities: {
    what: 'the schedule of weighted localities starts at a drawn place; before, at its beginning',
    first: '1.30.0',
    evidence: `${UNIT_TESTS}; drawn by the balancer since 1.36`,
  },
  countsPendingRequests: {
    what: 'LEAST_REQUEST can count requests that wait for a connection, if the runtime says so',
    first: AFTER_V2,
    evidence: UNIT_TESTS,
  },
  knowsBalanceSettings: {
    what: '`maglev_lb_config`, `hash_balance_factor` and `active_request_bias` count; before, they are passed over',
    first: '1.16.0',
    evidence: NOTES,
  },
  maglevSortsHosts: {
    what: 'hosts of MAGLEV take turns in the byte order of their keys; before, in the order of the list',
    first: '1.27.0',
    evidence: `${NOTES}; tables of 1.40.0, slot by slot`,
  },
  maglevSparesOneHost: {
    what: 'MAGLEV makes no table for a single host, and its gauges are 1',
    first: '1.40.0',
    evidence: 'gauges of 1.40.0',
  },
  hashKeyOfMetadata: {
    what: 'tables hash the `hash_key` of a host’s metadata instead of its address',
    first: '1.18.0',
    evidence: `${NOTES}; ${RECORDED}`,
  },
  tablesIgnoreRejections: {
    what: 'RING_HASH and MAGLEV do not hear that a host is rejected (retry host predicates)',
    last: '1.12',
    evidence: BALANCERS,
  },

  // health, priorities, zones
  drainingIsExcluded: {
    what: 'hosts that are DRAINING count in no denominator; before, they are unhealthy',
    first: '1.30.0',
    evidence: `${NOTES}; ${RECORDED}`,
  },
  failedAtOnceIsExcluded: {
    what: 'a host that fails its check by an answer (`x-envoy-immediate-health-check-fail`) counts in no denominator',
    first: '1.18.0',
    evidence: `${NOTES}; ${RECORDED}`,
  },
  keepsHealthOfMoved: {
    what: 'a host that comes again in another locality keeps what active health checks know of it',
    first: AFTER_V2,
    evidence: UNIT_TESTS,
  },
  knowsNoTrafficHealthyInterval: {
    what: '`no_traffic_healthy_interval` counts; before, it is passed over',
    first: '1.17.0',
    evidence: NOTES,
  },
  totalPanicMovesLoad: {
    what: 'where all priorities panic, load follows the number of hosts; before, it never does, and where no host is available, priority 0 panics unless the panic threshold is 0',
    first: '1.14.0',
    evidence: BALANCERS,
  },
  pairsZonesByName: {
    what: 'zones of both clusters are paired by name, and their number may differ; before, they are paired by position, and another number switches zone routing off (`lb_zone_number_differs`)',
    first: '1.28.0',
    evidence: `${NOTES}; ${BALANCERS}; ${RECORDED}`,
  },
  clustersStartByName: {
    what: 'clusters start in the order of their names: one that starts after the local cluster knows its hosts and works its zones out once (`lb_recalculate_zone_structures`); before, another time for the local cluster’s hosts',
    first: AFTER_V2,
    evidence: 'proxies 1.36.4 and 1.40.0, watched',
  },
  newSubsetsMeetLocalCluster: {
    what: 'subsets: a new one works its zones out with its hosts, and again with those of the local cluster (`lb_recalculate_zone_structures`); since, once with both',
    last: '1.39',
    evidence: `${BALANCERS}; proxies 1.36.4, 1.37.0, 1.38.3, 1.39.3 and 1.40.0, watched`,
  },
  zoneEdgesAreSharp: {
    what: 'what leaves the zone is divided exactly; before, each zone’s range is shifted by one, and the draw 0 falls to the own zone',
    first: '1.28.0',
    evidence: `${NOTES}; ${BALANCERS}`,
  },
  canForceLocalZone: {
    what: '`force_local_zone` and its runtime key count',
    first: AFTER_V2,
    evidence: RECORDED,
  },

  // a cluster's life
  batchesDiscovery: {
    what: 'an update by discovery is one batch that goes out at once; before, each priority goes through the merge window',
    first: AFTER_V2,
    evidence: `${RECORDED}, with the guard on and off`,
  },
  findsFirstOfAddress: {
    what: 'EDS: a host that comes while another of its address is there (it moves to a priority before its own and into another locality; or health checks go to another port, and it stays) is not found by its address: not by requests that name it, nor by the next update of whatever host, which makes another',
    first: AFTER_V2,
    evidence: 'proxies 1.36.4, 1.38.3 and 1.40.0, watched',
  },
  announcesNewPriorities: {
    what: 'EDS: a priority that an update brings is announced once, hosts or none, but under `weighted_priority_health` with the usual overprovisioning factor; before, only where it has hosts',
    first: AFTER_V2,
    evidence: `${WATCHED}: gauges of subsets; its source, where a priority begins with a factor in place of \`weighted_priority_health\``,
  },
  emptyDnsAnswerCounts: {
    what: 'an empty DNS answer takes all hosts of a STRICT_DNS name; before, it is a failure',
    first: '1.14.0',
    evidence: NOTES,
  },
  logicalDnsReplacesHost: {
    what: 'another list of addresses brings a LOGICAL_DNS cluster another host; before, its host moves, and connections stay',
    first: '1.39.0',
    evidence: `${NOTES}; ${RECORDED}`,
  },
  originalDstKeepsConnected: {
    what: 'ORIGINAL_DST keeps a host that still has connections; before, one that no request used is removed',
    first: AFTER_V2,
    evidence: WATCHED,
  },
  socketsFollowMetadata: {
    what: 'a host’s transport socket is chosen anew when its metadata change, and by its locality’s metadata, too',
    first: AFTER_V2,
    evidence: WATCHED,
  },
  dropsOverload: {
    what: 'the runtime can limit what `drop_overloads` drops',
    first: AFTER_V2,
    evidence: RECORDED,
  },

  // outlier detection
  ejectionsStayWithinLimit: {
    what: '`max_ejection_percent` holds after an ejection; before, it is asked whether those that are out already are fewer, so that the first always fits',
    first: AFTER_V2,
    evidence: `${UNIT_TESTS}; ${RECORDED}`,
  },
  limitsEjectionTime: {
    what: 'an ejection lasts the base time by a factor that also shrinks, up to `max_ejection_time`; before, by the ejections of the host’s life, without a limit',
    first: '1.17.0',
    evidence: `${NOTES}; ${UNIT_TESTS}`,
  },
  backoffShrinksEverySweep: {
    what: 'that factor shrinks with each sweep in which the host is used; later, one interval after its return at the earliest',
    first: '1.17.0',
    last: LAST_V2,
    evidence: UNIT_TESTS,
  },
  jittersEjections: {
    what: 'an ejection lasts up to `max_ejection_time_jitter` longer; one value is drawn in any case',
    first: AFTER_V2,
    evidence: UNIT_TESTS,
  },
  passedCheckEndsEjection: {
    what: 'an active health check that is passed ends an ejection, unless switched off',
    first: AFTER_V2,
    evidence: RECORDED,
  },
  returnEndsLocalFailures: {
    what: 'a host that returns begins a new run of local origin failures; before, the run goes on past its limit, and nothing is detected until a success ends it',
    first: AFTER_V2,
    evidence: 'https://github.com/envoyproxy/envoy/issues/18950',
  },

  // retries and statistics
  backOffDoubles: {
    what: 'back-offs of retries and of failed DNS queries have bounds of 1, 2, 4 … times the base; before, of 1, 3, 7 …, cut off at the longest',
    first: AFTER_V2,
    evidence: UNIT_TESTS,
  },
  presentMatchMayBeFalse: {
    what: '`present_match: false` asks for a header’s absence; before, it was read as true',
    first: AFTER_V2,
    evidence: NOTES,
  },
  poolsAreAlike: {
    what: '`max_requests` limits HTTP/1 too, `max_connections` HTTP/2 too, and HTTP/2 opens another connection where `max_concurrent_streams` are in use; before, `max_requests` is for HTTP/2 and `max_connections` for HTTP/1, and HTTP/2 has one connection to a host',
    first: '1.14.0',
    evidence: `${NOTES}; circuit breaking as documented by 1.13 and 1.14`,
  },
  countsActiveOverflow: {
    what: '`upstream_rq_active_overflow` counts what `max_requests` refuses; before, `upstream_rq_pending_overflow` does',
    first: '1.40.0',
    evidence: WATCHED,
  },
  countsDegradation: {
    what: '`outlier_detection.ejections_detected_degradation` is there',
    first: '1.40.0',
    evidence: WATCHED,
  },
  countsRequestsPerConnection: {
    what: '`upstream_rq_per_cx` is there',
    first: '1.36.0',
    evidence: `${NOTES}; ${WATCHED}`,
  },
  tagsSeeWholeNames: {
    what: 'every tag specifier sees the whole name of a statistic; before, what those before it have left',
    first: '1.40.0',
    evidence: 'statistics of 1.40.0, with each default tag',
  },

  // subsets
  policiesAloneGrowTree: {
    what: 'subsets: a selector without a fallback policy makes no node in the tree of selectors, so it takes no other’s policy away',
    last: '1.22',
    evidence: BALANCERS,
  },
  unfinishedSelectorFails: {
    what: 'subsets: a request whose keys are only the first of a selector with a policy gets no host',
    last: '1.12',
    evidence: BALANCERS,
  },
  onlyAddedHostsMakeSubsets: {
    what: 'subsets: an update that adds or removes hosts makes new subsets of those that it adds only; a host that stays and has new metadata moves between subsets that are there',
    last: '1.22',
    evidence: `${BALANCERS}; gone in 1.24`,
  },
  subsetsMatchHosts: {
    what: 'subsets: a new one is filled with whoever matches its keys and values, in all priorities; later, with the hosts whose own metadata led to it. Under `list_as_any`, an empty list for the first of two keys makes a subset of all hosts that have the second',
    last: '1.22',
    evidence: BALANCERS,
  },
  defaultSubsetPerUse: {
    what: 'subsets: the default subset of the cluster’s fallback and that of a selector’s have rotations of their own',
    last: '1.22',
    evidence: BALANCERS,
  },
  anyEndpointPerUse: {
    what: 'subsets: so have the any-endpoint subsets of the cluster, of selectors and of `panic_mode_any`',
    last: '1.12',
    evidence: BALANCERS,
  },
  factorStays: {
    what: 'subsets: one keeps the overprovisioning factors that it was made with; the any-endpoint and the default subset were made before the first host, with 140 % for priority 0',
    last: '1.26',
    evidence: `${BALANCERS}; sources of 1.26`,
  },
  emptySubsetsAreErased: {
    what: 'subsets: one that lost its hosts starts anew when they return; before, it keeps its rotation',
    first: '1.15.0',
    evidence: BALANCERS,
  },
  singleHostByValue: {
    what: 'subsets: `single_host_per_subset` looks a host up by one value over all priorities: further keys do not matter, an unhealthy host sends the request to the cluster’s fallback, nothing counts as a subset',
    last: '1.22',
    evidence: `${BALANCERS}; the field came with 1.16.0`,
  },
} as const satisfies Readonly<Record<string, Quirk>>;

export type QuirkName = keyof typeof QUIRKS;

/** Which quirks a version has. */
export type Quirks = Readonly<Record<QuirkName, boolean>>;

const BY_VERSION = new Map(PROXY_VERSIONS.map((version) => [version, of(version)]));

export function quirksOf(version: ProxyVersion): Quirks {
  return BY_VERSION.get(version) ?? of(version);
}

function of(version: ProxyVersion): Quirks {
  const line = minorOf(version);
  const has = ({ first, last }: Quirk): boolean =>
    (first === undefined || minorOf(first) <= line) && (last === undefined || line <= minorOf(last));
  return Object.fromEntries(Object.entries(QUIRKS).map(([name, quirk]) => [name, has(quirk)])) as Quirks;
}
