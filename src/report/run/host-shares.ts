import { isTablePolicy } from '../../policy/registry.js';
import { naturalOrder } from '../../core/natural-order.js';
import type { ClusterResult, PhaseResult, Predicted } from '../../result/run-result.js';
import { count, counted, listed, percent, percentDigits, shareDigits, shortPercentDigits } from '../format.js';
import { type Group, type Grouping, groupingOf, groupsOf, type HostRow } from './groups.js';
import { printable } from '../../core/printable.js';
import { groupBy, largest, smallest, sum } from '../../core/values.js';
import type { ReportLayout } from '../layout.js';

type Rows = readonly HostRow[];

/** Why hosts get nothing. */
type Why = (rows: Rows) => string;

/** Possible ends of an axis, in percent. */
const ENDS = [1, 2, 5, 10, 20, 25, 30, 40, 50, 60, 80, 100];

/**
 * The share, 0–1, of the longest bar of a report: one for all of its tables, so that bars can be compared. Shares of hosts
 * in single phases are ignored: a longer bar is drawn full.
 */
export function barScale(clusters: readonly ClusterResult[]): number {
  // A single group has no table.
  const drawn = clusters.flatMap(({ hosts, localities, priorities, subsets, members = [] }) => [
    hosts,
    ...[localities, priorities, subsets, members].filter(({ length }) => length > 1),
  ]);
  return scaleFor(drawn.map((rows) => largest(rows.map(({ share }) => share))));
}

/** The next round share that is not below any of these. */
export function scaleFor(shares: readonly number[]): number {
  const percent = 100 * largest(shares, 0);
  return (ENDS.find((end) => percent <= end) ?? 100) / 100;
}

/** Neighbours in order whose shares differ by this factor are separate groups; less is chance, or one weight. */
const APART = 1.2;
/** More kinds of shares than this are given as a range. */
const MAX_KINDS = 4;
const MAX_NAMED = 3;
/** Below this many requests a host, a host without any is chance, not a finding. */
const REQUESTS_TO_JUDGE = 10;
/** A range wider than this names the hosts at its ends. */
const WIDE = 1.5;

/**
 * The shares of hosts, naming exceptional ones: "10.0.1.1:80 gets 0.6 %, the 9 others 11.0 to 11.1 % each";
 * "10.0.0.4:80 nothing (unhealthy)".
 * @param total number of hosts over the whole run.
 * @param alone nothing before the clause says that it is about hosts.
 */
function hostShares(rows: Rows, total: number, why: Why, alone: boolean): string {
  const of = rows.length < total ? `${count(rows.length)} of them ` : '';
  const some = alone ? `${counted(rows.length, 'host')} get ` : of;
  if (rows.length === 1) return (some === '' ? '' : subject(rows)) + range(rows);
  const order = [...rows].sort((a, b) => a.share - b.share);
  const kinds = kindsOf(order.filter(({ requests }) => requests > 0));
  const nothing = order.filter(({ requests }) => requests === 0);
  if (kinds.length === 0) return 'no host gets anything';
  const all = nothing.length === 0 ? kinds : [...kinds, nothing];
  const main = all.reduce((most, kind) => (kind.length > most.length ? kind : most));
  if (kinds.length > MAX_KINDS || (kinds.length > 2 && kinds.some((kind) => kind.length > 1 && kind !== main)))
    return [(alone ? some : '') + ends(kinds.flat()), ...nobody(nothing, rows, why)].join(', ');
  if (main === nothing && nothing.length > MAX_NAMED) {
    const some = kinds.map((kind) => subject(kind) + range(kind));
    return `${some.join(', ')}, the ${count(nothing.length)} others nothing${because(nothing, areJudged(rows), why)}`;
  }
  const isWide = (main[main.length - 1]?.share ?? 0) > WIDE * (main[0]?.share ?? 0);
  if (all.length === 1) return some + (isWide ? ends(main) : range(main));
  const odd = kinds.filter((kind) => kind !== main || kind.length === 1).reverse();
  const phrases = odd.map((kind) => subject(kind) + range(kind));
  if (main.length > 1 && main !== nothing)
    phrases.push((phrases.length === 0 ? subject(main) : `the ${count(main.length)} others `) + range(main));
  return [...phrases, ...nobody(nothing, rows, why)].join(', ');
}

