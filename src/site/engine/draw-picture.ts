import * as lbsim from '../../index.js';
import type { PhaseHostResult } from '../../result/run-result.js';
import { type HostPicture, HEALTH_NAMES } from './picture.js';
import { hostId, TRUTHS } from '../../result/phases.js';

/** The data of the page, cheap to send: numbers by host are in typed arrays. Of a prediction counts are 0 or empty. */
export type RunPicture = Readonly<ReturnType<typeof pictureOf>>;

export type ClusterPicture = Readonly<ReturnType<typeof clusterPicture>>;

export type PhasePicture = Readonly<ReturnType<typeof phasePicture>>;

type Drawn = lbsim.RunResult | lbsim.Prediction;

/** @param result of a run, or a prediction, which is drawn as a run is. */
export function pictureOf(result: Drawn, scenario: lbsim.Scenario, answer: readonly string[], elapsedMs?: number) {
  const counted = 'totals' in result ? result : undefined;
  return {
    policies: lbsim.LB_POLICIES,
    clients: clientsOf(scenario),
    proxies: scenario.proxies.map(({ name, count, version }) => ({ name, count, version })),
    scenario: result.scenario,
    description: scenario.description,
    /** Empty: none, of a prediction. */
    seed: counted?.seed ?? '',
    versions: result.versions ?? [result.version],
    durationS: result.duration_s,
    /** It was interrupted. */
    partial: counted?.partial === true,
    /** In sentences, in order. */
    answer,
    requests: counted?.totals.requests ?? 0,
    noun: Object.values<AnyCluster>(result.clusters).every(({ over_tcp }) => over_tcp) ? 'connections' : 'requests',
    clusters: clusterPictures(result, scenario),
    events: counted?.events ?? [],
    eventsOmitted: counted?.events_omitted ?? 0,
    expect: counted?.expect ?? [],
    notes: [...(result.input ?? []), ...result.notes],
    /** Wall time of the run; undefined: not told. */
    elapsedMs,
  };
}

/** The senders, on the left of the flow. */
function clientsOf({ workloads, requests }: lbsim.Scenario) {
  const single = [...new Set(requests.map(({ cluster }) => cluster))];
  return [
    ...workloads.map(({ name, route, arrivals }) => ({
      name,
      /** undefined: the rate is no single number, or follows from answers. */
      perSecond: 'perSecond' in arrivals ? arrivals.perSecond : undefined,
      clusters: route.map(({ cluster }) => cluster),
    })),
    ...(single.length === 0 ? [] : [{ name: 'requests', perSecond: undefined, clusters: single }]),
  ];
}

type AnyCluster = lbsim.ClusterResult | lbsim.ClusterPrediction;

export const clusterPictures = (result: Drawn, scenario: lbsim.Scenario): readonly ClusterPicture[] =>
  Object.entries<AnyCluster>(result.clusters).map(([name, cluster]) => {
    const windowUs = lbsim.mergeWindowUs(scenario, name);
    const waits = 'events' in result && windowUs !== undefined ? waitsOf(result, name, windowUs) : [];
    return clusterPicture(name, cluster, lbsim.panicThresholdOf(scenario, name), waits);
  });

function clusterPicture(name: string, cluster: AnyCluster, panicThreshold = NaN, waits: ReturnType<typeof waitsOf>) {
  const { policy, requests, phases, no_host: noHost } = cluster;
  const counted = 'failures' in cluster ? cluster : undefined;
  const rows = 'failures' in cluster ? cluster.hosts : mostRows(cluster);
  const places = placesOf(rows);
  return {
    name,
    policy,
    requests: requests ?? NaN,
    /** 0–1. */
    noHost: noHost?.share ?? 0,
    failed: counted?.failed ?? 0,
    hosts: rows.map((host, index) => hostPicture(host, places.zones[index] ?? '', counted === undefined)),
    /** Of its hosts, each once, without that which has no name. */
    localities: places.localities,
    phases: phases.map((phase) => phasePicture(phase, places)),
    course: counted?.course,
    /** Of an aggregate: its attempts by member. */
    members: counted?.members ?? [],
    subsets: counted?.subsets ?? [],
    waits,
    /** In percent. */
    panicThreshold,
    /** undefined: neither proxies nor hosts are in several places. */
    fleet: counted?.fleet,
    /** Why there is no prediction; empty: there is one. */
    whyNot: [cluster, ...phases].map((one) => ('why_not' in one ? one.why_not : undefined)).find(Boolean) ?? '',
  };
}

