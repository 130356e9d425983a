import { quirksOf } from '../../../../core/quirks.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { cluster, ejectable } from '../health-shared.js';

export const outlierEjectsOne: LintRule = {
  name: 'outlier-ejects-one-anyway',
  severity: 'note',
  title: 'Outlier detection that ejects more than its percentage',
  why: 'Proxies of the v2 era compare the share of hosts that are ejected already: the first host is always ejected, whatever `max_ejection_percent` says. With few hosts that is far more than the percentage.',
  sources: [
    thread(3263, 'OutlierDetection: MaxEjectionPercent not being honored'),
    thread(26877, 'Ejection algo removes more endpoints than max_ejection_percentage'),
  ],
  example: cluster('outlier_detection: {}'),
  repaired: cluster('outlier_detection: {max_ejection_percent: 25}'),
  check: eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const old = [...new Set(proxies.map(({ proxy: { version } }) => version))].filter(
      (version) => !quirksOf(version).ejectionsStayWithinLimit,
    );
    if (percent === undefined || percent === 0 || old.length === 0 || one.hosts.length * percent >= 100) return;
    const real = Math.round(100 / one.hosts.length);
    const text = `one of ${one.hosts.length} hosts (${real} %) is ejected although max_ejection_percent is ${percent}`;
    report([...one.path, 'outlier_detection'], `${text}: proxy ${old.join(', ')} always allows the first ejection`);
  }),
};
