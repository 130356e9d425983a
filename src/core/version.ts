interface Version {
  /** API of the configuration that it reads. */
  readonly api: 'v2' | 'v3';
  /** How its behaviour is known. */
  readonly evidence: string;
}

const OLD_BALANCERS =
  'what balancers decide: 1,047 of 1,047 cases recorded with the balancers of 1.12.0, 1.14.0 and 1.17.4, and facts of unit tests. All that happens around them (discovery, health checks, connections, statistics): facts of unit tests where they hold for that era, otherwise the documented or published differences from the modern proxy: **weaker**';

/** The release lines of the proxy that can be simulated, in order. Their differences are the quirks (quirks.ts). */
export const VERSIONS = {
  '1.12': { api: 'v2', evidence: OLD_BALANCERS },
  '1.14': { api: 'v2', evidence: OLD_BALANCERS },
  '1.17': { api: 'v2', evidence: OLD_BALANCERS },
  '1.40': { api: 'v3', evidence: 'recordings and unit tests' },
} as const satisfies Readonly<Record<string, Version>>;

export type ProxyVersion = keyof typeof VERSIONS;

export const PROXY_VERSIONS = Object.keys(VERSIONS) as readonly ProxyVersion[];

/** The last that reads v2. */
export const DEFAULT_PROXY_VERSION: ProxyVersion = '1.17';

/** Of configuration in v3. */
export const MODERN_PROXY_VERSION: ProxyVersion = '1.40';

/** 16 of `1.16.0` and of `1.16`: all releases that matter begin with 1. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
