import type { Bootstrap } from '../config/bootstrap.js';
import { staticRuntime } from '../config/bootstrap.js';
import type { NamelessProxy } from './proxies.js';
import { DEFAULT_FLUSH_US, DEFAULT_PROXY } from './proxies.js';

/** The one proxy that a bootstrap describes. */
export function proxyOf(bootstrap: Bootstrap): NamelessProxy {
  const localClusterName = bootstrap.clusterManager?.localClusterName ?? '';
  return {
    ...DEFAULT_PROXY,
    node: bootstrap.node,
    localClusterName: localClusterName === '' ? undefined : localClusterName,
    runtime: staticRuntime(bootstrap.layeredRuntime),
    statsFlushIntervalUs: Math.round(bootstrap.statsFlushInterval ?? DEFAULT_FLUSH_US),
    statsConfig: bootstrap.statsConfig,
    statsSinks: bootstrap.statsSinks,
  };
}
