import { type Cluster, statName } from '../../config/cluster/cluster.js';
import { fill, type Sentence } from '../../core/fill.js';
import { freeName, groupBy, sum } from '../../core/values.js';
import { type Micros, MICROS_PER_SECOND, microsToSeconds } from '../../core/units.js';
import { shortSeconds } from '../../core/words.js';
import { aggregated, discoveryType } from '../../config/cluster/cluster-shape.js';
import { typedHttpOptions } from '../../config/cluster/http-options.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import { ORIGINS } from '../generated/origins.js';
import { FORMS } from '../input/generated/forms.js';
import type { Rates } from '../input/rates.js';
import type { FileRoute } from '../input/routes.js';
import type { KeyDistribution } from '../../settings/world.js';
import type { Origin } from '../model.js';
import { PLAIN_REQUEST } from '../fields/retry-policy.js';
import { USUAL_TRAFFIC } from './generated/usual-traffic.js';
import { withMatch, type WrittenWorkload } from '../fields/workload.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';

/** Of traffic as it was counted: with neither too many nor too few requests, in seconds. */
export function durationOf(perSecond: number): number {
  const most = Math.floor(USUAL_TRAFFIC.most_requests / perSecond);
  const least = Math.ceil(USUAL_TRAFFIC.least_requests / perSecond);
  return Math.max(1, Math.min(most, Math.max(USUAL_TRAFFIC.counted_s, Math.min(least, USUAL_TRAFFIC.most_s))));
}

const distinctKeys = (keys: number): KeyDistribution => ({ kind: 'sequence', keys, prefix: 'key-' });
const COUNTED_KEYS = distinctKeys(USUAL_TRAFFIC.most_requests);

export interface DefaultTraffic extends Pick<Origin, 'hashNotes' | 'hashPolicies' | 'routeNotes'> {
  readonly workloads: readonly WrittenWorkload[];
  readonly notes: readonly string[];
  /** Sentences on the routes of the files, for the first lines; empty: there are none. */
  readonly says: readonly string[];
  /** Clusters of those routes that are in no file: their part of the requests fails, as at a proxy that does not know them. */
  readonly absent: readonly string[];
}

