import { printable } from '../core/printable.js';
import { DEFAULT_PROXY_VERSION } from '../core/version.js';
import { count, decimal, grouped, listed, millis, percent, seconds } from '../core/words.js';
import { countFailures } from '../result/failures.js';
import type { Interval } from '../analysis/interval.js';
import type { Health } from '../host/host.js';
import { isDown } from '../result/phases.js';
import type { ClusterResult, ExpectationResult, HostTruth, PhaseResult } from '../result/run-result.js';
import type { Expectation } from '../scenario/model.js';
import { MEASURE_UNITS, type MeasureUnit } from '../settings/generated/measures.js';

export * from '../core/printable.js';
export * from '../core/words.js';

type Stretch = Pick<PhaseResult, 'from_s' | 'to_s'>;

/** Finer than this only where phases would otherwise look equal. */
const MILLISECONDS = 3;
const MICROSECONDS = 6;

/** "0.0 – 20.0 s", all with as many digits; an instant that had requests is "20.0 s". @param aligned in a column. */
export function phaseTimes(phases: readonly Stretch[], aligned: boolean): (phase: Stretch) => string {
  const digits = phaseDigits(phases);
  const shown = (time: number): string => time.toFixed(digits);
  const width = (times: readonly number[]): number =>
    aligned ? times.reduce((widest, time) => Math.max(widest, shown(time).length), 0) : 0;
  const fromWidth = width(phases.map(({ from_s: from }) => from));
  const toWidth = width(phases.map(({ to_s: to }) => to));
  return ({ from_s: from, to_s: to }) => {
    const end = `${shown(to).padStart(toWidth)} s`;
    return from === to
      ? aligned
        ? end.padStart(fromWidth + ' – '.length + end.length)
        : end
      : `${shown(from).padStart(fromWidth)} – ${end}`;
  };
}

/** The last phase ends with the last answer, at no round time: there a hundredth of its length is exact enough. */
function phaseDigits(phases: readonly Stretch[]): number {
  const begins = phases.map(({ from_s: from }) => from);
  const last = phases[phases.length - 1] ?? { from_s: 0, to_s: 0 };
  const instants = [...new Set([...begins, last.to_s])];
  const isEnough = (digits: number): boolean => {
    const off = Math.abs(Number(last.to_s.toFixed(digits)) - last.to_s);
    if (off > (last.to_s - last.from_s) / 100) return false;
    return new Set(instants.map((time) => time.toFixed(digits))).size === instants.length;
  };
  let digits = Math.min(digitsNeeded(begins), MILLISECONDS);
  while (digits < MICROSECONDS && !isEnough(digits)) digits++;
  return digits;
}

/** "66 %", "2.3 × (62 ms to 27 ms)", "62 ms of the 40 % answered". @param expectation undefined: of unknown unit. */
export function measuredText(result: ExpectationResult, expectation: Expectation | undefined): string {
  const { actual, value, reference, busiest, answered_share: answered, brings } = result;
  if (brings !== undefined) return `not: losing ${printable(String(actual))} brings ${brings}`;
  if (expectation?.subject.kind === 'survives') return result.passed ? 'proven' : 'not decided';
  if (answered === 0) return 'no host answered';
  const of = answered === undefined ? '' : ` of the ${finePercent(answered)} answered`;
  if (value !== undefined && reference !== undefined) {
    const both = `${inUnit(value, expectation)} to ${inUnit(reference, expectation)}`;
    return (typeof actual === 'number' ? `${decimal(actual, 3)} ×, ${both}` : both) + of;
  }
  const text = inUnit(actual, expectation) + of;
  if (busiest === undefined) return text;
  return `${text}, ${printable(busiest.address)} from ${seconds(busiest.from_s)} to ${seconds(busiest.to_s)}`;
}

function inUnit(value: ExpectationResult['actual'], expectation: Expectation | undefined): string {
  if (value === null) return expectation?.subject.kind === 'decision' ? 'no host' : 'nothing to measure';
  if (typeof value === 'string') return printable(value);
  return SHOWN[expectation === undefined ? 'number' : MEASURE_UNITS[expectation.subject.kind]](value);
}

const SHOWN: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: finePercent,
  load: finePercent,
  seconds: (value) => millis(value * 1000),
  number: (value) => decimal(value, 6),
};

