import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/host.js';
import { createPolicyBalancer } from '../../src/hostset/create-load-balancer.js';
import type { LbPolicy } from '../../src/hostset/lb-config.js';
import type { SlowStart, SlowStartConfig } from '../../src/policy/slow-start.js';
import { noneInSlowStart, noteHosts, slowStartWeight, startSlowStart } from '../../src/policy/slow-start.js';
import { environment, hostAt, hostsOf, lbConfig, level, pickWith, runtimeOf, UNHEALTHY } from '../support/balancing.js';

const MS = 1000;
const LINEAR: SlowStartConfig = {
  windowMs: 10_000,
  aggression: { defaultValue: 1, runtimeKey: 'aggression' },
  minWeightPercent: 10,
};

function started(
  config: SlowStartConfig = LINEAR,
  runtime = runtimeOf({}),
): { state: SlowStart; clock: { nowUs: number } } {
  const clock = { nowUs: 1_000 * MS };
  const state = startSlowStart(config, runtime, clock);
  if (state === undefined) throw new Error('slow start is off');
  return { state, clock };
}

describe('slow start', () => {
  it('is off without a configuration or with an empty window', () => {
    expect(startSlowStart(undefined, runtimeOf({}), { nowUs: 0 })).toBeUndefined();
    expect(startSlowStart({ ...LINEAR, windowMs: 0 }, runtimeOf({}), { nowUs: 0 })).toBeUndefined();
    expect(startSlowStart({ ...LINEAR, windowMs: 1 }, runtimeOf({}), { nowUs: 0 })).toBeDefined();
  });

  it.each([
    // Never less than the minimum of 10 %.
    [0, 0.4],
    [500, 0.4],
    [1_000, 0.4],
    [2_500, 1],
    [5_000, 2],
    [9_999, 3.9996],
    [10_000, 4],
  ])('after %i ms of 10 s gives weight 4 as %f', (ageMs, expected) => {
    const { state, clock } = started();
    const host = hostAt(0);
    noteHosts(state, [host]);
    clock.nowUs += ageMs * MS;
    expect(slowStartWeight(state, 4, host)).toBeCloseTo(expected, 12);
  });

  it('grows faster or slower with aggression', () => {
    const { state, clock } = started({ ...LINEAR, aggression: { defaultValue: 2, runtimeKey: '' } });
    const host = hostAt(0);
    noteHosts(state, [host]);
    clock.nowUs += 2_500 * MS;
    // (1/4)^(1/2)
    expect(slowStartWeight(state, 1, host)).toBe(0.5);
  });

  it.each([0, -1, NaN])('reads an aggression of %f from the runtime as 1', (aggression) => {
    const { state, clock } = started(LINEAR, runtimeOf({ aggression }));
    const host = hostAt(0);
    noteHosts(state, [host]);
    clock.nowUs += 2_500 * MS;
    expect(slowStartWeight(state, 1, host)).toBe(0.25);
  });

  it('measures from the first passed health check', () => {
    const { state, clock } = started();
    const host = hostAt(0);
    host.lastHealthCheckPassUs = clock.nowUs;
    clock.nowUs += 5_000 * MS;
    noteHosts(state, [host]);
    expect(slowStartWeight(state, 1, host)).toBe(0.5);
  });

  it('leaves hosts alone that are not healthy', () => {
    const { state } = started();
    const host = hostAt(0, { flags: UNHEALTHY });
    noteHosts(state, [host]);
    expect(host.lastHealthCheckPassUs).toBeUndefined();
    expect(slowStartWeight(state, 1, host)).toBe(1);
  });

  it('is over for everybody when the newest host is through', () => {
    const { state, clock } = started();
    // The balancer's own start counts as the first host.
    expect(noneInSlowStart(state)).toBe(false);
    clock.nowUs += 8_000 * MS;
    noteHosts(state, [hostAt(0)]);
    clock.nowUs += 10_000 * MS;
    expect(noneInSlowStart(state)).toBe(false);
    clock.nowUs += MS;
    expect(noneInSlowStart(state)).toBe(true);
  });
});

describe.each<LbPolicy>(['ROUND_ROBIN', 'LEAST_REQUEST'])('a new host under %s', (lbPolicy) => {
  function share(host: Host, picks: number, pick: () => string | undefined): number {
    let hits = 0;
    for (let i = 0; i < picks; i++) if (pick() === host.address) hits++;
    return hits / picks;
  }

  it('begins with a tenth of its weight and ends with all of it', () => {
    const env = environment();
    const lb = createPolicyBalancer(lbConfig({ lbPolicy, slowStart: LINEAR }), env);
    const old = hostsOf(1);
    lb.update(level(old), old, []);
    env.clock.nowUs += 60_000 * MS;
    const young = hostAt(9);
    lb.update(level([...old, young]), [young], []);
    const pick = (): string | undefined => pickWith(lb);
    // Weights 1 and 0.1.
    expect(share(young, 1100, pick)).toBeCloseTo(1 / 11, 2);
    env.clock.nowUs += 5_000 * MS;
    lb.update(level([...old, young]), [], []);
    // Weights 1 and 0.5.
    expect(share(young, 900, pick)).toBeCloseTo(1 / 3, 2);
  });

  it('is noted from the list of added hosts too', () => {
    const env = environment();
    const lb = createPolicyBalancer(lbConfig({ lbPolicy, slowStart: LINEAR }), env);
    env.clock.nowUs += 60_000 * MS;
    const young = hostAt(1);
    // In no list of this update, as a host whose priority is updated later.
    lb.update(level(hostsOf(1)), [young], []);
    expect(young.lastHealthCheckPassUs).toBe(60_000 * MS);
  });
});
