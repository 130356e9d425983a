import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/report/layout.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { RunResult } from '../../src/words/results.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

async function run(set: readonly string[] = []): Promise<RunResult> {
  const file = join(import.meta.dirname, '../../scenarios/fleet-over-zones.yaml');
  const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') }, { set });
  if (scenario === undefined) throw new Error('it does not load');
  return runScenario(scenario);
}

describe('a fleet over three zones', () => {
  it('shows the flows that its comment derives, and that what crosses zones goes to b alone', async () => {
    const result = await run();
    const fleet = result.clusters['backend']?.fleet;
    const [a = [], b = [], c = []] = fleet?.flows ?? [];
    expect([a[2], b[0], b[2], c[0], c[1]]).toEqual([0, 0, 0, 0, 0]);
    // Half of a's 30,000 requests stay; five standard errors of the deal and of the draw.
    expect(Math.abs((a[0] ?? 0) / ((a[0] ?? 0) + (a[1] ?? 0)) - 0.5)).toBeLessThan(0.015);
    expect(fleet?.cross_zone.share).toBeCloseTo(0.25, 1);
    expect(result.clusters['blind']?.fleet?.cross_zone.share).toBeCloseTo(0.6875, 1);
    // The flows are all that the hosts got.
    const flown = fleet?.flows.flat().reduce((sum, requests) => sum + requests, 0);
    expect(flown).toBe(result.clusters['backend']?.requests);
  });

  it('is told once for the whole fleet, and each proxy keeps its own shares', async () => {
    const { proxies } = await run(['workloads[0].stop=1s', 'workloads[1].stop=1s']);
    expect(Object.keys(proxies)).toHaveLength(12);
    for (const { clusters } of Object.values(proxies)) expect(clusters['backend']).not.toHaveProperty('fleet');
  });

  it('gives the reasons of each zone by the names of its proxies, as they are once all have heard of each other', async () => {
    const { clusters } = await run(['workloads[0].stop=1s', 'workloads[1].stop=1s']);
    expect(clusters['backend']?.phases.map(({ reasons }) => reasons)).toEqual([
      [
        'zone routing keeps 50 % in the proxy’s zone and sends the rest where capacity is left (proxy edge-a)',
        'zone routing keeps everything in the proxy’s zone (proxies edge-b, edge-c)',
      ],
    ]);
    expect(clusters['blind']?.phases[0]?.reasons).toEqual(['zone routing is off, as routing_enabled is 0 %']);
  });

  it('reads as a table with a line per zone, and a sentence', async () => {
    const text = textReport(await run(), { width: 80, bars: false, paint: PLAIN, all: false, full: true });
    expect(text).toMatch(/^ {2}from zone {2}proxies {2}requests +to a +to b +to c +crosses$/m);
    expect(text).toMatch(/^ {2}a +6 +29,\d+ +\d+\.\d % +\d+\.\d % +0\.0 % +\d+\.\d %$/m);
    expect(text).toMatch(/^ {2}b +3 +1\d,\d+ +0\.0 % +100\.0 % +0\.0 % +0\.0 %$/m);
    expect(text).toMatch(/^ {2}2\d\.\d % of the requests cross zones\. /m);
    expect(text).toMatch(/^ {2}10\.0\.0\.1:80 +a +[\d,]+ +8\.\d % +1\.00 ×/m);
  });
});
