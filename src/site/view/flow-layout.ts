import type { ClusterPicture, PhasePicture, RunPicture } from '../engine/picture.js';
import type { Group } from '../run-at-time.js';
import { groupsOf, hostNames, sumOf } from '../run-at-time.js';
import { percent, visible } from '../number-format.js';

/** The layout of the flow: pure geometry, in pixels. */

export interface FlowNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly name: string;
  /** Second line. */
  readonly says: string;
  readonly kind: 'clients' | 'proxies' | 'priority' | 'zone';
  readonly panic: boolean;
}

/** A host, or a field of many. */
export interface FlowHost {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly health: number;
  readonly share: number;
  readonly name: string;
  /** Index in the cluster's list. */
  readonly host: number;
}

export interface FlowField {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly hosts: readonly number[];
  readonly columns: number;
  readonly share: number;
}

export interface FlowBand {
  readonly id: string;
  readonly path: string;
  readonly width: number;
  readonly share: number;
  readonly title: string;
}

export interface FlowLayout {
  readonly height: number;
  /** Half of the width of a node. */
  readonly half: number;
  readonly nodes: readonly FlowNode[];
  readonly hosts: readonly FlowHost[];
  readonly fields: readonly FlowField[];
  readonly bands: readonly FlowBand[];
}

/** Below it names are short; from {@link WIDE} on there is room for proxies and zones. */
const NARROW = 460;
const WIDE = 640;
const HOST_PITCH = 30;
const GROUP_GAP = 14;
/** Up to this many hosts each is a circle; more are cells of a field. */
export const MOST_CIRCLES = 18;
export const CELL = 9;
const FIELD_COLUMNS = 16;
const MOST_CELLS = 1_600;
/** Width of all traffic, in pixels. */
const FULL = 46;
const NODE_HALF = 50;
/** Between two columns of a narrow picture. */
const LEAST_GAP = 26;