/** Groups of close shares. @param order ascending, of hosts with requests. */
function kindsOf(order: Rows): HostRow[][] {
  let kind = 0;
  const kinds = groupBy(order.entries(), ([index, { share }]) =>
    share > APART * (order[index - 1]?.share ?? 0) ? ++kind : kind,
  );
  return [...kinds.values()].map((rows) => rows.map(([, row]) => row));
}

const subject = (rows: Rows): string =>
  rows.length > 2 ? `${counted(rows.length, 'host')} get ` : `${names(rows)} ${rows.length === 1 ? 'gets' : 'get'} `;

function names(rows: Rows): string {
  if (rows.length > MAX_NAMED) return counted(rows.length, 'host');
  const addresses = rows.map(({ address }) => address);
  const order = addresses.map((_, index) => index).sort(naturalOrder(addresses));
  return listed(order.map((index) => printable(addresses[index] ?? '')));
}

/** "10.0.0.4:80 nothing (unhealthy)", a clause for each reason. */
function nobody(nothing: Rows, rows: Rows, why: Why): string[] {
  // Computed once: of ten thousand hosts nearly all may get nothing.
  const judged = areJudged(rows);
  const reasons = groupBy(nothing, (row) => because([row], judged, why));
  return [...reasons].map(([reason, members]) => `${names(members)} nothing${reason}`);
}

/** There were so many requests that each host should have had some. */
export const areJudged = (rows: Rows): boolean =>
  sum(rows.map(({ requests }) => requests)) >= REQUESTS_TO_JUDGE * rows.length;

const because = (nothing: Rows, judged: boolean, why: Why): string =>
  judged || nothing.some((row) => row.health !== 'healthy') ? ` (${why(nothing)})` : '';

/** "4.4 % (10.0.0.3:80) to 19.8 % (10.0.0.8:80)". @param order ascending. */
function ends(order: Rows): string {
  const [first, last] = [order[0], order[order.length - 1]];
  if (first === undefined || last === undefined) return '';
  const one = (row: HostRow): string =>
    `${percentDigits(row.share, shareDigits(order.length))} % (${printable(row.address)})`;
  return `${one(first)} to ${one(last)}`;
}

/** "0.9 to 1.1 % each, but 10.0.0.6:80 0 %" */
export function rangeAndIdle(rows: Rows): string {
  const idle = rows.filter(({ requests }) => requests === 0);
  if (idle.length === 0 || idle.length === rows.length) return range(rows);
  return `${range(rows)}, but ${idle.length === 1 ? names(idle) : counted(idle.length, 'host')} 0 %`;
}

/** "0.9 to 1.1 % each", of those that get any. */
export function range(rows: Iterable<{ readonly share: number; readonly requests: number }>): string {
  const all = [...rows];
  const shares = all.flatMap(({ share, requests }) => (requests === 0 ? [] : share));
  if (shares.length === 0) return 'nothing';
  if (all.length === 1) return `${shortPercentDigits(largest(shares))} %`;
  const [low = '', high = ''] = [smallest(shares), largest(shares)].map((share) =>
    percentDigits(share, shareDigits(all.length)),
  );
  return low === high ? `${low} % each` : `${low} to ${high} % each`;
}

function whyNothing(rows: Rows, { policy, subsets }: ClusterResult, phase: PhaseResult | undefined): string {
  const health = new Set(rows.map((row) => row.health));
  if (health.size === 1 && health.has('unhealthy')) return 'unhealthy';
  const priorities = new Set(rows.map((row) => row.priority));
  const loads = (phase?.priorities ?? []).filter((load) => priorities.has(load.priority));
  if (loads.length > 0 && loads.every((load) => load.healthy_load + load.degraded_load === 0))
    return 'the priorities before it carry all the load';
  if (health.size > 1)
    return listed([...health].map((kind) => `${rows.filter((row) => row.health === kind).length} ${kind}`));
  if (health.has('degraded')) return 'degraded, and the healthy hosts carry the load';
  if (subsets.length > 0) return 'in no subset that was used';
  if (isTablePolicy(policy)) return 'healthy, but no key of this traffic falls to it';
  return 'healthy, but never chosen';
}

