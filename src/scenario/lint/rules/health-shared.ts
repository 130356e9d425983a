import { defaultOf } from '../../../config/defaults.js';
import { BALANCING, manual } from '../rule.js';
import type { LintCluster } from '../subject.js';

export const PANIC = ['common_lb_config', 'healthy_panic_threshold'];

export const panicPage = manual(`${BALANCING}/panic_threshold`, 'Panic threshold');

/** On a line of its own. */
const field = (text: string): string => (text === '' ? '' : `\n    ${text}`);

export const checked = (check: string, rest = ''): string => `clusters:
  - name: backend
    connect_timeout: 1s${field(rest)}
    health_checks: [{${check}, unhealthy_threshold: 2, healthy_threshold: 2, http_health_check: {path: /}}]
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
`;

export const common = (rest: string): string => `common_lb_config: {${rest}}`;

export const cluster = (rest: string, endpoints = '{address: 10.0.0.1:80, count: 4}'): string => `clusters:
  - name: backend
    connect_timeout: 1s${field(rest)}
endpoints: {backend: [${endpoints}]}
`;

export function ejectable({ cluster: { outlierDetection }, fixed }: LintCluster): number | undefined {
  return outlierDetection === undefined || !fixed
    ? undefined
    : (outlierDetection.maxEjectionPercent ?? defaultOf('cluster.OutlierDetection', 'max_ejection_percent'));
}
