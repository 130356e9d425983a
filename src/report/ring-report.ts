import { scaleFor } from './run/host-shares.js';
import { largest, smallest, sum } from '../core/values.js';
import type { RingHostView } from '../result/generated/ring-view.js';
import type { RingTableView, RingView } from '../words/results.js';
import { tablePolicyOf } from '../policy/policy-of.js';
import { isTablePolicy } from '../policy/registry.js';
import { count, counted, decimal, entriesAHost, percent, printable } from './format.js';
import { MAX_HOSTS } from './run/host-table.js';
import { fill, SENTENCES } from './words.js';
import { labelled, leading, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';
import type { MovedKeysResult } from '../analysis/key-map.js';

const WORDS = SENTENCES.rings;

/** An alternative table of a cluster. */
export interface AdvisedTable {
  readonly policy: string;
  readonly size: number;
  /** The busiest host's share of the keys relative to its fair share. */
  readonly peak: number;
  readonly bytes: number;
  /** When one host is lost, on average: parts of all keys. */
  readonly moved: number;
  readonly orphaned: number;
  /** What moves by a change from the current table. */
  readonly from_now: number;
}

/** The smallest even enough table comes first. @param target how much more than its fair share a host may get, 0–1. */
export function adviceReport(
  cluster: string,
  tables: readonly AdvisedTable[],
  target: number,
  layout: ReportLayout,
): string {
  const fitting = tables.filter(({ peak }) => peak <= 1 + target);
  const [best] = [...fitting].sort((a, b) => a.bytes - b.bytes || a.moved - b.moved);
  const answer = fill(WORDS.advised, { found: best !== undefined, ...best, cluster, target });
  const { number, text } = columnsOf(tables);
  const columns = [
    text('policy', ({ policy }) => policy),
    number('entries', ({ size }) => count(size)),
    number('busiest', ({ peak }) => `${peak.toFixed(3)} ×`),
    number('memory', (one) => bytes(one.bytes)),
    number('move if a host goes', ({ moved, orphaned }) => `${percent(orphaned)} + ${percent(moved - orphaned)}`),
    number('to get there', ({ from_now: fromNow }) => percent(fromNow)),
  ];
  const lines = [...wrap(printable(answer), layout.width), '', ...table(columns, layout, 2), ''];
  return `${[...lines, ...wrap(WORDS.key_of_advice, layout.width).map(layout.paint.faint)].join('\n')}\n`;
}

export const bytes = (value: number): string =>
  value >= 1e6 ? `${decimal(value / 1e6, 1)} MB` : `${decimal(value / 1e3, 0)} kB`;

export function againstReport(cluster: string, other: string, moved: MovedKeysResult, { width }: ReportLayout): string {
  return `${wrap(printable(fill(WORDS.against, { ...moved, cluster, other })), width).join('\n')}\n`;
}

/**
 * Standard deviation over mean of (share of the keys / share of the weights), weights counted: 0 is perfect. Peak: the busiest host's
 * share of the keys relative to its fair share. @returns undefined for a table without entries.
 */
export function evenness(ringTable: RingTableView) {
  const hosts = ringTable.hosts.filter((host) => host.weight_share > 0);
  if (hosts.every(({ key_share: share }) => share === 0)) return undefined;
  const ratios = hosts.map(ratio);
  const variance = sum(hosts.map((host) => host.weight_share * (ratio(host) - 1) ** 2));
  return { variation: Math.sqrt(variance), peak: largest(ratios, 0), lowest: smallest(ratios) };
}

/** Below this deviation the table is not the reason for uneven load. */
const GOOD_VARIATION = 0.05;
const MAX_RING_SIZE = 8_388_608;

/** undefined: a module, which the report does not know. */
const proxysOf = ({ policy }: RingView) => (isTablePolicy(policy) ? tablePolicyOf(policy) : undefined);

export function ringReport(view: RingView, layout: ReportLayout): string {
  const facts = [view.policy, ...((proxysOf(view)?.hashFunctions.length ?? 0) > 1 ? [view.hash_function] : [])];
  const lines = leading(printable(view.cluster), facts, layout.width, layout.paint);
  if (view.tables.length === 0) lines.push('', 'No table: the cluster has no hosts.');
  for (const one of view.tables) lines.push('', ...tableSection(view, one, layout));
  return `${lines.join('\n')}\n`;
}

function tableSection(view: RingView, ringTable: RingTableView, layout: ReportLayout): string[] {
  const { width } = layout;
  const level = view.tables.length > 1 ? ringTable.priority : undefined;
  const even = evenness(ringTable);
  const { min_hashes_per_host: low, max_hashes_per_host: high, entries, hosts, empty_because: because } = ringTable;
  if (even === undefined)
    return wrap(fill(because === undefined ? WORDS.empty : WORDS.empty_because, { level, because }), width);
  const noun = proxysOf(view)?.noun ?? 'table';
  const numbers = { peak: even.peak.toFixed(2), lowest: times(even.lowest), each: entriesAHost(low, high) };
  const spread = { variation: even.variation.toFixed(3), peak: even.peak.toFixed(3) };
  return [
    ...wrap(fill(WORDS.table, { level, hosts: hosts.length, noun, entries, ...numbers }), width),
    '',
    ...ownersTable(hosts, layout),
    '',
    ...labelled('evenness', fill(WORDS.evenness, spread), width),
    ...(entries === 0 ? [] : wrap(advice(view, ringTable, even), width, '          ')),
  ];
}

function ownersTable(hosts: readonly RingHostView[], layout: ReportLayout): string[] {
  const order = [...hosts].sort((a, b) => ratio(b) - ratio(a));
  const all = layout.all || hosts.length <= MAX_HOSTS;
  const shown = all ? hosts : [...order.slice(0, 4), ...order.slice(-4)];
  const { name, number } = columnsOf(shown);
  const fair = hosts.map((host) => host.weight_share);
  const columns = [
    name('host', (host) => printable(host.address)),
    hosts.some(({ entries }) => entries > 0) && number('entries', (host) => count(host.entries)),
    number('keys', (host) => percent(host.key_share)),
    largest(fair) - smallest(fair) > 1e-9 && number('by weight', (host) => percent(host.weight_share)),
    number('× fair', (host) => times(ratio(host))),
  ];
  const bars = shown.map((host) => ({ share: host.key_share, failed: 0 }));
  const lines = table(columns, { ...layout, barScale: scaleFor(bars.map(({ share }) => share)) }, 2, bars);
  if (!all) lines.splice(5, 0, `  … ${counted(hosts.length - 8, 'host')} between (--all lists them)`);
  return lines;
}

const ratio = (host: RingHostView): number => (host.weight_share === 0 ? 0 : host.key_share / host.weight_share);

/** Advice. Deviation falls with the square root of the entries per host. */
function advice(view: RingView, ringTable: RingTableView, even: NonNullable<ReturnType<typeof evenness>>): string {
  const hosts = ringTable.hosts.filter((host) => host.weight_share > 0).length;
  if (hosts === 1) return WORDS.even.alone;
  if (even.variation <= GOOD_VARIATION) return WORDS.even.even;
  if (proxysOf(view)?.entriesVary !== true) return WORDS.even.crowded;
  const wanted = Math.min(MAX_RING_SIZE, 2 ** Math.ceil(Math.log2(hosts / GOOD_VARIATION ** 2)));
  const numbers = { wanted, wanted_each: Math.floor(wanted / hosts), expected: Math.sqrt(hosts / wanted) };
  const is = wanted > ringTable.entries ? 'too_small' : 'large';
  return fill(WORDS.even[is], { ...numbers, each: Math.round(ringTable.entries / hosts) });
}

const times = (value: number): string => (value > 0 && value < 0.01 ? '<0.01' : value.toFixed(2));
