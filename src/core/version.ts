import { listed } from './words.js';

interface Version {
  /** API of the configuration that it reads. */
  readonly api: 'v2' | 'v3';
  /** How its behaviour is known. */
  readonly evidence: string;
  /** For what the evidence is weaker: there may be differences that nobody has seen. */
  readonly weaker?: string;
}

const AROUND_BALANCERS = 'what happens around balancers (discovery, health checks, connections, statistics)';
const OLD_BALANCERS = `what balancers decide: 1,047 of 1,047 cases recorded with the balancers of 1.12.0, 1.14.0 and 1.17.4, and facts of unit tests. For ${AROUND_BALANCERS}: facts of unit tests where they hold for that era, otherwise the documented or published differences from the modern proxy: **weaker**`;

/** The release lines of the proxy that can be simulated, in order. Their differences are the quirks (quirks.ts). */
export const VERSIONS = {
  '1.12': { api: 'v2', evidence: OLD_BALANCERS, weaker: AROUND_BALANCERS },
  '1.14': { api: 'v2', evidence: OLD_BALANCERS, weaker: AROUND_BALANCERS },
  '1.17': { api: 'v2', evidence: OLD_BALANCERS, weaker: AROUND_BALANCERS },
  '1.40': { api: 'v3', evidence: 'recordings and unit tests' },
} as const satisfies Readonly<Record<string, Version>>;

export type ProxyVersion = keyof typeof VERSIONS;

export const PROXY_VERSIONS = Object.keys(VERSIONS) as readonly ProxyVersion[];

/**
 * What cannot be said of the differences between these versions, a sentence; undefined: all is known alike, or they are one
 * version.
 */
export function unknownBetween(versions: Iterable<ProxyVersion>): string | undefined {
  const distinct = [...new Set(versions)];
  const weak = distinct.filter((version) => weakerOf(version) !== undefined);
  const what = weak.map(weakerOf)[0];
  if (distinct.length < 2 || what === undefined) return undefined;
  return `further differences between ${listed(distinct)} in ${what}: for ${listed(weak)} these are known from release notes and unit tests alone`;
}

function weakerOf(version: ProxyVersion): string | undefined {
  const known: Version = VERSIONS[version];
  return known.weaker;
}

/** The last that reads v2. */
export const DEFAULT_PROXY_VERSION: ProxyVersion = '1.17';

/** Of configuration in v3. */
export const MODERN_PROXY_VERSION: ProxyVersion = '1.40';

/** 16 of `1.16.0` and of `1.16`: all releases that matter begin with 1. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
