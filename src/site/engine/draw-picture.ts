import type {
  ClusterPrediction,
  ClusterResult,
  CourseResult,
  FleetResult,
  IntervalResult,
  PhaseResult,
  PredictedPhase,
  Prediction,
  RunResult,
  Scenario,
} from '../../index.js';
import { hostsOf, LB_POLICIES, localityName, localityParts, mergeWindowUs, panicThresholdOf } from '../../index.js';
import type {
  ClusterPicture,
  CoursePicture,
  LocalityPicture,
  MemberPicture,
  PhasePicture,
  RunPicture,
  WaitPicture,
  WorldPicture,
  ZonesPicture,
} from './picture.js';
import { HEALTH_NAMES } from './picture.js';

type AnyPhase = PhaseResult | PredictedPhase;

export function worldOf({ workloads, requests, proxies }: Scenario): WorldPicture {
  const single = [...new Set(requests.map(({ cluster }) => cluster))];
  return {
    policies: LB_POLICIES,
    clients: [
      ...workloads.map(({ name, route, arrivals }) => ({
        name,
        perSecond: 'perSecond' in arrivals ? arrivals.perSecond : undefined,
        clusters: route.map(({ cluster }) => cluster),
      })),
      ...(single.length === 0 ? [] : [{ name: 'requests', perSecond: undefined, clusters: single }]),
    ],
    proxies: proxies.map(({ name, count, version }) => ({ name, count, version })),
  };
}

export function pictureOfRun(
  result: RunResult,
  scenario: Scenario,
  answer: readonly string[],
  elapsedMs?: number,
): RunPicture {
  return {
    ...worldOf(scenario),
    scenario: result.scenario,
    description: scenario.description,
    seed: result.seed,
    versions: result.versions ?? [result.version],
    durationS: result.duration_s,
    partial: result.partial === true,
    answer,
    totals: result.totals,
    failures: Object.entries(result.failures).filter(([, requests]) => requests > 0),
    clusters: Object.entries(result.clusters).map(([name, cluster]) =>
      clusterOfRun(name, cluster, {
        waits: waitsOf(result, scenario, name),
        panicThreshold: thresholdIn(scenario, name),
      }),
    ),
    events: result.events,
    eventsOmitted: result.events_omitted ?? 0,
    expect: result.expect,
    notes: [...(result.input ?? []), ...result.notes],
    elapsedMs,
  };
}

/** A prediction, drawn as a run is: with shares, and without anything that was counted. */
export function runPictureOfPrediction(prediction: Prediction, scenario: Scenario): RunPicture {
  return {
    ...worldOf(scenario),
    scenario: prediction.scenario,
    description: scenario.description,
    seed: '',
    versions: prediction.versions ?? [prediction.version],
    durationS: prediction.duration_s,
    partial: false,
    answer: ['Predicted from formulas: nothing was run.'],
    totals: { requests: 0, success: 0, failed: 0, in_flight: 0, no_healthy_upstream: 0, overflow: 0, retries: 0 },
    failures: [],
    clusters: pictureOfPrediction(prediction, scenario),
    events: [],
    eventsOmitted: 0,
    expect: [],
    notes: [...(prediction.input ?? []), ...prediction.notes],
    elapsedMs: undefined,
  };
}

function thresholdIn({ clusters }: Scenario, name: string): number {
  const config = clusters.find((cluster) => cluster.name === name);
  return config === undefined ? NaN : panicThresholdOf(config);
}

function clusterOfRun(
  name: string,
  cluster: ClusterResult,
  configured: Pick<ClusterPicture, 'waits' | 'panicThreshold'>,
): ClusterPicture {
  const places = placesOf(cluster.hosts);
  return {
    ...headOf(name, cluster),
    failed: cluster.failed,
    hosts: cluster.hosts.map((host, index) => ({
      ...hostFields(host, places.zones[index]),
      predicted: host.predicted_share ?? NaN,
    })),
    localities: places.localities,
    phases: cluster.phases.map((phase) => ({
      ...headOfPhase(phase),
      priorities: phase.priorities,
      members: membersOf(phase),
      labels: phase.labels,
      failed: phase.failed,
      ...columns(places, hostsOf(phase), (host) => host.predicted_share ?? NaN),
    })),
    course: cluster.course && courseOf(cluster.course, places),
    members: membersOf(cluster),
    subsets: cluster.subsets.map(({ subset, requests, share }) => ({ subset, requests, share })),
    ...configured,
    zones: cluster.fleet && zonesOf(cluster.fleet),
    latency: cluster.latency_ms,
    whyNot: '',
  };
}

/** What waited for the merge window of a cluster: an update arms a timer of a whole window, and goes out with it. */
function waitsOf({ events }: RunResult, { clusters }: Scenario, name: string): readonly WaitPicture[] {
  const config = clusters.find((cluster) => cluster.name === name);
  if (config === undefined) return [];
  const windowS = mergeWindowUs(config) / 1e6;
  const deliveries = events.filter(({ kind, cluster }) => kind === 'delivery' && cluster === name);
  const [first] = deliveries;
  return deliveries
    .filter(({ proxy }) => proxy === first?.proxy)
    .map(({ t_s: toS, text }) => ({ fromS: Math.max(0, toS - windowS), toS, text }));
}

function zonesOf({ from, to, flows, cross_zone: crossZone }: FleetResult): ZonesPicture {
  const places = [...from.flatMap(({ locality }) => locality ?? []), ...to.map(({ locality }) => locality)];
  const parts = localityParts(places);
  return {
    from: from.map(({ locality, proxies }) => ({
      name: locality === null ? 'no place' : localityName(locality, parts),
      proxies,
    })),
    to: to.map(({ locality, hosts }) => ({ name: localityName(locality, parts), hosts })),
    flows,
    crossZone: crossZone.share,
  };
}

