import { LB_DEFAULTS } from '../../../../config/lb.js';
import { eachCluster, type LintRule, thread } from '../../rule.js';
import { TEN, ring } from '../tables-shared.js';

export const ringSizeZero: LintRule = {
  name: 'ring-size-zero',
  severity: 'warning',
  aboutSplit: true,
  title: 'minimum_ring_size: 0',
  why: 'Zero is accepted and means what it says: a ring without entries. Every request then finds no host. The default, 1024, is what you get by leaving the field out.',
  sources: [thread(31724, 'Broken config for ring hash LB with minimum_ring_size of 0')],
  example: ring('minimum_ring_size: 0', TEN),
  repaired: ring('', TEN),
  check: eachCluster((cluster, report) => {
    const { lbPolicy, ringHashLbConfig } = cluster.cluster;
    if (lbPolicy !== 'RING_HASH' || ringHashLbConfig?.minimumRingSize !== 0n) return;
    // The default may not exceed the maximum.
    const { maximumRingSize: maximum = Infinity } = ringHashLbConfig;
    const advice = maximum < LB_DEFAULTS.minimumRingSize ? `set it to ${maximum}` : 'leave the field out for 1024';
    const text = `a minimum of 0 makes an empty ring, and no request finds a host; ${advice}`;
    report([...cluster.path, 'ring_hash_lb_config', 'minimum_ring_size'], text);
  }),
};
