import { settingsApart } from '../src/analysis/run/settings-apart.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureList } from '../src/words/happenings.js';
import { jsonDocument } from '../src/report/documents.js';
import { displayWidth, PLAIN } from '../src/report/layout.js';
import { headlineOf } from '../src/report/run/headline.js';
import { textReport } from '../src/report/run/text-report.js';
import type { ClusterResult, PhaseResult, RunResult } from '../src/words/results.js';
import { loadScenario } from '../src/scenario/load.js';
import type { Scenario } from '../src/scenario/model.js';
import { createSimulation, runScenario } from '../src/words/library.js';

/**
 * Every shipped scenario: what it claims holds, what it gave when it was recorded it still gives, and it gives it twice.
 * `npm run record` rewrites test/recorded/ after an intended change; read the difference before you commit it.
 */

const folder = join(import.meta.dirname, '../scenarios');
const recordedFolder = join(import.meta.dirname, 'recorded');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort();

function text(name: string): string {
  return readFileSync(join(folder, `${name}.yaml`), 'utf8');
}

function load(name: string): Scenario {
  const { scenario, problems } = loadScenario({ file: `${name}.yaml`, text: text(name) });
  // Notes are fine: a field newer than the v2 schema may be what a scenario is about.
  expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
  if (scenario === undefined) throw new Error(`${name} does not load`);
  return scenario;
}

/** Driven in slices of another size: how a run is driven must not show. */
async function runInSlices(scenario: Scenario): Promise<RunResult> {
  const simulation = await createSimulation(scenario);
  while (!simulation.advance(997));
  return simulation.result();
}

function screenOf(result: RunResult): string {
  const apart = settingsApart(load(result.scenario));
  return textReport(result, { width: 80, bars: false, paint: PLAIN, all: false, settingsApart: apart });
}

/**
 * Phases in which hosts refused requests or answered with errors, though each of them is said to answer as it should. Time-outs may come of a
 * queue, and what was under way when a host died belongs to the phase before.
 */
function allGreenFailures({ phases, members }: ClusterResult): PhaseResult[] {
  if (members !== undefined) return [];
  return phases.filter(({ failures, hosts }) => {
    const { connect_failure, error_status } = failures;
    if (connect_failure + error_status === 0) return false;
    return hosts.every(({ truth, health }) => truth === undefined && health === 'healthy');
  });
}

