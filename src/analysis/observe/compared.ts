import { groupBy, sum } from '../../core/values.js';
import type { PredictedHost } from '../../predict/generated/prediction.js';
import { sumOf } from '../../result/expected.js';
import { placeName } from '../../host/host.js';
import type { ExpectedCluster } from './expected.js';
import { alarmsAmong, boundsOf, type chanceOf, lawOf, normalAt } from './law.js';
import { type CountedRows, zoneRow } from './seen.js';
import type { PredictedPortion } from '../../result/expected.js';

/** `too_little`: half of the largest share could be missing, and would not be noticed. */
export type ObservedVerdict = 'as_configured' | 'not_as_configured' | 'too_little';

export interface ObservedSplit {
  readonly policy: string;
  readonly verdict: ObservedVerdict;
  /** How the shares are known, as `lbsim predict` has it; or from runs. */
  readonly method: ExpectedCluster['method'];
  /** Requests to the hosts that are compared. */
  readonly requests: number;
  /** A share that is off by so much would be noticed with a chance of 90 %, 0–1. */
  readonly would_notice: number;
  readonly parts: readonly ObservedPart[];
}

export interface ObservedPart {
  readonly of: 'host' | 'zone' | 'priority';
  /** The address of a host; of others their name. */
  readonly name: string;
  readonly requests: number;
  /** Shares, 0–1. */
  readonly expected: number;
  readonly seen: number;
  /** What a right proxy shows. */
  readonly least: number;
  readonly most: number;
  /** The chance of a count as far off. */
  readonly chance: number;
  readonly verdict: 'as_expected' | 'fewer' | 'more';
}

/** Hosts together, what is expected of them, and what was counted. */
interface Row extends Pick<ObservedPart, 'of' | 'name'> {
  readonly portion: PredictedPortion;
  readonly count: number;
}

/**
 * What was counted beside what is expected. Compared are the hosts that were there all the time: among them the shares are what they
 * are among all.
 *
 * @param counted by address, hosts that are not configured too.
 * @param bare the files are a proxy's own: they tell neither the load nor the keys.
 * @param chanceIn of a count as far off: once, or at any time.
 */
export function comparedIn(
  own: ExpectedCluster,
  counted: CountedRows,
  falseAlarm: number,
  bare: boolean,
  chanceIn: typeof chanceOf,
) {
  const rows = rowsOf(hostsAmong(own, counted, bare), counted);
  const main = rows.filter(({ of }) => of === rows[0]?.of);
  const requests = sum(main.map(({ count }) => count));
  const spread = bare && ['RING_HASH', 'MAGLEV'].includes(own.policy) ? spreadOf(main, requests) : 1;
  const judged = rows.map((row) => {
    const law = lawOf({ ...row.portion, error: own.error }, requests);
    const wide = spread === 1 ? law : { ...law, drawn: false, variance: law.variance * spread };
    const bounds = boundsOf(wide, falseAlarm / rows.length, chanceIn);
    return { ...row, law: wide, chance: chanceIn(wide, row.count), bounds };
  });
  const chances = judged.map(({ chance }) => chance);
  const alarms = alarmsAmong(chances, falseAlarm);
  const parts = judged.map(({ of, name, count, law, chance, bounds: [least, most] }, index): ObservedPart => {
    const side = count < requests * law.share ? 'fewer' : 'more';
    return {
      of,
      name,
      requests: count,
      expected: law.share,
      seen: count / requests,
      least: least / requests,
      most: most / requests,
      chance,
      verdict: alarms[index] === true ? side : 'as_expected',
    };
  });
  const [largest] = judged.slice(0, main.length).sort((a, b) => b.law.share - a.law.share);
  const { law = lawOf(sumOf([]), requests), bounds: [least, most] = [0, requests] } = largest ?? {};
  // A share so far off is beyond the bounds in nine of ten tests.
  const noticed = (most - least) / 2 + normalAt(0.9) * Math.sqrt(law.variance);
  const isAlone = main.length < 2 && own.hosts.length > 1;
  const told = isAlone || noticed > (requests * law.share) / 2 ? 'too_little' : 'as_configured';
  const split: ObservedSplit = {
    policy: own.policy,
    verdict: alarms.includes(true) ? 'not_as_configured' : told,
    method: own.method,
    requests,
    would_notice: Math.min(1, noticed / requests),
    parts,
  };
  return { split, spread, keys: spread > 1 ? Math.round((requests - 1) / (spread - 1)) : undefined };
}

