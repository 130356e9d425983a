import { type Checks, eachCluster, type LintCluster } from './subject.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import { smallest, sum } from '../../core/values.js';
import { typedHttpOptions } from '../../config/cluster/http-options.js';
import { hashesItself, weighsLocalities } from '../../config/policy/policy.js';

export const unevenPriority = ({ hosts, priorities }: LintCluster): number | undefined =>
  priorities.find((at) => new Set(hosts.flatMap((host) => (host.priority === at ? [host.weight] : []))).size > 1);

export const listsRules = {
  'random-ignores-weights': eachCluster((one) => {
    const priority = one.lbPolicy === 'RANDOM' ? unevenPriority(one) : undefined;
    const of = one.hosts.find((host) => host.priority === priority && host.endpoint.loadBalancingWeight !== undefined);
    const others = one.policies('ROUND_ROBIN', 'LEAST_REQUEST');
    return of && { of, address: of.address, weight: of.weight, others };
  }),

  'least-request-one-host': eachCluster(({ leaf, fixed, priorities, hosts }) => {
    const isAlone = (at: number): boolean => hosts.filter(({ priority }) => priority === at).length <= 1;
    return leaf.kind === 'least_request' && fixed && priorities.every(isAlone) && {};
  }),

  'choice-count-ignored': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'least_request' || leaf.choiceCount === undefined) return undefined;
    return unevenPriority(one) !== undefined && {};
  }),

  'choice-count-covers-hosts': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'least_request' || !one.fixed) return undefined;
    const { choiceCount: draws = 0, selectionMethod } = leaf;
    if (draws <= LB_DEFAULTS.choiceCount || selectionMethod === 'FULL_SCAN' || unevenPriority(one) !== undefined)
      return undefined;
    const hosts = one.hosts.filter(({ priority }) => priority === one.priorities[0]).length;
    return hosts >= 2 && draws >= hosts && { draws, hosts, missed: Math.round(100 * (1 - 1 / hosts) ** draws) };
  }),
} satisfies Checks;

/** Shares scatter by about 1/√k with k entries a host: beyond a quarter a table is called too small. */
const ENTRIES_WANTED = 16;

/** The ratio that the paper gives for shares within a percent. */
const SLOTS_WANTED = 100;

export const isHash = ({ lbPolicy }: LintCluster): boolean => isTablePolicy(lbPolicy);

/** The hosts of each priority's table, all of them healthy; and the share of the lightest. */
function layouts({ groups, priorities, policy }: LintCluster) {
  const byLocality = weighsLocalities(policy);
  return priorities.flatMap((priority) => {
    const level = groups.filter(({ group }) => group.priority === priority);
    const total = sum(level.map(({ group }) => group.loadBalancingWeight ?? 0));
    const all = sum(level.flatMap(({ hosts }) => hosts).map(({ weight }) => weight));
    const shares = level.flatMap(({ group, hosts }) => {
      const own = sum(hosts.map(({ weight }) => weight));
      const locality = byLocality ? (group.loadBalancingWeight ?? 0) / total : own / all;
      return hosts.map(({ weight }) => (locality * weight) / own);
    });
    const counted = shares.filter((share) => share > 0);
    return counted.length === 0 ? [] : [{ lightest: smallest(counted, 1), hosts: counted.length }];
  });
}

export const tablesRules = {
  'ring-too-small': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'ring_hash' || !one.fixed) return undefined;
    const minimum = Number(leaf.minimumRingSize ?? LB_DEFAULTS.minimumRingSize);
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const entriesOf = ({ lightest }: { readonly lightest: number }): number =>
      lightest * Math.min(Math.ceil(lightest * minimum) / lightest, maximum);
    const small = layouts(one).find((layout) => {
      const entries = entriesOf(layout);
      return minimum > 0 && layout.hosts > 1 && entries >= 1 && entries < ENTRIES_WANTED;
    });
    if (small === undefined) return undefined;
    const entries = Math.floor(entriesOf(small));
    const scatter = Math.round(100 / Math.sqrt(entries));
    const wanted = 2 ** Math.ceil(Math.log2((8 * ENTRIES_WANTED) / small.lightest));
    const isWritten = leaf.minimumRingSize !== undefined;
    const at = isWritten ? 'ring_hash_lb_config.minimum_ring_size' : 'lb_policy';
    const size = isWritten ? 'minimum_ring_size' : one.placeOf('ring_hash_lb_config', 'minimum_ring_size');
    const room = wanted > maximum ? 'maximum_ring_size' : undefined;
    const advice = wanted <= LB_DEFAULTS.maximumRingSize ? 'size' : 'weights';
    const shown = entries === 1 ? 'one entry' : `${entries} entries`;
    return { at, entries: shown, minimum, scatter, advice, size, wanted, room };
  }),

  'ring-capped': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'ring_hash' || !one.fixed) return undefined;
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const capped = layouts(one).find(({ lightest }) => lightest * maximum < 1);
    const at = leaf.maximumRingSize === undefined ? 'lb_policy' : 'ring_hash_lb_config.maximum_ring_size';
    return capped && { at, maximum, part: 1 / capped.lightest };
  }),

  'ring-size-zero': eachCluster(({ leaf }) => {
    if (leaf.kind !== 'ring_hash' || leaf.minimumRingSize !== 0n) return undefined;
    // The default may not exceed the maximum.
    const { maximumRingSize: maximum = Infinity } = leaf;
    const isSmall = maximum < LB_DEFAULTS.minimumRingSize;
    return { advice: isSmall ? `set it to ${maximum}` : 'leave the field out for 1024' };
  }),

  'maglev-too-small': eachCluster((one) => {
    const { leaf } = one;
    if (leaf.kind !== 'maglev' || !one.fixed) return undefined;
    const size = Number(leaf.tableSize ?? LB_DEFAULTS.maglevTableSize);
    const small = layouts(one).find(({ lightest, hosts }) => hosts > 1 && lightest * size < SLOTS_WANTED);
    if (small === undefined) return undefined;
    const slots = Math.floor(small.lightest * size);
    const at = leaf.tableSize === undefined ? 'lb_policy' : 'maglev_lb_config.table_size';
    const shown = slots === 0 ? 'one slot at most' : slots === 1 ? 'one slot' : `${slots} slots`;
    return { at, slots: shown, size, wanted: SLOTS_WANTED };
  }),

  'hash-ignores-degraded': eachCluster((one) => {
    const of = one.hosts.find(({ endpoint }) => endpoint.healthStatus === 'DEGRADED');
    return of && isHash(one) && { of, address: of.address };
  }),

  'hash-without-key': eachCluster((one) => {
    if (!isHash(one) || hashesItself(one.policy) || typedHttpOptions(one.cluster)?.hashPolicy) return undefined;
    const of = one.traffic.find(({ workload, hashed, spec }) => workload && !hashed && spec.hashPolicy === undefined);
    return of && { of, over_tcp: of.spec.tcp !== undefined };
  }),

  'hash-key-unused': eachCluster((one) => {
    if (isHash(one) || factsOf(one.lbPolicy)?.readsRequests === true) return undefined;
    if (one.priorities.length > 1 || one.type === 'ORIGINAL_DST') return undefined;
    const of = one.traffic.find(({ workload, hashed }) => workload && hashed);
    return of && { of, others: one.policies('RING_HASH', 'MAGLEV') };
  }),

  'hostname-hashing-unused': eachCluster(
    (one) => !isHash(one) && one.cluster.commonLbConfig?.consistentHashingLbConfig !== undefined && {},
  ),
} satisfies Checks;
