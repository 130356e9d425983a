import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/index.js';
import { appendTo, CannotEdit, setIn } from '../../src/site/engine/levers.js';
import { lineDiff } from '../../src/site/line-diff.js';
import type { Lever } from '../../src/site/engine/levers.js';
import { leverInWords, pulled } from '../../src/site/engine/levers.js';
import { Engine } from '../../src/site/engine/engine.js';

describe('a change of a text', () => {
  it.each([
    ['adds a list', 'a: 1\n', 'a: 1\nt:\n  - x\n'],
    ['adds a list behind a text without an end of line', 'a: 1', 'a: 1\nt:\n  - x\n'],
    ['adds to a block', 't:\n  - y # why\n# note\na: 1\n', 't:\n  - y # why\n  - x\n# note\na: 1\n'],
    ['adds to a block at the column of its key', 't:\n- {a: 1}\n', 't:\n- {a: 1}\n- x\n'],
    ['adds behind an entry of several lines', 't:\n  - a: 1\n    b: 2\n', 't:\n  - a: 1\n    b: 2\n  - x\n'],
    ['adds behind the last line', 't:\n  - y', 't:\n  - y\n  - x\n'],
    ['adds to a list in brackets', 't: [y]\n', 't: [y, x]\n'],
    ['adds to an empty one', 't: []\n', 't: [x]\n'],
    ['adds a list to JSON', '{"a": 1}\n', '{"a": 1, t: [x]}\n'],
  ])('%s', (_, before, after) => {
    expect(appendTo(before, 't', ['x'])).toBe(after);
  });

  it.each([
    ['replaces', 'a: {b: 1, c: 2} # why\n', 'a: {b: 9, c: 2} # why\n'],
    ['replaces in a block', 'a:\n  b: 1 # why\n  c: 2\n', 'a:\n  b: 9 # why\n  c: 2\n'],
    ['adds to a map in braces', 'a: {c: 2}\n', 'a: {c: 2, b: 9}\n'],
    ['adds to a block', 'a:\n  c: 2\nd: 3\n', 'a:\n  c: 2\n  b: 9\nd: 3\n'],
    ['adds maps on the way', 'd: 3\n', 'd: 3\na: {b: 9}\n'],
  ])('%s', (_, before, after) => {
    expect(setIn(before, ['a', 'b'], '9')).toBe(after);
  });

  it.each(['a: [', '- 1\n', 't: 3\n'])('is refused in %j', (text) => {
    expect(() => appendTo(text, 't', ['x'])).toThrow(CannotEdit);
  });

  it('is told as the lines that differ', () => {
    const differ = (before: string, after: string): readonly string[] =>
      lineDiff(before, after).map(([sign, line]) => `${sign}${line}`);
    expect(differ('a\nb\nc\n', 'a\nb\nx\ny\nc\n')).toEqual(['+x', '+y']);
    expect(differ('a\nb\n', 'a\nB\n')).toEqual(['−b', '+B']);
    expect(differ('a\nb\nc\nd\ne\n', 'a\nB\nc\ne\nf\n')).toEqual(['−b', '+B', '−d', '+f']);
    expect(differ('a\n', 'a')).toEqual([]);
  });
});

