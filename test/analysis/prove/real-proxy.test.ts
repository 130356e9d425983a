import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Verification, VerifiedSplit } from '../../../src/analysis/verify/verification.js';
import { NO_PAUSE } from '../../../src/analysis/pause.js';
import { prove } from '../../../src/analysis/prove/prove.js';
import { replayOf } from '../../../src/cli/commands/prove.js';
import { sum } from '../../../src/core/values.js';
import { findProxy } from '../../../src/real-proxy/guarded-process.js';
import { verify } from '../../../src/real-proxy/verify.js';
import { loadScenario } from '../../../src/scenario/load.js';
import { localityResult } from '../../../src/result/run-result.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { Json } from '../../../src/testing/mix/mix-hosts.js';
import { clusters, inAggregates } from './random-clusters.js';
import { tables } from './random-tables.js';
import type { Finding } from '../../../src/analysis/prove/generated/findings.js';

const binary = await findProxy(undefined, process.env).catch(() => undefined);
const WANTED = Number(process.env['PROVE_VERIFIED'] ?? 6);
const SEED = Number(process.env['PROVE_SEED'] ?? 7);
const REQUESTS = 400;
/** Of the cluster, or of those of an aggregate, which panic by themselves. */
const PANICS = /^cluster\.(c|main|beside)\.lb_healthy_panic$/;
/** A share of requests that are drawn is so far off at most: five standard errors. */
const BEYOND_CHANCE = 5;

const load = (text: string): Scenario | undefined => loadScenario({ file: 'a.yaml', text }).scenario;

interface Counterexample {
  readonly finding: Finding;
  readonly text: string;
  readonly scenario: Scenario;
}

/** One of each kind of harm that a proxy shows with one request after the other. */
async function counterexamplesOf(json: Json, seen: Map<string, number>): Promise<Counterexample | undefined> {
  const scenario = load(JSON.stringify(json));
  if (scenario === undefined) return undefined;
  const { found } = await prove(scenario, { clusters: ['c'] });
  const some = found.filter(
    (one) => (one.size ?? 0) > 0 && one.brings !== 'limit' && one.noticed_by !== 'outlier_detection',
  );
  // The harm and unit that has been seen least often.
  const keyOf = ({ brings, lose }: Finding): string => `${brings} of ${lose}`;
  const [first] = some.sort((a, b) => (seen.get(keyOf(a)) ?? 0) - (seen.get(keyOf(b)) ?? 0));
  if (first === undefined) return undefined;
  const text = replayOf(JSON.stringify(json), first, scenario);
  const replay = load(text);
  if (replay === undefined) throw new Error(`no scenario: ${text}`);
  seen.set(keyOf(first), (seen.get(keyOf(first)) ?? 0) + 1);
  return { finding: first, text, scenario: replay };
}

/** Parts of the requests, as the proxy divided them after the loss. */
function happened({ addresses, fullest }: Finding, split: VerifiedSplit, { proxies, timeline }: Scenario) {
  const place = proxies[0]?.node?.locality;
  const home = place && JSON.stringify(localityResult(place));
  const part = (is: (host: VerifiedSplit['hosts'][number]) => boolean): number =>
    sum(split.hosts.filter(is).map(({ proxy }) => proxy)) / split.requests;
  const down = timeline.flatMap(({ atUs, action }) =>
    atUs === 0 && action.kind === 'set_behavior' ? (action.hosts.address ?? []) : [],
  );
  const dead = new Set([...addresses, ...down]);
  return {
    failed: split.no_host.proxy / split.requests + part(({ address }) => dead.has(address)),
    fullest: part(({ address }) => address === fullest?.address),
    outside: part(({ locality }) => JSON.stringify(locality) !== home),
  };
}

/**
 * Of the version that is asked. Keys are put to the proxy one after the other, each as often; which of two hosts with the same
 * `hash_key` has it is not specified.
 */
function modern(json: Json): Json {
  const { requests: _, ...fields } = json;
  const text = JSON.stringify(fields, (name, value: unknown) =>
    name === 'hash_key' && typeof value === 'string' ? undefined : name === 'version' ? '1.40' : value,
  );
  const own = JSON.parse(text) as Json;
  const [first, ...others] = own['workloads'] as Json[];
  const isDrawn = first?.['hash_key'] !== undefined && !('cycle' in (first['hash_key'] as Json));
  return { ...own, workloads: [{ ...first, ...(isDrawn && { hash_key: { uniform: { keys: 100 } } }) }, ...others] };
}

const tally = new Map<string, number>();
afterAll(() => {
  if (process.env['PROVE_VERIFIED'] !== undefined) console.log(Object.fromEntries([...tally].sort()));
});

describe.skipIf(binary === undefined)('a real proxy', () => {
  it('comes to the harm that was proven', { timeout: 6_000_000 }, async () => {
    if (binary === undefined) return;
    const all = fc.sample(fc.oneof(clusters(10), tables(), inAggregates(clusters(6))).map(modern), {
      numRuns: 20 * WANTED,
      seed: SEED,
    });
    let done = 0;
    const wrong: string[] = [];
    for (const json of all) {
      if (done === WANTED) break;
      const one = await counterexamplesOf(json, tally);
      if (one === undefined) continue;
      const { finding, text, scenario } = one;
      const verified: Verification = await verify(scenario, { binary, requests: REQUESTS, pause: NO_PAUSE });
      const last = verified.situations.at(-1);
      const [split, ...others] = last?.splits.filter(({ cluster }) => cluster === 'c') ?? [];
      // How many of the requests are of which kind is no part of a split.
      if (split === undefined || others.length > 0) continue;
      done++;
      const parts = happened(finding, split, scenario);
      const near = (stated: number, seen: number): boolean =>
        Math.abs(stated - seen) <=
        BEYOND_CHANCE * Math.sqrt(Math.max(0, stated * (1 - stated)) / REQUESTS) + 2 / REQUESTS;
      const capacity = (finding.fullest?.perSecond ?? 0) / finding.per_second;
      const says = [
        verified.agrees || 'lbsim',
        near(finding.failed, parts.failed) || `failed ${finding.failed} ${parts.failed}`,
        finding.fullest === null || near(capacity, parts.fullest) || `fullest ${capacity} ${parts.fullest}`,
        finding.outside === null ||
          near(finding.outside, parts.outside) ||
          `outside ${finding.outside} ${parts.outside}`,
        !finding.panic || (last?.stats ?? []).some(({ name, proxy }) => PANICS.test(name) && proxy > 0) || 'no panic',
      ].filter((own) => own !== true);
      if (says.length > 0)
        wrong.push(`${finding.brings} of ${finding.lose} ${finding.size}: ${says.join('; ')}\n${text}`);
    }
    expect(done).toBe(WANTED);
    expect(wrong.length, wrong.join('\n---\n')).toBe(0);
  });
});