export interface Targets {
  /** Worth sending to. */
  readonly reachable: readonly Cluster[];
  /** Their hosts are known, if only to be none. */
  readonly withHosts: readonly Cluster[];
  readonly all: readonly Cluster[];
  /** Which the proxy needs for itself, and for what: they get no requests, unless they are all that there is. */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Requests as the routes of the files send them, and to each cluster that no route leads to.
 * @param durationUs of the run, which they last as long as; undefined: they say themselves how long.
 */
export function defaultTraffic(
  targets: Targets,
  routes: readonly FileRoute[],
  durationUs: Micros | undefined,
  rates: Rates | undefined,
): DefaultTraffic {
  const { reachable, all } = targets;
  const { found, absent, unsent, ownMatter, lacking, mirrors } = usable(routes, targets);
  const routed = new Set(found.flatMap(({ clusters }) => clusters.map(({ cluster }) => cluster)));
  const inside = new Set(reachable.flatMap((cluster) => aggregated(cluster) ?? []));
  const isPassedOnTo = (cluster: Cluster): boolean => aggregated(cluster) === undefined && inside.has(cluster.name);
  // Members of aggregates get traffic from those, and who gets copies has no requests of its own.
  const free = reachable.filter((one) => !routed.has(one.name) && !mirrors.has(one.name) && !isPassedOnTo(one));
  const users = free.filter(({ name }) => !targets.own.has(name));
  const plain = users.length + found.length > 0 ? users : free;
  const hashed = hashing(all);
  const hashThemselves = all.filter((one) => (typedHttpOptions(one)?.hashPolicy ?? []).length > 0);
  const ownHash = new Set(hashThemselves.map(({ name }) => name));
  const count = found.length + plain.length;
  const shared = count > USUAL_TRAFFIC.many ? USUAL_TRAFFIC.many_per_second : USUAL_TRAFFIC.all_per_second;
  const stopUs = durationUs ?? USUAL_TRAFFIC.lasts_us;
  const seconds = microsToSeconds(stopUs);
  const most = Math.min(USUAL_TRAFFIC.per_second, shared / count, USUAL_TRAFFIC.most_requests / seconds / count);
  const perSecond = Math.max(1, Math.floor(most));
  // A Poisson stream never reaches twice as many as are expected, so no key is used twice.
  const keys = distinctKeys(2 * USUAL_TRAFFIC.per_second * Math.max(10, Math.ceil(seconds)));
  const arrivals = { kind: 'poisson', perSecond } as const;
  const common = { ...PLAIN_REQUEST, arrivals, startUs: 0, stopUs, routeHash: true };
  const made = [
    ...found.map(({ name, clusters, metadataMatch, hashPolicy, request }): WrittenWorkload => ({
      ...common,
      ...request,
      name,
      routed: clusters.length > 1,
      route: withMatch(clusters, metadataMatch),
      metadataMatch,
      hashKey: hashPolicy.length > 0 || clusters.some(({ cluster }) => ownHash.has(cluster)) ? keys : undefined,
    })),
    ...plain.map((cluster): WrittenWorkload => ({
      ...common,
      name: cluster.name,
      routed: false,
      route: [{ cluster: cluster.name, weight: 1 }],
      hashKey: hashed(cluster) ? keys : undefined,
    })),
  ];
  const workloads = rates === undefined ? made : asCounted(made, all, rates, durationUs);
  const hashNotes = hashNotesOf(found, new Set(all.filter(hashed).map(({ name }) => name)));
  const asked = new Set(found.flatMap(({ request }) => (request.tcp === undefined ? Object.keys(request) : ['tcp'])));
  const parts = Object.entries(FORMS.requestWords).flatMap(([key, field]) => (asked.has(key) ? [field] : []));
  const own = all.filter(({ name }) => ownMatter.has(name));
  const needed = plain === users ? free.filter((one) => !plain.includes(one)) : [];
  const where = [...(found.length === 0 ? [] : ['each of these routes']), ...plainWords(plain, all, routed)];
  const values = {
    found,
    fields: ['weights', 'metadata_match', 'hash_policy', ...parts],
    absent: [...absent],
    unsent: [...unsent],
    lacking: [...lacking],
    copied: reachable.filter(({ name }) => mirrors.has(name) && !routed.has(name)).map(({ name }) => name),
    needs: needed.map(({ name }) => `${name} (${targets.own.get(name) ?? ''})`),
    isKeyed: workloads.some(({ hashKey }) => hashKey !== undefined),
    isCounted: rates !== undefined,
    over: rates && shortSeconds(rates.seconds),
    perSecond,
    seconds,
    where: where.join(' and to '),
  };
  const unsentNotes = [
    ...told(WORDS.unsent, values),
    ...own.flatMap(({ name, clusterType: type }) =>
      told(WORDS.own, { name, isTyped: type !== undefined, type: type?.name }),
    ),
    ...told(WORDS.copied, values),
    ...told(WORDS.spared, values),
  ];
  const routeNotes = [...hashNotes.values(), ...told(WORDS.absent, values)];
  return {
    workloads,
    notes: [...told(WORDS.given, values), ...routeNotes],
    says: [
      ...told(WORDS.follows, values),
      ...weightedSentences(found),
      ...told(WORDS.rewritten, {
        rewriting: found.flatMap(({ name, rewritten }) => rewritten.map((thing) => `${thing} (${name})`)),
      }),
      ...unsentNotes,
    ],
    absent: [...absent],
    // Of a file the API's own words are told; this is for a scenario that is written of the routes.
    routeNotes: [...unsentNotes, ...routeNotes, ...told(WORDS.lacking, values)],
    hashNotes,
    hashPolicies: new Map(found.map(({ name, hashPolicy }) => [name, hashPolicy])),
  };
}

const WORDS = ORIGINS.traffic;

/** Nothing where a sentence is empty. */
const told = (sentence: Sentence, values: object): readonly string[] =>
  [fill(sentence, values)].filter((text) => text !== '');

/** Whose counters tell of the requests to each cluster: members of an aggregate count what it alone passes on. */
export function countedBy(clusters: readonly Cluster[], asked: ReadonlySet<string>) {
  const aggregates = clusters.filter((cluster) => aggregated(cluster) !== undefined && asked.has(cluster.name));
  return groupBy(clusters, (cluster) => {
    const [only, ...others] = aggregates.filter((one) => aggregated(one)?.includes(cluster.name) === true);
    return asked.has(cluster.name) || only === undefined || others.length > 0 ? cluster : only;
  });
}

/** What was counted for each cluster, in equal parts for the ways that lead there. */
function asCounted(
  made: readonly WrittenWorkload[],
  clusters: readonly Cluster[],
  { clusters: counted }: Rates,
  durationUs: Micros | undefined,
): WrittenWorkload[] {
  const asked = new Set(made.flatMap(({ route }) => route.map(({ cluster }) => cluster)));
  const sent = [...countedBy(clusters, asked)].flatMap(([cluster, counting]) => {
    const ways = made.flatMap(({ name: _, ...way }) => {
      const hashKey = way.hashKey && (way.useHashPolicy || readsKeys(cluster)) ? COUNTED_KEYS : undefined;
      const own = way.route.filter((entry) => entry.cluster === cluster.name);
      return own.map((entry) => ({ ...way, route: [{ ...entry, weight: 1 }], routed: false, hashKey }));
    });
    const alike = new Map(ways.map((way) => [JSON.stringify(way), way]));
    const perSecond = sum(counting.map((one) => counted.get(statName(one))?.perSecond ?? 0)) / alike.size;
    return [...alike.values()].map((way, index) => {
      return { ...way, name: index === 0 ? cluster.name : `${cluster.name}-${index + 1}`, perSecond };
    });
  });
  const busy = sent.filter(({ perSecond }) => perSecond > 0);
  const stopUs = durationUs ?? durationOf(sum(busy.map(({ perSecond }) => perSecond))) * MICROS_PER_SECOND;
  return busy.map(({ perSecond, ...way }) => ({ ...way, arrivals: { kind: 'poisson', perSecond }, stopUs }));
}

/** Where a key makes no difference, none is sent. */
export const readsKeys = (cluster: Cluster): boolean =>
  factsOf(lbPolicyOf(cluster))?.kind !== 'list' || cluster.loadBalancingPolicy !== undefined;

/** @param tables clusters that look keys up. */
function hashNotesOf(routes: readonly FileRoute[], tables: ReadonlySet<string>): ReadonlyMap<string, string> {
  const meant = routes.filter(({ clusters }) => clusters.some(({ cluster }) => tables.has(cluster)));
  return new Map(
    meant.flatMap(({ name, hashedTogether: things }) =>
      told(WORDS.together, { name, things }).map((text) => [name, text] as const),
    ),
  );
}

/** More routes are too many for the first lines. */
const WEIGHTED_TOLD = 4;

function weightedSentences(routes: readonly FileRoute[]): readonly string[] {
  const weighted = routes.filter(({ clusters, written = clusters }) => written.length > 1);
  if (weighted.length > WEIGHTED_TOLD) return [];
  return weighted.map(({ name, clusters, written = clusters }) => {
    const total = sum(written.map(({ weight }) => weight));
    const parts = written.map(
      ({ cluster, weight }) => `${Number(((100 * weight) / total).toFixed(1))} % to ${cluster}`,
    );
    const sent = written.filter(({ weight }) => weight > 0);
    const kept = new Set(clusters.map(({ cluster }) => cluster));
    const isWhole = sent.every(({ cluster }) => kept.has(cluster));
    const who = routes.length === 1 ? 'the route' : name;
    return fill(WORDS.weighted, { who, parts, kept: isWhole ? [] : [...kept] });
  });
}

function plainWords(plain: readonly Cluster[], all: readonly Cluster[], routed: ReadonlySet<string>): string[] {
  const [only, ...more] = plain;
  if (only === undefined) return [];
  if (more.length === 0) return [only.name];
  if (routed.size > 0) return ['each other cluster with hosts'];
  return [plain.length < all.length ? 'each cluster with hosts' : 'each cluster'];
}

/** Routes to reachable clusters, one for each distinct way of balancing, however many prefixes use it. */
function usable(routes: readonly FileRoute[], { reachable, withHosts, all }: Targets) {
  const names = new Set(all.map(({ name }) => name));
  const known = new Set(withHosts.map(({ name }) => name));
  const open = new Set(reachable.map(({ name }) => name));
  const absent = new Set<string>();
  /** Such clusters of routes that lead nowhere else: probably files are missing. */
  const unsent = new Set<string>();
  /** Clusters of such routes that find their hosts themselves, or by the requests. */
  const ownMatter = new Set<string>();
  const finders = new Set(all.filter(findsHosts).map(({ name }) => name));
  const lacking = new Set<string>();
  const mirrors = new Set<string>();
  const ways = new Map<string, FileRoute>();
  const taken = new Set<string>();
  for (const route of routes) {
    const strangers = route.clusters.filter(({ cluster, weight }) => weight > 0 && !names.has(cluster));
    const isFollowed = route.clusters.some(
      ({ cluster, weight }) => weight > 0 && open.has(cluster) && known.has(cluster),
    );
    for (const { cluster } of strangers) (isFollowed ? absent : unsent).add(cluster);
    if (!isFollowed) {
      for (const { cluster } of route.clusters) if (finders.has(cluster) && !open.has(cluster)) ownMatter.add(cluster);
      continue;
    }
    for (const field of route.lacking) lacking.add(field);
    for (const { cluster } of route.request.requestMirrorPolicies ?? []) mirrors.add(cluster);
    // A cluster known to have no hosts fails its part of the requests, and so does one that is not there, as in production.
    const clusters = route.clusters.filter((one) => known.has(one.cluster) || strangers.includes(one));
    const key = JSON.stringify([clusters, route.metadataMatch, route.hashPolicy.length > 0, route.request]);
    if (ways.has(key)) continue;
    ways.set(key, { written: route.clusters, ...route, clusters, name: freeName(route.name, taken) });
  }
  return { found: [...ways.values()], absent, unsent, ownMatter, lacking, mirrors };
}

function findsHosts(cluster: Cluster): boolean {
  const type = discoveryType(cluster);
  return type === undefined || type === 'ORIGINAL_DST';
}

/** A note for each workload that gives a hash policy nothing to hash. @param word the field that would give a hash. */
export function keylessNotes(
  clusters: readonly Cluster[],
  workloads: readonly WrittenWorkload[],
  word: 'hash_key' | 'hash_policy',
): readonly string[] {
  const hashed = clusters.filter(hashing(clusters));
  const without = hashed.filter((one) => typedHttpOptions(one)?.hashPolicy === undefined);
  const tables = new Set(without.map(({ name }) => name));
  return workloads.flatMap(({ name, route, hashKey, hashPolicy, tcp }) => {
    const isKeyed = (hashKey ?? hashPolicy) !== undefined;
    const reached = route.flatMap(({ cluster }) => (!isKeyed && tables.has(cluster) ? [cluster] : []));
    return told(WORDS.keyless, { name, word, reached, over_tcp: tcp !== undefined });
  });
}

/** Whether a cluster uses hashes: by its policy, or as an aggregate of one that does. */
function hashing(clusters: readonly Cluster[]): (cluster: Cluster) => boolean {
  const own = (cluster: Cluster): boolean => isTablePolicy(lbPolicyOf(cluster));
  const names = new Set(clusters.filter(own).map(({ name }) => name));
  return (cluster) => own(cluster) || (aggregated(cluster) ?? []).some((name) => names.has(name));
}