/** The hosts that were there all the time, as parts of what these get together. */
export function hostsAmong({ hosts, policy }: ExpectedCluster, counted: CountedRows, bare: boolean) {
  const steady = hosts.filter((host) => counted.get(countedAs(host, counted))?.isUnsteady !== true);
  const kept = sum(steady.map(({ share }) => share));
  return steady.map((host) => amongKept(host, kept, bare && policy === 'LEAST_REQUEST'));
}

/** Among the hosts that are kept, of which a draw's second moment is scaled, too. @param busy least request then draws. */
function amongKept(host: PredictedHost, kept: number, busy: boolean): PredictedHost {
  const isAll = kept === 0 || kept > 1 - 1e-12;
  const share = isAll ? host.share : host.share / kept;
  const variance = isAll ? host.variance : (host.variance + host.share ** 2) / kept - share ** 2;
  return { ...host, share, variance: Math.max(0, variance, busy ? share * (1 - share) : 0) };
}

/** Rows are all of hosts, or all of zones. */
const isZoned = (counted: CountedRows): boolean => counted.keys().next().value?.startsWith(zoneRow('')) === true;

/** The row that a host is counted in. */
export const countedAs = ({ address, locality: { zone } }: PredictedHost, counted: CountedRows): string =>
  isZoned(counted) ? zoneRow(zone) : address;

/** Hosts first, and their zones and priorities where there are several; or zones alone. */
function rowsOf(hosts: readonly PredictedHost[], counted: CountedRows): readonly Row[] {
  const countOf = (name: string): number => counted.get(name)?.requests ?? 0;
  const grouped = (of: Row['of'], nameOf: (host: PredictedHost) => string): readonly Row[] =>
    [...groupBy(hosts, nameOf)].map(([name, own]) => {
      const count = sum([...new Set(own.map((host) => countedAs(host, counted)))].map(countOf));
      return { of, name, portion: own.length === 1 ? (own[0] ?? sumOf(own)) : sumOf(own), count };
    });
  const placeOf = ({ locality }: PredictedHost): string => placeName({ ...locality, subZone: locality.sub_zone });
  const groups = [grouped('zone', placeOf), grouped('priority', ({ priority }) => String(priority))];
  const strangers = strangersIn(hosts, counted).map((name): Row => {
    return { of: 'host', name, portion: sumOf([]), count: countOf(name) };
  });
  if (isZoned(counted)) return [...grouped('zone', ({ locality: { zone } }) => zone), ...strangers];
  return [
    ...grouped('host', ({ address }) => address),
    ...strangers,
    ...groups.filter(({ length }) => length > 1).flat(),
  ];
}

/** Hosts that are not configured, and got something. */
export function strangersIn(hosts: readonly PredictedHost[], counted: CountedRows) {
  const known = new Set(hosts.map((host) => countedAs(host, counted)));
  const others = [...counted].filter(([name, { isUnsteady }]) => !known.has(name) && !isUnsteady);
  return others.filter(([, { requests }]) => requests > 0).map(([name]) => name);
}

/** Of squares of a normal variable. */
const MEDIAN_SQUARE = 0.455;
/** So few hosts do not tell how uneven the keys are. */
const FEW_HOSTS = 4;
/** Keys that count, where nothing tells how many they are. */
const SUPPOSED_KEYS = 1000;

/**
 * How much more than independent draws the counts vary, of keys that the files do not tell: by the median of what is seen, which one
 * wrong host does not move. Source: McCullagh and Nelder (1989), Generalized Linear Models, 4.5 (overdispersion).
 */
function spreadOf(rows: readonly Row[], requests: number): number {
  if (rows.length < FEW_HOSTS) return 1 + (requests - 1) / SUPPOSED_KEYS;
  const squares = rows
    .filter(({ portion: { share } }) => share > 0 && share < 1)
    .map(({ portion: { share }, count }) => (count - requests * share) ** 2 / (requests * share * (1 - share)));
  const middle = squares.sort((a, b) => a - b)[Math.floor(squares.length / 2)] ?? 0;
  return Math.max(1, middle / MEDIAN_SQUARE);
}
