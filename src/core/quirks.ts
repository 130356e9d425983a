import { QUIRKS } from './generated/quirks.js';
import { minorOf, PROXY_VERSIONS, type ProxyVersion } from './version.js';

/** One difference between releases of the proxy: which of them have it, and how that is known. */
export interface Quirk {
  /** What they do, as printed in docs/fidelity.md. */
  readonly what: string;
  /** The first release that has it; absent: those before 1.12.0 had it too. */
  readonly first?: string;
  /** The last release that has it; absent: up to the newest. */
  readonly last?: string;
  /** The evidence: what was run or read. */
  readonly evidence: string;
}

/** For a change without a release note: it came after the last proxy with the v2 API. */
export const AFTER_V2 = '1.18';

export type QuirkName = keyof typeof QUIRKS;

/** Which quirks a version has. */
export type Quirks = Readonly<Record<QuirkName, boolean>>;

const BY_VERSION = new Map(PROXY_VERSIONS.map((version) => [version, of(version)]));

export function quirksOf(version: ProxyVersion): Quirks {
  return BY_VERSION.get(version) ?? of(version);
}

function of(version: ProxyVersion): Quirks {
  const line = minorOf(version);
  const has = ({ first, last }: Quirk): boolean =>
    (first === undefined || minorOf(first) <= line) && (last === undefined || line <= minorOf(last));
  return Object.fromEntries(Object.entries<Quirk>(QUIRKS).map(([name, quirk]) => [name, has(quirk)])) as Quirks;
}
