import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import type { LintHost } from '../../subject.js';

export const duplicateAddresses: LintRule = {
  name: 'duplicate-addresses',
  severity: 'warning',
  aboutSplit: true,
  title: 'The same address twice in a cluster',
  why: 'A STATIC cluster keeps both entries: the host gets two shares. An EDS cluster keeps the first only, also across priorities, so the second entry’s weight, locality and priority count for nothing.',
  sources: [
    manual('intro/arch_overview/upstream/service_discovery', 'Service discovery'),
    thread(18836, 'Weighted load balancing behavior within a locality'),
  ],
  example: `clusters: [{name: backend, connect_timeout: 1s}]
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.1:80]}
`,
  repaired: `clusters: [{name: backend, connect_timeout: 1s}]
endpoints: {backend: [{address: 10.0.0.1:80, weight: 2}, 10.0.0.2:80]}
`,
  check: eachCluster(({ cluster: { name }, hosts, type }, report) => {
    if (type !== 'STATIC' && type !== 'EDS') return;
    const seen = new Map<string, LintHost>();
    for (const host of hosts) {
      const first = seen.get(host.address);
      seen.set(host.address, first ?? host);
      if (first === undefined) continue;
      const effect =
        type === 'EDS'
          ? 'discovery keeps the first and ignores this one'
          : 'a STATIC cluster keeps both, and the host gets two shares';
      report(host.path, `${host.address} is in ${name} already: ${effect}`);
    }
  }),
};
