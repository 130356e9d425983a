import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runScenario } from '../../../src/analysis/run/run-scenario.js';
import { ClusterAtRest } from '../../../src/predict/at-rest.js';
import { isObstacle } from '../../../src/predict/obstacle.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Json } from '../../../src/testing/mix/mix-hosts.js';
import { inAggregates, largeClusters } from './random-clusters.js';

const RUNS = Number(process.env['PROVE_RUNS'] ?? 20);

it('an aggregate at rest divides requests as a run does', { timeout: 3_000_000 }, async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(inAggregates(largeClusters()), async ({ behavior: _, workloads, clusters, ...json }) => {
      const unchecked = (clusters as Json[]).map(
        ({ health_checks: _checks, circuit_breakers: _limits, ...one }) => one,
      );
      const busy = (workloads as Json[]).map((one) => ({ ...one, arrivals: { constant: '5000/s' } }));
      const text = stringify({ ...json, clusters: unchecked, workloads: busy }, { aliasDuplicateObjects: false });
      const { scenario } = loadScenario({ file: 'a.yaml', text });
      fc.pre(scenario !== undefined);
      const atRest = (await ClusterAtRest.all(scenario))('c');
      const split = atRest?.split();
      fc.pre(atRest !== undefined && split !== undefined && !isObstacle(split));
      const { clusters: results } = await runScenario(scenario);
      const requests = results['c']?.requests ?? 0;
      const counted = new Map<string, number>();
      for (const name of ['main', 'beside'])
        for (const phase of results[name]?.phases ?? [])
          for (const host of phase.hosts) counted.set(host.address, (counted.get(host.address) ?? 0) + host.requests);
      const shares = new Map<string, number>();
      for (const [row, { address }] of atRest.rows.entries())
        shares.set(address, (shares.get(address) ?? 0) + (split.share[row] ?? 0));
      for (const [address, share] of shares) {
        const sigma = Math.sqrt(requests * share * Math.max(0, 1 - share));
        expect(Math.abs((counted.get(address) ?? 0) - requests * share), `${address} ${share}`).toBeLessThan(
          5 * sigma + 12,
        );
      }
      judged++;
    }),
    { numRuns: RUNS, seed: Number(process.env['PROVE_SEED'] ?? 3), endOnFailure: true },
  );
  expect(judged).toBeGreaterThan(RUNS / 2);
});
