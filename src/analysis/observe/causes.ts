import { fill } from '../../core/fill.js';
import { listed } from '../../core/words.js';
import { groupBy, sum } from '../../core/values.js';
import { leafOf } from '../../hostset/lb-config.js';
import { isTablePolicy } from '../../policy/registry.js';
import { Forecasts } from '../../predict/predict.js';
import type { Scenario } from '../../scenario/model.js';
import { worldOf } from '../../scenario/world-of.js';
import * as changes from './changes.js';
import { countedAs, hostsAmong, type ObservedPart, type ObservedSplit } from './compared.js';
import { type ExpectedCluster, expectedIn } from './expected.js';
import { OBSERVED as WORDS } from './generated/observed.js';
import { lawOf, type Portion } from './law.js';
import { sumOf } from '../../result/expected.js';
import type { Counted, CountedRows } from './seen.js';

/** What would explain what was seen. */
export interface ObservedCause extends changes.Suspicion {
  /** Of the time, or of the requests, 0–1; absent: of all. */
  readonly part?: number;
  /** How likely it makes what was seen, beside the most likely cause, less what each fitted number costs: 0–1. */
  readonly likelihood: number;
  /** It cannot be told apart from the most likely one. */
  readonly tied: boolean;
  /** Counters of the cluster that grew, as they do where it is so. */
  readonly grew: readonly string[];
  readonly says: string;
  /** Where it would be seen. */
  readonly look: string;
}

/** A cluster, what is expected of it, and what it was seen to do. */
export interface Compared extends Pick<Counted, 'answers'> {
  /** Counters of the cluster, at several times. */
  readonly events: Counted['events'];
  readonly name: string;
  readonly own: ExpectedCluster;
  readonly counted: CountedRows;
  /** Hosts that are not configured, and got something. */
  readonly strangers: readonly string[];
  readonly split: ObservedSplit;
  /** How much more than its law says a count varies, where keys are not known. */
  readonly spread: number;
  /** The scenario is a proxy's own files. */
  readonly bare: boolean;
  readonly earlier: Scenario | undefined;
}

/** Hosts, and zones, that are suspected one by one: those that are furthest off. */
const SUSPECTS = 4;
/** With more hosts it would take too long. */
const MOST_HOSTS = 5000;
/** Between logarithms of likelihoods: a factor of 20. Source: Kass and Raftery (1995), Bayes factors, section 3.2. */
const STRONG = 3;
/** A part of the requests that no cause has to explain: a page is not read at one moment. */
const ROUGH = 0.001;
/** Among more hosts it is as much less as their shares are. */
const MANY = 10;
const MOST_WEIGHT = 100_000;

type Kind = changes.Suspicion['kind'];
/** May be so for a part of the time, or of the requests. */
const PASSING = new Set<Kind>([
  ...(['health', 'zone_health', 'hosts_health', 'slow_start', 'panic', 'zone_routing'] as const),
  ...(['no_criteria', 'retried', 'hosts_retried', 'heavy_key'] as const),
]);
/** A number was fitted for them, or their hosts were chosen by what was seen. */
const FITTED = new Set<Kind>(['weight', 'zone_weight', 'workers', 'hosts_health', 'hosts_retried']);

type Shares = ReadonlyMap<string, Portion>;
/** Logarithms of the likelihood: `score` less what fitted numbers cost. */
type Explained = Readonly<{ suspicion: changes.Suspicion; part: number; fit: number; score: number }>;

/**
 * Which other settings, or states of hosts, make what was seen more likely than those that are configured: the most likely first.
 */