/** The number that each scenario's question asks for, as the first sentence of its report tells it. */
const ANSWERS: Readonly<Record<string, string>> = {
  'aggregate-failover': '33.5 % of requests to orders failed',
  'black-hole-host':
    '75.0 % of the requests to once and 100 % of the requests to retried succeed; the p99 latency is 943.0 ms',
  'booting-hosts-panic': '66.7 % of those to as-configured',
  'cache-of-hosts': '5.00 ms in own-host; the mean latency is 51.7 ms in any-host',
  'canary-any-endpoint': '10.0.2.1 gets 2.5 %',
  'canary-dead': 'Every request failed from 10 to 20 s',
  'canary-default-subset': 'The hosts with version=stable get 100 %',
  'canary-no-fallback': '1,035 found no host',
  'circuit-dashboard': '494, in the flushes from 22 to 38 s',
  'client-subsets': '900',
  'closed-against-open-loop': '46.8 s in production',
  'cluster-update-reconnects': '32.0 ms',
  'degraded-hosts': '35.8 %',
  'dns-connections-stay': '100 % in logical',
  'dns-strict-or-logical': 'Every request to strict failed',
  'empty-default-subset': '100 % of the requests to strict and 0 % of the requests to lenient',
  'few-statistics': 'upstream_rq_503 is left out by stats_matcher',
  'few-connections': 'cluster.two.upstream_cx_total is 2; cluster.two-again.upstream_cx_total is 1',
  'flapping-host': '2.5 % of requests to window-1s failed',
  'fleet-over-zones': '25.0 % of the requests to backend and 68.8 % of the requests to blind cross zones',
  'hedged-requests': '0 % of the requests to retried and 100 % of the requests to hedged succeed',
  'keys-subset-chain': '10.0.0.1 gets 20.0 %',
  'least-connections-long': '50.0 % in haproxy and 41.3 % in proxy',
  'least-request-slow-host': '9.1 % in least-request',
  'locality-weights-partial-health': '62.7 %',
  'mirror-without-hash': '10.0.2.1 gets 100 % in copies-by-user',
  'original-dst-cleanup': '21.0 ms',
  'outlier-two-hosts': '50.0 % of those to through-new',
  'panic-at-the-edge': '60.0 % of those to threshold-50',
  'panic-hides-outage': '18,800',
  'peak-ewma-slow-host': '0.05 % in latency',
  'power-of-two-choices': '27.8 ms in least-request, 49.0 ms in rotation and 100.7 ms in random',
  'prequal-many-proxies': '0.82 % in asking',
  'priority-failover': 'Priority 1 gets 0 % from 10 to 20 s and 16.2 %',
  'removed-but-healthy': '25.0 % in trusts-checks',
  'rendezvous-host-leaves': '24.7 % of the keys',
  'retry-meets-same-host': '11.0 % of those to plain',
  'retry-storm': '100.0 % of those to no-limit from 12 to 62.2 s',
  'ring-vs-maglev-host-leaves': '% of the keys of ring-1024',
  'rolling-deploy': '400 could not connect',
  showcase: '50.0 % of requests failed',
  'sizes-of-requests': '46.9 ms in mixed and 34.8 ms in even',
  'slow-start': '3.3 % in slow from 30 to 31 s, 13.8 %',
  'smooth-weights': '71.4 %',
  'starved-by-updates': '0 % in restless',
  'statsd-over-udp': '72, in the flushes from 2 to 18 s, every 2 s',
  'sticky-canary': 'Canary gets 0 attempts',
  'tagged-statsd': 'as proxy.cluster.upstream_rq: tags proxy.response_code:503',
  'tcp-connect-attempts': '66.7 % of the connections to once',
  'time-to-detect': 'noticed by health checks after 29 s',
  'tiny-ring': '95.4 % in ring-4',
  'two-different-choices': '24.8 % in proxy',
  'weighted-canary': '0.58 %',
  'weights-random-ignores': '25.0 % in random',
  'workers-round-robin': '20.0 % in quiet-8',
  'zone-dying': '33.5 % in weighted-maglev',
  'zone-loses-hosts': '85.2 % in from-3 from 10 to 20 s, 66.6 % from 20 to 30 s and 40.9 %',
  'zone-lost-others-follow': '98.3 % of those to open',
  'zone-outage': '33.3 % of requests failed from 21 to 26 s, then 20.0 % from 26 to 27 s',
  'zone-routing-too-small': 'Zone a gets 60.0 %',
  'zones-uneven': '10.0.0.1 gets 10.1 %',
};

/**
 * The question, the report on a terminal of 24 lines, from which a reader can tell the answer, and the counts per phase and host, one a
 * line, so that a difference reads as a sentence.
 */
function record(result: RunResult): string {
  const screen = screenOf(result);
  const totals = Object.entries(result.totals).map(([name, count]) => `${name} ${String(count)}`);
  const lines = [
    load(result.scenario).description,
    '',
    screen.trimEnd(),
    '',
    totals.join(', '),
    ...(result.totals.failed > 0 ? [`failed: ${failureList(result.failures)}`] : []),
    ...Object.entries(result.clusters).flatMap(([name, cluster]) => ['', ...clusterLines(name, cluster)]),
  ];
  return `${lines.join('\n')}\n`;
}

