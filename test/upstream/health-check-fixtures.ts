import { HealthCheck as HealthCheckSchema } from '../../src/config/cluster/parts.js';
import { check, parseDocument } from '../../src/config/reader.js';
import { healthCheckSettings } from '../../src/config/to-settings.js';
import type { ProxyVersion } from '../../src/core/version.js';
import { HealthCheckStats } from '../../src/core/generated/counts.js';
import { HealthFlag, Host } from '../../src/host/host.js';
import { ScriptedRandom } from '../../src/random/random64.js';
import type { HealthCheck } from '../../src/settings/cluster-settings.js';
import { type CheckResult, type Transition, HealthChecker } from '../../src/upstream/health-checker.js';
import { runtimeOf } from '../support/balancing.js';

/** An entry of `health_checks` in the words of the file; what it leaves out is once a second, thresholds 3 and 2. */
export function healthCheck(fields: Readonly<Record<string, unknown>> = {}): HealthCheck {
  const asked = ['tcp_health_check', 'grpc_health_check'].some((field) => field in fields);
  const { document } = parseDocument(
    JSON.stringify({
      timeout: '1s',
      interval: '1s',
      unhealthy_threshold: 3,
      healthy_threshold: 2,
      ...(asked ? {} : { http_health_check: { path: '/' } }),
      ...fields,
    }),
    'test',
  );
  const value = document === undefined ? undefined : check(HealthCheckSchema, document, { vocabulary: 'proxy' }).value;
  if (value === undefined) throw new Error(`not a health check: ${JSON.stringify(fields)}`);
  return healthCheckSettings(value);
}

export const NEW = HealthFlag.FAILED_ACTIVE_HC;

export interface Checked {
  readonly checker: HealthChecker;
  readonly host: Host;
  readonly stats: HealthCheckStats;
  readonly random: ScriptedRandom;
  /** What the outside was told: "changed passed", "same failed". */
  readonly log: string[];
  /** Results of the only checker, in order. */
  readonly take: (...results: readonly CheckResult[]) => readonly (Transition | undefined)[];
  /** Milliseconds until the next check, after one result of the only checker. */
  readonly wait: (result: CheckResult) => number | undefined;
}

export interface CheckedOptions {
  readonly version?: ProxyVersion;
  readonly runtime?: Readonly<Record<string, number>>;
  /** Values drawn, in order; 0 afterwards. */
  readonly draws?: readonly number[];
  /** Flags of the host when it is added. */
  readonly flags?: number;
  readonly hasTraffic?: () => boolean;
  /** Called at each event, while the checker is at work. */
  readonly onEvent?: (checker: HealthChecker, host: Host) => void;
}

/** A checker over one host, which is in good health unless `flags` say otherwise. */
export function checked(configs: readonly HealthCheck[] = [healthCheck()], options: CheckedOptions = {}): Checked {
  const stats = new HealthCheckStats();
  const random = new ScriptedRandom((options.draws ?? []).map((lo) => ({ hi: 0, lo })));
  const log: string[] = [];
  const host = new Host({ address: '10.0.0.1:80', flags: options.flags ?? 0 });
  const checker: HealthChecker = new HealthChecker(
    configs,
    options.version ?? '1.17',
    runtimeOf({ ...options.runtime }),
    random,
    stats,
    options.hasTraffic ?? (() => true),
    {
      checked: (one, changed, passed) => {
        log.push(`${changed ? 'changed' : 'same'} ${passed ? 'passed' : 'failed'}`);
        options.onEvent?.(checker, one);
      },
    },
  );
  checker.addHost(host);
  const result = (one: CheckResult) => checker.onResult(host, 0, one, 0);
  return {
    checker,
    host,
    stats,
    random,
    log,
    take: (...results) => results.map((one) => result(one)?.transition),
    wait: (one) => {
      const delayUs = result(one)?.nextDelayUs;
      return delayUs === undefined ? undefined : delayUs / 1000;
    },
  };
}
