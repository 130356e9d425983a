import { afterEach, expect, it, vi } from 'vitest';
import { LinearRegex } from '../../src/core/regex/linear-regex.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { flushLines, statsdLine } from '../../src/stats/statsd.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const tagged = { prefix: '', tagged: true };

/** How often expressions are asked in a run that flushes every 100 ms and writes every line with tags. */
async function asked(seconds: number): Promise<{ readonly matches: number; readonly searches: number; lines: number }> {
  const { scenario } = loadScenario({
    file: 's.yaml',
    text: `
name: s
duration: ${seconds}s
proxies:
  - stats_flush_interval: 100ms
    stats_config:
      stats_tags: [{tag_name: kind, regex: "upstream_(cx|rq)_"}]
      stats_matcher: {exclusion_list: {patterns: [{safe_regex: {regex: ".*_overflow"}}]}}
clusters: [{name: c}]
endpoints: {c: ["10.0.0.1:80", "10.0.0.2:80"]}
behavior: [{hosts: {}, service_time: 5ms}]
workloads: [{name: w, cluster: c, arrivals: {constant: 200/s}}]
`,
  });
  if (scenario === undefined) throw new Error('it loads');
  const matches = vi.spyOn(LinearRegex.prototype, 'matches');
  const searches = vi.spyOn(LinearRegex.prototype, 'search');
  let lines = 0;
  await runScenario(scenario, {
    stats: {
      onFlush: ({ snapshot }) => (lines += flushLines(tagged, snapshot).length),
      onSample: (_, stat, value) => (lines += Number(statsdLine(tagged, stat, value, 'ms') !== '')),
    },
  });
  const counts = { matches: matches.mock.calls.length, searches: searches.mock.calls.length, lines };
  vi.restoreAllMocks();
  return counts;
}

it('the matcher and the tags of a statistic are worked out once, however often it is counted, sampled and sent', async () => {
  const short = await asked(2);
  const long = await asked(20);
  expect(long.lines).toBeGreaterThan(8 * short.lines);
  expect(long.matches).toBe(short.matches);
  expect(long.searches).toBe(short.searches);
  expect(short.matches).toBeGreaterThan(0);
  expect(short.searches).toBeGreaterThan(0);
});