export function causesOf(whole: Scenario, compared: Compared): readonly ObservedCause[] {
  const { own, split, name, strangers, answers, counted, earlier } = compared;
  const indexIn = ({ clusters }: Scenario): number => clusters.findIndex((cluster) => cluster.name === name);
  const scenario = withoutOthers(whole, name);
  const index = indexIn(scenario);
  const world = { scenario, settings: worldOf(scenario) };
  const settings = world.settings.clusters[index];
  if (settings === undefined || own.hosts.length > MOST_HOSTS) return [];
  const policy = settings.policies[scenario.proxies[0]?.version ?? '1.40'];
  const leaf = policy && leafOf(policy);
  const normal = sharesOf(own, compared);
  const found: Explained[] = [];
  const after = ({ change }: changes.Candidate): Shares | undefined => {
    const other = change(world);
    const prediction = new Forecasts(other.scenario, other.settings).predictionOf(indexIn(other.scenario));
    const expected = prediction && expectedIn(prediction);
    return expected && sharesOf(expected, compared);
  };
  const tried = (suspicion: changes.Suspicion, other: Shares | undefined): void => {
    if (other !== undefined) found.push(explained(suspicion, normal, other, compared));
  };
  const put = ({ change, ...suspicion }: changes.Candidate): void => tried(suspicion, after({ ...suspicion, change }));
  const configured = score(normal, compared);
  const better = (): readonly Explained[] => found.filter((one) => one.score > configured + STRONG);

  if (earlier !== undefined)
    put({ kind: 'earlier', change: () => ({ scenario: earlier, settings: worldOf(earlier) }) });
  if (strangers.length > 0) {
    const added: Explained = { ...ALL, suspicion: { kind: 'added', of: listed(strangers) } };
    return rankedAmong(better().length > 0 ? better() : [added], compared);
  }
  const off = split.parts.filter(({ verdict }) => verdict !== 'as_expected').sort((a, b) => offBy(b) - offBy(a));
  const ofKind = (kind: ObservedPart['of']): readonly ObservedPart[] => off.filter(({ of }) => of === kind);
  const hosts = own.hosts.filter((host) => normal.has(countedAs(host, counted)));
  const zones = groupBy(hosts, ({ locality }) => locality.zone);
  for (const part of ofKind('host').slice(0, SUSPECTS)) {
    const host = hosts.find(({ address }) => address === part.name);
    if (host === undefined) continue;
    const of = host.address;
    changes.ofHost(host, leaf?.slowStart !== undefined).forEach(put);
    const weighted = (weight: number): changes.Candidate => changes.weightOf(of, host.weight, weight);
    put(weighted(fitted(part, host.weight, (weight) => after(weighted(weight))?.get(of)?.share)));
    if (answers) tried({ kind: 'retried', of }, without([of], normal));
    const alone = hosts.map(({ address }) => [address, { ...NONE, share: Number(address === of) }] as const);
    if (leaf !== undefined && isTablePolicy(leaf.lbPolicy)) tried({ kind: 'heavy_key', of }, new Map(alone));
  }
  for (const part of ofKind('zone').slice(0, SUSPECTS)) {
    const zone = [...zones.keys()].find((one) => part.name.split('/').includes(one)) ?? '';
    const inside = zones.get(zone) ?? [];
    const rows = [...new Set(inside.map((host) => countedAs(host, counted)))];
    const addresses = inside.map(({ address }) => address);
    put(changes.outOf(addresses, zone));
    const configured = changes.zoneWeightIn(world, settings, zone);
    const weighted = (weight: number): changes.Candidate => changes.zoneWeightOf(zone, configured, weight);
    const shareAt = (weight: number): number => {
      const shares = after(weighted(weight));
      return sum(rows.map((row) => shares?.get(row)?.share ?? 0));
    };
    put(weighted(fitted(part, configured, shareAt)));
  }
  const fewer = ofKind('host').flatMap(({ name: one, verdict }) => (verdict === 'fewer' ? [one] : []));
  if (fewer.length > 1 && fewer.length < hosts.length) {
    put(changes.outOf(fewer));
    if (answers) tried({ kind: 'hosts_retried', of: listed(fewer) }, without(fewer, normal));
  }
  changes.ofCluster(world, settings, [...zones.keys()]).forEach(put);
  return rankedAmong(better(), compared);
}

