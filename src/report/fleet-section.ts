import { printable } from '../core/printable.js';
import type { ClusterResult, FleetResult } from '../result/run-result.js';
import { count, counted, percent } from './format.js';
import { localityHeading, localityName, localityParts, type LocalityParts } from './groups.js';
import { type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

/** With more localities than this the matrix is too large: only the cross-zone part of each is shown. */
const MAX_LOCALITIES = 8;

/** The traffic of the whole fleet: a line per locality of proxies, a column per locality of hosts. */
export function fleetSection(cluster: ClusterResult, layout: ReportLayout): string[] {
  const { fleet } = cluster;
  if (fleet === undefined || fleet.from.every(({ requests }) => requests === 0)) return [];
  const places = [...fleet.to.map(({ locality }) => locality), ...fleet.from.flatMap(({ locality }) => locality ?? [])];
  const parts = localityParts(places);
  const { from, to } = fleet;
  const { name, number } = columnsOf(from.map((group, row) => ({ ...group, flows: fleet.flows[row] ?? [] })));
  const columns = [
    name(`from ${localityHeading(parts)}`, ({ locality }) =>
      locality === null ? '(no place)' : localityName(locality, parts),
    ),
    number('proxies', ({ proxies }) => count(proxies)),
    number('requests', ({ requests }) => count(requests)),
    ...(to.length <= MAX_LOCALITIES || layout.all ? to : []).map(({ locality }, index) =>
      number(`to ${localityName(locality, parts)}`, ({ flows, requests }) => flowText(flows[index] ?? 0, requests)),
    ),
    number('crosses', ({ locality, cross_zone: crosses }) => (locality === null ? '' : percent(crosses.share))),
  ];
  const lines = table(columns, layout, 2);
  return [...lines, '', ...wrap(sentences(cluster, fleet, parts), layout.width, '  '), ''];
}

function flowText(requests: number, of: number): string {
  return of === 0 ? '' : percent(requests / of);
}

/** "23.1 % of the requests cross zones. Of the 4 hosts, 10.0.0.1:80 in a got most, 1.50 times the mean of 2,500 …" */
function sentences(cluster: ClusterResult, fleet: FleetResult, parts: LocalityParts): string {
  const crossing =
    fleet.cross_zone.requests === 0
      ? 'No request crosses zones.'
      : `${percent(fleet.cross_zone.share)} of the requests cross zones.`;
  const order = [...cluster.hosts].sort((a, b) => b.requests - a.requests);
  const [most] = order;
  const least = order[order.length - 1];
  if (most === undefined || least === undefined) return crossing;
  const times = (ratio = 0): string => `${ratio.toFixed(2)} times`;
  if (times(most.relative_load) === times(least.relative_load)) {
    return `${crossing} Every host gets the same, ${count(fleet.mean_requests)} requests.`;
  }
  const place = localityName(most.locality, parts);
  return (
    `${crossing} Of ${counted(order.length, 'host')}, ${printable(most.address)} in ${place} got most: ` +
    `${times(most.relative_load)} the mean of ${count(fleet.mean_requests)} requests; the least was ` +
    `${times(least.relative_load)} (${printable(least.address)} in ${localityName(least.locality, parts)}).`
  );
}
