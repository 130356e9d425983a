import { describe, expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { phasesOf, run, scenarioOf } from '../support/run.js';

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';
const heavier = (at: string): unknown => ({ at, set_weight: { hosts: A, weight: 3 } });

const thinking = {
  clusters: [{ name: 'c' }],
  endpoints: { c: [A, B] },
  workloads: [{ cluster: 'c', arrivals: { closed: { users: 5, think_time: '10s' } }, stop: '1s' }],
};

describe('the end of a run', () => {
  it('does not wait for users who think until after the stop', async () => {
    const result = await run({ ...thinking, timeline: [heavier('5s')] });
    expect(result.duration_s).toBe(1);
    expect(result.clusters['c']?.phases.map(({ from_s, to_s }) => [from_s, to_s])).toEqual([[0, 1]]);
    expect(result.events).toEqual([]);
    expect(result.totals).toMatchObject({ requests: 5, in_flight: 0 });
  });

  it('is where the prediction ends, too', async () => {
    const { duration_s, clusters } = await predict(scenarioOf({ ...thinking, timeline: [heavier('5s')] }));
    expect(duration_s).toBe(1);
    expect(clusters['c']?.phases.map(({ from_s, to_s }) => [from_s, to_s])).toEqual([[0, 1]]);
  });

  it('waits for users who think until before the stop', async () => {
    const workloads = [{ cluster: 'c', arrivals: { closed: { users: 5, think_time: '400ms' } }, stop: '1s' }];
    expect((await run({ ...thinking, workloads })).totals.requests).toBe(15);
  });

  it('has no phase that begins with it, in the run or in the prediction', async () => {
    const steady = { ...thinking, duration: '2s', workloads: [{ cluster: 'c', arrivals: { constant: '10/s' } }] };
    const value = { ...steady, timeline: [heavier('2s')] };
    const result = await run(value);
    expect(phasesOf(result).map(([from]) => from)).toEqual([0]);
    const { clusters } = await predict(scenarioOf(value));
    expect(clusters['c']?.phases.map(({ from_s }) => from_s)).toEqual([0]);
    // What the hosts are like at the end is reported all the same.
    expect(result.clusters['c']?.hosts.map(({ weight }) => weight)).toEqual([3, 1]);
  });

  it('has the phase of its last instant where something was asked for in it', async () => {
    const value = {
      ...thinking,
      workloads: [],
      requests: [0, 1, 1].map((second) => ({ at: `${second}s`, cluster: 'c' })),
      timeline: [heavier('1s')],
    };
    const result = await run(value, { predict: true });
    const phases = result.clusters['c']?.phases ?? [];
    expect(phases.map(({ from_s, to_s, requests }) => [from_s, to_s, requests])).toEqual([
      [0, 1, 1],
      [1, 1, 2],
    ]);
    expect(phases[1]?.hosts.map(({ predicted_share }) => predicted_share)).toEqual([0.75, 0.25]);
    const prediction = await predict(scenarioOf(value));
    expect(prediction.duration_s).toBe(1);
    const predicted = prediction.clusters['c']?.phases.map(({ from_s, to_s, requests }) => [from_s, to_s, requests]);
    expect(predicted).toEqual([
      [0, 1, 1],
      [1, 1, 2],
    ]);
  });
});
