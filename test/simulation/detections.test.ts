import { describe, expect, it } from 'vitest';
import { IDEAL_BEHAVIOR } from '../../src/settings/behavior.js';
import { Detections } from '../../src/simulation/journal.js';
import { unsupportedFeatures } from '../../src/analysis/run/unsupported.js';
import { scenarioOf } from '../support/run.js';

const DOWN = { ...IDEAL_BEHAVIOR, down: 'refuse' as const };

function notice(atUs: number, proxy = 'p') {
  return { cluster: 'c', proxy, atUs, fact: { kind: 'ejection' } as never };
}

/** Server 3 fails from 1 s to 5 s. */
function failed(): Detections {
  const detections = new Detections();
  const server = { index: 3, address: '10.0.0.1:80' };
  detections.changed({ ...server, behavior: DOWN }, IDEAL_BEHAVIOR, 'fail', 1_000_000);
  detections.noticed(3, false, notice(2_000_000));
  detections.noticed(3, true, notice(3_000_000));
  detections.noticed(3, false, notice(4_000_000));
  detections.changed({ ...server, behavior: IDEAL_BEHAVIOR }, DOWN, 'recover', 5_000_000);
  return detections;
}

const resultOf = (detections: Detections) => detections.results('c', new Set([3]), undefined, 1e9)[0];

describe('the detection of a failure', () => {
  it('is the first notice of each proxy, and its recovery the first return after the host is well', () => {
    const detections = failed();
    expect(resultOf(detections)?.seen.map(({ after_s: after }) => after)).toEqual([1]);
    detections.noticed(3, false, notice(6_000_000));
    detections.noticed(3, false, notice(6_000_000, 'late'));
    expect(resultOf(detections)?.back).toEqual([]);
    detections.noticed(3, true, notice(7_000_000));
    detections.noticed(3, true, notice(8_000_000));
    detections.noticed(3, true, notice(8_000_000, 'late'));
    const { seen, back } = resultOf(detections) ?? {};
    expect([seen?.length, back?.map(({ proxy, after_s: after }) => [proxy, after])]).toEqual([1, [['p', 2]]]);
  });

  it('needs a run that goes on until health checks can notice', () => {
    const detections = new Detections();
    detections.changed({ index: 1, address: 'a', behavior: DOWN }, IDEAL_BEHAVIOR, 'fail', 10_000_000);
    const needed = (endUs: number): number | undefined =>
      detections.results('c', new Set([1]), 4_000_000, endUs)[0]?.needs_run_of_s;
    // Twice the 14 s, in whole tens.
    expect([needed(13_999_999), needed(14_000_000), needed(14_000_001)]).toEqual([30, 30, undefined]);
    detections.noticed(1, false, notice(12_000_000));
    expect(needed(13_999_999)).toBeUndefined();
  });
});

describe('what cannot be simulated', () => {
  it('is a foreign cluster_type of a cluster that is asked', () => {
    const scenario = scenarioOf({
      clusters: [{ name: 'c' }, { name: 'asked' }, { name: 'idle' }],
      endpoints: { c: ['10.0.0.1:80'] },
      requests: [{ at: '1s', cluster: 'asked' }],
    });
    const foreign = scenario.clusters.map((cluster) =>
      cluster.name === 'c'
        ? cluster
        : { ...cluster, clusterType: { name: 'proxy.clusters.redis', typedConfig: undefined } },
    );
    expect(unsupportedFeatures({ ...scenario, clusters: foreign })).toEqual([
      { feature: 'cluster_type proxy.clusters.redis', path: 'clusters[1]' },
    ]);
  });
});
