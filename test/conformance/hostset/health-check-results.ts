import { HealthCheck } from '../../../src/config/cluster/parts.js';
import { check as checkSchema, parseDocument } from '../../../src/config/reader.js';
import { healthCheckSettings } from '../../../src/config/to-settings.js';
import { parse } from '../../../src/core/u64.js';
import { MICROS_PER_MILLI, wholeMillis } from '../../../src/core/units.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { HealthCheckStats } from '../../../src/core/generated/counts.js';
import { Host } from '../../../src/host/host.js';
import { type Random64, ScriptedRandom } from '../../../src/random/random64.js';
import type { StatValues } from '../../../src/stats/store.js';
import {
  HealthCheckSettings,
  type Transition,
  writeHealthCheckStats,
  type CheckOutcome,
  HealthChecker,
} from '../../../src/upstream/health-checker.js';
import type { Check } from '../check.js';
import { type Fields, FormatError } from '../fields.js';
import { compareHealth, flagNames, readFlags } from './health-check-flags.js';

/** One host under one checker: results come in, and the vector says what each one does. */
export class CheckedHost {
  private readonly host: Host;
  private readonly checker: HealthChecker;
  private readonly stats = new HealthCheckStats();
  private readonly random = new StepRandom();
  private readonly runtime = new Map<string, number>();
  private hasTraffic: boolean;
  private started = false;

  constructor(
    vector: Fields,
    version: ProxyVersion,
    private readonly check: Check,
  ) {
    const outer = vector.object('config');
    const config = readConfig(outer.unknown('health_check'));
    outer.end();
    this.setRuntime(vector);
    this.hasTraffic = vector.optionalBoolean('cluster_has_traffic') ?? false;
    const flags = readFlags(vector.optionalStrings('initial_flags') ?? [], 'initial_flags');
    this.host = new Host({ address: '127.0.0.1:80', flags });
    const runtime = { number: (key: string) => this.runtime.get(key) };
    this.checker = new HealthChecker([config], version, runtime, this.random, this.stats, () => this.hasTraffic, {
      checked: () => undefined,
    });
    const expected = vector.optionalObject('expect_config');
    if (expected !== undefined) {
      compareConfig(check, new HealthCheckSettings(config, version, runtime, this.random), expected);
    }
  }

  replay(step: Fields, where: string): void {
    step.ignore('note');
    this.setRuntime(step);
    this.hasTraffic = step.optionalBoolean('cluster_has_traffic') ?? this.hasTraffic;
    const script = readScript(step.optionalStrings('random') ?? [], where);
    if (step.optionalBoolean('start') === true) {
      this.random.script = script;
      this.start(step, where);
    } else if (!this.started) {
      this.start(step, where);
    }
    this.random.script = script;
    const result = step.optionalString('result');
    if (result !== undefined) this.report(result, step, where);
    this.compare(step, where);
    step.end();
  }

  private start(step: Fields, where: string): void {
    this.started = true;
    const [delayUs] = this.checker.addHost(this.host);
    const expected = step.optionalNumber('expect_first_check_delay_ms');
    if (expected !== undefined) {
      this.check.equal('first delay', delayUs, expected * MICROS_PER_MILLI, `${where}: delay of the first check in µs`);
    }
  }

  private report(result: string, step: Fields, where: string): void {
    const outcome = this.take(result, where);
    if (outcome === undefined) throw new FormatError(`${where}: the host is not checked`);
    const transition = step.optionalString('expect_transition');
    if (transition !== undefined) {
      this.check.equal('transition', outcome.transition, transition, `${where}: transition`);
    }
    const intervalMs = step.optionalNumber('expect_next_interval_ms');
    if (intervalMs !== undefined) {
      const expected = intervalMs * MICROS_PER_MILLI;
      this.check.equal('next interval', outcome.nextDelayUs, expected, `${where}: next check in µs`);
    }
  }

  private take(result: string, where: string): CheckOutcome | undefined {
    switch (result) {
      case 'passive':
      case 'immediate': {
        const transition: Transition | undefined = this.checker.onPassiveFailure(this.host, result === 'immediate', 0);
        return transition === undefined ? undefined : { transition, nextDelayUs: undefined };
      }
      case 'success':
      case 'degraded':
      case 'failure':
      case 'network':
      case 'timeout':
        this.checker.beginCheck(this.host);
        return this.checker.onResult(this.host, 0, result, 0);
      default:
        throw new FormatError(`${where}: unknown result ${JSON.stringify(result)}`);
    }
  }

