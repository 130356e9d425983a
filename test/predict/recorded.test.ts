import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

/**
 * Exact shares against what a real proxy did: for each host, within 4.5 standard errors of independent draws, plus two
 * requests.
 */
const RECORDED = new URL('../../../shared/conformance/proxy/', import.meta.url);

interface Counts {
  readonly n: number;
  readonly hosts: Readonly<Record<string, number>>;
  readonly no_host?: number;
}

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly scenario: unknown;
  readonly observed: Counts & { readonly workloads?: Readonly<Record<string, Counts>> };
}

const cases: Case[] = existsSync(RECORDED)
  ? readdirSync(RECORDED).flatMap((area) =>
      readdirSync(new URL(`${area}/`, RECORDED))
        .map((file) => JSON.parse(readFileSync(new URL(`${area}/${file}`, RECORDED), 'utf8')) as Case)
        .filter(({ kind }) => kind === 'split'),
    )
  : [];

describe.skipIf(cases.length === 0)('recorded splits (skipped where the recordings are not at hand)', () => {
  const unpredicted: string[] = [];

  test.each(cases.map((one) => [one.name, one] as const))('%s', async (name, { scenario: value, observed }) => {
    const { scenario, problems } = loadScenarioValue(value, name);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (scenario === undefined) return;
    const { clusters } = await predict(scenario);
    const asked = new Set(scenario.workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster)));
    const predicted = Object.entries(clusters).filter(([cluster]) => asked.has(cluster));
    const reasons = predicted.flatMap(([, { why_not: whyNot = [] }]) => whyNot);
    if (reasons.length > 0) {
      unpredicted.push(`${name}: ${reasons.join('; ')}`);
      return;
    }
    const whole = predicted.reduce((sum, [, { requests }]) => sum + (requests ?? 0), 0);
    const shares = new Map<string, number>(Object.keys(observed.hosts).map((address) => [address, 0]));
    let none = 0;
    for (const [, { hosts, requests, no_host: noHost }] of predicted) {
      const part = whole === 0 ? 1 / predicted.length : (requests ?? 0) / whole;
      for (const { address, share } of hosts) shares.set(address, (shares.get(address) ?? 0) + share * part);
      none += (noHost?.share ?? 0) * part;
    }
    const far: string[] = [];
    const compare = (what: string, share: number, count: number): void => {
      const slack = 4.5 * Math.sqrt(share * (1 - share) * observed.n) + 2;
      if (Math.abs(count - share * observed.n) > slack) {
        far.push(`${what}: ${count} of ${observed.n}, predicted ${(share * observed.n).toFixed(1)}`);
      }
    };
    for (const [address, share] of shares) compare(address, share, observed.hosts[address] ?? 0);
    compare('no host', none, observed.no_host ?? 0);
    expect(far).toEqual([]);
  });

  test('most kinds of recording are predicted', () => {
    if (process.env['LBSIM_DEBUG']) console.log(unpredicted.join('\n'));
    expect(unpredicted.length).toBeLessThan(cases.length / 10);
  });
});