/** Without a prediction of the whole, phases may have the hosts. */
const mostRows = ({ hosts, phases }: Pick<lbsim.ClusterPrediction, 'hosts' | 'phases'>): readonly Row[] =>
  phases.reduce<readonly Row[]>((most, phase) => (phase.hosts.length > most.length ? phase.hosts : most), hosts);

function phasePicture(phase: lbsim.PhaseResult | lbsim.PredictedPhase, { zones: { length }, of }: Places) {
  const { from_s: fromS, to_s: toS, cause, reasons, requests, no_host: noHost } = phase;
  const counted = 'failures' in phase ? phase : undefined;
  const { labels = [], priorities = [], members = [], failed = 0 } = counted ?? {};
  const byHost = {
    /** Of a prediction the same as `predicted`. */
    shares: new Float32Array(length),
    /** NaN: none. */
    predicted: new Float32Array(length).fill(NaN),
    /** Indices into {@link HEALTH_NAMES}. */
    health: new Uint8Array(length),
    /** Indices into {@link TRUTHS}. */
    truth: new Uint8Array(length),
    /** What it gets of what it can serve; NaN: it can serve any number, or that is not known. */
    load: new Float32Array(length).fill(NaN),
    weights: new Float32Array(length),
  };
  const rows: Iterable<Row> = counted === undefined ? phase.hosts : lbsim.hostsOf(counted);
  for (const row of rows) {
    const place = of(row);
    if (place === undefined) continue;
    byHost.shares[place] = row.share;
    byHost.predicted[place] = predictedShare(row, counted === undefined);
    byHost.health[place] = HEALTH_NAMES.indexOf(row.health);
    byHost.truth[place] = TRUTHS.indexOf(row.truth);
    byHost.load[place] = row.load ?? NaN;
    byHost.weights[place] = row.weight;
  }
  return {
    ...{ fromS, toS, cause, reasons, labels, priorities, members, failed, ...byHost },
    /** NaN: it depends on the run. */
    requests: requests ?? NaN,
    /** 0–1. */
    noHost: noHost?.share ?? 0,
  };
}

/** What waited for the merge window of a cluster: an update arms a timer of a whole window, and goes out with it. */
function waitsOf({ events }: lbsim.RunResult, name: string, windowUs: number) {
  const windowS = windowUs / 1e6;
  const deliveries = events.filter(({ kind, cluster }) => kind === 'delivery' && cluster === name);
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
const predictedShare = ({ share, predicted_share: predicted = NaN }: Row, isPrediction: boolean): number =>
  isPrediction ? share : predicted;

type RowParts = 'address' | 'priority' | 'locality' | 'share' | 'weight' | 'health';
type Row = Pick<PhaseHostResult, RowParts> & Partial<Pick<PhaseHostResult, 'predicted_share' | 'truth' | 'load'>>;

type Places = ReturnType<typeof placesOf>;

function placesOf(rows: readonly Row[]) {
  const parts = lbsim.localityParts(rows.map(({ locality }) => locality));
  const places = new Map(rows.map((row, index) => [hostId(row), index]));
  const zones = rows.map(({ locality }) => lbsim.localityName(locality, parts));
  const localities = new Map(
    rows.map(({ locality: { region, zone, sub_zone: subZone } }, index) => [
      zones[index] ?? '',
      { ...(parts.region && { region }), ...(parts.zone && { zone }), ...(parts.subZone && { sub_zone: subZone }) },
    ]),
  );
  return {
    zones,
    localities: [...localities]
      .filter(([, part]) => Object.values(part).some((name) => name !== ''))
      .map(([name, part]) => ({ name, parts: part })),
    of: (row: Row) => places.get(hostId(row)),
  };
}
