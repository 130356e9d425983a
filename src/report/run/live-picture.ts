import { groupBy, sum } from '../../core/values.js';
import type { Health } from '../../host/host.js';
import { count, counted, percentDigits, printable } from '../format.js';
import { bar, displayWidth, type Paint, type ReportLayout, shorten, widest } from '../layout.js';

export interface LiveHost {
  readonly address: string;
  readonly priority: number;
  readonly zone: string;
  readonly health: Health;
  /** Of the cluster's latest requests, 0–1; undefined: there were none. */
  readonly share: number | undefined;
}

export interface LiveCluster {
  readonly name: string;
  readonly policy: string;
  /** Priorities in panic. */
  readonly panics: readonly number[];
  readonly hosts: readonly LiveHost[];
}

export interface LiveState {
  readonly name: string;
  /** Virtual time, s. */
  readonly atS: number;
  /** 0–1. */
  readonly progress: number;
  readonly requests: number;
  readonly failed: number;
  readonly clusters: readonly LiveCluster[];
}

/** No line is longer than `width`. */
export interface LiveLayout extends Pick<ReportLayout, 'width' | 'paint'> {
  /** Lines at most. */
  readonly rows: number;
}

interface Row {
  readonly health: Health;
  /** As `P0 home`. */
  readonly place: string;
  readonly name: string;
  readonly share: number | undefined;
}

/** A sign and a letter each: colour alone tells nothing to some, and to a terminal without it. */
const SIGNS: Readonly<Record<Health, string>> = { healthy: '● H', degraded: '◐ D', unhealthy: '✕ U' };
const PROGRESS = 20;
const LONGEST_BAR = 30;
/** Below this there is room for names and figures, and for nothing else. */
const NARROW = 56;

export function livePicture(state: LiveState, { width, rows, paint }: LiveLayout): string[] {
  const lines = [head(state, width, paint)];
  let left = rows - 1;
  for (const [index, cluster] of state.clusters.entries()) {
    const others = state.clusters.length - index - 1;
    if (left < (others > 0 ? 3 : 2)) {
      if (left > 0) lines.push(cut(`… and ${counted(others + 1, 'more cluster')}`, width));
      break;
    }
    lines.push(clusterLine(cluster, width, paint));
    // The others get a line for their name and one for a sum.
    const shown = fitting(cluster.hosts, Math.max(1, left - 1 - 2 * others));
    lines.push(...rowLines(shown, width, paint));
    left -= 1 + shown.length;
  }
  return lines;
}

function head({ name, atS, progress, requests, failed }: LiveState, width: number, paint: Paint): string {
  const done = Math.round(progress * PROGRESS);
  const time = `${atS.toFixed(1)} s`;
  const sum = `${count(requests)} requests${failed > 0 ? `, ${count(failed)} failed` : ''}`;
  const meter = `${'█'.repeat(done)}${'░'.repeat(PROGRESS - done)}`;
  const whole = `${time}  ${meter}  ${sum}  ${printable(name)}`;
  if (displayWidth(whole) > width) return cut(`${time}  ${sum}`, width);
  return `${paint.strong(time)}  ${paint.bar(meter)}  ${sum}  ${paint.faint(printable(name))}`;
}

function clusterLine({ name, policy, panics, hosts }: LiveCluster, width: number, paint: Paint): string {
  const levels = new Set(hosts.map(({ priority }) => priority)).size;
  const panic = panics.length === 0 ? '' : `  ▲ panic${levels > 1 ? ` in priority ${panics.join(', ')}` : ''}`;
  const title = shorten(printable(name), Math.max(8, width - displayWidth(panic) - policy.length - 4));
  const plain = `${title}  ${policy}${panic}`;
  if (displayWidth(plain) > width) return cut(`${title}${panic}`, width);
  return `${paint.strong(title)}  ${paint.faint(policy)}${paint.bad(panic)}`;
}

/** Every host, or sums by priority and zone, or one sum. */
function fitting(hosts: readonly LiveHost[], room: number): readonly Row[] {
  const places = new Set(hosts.map(placeOf)).size > 1;
  if (hosts.length <= room)
    return hosts.map((host) => ({ ...host, place: places ? placeOf(host) : '', name: printable(host.address) }));
  const sums = [...groupBy(hosts, placeOf)].map(([place, members]) => sumOf(place, members));
  return sums.length <= room ? sums : [sumOf('', hosts)];
}

const placeOf = ({ priority, zone }: LiveHost): string => `P${priority} ${printable(zone)}`.trimEnd();

/** The health of a sum is that of its worst host. */
function sumOf(place: string, hosts: readonly LiveHost[]): Row {
  const healthy = hosts.filter(({ health }) => health === 'healthy').length;
  const worst = (['unhealthy', 'degraded'] as const).find((health) => hosts.some((host) => host.health === health));
  const known = hosts.filter(({ share }) => share !== undefined);
  return {
    health: worst ?? 'healthy',
    place,
    name: `${count(healthy)} of ${counted(hosts.length, 'host')} healthy`,
    share: known.length === 0 ? undefined : sum(known.map(({ share = 0 }) => share)),
  };
}

function rowLines(rows: readonly Row[], width: number, paint: Paint): readonly string[] {
  const isNarrow = width < NARROW;
  const places = isNarrow ? 0 : Math.min(18, widest(rows.map(({ place }) => place)));
  // Sign, gaps and figure take 15 columns, a bar one more.
  const names = Math.min(widest(rows.map(({ name }) => name)), Math.max(6, width - places - 15));
  const columns = Math.min(LONGEST_BAR, width - places - names - 16);
  const most = Math.max(0, ...rows.map(({ share = 0 }) => share));
  return rows.map(({ health, place, name, share }) => {
    const paintHealth = { healthy: paint.good, degraded: paint.odd, unhealthy: paint.bad }[health];
    const at = places === 0 ? '' : `${padded(shorten(place, places), places)} `;
    const drawn = columns < 4 || most === 0 ? '' : `${paint.bar(padded(bar((share ?? 0) / most, columns), columns))} `;
    const figure = share === undefined ? '–' : `${percentDigits(share)} %`;
    return ` ${paintHealth(SIGNS[health])} ${at}${padded(shorten(name, names), names)}  ${drawn}${figure.padStart(7)}`;
  });
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)));

const cut = (text: string, width: number): string => shorten(text, Math.max(2, width));
