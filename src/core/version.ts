/**
 * Whose behaviour is simulated: a release line of the proxy.
 *
 * "1.12", "1.14" and "1.17" speak the v2 API ("v2-era"); "1.40" is the modern proxy. Rules that changed in between name
 * the version where they are written.
 */
export const PROXY_VERSIONS = ['1.12', '1.14', '1.17', '1.40'] as const;

export type ProxyVersion = (typeof PROXY_VERSIONS)[number];

export const DEFAULT_PROXY_VERSION: ProxyVersion = '1.17';

/** Of configuration in v3. */
export const MODERN_PROXY_VERSION: ProxyVersion = '1.40';

/** True where `version` is `since` or later. */
export function atLeast(version: ProxyVersion, since: ProxyVersion): boolean {
  return PROXY_VERSIONS.indexOf(version) >= PROXY_VERSIONS.indexOf(since);
}

/** True for the modern proxy, false for the v2 era. */
export function isModern(version: ProxyVersion): boolean {
  return version === '1.40';
}