/** Finer than in the tables: bounds are often given to a hundredth of a percent. */
function finePercent(share: number): string {
  return share > 0 && share < 0.00005 ? '<0.01 %' : `${decimal(share * 100, 2)} %`;
}

/** What is sent to a cluster. */
export const nounOf = ({ over_tcp }: { readonly over_tcp?: true }): 'connection' | 'request' =>
  over_tcp ? 'connection' : 'request';

/** Behind a latency of a cluster: " of the 33.3 % answered"; nothing where all requests were. */
export function ofTheAnswered({ success, failures }: ClusterResult): string {
  const all = success + countFailures(failures);
  const answered = success + failures.error_status;
  return answered === all ? '' : ` of the ${percent(answered / all)} answered`;
}

const MOST_DIGITS = 6;
/** Of a mean without an interval. */
const SIGNIFICANT = 4;

export type Unit = '' | '%' | 'ms';

/**
 * A mean as far as it is known, "33.31" and "± 0.12 %": two digits of the half-width, of an uneven interval of the longer side. Without
 * an interval, or with none left, "12" and "ms".
 */
export function estimateParts({ mean, low, high }: Interval, unit: Unit): readonly [string, string] {
  const scale = unit === '%' ? 100 : 1;
  const [value, reach] = [mean * scale, high === null ? null : Math.max(high - mean, mean - (low ?? mean)) * scale];
  if (reach === null || reach < 10 ** -MOST_DIGITS) return [decimal(value, digitsOf(value, SIGNIFICANT)), unit];
  const digits = digitsOf(reach, 2);
  return [grouped(value, digits), `± ${grouped(reach, digits)} ${unit}`.trimEnd()];
}

export const estimateText = (interval: Interval, unit: Unit): string =>
  estimateParts(interval, unit).join(' ').trimEnd();

/** Digits after the point, for this many significant ones. */
const digitsOf = (value: number, significant: number): number =>
  value === 0 ? 0 : Math.min(MOST_DIGITS, Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));

export const entriesAHost = (low: number, high: number): string =>
  low === high
    ? `${low === 1 ? 'one entry' : `${count(low)} entries`} per host`
    : `${count(low)} to ${count(high)} entries per host`;

/** One decimal; more where a fair share of this many parts would round to 0: 3 among 10,000. */
export const shareDigits = (parts: number): number => Math.max(1, Math.ceil(Math.log10(Math.max(1, parts))) - 1);

/** Digits after the point (0–6) needed to show all of `values`. */
export function digitsNeeded(values: readonly number[]): number {
  for (let digits = 0; digits < 6; digits += 1)
    if (values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9)) return digits;
  return 6;
}

type Versions = { readonly version: string; readonly versions?: string[] };

export const versionsText = ({ version, versions }: Versions): string => listed(versions ?? [version]);

/** "behaves as Envoy 1.17, the last of the v2 API": the simulated version, under the proxy's well-known name. */
export function behavesAs(result: Versions): string {
  const versions = result.versions ?? [result.version];
  const named = versions.map((version) =>
    version === DEFAULT_PROXY_VERSION ? `${version}, the last of the v2 API` : version,
  );
  return `behaves as Envoy ${versions.length === 1 ? (named[0] ?? '') : listed(versions)}`;
}

/** "proxy edge", and for the names that proxies have by default "proxy" and "proxy-2" once. */
export const proxyCalled = (name: string): string => (/^proxy(-\d+)*$/.test(name) ? name : `proxy ${printable(name)}`);

/** "seed 1", or "seeds 1 to 1-9" of several runs. */
export function seedsText(seeds: readonly string[]): string {
  const [first = '', last = ''] = [seeds[0], seeds[seeds.length - 1]];
  return printable(seeds.length > 1 ? `seeds ${first} to ${last}` : `seed ${first}`);
}

/** What a host is, and what the proxy believes of it where that is something else: `dead, believed healthy`; empty: all is well. */
export function truthInWords(health: Health, truth: HostTruth | 'alive' | undefined): string {
  const is = truth === undefined || truth === 'back' ? 'alive' : truth;
  if (health === 'unhealthy') return isDown(is) ? is : `${is}, believed dead`;
  if (is === 'alive') return '';
  return is === 'slow' && health === 'healthy' ? is : `${is}, believed ${health}`;
}
