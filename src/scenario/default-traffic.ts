import type { Cluster } from '../config/cluster.js';
import type { KeyDistribution } from './model.js';
import { PLAIN_REQUEST } from './request-fields.js';
import type { WrittenWorkload } from './workload.js';

const PER_SECOND = 1000;
/** To all clusters together: of very many, each gets less, so that an answer takes no longer. */
const ALL_PER_SECOND = 10_000;
const STOP_US = 10_000_000;
/** 10,000 requests are expected; a Poisson stream never comes near twice as many, so no key comes twice. */
const DISTINCT_KEYS: KeyDistribution = { kind: 'sequence', keys: 20_000, prefix: 'key-' };

/**
 * What is sent when a file says nothing of traffic, and the sentence that tells so.
 *
 * @param of how many clusters there are.
 */
export function defaultTraffic(
  clusters: readonly Cluster[],
  of: number,
): {
  readonly workloads: readonly WrittenWorkload[];
  readonly note: string;
} {
  const perSecond = Math.max(1, Math.min(PER_SECOND, Math.floor(ALL_PER_SECOND / clusters.length)));
  const workloads = clusters.map((cluster): WrittenWorkload => ({
    ...PLAIN_REQUEST,
    name: cluster.name,
    routed: false,
    route: [{ cluster: cluster.name, weight: 1, metadataMatch: undefined }],
    arrivals: { kind: 'poisson', perSecond },
    startUs: 0,
    stopUs: STOP_US,
    hashKey: hashed(cluster) ? DISTINCT_KEYS : undefined,
    routeHash: true,
    proxies: undefined,
  }));
  const [only, ...more] = clusters;
  const each = clusters.length < of ? 'each cluster with hosts' : 'each cluster';
  const where = only !== undefined && more.length === 0 ? only.name : each;
  const keys = clusters.some(hashed) ? ', every request with a key of its own' : '';
  return { workloads, note: `no workloads given: ${perSecond}/s for 10 s to ${where}${keys}` };
}

/** One note for each workload that gives a hash policy nothing to hash, on what happens then. */
export function keylessNotes(clusters: readonly Cluster[], workloads: readonly WrittenWorkload[]): readonly string[] {
  const tables = new Set(clusters.filter(hashed).map(({ name }) => name));
  return workloads.flatMap(({ name, route, hashKey }) => {
    const reached = hashKey === undefined ? route.filter(({ cluster }) => tables.has(cluster)) : [];
    if (reached.length === 0) return [];
    const where = reached.map(({ cluster }) => cluster).join(', ');
    return [`${name} has no hash_key: each of its requests takes a random place in the table of ${where}`];
  });
}

function hashed({ lbPolicy }: Cluster): boolean {
  return lbPolicy === 'RING_HASH' || lbPolicy === 'MAGLEV';
}