function membersOf({ members = [] }: Pick<PhaseResult, 'members'>): readonly MemberPicture[] {
  return members.map(({ cluster, share }) => ({ cluster, share }));
}

function courseOf({ every_s: everyS, intervals, hosts }: CourseResult, places: Places): CoursePicture {
  const column = (of: (interval: IntervalResult) => number | null): Float64Array =>
    Float64Array.from(intervals, (interval) => of(interval) ?? NaN);
  const counts = Array.from({ length: places.size }, () => new Float64Array(intervals.length));
  for (const host of hosts ?? []) {
    const place = places.of(host);
    if (place !== undefined) counts[place] = Float64Array.from(host.requests);
  }
  return {
    everyS,
    toS: column(({ to_s: toS }) => toS),
    requests: column(({ requests }) => requests),
    failed: column(({ failed }) => failed),
    inFlight: column(({ in_flight: inFlight }) => inFlight),
    p50: column(({ latency_ms: latency }) => latency.p50),
    p90: column(({ latency_ms: latency }) => latency.p90),
    p99: column(({ latency_ms: latency }) => latency.p99),
    hosts: hosts && counts,
  };
}

export function pictureOfPrediction(prediction: Prediction, scenario: Scenario): readonly ClusterPicture[] {
  return Object.entries(prediction.clusters).map(([name, cluster]) =>
    clusterOfPrediction(name, cluster, thresholdIn(scenario, name)),
  );
}

function clusterOfPrediction(name: string, cluster: ClusterPrediction, panicThreshold: number): ClusterPicture {
  // Without a prediction of the whole, phases may have the hosts.
  const rows = [cluster, ...cluster.phases].reduce(
    (most, { hosts }) => (hosts.length > most.length ? hosts : most),
    [...cluster.hosts],
  );
  const places = placesOf(rows);
  return {
    ...headOf(name, cluster),
    failed: 0,
    hosts: rows.map((host, index) => ({ ...hostFields(host, places.zones[index]), predicted: host.share })),
    localities: places.localities,
    phases: cluster.phases.map((phase) => ({
      ...headOfPhase(phase),
      ...{ priorities: [], members: [], labels: [], failed: 0 },
      ...columns(places, phase.hosts, (host) => host.share),
    })),
    course: undefined,
    members: [],
    subsets: [],
    waits: [],
    panicThreshold,
    zones: undefined,
    latency: undefined,
    whyNot: cluster.why_not ?? cluster.phases.find((phase) => phase.why_not !== undefined)?.why_not ?? '',
  };
}

function headOf(name: string, { policy, requests, no_host: noHost }: ClusterResult | ClusterPrediction) {
  return { name, policy, requests: requests ?? NaN, noHost: noHost?.share ?? 0 };
}

function headOfPhase({ from_s: fromS, to_s: toS, cause, reasons, requests, no_host: noHost }: AnyPhase) {
  return { fromS, toS, cause, reasons, requests: requests ?? NaN, noHost: noHost?.share ?? 0 };
}

function hostFields({ address, priority, weight, health, share }: Row, zone = '') {
  return { address, priority, zone, weight, health: HEALTH_NAMES.indexOf(health), share };
}

interface Row {
  readonly address: string;
  readonly priority: number;
  readonly locality: { readonly region: string; readonly zone: string; readonly sub_zone: string };
  readonly share: number;
  readonly weight: number;
  readonly health: 'healthy' | 'degraded' | 'unhealthy';
}

interface Places {
  readonly size: number;
  readonly zones: readonly string[];
  readonly localities: readonly LocalityPicture[];
  readonly of: (row: Pick<Row, 'address' | 'priority'>) => number | undefined;
}

/** A host that changed its priority has a row of each. */
function placesOf(rows: readonly Row[]): Places {
  const parts = localityParts(rows.map(({ locality }) => locality));
  const key = ({ address, priority }: Pick<Row, 'address' | 'priority'>): string => `${priority} ${address}`;
  const places = new Map(rows.map((row, index) => [key(row), index]));
  const zones = rows.map(({ locality }) => localityName(locality, parts));
  const localities = new Map(
    rows.map(({ locality: { region, zone, sub_zone: subZone } }, index) => [
      zones[index] ?? '',
      {
        ...(parts.region && { region }),
        ...(parts.zone && { zone }),
        ...(parts.subZone && { sub_zone: subZone }),
      },
    ]),
  );
  return {
    size: rows.length,
    zones,
    localities: [...localities]
      .filter(([, part]) => Object.values(part).some((name) => name !== ''))
      .map(([name, part]) => ({ name, parts: part })),
    of: (row) => places.get(key(row)),
  };
}

function columns<T extends Row>(
  places: Places,
  rows: Iterable<T>,
  predictedOf: (row: T) => number,
): Pick<PhasePicture, 'shares' | 'predicted' | 'health' | 'weights'> {
  const shares = new Float32Array(places.size);
  const predicted = new Float32Array(places.size).fill(NaN);
  const health = new Uint8Array(places.size);
  const weights = new Float32Array(places.size);
  for (const row of rows) {
    const place = places.of(row);
    if (place === undefined) continue;
    shares[place] = row.share;
    predicted[place] = predictedOf(row);
    health[place] = HEALTH_NAMES.indexOf(row.health);
    weights[place] = row.weight;
  }
  return { shares, predicted, health, weights };
}