/** Without the clusters that have no part in what it gets: in a mesh they would take all the time. */
function withoutOthers(scenario: Scenario, name: string): Scenario {
  const { clusters, workloads, proxies, timeline, requests } = scenario;
  const own = workloads.filter(({ route }) => route.some(({ cluster }) => cluster === name));
  const copies = workloads.flatMap(({ requestMirrorPolicies = [] }) => requestMirrorPolicies);
  const isApart = own.length > 0 && timeline.length + requests.length + copies.length === 0;
  if (!isApart || clusters.some(({ clusterType }) => clusterType !== undefined)) return scenario;
  const routed = own.flatMap(({ route }) => route.map(({ cluster }) => cluster));
  const kept = [...routed, ...proxies.map(({ localClusterName }) => localClusterName)];
  return { ...scenario, workloads: own, clusters: clusters.filter((one) => kept.includes(one.name)) };
}

export const offBy = ({ seen, expected }: ObservedPart): number => Math.abs(seen - expected);

const NONE: Portion = { share: 0, variance: 0, granularity: 0 };
const ALL = { part: 1, fit: 0, score: 0 };

/** What others get where these hosts answer nothing. */
function without(hosts: readonly string[], normal: Shares): Shares {
  const rest = [...normal].filter(([address]) => !hosts.includes(address));
  const whole = sum(rest.map(([, { share }]) => share));
  return new Map(rest.map(([address, portion]) => [address, { ...portion, share: portion.share / whole }]));
}

/** The weight that gives so much, by the odds. */
function fitted({ seen }: ObservedPart, configured: number, shareAt: (weight: number) => number | undefined): number {
  let weight = configured;
  for (let round = 0; round < 3; round++) {
    const share = shareAt(weight) ?? 0;
    const next = Math.round((weight * seen * (1 - share)) / (share * (1 - seen)));
    if (!Number.isFinite(next) || next === weight) break;
    weight = Math.min(MOST_WEIGHT, Math.max(1, next));
  }
  return weight;
}

/** By row of what was counted: of each host, or of each zone. */
function sharesOf(own: ExpectedCluster, { counted, bare }: Compared): Shares {
  const rows = groupBy(hostsAmong(own, counted, bare), (host) =>
    countedAs({ ...host, address: host.address.replace(changes.AGAIN, '') }, counted),
  );
  return new Map(
    [...rows].map(([row, same]) => [row, { ...(same[1] ? sumOf(same) : (same[0] ?? NONE)), error: own.error }]),
  );
}

/** The likelihood of normal counts, each by itself: as they add up, one of them says nothing. */
function score(shares: Shares, { counted, split: { requests }, spread }: Compared): number {
  const names = [...new Set([...shares.keys(), ...counted.keys()])];
  const rough = ROUGH * requests * Math.min(1, MANY / names.length);
  const all = names.flatMap((name) => {
    const { isUnsteady = false, requests: count = 0 } = counted.get(name) ?? {};
    const { variance, share, error } = lawOf(shares.get(name) ?? NONE, requests);
    const wide = variance * spread + error ** 2 + rough ** 2 + 0.25;
    return isUnsteady ? [] : [(count - requests * share) ** 2 / wide + Math.log(wide)];
  });
  return (-sum(all) / 2) * (1 - 1 / all.length);
}

/** With the part of the time that makes what was seen most likely. */
function explained(suspicion: changes.Suspicion, normal: Shares, other: Shares, compared: Compared): Explained {
  const names = [...new Set([...normal.keys(), ...other.keys()])];
  // Source of what a fitted number costs: Schwarz (1978), Estimating the dimension of a model.
  const cost = Math.log(compared.split.requests) / 2;
  const at = (part: number): Explained => {
    const of = (name: string): Portion => mixed(normal.get(name) ?? NONE, other.get(name) ?? NONE, part);
    const fit = score(new Map(names.map((name) => [name, of(name)])), compared) + evidence(suspicion, part, compared);
    return { suspicion, part, fit, score: fit - (Number(FITTED.has(suspicion.kind)) + Number(part < 1)) * cost };
  };
  const best = (parts: readonly number[]): Explained =>
    parts.map(at).reduce((most, one) => (one.score > most.score ? one : most));
  if (!PASSING.has(suspicion.kind)) return at(1);
  const rough = best(STEPS.map((step) => step / STEPS.length));
  const near = STEPS.map((step) => rough.part + (2 * step) / STEPS.length ** 2 - 1 / STEPS.length);
  return best([rough.part, ...near.filter((part) => part > 0 && part < 1)]);
}

