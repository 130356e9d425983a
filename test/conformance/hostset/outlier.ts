import { OutlierDetection } from '../../../src/config/cluster/parts.js';
import { check as checkSchema, parseDocument } from '../../../src/config/reader.js';
import { outlierSettings } from '../../../src/config/to-settings.js';
import { parse } from '../../../src/core/u64.js';
import { MICROS_PER_MILLI } from '../../../src/core/units.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { Host, HealthFlag } from '../../../src/host/host.js';
import { type Random64, ScriptedRandom } from '../../../src/random/random64.js';
import type { StatValues } from '../../../src/stats/store.js';
import { type ErrorOrigin, type OriginEvent, OutlierStats } from '../../../src/upstream/cause.js';
import { OutlierDetector, writeOutlierStats } from '../../../src/upstream/outlier-detector.js';
import { OutlierSettings } from '../../../src/upstream/outlier-settings.js';
import { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';

const NO_RUNTIME = { number: (): undefined => undefined };

/** Replays one vector of outlier detection: reports and sweeps at stated times, and who is ejected after each step. */
export function runOutlierVector(vector: Fields, version: ProxyVersion): CaseOutcome {
  const check = new Check();
  const name = vector.string('name');
  vector.ignore('profiles', 'source', 'derived');
  const outer = vector.object('config');
  const config = readConfig(outer.unknown('outlier_detection'));
  outer.end();

  const expected = vector.optionalObject('expect_config');
  if (expected !== undefined) compareConfig(check, new OutlierSettings(config, NO_RUNTIME), expected);
  const cluster = new WatchedCluster(config, version, check);
  cluster.add(vector.strings('hosts'));
  vector.objects('steps').forEach((step, index) => cluster.replay(step, `steps[${index}]`));
  vector.end();
  return check.outcome(name, version);
}

class WatchedCluster {
  private readonly hosts = new Map<string, Host>();
  private readonly stats = new OutlierStats();
  private readonly random = new StepRandom();
  private readonly detector: OutlierDetector;
  private nowUs = 0;

  constructor(
    config: ReturnType<typeof outlierSettings>,
    version: ProxyVersion,
    private readonly check: Check,
  ) {
    const noEvents = { ejected: () => undefined, unejected: () => undefined };
    this.detector = new OutlierDetector(config, version, NO_RUNTIME, () => this.random, this.stats, noEvents);
  }

  add(addresses: readonly string[]): void {
    for (const address of addresses) {
      const host = new Host({ address });
      this.hosts.set(address, host);
      this.detector.addHost(host);
    }
  }

  replay(step: Fields, where: string): void {
    const atMs = step.optionalNumber('at_ms');
    if (atMs !== undefined) this.nowUs = atMs * MICROS_PER_MILLI;
    this.random.script = readScript(step.optionalStrings('random') ?? [], where);
    for (const report of step.optionalObjects('reports')) this.report(report);
    if (step.optionalBoolean('interval_timer') === true) this.detector.sweep(this.nowUs);
    const checked = step.optionalString('active_hc_success');
    if (checked !== undefined) this.detector.activeHealthCheckSucceeded(this.host(checked), this.nowUs);
    this.add(step.optionalStrings('hosts_added') ?? []);
    for (const address of step.optionalStrings('hosts_removed') ?? []) {
      this.detector.removeHost(this.host(address));
      this.hosts.delete(address);
    }
    this.compare(step, where);
    step.end();
  }

  /** In the proxy's unit tests the main thread hears of a detection before the next report. */
  private report(report: Fields): void {
    const target = report.string('host');
    const hosts = target === '*' ? [...this.hosts.values()] : [this.host(target)];
    const count = report.number('count');
    const status = report.optionalNumber('http_code');
    const event = report.optionalString('result');
    const code = report.optionalNumber('code');
    report.end();
    if ((status === undefined) === (event === undefined) || (status !== undefined && code !== undefined)) {
      throw new FormatError(`${report.path}: needs http_code, or result and perhaps code`);
    }
    for (const host of hosts) {
      for (let i = 0; i < count; i++) {
        const detections =
          status === undefined
            ? this.detector.reportEvent(host, originEvent(event ?? '', report.path), code)
            : this.detector.reportStatus(host, status);
        this.detector.handleDetections(host, detections, this.nowUs);
      }
    }
  }

  private compare(step: Fields, where: string): void {
    const ejected = step.optionalStrings('expect_ejected');
    if (ejected !== undefined) {
      const actual = [...this.hosts.values()]
        .filter((host) => (host.flags & HealthFlag.FAILED_OUTLIER_CHECK) !== 0)
        .map((host) => host.address);
      this.check.equal('ejected', actual.sort(), [...ejected].sort(), `${where}: ejected`);
    }
    for (const [statistic, value] of step.optionalCounts('expect_stats') ?? []) {
      this.check.equal(`stats: ${statistic}`, this.statistic(statistic), value, `${where}: ${statistic}`);
    }
    this.compareSuccessRates(step, where);
    for (const [address, jitterMs] of step.optionalCounts('expect_jitter_ms') ?? []) {
      const jitterUs = this.detector.monitor(this.host(address))?.jitterUs;
      this.check.equal('jitter', jitterUs, jitterMs * MICROS_PER_MILLI, `${where}: jitter of ${address} in µs`);
    }
  }

  private compareSuccessRates(step: Fields, where: string): void {
    const hosts = step.optionalObject('expect_success_rate');
    for (const address of hosts?.keys ?? []) {
      const expected = (hosts as Fields).object(address);
      const monitor = this.detector.monitor(this.host(address));
      for (const key of expected.keys) {
        const actual = monitor?.[readOrigin(key, where)].successRate;
        this.check.equal('success rate', actual, expected.number(key), `${where}: success rate ${key} of ${address}`);
      }
    }
    const cluster = step.optionalObject('expect_cluster_success_rate');
    for (const key of cluster?.keys ?? []) {
      const { mean, threshold } = this.detector.clusterRates[readOrigin(key, where)];
      const expected = (cluster as Fields).numbers(key);
      this.check.equal('cluster success rate', [mean, threshold], expected, `${where}: mean and threshold, ${key}`);
    }
  }

  /** A counter or gauge by the proxy's name. */
  private statistic(name: string): number {
    const values: StatValues = { counters: {}, gauges: {} };
    writeOutlierStats(values, '1.17', this.stats);
    const full = `outlier_detection.${name}`;
    const value = values.counters[full] ?? values.gauges[full];
    if (value === undefined) throw new FormatError(`unknown statistic ${JSON.stringify(name)}`);
    return value;
  }

  private host(address: string): Host {
    const host = this.hosts.get(address);
    if (host === undefined) throw new FormatError(`unknown host ${JSON.stringify(address)}`);
    return host;
  }
}

function readOrigin(key: string, where: string): ErrorOrigin {
  if (key === 'ext') return 'external';
  if (key === 'loc') return 'local';
  throw new FormatError(`${where}: unknown origin ${JSON.stringify(key)}`);
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

/** The vector's configuration as the product reads it from a file. */
function readConfig(value: unknown): ReturnType<typeof outlierSettings> {
  const { document, problems } = parseDocument(JSON.stringify(value), 'config');
  if (document === undefined) throw new FormatError(`config: ${problems.map(({ message }) => message).join('; ')}`);
  const read = checkSchema(OutlierDetection, document, { vocabulary: 'proxy' });
  if (read.value === undefined) {
    throw new FormatError(`config: ${read.problems.map(({ message }) => message).join('; ')}`);
  }
  return outlierSettings(read.value);
}

const SETTINGS: Readonly<Record<string, (settings: OutlierSettings) => number>> = {
  interval_ms: (settings) => settings.intervalUs / MICROS_PER_MILLI,
  base_ejection_time_ms: (settings) => settings.timeUs('base_ejection_time') / MICROS_PER_MILLI,
  max_ejection_time_ms: (settings) => settings.timeUs('max_ejection_time') / MICROS_PER_MILLI,
  max_ejection_time_jitter_ms: (settings) => settings.now('max_ejection_time_jitter'),
  max_ejection_percent: (settings) => settings.maxEjectionPercent,
  consecutive_5xx: (settings) => settings.now('consecutive_5xx'),
  consecutive_gateway_failure: (settings) => settings.now('consecutive_gateway_failure'),
  consecutive_local_origin_failure: (settings) => settings.now('consecutive_local_origin_failure'),
  success_rate_minimum_hosts: (settings) => settings.now('success_rate_minimum_hosts'),
  success_rate_request_volume: (settings) => settings.now('success_rate_request_volume'),
  success_rate_stdev_factor: (settings) => settings.now('success_rate_stdev_factor'),
  failure_percentage_threshold: (settings) => settings.now('failure_percentage_threshold'),
  failure_percentage_minimum_hosts: (settings) => settings.now('failure_percentage_minimum_hosts'),
  failure_percentage_request_volume: (settings) => settings.now('failure_percentage_request_volume'),
  enforcing_consecutive_5xx: (settings) => settings.enforcingPercent('consecutive_5xx'),
  enforcing_consecutive_gateway_failure: (settings) => settings.enforcingPercent('consecutive_gateway_failure'),
  enforcing_consecutive_local_origin_failure: (settings) =>
    settings.enforcingPercent('consecutive_local_origin_failure'),
  enforcing_success_rate: (settings) => settings.enforcingPercent('success_rate'),
  enforcing_local_origin_success_rate: (settings) => settings.enforcingPercent('local_origin_success_rate'),
  enforcing_failure_percentage: (settings) => settings.enforcingPercent('failure_percentage'),
  enforcing_failure_percentage_local_origin: (settings) => settings.enforcingPercent('local_origin_failure_percentage'),
};

function compareConfig(check: Check, settings: OutlierSettings, expected: Fields): void {
  for (const key of expected.keys) {
    const read = SETTINGS[key];
    if (read === undefined) throw new FormatError(`expect_config: unknown ${JSON.stringify(key)}`);
    check.equal(`config: ${key}`, read(settings), expected.number(key), `expect_config.${key}`);
  }
}

const EVENTS: readonly OriginEvent[] = [
  'EXT_ORIGIN_REQUEST_SUCCESS',
  'EXT_ORIGIN_REQUEST_FAILED',
  'LOCAL_ORIGIN_TIMEOUT',
  'LOCAL_ORIGIN_CONNECT_FAILED',
  'LOCAL_ORIGIN_CONNECT_SUCCESS',
  'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL',
];

function originEvent(name: string, path: string): OriginEvent {
  const event = EVENTS.find((one) => one === name);
  if (event === undefined) throw new FormatError(`${path}: unknown result ${JSON.stringify(name)}`);
  return event;
}
