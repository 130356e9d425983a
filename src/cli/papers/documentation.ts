import type { ClusterPrediction } from '../../predict/prediction.js';
import type { Exact, Row } from './paper.js';

/** Hosts of a level, in percent of a hundred: healthy, and degraded. */
type Level = readonly [healthy: number, degraded: number];

/** The endpoints of a cluster with these levels, as `--set` takes them. */
function endpointsOf(levels: readonly Level[]): string {
  const groups = levels.flatMap(([healthy, degraded], level) =>
    (
      [
        ['HEALTHY', healthy],
        ['DEGRADED', degraded],
        ['UNHEALTHY', 100 - healthy - degraded],
      ] as const
    ).flatMap(([health, count], part) =>
      count === 0
        ? []
        : [`{address: 10.${level}.${part}.1:80, count: ${count}, health: ${health}, priority: ${level}}`],
    ),
  );
  return `[${groups.join(', ')}]`;
}

/** Of the hosts of this group of {@link endpointsOf} in level 0: 0 the healthy ones, 1 the degraded ones. */
const percentOfGroup =
  (part: number) =>
  ({ hosts }: ClusterPrediction): number =>
    100 * hosts.reduce((sum, { address, share }) => sum + (address.startsWith(`10.0.${part}.`) ? share : 0), 0);

const percentOf =
  (level: number) =>
  ({ priorities }: ClusterPrediction): number =>
    100 * (priorities.find(({ priority }) => priority === level)?.share ?? 0);

/** @param values what is published, each with what it is of a prediction of the cluster. */
function rowOf(
  cluster: string,
  row: string,
  change: string,
  values: readonly (readonly [published: number, of: Exact['of']])[],
  why: string | undefined,
  within = 0,
): Row {
  return {
    row,
    changes: [change],
    values: values.map(([published, of]) => ({ published, within, cluster, of })),
    ...(why !== undefined && { why }),
  };
}

function priorityRow(page: string, levels: readonly Level[], published: readonly number[], why?: string): Row {
  const percents = levels.map(([healthy, degraded]) => (degraded === 0 ? `${healthy}` : `${healthy} + ${degraded}`));
  const values = published.map((percent, level) => [percent, percentOf(level)] as const);
  return rowOf('levels', `${page}: ${percents.join(' / ')} %`, `endpoints.levels=${endpointsOf(levels)}`, values, why);
}

const healthy = (...percents: readonly number[]): readonly Level[] => percents.map((percent) => [percent, 0]);

function degradedRow(level: Level, toHealthy: number, toDegraded: number, why?: string): Row {
  const values = [toHealthy, toDegraded].map((percent, group) => [percent, percentOfGroup(group)] as const);
  return rowOf(
    'levels',
    `degraded: ${level.join(' + ')} of 100`,
    `endpoints.levels=${endpointsOf([level])}`,
    values,
    why,
  );
}

/** A locality of a hundred hosts, of which this many are healthy. */
function localityOf(zone: string, weight: number, percent: number): string {
  const hosts = Array.from({ length: 100 }, (_, host) => {
    const address = `{socket_address: {address: 10.${weight}.0.${host + 1}, port_value: 80}}`;
    return `{endpoint: {address: ${address}}, health_status: ${host < percent ? 'HEALTHY' : 'UNHEALTHY'}}`;
  });
  return `{locality: {zone: ${zone}}, load_balancing_weight: ${weight}, lb_endpoints: [${hosts.join(', ')}]}`;
}

/** Percents are printed without digits: the hosts of a level are all of a hundred. */
const ROUNDED = 0.5;

function localityRow(percent: number, x: number, y: number, why?: string): Row {
  const share =
    (zone: string): Exact['of'] =>
    ({ localities }) =>
      100 * (localities.find(({ locality }) => locality.zone === zone)?.share ?? 0);
  const endpoints = [localityOf('west', 1, percent), localityOf('east', 2, 100)].join(', ');
  const change = `clusters.localities.load_assignment.endpoints=[${endpoints}]`;
  const values = [[x, share('west')] as const, [y, share('east')] as const];
  return rowOf('localities', `localities: ${percent} / 100 %`, change, values, why, ROUNDED);
}

const FORMULA = 'its own page of priorities has the formula for it, which gives ours';
const BY_HAND = 'rounded by hand: the proxy rounds down, and gives what is left to the first level that is healthy';

const PANIC =
  'with 5 of 100 hosts healthy the level panics, as the page of the panic threshold says: all hosts share alike';
const CUT = 'cut where the other rows are rounded';

export const documentation: readonly Row[] = [
  priorityRow('priorities', healthy(100, 100), [100, 0]),
  priorityRow('priorities', healthy(72, 100), [100, 0]),
  priorityRow('priorities', healthy(71, 100), [99, 1]),
  priorityRow('priorities', healthy(50, 100), [70, 30]),
  priorityRow('priorities', healthy(25, 100), [35, 65]),
  priorityRow('priorities', healthy(0, 100), [0, 100]),
  priorityRow('priorities', healthy(72, 72), [100, 0]),
  priorityRow('priorities', healthy(71, 71), [99, 1]),
  priorityRow('priorities', healthy(50, 50), [70, 30]),
  priorityRow('priorities', healthy(25, 25), [50, 50]),
  priorityRow('priorities', healthy(100, 100, 100), [100, 0, 0]),
  priorityRow('priorities', healthy(72, 72, 100), [100, 0, 0]),
  priorityRow('priorities', healthy(71, 71, 100), [99, 1, 0]),
  priorityRow('priorities', healthy(50, 50, 100), [70, 30, 0]),
  priorityRow('priorities', healthy(25, 100, 100), [35, 65, 0]),
  priorityRow('priorities', healthy(25, 25, 100), [35, 35, 30]),
  priorityRow('priorities', healthy(25, 25, 20), [36, 36, 28], BY_HAND),
  priorityRow('panic', healthy(50, 60), [50, 50], FORMULA),
  priorityRow('panic', healthy(25, 100), [25, 75], FORMULA),
  priorityRow('panic', healthy(5, 65), [7, 93], BY_HAND),
  degradedRow([100, 0], 100, 0),
  degradedRow([71, 0], 100, 0),
  degradedRow([71, 29], 99, 1),
  degradedRow([25, 65], 35, 65),
  degradedRow([5, 0], 100, 0, PANIC),
  localityRow(100, 33, 67),
  localityRow(70, 33, 67),
  localityRow(69, 32, 68, CUT),
  localityRow(50, 26, 74),
  localityRow(25, 15, 85),
  localityRow(0, 0, 100),
];
