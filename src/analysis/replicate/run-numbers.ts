import { mapValues } from '../../core/values.js';
import type { ClusterResult, RunResult } from '../../result/run-result.js';

/** Hosts times phases of a cluster beyond which the numbers of phases are left out: nobody reads a million of them. */
const MOST_ROWS = 20_000;

/** What is told besides the numbers, or names other numbers. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['scenario', 'seed', 'version', 'versions', 'input', 'unknown_hosts', 'partial', 'notes', 'events', 'expect'],
  ...['causes', 'happened', 'facts', 'detections', 'priority', 'weight', 'policy', 'every_s'],
]);

/**
 * The numbers of a run, under the names that they have in `lbsim run --json`. `failed_share`, the part of its finished requests that failed (0–1), is added to the totals and to each cluster.
 *
 * @param course with the intervals of the course: runs have the same ones only where their length was asked for.
 */
export function runNumbers(result: RunResult, course = false) {
  const numbers = new Map<string, number>();
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'number') numbers.set(path, value);
    if (typeof value !== 'object' || value === null) return;
    const fields = value as Fields;
    const names = Array.isArray(value) ? entryNames(value) : Object.keys(fields);
    for (const [index, key] of Object.keys(fields).entries()) {
      if (LEFT_OUT.has(key) || (key === 'course' && !course)) continue;
      if (key === 'phases' && isCluster(fields) && fields.hosts.length * fields.phases.length > MOST_ROWS) continue;
      const name = names[index] ?? '';
      add(path === '' ? name : `${path}.${name}`, fields[key]);
    }
  };
  add('', result);
  add('totals.failed_share', failedShare(result.totals));
  for (const [name, cluster] of Object.entries(result.clusters))
    add(`clusters.${name}.failed_share`, failedShare(cluster));
  return {
    /** By name, as `clusters.backend.hosts.10.0.0.1:80.share`; entries of lists go by what they are about, phases by number. */
    numbers: numbers as ReadonlyMap<string, number>,
    /** Names of the hosts of each cluster, as they stand in the names of their numbers. */
    hosts: mapValues(result.clusters, ({ hosts }) => entryNames(hosts)),
    /** What began each phase of each cluster: numbers of phases are of one kind only where these are the same. */
    phases: mapValues(result.clusters, ({ phases }): readonly string[] =>
      phases.map(({ causes }) => JSON.stringify(causes)),
    ),
  };
}

/** null: no request has ended. */
const failedShare = ({ success, failed }: { readonly success: number; readonly failed: number }): number | null =>
  success + failed === 0 ? null : failed / (success + failed);

type Fields = Readonly<Record<string, unknown>>;

/** Of each entry of a list, no two alike. */
export function entryNames(list: readonly unknown[]): readonly string[] {
  const taken = new Set<string>();
  return list.map((entry, index) => {
    let name = entryName(entry) ?? String(index);
    if (taken.has(name)) name = `${name}@${placeOf(entry)}`;
    if (taken.has(name)) name = `${name}#${index}`;
    taken.add(name);
    return name;
  });
}

const isCluster = (fields: Fields): fields is Fields & ClusterResult => 'hosts' in fields && 'phases' in fields;

/** What an entry of a list is about; undefined: only its position tells. */
function entryName(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const fields = entry as Fields;
  for (const key of ['address', 'subset', 'cluster']) if (typeof fields[key] === 'string') return fields[key];
  if (typeof fields['priority'] === 'number') return String(fields['priority']);
  return 'locality' in fields ? localityText(fields['locality']) : undefined;
}

function placeOf(entry: unknown): string {
  const { priority, locality } = entry as Fields;
  return `${String(priority)}/${localityText(locality)}`;
}

function localityText(locality: unknown): string {
  if (typeof locality !== 'object' || locality === null) return 'none';
  const text = Object.values(locality)
    .filter((part) => part !== '')
    .join('/');
  return text === '' ? 'none' : text;
}
