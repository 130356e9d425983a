import { QUIRKS } from './generated/quirks.js';
import { entryOf } from './lists.js';
import { FIRST_WATCHED, minorOf, type ProxyVersion } from './version.js';

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

/** For a change without a release note: it came after the last proxy with the v2 API, and before those that were watched. */
export const AFTER_V2 = '1.18';

export type QuirkName = keyof typeof QUIRKS;

export type Quirks = Readonly<Record<QuirkName, boolean>>;

const byVersion = new Map<ProxyVersion, Quirks>();

export function quirksOf(version: ProxyVersion): Quirks {
  return entryOf(byVersion, version, () => of(version));
}

function of(version: ProxyVersion): Quirks {
  const line = minorOf(version);
  const has = ({ first, last }: Quirk): boolean =>
    (first === undefined || minorOf(first) <= line) && (last === undefined || line <= minorOf(last));
  const around = new Set(version.split('~')[1]?.split(','));
  return Object.fromEntries(
    Object.entries<Quirk>(QUIRKS).map(([name, quirk]) => [name, has(quirk) !== around.has(name)]),
  ) as Quirks;
}

export function quirksBetween(a: ProxyVersion, b: ProxyVersion): readonly QuirkName[] {
  const [ofA, ofB] = [quirksOf(a), quirksOf(b)];
  return QUIRK_NAMES.filter((name) => ofA[name] !== ofB[name]);
}

/** The quirks of which nobody knows whether a version has them: they came without a release note. */
export function unplacedQuirks(version: ProxyVersion): readonly QuirkName[] {
  const line = minorOf(version);
  if (line < minorOf(AFTER_V2) || line >= FIRST_WATCHED) return [];
  return QUIRK_NAMES.filter((name) => quirkOf(name).first === AFTER_V2);
}

const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export function quirkOf(name: QuirkName): Quirk {
  return QUIRKS[name];
}

/** The same release with these of its quirks turned around. */
export function turned(version: ProxyVersion, names: readonly QuirkName[]): ProxyVersion {
  return `1.${minorOf(version)}~${names.join()}`;
}
