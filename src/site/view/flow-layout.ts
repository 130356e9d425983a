import type { ClusterPicture, PhasePicture, RunPicture } from '../engine/draw-picture.js';
import { sum } from '../../core/values.js';
import { type Group, groupsOf, hostInWords, hostNames, type Instant, LOST, sumOf } from '../instant.js';
import { counted, percent, visible } from '../number-format.js';

/** The layout of the flow: pure geometry, in pixels. */

export interface FlowNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** As much of the name as there is room for. */
  readonly name: string;
  readonly title: string;
  /** Second line. */
  readonly says: string;
  readonly kind: 'clients' | 'proxies' | 'priority' | 'zone' | 'aggregate' | 'member' | 'lost';
  readonly panic?: boolean;
  /** It tells of failures. */
  readonly bad?: boolean;
  readonly zone?: string;
  /** The cluster that it stands for, which may be chosen. */
  readonly cluster?: string;
}

type Placed = ReturnType<typeof placeHosts>;

/** `host`: index in the cluster's list; `says`, the second line: the share, and the weight where weights differ. */
export type FlowHost = Placed['circles'][number];

/** `cell`: the side of one, with the gap. */
export type FlowField = Placed['fields'][number];

export type FlowBand = ReturnType<typeof bandOf>;

/** Below it names are short; from {@link WIDE} on there is room for proxies and zones. */
export const NARROW = 460;
const WIDE = 540;
const HOST_PITCH = 30;
const GROUP_GAP = 14;
/** Up to this many hosts each is a circle; more are cells of a field. */
const mostCircles = (width: number): number => (width < NARROW ? 10 : 18);
/** Side of a cell in fields of up to this many hosts. */
const CELLS: readonly (readonly [hosts: number, cell: number])[] = [
  [400, 9],
  [1_500, 6],
  [3_000, 4],
  [Infinity, 3],
];
/** From this many hosts on fields are wider, so that all of them are seen at once. */
const CROWD = 1_500;
const FIELD_HEAD = 14;
/** Room for the name of a field with its share. */
const LONG_NAME = 116;
const NODE_HALF = 54;
export const NODE_HEIGHT = 38;
/** Height of the band of all traffic, in pixels: it leaves a node within its side. */
const FULL = 32;
const MEMBER_PITCH = NODE_HEIGHT + 12;
/** Between two columns of a narrow picture. */
const LEAST_GAP = 18;
/** Width of a character of a node's name, and of the smaller ones of its second line, with their share of the margins. */
const NAME_PX = 7;
const SAYS_PX = 6.2;

/** Shares are of all traffic, failed or not. */
type BandEnd = Readonly<{ y: number; share: number; failed: number }>;