  private compare(step: Fields, where: string): void {
    compareHealth(this.host, step, where, this.check);
    const flags = step.optionalStrings('expect_flags');
    if (flags !== undefined) {
      this.check.equal('flags', flagNames(this.host.flags), [...flags].sort(), `${where}: flags`);
    }
    for (const [statistic, value] of step.optionalCounts('expect_stats') ?? []) {
      this.check.equal(`stats: ${statistic}`, this.statistic(statistic), value, `${where}: ${statistic}`);
    }
  }

  /** A counter or gauge by the proxy's name. */
  private statistic(name: string): number {
    const values: StatValues = { counters: {}, gauges: {} };
    writeHealthCheckStats(values, this.stats);
    const full = `health_check.${name}`;
    const value = values.counters[full] ?? values.gauges[full];
    if (value === undefined) throw new FormatError(`unknown statistic ${JSON.stringify(name)}`);
    return value;
  }

  private setRuntime(fields: Fields): void {
    for (const [key, value] of fields.optionalCounts('runtime') ?? []) this.runtime.set(key, value);
  }
}

/** The draws of one step; 0 beyond them. */
class StepRandom implements Random64 {
  hi = 0;
  lo = 0;
  script = new ScriptedRandom([]);

  next(): void {
    this.script.next();
    this.hi = this.script.hi;
    this.lo = this.script.lo;
  }
}

function readScript(values: readonly string[], where: string): ScriptedRandom {
  return new ScriptedRandom(
    values.map((text) => {
      const value = parse(text);
      if (value === undefined) throw new FormatError(`${where}.random: ${JSON.stringify(text)} is no 64-bit integer`);
      return value;
    }),
  );
}

const CHECKER_FIELDS = ['http_health_check', 'tcp_health_check', 'grpc_health_check', 'custom_health_check'];

/** The vector's configuration as the product reads it from a file; what is asked of hosts, vectors leave open. */
function readConfig(value: unknown): ReturnType<typeof healthCheckSettings> {
  const named = CHECKER_FIELDS.some((field) => Object.hasOwn(Object(value) as object, field));
  const whole = named ? value : { ...(value as object), http_health_check: { path: '/' } };
  const { document, problems } = parseDocument(JSON.stringify(whole), 'config');
  if (document === undefined) throw new FormatError(`config: ${problems.map(({ message }) => message).join('; ')}`);
  const read = checkSchema(HealthCheck, document, { vocabulary: 'proxy' });
  if (read.value === undefined) {
    throw new FormatError(`config: ${read.problems.map(({ message }) => message).join('; ')}`);
  }
  return healthCheckSettings(read.value);
}

const SETTINGS: Readonly<Record<string, (settings: HealthCheckSettings) => number>> = {
  timeout_ms: ({ timeoutUs }) => timeoutUs / MICROS_PER_MILLI,
  interval_ms: ({ config }) => wholeMillis(config.intervalUs),
  unhealthy_interval_ms: ({ config }) => wholeMillis(config.unhealthyIntervalUs),
  unhealthy_edge_interval_ms: ({ config }) => wholeMillis(config.unhealthyEdgeIntervalUs),
  healthy_edge_interval_ms: ({ config }) => wholeMillis(config.healthyEdgeIntervalUs),
  no_traffic_interval_ms: ({ config }) => wholeMillis(config.noTrafficIntervalUs),
  no_traffic_healthy_interval_ms: ({ config }) => wholeMillis(config.noTrafficHealthyIntervalUs),
  initial_jitter_ms: ({ config }) => wholeMillis(config.initialJitterUs),
  interval_jitter_ms: ({ config }) => wholeMillis(config.intervalJitterUs),
  interval_jitter_percent: ({ config }) => config.intervalJitterPercent,
  unhealthy_threshold: ({ config }) => config.unhealthyThreshold,
  healthy_threshold: ({ config }) => config.healthyThreshold,
};

function compareConfig(check: Check, settings: HealthCheckSettings, expected: Fields): void {
  for (const key of expected.keys) {
    const read = SETTINGS[key] ?? SETTINGS[`${key}_ms`];
    if (read === undefined) throw new FormatError(`expect_config: unknown ${JSON.stringify(key)}`);
    check.equal(`config: ${key}`, read(settings), expected.number(key), `expect_config.${key}`);
  }
}
