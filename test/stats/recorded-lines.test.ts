import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StatsdFormat } from '../../src/stats/statsd.js';
import { statsdLine } from '../../src/stats/statsd.js';
import { StatsStore } from '../../src/stats/store.js';

/**
 * Lines that a real proxy (1.40.0) put on the wire, written again from the name, the value and the kind in them. The
 * tags of a line tell what was cut out of its name, so the full name can be put together again.
 */

interface Recording {
  readonly samples: readonly { readonly run: string; readonly sink: string; readonly data: string }[];
  readonly whole_flush_run1_second_flush_statsd_udp: readonly string[];
  readonly whole_flush_run1_idle_flush_statsd_udp: readonly string[];
  readonly whole_flush_run1_idle_flush_tagged_udp_600: readonly string[];
  readonly one_request_timers_tagged_run1: readonly string[];
  readonly counter_and_gauge_series_run1: Readonly<Record<string, readonly (readonly [number, string])[]>>;
}

const FIXED = { tagName: 'fixed', regex: undefined, fixedValue: 'fx:1' };

/** A few of them that are always at hand. */
const FEW: readonly [prefix: string, line: string][] = [
  ['proxy', 'proxy.cluster.co_lon|pi#pe.membership_change:1|c'],
  ['proxy', 'proxy.cluster.up.zone.z1.z2.upstream_rq_503:0|c'],
  ['proxy', 'proxy.cluster.up.alt_name.membership_excluded:0|g'],
  ['my.pre', 'my.pre.cluster.up.external.upstream_rq_time:47|ms'],
  ['proxy', 'proxy.server.live:1|g|#fixed:fx:1'],
  ['px', 'px.cluster.upstream_rq:0|c|#proxy.response_code:404,fixed:fx:1,proxy.cluster_name:up'],
  ['px', 'px.cluster.zone.z1.z2.upstream_rq:0|c|#proxy.response_code:503,fixed:fx:1,proxy.cluster_name:up'],
  ['px', 'px.cluster.external.upstream_rq_xx:0|c|#proxy.response_code_class:2,fixed:fx:1,proxy.cluster_name:up'],
  [
    'px',
    'px.http.downstream_rq_xx:0|c|#proxy.response_code_class:4,fixed:fx:1,proxy.http_conn_manager_prefix:ing_ress',
  ],
  ['proxy', 'proxy.cluster.upstream_cx_connect_ms:0|ms|#fixed:fx:1,proxy.cluster_name:up'],
  ['proxy', 'proxy.cluster.ted.membership_total:1|g|#proxy.cluster_name:dot'],
  ['proxy', 'proxy.cluster.upstream_rq_headers_size:209|ms|#proxy.cluster_name:up'],
];

/** The full name behind the name of a line, by the default tags on it. */
function fullName(cut: string, tags: ReadonlyMap<string, string>): string {
  let name = cut;
  const code = tags.get('proxy.response_code');
  const family = tags.get('proxy.response_code_class');
  if (code !== undefined) name = `${name}_${code}`;
  if (family !== undefined) name = name.replace(/_rq_xx$/, `_rq_${family}xx`);
  for (const [tag, scope] of [
    ['proxy.cluster_name', 'cluster.'],
    ['proxy.http_conn_manager_prefix', 'http.'],
  ] as const) {
    const value = tags.get(tag);
    if (value !== undefined) name = name.replace(scope, `${scope}${value}.`);
  }
  return name;
}

/** What is written for the statistic, the value and the kind that a line is about. */
function written(prefix: string, line: string): string {
  const [, cut = '', value = '', kind = '', list = ''] =
    /^(.*):(\d+)\|(c|g|ms)(?:\|#(.*))?$/.exec(line.slice(prefix.length + 1)) ?? [];
  const tags = new Map<string, string>();
  for (const tag of list === '' ? [] : list.split(',')) {
    tags.set(tag.slice(0, tag.indexOf(':')), tag.slice(tag.indexOf(':') + 1));
  }
  const statsTags = tags.has('fixed') ? [FIXED] : [];
  const store = new StatsStore({ statsTags, useAllDefaultTags: undefined, statsMatcher: undefined }, '1.40');
  const stat = store.stat(fullName(cut, tags));
  if (stat === undefined) throw new Error('it exists');
  const format: StatsdFormat = { prefix: prefix === 'proxy' ? '' : prefix, tagged: list !== '' };
  return statsdLine(format, stat, Number(value), kind as 'c' | 'g' | 'ms');
}

it.each(FEW)('%s: %s', (prefix, line) => {
  expect(written(prefix, line)).toBe(line);
});

const file = new URL('../../../shared/fixtures/statsd-lines.json', import.meta.url);
const recording = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recording) : undefined;
if (recording === undefined)
  console.log(`notice: ${file.pathname} is not there, so only a few recorded lines are replayed`);

describe.runIf(recorded())('a recording', () => {
  it('is written again, line by line', () => {
    const prefixOf = (sink: string): string => ({ statsd_tcp: 'my.pre', tagged_udp_600: 'px' })[sink] ?? 'proxy';
    const lines = (recording?.samples ?? [])
      .flatMap(({ sink, data }) =>
        data
          .split('\n')
          // A read or a datagram may have been cut off in the recording.
          .filter((line) => /\|(c|g|ms)(\|#.*)?$/.test(line))
          .map((line): [string, string] => [prefixOf(sink), line]),
      )
      .concat(
        [
          ...(recording?.whole_flush_run1_second_flush_statsd_udp ?? []),
          ...(recording?.whole_flush_run1_idle_flush_statsd_udp ?? []),
          ...(recording?.one_request_timers_tagged_run1 ?? []),
        ].map((line) => ['proxy', line]),
        (recording?.whole_flush_run1_idle_flush_tagged_udp_600 ?? [])
          .flatMap((datagram) => datagram.split('\n'))
          .map((line) => ['px', line]),
      );
    expect(lines.length).toBeGreaterThan(500);
    // A tag list that was cut off cannot be told from a whole one by its end alone.
    const whole = lines.filter(([, line]) => !line.includes('|#') || /:[^,:]+$/.test(line));
    expect(whole.map(([prefix, line]) => written(prefix, line))).toEqual(whole.map(([, line]) => line));
  });

  it('has the deltas of counters and the values of gauges flush by flush', () => {
    for (const [name, series] of Object.entries(recording?.counter_and_gauge_series_run1 ?? {})) {
      const store = new StatsStore(undefined, '1.40');
      let value = 0;
      for (const [, text] of series) {
        const [number = '', kind] = text.split('|');
        value = kind === 'c' ? value + Number(number) : Number(number);
        const counters: Record<string, number> = kind === 'c' ? { [name]: value } : {};
        const gauges: Record<string, number> = kind === 'g' ? { [name]: value } : {};
        const snapshot = store.flush(0, { counters, gauges }, () => true);
        const [counter] = snapshot.counters;
        const [gauge] = snapshot.gauges;
        expect(`${counter?.delta ?? gauge?.value ?? -1}|${counter === undefined ? 'g' : 'c'}`).toBe(text);
        expect(counter?.used ?? gauge?.used).toBe(true);
      }
    }
  });
});

function recorded(): boolean {
  return recording !== undefined;
}
