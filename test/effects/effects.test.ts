import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { unsupportedFeatures } from '../../src/analysis/run/unsupported.js';
import { lbsim } from '../cli/harness.js';
import { Messages } from '../generated/messages.js';
import { CLUSTER_EFFECTS } from './cluster-effects.js';
import { PROTECTION_EFFECTS } from './protection-effects.js';
import { PROXY_EFFECTS } from './proxy-effects.js';
import { ROUTING_EFFECTS, ROUTING_WORDS } from './routing-effects.js';
import { SCENARIO_EFFECTS } from './scenario-effects.js';
import { V3_EFFECTS } from './v3-effects.js';
import { v3Fields } from '../support/v3-fields.js';
import { type Effect, variant } from './variants.js';
import { WORD_EFFECTS } from './word-effects.js';

/**
 * No option is read and ignored: the reference pages say of each field whether it is acted on, and here each of those
 * is changed in a scenario of its own, which must then come out differently.
 */
const EFFECTS = [...CLUSTER_EFFECTS, ...PROTECTION_EFFECTS, ...PROXY_EFFECTS, ...ROUTING_EFFECTS];
const WORDS = [...SCENARIO_EFFECTS, ...WORD_EFFECTS, ...ROUTING_WORDS];

/** What is acted on and cannot be seen in one run of the command line, and where it is tested instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // What it holds is told before the answer, or has no effect.
  'Cluster.common_http_protocol_options': 'test/effects/not-simulated.test.ts: its fields are told',
  'config.metrics.v2.DashboardSink.num_buckets': 'test/stats/dashboard.test.ts: the window of the event stream',
  'route.RouteAction.HashPolicy.Cookie.path': 'test/simulation/routing.test.ts: what Set-Cookie says',
  'route.RouteAction.HashPolicy.FilterState.key': 'test/effects/not-simulated.test.ts: filter_state is told',
  'config.metrics.v2.StatsdSink.address': 'test/sink/senders.test.ts: where datagrams arrive',
  'config.metrics.v2.TaggedStatsdSink.address': 'test/sink/senders.test.ts: where datagrams arrive',
};

/** What cookies say beside their value shows in records of requests alone. */
const COOKIES = 'test/simulation/routing.test.ts: what Set-Cookie says';
const V3_ELSEWHERE: Readonly<Record<string, string>> = {
  'config.route.v3.RouteAction.HashPolicy.Cookie.attributes': COOKIES,
  'config.route.v3.RouteAction.HashPolicy.CookieAttribute.name': COOKIES,
  'config.route.v3.RouteAction.HashPolicy.CookieAttribute.value': COOKIES,
};

const folder = mkdtempSync(join(tmpdir(), 'lbsim-effects-'));
afterAll(() => rmSync(folder, { recursive: true }));

const trace = (name: string): string => (name === 'one.csv' ? '0\n0.1\n' : '0\n0.2\n0.3\n');

async function outcome({ shows }: Effect, text: string): Promise<string> {
  if (shows === 'verdict') return (await lbsim(['validate', '-', '--json'], { stdin: text })).stdout;
  if (shows === 'sinks') {
    const file = join(folder, 'lines.txt');
    const { code, stderr } = await lbsim(['run', '-', '--json', '--stats-file', file, '--force'], { stdin: text });
    if (code !== 0) throw new Error(stderr);
    return readFileSync(file, 'utf8');
  }
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { readFile: trace });
  if (scenario === undefined) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  expect(unsupportedFeatures(scenario)).toEqual([]);
  const result = await runScenario(scenario);
  // The words of an expectation are only echoed: what was measured, and whether it passed, must differ.
  const measured = result.expect.map(({ passed, actual }) => ({ passed, actual }));
  return JSON.stringify({ ...result, expect: measured });
}

describe('a field that is acted on changes what comes out', () => {
  it.each([...EFFECTS, ...V3_EFFECTS, ...WORDS].map((effect) => [effect.field, effect] as const))(
    '%s',
    async (field, effect) => {
      const [first, second] = [variant(effect.text, 0), variant(effect.text, 1)];
      expect(first).not.toBe(second);
      const name = field.slice(field.lastIndexOf('.') + 1);
      // Else another field would be the one that makes the difference.
      expect(first + second).toContain(name);
      if (effect.shows === 'verdict') expect(await outcome(effect, first)).toContain('"valid": true');
      expect((await outcome(effect, first)) === (await outcome(effect, second))).toBe(false);
    },
  );
});

it('every field that the reference calls acted on is among them, and no other', () => {
  const acted = new Messages().actedOn();
  const shown = [...EFFECTS.map(({ field }) => field), ...Object.keys(ELSEWHERE)];
  expect(acted.filter((field) => !shown.includes(field))).toEqual([]);
  expect(shown.filter((field) => !acted.includes(field))).toEqual([]);
});

it('every field that only v3 has and that is read is among them, and no other', () => {
  const read = v3Fields().flatMap(({ id, isRead }) => (isRead ? [id] : []));
  const shown = [...V3_EFFECTS.map(({ field }) => field), ...Object.keys(V3_ELSEWHERE)];
  expect(shown.toSorted()).toEqual(read.toSorted());
});

/** Words for people and their editors, which no run sees. */
const SILENT = ['scenario.$schema', 'scenario.description'];

it('every word of a scenario is among them, and no other', () => {
  const words = new Messages().words();
  const shown = new Set(WORDS.map(({ field }) => field));
  expect(words.filter((field) => !shown.has(field))).toEqual(SILENT);
  expect([...shown].filter((field) => !words.includes(field))).toEqual([]);
});