describe('a lever', () => {
  const name = 'yes: "no"';
  const TEXT = `clusters:
  - {name: web, connect_timeout: 1s}
  - name: ${JSON.stringify(name)}
    connect_timeout: 1s
endpoints:
  web: [{address: 10.0.0.1:80, zone: a}, {address: "[::1]:80", locality: {zone: a, sub_zone: x/y}}]
  ${JSON.stringify(name)}: [{address: 10.0.0.3:80, zone: ${JSON.stringify(name)}}]
workloads: [{name: ${JSON.stringify(name)}, cluster: web, arrivals: 10/s, stop: 10s}]
`;
  const levers: readonly Lever[] = [
    { kind: 'kill', atS: 1.5, hosts: { address: '[::1]:80' } },
    { kind: 'kill', atS: 0, hosts: { cluster: name, locality: { zone: name } } },
    { kind: 'kill', atS: 0, hosts: { cluster: 'web', locality: { region: '', zone: 'a', sub_zone: 'x/y' } } },
    { kind: 'revive', atS: 2, hosts: { address: '10.0.0.1:80' } },
    { kind: 'weight', atS: 2, hosts: { address: '10.0.0.1:80' }, weight: 7 },
    { kind: 'rate', atS: 3, workload: name, perSecond: 20 },
    { kind: 'policy', cluster: name, policy: 'MAGLEV' },
    { kind: 'panic', cluster: 'web', percent: 30 },
    { kind: 'panic', cluster: name, percent: 0 },
  ];

  it.each(levers.map((lever) => [lever.kind, lever] as const))('%s makes a scenario that loads', (_, lever) => {
    const after = pulled(TEXT, lever);
    expect(after).not.toBe(TEXT);
    const { problems } = loadScenario({ file: 'a.yaml', text: after });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('may be pulled again and again', () => {
    const after = levers.reduce((text, lever) => pulled(text, lever), TEXT);
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text: after });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(scenario?.timeline).toHaveLength(10);
    expect(scenario?.clusters[1]?.lbPolicy).toBe('MAGLEV');
  });

  it('kills the whole loss that the page found, host by host', async () => {
    const engine = new Engine({ onProgress: () => undefined, nowMs: () => 0, turn: () => Promise.resolve() });
    const text = `clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2, zone: a}, {address: 10.0.1.1:80, count: 3, zone: b}]}
workloads: [{cluster: web, arrivals: 10/s, stop: 10s}]
`;
    const subject = { files: [{ file: 'a.yaml', text }], overrides: {} };
    const { rows, notes } = await engine.losses({ subject, cluster: 'web' });
    expect(rows.map(({ harm, loss, proven }) => [harm, loss, proven])).toEqual([
      ['panic', '1 of 2 zones: b', true],
      ['failures', '1 of 2 zones: b', true],
      ['panic', '3 of 5 hosts: 10.0.0.1:80, 10.0.0.2:80, 10.0.1.1:80', true],
      ['failures', '3 of 5 hosts: 10.0.0.1:80, 10.0.0.2:80, 10.0.1.1:80', true],
    ]);
    expect(notes.join()).toContain('No capacity is known: give hosts a concurrency');
    expect(notes.join()).not.toContain('--');
    const { failed, fullest, edges } = await engine.lossCurve({ subject, cluster: 'web' });
    expect(failed).toEqual([0, 0, 0, 0.6, 0.8, 1].map((part) => expect.closeTo(part, 9) as number));
    expect(fullest).toEqual([]);
    expect(edges).toEqual([
      { lost: 3, what: 'panic begins' },
      { lost: 3, what: 'requests fail' },
    ]);
    const behavior = 'behavior: [{hosts: {}, service_time: 100ms, concurrency: 1}]\n';
    const slow = { files: [{ file: 'a.yaml', text: text.replace('10/s', '25/s') + behavior }], overrides: {} };
    const full = await engine.lossCurve({ subject: slow, cluster: 'web' });
    expect(full.fullest.map((load) => Math.round(load * 1000))).toEqual([500, 625, 833, 500, 500, 0]);
    expect(full.edges.map(({ what }) => what)).not.toContain('a host is above its capacity');
    const [{ addresses } = { addresses: [] }] = rows;
    const killed = loadScenario({ file: 'a.yaml', text: pulled(text, { kind: 'kill', atS: 1, hosts: { addresses } }) });
    expect(killed.scenario?.timeline.map(({ action }) => action.kind)).toEqual(
      Array.from({ length: 3 }, () => ['set_behavior', 'set_health']).flat(),
    );
    expect(leverInWords({ kind: 'kill', atS: 1, hosts: { addresses } })).toBe('3 hosts killed at 1 s');
  });
});
