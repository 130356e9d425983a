import type { Cluster } from '../../config/types.js';
import { quirksOf } from '../../core/quirks.js';
import type { ProxyVersion } from '../../core/version.js';
import type { DnsSettings } from './dns-query.js';

/** How a proxy looks up the names of a cluster. */
export function dnsSettings(config: Cluster, version: ProxyVersion): DnsSettings {
  const { dnsLookupFamily, dnsRefreshRate, dnsFailureRefreshRate: failure, respectDnsTtl } = config;
  return {
    family: dnsLookupFamily,
    refreshUs: dnsRefreshRate,
    failure:
      failure === undefined ? undefined : { baseIntervalUs: failure.baseInterval, maxIntervalUs: failure.maxInterval },
    respectTtl: respectDnsTtl,
    quirks: quirksOf(version),
  };
}
