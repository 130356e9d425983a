import type { Micros } from '../core/units.js';
import { entryOf } from '../core/values.js';
import { FACTS } from './generated/policy-facts.js';
import type { LoadReport } from './load-report.js';
import { roundRobin, type RoundRobinConfig, type RoundRobinState } from './round-robin.js';
import type { ProxyListPolicy } from './policy-kinds.js';

/**
 * CLIENT_SIDE_WEIGHTED_ROUND_ROBIN: round robin by weights that follow the load reports of hosts.
 * A report gives a weight of rps / (utilisation + penalty · eps / rps), truncated to a whole number. An update, once
 * each period and with every change of hosts, applies the weights of hosts that have reported for longer than the blackout period, and last within the
 * expiration period; all others get the median of these weights (the mean of two; 1 where there are none).
 * Draws: none. Source: docs of extensions.load_balancing_policies.client_side_weighted_round_robin.v3; roundings, the
 * median and the penalty's default of 0 as a 1.40.0 shows them.
 */
export const clientSideWeightedRoundRobin: ProxyListPolicy<RoundRobinConfig, RoundRobinState> = {
  ...roundRobin,
  ...FACTS.CLIENT_SIDE_WEIGHTED_ROUND_ROBIN,
};

export interface ClientSideWeightsConfig {
  readonly blackoutUs: Micros;
  /** How old a host's last report may be; 0: any age. */
  readonly expirationUs: Micros;
  readonly updateUs: Micros;
  readonly errorPenalty: number;
  /** Named metrics take precedence over the application's utilisation. */
  readonly namedFirst: boolean;
  /** Names as in reports: `cpu_utilization`, `named_metrics.queue`. */
  readonly metricNames: readonly string[];
  /** How often hosts report by themselves, besides what answers carry; absent: never. */
  readonly oobUs?: Micros | undefined;
}

const MAX_WEIGHT = 4294967295;

/**
 * What counts as utilisation: the largest of the named metrics, else the application's utilisation, else the CPU's.
 * @param namedFirst false: the application's utilisation takes precedence over named metrics, a runtime setting.
 */
export function utilizationOf(report: LoadReport, metricNames: readonly string[], namedFirst: boolean): number {
  const { applicationUtilization: own, cpuUtilization } = report;
  const named = metricNames.reduce((most, name) => Math.max(most, metric(report, name)), 0);
  const [first, second] = namedFirst ? [named, own] : [own, named];
  if (first > 0) return first;
  return second > 0 ? second : cpuUtilization;
}

function metric(report: LoadReport, name: string): number {
  if (name === 'cpu_utilization') return report.cpuUtilization;
  if (name === 'mem_utilization') return report.memUtilization;
  if (name === 'application_utilization') return report.applicationUtilization;
  const dot = name.indexOf('.');
  const group = name.slice(0, dot);
  const key = name.slice(dot + 1);
  const values =
    group === 'named_metrics' ? report.namedMetrics : group === 'utilization' ? report.utilization : undefined;
  return values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? 0) : 0;
}

/** undefined: no weight follows, since no request was served or there was no load. */
export function reportedWeight(
  report: LoadReport,
  config: Pick<ClientSideWeightsConfig, 'errorPenalty' | 'metricNames' | 'namedFirst'>,
): number | undefined {
  const { errorPenalty, metricNames, namedFirst } = config;
  const { rps, eps } = report;
  if (!(rps > 0)) return undefined;
  const utilization = utilizationOf(report, metricNames, namedFirst) + (errorPenalty * eps) / rps;
  if (!(utilization > 0)) return undefined;
  return Math.min(MAX_WEIGHT, Math.trunc(rps / utilization));
}

interface Memory {
  weight: number;
  /** When it began to report; Infinity: its last report was too old. */
  sinceUs: Micros;
  lastUs: Micros;
}

/** The reports of the hosts of one cluster; `Key` is a host. */
export class ClientSideWeights<Key extends object> {
  private readonly memories = new WeakMap<Key, Memory>();

  constructor(private readonly config: ClientSideWeightsConfig) {}

  /** A host has reported its load. @returns whether it has a weight now. */
  reported(host: Key, report: LoadReport, nowUs: Micros): boolean {
    const weight = reportedWeight(report, this.config);
    if (weight === undefined) return false;
    const memory = entryOf(this.memories, host, () => ({ weight, sinceUs: nowUs, lastUs: nowUs }));
    memory.weight = weight;
    memory.lastUs = nowUs;
    if (memory.sinceUs === Infinity) memory.sinceUs = nowUs;
    return true;
  }

  /** The weights of the hosts of one priority from now on, in their order. */
  weights(hosts: readonly Key[], nowUs: Micros): readonly number[] {
    const own = hosts.map((host) => this.valid(host, nowUs));
    const fallback = median(own.filter((weight) => weight !== undefined));
    return own.map((weight) => Math.max(1, weight ?? fallback));
  }

  private valid(host: Key, nowUs: Micros): number | undefined {
    const memory = this.memories.get(host);
    if (memory === undefined || nowUs - this.config.blackoutUs < memory.sinceUs) return undefined;
    if (memory.lastUs < nowUs - this.config.expirationUs) {
      memory.sinceUs = Infinity;
      return undefined;
    }
    return memory.weight;
  }
}

function median(weights: readonly number[]): number {
  if (weights.length === 0) return 1;
  const sorted = [...weights].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : Math.trunc(((sorted[middle - 1] as number) + upper) / 2);
}
