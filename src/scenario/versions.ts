import { DEFAULT_PROXY_VERSION, type ProxyVersion } from '../core/version.js';
import type { Scenario } from './model.js';

/** The versions in results and predictions: that of the first proxy and, where others differ, of all. */
export interface Versions {
  version: ProxyVersion;
  /** Each once, in the order of the proxies; absent where there is only one. */
  versions?: ProxyVersion[];
}

export function versionsOf({ proxies }: Scenario): Versions {
  const versions = [...new Set(proxies.map(({ version }) => version))];
  return { version: versions[0] ?? DEFAULT_PROXY_VERSION, ...(versions.length > 1 && { versions }) };
}