/** @param width of the picture, in pixels. */
export function layoutFlow(run: RunPicture, cluster: ClusterPicture, instant: Instant, width: number) {
  const { phase, lost } = instant;
  // A host keeps its place while it is away, where all of them have room.
  const present = groupsOf(cluster)
    .map((group) => ({
      ...group,
      hosts: group.hosts.filter((host) => cluster.hosts.length <= mostCircles(width) || phase.health[host] !== 0),
    }))
    .filter(({ hosts }) => hosts.length > 0);
  const narrow = width < NARROW;
  const hasProxies = width >= WIDE;
  const hasZones = hasProxies && new Set(present.map(({ zone }) => zone)).size > 1;
  const passesOn = phase.members.length > 0;
  const kinds: FlowNode['kind'][] = ['clients'];
  if (hasProxies) kinds.push('proxies');
  kinds.push(passesOn ? 'aggregate' : 'priority');
  if (hasZones) kinds.push('zone');
  const isCrowd = present.reduce((sum, { hosts }) => sum + hosts.length, 0) > CROWD;
  const hostX = width - labelRoom(cluster, width) - (isCrowd ? 36 : 0);
  const half = Math.min(NODE_HALF, Math.max(20, (hostX / (kinds.length + 0.5) - LEAST_GAP) / 2));
  const first = half + 4;
  const step = (hostX - first) / kinds.length;
  const room = Math.max(3, Math.floor((2 * half) / NAME_PX));
  const nameOf = (name: string): Named => ({ name: visible(name, room), title: visible(name) });
  // Of zones the end says which it is.
  const zoneOf = (zone: string): Named => ({
    name: visible(zone.length <= room ? zone : `…${zone.slice(1 - room)}`),
    title: visible(zone),
  });
  const xOf = (kind: FlowNode['kind']): number => first + Math.max(0, kinds.indexOf(kind)) * step;

  const right = passesOn
    ? { circles: [], fields: [], groups: [], height: Math.max(150, memberY(phase.members.length - 1) + MEMBER_PITCH) }
    : placeHosts(cluster, instant, present, hostX, width);
  const levels = [...new Set(right.groups.map(({ priority }) => priority))].map((priority) => ({
    priority,
    groups: right.groups.filter((group) => group.priority === priority),
  }));
  const heights = levels.map(({ groups }) => meanOf(groups.map(({ y }) => y)));
  const middle = heights.length === 0 ? right.height / 2 : meanOf(heights);
  const nodes: FlowNode[] = [];
  const bands: FlowBand[] = [];
  const join = (
    id: string,
    from: Source,
    to: Point,
    { share, failed, title, room = half }: Pick<BandEnd, 'share' | 'failed'> & { title: string; room?: number },
  ): void => {
    // What leaves a node leaves it in the order of its ends, from the top.
    const y = from.y + (from.left + share / 2 - from.share / 2) * FULL;
    from.left += share;
    const failing = share > 0 ? Math.min(1, failed / share) : 0;
    const says = failing > 0 ? `${title}, ${percent(failing)} of it fails` : title;
    bands.push(bandOf({ id, share, failing, title: says }, { x: from.x + half, y }, { x: to.x - room, y: to.y }));
  };

  let from: Source = { x: xOf('clients'), y: middle, share: 1, left: 0 };
  nodes.push(clientsNode(run, cluster, from, { nameOf, failed: instant.failed, digits: narrow ? 0 : 1 }));
  const all = { share: 1, failed: instant.failed, title: 'all requests' };
  if (hasProxies) {
    const at = { x: xOf('proxies'), y: middle, share: 1, left: 0 };
    nodes.push(proxiesNode(run, at, nameOf));
    join('clients-proxies', from, at, all);
    from = at;
  }

  if (passesOn) {
    const at = { x: xOf('aggregate'), y: middle, share: 1, left: 0 };
    nodes.push({ id: 'aggregate', kind: 'aggregate', ...at, ...nameOf(cluster.name), says: 'aggregate' });
    join('to-aggregate', from, at, all);
    for (const [index, { cluster: name, share }] of phase.members.entries()) {
      const end = { x: Math.min(hostX + 30, width - half - 4), y: memberY(index) };
      const id = `member ${name}`;
      nodes.push({ id, kind: 'member', ...end, ...nameOf(name), says: percent(share), cluster: name });
      join(`to ${id}`, at, end, { share, failed: 0, title: `${percent(share)} to ${visible(name, 60)}` });
    }
  }

  for (const [place, { priority, groups }] of levels.entries()) {
    const share = groups.reduce((sum, group) => sum + group.share, 0);
    const failed = groups.reduce((sum, group) => sum + group.failed, 0);
    const level = phase.priorities.find((one) => one.priority === priority);
    const at: Source = { x: xOf('priority'), y: heights[place] ?? middle, share, left: 0 };
    nodes.push({
      id: `priority ${priority}`,
      kind: 'priority',
      ...at,
      name: narrow ? `P${priority}` : `priority ${priority}`,
      title: `priority ${priority}${level === undefined ? '' : `: ${level.healthy} of ${counted(level.total, 'host')} healthy`}`,
      says: priorityNote(share, level, half),
      panic: level?.panic === true,
    });
    const title = `${percent(share)} to priority ${priority}`;
    // Without hosts to go to a request fails here.
    join(`to-priority ${priority}`, from, at, { share, failed, title });
    for (const group of groups) {
      let end = at;
      if (hasZones) {
        end = { x: xOf('zone'), y: group.y, share: group.share, left: 0 };
        const id = `zone ${priority} ${group.zone}`;
        const { zone, share: own, failed: fails } = group;
        nodes.push({ id, kind: 'zone', x: end.x, y: end.y, ...zoneOf(zone), zone, says: percent(own) });
        join(`to-${id}`, at, end, { share: own, failed: fails, title: `${percent(own)} to zone ${visible(zone, 40)}` });
      }
      for (const [index, { y, share: own, failed: fails }] of group.ends.entries()) {
        const about = { share: own, failed: fails, title: percent(own), room: 16 };
        join(`to-host ${priority} ${group.zone} ${index}`, end, { x: hostX - 2, y }, about);
      }
    }
  }
  if (lost > 0) {
    const end = { x: from.x + half + 40, y: right.height + LOST_ROOM / 2 };
    const name = `${percent(lost)} ${instant.why}`;
    nodes.push({ id: 'lost', kind: 'lost', ...end, name, title: '', says: '', bad: true });
    join('to-lost', from, end, { share: lost, failed: lost, title: name, room: 8 });
  }
  return {
    height: right.height + (canLose(cluster) ? LOST_ROOM : 0),
    /** Half of the width of a node. */
    half,
    nodes,
    hosts: right.circles,
    fields: right.fields,
    bands,
  };
}

