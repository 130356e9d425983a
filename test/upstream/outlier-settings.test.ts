import { describe, expect, it } from 'vitest';
import type { Messages } from '../../src/config/api/generated/read-messages.js';
import { outlierSettings } from '../../src/config/to-settings.js';
import { OUTLIER_CAUSES, type OutlierCause, OutlierStats } from '../../src/upstream/cause.js';
import { Host } from '../../src/host/host.js';
import { HostMonitor } from '../../src/upstream/outlier-monitor.js';
import { OutlierSettings } from '../../src/upstream/outlier-settings.js';
import { clusterSuccessRate, writeOutlierStats } from '../../src/upstream/outlier-detector.js';
import { runtimeOf } from '../support/balancing.js';

function settings(
  config: Partial<Messages['cluster.OutlierDetection']> = {},
  runtime: Record<string, number> = {},
): OutlierSettings {
  return new OutlierSettings(outlierSettings(config), runtimeOf(runtime));
}

const NUMBERS = {
  interval_ms: (of: OutlierSettings) => of.intervalUs / 1000,
  base_ejection_time_ms: (of: OutlierSettings) => of.timeUs('base_ejection_time') / 1000,
  max_ejection_time_ms: (of: OutlierSettings) => of.timeUs('max_ejection_time') / 1000,
  max_ejection_time_jitter_ms: (of: OutlierSettings) => of.now('max_ejection_time_jitter'),
  max_ejection_percent: (of: OutlierSettings) => of.maxEjectionPercent,
  consecutive_5xx: (of: OutlierSettings) => of.now('consecutive_5xx'),
  consecutive_gateway_failure: (of: OutlierSettings) => of.now('consecutive_gateway_failure'),
  consecutive_local_origin_failure: (of: OutlierSettings) => of.now('consecutive_local_origin_failure'),
  success_rate_minimum_hosts: (of: OutlierSettings) => of.now('success_rate_minimum_hosts'),
  success_rate_request_volume: (of: OutlierSettings) => of.now('success_rate_request_volume'),
  success_rate_stdev_factor: (of: OutlierSettings) => of.now('success_rate_stdev_factor'),
  failure_percentage_threshold: (of: OutlierSettings) => of.now('failure_percentage_threshold'),
  failure_percentage_minimum_hosts: (of: OutlierSettings) => of.now('failure_percentage_minimum_hosts'),
  failure_percentage_request_volume: (of: OutlierSettings) => of.now('failure_percentage_request_volume'),
  enforcing_consecutive_5xx: enforcing('consecutive_5xx'),
  enforcing_consecutive_gateway_failure: enforcing('consecutive_gateway_failure'),
  enforcing_consecutive_local_origin_failure: enforcing('consecutive_local_origin_failure'),
  enforcing_success_rate: enforcing('success_rate'),
  enforcing_local_origin_success_rate: enforcing('local_origin_success_rate'),
  enforcing_failure_percentage: enforcing('failure_percentage'),
  enforcing_failure_percentage_local_origin: enforcing('local_origin_failure_percentage'),
} as const;

function enforcing(cause: OutlierCause): (of: OutlierSettings) => number {
  return (of) => of.enforcingPercent(cause);
}