function clusterLines(name: string, cluster: ClusterResult): string[] {
  const { p50, p99 } = cluster.latency_ms;
  // Three figures: how a percentile is interpolated is no business of these files.
  const ms = (value: number | null): string => (value === null ? 'none' : `${String(Number(value.toPrecision(3)))} ms`);
  const facts = [cluster.policy, `${String(cluster.requests)} requests`, `p50 ${ms(p50)}`, `p99 ${ms(p99)}`];
  const lines = [`${name}: ${facts.join(', ')}`];
  for (const phase of cluster.phases) {
    lines.push(
      `  ${String(phase.from_s)} to ${String(phase.to_s)} s: ${String(phase.requests)} requests; ${phase.cause}`,
    );
    for (const host of phase.hosts) {
      const place = `${host.address} priority ${String(host.priority)} ${host.health}`;
      lines.push(`    ${place}: ${String(host.requests)} (${(100 * host.share).toFixed(2)} %)`);
    }
    for (const { cluster: member, requests } of phase.members ?? []) {
      lines.push(`    to ${member}: ${String(requests)}`);
    }
    if (phase.no_host.requests > 0) lines.push(`    no host: ${String(phase.no_host.requests)}`);
  }
  for (const [index, { locality, requests }] of (cluster.fleet?.from ?? []).entries()) {
    const flows = cluster.fleet?.to.map((to, at) => `${to.locality.zone} ${String(cluster.fleet?.flows[index]?.[at])}`);
    lines.push(`  from zone ${locality?.zone ?? 'none'}: ${String(requests)} requests, to ${flows?.join(', ') ?? ''}`);
  }
  return lines;
}

describe.each(names)('%s', (name) => {
  it('holds what it claims, as recorded, and twice the same', async () => {
    const first = await runScenario(load(name));
    expect(first.expect.length).toBeGreaterThan(0);
    expect(first.expect.filter((expectation) => !expectation.passed)).toEqual([]);
    await expect(record(first)).toMatchFileSnapshot(join(recordedFolder, `${name}.txt`));
    expect(jsonDocument(await runInSlices(load(name)))).toBe(jsonDocument(first));

    const [sentence = ''] = headlineOf(first).text.split(/(?<=\D)\. (?=[A-Z\d])/);
    expect(sentence).toContain(ANSWERS[name]);
    const lines = screenOf(first).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(Object.values(first.clusters).flatMap(allGreenFailures)).toEqual([]);
  });

  it('asks a question, derives its number and names the rule', () => {
    expect(load(name).description).toMatch(/\?$/);
    const header = text(name).split(/^name:/m)[0] ?? '';
    expect(header).toMatch(/%|ms/);
    expect(header).toMatch(/^# (Rule|Sources?):/m);
    expect(header).toMatch(/^# Topic: \S/m);
    // One sentence, with a number or a name, as it fits a card.
    expect(header).toMatch(/^# Answer: \S.{30,125}\.$/m);
  });
});

// That every scenario has a recorded result, `npm test` sees to: it never writes one that is missing.
it('every recorded result belongs to a scenario', () => {
  const recorded = readdirSync(recordedFolder).filter((name) => name.endsWith('.txt'));
  expect(names.map((name) => `${name}.txt`)).toEqual(expect.arrayContaining(recorded));
});

describe('ring-vs-maglev-host-leaves', () => {
  it('moves the part of the users that its comment says', async () => {
    /** By cluster and key: host before and host after. */
    const before = new Map<string, string | null>();
    const after = new Map<string, string | null>();
    await runScenario(load('ring-vs-maglev-host-leaves'), {
      onDecision: ({ cluster, hash, host, tUs, workload }) => {
        if (workload !== null) (tUs < 11e6 ? before : after).set(`${cluster} ${String(hash)}`, host);
      },
    });
    const moved = { 'ring-1024': 0, 'ring-81': 0, maglev: 0 };
    for (const [key, host] of before) {
      if (host !== '10.0.0.10:80' && after.get(key) !== host) moved[key.split(' ')[0] as keyof typeof moved] += 1;
    }
    expect(before.size).toBe(30_000);
    const percent = Object.entries(moved).map(([cluster, count]) => `${cluster} ${(count / 100).toFixed(1)} %`);
    expect(percent).toEqual(['ring-1024 6.2 %', 'ring-81 0.0 %', 'maglev 0.4 %']);
  });
});
