import type { HealthStatus, Host } from '../../../src/host/host.js';
import { HealthFlag } from '../../../src/host/host.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { asString, FormatError } from '../fields.js';

/** `expect_health` and `expect_excluded`. */
export function compareHealth(host: Host, expected: Fields, where: string, check: Check): void {
  const health = expected.optionalString('expect_health');
  if (health !== undefined) check.equal('health', host.health.toUpperCase(), health, `${where}: health`);
  const excluded = expected.optionalBoolean('expect_excluded');
  if (excluded !== undefined) check.equal('excluded', host.excluded, excluded, `${where}: excluded`);
}

export function readFlags(names: readonly unknown[], path: string): number {
  return names.reduce<number>((flags, value) => {
    const name = asString(value, path);
    if (!Object.hasOwn(HealthFlag, name)) throw new FormatError(`${path}: unknown flag ${JSON.stringify(name)}`);
    return flags | HealthFlag[name as keyof typeof HealthFlag];
  }, 0);
}

export function flagNames(flags: number): readonly string[] {
  return Object.entries(HealthFlag)
    .filter(([, flag]) => (flags & flag) !== 0)
    .map(([name]) => name)
    .sort();
}

const STATUSES: readonly HealthStatus[] = ['UNKNOWN', 'HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'];

export function readStatus(text: string | undefined, path: string): HealthStatus {
  const status = STATUSES.find((one) => one === (text ?? 'UNKNOWN'));
  if (status === undefined) throw new FormatError(`${path}: unknown health status ${JSON.stringify(text)}`);
  return status;
}