const MAX_LISTED = 8;

/** The shares in a clause, by zone or priority where hosts are many, and why some got nothing. @param alone as of {@link hostShares}. */
export function sharesText(rows: Rows, cluster: ClusterResult, phase: PhaseResult | undefined, alone = false): string {
  // The rows whose shares a sentence lists: few hosts, else zones, else priorities, else a range.
  const grouping = cluster.hosts.length <= MAX_LISTED ? undefined : groupingOf(cluster.hosts, MAX_LISTED);
  const why = (some: Rows): string => whyNothing(some, cluster, phase);
  if (grouping === undefined) return hostShares(rows, cluster.hosts.length, why, alone);
  const groups = groupsOf(rows, grouping);
  const names = `${grouping.plural} ${groups.map((group) => group.name).join(' / ')} get `;
  const digits = groups.map((row) => shortPercentDigits(row.share));
  const areEqual = groups.length > 2 && new Set(digits).size === 1;
  const shares = areEqual ? `${digits[0] ?? ''} % each` : `${digits.join(' / ')} %`;
  return [names + shares, ...without(rows, groups, grouping, why)].join(', ');
}

/** "zone a out (unhealthy)", and hosts of other groups that are not healthy: hosts that are expected to get nothing. */
function without(rows: Rows, groups: readonly Group[], grouping: Grouping, why: Why): string[] {
  const isOut = (row: HostRow): boolean => row.requests === 0 && row.health !== 'healthy';
  const empty = groups.length < 2 ? [] : groups.filter((group) => group.rows.every(isOut));
  const named = new Set(empty.flatMap((group) => group.rows));
  const out = rows.filter((row) => isOut(row) && !named.has(row));
  const hosts = out.length > 2 ? [counted(out.length, 'host')] : out.map((row) => printable(row.address));
  return [
    ...empty.map((group) => `${grouping.singular} ${group.name} out (${why(group.rows)})`),
    ...(out.length === 0 ? [] : [`${listed(hosts)} out (${why(out)})`]),
  ];
}

/** From this many standard errors on, chance is no explanation. */
export const DISAGREES = 5;

export const showsPrediction = (rows: readonly Predicted[], { predicted }: ReportLayout): boolean =>
  predicted === true ? rows.some((row) => row.predicted_share !== undefined) : disagrees(rows);

const disagrees = (rows: readonly Predicted[]): boolean =>
  rows.some(({ predicted_z: z = 0 }) => Math.abs(z) > DISAGREES);

/**
 * The rows with their expected shares, where too few requests were sent to show them; undefined: counts tell them.
 * A row that expects requests counts as having one.
 */
export function expectedRows(rows: Rows): Rows | undefined {
  if (areJudged(rows) || disagrees(rows)) return undefined;
  const expected = rows.flatMap(({ predicted_share: share, ...row }): HostRow[] =>
    share === undefined ? [] : [{ ...row, share, requests: Math.sign(share) }],
  );
  const isSeen = expected.every(({ share }, index) => percent(share) === percent(rows[index]?.share ?? 0));
  return isSeen || expected.length < rows.length ? undefined : expected;
}

/** So few requests that hosts do not share them by their weights, and no exact shares to tell instead. */
export function areChance(rows: Rows): boolean {
  if (rows.some(({ predicted_share: share }) => share !== undefined)) return false;
  const served = rows.filter(({ requests }) => requests > 0);
  const levels = new Set(served.map(({ priority }) => priority));
  const open = rows.filter((row) => row.requests > 0 || (row.health === 'healthy' && levels.has(row.priority)));
  const total = sum(open.map(({ weight }) => weight));
  return !areJudged(served) && open.some(({ share, weight }) => percent(share) !== percent(weight / total));
}
