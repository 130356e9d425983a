import type { LocalityResult, PhaseHostResult } from '../../result/run-result.js';
import { entryOf, groupBy, sum } from '../../core/values.js';
import { ANY_TABLE, demand, LIST } from '../../core/arguments.js';
import { counted, printable } from '../format.js';
import type { Paint } from '../layout.js';

/** More clusters than this are not told of one by one. */
export const MAX_CLUSTERS = 20;

/** Names of the clusters that are told of: of many those that come first in `order`. */
export function toldClusters<T>(
  clusters: readonly (readonly [string, T])[],
  all: boolean,
  order: (a: T, b: T) => number,
): ReadonlySet<string> {
  if (all || clusters.length <= MAX_CLUSTERS) return new Set(clusters.map(([name]) => name));
  const sorted = [...clusters].sort(([, a], [, b]) => order(a, b));
  return new Set(sorted.slice(0, MAX_CLUSTERS).map(([name]) => name));
}

export function* otherClusters(hidden: number, paint: Paint): Generator<string> {
  if (hidden > 0) yield* ['', paint.faint(`… ${counted(hidden, 'more cluster')} (--all shows each)`)];
}

/** The fields of a row that reports need, in a phase or over the whole run. */
export type HostRow = PhaseHostResult;

export type Group = Readonly<{ name: string; rows: readonly HostRow[]; share: number }>;

/** How rows are grouped where there are too many hosts to name each. */
export interface Grouping {
  readonly plural: string;
  readonly singular: string;
  readonly of: (row: HostRow) => string;
  /** Its names say what they are: "0 near". */
  readonly isPair?: boolean;
}

/** "a", or "eu/a" where several regions or sub-zones are in play; "(none)" for the empty locality. */
export function localityName(locality: LocalityResult, parts: LocalityParts): string {
  demand('localityName', ['locality', locality, ANY_TABLE], ['parts', parts, ANY_TABLE]);
  const { region, zone, sub_zone: subZone } = locality;
  const names = [parts.region && region, parts.zone && zone, parts.subZone && subZone].filter((name) => name !== false);
  return printable(names.every((name) => name === '') ? '(none)' : names.join('/'));
}

export const localityHeading = ({ region, subZone }: LocalityParts): string =>
  region || subZone ? 'locality' : 'zone';

/** Names of the localities of rows: rows of one locality mostly share the object. */
export function localityNames(parts: LocalityParts): (locality: LocalityResult) => string {
  const names = new Map<LocalityResult, string>();
  return (locality) => entryOf(names, locality, () => localityName(locality, parts));
}

/** The parts of localities that differ, or the only ones that are set. */
export type LocalityParts = Readonly<{ region: boolean; zone: boolean; subZone: boolean }>;

/** Of region, zone and sub-zone, those in which the localities differ: a name needs no others. */
export function localityParts(localities: readonly LocalityResult[]): LocalityParts {
  demand('localityParts', ['localities', localities, LIST]);
  const [first] = localities;
  const several = (of: (locality: LocalityResult) => string): boolean =>
    first !== undefined && localities.some((locality) => of(locality) !== of(first));
  const region = several((locality) => locality.region);
  const subZone = several((locality) => locality.sub_zone);
  const named = localities.some((locality) => locality.zone !== '');
  return { region, zone: named || !(region || subZone), subZone };
}

function localityGrouping(rows: readonly { readonly locality: LocalityResult }[]): Grouping {
  const parts = localityParts(rows.map((row) => row.locality));
  const onlyZones = parts.zone && !parts.region && !parts.subZone;
  const nameOf = localityNames(parts);
  return {
    singular: onlyZones ? 'zone' : 'locality',
    plural: onlyZones ? 'zones' : 'localities',
    of: (row) => nameOf(row.locality),
  };
}

const PRIORITY_GROUPING: Grouping = { singular: 'priority', plural: 'priorities', of: (row) => String(row.priority) };

/** Each priority with the only locality that is in it: "0 near"; undefined: they do not pair. */
function pairGrouping(rows: readonly HostRow[], localities: Grouping): Grouping | undefined {
  const of = (row: HostRow): string => `${row.priority} ${localities.of(row)}`;
  const pairs = new Set(rows.map(of)).size;
  if ([localities, PRIORITY_GROUPING].some(({ of }) => new Set(rows.map(of)).size !== pairs)) return undefined;
  return { ...PRIORITY_GROUPING, isPair: true, of };
}

/** By locality, else by priority: the first that makes several groups, and no more than `most`. */
export function groupingOf(rows: readonly HostRow[], most: number): Grouping | undefined {
  const localities = localityGrouping(rows);
  return [pairGrouping(rows, localities) ?? localities, PRIORITY_GROUPING].find(({ of }) => {
    const groups = new Set(rows.map(of)).size;
    return groups > 1 && groups <= most;
  });
}

/** Groups in the order in which they first appear. */
export const groupsOf = (rows: Iterable<HostRow>, grouping: Grouping): Group[] =>
  [...groupBy(rows, grouping.of)].map(([name, rows]) => ({ name, rows, share: sum(rows.map(({ share }) => share)) }));