describe('OutlierSettings', () => {
  it('has the proxy’s defaults', () => {
    const read = Object.fromEntries(Object.entries(NUMBERS).map(([name, number]) => [name, number(settings())]));
    expect(read).toEqual({
      interval_ms: 10_000,
      base_ejection_time_ms: 30_000,
      max_ejection_time_ms: 300_000,
      max_ejection_time_jitter_ms: 0,
      max_ejection_percent: 10,
      consecutive_5xx: 5,
      consecutive_gateway_failure: 5,
      consecutive_local_origin_failure: 5,
      success_rate_minimum_hosts: 5,
      success_rate_request_volume: 100,
      success_rate_stdev_factor: 1900,
      failure_percentage_threshold: 85,
      failure_percentage_minimum_hosts: 5,
      failure_percentage_request_volume: 50,
      enforcing_consecutive_5xx: 100,
      enforcing_consecutive_gateway_failure: 0,
      enforcing_consecutive_local_origin_failure: 100,
      enforcing_success_rate: 100,
      enforcing_local_origin_success_rate: 100,
      enforcing_failure_percentage: 0,
      enforcing_failure_percentage_local_origin: 0,
    });
    expect(settings().config).toMatchObject({
      alwaysEjectOneHost: false,
      successfulActiveHealthCheckUnejectHost: true,
    });
  });

  it.each(Object.entries(NUMBERS))('takes outlier_detection.%s from the runtime, and nothing else', (name, number) => {
    const overridden = settings({}, { [`outlier_detection.${name}`]: 37 });
    expect(number(overridden)).toBe(37);
    for (const [other, otherNumber] of Object.entries(NUMBERS)) {
      if (other !== name) expect([other, otherNumber(overridden)]).toEqual([other, otherNumber(settings())]);
    }
  });

  it('takes each number from its field', () => {
    const fields = Object.keys(NUMBERS).filter((name) => !name.endsWith('_ms'));
    const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
    const config = Object.fromEntries(fields.map((name, index) => [camel(name), 11 + index]));
    const read = fields.map((name) => NUMBERS[name as keyof typeof NUMBERS](settings(config)));
    expect(read).toEqual(fields.map((_, index) => 11 + index));
  });

  it('keeps whole milliseconds of times', () => {
    const times = settings({
      interval: 1_999.9,
      baseEjectionTime: 2_500,
      maxEjectionTime: 7_001,
      maxEjectionTimeJitter: 9_999,
    });
    expect([times.intervalUs, times.timeUs('base_ejection_time'), times.timeUs('max_ejection_time')]).toEqual([
      1000, 2000, 7000,
    ]);
    expect(times.now('max_ejection_time_jitter')).toBe(9);
  });

  it.each([
    // Of the 101 hosts one is out, less than 1 %; of the 50 a fifth would be the tenth percent.
    ['1.12', 1, 1, 101, true],
    ['1.12', 1, 1, 100, false],
    ['1.40', 10, 4, 50, true],
    ['1.40', 10, 5, 50, false],
  ] as const)('%s: limit %i, %i of %i hosts out, one more: %s', (version, limit, out, hosts, may) => {
    expect(settings({ maxEjectionPercent: limit }).mayEject(out, hosts, version)).toBe(may);
  });

  it('lets the factor of an ejection grow until it exceeds the longest time by a base time, no further', () => {
    const monitor = new HostMonitor(new Host({ address: '10.0.0.1:80' }));
    const times = settings({ baseEjectionTime: 30_000_000, maxEjectionTime: 300_000_000 });
    for (let ejection = 0; ejection < 20; ejection++) monitor.growBackoff(times);
    expect(monitor.ejectionTime(times, '1.40')).toMatchObject({ factor: 11, limitUs: 300_000_000 });
  });

  it('lets the default limit of ejections grow with a long base time', () => {
    expect(settings({ baseEjectionTime: 400_000_000 }).timeUs('max_ejection_time')).toBe(400_000_000);
  });

  it('lets time pass between sweeps, whatever is configured', () => {
    expect(settings({ interval: 100 }).intervalUs).toBe(1000);
    expect(settings({}, { 'outlier_detection.interval_ms': 0 }).intervalUs).toBe(1000);
  });
});

describe('clusterSuccessRate', () => {
  it('takes so many deviations of the population off the mean', () => {
    expect(clusterSuccessRate([50, 100, 100, 100, 100], 1.9)).toEqual({ mean: 90, threshold: 52 });
    expect(clusterSuccessRate([80, 80], 3)).toEqual({ mean: 80, threshold: 80 });
  });
});

describe('writeOutlierStats', () => {
  it('uses the proxy’s names, each for its own field', () => {
    const stats = new OutlierStats();
    let value = 0;
    const number = (counts: Record<string, unknown>): void => {
      for (const [field, count] of Object.entries(counts)) {
        if (typeof count === 'number') counts[field] = ++value;
        else number(count as Record<string, unknown>);
      }
    };
    number(stats as unknown as Record<string, unknown>);
    const into = { counters: {}, gauges: {} };
    writeOutlierStats(into, '1.17', stats);
    const full = (names: readonly string[]): string[] => names.map((name) => `outlier_detection.${name}`);
    expect(Object.keys(into.gauges)).toEqual(full(['ejections_active']));
    expect(Object.keys(into.counters).sort()).toEqual(
      full([
        'ejections_consecutive_5xx',
        'ejections_detected_consecutive_5xx',
        'ejections_detected_consecutive_gateway_failure',
        'ejections_detected_consecutive_local_origin_failure',
        'ejections_detected_failure_percentage',
        'ejections_detected_local_origin_failure_percentage',
        'ejections_detected_local_origin_success_rate',
        'ejections_detected_success_rate',
        'ejections_enforced_consecutive_5xx',
        'ejections_enforced_consecutive_gateway_failure',
        'ejections_enforced_consecutive_local_origin_failure',
        'ejections_enforced_failure_percentage',
        'ejections_enforced_local_origin_failure_percentage',
        'ejections_enforced_local_origin_success_rate',
        'ejections_enforced_success_rate',
        'ejections_enforced_total',
        'ejections_overflow',
        'ejections_success_rate',
        'ejections_total',
      ]),
    );
    const fieldOf = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
    const byField = Object.fromEntries(
      Object.entries({ ...into.counters, ...into.gauges }).map(([name, value]) => [
        fieldOf(name.replace(/^.*\./, '')),
        value,
      ]),
    );
    const { detected, enforced, ...rest } = stats;
    const byCause = OUTLIER_CAUSES.flatMap((cause) => [
      [fieldOf(`ejections_detected_${cause}`), detected[cause]],
      [fieldOf(`ejections_enforced_${cause}`), enforced[cause]],
    ]);
    expect(byField).toEqual({ ...rest, ...Object.fromEntries(byCause) });
  });
});
