import { quirksOf } from '../../../../core/quirks.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { cluster, ejectable } from '../health-shared.js';

const MODERN = 'proxy: {version: "1.40"}\n';

export const outlierEjectsNobody: LintRule = {
  name: 'outlier-ejects-nobody',
  severity: 'warning',
  title: 'Outlier detection that may eject nobody',
  why: 'Modern proxies eject a host only if the ejected share stays within `max_ejection_percent` (default 10 %): with hosts × percent below 100 no host is ever ejected, and every detection counts as `ejections_overflow`.',
  sources: [
    thread('envoyproxy/envoy/pull/27909', 'enforce max_ejection_percentage'),
    thread('envoyproxy/envoy/pull/34796', 'add always_eject_one_host'),
  ],
  example: MODERN + cluster('outlier_detection: {}'),
  repaired: MODERN + cluster('outlier_detection: {max_ejection_percent: 25}'),
  check: eachCluster((one, report, { proxies }) => {
    const percent = ejectable(one);
    const versions = proxies.map(({ proxy: { version } }) => version);
    const kept = versions.filter((version) => quirksOf(version).ejectionsStayWithinLimit);
    if (percent === undefined || kept.length === 0 || one.hosts.length * percent >= 100) return;
    if (one.cluster.outlierDetection?.alwaysEjectOneHost === true) return;
    const by = kept.length === versions.length ? '' : ` by proxy ${[...new Set(kept)].join(', ')}`;
    const text = `no host is ever ejected${by}: ${percent} % of ${one.hosts.length} hosts is less than one`;
    const needed = Math.ceil(100 / one.hosts.length);
    report(
      [...one.path, 'outlier_detection'],
      `${text}. Set max_ejection_percent: ${needed === 100 ? '100' : `${needed} or more`}`,
    );
  }),
};
