import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import type { ClusterPrediction, PredictedSplit } from '../../src/predict/generated/prediction.js';
import type { Scenario } from '../../src/scenario/model.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

/**
 * Exact shares against what a real proxy did: for each host within 4.5 standard errors of independent draws, plus two
 * requests; where every key was recorded, to the request.
 */
const RECORDED = new URL('../../../shared/conformance/proxy/', import.meta.url);

interface Counts {
  readonly hosts: Readonly<Record<string, number>>;
  readonly no_host?: number;
}

type Mapping = readonly (readonly [key: string, address: string | null])[];

interface RecordedPhase extends Counts {
  readonly from_s: number;
  readonly to_s: number;
  readonly requests: number;
}

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly scenario: unknown;
  readonly observed: Counts & {
    readonly n: number;
    readonly mapping?: Mapping;
    readonly mappings?: Readonly<Record<string, Mapping>>;
    readonly phases?: readonly RecordedPhase[];
  };
}

const cases: readonly Case[] = existsSync(RECORDED)
  ? readdirSync(RECORDED, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.json'))
      .map((file) => JSON.parse(readFileSync(new URL(file, RECORDED), 'utf8')) as Case)
  : [];

function ofKind(kind: string): readonly (readonly [string, Case])[] {
  return cases.filter((one) => one.kind === kind).map((one) => [one.name, one] as const);
}

function read({ name, scenario: value }: Case): Scenario {
  const { scenario, problems } = loadScenarioValue(value, name);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (scenario === undefined) throw new Error(`${name} cannot be read`);
  return scenario;
}

/** The clusters that the traffic names, as the recording counted their hosts: all together, by address. */
async function predictAsked(scenario: Scenario): Promise<readonly ClusterPrediction[]> {
  const { clusters } = await predict(scenario);
  const asked = new Set(scenario.workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster)));
  return Object.entries(clusters).flatMap(([name, cluster]) => (asked.has(name) ? [cluster] : []));
}

const NOBODY = '(no host)';

function sharesByAddress(splits: readonly PredictedSplit[]): Map<string, number> {
  const whole = splits.reduce((sum, { requests }) => sum + (requests ?? 0), 0);
  const shares = new Map<string, number>();
  for (const { hosts, requests, no_host: noHost } of splits) {
    const part = whole === 0 ? 1 / splits.length : (requests ?? 0) / whole;
    for (const { address, share } of hosts) shares.set(address, (shares.get(address) ?? 0) + share * part);
    shares.set(NOBODY, (shares.get(NOBODY) ?? 0) + (noHost?.share ?? 0) * part);
  }
  return shares;
}

/** @param jitter part of the requests that real time may have moved. */
function farOff(shares: ReadonlyMap<string, number>, counts: Counts, n: number, jitter = 0): string[] {
  const seen = new Map([...Object.entries(counts.hosts), [NOBODY, counts.no_host ?? 0] as const]);
  return [...new Set([...shares.keys(), ...seen.keys()])].flatMap((address) => {
    const share = shares.get(address) ?? 0;
    const count = seen.get(address) ?? 0;
    const slack = 4.5 * Math.sqrt(Math.max(0, share * (1 - share)) * n) + 2 + jitter * n;
    return Math.abs(count - share * n) <= slack
      ? []
      : [`${address}: ${count} of ${n}, predicted ${(share * n).toFixed(1)}`];
  });
}

function lost(splits: readonly PredictedSplit[], obstacles: Set<string>): boolean {
  const without = splits.filter(({ method }) => method === 'none');
  for (const { obstacle } of without) obstacles.add(obstacle?.kind ?? '');
  return without.length > 0;
}

describe.skipIf(cases.length === 0)('recorded by a real proxy (skipped where the recordings are not at hand)', () => {
  const splits = ofKind('split');
  const mappings = ofKind('mapping');
  const timelines = ofKind('timeline');
  const compared = { split: 0, mapping: 0, phase: 0 };
  /** Why the splits and mappings that are not predicted are not. */
  const obstacles = new Set<string>();

  test.each(splits)('split %s', async (_, one) => {
    const asked = await predictAsked(read(one));
    if (lost(asked, obstacles)) return;
    compared.split++;
    expect(farOff(sharesByAddress(asked), one.observed, one.observed.n)).toEqual([]);
  });

  test.each(mappings)('mapping %s', async (_, one) => {
    const asked = await predictAsked(read(one));
    if (lost(asked, obstacles)) return;
    compared.mapping++;
    const list = one.observed.mapping ?? Object.values(one.observed.mappings ?? {}).flat();
    const counts = new Map<string, number>();
    for (const [, address] of list) counts.set(address ?? NOBODY, (counts.get(address ?? NOBODY) ?? 0) + 1);
    for (const [address, share] of sharesByAddress(asked)) {
      expect(share * list.length, address).toBeCloseTo(counts.get(address) ?? 0, 6);
    }
  });

  test.each(timelines)('timeline %s', async (_, one) => {
    const scenario = read(one);
    const asked = await predictAsked(scenario);
    const [cluster] = asked;
    if (asked.length !== 1 || cluster === undefined) return;
    for (const phase of one.observed.phases ?? []) {
      const around = cluster.phases.find(({ from_s: from, to_s: to }) => from <= phase.from_s && to >= phase.to_s);
      // What is approximate may change within a phase, as its hosts and rates do.
      if (around === undefined || around.method === 'none' || around.method === 'approximate') continue;
      compared.phase++;
      expect(farOff(sharesByAddress([around]), phase, phase.requests, 0.03)).toEqual([]);
    }
  });

  test('all of them are predicted but those of kinds that no prediction covers', () => {
    const notCovered = new Set(['hosts_of_run', 'retried_elsewhere', 'unsteady_load', 'unsteady_rotation']);
    expect([...obstacles].filter((kind) => !notCovered.has(kind))).toEqual([]);
    expect(compared.split).toBeGreaterThan(0.97 * splits.length);
    expect(compared.mapping).toBeGreaterThan(0.95 * mappings.length);
    expect(compared.phase).toBeGreaterThan(timelines.length);
  });
});