/** Below the picture, for what finds no host. */
const LOST_ROOM = 30;

/** At some time of the run; so that the picture is as high all the time. */
const canLose = ({ noHost, course }: ClusterPicture): boolean =>
  noHost > 0 || course?.intervals.some(({ failures }) => LOST.some(([cause]) => (failures[cause] ?? 0) > 0)) === true;

/** For the names of hosts, and for what is true of them where that is not what the proxy believes. */
function labelRoom({ hosts, phases }: ClusterPicture, width: number): number {
  const tells =
    hosts.length <= mostCircles(width) &&
    phases.some((phase) => hosts.some((_, host) => hostInWords(phase, host) !== ''));
  if (width < NARROW) return tells ? 162 : 96;
  return tells ? 214 : 118;
}

type Named = Pick<FlowNode, 'name' | 'title'>;

/** Its share, and how much of it is up, as far as there is room. */
function priorityNote(share: number, level: PhasePicture['priorities'][number] | undefined, half: number): string {
  const own = percent(share, share > 0.9999 ? 0 : 1);
  if (level === undefined) return own;
  const { healthy, total } = level;
  const up = percent(total === 0 ? 0 : healthy / total, 0);
  const notes = [`${own} · ${healthy}/${total} up`, `${own} · ${healthy}/${total}`, `${own} · ${up} up`];
  return notes.find((note) => note.length * SAYS_PX <= 2 * half) ?? own;
}

function clientsNode(
  run: RunPicture,
  cluster: ClusterPicture,
  at: Source,
  told: { readonly nameOf: (name: string) => Named; readonly failed: number; readonly digits: number },
): FlowNode {
  const senders = run.clients.filter(({ clusters }) => clusters.includes(cluster.name));
  const [first] = senders;
  const named = told.nameOf(senders.length > 1 ? `${senders.length} workloads` : (first?.name ?? 'clients'));
  const bad = told.failed > 0;
  const says = bad ? `${percent(told.failed, told.digits)} fail` : '';
  return { id: 'clients', kind: 'clients', ...at, ...named, says, bad };
}

function proxiesNode({ proxies }: RunPicture, at: Point, nameOf: (name: string) => Named): FlowNode {
  const [proxy, ...others] = proxies;
  const number = proxies.reduce((sum, { count }) => sum + count, 0);
  const versions = new Set(proxies.map(({ version }) => version));
  return {
    id: 'proxies',
    kind: 'proxies',
    ...at,
    ...nameOf(number > 1 ? `${number} proxies` : (proxy?.name ?? 'proxy')),
    says:
      versions.size > 1 ? `${versions.size} versions` : others.length > 0 && number === 1 ? '' : (proxy?.version ?? ''),
  };
}

const memberY = (index: number): number => GROUP_GAP + MEMBER_PITCH / 2 + index * MEMBER_PITCH;

