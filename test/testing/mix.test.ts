import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUsable } from '../../src/real-proxy/mix-question.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { type Mix, mix, mixInTime, mixProxy, mixScenario, mixWithRoute } from '../../src/testing/mix/mix.js';
import { partsOf, without } from '../../src/testing/mix/smaller.js';

const [proxy] = fc.sample(mixProxy(), { seed: 1, numRuns: 1 });
const whole = fc
  .sample(mix(), { seed: 1, numRuns: 200 })
  .find(({ backup, wanted }) => backup !== undefined && wanted !== undefined);

const drawn = fc
  .sample(mix(), { seed: 1, numRuns: 200 })
  .map((one) => JSON.stringify(proxy && mixScenario(proxy, [one], '1.40')));

function clustersOf(one: Mix): readonly string[] {
  const value = proxy && mixScenario(proxy, [one], '1.40');
  // A part may be one that a configuration cannot do without: the clusters are there, refused or not.
  const clusters = value?.['clusters'] as readonly { readonly name: string }[];
  expect(loadScenarioValue(value, 'a mix').problems.filter(({ rule }) => rule === 'defect')).toEqual([]);
  return clusters.map(({ name }) => name.replace(/^(mix|a)-0/, 'mix'));
}

describe('random mixes', () => {
  it.each([
    'client_side_weighted_round_robin.v3',
    'wrr_locality.v3',
    'drop_overloads',
    'hash_policy',
    'regex_rewrite',
    'hash_balance_factor',
    'override_host.v3',
    'aggregate.v3',
  ])('draw %s', (word) => {
    expect(drawn.filter((text) => text.includes(word)).length).toBeGreaterThan(3);
  });

  it('have up to four workers, and hosts that answer errors and report their load', () => {
    const proxies = fc.sample(mixProxy(), { seed: 1, numRuns: 60 });
    expect([...new Set(proxies.map(({ workers }) => workers))].sort()).toEqual([1, 2, 3, 4]);
    const answers = proxies.flatMap((one) => one.answers);
    expect(new Set(answers.map((one) => one['error_status']))).toEqual(new Set([undefined, 404, 500, 503]));
    expect(answers.some((one) => one['load_report'] !== undefined)).toBe(true);
  });
});

describe('random mixes with routes', () => {
  const routed = fc.sample(mixWithRoute(), { seed: 1, numRuns: 100 });

  it.each([
    'use_hash_policy',
    'header_name',
    'runtime_key_prefix',
    'hash_policy',
    'request_mirror_policies',
    'retry_policy',
  ])('draw %s over two clusters', (field) => {
    const own = routed.map((one) => proxy && mixScenario(proxy, [one], '1.40'));
    const workloads = own.flatMap((one) => one?.['workloads'] as readonly Record<string, unknown>[]);
    const having = workloads.filter((one) => one[field] !== undefined);
    expect(having.length).toBeGreaterThan(10);
    expect(having.every(({ route }) => (route as readonly unknown[]).length === 2)).toBe(true);
  });

  it('copy nothing where a copy could change what comes next', () => {
    const copying = routed.filter((one) => one.routed?.['copied'] !== undefined);
    expect(copying.filter(({ plan }) => plan.policy === 'LEAST_REQUEST')).toEqual([]);
    expect(copying.length).toBeGreaterThan(10);
  });

  it('lose their route with its second cluster, and each part of it', () => {
    const [one] = routed;
    if (one === undefined) throw new Error('none was drawn');
    expect(clustersOf(one)).toEqual(['mix', 'mix-backup', 'local'].filter((name) => name !== 'local' || proxy?.local));
    const alone = without(one, [['more', 'backup']]);
    expect([alone.backup, alone.routed]).toEqual([undefined, undefined]);
    expect(partsOf(one).map((path) => path.join('/'))).toContain('more/routed/choice');
  });
});

describe('a random mix', () => {
  it('is taken or not, whatever of its policy is left out', () => {
    if (proxy === undefined || whole === undefined) throw new Error('none was drawn');
    expect(isUsable(proxy, whole)).toBe(true);
    for (const wanted of [whole.wanted, undefined]) {
      const fields = { load_balancing_policy: {} };
      expect(isUsable(proxy, { ...whole, wanted, plan: { ...whole.plan, fields } })).toBe(false);
    }
  });

  it('can be an aggregate, whose requests name hosts', () => {
    if (whole === undefined) throw new Error('none was drawn');
    expect(clustersOf(whole)).toEqual(expect.arrayContaining(['mix', 'mix-backup', 'mix-all']));
    const plain = without(whole, [
      ['more', 'backup'],
      ['more', 'wanted'],
    ]);
    expect(clustersOf(plain)).not.toContain('mix-all');
    expect(plain.wanted).toBeUndefined();
    expect(partsOf(plain).length).toBeLessThan(partsOf(whole).length);
  });

  it('stays one, whatever part is left out', () => {
    if (whole === undefined) throw new Error('none was drawn');
    for (const part of partsOf(whole)) {
      const smaller = without(whole, [part]);
      expect(clustersOf(smaller)).toContain('mix');
      expect(smaller.matches.length).toBeGreaterThan(0);
    }
  });
});

describe('random mixes in time', () => {
  const timed = fc.sample(mixInTime(), { seed: 1, numRuns: 100 });
  const texts = timed.map((one) => JSON.stringify(proxy && mixScenario(proxy, [one], '1.40')));

  it.each([
    'circuit_breakers',
    'outlier_detection',
    'http_health_check',
    'idle_timeout',
    'per_try_timeout',
    'hedge_on_per_try_timeout',
    'request_mirror_policies',
    'service_time',
    '"down":"hang"',
    '"closes":"instead"',
    'load_report',
    'set_behavior',
  ])('draw %s', (word) => {
    expect(texts.filter((text) => text.includes(word)).length).toBeGreaterThan(3);
  });

  it('are scenarios that lbsim takes, with few hosts, each address once in a cluster', () => {
    const usable = timed.filter((one) => proxy && isUsable(proxy, one));
    expect(usable).toHaveLength(timed.length);
    const places = timed.map(({ assignment }) => JSON.stringify(assignment).match(/"address":"[^"]+"/g) ?? []);
    expect(places.every((all) => all.length <= 6 && new Set(all).size === all.length)).toBe(true);
  });

  it('are smaller without what they have besides, and played all the same', () => {
    const [one] = timed;
    if (one === undefined) throw new Error('none was drawn');
    expect(partsOf(one).map((path) => path.join('/'))).toContain('more/timed/workload');
    const plain = without(one, [['more', 'timed']]);
    expect(plain.timed).toEqual({});
  });
});
