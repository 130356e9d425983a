import type { Struct } from '../../core/json-value.js';
import { entryOf } from '../../core/lists.js';
import type { LoadReport } from '../../policy/load-report.js';
import type { Scenario } from '../../scenario/model.js';
import { type Behavior, Behaviors } from '../../settings/behavior.js';
import type { SelectableHost } from '../../settings/selector.js';
import { hostsOf } from './capture.js';
import type { Situation } from './situations.js';

/** What a host answers besides that it was asked. */
export interface HostAnswer {
  readonly status: number;
  /** Its load, in the names of ORCA load reports; undefined: it reports none. */
  readonly report?: Struct | undefined;
}

/**
 * What hosts answer for as long as the scenario lasts, by address; the others answer 200.
 *
 * @param reports they report their loads, too.
 */
export function lastingAnswers(
  { behavior, timeline }: Scenario,
  situations: readonly Situation[],
  reports: boolean,
): ReadonlyMap<string, HostAnswer> {
  if (timeline.some(({ action }) => action.kind === 'set_behavior')) return new Map();
  const behaviors = new Behaviors(behavior);
  const hosts = new Map<string, SelectableHost[]>();
  for (const { clusters } of situations) {
    for (const [cluster, levels] of clusters) {
      for (const { host, level, locality } of hostsOf(levels))
        entryOf(hosts, host.address, () => []).push({ ...host, cluster, priority: level.priority, locality });
    }
  }
  return new Map(
    [...hosts].map(([address, named]) => {
      const { errorRate, errorStatus, loadReport } = behaviors.of(named);
      const report = reports && typeof loadReport === 'object' ? messageOf(loadReport) : undefined;
      return [address, { status: errorRate === 1 ? errorStatus : 200, report }];
    }),
  );
}

function messageOf({ rps, ...report }: LoadReport): Struct {
  return {
    cpu_utilization: report.cpuUtilization,
    mem_utilization: report.memUtilization,
    application_utilization: report.applicationUtilization,
    rps_fractional: rps,
    eps: report.eps,
    named_metrics: report.namedMetrics,
    utilization: report.utilization,
  };
}

const LASTS: ReadonlySet<string> = new Set<keyof Behavior>(['errorRate', 'errorStatus', 'loadReport']);

/** Whether nothing else is said of hosts than what {@link lastingAnswers} has. */
export function hasLastingAnswers({ behavior, timeline }: Scenario): boolean {
  return (
    timeline.every(({ action }) => action.kind !== 'set_behavior') &&
    behavior.every(
      ({ behavior: { errorRate = 0, loadReport, ...own } }) =>
        Object.keys(own).every((field) => LASTS.has(field)) &&
        (errorRate === 0 || errorRate === 1) &&
        loadReport !== 'measured',
    )
  );
}

/**
 * These answers as `behavior` of a scenario.
 *
 * @param at the place of each host, `ip:port`.
 */
export function behaviorOf(
  answers: ReadonlyMap<string, HostAnswer>,
  addresses: Iterable<string>,
  at = (address: string): string => address,
): readonly Struct[] {
  return [...addresses].flatMap((address) => {
    const { status = 200, report } = answers.get(address) ?? {};
    const fields = {
      ...(status !== 200 && { error_rate: '100%', error_status: status }),
      ...(report !== undefined && { load_report: report }),
    };
    return Object.keys(fields).length === 0 ? [] : [{ hosts: { address: at(address) }, ...fields }];
  });
}