function placeHosts(
  cluster: ClusterPicture,
  { phase, shares, failing }: Instant,
  present: readonly Group[],
  x: number,
  width: number,
) {
  const asCircles = present.reduce((sum, { hosts }) => sum + hosts.length, 0) <= mostCircles(width);
  const names = hostNames(cluster);
  const hosts = present.flatMap((group) => group.hosts).filter((host) => phase.health[host] !== 0);
  const areWeighted = new Set(hosts.map((host) => phase.weights[host])).size > 1;
  const circles = [];
  const fields = [];
  const groups = [];
  let y = GROUP_GAP + 6;
  for (const group of present) {
    const share = sumOf(shares, group.hosts);
    const failedOf = (host: number): number => (shares[host] ?? 0) * (failing[host] ?? 0);
    const failed = group.hosts.reduce((sum, host) => sum + failedOf(host), 0);
    const top = y;
    const ends: BandEnd[] = [];
    if (asCircles) {
      for (const host of group.hosts) {
        const own = shares[host] ?? 0;
        const at = y + HOST_PITCH / 2;
        y += HOST_PITCH;
        if (phase.health[host] === 0) continue;
        const radius = 7 + 6 * Math.sqrt(Math.min(1, own));
        const says = `${percent(own)}${areWeighted ? ` · w ${phase.weights[host] ?? 0}` : ''}`;
        circles.push({ host, x, y: at, radius, name: names[host] ?? '', says });
        ends.push({ y: at, share: own, failed: failedOf(host) });
      }
    } else {
      const { hosts } = group;
      const cell = CELLS.find(([most]) => hosts.length <= most)?.[1] ?? 3;
      const columns = Math.min(Math.max(1, Math.floor((width - x - 4) / cell)), hosts.length);
      const height = Math.max(34, Math.ceil(hosts.length / columns) * cell + FIELD_HEAD + 4);
      const says = counted(hosts.length, 'host');
      const name = width - x < LONG_NAME ? says : `${says}, ${percent(share)}`;
      fields.push({ id: `field ${group.priority} ${group.zone}`, x, y, name, hosts, columns, cell, share });
      ends.push({ y: y + height / 2, share, failed });
      y += height;
    }
    groups.push({ ...group, y: (top + y) / 2, share, failed, ends });
    y += GROUP_GAP;
  }
  return { circles, fields, groups, height: Math.max(150, y + 4) };
}

/** Where the cell of the `index`-th host of a field is, from the corner of the field. */
export function cellAt({ columns, cell }: FlowField, index: number): Point {
  return { x: (index % columns) * cell, y: FIELD_HEAD + Math.floor(index / columns) * cell };
}

/** The host at a place in a field; undefined: none. */
export function hostAt({ hosts, columns, cell }: FlowField, { x, y }: Point): number | undefined {
  const column = Math.floor(x / cell);
  if (column < 0 || column >= columns || y < FIELD_HEAD) return undefined;
  return hosts[Math.floor((y - FIELD_HEAD) / cell) * columns + column];
}

type Point = Readonly<{ x: number; y: number }>;

/** A node that bands leave. */
interface Source extends Point {
  /** Of all traffic, 0–1. */
  readonly share: number;
  /** What has left it so far. */
  left: number;
}

const meanOf = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);

/** @param failing of its share, 0–1. */
function bandOf(
  about: { readonly id: string; readonly share: number; readonly failing: number; readonly title: string },
  from: Point,
  to: Point,
) {
  const bend = Math.max(6, (to.x - from.x) / 2);
  const [out, into] = [from.x + bend, to.x - bend];
  const height = about.share > 0 ? Math.max(1.2, about.share * FULL) : 0.8;
  const low = height / 2;
  const area = (top: number): string =>
    `M${from.x} ${from.y + top}C${out} ${from.y + top} ${into} ${to.y + top} ${to.x} ${to.y + top}` +
    `V${to.y + low}C${into} ${to.y + low} ${out} ${from.y + low} ${from.x} ${from.y + low}Z`;
  // As thin as it may be, it is seen.
  const failingArea = about.failing > 0 ? area(low - Math.max(Math.min(2, height), height * about.failing)) : '';
  return {
    ...about,
    /** Its middle, from left to right. */
    path: `M${from.x} ${from.y}C${out} ${from.y} ${into} ${to.y} ${to.x} ${to.y}`,
    /** All of it, as high as its share everywhere: the stroke of a steep curve would fold. */
    area: area(-low),
    /** The part of it that fails, at its lower side; empty: nothing does. */
    failingArea,
    height,
  };
}
