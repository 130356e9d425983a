import type { LintCluster } from '../subject.js';

export const list = (
  policy: string,
  endpoints: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, ${policy}}]
endpoints: {backend: [${endpoints}]}
`;

export const P2C = {
  title: 'Mitzenmacher, The Power of Two Choices in Randomized Load Balancing, IEEE TPDS 12(10), 2001',
  url: 'https://www.eecs.harvard.edu/~michaelm/postscripts/tpds2001.pdf',
};

/** A priority whose hosts differ in weight. */
export function unevenPriority({ hosts, priorities }: LintCluster): number | undefined {
  return priorities.find(
    (at) => new Set(hosts.flatMap((host) => (host.priority === at ? [host.weight] : []))).size > 1,
  );
}
