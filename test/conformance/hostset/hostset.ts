import type { ProxyVersion } from '../../../src/core/version.js';
import { asString, Fields, FormatError } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';
import { problemOf } from '../problem.js';
import { runClusterVector } from './cluster-vector.js';
import { runHealthCheckVector } from './health-check.js';
import { runMergeWindowVector } from './merge-window-vector.js';
import { runOutlierVector } from './outlier.js';
import { PROFILE_VERSIONS } from './versions.js';

type RunVector = (vector: Fields, version: ProxyVersion) => CaseOutcome;

const areas: ReadonlyMap<string, RunVector> = new Map<string, RunVector>([
  ['priority_load', runClusterVector],
  ['panic', runClusterVector],
  ['zone_aware', runClusterVector],
  ['locality_wrr', runClusterVector],
  ['subset', runClusterVector],
  ['merge_window', runMergeWindowVector],
  ['outlier', runOutlierVector],
  ['health_check', runHealthCheckVector],
]);

/** Replays one file of kind `hostset`: each vector once for each version that it names. */
export function runHostSetFile(content: unknown): readonly CaseOutcome[] {
  const file = Fields.of(content, '');
  file.ignore('kind');
  const area = file.string('area');
  const run = areas.get(area);
  if (run === undefined) throw new FormatError(`unknown area ${JSON.stringify(area)}`);
  const vectors = file.list('vectors');
  file.end();
  return vectors.flatMap((vector, index) => runVersions(vector, `vectors[${index}]`, run));
}

function runVersions(content: unknown, path: string, run: RunVector): readonly CaseOutcome[] {
  const { name, profiles } = Fields.of(content, path).keys.includes('profiles')
    ? { name: Fields.of(content, path).string('name'), profiles: Fields.of(content, path).strings('profiles') }
    : { name: path, profiles: [''] };
  return profiles.map((profile) => {
    try {
      const version = PROFILE_VERSIONS.get(asString(profile, path));
      if (version === undefined) throw new FormatError(`unknown profile ${JSON.stringify(profile)}`);
      return run(Fields.of(content, path), version);
    } catch (error) {
      return { name, version: profile, result: 'failed', compared: [], problem: problemOf(error) };
    }
  });
}
