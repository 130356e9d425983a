import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StatsConfig } from '../../src/config/metrics.js';
import { flushLines, statsdLine } from '../../src/stats/statsd.js';
import { StatsStore } from '../../src/stats/store.js';
import { prometheusText } from '../../src/stats/prometheus.js';
import { selected, type StatsQuery } from '../../src/web/pages/stats.js';

const plain = { prefix: '', tagged: false };
const tagged = { prefix: '', tagged: true };
const never = (): boolean => false;

describe('lines of a flush', () => {
  it('hold deltas of every counter ever used, then every gauge ever set', () => {
    const store = new StatsStore(undefined, '1.40');
    const at = (total: number, active: number): string[] =>
      flushLines(
        plain,
        store.flush(
          0,
          {
            counters: { 'cluster.up.upstream_rq_total': total, 'cluster.up.upstream_rq_timeout': 0 },
            gauges: { 'cluster.up.upstream_rq_active': active, 'cluster.up.membership_degraded': 0 },
          },
          (name) => name.endsWith('membership_degraded'),
        ),
      );
    expect(at(0, 0)).toEqual(['proxy.cluster.up.membership_degraded:0|g']);
    expect(at(9, 1)).toEqual([
      'proxy.cluster.up.upstream_rq_total:9|c',
      'proxy.cluster.up.upstream_rq_active:1|g',
      'proxy.cluster.up.membership_degraded:0|g',
    ]);
    expect(at(9, 0).slice(0, 2)).toEqual([
      'proxy.cluster.up.upstream_rq_total:0|c',
      'proxy.cluster.up.upstream_rq_active:0|g',
    ]);
    expect(at(30, 0)[0]).toBe('proxy.cluster.up.upstream_rq_total:21|c');
  });

  it('take a prefix as it is, and an empty one for the default', () => {
    const stat = new StatsStore(undefined, '1.40').stat('cluster.up.x');
    if (stat === undefined) throw new Error('it exists');
    expect(statsdLine({ prefix: 'a:b|c.', tagged: false }, stat, 1, 'c')).toBe('a:b|c..cluster.up.x:1|c');
    expect(statsdLine(tagged, stat, 47, 'ms')).toBe('proxy.cluster.x:47|ms|#proxy.cluster_name:up');
  });

  it('hold nothing that the matcher rejects', () => {
    const config = {
      statsTags: [],
      useAllDefaultTags: undefined,
      statsMatcher: { rejectAll: true, inclusionList: undefined, exclusionList: undefined },
    };
    const store = new StatsStore(config, '1.40');
    expect(store.sample('cluster.up.upstream_rq_time', 3)).toBeUndefined();
    const snapshot = store.flush(0, { counters: { a: 1 }, gauges: { b: 1 } }, never);
    expect(snapshot).toEqual({ timeUs: 0, counters: [], gauges: [], histograms: [] });
  });

  it('close an interval of samples', () => {
    const store = new StatsStore(undefined, '1.40');
    store.sample('h', 3);
    const none = { counters: {}, gauges: {} };
    const [first] = store.flush(0, none, never).histograms;
    store.sample('h', 4);
    const [second] = store.flush(1, none, never).histograms;
    expect([first?.interval.count, second?.interval.count, second?.cumulative.count]).toEqual([1, 1, 2]);
  });
});

interface Recorded {
  readonly whole_flush_run1_idle_flush_statsd_udp: readonly string[];
  readonly whole_flush_run1_idle_flush_tagged_udp_600: readonly string[];
}

/** Real lines, where the recordings are at hand. */
const recorded = ((): Recorded | undefined => {
  try {
    const url = new URL('../../../shared/fixtures/statsd-lines.json', import.meta.url);
    return JSON.parse(readFileSync(url, 'utf8')) as Recorded;
  } catch {
    return undefined;
  }
})();

