import { expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { explainReport, explainRequestReport } from '../../src/report/explain-report.js';
import { PLAIN } from '../../src/report/layout.js';
import { predictionReport } from '../../src/report/prediction-report.js';
import { textReport } from '../../src/report/run/text-report.js';
import { explain, explainRequest } from '../../src/words/library.js';
import { run, scenarioOf } from '../support/run.js';

/** What goes over TCP are connections, in every report. */

const LAYOUT = { width: 100, bars: false, paint: PLAIN, all: true };
const sent = { arrivals: { constant: '100/s' }, stop: '1s' };
const over = (tcp: object, behavior: readonly object[] = [], ...more: readonly string[]): unknown => ({
  clusters: ['c', ...more].map((name) => ({ name })),
  endpoints: Object.fromEntries(
    ['c', ...more].map((name) => [name, ['10.0.0.1:80', { address: '10.0.0.2:80', weight: 3 }]]),
  ),
  behavior,
  workloads: [{ cluster: 'c', ...sent, ...tcp }, ...more.map((cluster) => ({ cluster, ...sent }))],
});
const TCP = { tcp: { lifetime: '20ms', max_connect_attempts: 2, max_downstream_connection_duration: '1s' } };
const DOWN = [{ hosts: '10.0.0.2:80', down: 'refuse' }];

it.each([
  ['all is well', []],
  ['a host refuses them', DOWN],
])('of a run: %s', async (_, behavior) => {
  const result = await run(over(TCP, behavior));
  const text = textReport(result, LAYOUT) + textReport(result, { ...LAYOUT, full: true, all: false });
  expect(text).toContain('100 connections');
  expect(text).not.toMatch(/request/);
});

it('of a prediction that there is none', async () => {
  const of = over({ tcp: { lifetime: '20ms', max_connect_attempts: 2 } }, DOWN) as { clusters: object[] };
  const scenario = scenarioOf({ ...of, clusters: [{ name: 'c', lb_policy: 'RING_HASH' }] });
  const text = [...predictionReport(await predict(scenario), LAYOUT)].join('\n');
  expect(text).toContain('no prediction');
  expect(text).toContain('has no hash_key');
  expect(text).not.toMatch(/request/);
});

it('of a run with both', async () => {
  const text = textReport(await run(over(TCP, [], 'd')), { ...LAYOUT, full: true });
  expect(text).toContain('200 requests and connections');
  expect(text).toMatch(/^c +ROUND_ROBIN · 2 hosts · 100 connections$/m);
  expect(text).toMatch(/^d +ROUND_ROBIN · 2 hosts · 100 requests$/m);
});

it('of a prediction', async () => {
  const text = [...predictionReport(await predict(scenarioOf(over(TCP))), LAYOUT)].join('\n');
  expect(text).toContain('100 connections');
  expect(text).not.toMatch(/request/);
});

it.each([
  ['one that is held', [], ['Connection 5', 'held by 10.0.0.', 'goes to c (2 attempts to connect, closed after 1 s)']],
  ['one that nobody takes', [{ down: 'refuse' }], ['Connection 5', 'no host took it', 'closed 0 ms later']],
])('of the way of %s', async (_, behavior, parts) => {
  const explained = await explainRequest(scenarioOf(over(TCP, behavior)), 5);
  const text = explainRequestReport(explained, LAYOUT).replaceAll(/\s+/g, ' ');
  for (const part of parts) expect(text).toContain(part);
  expect(text).not.toMatch(/[Rr]equest|client gets|answers/);
});

it('of a decision', async () => {
  const text = explainReport(await explain(scenarioOf(over(TCP))), LAYOUT);
  expect(text).toMatch(/^At 0 s c \(ROUND_ROBIN\) sends the connection to /);
});
