import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instantAt } from '../../src/site/instant.js';
import { cellAt, hostAt, layoutFlow } from '../../src/site/view/flow-layout.js';
import { lanesOf, marksOf } from '../../src/site/view/lane-data.js';
import { clusterNamed, pictureOf } from './pictures.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const MANY = `clusters: [{name: web, connect_timeout: 1s}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2000, zone: a}, {address: 10.1.0.1:80, count: 50, zone: b}]}
workloads: [{cluster: web, arrivals: 1000/s, stop: 1s}]
`;

async function layout(text: string, cluster: string, width: number): Promise<ReturnType<typeof layoutFlow>> {
  const run = await pictureOf(text);
  const picture = clusterNamed(run, cluster);
  const instant = instantAt(picture, 0);
  if (instant === undefined) throw new Error('no phase');
  return layoutFlow(run, picture, instant, width);
}

describe('the flow', () => {
  const showcase = readFileSync(join(scenarios, 'showcase.yaml'), 'utf8');

  it.each([
    [340, ['clients', 'priority']],
    [600, ['clients', 'proxies', 'priority', 'zone']],
  ])('%i px wide goes through %j to hosts', async (width, kinds) => {
    const { nodes, hosts, bands } = await layout(showcase, 'checkout', width);
    expect([...new Set(nodes.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
    expect(hosts).toHaveLength(9);
    // Nothing is drawn outside of the picture.
    for (const { x } of [...nodes, ...hosts]) expect(x).toBeLessThan(width);
    // What comes in goes out: the bands to priorities carry everything.
    const toPriorities = bands.filter(({ id }) => id.startsWith('to-priority'));
    expect(toPriorities.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 5);
  });

  it('says nothing of failures that are not known', async () => {
    const run = await pictureOf(showcase);
    const picture = clusterNamed(run, 'checkout');
    const instant = instantAt(picture, 45);
    if (instant === undefined) throw new Error('no phase');
    const saysOf = (failed: number): unknown =>
      layoutFlow(run, picture, { ...instant, failed }, 600).nodes.flatMap(({ kind, says, bad }) =>
        kind === 'clients' ? [says, bad] : [],
      );
    expect([0.25, 1e-9, 0, NaN].map(saysOf)).toEqual([
      ['25.0 % fail', true],
      ['<0.1 % fail', true],
      ['', false],
      ['', false],
    ]);
  });

  it('of an aggregate goes on to its members, which can be chosen', async () => {
    const text = readFileSync(join(scenarios, 'aggregate-failover.yaml'), 'utf8');
    const { nodes, bands } = await layout(text, 'orders', 600);
    expect(nodes.flatMap(({ cluster }) => cluster ?? [])).toEqual(['primary', 'backup']);
    const passedOn = bands.filter(({ id }) => id.startsWith('to member'));
    expect(passedOn.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 5);
  });

  it('of many hosts is a field for each zone, in which each host has its place', async () => {
    const { fields, hosts } = await layout(MANY, 'web', 600);
    expect(hosts).toEqual([]);
    expect(fields.map((field) => field.hosts.length)).toEqual([2000, 50]);
    for (const field of fields) {
      for (const index of [0, 17, field.hosts.length - 1]) {
        const { x, y } = cellAt(field, index);
        expect(hostAt(field, { x: x + 1, y: y + 1 })).toBe(field.hosts[index]);
      }
      expect(hostAt(field, { x: 1, y: 2 })).toBeUndefined();
      expect(hostAt(field, { x: field.columns * field.cell + 1, y: 20 })).toBeUndefined();
    }
  });
});

describe('over time', () => {
  const MERGED = `clusters: [{name: web, connect_timeout: 1s, common_lb_config: {update_merge_window: 3s}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
workloads: [{cluster: web, arrivals: 100/s, stop: 20s}]
timeline:
  - {at: 5s, set_weight: {hosts: 10.0.0.1, weight: 2}}
  - {at: 6s, set_weight: {hosts: 10.0.0.1, weight: 3}}
`;

  it('updates that wait are drawn from their arrival until they go out', async () => {
    const run = await pictureOf(MERGED);
    const lane = lanesOf(clusterNamed(run, 'web')).find(({ label }) => label === 'merge wait');
    expect(lane?.stretches.map(({ fromS, toS }) => [fromS, toS])).toEqual([[6, 9]]);
  });

  it('of several events of one time the gravest is drawn, and all are named', async () => {
    const run = await pictureOf(readFileSync(join(scenarios, 'showcase.yaml'), 'utf8'));
    const mark = marksOf(run, 'checkout').find(({ t }) => t === 30);
    expect(mark?.shape.name).toBe('panic');
    expect(mark?.title).toMatch(/stops answering.*panic in priority 1/);
    expect(marksOf(run, 'another').every(({ shape }) => shape.name === 'timeline')).toBe(true);
  });
});