describe.runIf(recorded !== undefined)('a recorded flush', () => {
  it('is written by both sinks, line by line, for the same names and counts', () => {
    const config: StatsConfig = {
      statsTags: [{ tagName: 'fixed', regex: undefined, fixedValue: 'fx:1' }],
      useAllDefaultTags: undefined,
      statsMatcher: undefined,
    };
    const store = new StatsStore(config, '1.40');
    const lines = recorded?.whole_flush_run1_idle_flush_statsd_udp ?? [];
    const values: { counters: Record<string, number>; gauges: Record<string, number> } = { counters: {}, gauges: {} };
    for (const line of lines) {
      const [, name = '', value, kind] = /^proxy\.(.*):(\d+)\|([cg])$/.exec(line) ?? [];
      (kind === 'c' ? values.counters : values.gauges)[name] = Number(value);
    }
    // Counters that did not change were used before.
    const before = Object.fromEntries(Object.keys(values.counters).map((name) => [name, 1]));
    store.flush(0, { counters: before, gauges: {} }, never);
    for (const name of Object.keys(before)) values.counters[name] = (values.counters[name] ?? 0) + 1;
    const snapshot = store.flush(1, values, () => true);
    expect(lines.length).toBeGreaterThan(90);
    expect(flushLines(plain, snapshot)).toEqual(lines);
    expect(flushLines({ prefix: 'px', tagged: true }, snapshot)).toEqual(
      (recorded?.whole_flush_run1_idle_flush_tagged_udp_600 ?? []).flatMap((datagram) => datagram.split('\n')),
    );
  });
});

describe('an exposition', () => {
  it('groups by kind and name, with tags as labels', () => {
    const store = new StatsStore(undefined, '1.40');
    for (const value of [1, 31, 40, 42, 55, 470]) store.sample('cluster.ring.upstream_rq_time', value);
    const values = {
      counters: { 'cluster.a.upstream_rq_200': 3, 'cluster.b.upstream_rq_503': 2, 'cluster.a.upstream_rq_timeout': 0 },
      gauges: { 'server.live': 1 },
    };
    const snapshot = store.flush(0, values, never);
    const page = (query: StatsQuery): string => prometheusText([{ snapshot: selected(snapshot, query), labels: [] }]);
    const text = page({ filter: () => true, usedOnly: true, type: 'All' });
    expect(text.split('\n').slice(0, 7)).toEqual([
      '# TYPE proxy_cluster_upstream_rq counter',
      'proxy_cluster_upstream_rq{proxy_response_code="200",proxy_cluster_name="a"} 3',
      'proxy_cluster_upstream_rq{proxy_response_code="503",proxy_cluster_name="b"} 2',
      '# TYPE proxy_server_live gauge',
      'proxy_server_live{} 1',
      '# TYPE proxy_cluster_upstream_rq_time histogram',
      'proxy_cluster_upstream_rq_time_bucket{proxy_cluster_name="ring",le="0.5"} 0',
    ]);
    // As a proxy answered for these six samples.
    const bucket = (bound: string, count: number): string =>
      `proxy_cluster_upstream_rq_time_bucket{proxy_cluster_name="ring",le="${bound}"} ${count}\n`;
    const expected: readonly [string, number][] = [
      ['1', 1],
      ['25', 1],
      ['50', 4],
      ['100', 5],
      ['250', 5],
      ['500', 6],
      ['+Inf', 6],
    ];
    for (const [bound, count] of expected) expect(text).toContain(bucket(bound, count));
    expect(text).toContain('proxy_cluster_upstream_rq_time_sum{proxy_cluster_name="ring"} 645.970491\n');
    expect(text).toContain('proxy_cluster_upstream_rq_time_count{proxy_cluster_name="ring"} 6\n');
    const isLive = (name: string): boolean => name === 'server.live';
    expect(page({ filter: isLive, usedOnly: false, type: 'All' })).toBe(
      '# TYPE proxy_server_live gauge\nproxy_server_live{} 1\n',
    );
  });
});
