import { metadataEntry } from '../../../config/core.js';
import type { LbSubsetConfig } from '../../../config/load-balancing.js';
import type { Struct } from '../../../core/json-value.js';
import { PROXY_VERSIONS, type ProxyVersion } from '../../../core/version.js';
import { LB_NAMESPACE } from '../../metadata.js';
import { BALANCING, manual } from '../rule.js';
import type { LintCluster, LintSubject } from '../subject.js';

export const AT = 'lb_subset_config';

export const page = manual(`${BALANCING}/subsets`, 'Load balancer subsets');

export const subsets = (
  config: string,
  hosts = '{address: 10.0.0.1:80, metadata: {version: "1", stage: prod}}, {address: 10.0.0.2:80, metadata: {version: "2", stage: prod}}',
): string => `clusters:
  - name: backend
    connect_timeout: 1s
    lb_subset_config: {${config}}
endpoints: {backend: [${hosts}]}
`;

/** Each selector's keys as the proxy keeps them: sorted, each once. */
export function keysOf({ subsetSelectors }: LbSubsetConfig): readonly (readonly string[])[] {
  return subsetSelectors.map(({ keys }) => [...new Set(keys)].sort());
}

export const lbMetadata = ({ hosts }: LintCluster): readonly Struct[] =>
  hosts.map(({ endpoint }) => metadataEntry(endpoint.metadata, LB_NAMESPACE));

/** The versions of the file's proxies; all, where there are none. */
export function versionsOf({ proxies, alone }: LintSubject): readonly ProxyVersion[] {
  return alone ? PROXY_VERSIONS : [...new Set(proxies.map(({ proxy: { version } }) => version))];
}

/** Whether anything falls back on the default subset. */
export function usesDefault({ fallbackPolicy, subsetSelectors }: LbSubsetConfig): boolean {
  return (
    fallbackPolicy === 'DEFAULT_SUBSET' ||
    subsetSelectors.some((selector) => selector.fallbackPolicy === 'DEFAULT_SUBSET')
  );
}
