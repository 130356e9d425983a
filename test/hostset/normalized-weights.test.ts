import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Host } from '../../src/host/host.js';
import type { TableHostsOptions } from '../../src/hostset/normalized-weights.js';
import { emptyTable, hashKey, sameWeightedHosts, tableHosts } from '../../src/hostset/normalized-weights.js';
import { DEGRADED, hostAt, hostsOf, level, UNHEALTHY, zone } from '../support/balancing.js';

const PLAIN: TableHostsOptions = { panic: false, localityWeighted: false, useHostname: false, readsMetadata: false };
const WEIGHTED: TableHostsOptions = { ...PLAIN, localityWeighted: true };

describe('the hash key of a host', () => {
  const host = new Host({ address: '10.0.0.1:80', hostname: 'one', metadata: { hash_key: 'k1' } });

  it('is its address, its hostname, or the key of its metadata', () => {
    expect(hashKey(host, false, false)).toBe('10.0.0.1:80');
    expect(hashKey(host, true, false)).toBe('one');
    expect(hashKey(host, true, true)).toBe('k1');
  });

  it.each([[1337], [''], [null], [['k1']]])('is no metadata that is not a text: %j', (key) => {
    const odd = new Host({ address: '10.0.0.1:80', metadata: { hash_key: key } });
    expect(hashKey(odd, false, true)).toBe('10.0.0.1:80');
  });
});

describe('the hosts of a table', () => {
  it('are the healthy ones, with their share of the weight', () => {
    const hosts = [
      hostAt(0, { weight: 1 }),
      hostAt(1, { weight: 5, flags: UNHEALTHY }),
      hostAt(2, { weight: 5, flags: DEGRADED }),
      hostAt(3, { weight: 3 }),
    ];
    const { weighted } = tableHosts(level(hosts), PLAIN);
    expect(weighted.keys).toEqual(['10.0.0.0:80', '10.0.0.3:80']);
    expect([...weighted.weights]).toEqual([0.25, 0.75]);
    expect([weighted.minWeight, weighted.maxWeight]).toEqual([0.25, 0.75]);
  });

  it('are all of them in panic', () => {
    const hosts = [hostAt(0), hostAt(1, { flags: UNHEALTHY })];
    expect(tableHosts(level(hosts), { ...PLAIN, panic: true }).hosts).toEqual(hosts);
  });

  it('divide the share of their locality', () => {
    const hosts = [
      ...hostsOf(1, { locality: zone('a') }),
      ...hostsOf(1, { locality: zone('b'), weight: 1 }, 1),
      ...hostsOf(1, { locality: zone('b'), weight: 3 }, 2),
      ...hostsOf(1, { locality: zone('c') }, 3),
    ];
    const weights = { localityWeights: { a: 1, b: 3 } };
    const { weighted } = tableHosts(level(hosts, weights), WEIGHTED);
    // c has no weight and is left out.
    expect(weighted.keys).toEqual(['10.0.0.0:80', '10.0.0.1:80', '10.0.0.2:80']);
    expect([...weighted.weights]).toEqual([0.25, 0.1875, 0.5625]);
    // Without locality-weighted balancing the weights of places count for nothing.
    expect([...tableHosts(level(hosts, weights), PLAIN).weighted.weights]).toEqual([1 / 6, 1 / 6, 0.5, 1 / 6]);
  });

  it('lose the share of a locality where nobody is healthy', () => {
    const hosts = [...hostsOf(1, { locality: zone('a') }), ...hostsOf(1, { locality: zone('b'), flags: UNHEALTHY }, 1)];
    const { weighted } = tableHosts(level(hosts, { localityWeights: { a: 1, b: 3 } }), WEIGHTED);
    expect([...weighted.weights]).toEqual([0.25]);
  });

  it('are nobody where all weights are 0', () => {
    const hosts = hostsOf(2, { locality: zone('a') });
    const { hosts: none, weighted } = tableHosts(level(hosts, { localityWeights: { a: 0 } }), WEIGHTED);
    expect(none).toEqual([]);
    expect([weighted.minWeight, weighted.maxWeight]).toEqual([1, 0]);
  });

  it('have shares that sum to 1', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(weights, (all) => {
        const hosts = all.map((weight, index) => hostAt(index, { weight }));
        const sum = tableHosts(level(hosts), PLAIN).weighted.weights.reduce((total, share) => total + share, 0);
        expect(sum).toBeCloseTo(1, 12);
      }),
    );
  });
});

it('knows when two tables would come out the same', () => {
  const table = (hosts: readonly Host[]): ReturnType<typeof tableHosts>['weighted'] =>
    tableHosts(level(hosts), PLAIN).weighted;
  const base = table(hostsOf(3));
  expect(sameWeightedHosts(base, table(hostsOf(3)))).toBe(true);
  expect(sameWeightedHosts(base, table(hostsOf(3, { weight: 7 })))).toBe(true);
  expect(sameWeightedHosts(base, table(hostsOf(2)))).toBe(false);
  expect(sameWeightedHosts(base, table(hostsOf(3).reverse()))).toBe(false);
  expect(sameWeightedHosts(base, table([...hostsOf(2), hostAt(2, { weight: 2 })]))).toBe(false);
});

describe('a table is empty beside hosts', () => {
  const [here, down] = [hostAt(0, { locality: zone('a') }), hostAt(1, { locality: zone('b'), flags: UNHEALTHY })];
  it.each([
    ['no locality has a weight', { a: 0, b: 0 }, false, 'no-weight'],
    ['none with a weight has a healthy host', { a: 0, b: 3 }, false, 'no-weighted-host'],
    ['not in panic, where its host counts', { a: 0, b: 3 }, true, undefined],
    ['not where one has both', { a: 1, b: 3 }, false, undefined],
  ])('%s', (_, localityWeights, panic, why) => {
    expect(emptyTable(level([here, down], { localityWeights }), panic)).toBe(why);
  });
});
