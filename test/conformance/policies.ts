import type { ProxyVersion } from '../../src/core/version.js';
import { Check } from './check.js';
import { Fields, FormatError } from './fields.js';
import type { CaseOutcome } from './outcome.js';
import { replayBalancer } from './policies/balancer.js';
import { replayBoundedLoad } from './policies/bounded-load.js';
import { compareConfigError } from './policies/config.js';
import { replayEdf } from './policies/edf.js';
import { replayHash } from './policies/hashes.js';
import { replayLocalityWrr } from './policies/locality-wrr.js';

/** The version that stands for an era; undefined: later than any version simulated. */
const ERAS: ReadonlyMap<string, ProxyVersion | undefined> = new Map<string, ProxyVersion | undefined>([
  ['v2-era', '1.17'],
  ['modern', '1.40'],
  ['main', undefined],
]);

/** Replays a file of kind `policies`, each vector once per era it names. */
export function runPoliciesFile(content: unknown): CaseOutcome[] {
  const file = Fields.of(content, '');
  file.ignore('kind', 'area', 'description');
  const vectors = file.list('vectors');
  file.end();
  return vectors.flatMap((vector, index) => runVector(vector, `vectors[${index}]`));
}

function runVector(value: unknown, path: string): CaseOutcome[] {
  const { name, eras } = header(value, path);
  return eras.map((era) => {
    const version = era === undefined ? undefined : ERAS.get(era);
    if (era === undefined) return runAt(value, path, name, '1.40', '');
    if (version !== undefined) return runAt(value, path, name, version, version);
    return ERAS.has(era)
      ? { name, version: era, result: 'skipped', compared: [], problem: 'later than version 1.40' }
      : { name, version: era, result: 'failed', compared: [], problem: `unknown era ${JSON.stringify(era)}` };
  });
}

/** What a vector says of itself; one without eras (a hash value) holds in all of them and is replayed once. */
function header(value: unknown, path: string): { name: string; eras: readonly (string | undefined)[] } {
  try {
    const fields = Fields.of(value, path);
    return { name: fields.string('name'), eras: fields.optionalStrings('applies_to') ?? [undefined] };
  } catch {
    // Replaying it will say what is wrong with it.
    return { name: path, eras: [undefined] };
  }
}

function runAt(value: unknown, path: string, name: string, version: ProxyVersion, label: string): CaseOutcome {
  const check = new Check();
  try {
    const vector = Fields.of(value, path);
    vector.ignore('name', 'source', 'note', 'since', 'applies_to');
    replay(vector, version, check);
    vector.end();
    return check.outcome(name, label);
  } catch (error) {
    const { compared } = check.outcome(name, label);
    return { name, version: label, result: 'failed', compared, problem: problemOf(error) };
  }
}

function replay(vector: Fields, version: ProxyVersion, check: Check): void {
  if (vector.has('function')) {
    replayHash(vector, check);
    return;
  }
  if (vector.has('expect_config_error')) {
    compareConfigError(vector, version, check);
    return;
  }
  const policy = vector.optionalString('policy');
  switch (policy) {
    case undefined: {
      replayEdf(vector, version, check);
      return;
    }
    case 'BOUNDED_LOAD': {
      replayBoundedLoad(vector, check);
      return;
    }
    case 'LOCALITY_WRR': {
      replayLocalityWrr(vector, version, check);
      return;
    }
    default: {
      replayBalancer(vector, version, check);
      return;
    }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof FormatError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