/** @param width of the picture, in pixels. */
export function layoutFlow(run: RunPicture, cluster: ClusterPicture, phase: PhasePicture, width: number): FlowLayout {
  const present = groupsOf(cluster)
    .map((group) => ({ ...group, hosts: group.hosts.filter((host) => phase.health[host] !== 0) }))
    .filter(({ hosts }) => hosts.length > 0);
  const asCircles = present.reduce((sum, { hosts }) => sum + hosts.length, 0) <= MOST_CIRCLES;
  const narrow = width < NARROW;
  const hasProxies = width >= WIDE;
  const hasZones = hasProxies && new Set(present.map(({ zone }) => zone)).size > 1;
  const names = hostNames(cluster);
  const hostX = width - (narrow ? 96 : 150);
  const columns = ['clients', ...(hasProxies ? ['proxies'] : []), 'priority', ...(hasZones ? ['zone'] : [])] as const;
  const half = Math.min(NODE_HALF, Math.max(20, (hostX / (columns.length + 0.5) - LEAST_GAP) / 2));
  const first = half + 4;
  const step = (hostX - first) / columns.length;
  const xOf = (column: FlowNode['kind']): number => first + Math.max(0, columns.indexOf(column)) * step;

  let y = GROUP_GAP + 6;
  const hosts: FlowHost[] = [];
  const fields: FlowField[] = [];
  const placed: (Group & { readonly y: number; readonly share: number; readonly ends: readonly [number, number][] })[] =
    [];
  for (const group of present) {
    const share = sumOf(phase.shares, group.hosts);
    const top = y;
    const ends: [number, number][] = [];
    if (asCircles) {
      for (const host of group.hosts) {
        const own = phase.shares[host] ?? 0;
        const at = y + HOST_PITCH / 2;
        hosts.push({
          id: `host ${host}`,
          x: hostX,
          y: at,
          radius: 5 + 9 * Math.sqrt(Math.min(1, own)),
          health: phase.health[host] ?? 0,
          share: own,
          name: names[host] ?? '',
          host,
        });
        ends.push([at, own]);
        y += HOST_PITCH;
      }
    } else {
      const cells = group.hosts.slice(0, MOST_CELLS);
      const across = Math.min(FIELD_COLUMNS, Math.max(1, Math.floor((width - hostX - 8) / CELL)), cells.length);
      const height = Math.max(34, Math.ceil(cells.length / across) * CELL + 18);
      fields.push({
        id: `field ${group.priority} ${group.zone}`,
        x: hostX,
        y,
        name: `${group.hosts.length} hosts, ${percent(share)}`,
        hosts: cells,
        columns: across,
        share,
      });
      ends.push([y + height / 2, share]);
      y += height;
    }
    placed.push({ ...group, y: (top + y) / 2, share, ends });
    y += GROUP_GAP;
  }
  const height = Math.max(150, y + 4);
  const middle = height / 2;

  const nodes: FlowNode[] = [];
  const band = (id: string, start: Point, end: Point, share: number, title: string, endRoom = half): FlowBand =>
    bandOf({ id, share, title }, { x: start.x + half, y: start.y }, { x: end.x - endRoom, y: end.y });
  const bands: FlowBand[] = [];
  const plain = { says: '', panic: false };
  const [clients, ...otherClients] = run.clients.filter(({ routes }) =>
    routes.some(({ cluster: name }) => name === cluster.name),
  );
  nodes.push({
    ...plain,
    id: 'clients',
    kind: 'clients',
    x: xOf('clients'),
    y: middle,
    name:
      otherClients.length > 0
        ? `${otherClients.length + 1} workloads`
        : visible(clients?.name ?? 'clients', narrow ? 10 : 14),
    says: phase.failed > 0 && phase.requests > 0 ? `${percent(Math.min(1, phase.failed / phase.requests))} fail` : '',
  });
  let from = { x: xOf('clients'), y: middle };
  if (hasProxies) {
    const [proxy, ...others] = run.proxies;
    const number = run.proxies.reduce((sum, { count }) => sum + count, 0);
    nodes.push({
      ...plain,
      id: 'proxies',
      kind: 'proxies',
      x: xOf('proxies'),
      y: middle,
      name: number > 1 ? `${number} proxies` : visible(proxy?.name ?? 'proxy', 14),
      says: others.length > 0 && number === 1 ? '' : (proxy?.version ?? ''),
    });
    bands.push(band('clients-proxies', from, { x: xOf('proxies'), y: middle }, 1, 'all requests'));
    from = { x: xOf('proxies'), y: middle };
  }
  for (const priority of new Set(placed.map((group) => group.priority))) {
    const groups = placed.filter((group) => group.priority === priority);
    const share = groups.reduce((sum, group) => sum + group.share, 0);
    const level = phase.priorities.find((one) => one.priority === priority);
    const at = { x: xOf('priority'), y: groups.reduce((sum, group) => sum + group.y, 0) / groups.length };
    nodes.push({
      id: `priority ${priority}`,
      kind: 'priority',
      ...at,
      name: narrow ? `P${priority}` : `priority ${priority}`,
      says: `${percent(share)}${level === undefined || narrow ? '' : ` · ${level.healthy}/${level.total} up`}`,
      panic: level?.panic === true,
    });
    bands.push(band(`to-priority ${priority}`, from, at, share, `${percent(share)} to priority ${priority}`));
    for (const group of groups) {
      let end = at;
      if (hasZones) {
        end = { x: xOf('zone'), y: group.y };
        nodes.push({
          ...plain,
          id: `zone ${priority} ${group.zone}`,
          kind: 'zone',
          ...end,
          name: visible(group.zone, 16),
          says: percent(group.share),
        });
        const title = `${percent(group.share)} to zone ${visible(group.zone, 40)}`;
        bands.push(band(`to-zone ${priority} ${group.zone}`, at, end, group.share, title));
      }
      for (const [place, [endY, own]] of group.ends.entries()) {
        const id = `to-host ${priority} ${group.zone} ${place}`;
        bands.push(band(id, end, { x: hostX - 2, y: endY }, own, percent(own), 16));
      }
    }
  }
  return { height, half, nodes, hosts, fields, bands };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function bandOf(about: Pick<FlowBand, 'id' | 'share' | 'title'>, from: Point, to: Point): FlowBand {
  const bend = Math.max(6, (to.x - from.x) / 2);
  const path = `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
  return { ...about, path, width: about.share > 0 ? Math.max(1.2, about.share * FULL) : 0.8 };
}
