import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Messages } from '../../src/config/api/generated/read-messages.js';
import type { StatsConfig } from '../../src/config/metrics.js';
import { prometheusText } from '../../src/stats/prometheus.js';
import { StatsStore } from '../../src/stats/store.js';
import { expositionProblems } from '../support/exposition.js';

type TagSpecifier = Messages['config.metrics.v2.TagSpecifier'];

const never = (): boolean => false;

function exposition(statsTags: readonly TagSpecifier[], names: readonly string[], useAllDefaultTags?: boolean): string {
  const config: StatsConfig = { statsTags: [...statsTags], useAllDefaultTags, statsMatcher: undefined };
  const store = new StatsStore(config, '1.40');
  const values = { counters: {} as Record<string, number>, gauges: {} as Record<string, number> };
  for (const [index, name] of names.entries()) {
    if (index % 3 === 0) values.counters[name] = index;
    else if (index % 3 === 1) values.gauges[name] = index;
    else for (let value = 1; value < 10_000; value *= 3) store.sample(name, value);
  }
  const snapshot = store.flush(0, values, never);
  return prometheusText([
    { snapshot, labels: [{ name: 'proxy', value: 'one' }] },
    { snapshot, labels: [{ name: 'proxy', value: 'other' }] },
  ]);
}

describe('the checker', () => {
  it.each([
    ['a 1\n', 'not below the TYPE of its metric'],
    ['# TYPE a counter\na{="x"} 1\n', 'no label name'],
    ['# TYPE a counter\na{1x="x"} 1\n', 'no label name'],
    ['# TYPE a counter\na{x="1",x="2"} 1\n', 'a label twice'],
    ['# TYPE a counter\na{x="1"} 1\na{x="1"} 1\n', 'the same series twice'],
    ['# TYPE a counter\n# TYPE a gauge\n', 'second TYPE of a metric'],
    ['# TYPE a counter\na{x="q"u"} 1\n', 'no end of labels'],
    ['# TYPE a counter\na{x="\\q"} 1\n', 'no label'],
    ['# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum{} 1\na_count{} 1\n', 'not cumulative'],
    ['# TYPE a histogram\na_bucket{le="1"} 1\na_sum{} 1\na_count{} 1\n', 'does not hold all'],
  ])('finds what is wrong with %j', (text, problem) => {
    expect(expositionProblems(text).join('\n')).toContain(problem);
  });
});

describe('an exposition', () => {
  it('is valid whatever tags there are', () => {
    const tagName = fc.oneof(
      fc.constantFrom('a.b', 'a_b', '1x', '__name__', 'le', 'proxy', 'é'),
      fc.string({ maxLength: 3 }),
    );
    const tag = fc.oneof(
      fc.record({
        tagName,
        regex: fc.constant(undefined),
        fixedValue: fc.oneof(fc.constantFrom('q"u\\o\nte', ''), fc.string({ maxLength: 3 })),
      }),
      fc.record({
        tagName,
        regex: fc.constantFrom('(up)', '^cluster\\.((\\w+)\\.)', '_(\\w+)$', '(.*)', '(m.*)'),
        fixedValue: fc.constant(undefined),
      }),
    );
    const name = fc.oneof(
      fc
        .constantFrom('up', 'down', 'a"b\\c')
        .chain((cluster) =>
          fc.constantFrom('x', 'membership_total', 'upstream_rq_503').map((stat) => `cluster.${cluster}.${stat}`),
        ),
      fc.string({ minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        fc.array(tag, { maxLength: 4 }),
        fc.uniqueArray(name, { maxLength: 12 }),
        fc.boolean(),
        (tags, names, defaults) => {
          expect(expositionProblems(exposition(tags, names, defaults))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('adds up what tags have made one', () => {
    const cut: TagSpecifier = { tagName: 't', regex: '(_\\w)', fixedValue: undefined };
    const text = exposition([cut, { ...cut, tagName: 'u', regex: '(a|b)$' }], ['x_a', 'g', 'h_a', 'x_b', 'g2', 'h_b']);
    expect(text).toContain('proxy_x{t="_a",u="a",proxy="one"} 0\n');
    const store = new StatsStore(
      { statsTags: [{ ...cut, regex: '(_.)()' }], useAllDefaultTags: false, statsMatcher: undefined },
      '1.40',
    );
    const snapshot = store.flush(0, { counters: { x_a: 2, x_b: 3 }, gauges: { x_c: 7 } }, never);
    expect(prometheusText([{ snapshot, labels: [] }])).toBe(
      '# TYPE proxy_x counter\nproxy_x{t=""} 5\n# TYPE proxy_x_gauge gauge\nproxy_x_gauge{t=""} 7\n',
    );
  });
});
