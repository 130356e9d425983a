import { printable } from '../core/printable.js';
import { DEFAULT_PROXY_VERSION } from '../core/version.js';
import { counted, count, listed } from '../core/words.js';

export {
  count,
  counted,
  decimal,
  listed,
  millis,
  percent,
  percentDigits,
  seconds,
  shortPercentDigits,
} from '../core/words.js';

/** "1 entry a host", "114 to 115 entries a host". */
export function entriesAHost(low: number, high: number): string {
  return low === high ? `${counted(low, 'entry', 'entries')} a host` : `${count(low)} to ${count(high)} entries a host`;
}

/** One decimal; more where a fair share of this many parts would round to 0: 3 among 10,000. */
export function shareDigits(parts: number): number {
  return Math.max(1, Math.ceil(Math.log10(Math.max(1, parts))) - 1);
}

/** Digits after the point (0–6) needed to show all of `values`. */
export function digitsNeeded(values: readonly number[]): number {
  for (let digits = 0; digits < 6; digits += 1) {
    if (values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9)) return digits;
  }
  return 6;
}

type Versions = { readonly version: string; readonly versions?: string[] };

/** "1.17", or "1.17 and 1.40" where proxies are of several versions. */
export function versionsText({ version, versions }: Versions): string {
  return listed(versions ?? [version]);
}

/** "behaves as Envoy 1.17, the last of the v2 API": the simulated version, under the proxy's well-known name. */
export function behavesAs(result: Versions): string {
  const versions = result.versions ?? [result.version];
  const named = versions.map((version) =>
    version === DEFAULT_PROXY_VERSION ? `${version}, the last of the v2 API` : version,
  );
  return `behaves as Envoy ${versions.length === 1 ? (named[0] ?? '') : listed(versions)}`;
}

/** "proxy edge", and for the names that proxies have by default "proxy" and "proxy-2" once. */
export function proxyCalled(name: string): string {
  return /^proxy(-\d+)*$/.test(name) ? name : `proxy ${printable(name)}`;
}

/** Capital letter and full stop; a reason that begins with a name keeps it as it is. */
export function sentence(text: string): string {
  const shown = printable(text);
  const begun = /^[a-z]+[ :]/.test(shown) ? shown.charAt(0).toUpperCase() + shown.slice(1) : shown;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