const STEPS = Array.from({ length: 40 }, (_, step) => step + 1);

const COUNTERS = new Map<string, readonly string[]>(Object.entries(WORDS.counters));

/** @returns undefined where no page tells. */
function hasGrown(counter: string, events: Counted['events']): boolean | undefined {
  const values = events.flatMap(({ name, value }) => (name === counter ? value : []));
  return values.length === 0 ? undefined : Math.max(...values) > (values.length > 1 ? Math.min(...values) : 0);
}

/** What pages say of the host itself, and of the cluster. */
function evidence({ kind, of = '', is }: changes.Suspicion, part: number, { counted, events }: Compared): number {
  const { weight, healths = [] } = counted.get(of) ?? {};
  if (kind === 'weight' && weight !== undefined) return weight === is ? STRONG : -Infinity;
  if (kind === 'equal_weights' && [...counted.values()].some((row) => (row.weight ?? 1) > 1)) return -Infinity;
  const known = (COUNTERS.get(kind) ?? []).flatMap((counter) => hasGrown(counter, events) ?? []);
  const grew = known.includes(true);
  // Routing by zone may be off where no gate counts. Without panic, and with zones, counters stay as they are.
  if (grew || (known.length > 0 && kind !== 'zone_routing'))
    return grew === (is !== 0 && is !== 'on') ? STRONG : -2 * STRONG;
  if (kind !== 'health' || healths.length === 0) return 0;
  // Hosts are healthy mostly, so that a page on which they are tells little.
  if (healths.includes(String(is))) return is === 'healthy' ? 0 : STRONG;
  // Each page would have shown it with a chance of `part`.
  return Math.max(-2 * STRONG, healths.length * Math.log(1 - part));
}

const mixed = (one: Portion, other: Portion, part: number): Portion => ({
  share: (1 - part) * one.share + part * other.share,
  variance: (1 - part) * one.variance + part * other.variance,
  granularity: Math.hypot(part < 1 ? one.granularity : 0, other.granularity),
  error: Math.max(one.error ?? 0, other.error ?? 0),
});

/** Of one kind, and one host or zone, the best. */
function rankedAmong(found: readonly Explained[], { events }: Compared): readonly ObservedCause[] {
  const ranked = [...found].sort((a, b) => Math.round(b.score) - Math.round(a.score));
  const [best = ALL] = ranked;
  const causeOf = ({ suspicion, part, fit, score: own }: Explained): ObservedCause => {
    const counters = COUNTERS.get(suspicion.kind) ?? [];
    const grew = counters.filter((counter) => hasGrown(counter, events) === true);
    const cause = { ...suspicion, ...(part < 1 && { part }), grew };
    const look = fill(WORDS.causes[suspicion.kind].look, { counters });
    const likelihood = Math.min(1, Math.exp(own - best.score));
    return { ...cause, likelihood, tied: fit >= best.fit - STRONG, says: saysOf(cause), look };
  };
  const kinds = groupBy(ranked, ({ suspicion: { kind, of } }) => `${kind} ${of}`);
  return [...kinds.values()].flatMap((same) => same.slice(0, 1).map(causeOf));
}

/** @param known the host that the sentence is about. */
export function saysOf(cause: changes.Suspicion & Partial<Pick<ObservedCause, 'grew'>>, known?: string): string {
  const { kind, of } = cause;
  const names = of === known ? { who: 'it', whose: 'its weight' } : { who: of, whose: `the weight of ${of}` };
  return fill(WORDS.causes[kind].says, { ...cause, ...names }) + fill(WORDS.grew, cause);
}
