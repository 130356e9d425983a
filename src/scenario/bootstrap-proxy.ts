import { type Bootstrap, staticRuntime } from '../config/bootstrap.js';
import { DEFAULT_FLUSH_US, DEFAULT_PROXY, type NamelessProxy } from './proxies.js';

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
