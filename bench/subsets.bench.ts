/**
 * Subsets of a large cluster: making them, and the health of one host.
 *
 * Part of `npm run bench`; docs/performance.md tells how to read it.
 */
import { policySettings } from '../src/config/lb.js';
import { HealthFlag, Host } from '../src/host/host.js';
import { buildHostSet } from '../src/hostset/build-host-set.js';
import { createLoadBalancer } from '../src/hostset/create-load-balancer.js';
import type { HostSet } from '../src/hostset/host-set.js';
import type { LoadBalancer } from '../src/hostset/load-balancer.js';
import { LbStats } from '../src/hostset/lb-stats.js';
import { ScriptedRandom } from '../src/random/random64.js';
import { loadScenarioValue } from '../src/scenario/load.js';
import { print } from './print.js';
import { sideBySide } from '../src/cli/bench/side-by-side.js';

const { scenario } = loadScenarioValue(
  {
    clusters: [
      {
        name: 'c',
        lb_subset_config: {
          subset_selectors: [{ keys: ['version'] }, { keys: ['rack'] }, { keys: ['stage', 'cell'] }],
        },
      },
    ],
    endpoints: { c: [] },
  },
  'bench',
);
const [cluster] = scenario?.clusters ?? [];
if (cluster === undefined) throw new Error('no cluster');
const config = policySettings(cluster, '1.40');

const hosts = Array.from({ length: 8000 }, (_, i) => {
  const metadata = { version: `v${i % 2}`, rack: `r${i % 800}`, stage: i % 3 === 0 ? 'prod' : 'dev', cell: i % 80 };
  return new Host({ address: `10.0.${i >> 8}.${i & 255}:80`, metadata });
});

function lists(before?: HostSet): HostSet {
  return buildHostSet({
    priority: 0,
    hosts,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    nodeLocality: undefined,
    localityWeights: undefined,
    before,
  });
}

function balancer(): LoadBalancer {
  return createLoadBalancer(config, {
    random: new ScriptedRandom([]),
    runtime: { number: () => undefined },
    clock: { nowUs: 0 },
    stats: new LbStats(),
    hasLocalCluster: false,
  });
}

let hostSet = lists();
const standing = balancer();
standing.update(hostSet, hosts, []);
const MAKE = `making ${standing.describe().subsets?.length ?? 0} subsets of 8,000 hosts by three selectors`;
const FAIL = 'one host fails, and returns: its 3 subsets';

const timings = sideBySide(
  [
    { name: MAKE, run: () => balancer().update(hostSet, hosts, []) },
    {
      name: FAIL,
      run: () => {
        for (let change = 0; change < 2; change++) {
          (hosts[4321] as Host).flags ^= HealthFlag.FAILED_EDS_HEALTH;
          hostSet = lists(hostSet);
          standing.update(hostSet, [], []);
        }
      },
    },
  ],
  5,
  4,
);

print({
  title: 'Subsets, CPU ms',
  rows: [...timings].map(([subsets, { min, median }]) => ({ subsets, fastest: min, median })),
});
