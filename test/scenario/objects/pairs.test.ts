import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../conformance/shared.js';
import { importScenario } from '../../../src/scenario/import/import.js';

/**
 * Objects, and what the control planes' own code makes of them: a folder beside the repository, where it is there, and its
 * checker, which compares field by field.
 */

const PAIRS = join(sharedFolder, 'objects');
const CHECKER = join(PAIRS, 'check_pairs.py');
const canCheck = existsSync(CHECKER) && spawnSync('python3', ['--version']).status === 0;
if (!canCheck) console.log(`notice: ${CHECKER} or python3 is not there, so only our own pairs are compared`);

const out = canCheck ? mkdtempSync(join(tmpdir(), 'lbsim-pairs-')) : '';
afterAll(() => {
  if (canCheck) rmSync(out, { recursive: true });
});

interface Checked {
  /** Percent of the fields that are equal, by pair. */
  readonly shares: ReadonlyMap<string, number>;
  readonly refused: ReadonlyMap<string, readonly string[]>;
  readonly fields: number;
}

function check(
  product: string,
  options: object,
  flags: readonly string[],
  isMeant: (name: string) => boolean = () => true,
): Checked {
  const folder = join(out, String(readdirSync(out).length));
  mkdirSync(join(folder, product), { recursive: true });
  const refused = new Map<string, readonly string[]>();
  const made: string[] = [];
  for (const name of readdirSync(join(PAIRS, product)).filter(isMeant)) {
    const text = readFileSync(join(PAIRS, product, name, 'in.yaml'), 'utf8');
    const { xds, problems } = importScenario([{ file: 'in.yaml', text }], options);
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (xds === undefined)
      refused.set(
        name,
        errors.map(({ message }) => message),
      );
    else {
      made.push(`${product}/${name}`);
      writeFileSync(join(folder, product, `${name}.json`), JSON.stringify(xds));
    }
  }
  const names = join(folder, 'names.txt');
  writeFileSync(names, made.join('\n'));
  const call = [CHECKER, PAIRS, folder, '--product', product, '--names', names, ...flags];
  const { stdout } = spawnSync('python3', call, { encoding: 'utf8' });
  const lines = [...stdout.matchAll(/^(\S+)\/(\S+): (\d+)\/(\d+) = /gm)];
  const shares = new Map(lines.map(([, , name = '', ok, all]) => [name, (100 * Number(ok)) / Number(all)]));
  const [, equal, all] = /^all\s+(\d+)\/(\d+)/m.exec(stdout) ?? [];
  return { shares, refused, fields: (100 * Number(equal)) / Number(all) };
}

const below = (shares: Checked['shares'], least: number) => [...shares].filter(([, share]) => share < least);

describe.skipIf(!canCheck)('what control planes make of objects', () => {
  it('Istio 1.32: 99 % of the fields', () => {
    const { fields, refused, shares } = check('istio', { istioVersion: '1.32' }, []);
    expect([...refused]).toEqual([]);
    expect(fields).toBeGreaterThanOrEqual(99);
    // A host that is shutting down: the test of the pair knows its service later than its slice.
    expect(below(shares, 100).map(([name]) => name)).toEqual(['k8s-not-ready']);
  });

  it('Istio 1.30: all fields', () => {
    const { fields } = check('istio', { istioVersion: '1.30' }, ['--expect', 'expect.no-auto-unhealthy.json']);
    expect(fields).toBe(100);
  });

  it('Envoy Gateway: objects of this collection wholly, others at least 95 %, or refused by name', () => {
    const { shares, refused } = check('envoy-gateway', {}, []);
    expect(below(shares, 95)).toEqual([]);
    expect([...shares].filter(([name, share]) => name.startsWith('own-') && share < 100)).toEqual([]);
    const reasons = [...refused].filter(([, messages]) => !/^(?:mergeBackends|expected )/.test(messages[0] ?? ''));
    expect(reasons).toEqual([]);
    expect([...refused.keys()].filter((name) => name.startsWith('own-'))).toEqual([]);
  });

  it('Consul without gateways and peers: all fields', () => {
    const hasEndpoints = (name: string): boolean => {
      const source = readFileSync(join(PAIRS, 'consul', name, 'source.json'), 'utf8');
      return !source.includes('"parts"') || /"parts": \[[^\]]*"endpoints"/.test(source);
    };
    const whole = check('consul', {}, [], hasEndpoints);
    expect(below(whole.shares, 100)).toEqual([]);
    expect(new Set([...whole.refused.values()].flat())).toEqual(
      new Set(['other datacenters and peers are reached through gateways, whose health only the catalog knows']),
    );
    const others = check('consul', {}, ['--drop', 'localities,routes'], (name) => !hasEndpoints(name));
    expect(below(others.shares, 100)).toEqual([]);
  });
});
