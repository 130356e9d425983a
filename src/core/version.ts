import { listed } from './words.js';
import { EVIDENCE } from './generated/evidence.js';
import { QUIRKS } from './generated/quirks.js';
import { entryOf } from './values.js';

/** A release line of the proxy, as 1.30; to see what a quirk does, with some turned around, as `1.30~jittersEjections`. */
export type ProxyVersion = `1.${number}` | `1.${number}~${string}`;

/** The lines whose balancers were recorded, in order. */
export const PROXY_VERSIONS: readonly ProxyVersion[] = ['1.12', '1.14', '1.17', '1.40'];

export const [OLDEST_MINOR, NEWEST_MINOR] = [12, 40];

/** The first line of which a proxy was run and watched. */
export const FIRST_WATCHED = 36;

type Evidence = Readonly<{ api: 'v2' | 'v3'; evidence: string; weaker?: string }>;

export function evidenceOf(version: ProxyVersion): Evidence {
  const known = Object.entries<Evidence>(EVIDENCE).filter(([since]) => minorOf(since) <= minorOf(version));
  return known.at(-1)?.[1] ?? EVIDENCE['1.12'];
}

/** A sentence on what cannot be said of these versions' differences; undefined: all is known alike, or they are one. */
export function unknownBetween(versions: Iterable<ProxyVersion>): string | undefined {
  const distinct = [...new Set(versions)];
  const weak = distinct.filter((version) => evidenceOf(version).weaker !== undefined);
  const [what] = weak.map((version) => evidenceOf(version).weaker);
  if (distinct.length < 2 || what === undefined) return undefined;
  return `further differences between ${listed(distinct)} in ${what}: for ${listed(weak)} these are known from release notes and unit tests alone`;
}

/** The last that reads v2. */
export const DEFAULT_PROXY_VERSION: ProxyVersion = '1.17';

/** Of configuration in v3. */
export const MODERN_PROXY_VERSION: ProxyVersion = '1.40';

/** 16 of `1.16.0` and of `1.16`: all releases that matter begin with 1. */
export const minorOf = (release: string): number => Number.parseInt(release.split('.')[1] ?? '');

export const ALL_VERSIONS = `"1.${OLDEST_MINOR}" to "1.${NEWEST_MINOR}"`;

/** The release line of a text, as `1.30`; `write`: what a patch release is written as. */
export function versionIn(text: string): { readonly version?: ProxyVersion; readonly write?: string } {
  const [, line] = /^v?(1\.\d\d)(?:\.\d+)?$/.exec(text) ?? [];
  if (line === undefined) return {};
  const minor = minorOf(line);
  if (minor < OLDEST_MINOR || minor > NEWEST_MINOR) return {};
  return text === line ? { version: `1.${minor}` } : { write: line };
}

export interface Quirk {
  /** What the releases that have it do, as printed in docs/fidelity.md. */
  readonly what: string;
  /** The first release that has it; absent: those before 1.12.0 had it too. */
  readonly first?: string;
  /** The last release that has it; absent: up to the newest. */
  readonly last?: string;
  /** How that is known. */
  readonly evidence: string;
}

/** For a change without a release note: it came after the last proxy with the v2 API, and before those that were watched. */
export const AFTER_V2 = '1.18';

export type QuirkName = keyof typeof QUIRKS;

export type Quirks = Readonly<Record<QuirkName, boolean>>;

const byVersion = new Map<ProxyVersion, Quirks>();

export const quirksOf = (version: ProxyVersion): Quirks =>
  entryOf(byVersion, version, () => {
    const line = minorOf(version);
    const has = ({ first, last }: Quirk): boolean =>
      (first === undefined || minorOf(first) <= line) && (last === undefined || line <= minorOf(last));
    const around = new Set(version.split('~')[1]?.split(','));
    const all = Object.entries<Quirk>(QUIRKS).map(([name, quirk]) => [name, has(quirk) !== around.has(name)]);
    return Object.fromEntries(all) as Quirks;
  });

export function quirksBetween(a: ProxyVersion, b: ProxyVersion): readonly QuirkName[] {
  const [ofA, ofB] = [quirksOf(a), quirksOf(b)];
  return quirkNames().filter((name) => ofA[name] !== ofB[name]);
}

/** The quirks of which nobody knows whether a version has them: they came without a release note. */
export function unplacedQuirks(version: ProxyVersion): readonly QuirkName[] {
  const line = minorOf(version);
  if (line < minorOf(AFTER_V2) || line >= FIRST_WATCHED) return [];
  return quirkNames().filter((name) => quirkOf(name).first === AFTER_V2);
}

/** A function, so that what needs versions alone is bundled without the quirks. */
const quirkNames = (): readonly QuirkName[] => Object.keys(QUIRKS) as readonly QuirkName[];

export const quirkOf = (name: QuirkName): Quirk => QUIRKS[name];

/** The same release with these of its quirks turned around. */
export const turned = (version: ProxyVersion, names: readonly QuirkName[]): ProxyVersion =>
  `1.${minorOf(version)}~${names.join()}`;
