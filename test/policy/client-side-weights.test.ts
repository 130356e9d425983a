import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientSideWeightsConfig } from '../../src/policy/client-side-weights.js';
import type { LoadReport } from '../../src/policy/load-report.js';
import { ClientSideWeights, reportedWeight, utilizationOf } from '../../src/policy/client-side-weights.js';

const CONFIG: ClientSideWeightsConfig = {
  blackoutUs: 1000,
  expirationUs: 5000,
  updateUs: 500,
  errorPenalty: 0,
  namedFirst: true,
  metricNames: [],
};

function report(changes: Partial<LoadReport> = {}): LoadReport {
  return {
    cpuUtilization: 0.5,
    memUtilization: 0,
    applicationUtilization: 0,
    rps: 100,
    eps: 0,
    namedMetrics: {},
    utilization: {},
    ...changes,
  };
}

describe('the utilisation of a report', () => {
  it.each([
    ['the application’s own', { applicationUtilization: 0.3 }, ['named_metrics.q'], 0.3],
    ['a named metric before that', { applicationUtilization: 0.3, namedMetrics: { q: 0.9 } }, ['named_metrics.q'], 0.9],
    ['the largest named metric', { namedMetrics: { q: 0.2, r: 0.6 } }, ['named_metrics.q', 'named_metrics.r'], 0.6],
    ['a resource by name', { utilization: { disk: 0.4 } }, ['utilization.disk'], 0.4],
    ['memory, if asked for', { memUtilization: 0.8 }, ['mem_utilization'], 0.8],
    ['the processor’s, where no named metric is there', { namedMetrics: {} }, ['named_metrics.q'], 0.5],
  ])('is %s', (_, changes, names, expected) => {
    expect(utilizationOf(report(changes), names, true)).toBe(expected);
  });

  it('is the application’s own first where the runtime asks for it', () => {
    const both = report({ applicationUtilization: 0.3, namedMetrics: { q: 0.9 } });
    expect(utilizationOf(both, ['named_metrics.q'], false)).toBe(0.3);
  });
});

describe('the weight of a report', () => {
  it('is requests a second over utilisation, errors added as the penalty says, cut to a whole number', () => {
    expect(reportedWeight(report(), CONFIG)).toBe(200);
    expect(reportedWeight(report({ cpuUtilization: 0.3 }), CONFIG)).toBe(333);
    expect(reportedWeight(report({ eps: 50 }), { ...CONFIG, errorPenalty: 1 })).toBe(100);
    expect(reportedWeight(report({ eps: 50 }), CONFIG)).toBe(200);
  });

  it('is none where nothing is served or nobody is busy', () => {
    expect(reportedWeight(report({ rps: 0 }), CONFIG)).toBeUndefined();
    expect(reportedWeight(report({ cpuUtilization: 0 }), CONFIG)).toBeUndefined();
  });
});

describe('the weights of hosts', () => {
  const [a, b, c, silent] = [{}, {}, {}, {}];

  it('count once the blackout is over, until reports are too old; then the blackout begins anew', () => {
    const weights = new ClientSideWeights<object>(CONFIG);
    weights.reported(a, report({ cpuUtilization: 0.2 }), 100);
    weights.reported(b, report({ cpuUtilization: 0.8 }), 100);
    expect(weights.weights([a, b], 1000)).toEqual([1, 1]);
    expect(weights.weights([a, b], 1100)).toEqual([500, 125]);
    expect(weights.weights([a, b], 5100)).toEqual([500, 125]);
    expect(weights.weights([a, b], 5101)).toEqual([1, 1]);
    weights.reported(a, report({ cpuUtilization: 0.2 }), 6000);
    expect(weights.weights([a, b], 6500)).toEqual([1, 1]);
    expect(weights.weights([a, b], 7000)).toEqual([500, 500]);
  });

  it('are the middle one of three for a host that says nothing, in whatever order they came', () => {
    const weights = new ClientSideWeights<object>({ ...CONFIG, blackoutUs: 0 });
    [0.2, 1, 0.5].forEach((cpuUtilization, index) =>
      weights.reported([a, b, c][index] ?? {}, report({ cpuUtilization }), 0),
    );
    expect(weights.weights([a, b, c, silent], 0)).toEqual([500, 100, 200, 200]);
  });

  it('are the median of the others for a host that says nothing: of two their mean', () => {
    const weights = new ClientSideWeights<object>({ ...CONFIG, blackoutUs: 0 });
    weights.reported(a, report({ cpuUtilization: 0.2 }), 0);
    weights.reported(b, report({ cpuUtilization: 0.8 }), 0);
    expect(weights.weights([a, b, silent], 0)).toEqual([500, 125, 312]);
    weights.reported(c, report({ cpuUtilization: 1 }), 0);
    expect(weights.weights([a, b, c, silent], 0)).toEqual([500, 125, 100, 125]);
  });

  it('grow as utilisation falls, and are whole numbers from 1', () => {
    const some = fc.array(fc.double({ min: 0.001, max: 4, noNaN: true }), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 1e6 }), (loads, rps) => {
        const weights = new ClientSideWeights<object>({ ...CONFIG, blackoutUs: 0 });
        const hosts = loads.map(() => ({}));
        hosts.forEach((host, index) => weights.reported(host, report({ cpuUtilization: loads[index] ?? 0, rps }), 0));
        const found = weights.weights(hosts, 0);
        const inOrder = [...loads.keys()].sort((x, y) => (loads[x] ?? 0) - (loads[y] ?? 0)).map((x) => found[x] ?? 0);
        return found.every((weight) => Number.isInteger(weight) && weight >= 1) && isFalling(inOrder);
      }),
    );
  });
});

function isFalling(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? 0));
}
