import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureList } from '../src/report/format.js';
import { jsonDocument } from '../src/report/json-document.js';
import { PLAIN } from '../src/report/layout.js';
import { textReport } from '../src/report/run/text-report.js';
import type { ClusterResult, RunResult } from '../src/words/results.js';
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

/**
 * The question, the first ten lines of the report, from which a reader can tell the answer, and the counts per phase and host, one a
 * line, so that a difference reads as a sentence.
 */
function record(result: RunResult): string {
  const screen = textReport(result, { width: 80, bars: false, paint: PLAIN, all: false }).split('\n').slice(0, 10);
  const totals = Object.entries(result.totals).map(([name, count]) => `${name} ${String(count)}`);
  const lines = [
    load(result.scenario).description,
    '',
    screen.join('\n').trimEnd(),
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
  });

  it('asks a question, derives its number and names the rule', () => {
    expect(load(name).description).toMatch(/\?$/);
    const header = text(name).split(/^name:/m)[0] ?? '';
    expect(header).toMatch(/%|ms/);
    expect(header).toMatch(/^# (Rule|Sources?):/m);
    expect(header).toMatch(/^# Topic: \S/m);
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
