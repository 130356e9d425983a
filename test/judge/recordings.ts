import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ObserveOptions } from '../../src/analysis/generated/options.js';
import { observe, type Observation } from '../../src/analysis/observe/observe.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { clustersAsked } from '../../src/settings/world.js';
import { Fields } from '../conformance/fields.js';
import { readRecording } from '../conformance/proxy/recording.js';

/** What hosts of one cluster got from a real proxy, with the scenario that it was given. */
export interface Recorded {
  readonly name: string;
  readonly scenario: unknown;
  readonly cluster: string;
  /** Attempts. */
  readonly counts: ReadonlyMap<string, number>;
  /** Requests whose last answer a host gave. */
  readonly answers: ReadonlyMap<string, number>;
}

const SHARED = new URL('../../../shared/', import.meta.url);
const FOLDERS = ['conformance/proxy', 'recorded/v3', 'recorded/v3-only', 'recorded/late'];

/**
 * Recordings of splits of one cluster, of at least so many requests; none where they are not at hand. What several users do between
 * answers was not recorded.
 */
export function recordings(least: number): readonly Recorded[] {
  const files = FOLDERS.map((folder) => new URL(`${folder}/`, SHARED)).flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.json'))
          .sort()
          .map((file) => new URL(file, folder))
      : [],
  );
  return files.flatMap((file) => {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'split') return [];
    const { name, scenario, split, hostTable, isConcurrent } = readRecording(Fields.of(value, ''));
    const read = split && scenarioOf(name, scenario);
    const [cluster, ...others] = read === undefined ? [] : clustersAsked(read);
    if (split === undefined || cluster === undefined || others.length > 0 || isConcurrent) return [];
    // Where requests are retried, the proxy's own page has each attempt; the recorder knows the last one.
    const isRetried = [...(split.attempts?.keys() ?? [])].some((number) => number !== '1');
    const rows = hostTable.get(cluster)?.map(({ address, rqTotal }) => [address, rqTotal] as const);
    if (isRetried && rows === undefined) return [];
    const counts = new Map(isRetried ? rows : split.hosts);
    const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
    return all < least ? [] : [{ name, scenario, cluster, counts, answers: split.hosts }];
  });
}

export function scenarioOf(name: string, value: unknown): Scenario | undefined {
  return loadScenarioValue(value, name).scenario;
}

/** What is said of such counts beside that scenario. */
export async function observationOf(
  scenario: Scenario,
  { cluster, counts }: Pick<Recorded, 'cluster' | 'counts'>,
  options: ObserveOptions = {},
): Promise<Observation> {
  const text = [...counts].map(([host, count]) => `${cluster},${host},${count}`).join('\n');
  return observe(scenario, [{ file: 'seen.csv', text }], options);
}
