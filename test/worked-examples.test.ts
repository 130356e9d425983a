import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LbStats } from '../src/hostset/lb-stats.js';
import { emptyPriorityState, priorityState } from '../src/hostset/priority-load.js';
import { computeZoneRouting } from '../src/hostset/zone-aware.js';
import { maglev } from '../src/policy/maglev.js';
import { ringEntry, ringHash } from '../src/policy/ring-hash.js';
import { weightedHosts } from '../src/testing/index.js';
import { host, SubsetCluster } from './hostset/subset-cluster.js';
import { maglevSlots, maglevWalk } from './support/maglev-twin.js';
import { hostsOf, level, runtimeOf, UNHEALTHY, zone } from './support/balancing.js';

/** The figures that open a file are what its code computes. */

const THREE = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'];

function ringOfThree(): readonly string[] {
  const settings = { minimumRingSize: 9, maximumRingSize: 9, hashFunction: 'XX_HASH' } as const;
  const table = ringHash.build(weightedHosts(THREE), settings);
  const part = (entry: number): number => {
    const { hi, lo } = ringEntry(table, entry);
    return (hi + lo / 2 ** 32) / 2 ** 32;
  };
  const lines = ['Example: three hosts, a ring of 9 entries, the circle from 0 to 100 %'];
  for (let entry = 0; entry < table.entryCount; entry++) {
    const arc = entry === 0 ? 1 + part(0) - part(table.entryCount - 1) : part(entry) - part(entry - 1);
    lines.push(
      `  ${(100 * part(entry)).toFixed(1).padStart(5)} %  ${THREE[ringEntry(table, entry).host] ?? ''}  owns the ${(100 * arc).toFixed(1).padStart(4)} % up to here`,
    );
  }
  const chosen = ringHash.choose(table, 2 ** 31, 0, 0);
  const shares = [...ringHash.keyShares(table)].map((share) => `${(100 * share).toFixed(0)} %`);
  lines.push(
    `A hash at 50 % goes to ${THREE[chosen] ?? ''}. In all the hosts own ${shares.join(', ')}: few entries are uneven.`,
  );
  return lines;
}

function maglevOfThree(): readonly string[] {
  const settings = { tableSize: 7, sortByKey: true, singleHostShortcut: true };
  const slots = maglevSlots(weightedHosts(THREE), settings);
  expect([...maglev.build(weightedHosts(THREE), settings).slots]).toEqual(slots);
  const walks = THREE.map((key) => {
    const { offset, skip } = maglevWalk(key, 7);
    const order = Array.from({ length: 7 }, (_, step) => (offset + step * skip) % 7);
    return `  ${key}  begins at ${offset}, steps of ${skip}: ${order.join(' ')}`;
  });
  return [
    'Example: three hosts, 7 slots. Each prefers the slots in its own order',
    ...walks,
    'and they take turns, each the first of its slots that is free:',
    `  slot  ${slots.map((_, slot) => slot).join(' ')}`,
    `  host  ${slots.map((host) => host + 1).join(' ')}`,
  ];
}

function zonesOfTwo(): readonly string[] {
  const hosts = (a: number, b: number) =>
    level([...hostsOf(a, { locality: zone('a') }), ...hostsOf(b, { locality: zone('b') }, a)], { node: zone('a') });
  const routing = computeZoneRouting({
    upstream: hosts(2, 4),
    local: hosts(5, 5),
    config: { routingEnabled: 100, minClusterSize: 6 },
    version: '1.40',
    runtime: runtimeOf({}),
    stats: new LbStats(),
  });
  if (routing.state !== 'residual') throw new Error('not routed in part');
  const percent = (value: number): string => `${(value / 100).toFixed(2)} %`;
  const [here = 0, there = 0] = routing.upstream;
  return [
    'Example: this proxy is in zone a. Healthy hosts: a 2, b 4. Proxies: a 5, b 5.',
    `  the hosts of zone a can take ${percent(here)} of all traffic, its proxies send ${percent(routing.local[0] ?? 0)}`,
    `  so ${percent(routing.localPercentToRoute)} of what comes here stays: ${percent(here)} / ${percent(routing.local[0] ?? 0)}`,
    `  the rest goes to zone b, which has ${percent(routing.residualCapacity[1] ?? 0)} to spare: ${percent(there)} − ${percent(routing.local[1] ?? 0)}`,
  ];
}

function prioritiesOfThree(): readonly string[] {
  const healthy = [2, 1, 4];
  const hosts = [4, 4, 4];
  const levels = hosts.map((count, priority) =>
    level([...hostsOf(healthy[priority] ?? 0), ...hostsOf(count - (healthy[priority] ?? 0), { flags: UNHEALTHY })], {
      priority,
    }),
  );
  let state = emptyPriorityState();
  for (const { priority } of levels) state = priorityState(state, levels, priority, 50, '1.17');
  return [
    'Example: priorities of 4 hosts each, overprovisioning 140 %',
    ...hosts.map(
      (count, priority) =>
        `  priority ${priority}: ${healthy[priority] ?? 0} of ${count} healthy · 1.4 can carry ${state.health[priority] ?? 0} %, gets ${state.load.healthy[priority] ?? 0} %`,
    ),
    'Each takes as much of the rest as it can carry. None panics, since together they can carry everything.',
  ];
}

function subsetsOfThree(): readonly string[] {
  const cluster = new SubsetCluster({
    selectors: [{ keys: ['stage'] }, { keys: ['stage', 'version'] }],
    subset: { fallbackPolicy: 'ANY_ENDPOINT' },
  });
  const labels = [
    { stage: 'prod', version: '1' },
    { stage: 'prod', version: '2' },
    { stage: 'dev', version: '2' },
  ];
  cluster.set(labels.map((metadata, index) => host(`10.0.0.${index + 1}:80`, metadata)));
  const asks = [{ stage: 'prod' }, { version: '2', stage: 'prod' }, { version: '2' }, { stage: 'test' }];
  const shown = (value: object): string =>
    JSON.stringify(value)
      .replaceAll('"', '')
      .replaceAll(/([:,])/g, '$1 ');
  return [
    'Example: selectors [stage] and [stage, version], fallback ANY_ENDPOINT; hosts',
    ...labels.map((metadata, index) => `  10.0.0.${index + 1}:80  ${shown(metadata)}`),
    'make these subsets, with so many hosts:',
    ...Object.entries(cluster.subsets()).map(([name, hosts]) => `  ${name.replaceAll('"', '')} ${hosts}`),
    'A request that asks for',
    ...asks.map((ask) => {
      const { subset = '', subsetFallback } = cluster.pick(ask);
      const how = subsetFallback === undefined ? '' : ': no subset has just these keys and values';
      return `  ${shown(ask).padEnd(26)} is answered by ${subset.replaceAll('"', '')}${how}`;
    }),
  ];
}

describe('the worked example at the top of', () => {
  it.each([
    ['policy/ring-hash.ts', ringOfThree],
    ['policy/maglev.ts', maglevOfThree],
    ['hostset/zone-aware.ts', zonesOfTwo],
    ['hostset/priority-load.ts', prioritiesOfThree],
    ['hostset/subset/subset.ts', subsetsOfThree],
  ])('%s has the figures that its code computes', (file, example) => {
    const source = readFileSync(join(import.meta.dirname, '../src', file), 'utf8').replaceAll(/^ \*( |$)/gm, '');
    expect(source).toContain(example().join('\n'));
  });
});
