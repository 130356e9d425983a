import { policyOf } from '../../config/policy/of-cluster.js';
import { around, leafOf } from '../../config/policy/policy.js';
import type { Cluster } from '../../config/cluster/cluster-shape.js';
import type { Struct } from '../../core/json-value.js';
import { entryOf } from '../../core/lists.js';
import { MICROS_PER_SECOND } from '../../core/units.js';
import type { LoadReport } from '../../policy/load-report.js';
import type { Scenario } from '../../scenario/model.js';
import { type Behavior, Behaviors } from '../../settings/behavior.js';
import type { SelectableHost } from '../../settings/selector.js';
import { type Capture, hostsOf } from './capture.js';

/** What a host answers besides that it was asked. */
export interface HostAnswer {
  readonly status: number;
  /** Its load, in the names of ORCA load reports; undefined: it reports none. */
  readonly report?: Struct | undefined;
}

/** What hosts answer as long as the scenario lasts, by address; others: 200. @param reports they report loads, too. */
export function lastingAnswers(
  { behavior, timeline }: Scenario,
  situations: readonly Pick<Capture, 'clusters'>[],
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

/** These answers as `behavior` of a scenario. @param at the place of each host, `ip:port`. */
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

/**
 * When hosts weigh as they report: soon, so that all can wait for it; only where hosts change, as no update comes in the time that a
 * comparison takes; or in between, where it depends on how long requests take.
 */
type Weighing = 'soon' | 'at changes' | 'in between';

/** A cluster is settled within this time, or is not waited for. */
const SOON_US = 100_000;
/** No comparison takes so long. */
const LONG_US = 3600 * MICROS_PER_SECOND;

/** undefined: by no reports. */
export function weighingIn(cluster: Cluster): Weighing | undefined {
  const policy = policyOf(cluster);
  if (around(policy, 'load_aware_locality') !== undefined) return 'in between';
  const leaf = leafOf(policy);
  if (leaf.kind !== 'client_side_weighted_round_robin') return undefined;
  const { weightUpdatePeriod: updateUs = MICROS_PER_SECOND, blackoutPeriod: blackoutUs } = leaf;
  if (updateUs >= LONG_US) return 'at changes';
  return blackoutUs === 0 && updateUs <= SOON_US ? 'soon' : 'in between';
}

/** Whether all weights by reports can be compared. */
export function canWaitForReports(clusters: readonly Cluster[]): boolean {
  return clusters.every((cluster) => weighingIn(cluster) !== 'in between');
}
