import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeExpectations } from '../../src/words/library.js';
import { predict } from '../../src/words/library.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Expectation, Scenario } from '../../src/scenario/model.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

const folder = join(import.meta.dirname, '../../scenarios');
const shipped = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

function load(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { readFile: () => '' });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** Expectations of random bounds about hosts and windows of a scenario. */
function someOf({ clusters, durationUs = 10_000_000 }: Scenario, addresses: readonly string[]): readonly Expectation[] {
  const cluster = fc.constantFrom(...clusters.map(({ name }) => name));
  const subject = fc.oneof(
    cluster.map((name) => ({ kind: 'no_host' as const, cluster: name })),
    fc.tuple(cluster, fc.constantFrom(...addresses)).map(([name, address]) => ({
      kind: 'share' as const,
      cluster: name,
      hosts: { address },
    })),
  );
  // As people write them: no closer to 0 than a thousandth.
  const bound = fc.oneof(
    fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000),
    fc.constantFrom(0, 0.25, 0.5, 1),
  );
  const comparator = fc.oneof(
    bound.map((value) => ({ kind: 'at_most' as const, value })),
    bound.map((value) => ({ kind: 'at_least' as const, value })),
    bound.map((value) => ({ kind: 'equals' as const, value })),
    fc.tuple(bound, bound).map(([a, b]) => ({ kind: 'between' as const, low: Math.min(a, b), high: Math.max(a, b) })),
  );
  const time = fc.integer({ min: 0, max: durationUs });
  const during = fc.option(
    fc.tuple(time, time).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b) + 1]),
    { nil: undefined },
  );
  const expectation = fc.record({ subject, comparator, during, relativeTo: fc.constant(undefined) });
  return fc.sample(expectation, { numRuns: 60, seed: 7 }).map((one) => ({ ...one, text: JSON.stringify(one) }));
}

describe.each(shipped)('%s', (file) => {
  it('runs to the verdicts that its prediction gives', async () => {
    const read = load(readFileSync(join(folder, file), 'utf8'));
    const prediction = await predict(read);
    const addresses = Object.values(prediction.clusters).flatMap(({ hosts }) =>
      hosts.slice(0, 6).map((host) => host.address),
    );
    const extra = addresses.length === 0 ? [] : someOf(read, addresses);
    const scenario = { ...read, expect: [...read.expect, ...extra] };
    const judged = judgeExpectations(scenario, prediction);
    const { expect: results } = await runScenario(scenario);
    const contradictions = judged.flatMap(({ expectation, passed, predicted }, index) => {
      const result = results[index];
      // Nothing was asked for in the window: there is nothing to measure, which is no verdict about a share.
      if (passed === null || result === undefined || result.actual === null || result.passed === passed) return [];
      return [{ expectation, predicted, passed, actual: result.actual }];
    });
    expect(contradictions).toEqual([]);
  });
});

const EVEN =
  'clusters: [{name: web, lb_policy: RANDOM}]\nendpoints: {web: [{address: 10.0.0.1:80, count: 4}]}\nworkloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 10s}]\n';

describe('a verdict', () => {
  it.each([
    ['share: {cluster: web, hosts: 10.0.0.1}, at_most: 40%', true],
    ['share: {cluster: web, hosts: 10.0.0.1}, at_least: 40%', false],
    ['share: {cluster: web, hosts: 10.0.0.1}, between: [10%, 40%]', true],
    ['share: {cluster: web, hosts: 10.0.0.1}, equals: 50%', false],
    ['no_host: {cluster: web}, equals: 0%', true],
    ['share: {cluster: web, hosts: {zone: ""}}, equals: 100%', true],
    ['share: {cluster: web, hosts: 10.0.0.1}, at_most: 60%, during: [1s, 3s]', true],
    ['share: {cluster: web, hosts: 10.0.0.1}, at_least: 60%, during: [9s, 30s]', false],
    ['no_host: {cluster: web}, equals: 0%, during: [0s, 1s]', true],
  ])('%s', async (text, passed) => {
    const scenario = load(`${EVEN}expect: [{${text}}]\n`);
    expect(judgeExpectations(scenario, await predict(scenario))).toMatchObject([{ passed }]);
  });

  it.each([
    ['share: {cluster: web, hosts: 10.0.0.1}, at_most: 25%', 'the bound is so close that chance decides'],
    ['share: {cluster: web, hosts: 10.0.0.1}, at_most: 26%', 'the bound is so close that chance decides'],
    ['share: {cluster: web, hosts: 10.0.0.1}, within_sigma: 4', 'it compares a run with the prediction'],
    ['share: {cluster: web, hosts: 10.0.0.1}, at_most: 2, relative_to: {during: [0s, 1s]}', 'it compares two measures'],
    ['requests: {cluster: web}, at_least: 1', 'only shares are predicted'],
    ['no_host: {cluster: web}, equals: 0%, during: [20s, 30s]', 'nothing is predicted for that time'],
  ])('is left to a run: %s', async (text, why) => {
    const scenario = load(`${EVEN}expect: [{${text}}]\n`);
    expect(judgeExpectations(scenario, await predict(scenario))).toMatchObject([{ passed: null, why_not: why }]);
  });
});
