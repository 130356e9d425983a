import { type LintReport, manual } from '../rule.js';
import type { LintCluster } from '../subject.js';

export const clusterPage = manual('api-v2/api/v2/cluster.proto', 'Cluster');

export const discovery = manual('intro/arch_overview/upstream/service_discovery', 'Service discovery');

export const cluster = (fields: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, ${fields}}
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
`;

/** Reports those of `fields` that the file sets in a part of the cluster. */
export function reportSet(
  { path, has }: LintCluster,
  report: LintReport,
  part: readonly string[],
  fields: readonly string[],
  text: (field: string) => string,
): void {
  for (const field of fields) if (has(...part, field)) report([...path, ...part, field], text(field));
}

export const outliers = manual('intro/arch_overview/upstream/outlier', 'Outlier detection');
