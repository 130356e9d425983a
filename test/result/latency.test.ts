import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationRecorder } from '../../src/result/latency.js';

const durations = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000_000 })), {
  minLength: 1,
  maxLength: 200,
});

describe('DurationRecorder', () => {
  it('has nothing to tell without durations', () => {
    expect(new DurationRecorder().summaryMs()).toEqual({ p50: null, p90: null, p99: null, max: null, mean: null });
    expect(new DurationRecorder().histogram(1)).toBeUndefined();
  });

  it('gives percentiles within 1/128, mean and maximum exactly', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const recorder = new DurationRecorder();
        for (const value of values) recorder.record(value);
        const ascending = [...values].sort((a, b) => a - b);
        for (const percentile of [1, 50, 90, 99, 100]) {
          const exact = ascending[Math.max(0, Math.ceil((percentile / 100) * values.length) - 1)] ?? NaN;
          const got = recorder.percentileUs(percentile) ?? NaN;
          expect(Math.abs(got - exact)).toBeLessThanOrEqual(exact / 128);
        }
        const summary = recorder.summaryMs();
        expect(summary.max).toBe(Math.max(...values) / 1000);
        expect(summary.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length / 1000, 9);
      }),
    );
  });

  it('tells of a few what it tells of many times as many', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const few = new DurationRecorder();
        const many = new DurationRecorder();
        for (const value of values.slice(0, 64)) {
          few.record(value);
          for (let times = 0; times < 65; times++) many.record(value);
        }
        expect(few.summaryMs()).toEqual(many.summaryMs());
      }),
    );
  });

  it('is exact where durations repeat', () => {
    const recorder = new DurationRecorder();
    for (let i = 0; i < 60; i++) recorder.record(5_001);
    for (let i = 0; i < 40; i++) recorder.record(25_003);
    expect(recorder.percentileUs(50)).toBe(5_001);
    expect(recorder.percentileUs(90)).toBe(25_003);
  });

  it('takes durations of hours', () => {
    const recorder = new DurationRecorder();
    recorder.record(20_000_000_000);
    expect(recorder.percentileUs(50)).toBe(20_000_000_000);
  });

  it('adds up to what one recorder would have seen', () => {
    fc.assert(
      fc.property(durations, durations, (left, right) => {
        const both = new DurationRecorder();
        const first = new DurationRecorder();
        const second = new DurationRecorder();
        for (const value of left) first.record(value);
        for (const value of right) second.record(value);
        for (const value of [...left, ...right]) both.record(value);
        first.add(second);
        expect(first.summaryMs()).toEqual(both.summaryMs());
      }),
    );
  });
});
