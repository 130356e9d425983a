import { LB_DEFAULTS } from '../../../../config/lb.js';
import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { TEN, type Layout, layouts, ring } from '../tables-shared.js';

/** Shares scatter by about 1/√k with k entries a host: beyond a quarter a table is called too small. */
const ENTRIES_WANTED = 16;

export const ringTooSmall: LintRule = {
  name: 'ring-too-small',
  severity: 'warning',
  aboutSplit: true,
  title: 'A ring that is too small for its hosts and weights',
  why: `Each host owns the arcs before its entries, and arcs are as random as the hashes that cut them: with k entries a host, shares scatter by about 1/√k. Below ${ENTRIES_WANTED} entries for the lightest host that is more than a quarter of its share. A larger ring costs a few bytes an entry.`,
  sources: [
    thread('envoyproxy/envoy/pull/5846', 'host and locality weighting in ring hash'),
    manual(`${BALANCING}/load_balancers`, 'Ring hash'),
  ],
  example: ring('minimum_ring_size: 64', TEN),
  repaired: ring('minimum_ring_size: 1024', TEN),
  check: eachCluster((cluster, report) => {
    const { lbPolicy, ringHashLbConfig } = cluster.cluster;
    if (lbPolicy !== 'RING_HASH' || !cluster.fixed) return;
    const minimum = Number(ringHashLbConfig?.minimumRingSize ?? LB_DEFAULTS.minimumRingSize);
    const maximum = Number(ringHashLbConfig?.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const entriesOf = ({ lightest }: Layout): number =>
      lightest * Math.min(Math.ceil(lightest * minimum) / lightest, maximum);
    const small = layouts(cluster).find((layout) => {
      const entries = entriesOf(layout);
      return minimum > 0 && layout.hosts > 1 && entries >= 1 && entries < ENTRIES_WANTED;
    });
    if (small === undefined) return;
    const entries = Math.floor(entriesOf(small));
    const scatter = Math.round(100 / Math.sqrt(entries));
    const wanted = 2 ** Math.ceil(Math.log2((8 * ENTRIES_WANTED) / small.lightest));
    const field = ringHashLbConfig?.minimumRingSize === undefined ? 'lb_policy' : 'ring_hash_lb_config';
    const found = entries === 1 ? 'one entry' : `${entries} entries`;
    const text = `the lightest host of ${cluster.cluster.name} has ${found} on a ring of ${minimum}: its share scatters by about ${scatter} %`;
    const size =
      field === 'lb_policy' ? cluster.placeOf('ring_hash_lb_config', 'minimum_ring_size') : 'minimum_ring_size';
    const room = wanted > maximum ? `, with a maximum_ring_size of at least that` : '';
    const advice =
      wanted <= LB_DEFAULTS.maximumRingSize ? `; try ${size ?? ''}: ${wanted}${room}` : '; even out the weights';
    report([...cluster.path, field, ...(field === 'lb_policy' ? [] : ['minimum_ring_size'])], text + advice);
  }),
};
