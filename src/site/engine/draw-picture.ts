import type {
  ClusterPrediction,
  ClusterResult,
  PhaseResult,
  PredictedPhase,
  Prediction,
  RunResult,
  Scenario,
} from '../../index.js';
import type { HostTruth } from '../../result/run-result.js';
import { hostsOf, LB_POLICIES, localityName, localityParts, mergeWindowUs, panicThresholdOf } from '../../index.js';
import type {
  ClientsPicture,
  ClusterPicture,
  HostPicture,
  LocalityPicture,
  PhasePicture,
  RunPicture,
  WaitPicture,
} from './picture.js';
import { TRUTHS } from '../../result/phases.js';
import { HEALTH_NAMES } from './picture.js';

/** @param result of a run, or a prediction, which is drawn as a run is. */
export function pictureOf(
  result: RunResult | Prediction,
  scenario: Scenario,
  answer: readonly string[],
  elapsedMs?: number,
): RunPicture {
  const counted = 'totals' in result ? result : undefined;
  return {
    policies: LB_POLICIES,
    clients: clientsOf(scenario),
    proxies: scenario.proxies.map(({ name, count, version }) => ({ name, count, version })),
    scenario: result.scenario,
    description: scenario.description,
    seed: counted?.seed ?? '',
    versions: result.versions ?? [result.version],
    durationS: result.duration_s,
    partial: counted?.partial === true,
    answer,
    requests: counted?.totals.requests ?? 0,
    clusters: clusterPictures(result, scenario),
    events: counted?.events ?? [],
    eventsOmitted: counted?.events_omitted ?? 0,
    expect: counted?.expect ?? [],
    notes: [...(result.input ?? []), ...result.notes],
    elapsedMs,
  };
}

function clientsOf({ workloads, requests }: Scenario): readonly ClientsPicture[] {
  const single = [...new Set(requests.map(({ cluster }) => cluster))];
  return [
    ...workloads.map(({ name, route, arrivals }) => ({
      name,
      perSecond: 'perSecond' in arrivals ? arrivals.perSecond : undefined,
      clusters: route.map(({ cluster }) => cluster),
    })),
    ...(single.length === 0 ? [] : [{ name: 'requests', perSecond: undefined, clusters: single }]),
  ];
}

export function clusterPictures(result: RunResult | Prediction, scenario: Scenario): readonly ClusterPicture[] {
  return Object.entries<ClusterResult | ClusterPrediction>(result.clusters).map(([name, cluster]) => {
    const { policy, requests, phases, no_host: noHost } = cluster;
    const counted = 'failures' in cluster ? cluster : undefined;
    const rows = 'failures' in cluster ? cluster.hosts : mostRows(cluster);
    const places = placesOf(rows);
    const config = scenario.clusters.find((one) => one.name === name);
    return {
      name,
      policy,
      requests: requests ?? NaN,
      noHost: noHost?.share ?? 0,
      failed: counted?.failed ?? 0,
      hosts: rows.map((host, index) => hostPicture(host, places.zones[index] ?? '', counted === undefined)),
      localities: places.localities,
      phases: phases.map((phase) => phasePicture(phase, places)),
      course: counted?.course,
      members: counted?.members ?? [],
      subsets: counted?.subsets ?? [],
      waits: 'events' in result && config !== undefined ? waitsOf(result, config) : [],
      panicThreshold: config === undefined ? NaN : panicThresholdOf(config),
      fleet: counted?.fleet,
      whyNot: [cluster, ...phases].map((one) => ('why_not' in one ? one.why_not : undefined)).find(Boolean) ?? '',
    };
  });
}

/** Without a prediction of the whole, phases may have the hosts. */
function mostRows({ hosts, phases }: Pick<ClusterPrediction, 'hosts' | 'phases'>): readonly Row[] {
  return phases.reduce<readonly Row[]>((most, phase) => (phase.hosts.length > most.length ? phase.hosts : most), hosts);
}

function phasePicture(phase: PhaseResult | PredictedPhase, places: Places): PhasePicture {
  const { from_s: fromS, to_s: toS, cause, reasons, requests, no_host: noHost } = phase;
  const counted = 'failures' in phase ? phase : undefined;
  const { labels = [], priorities = [], members = [], failed = 0 } = counted ?? {};
  const about = { fromS, toS, cause, reasons, requests: requests ?? NaN, noHost: noHost?.share ?? 0 };
  const shares = new Float32Array(places.zones.length);
  const predicted = new Float32Array(places.zones.length).fill(NaN);
  const health = new Uint8Array(places.zones.length);
  const truth = new Uint8Array(places.zones.length);
  const load = new Float32Array(places.zones.length).fill(NaN);
  const weights = new Float32Array(places.zones.length);
  const rows: Iterable<Row> = counted === undefined ? phase.hosts : hostsOf(counted);
  for (const row of rows) {
    const place = places.of(row);
    if (place === undefined) continue;
    shares[place] = row.share;
    predicted[place] = predictedShare(row, counted === undefined);
    health[place] = HEALTH_NAMES.indexOf(row.health);
    truth[place] = TRUTHS.indexOf(row.truth);
    load[place] = row.load ?? NaN;
    weights[place] = row.weight;
  }
  return { ...about, labels, priorities, members, failed, shares, predicted, health, truth, load, weights };
}

/** What waited for the merge window of a cluster: an update arms a timer of a whole window, and goes out with it. */
function waitsOf({ events }: RunResult, config: Scenario['clusters'][number]): readonly WaitPicture[] {
  const windowS = mergeWindowUs(config) / 1e6;
  const deliveries = events.filter(({ kind, cluster }) => kind === 'delivery' && cluster === config.name);
  const [first] = deliveries;
  return deliveries
    .filter(({ proxy }) => proxy === first?.proxy)
    .map(({ t_s: toS, text }) => ({ fromS: Math.max(0, toS - windowS), toS, text }));
}

function hostPicture(row: Row, zone: string, isPrediction: boolean): HostPicture {
  const { address, priority, weight, share } = row;
  const health = HEALTH_NAMES.indexOf(row.health);
  return { address, priority, zone, weight, health, share, predicted: predictedShare(row, isPrediction) };
}

/** NaN: none. */
function predictedShare({ share, predicted_share: predicted = NaN }: Row, isPrediction: boolean): number {
  return isPrediction ? share : predicted;
}

interface Row {
  readonly address: string;
  readonly priority: number;
  readonly locality: { readonly region: string; readonly zone: string; readonly sub_zone: string };
  readonly share: number;
  readonly predicted_share?: number;
  readonly weight: number;
  readonly health: 'healthy' | 'degraded' | 'unhealthy';
  readonly truth?: HostTruth;
  readonly load?: number;
}

interface Places {
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
    zones,
    localities: [...localities]
      .filter(([, part]) => Object.values(part).some((name) => name !== ''))
      .map(([name, part]) => ({ name, parts: part })),
    of: (row) => places.get(key(row)),
  };
}
