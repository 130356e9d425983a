import { LB_DEFAULTS } from '../../../../config/lb.js';
import { eachCluster, type LintRule } from '../../rule.js';
import { KEYED, layouts } from '../tables-shared.js';

const paper = {
  title: 'Eisenbud et al., Maglev: A Fast and Reliable Software Network Load Balancer, NSDI 2016, §5.3',
  url: 'https://www.usenix.org/conference/nsdi16/technical-sessions/presentation/eisenbud',
};

/** The ratio that the paper gives for shares within a percent. */
const SLOTS_WANTED = 100;

const maglev = (size: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, lb_policy: MAGLEV${size}}
endpoints: {backend: [{address: 10.0.0.1:80, count: 20}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${KEYED}}]
`;

export const maglevTooSmall: LintRule = {
  name: 'maglev-too-small',
  severity: 'warning',
  aboutSplit: true,
  title: 'A Maglev table that is too small for its hosts',
  why: 'Maglev’s hosts take slots in turn, so their shares differ by one slot at most: with fewer than a hundred slots for the lightest host that one slot is more than a percent of its share, and more keys move when hosts come and go.',
  sources: [paper],
  example: maglev(', maglev_lb_config: {table_size: 211}'),
  repaired: maglev(''),
  check: eachCluster((cluster, report) => {
    if (cluster.cluster.lbPolicy !== 'MAGLEV' || !cluster.fixed) return;
    const written = cluster.cluster.maglevLbConfig?.tableSize;
    const size = Number(written ?? LB_DEFAULTS.maglevTableSize);
    const small = layouts(cluster).find(({ lightest, hosts }) => hosts > 1 && lightest * size < SLOTS_WANTED);
    if (small === undefined) return;
    const slots = Math.max(1, Math.floor(small.lightest * size));
    const text = `the lightest host of ${cluster.cluster.name} has ${slots === 1 ? 'one slot' : `${slots} slots`} in a table of ${size}; ${SLOTS_WANTED} or more keep shares within a percent`;
    report([...cluster.path, ...(written === undefined ? ['lb_policy'] : ['maglev_lb_config', 'table_size'])], text);
  }),
};
