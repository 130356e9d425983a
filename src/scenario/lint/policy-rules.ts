import { type Checks, eachCluster, type LintCluster } from './subject.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { factsOf, isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { count } from '../../core/words.js';
import { hashesItself, weighsLocalities } from '../../config/policy/policy.js';

export function unevenPriority({ hosts, priorities }: LintCluster): number | undefined {
  return priorities.find(
    (at) => new Set(hosts.flatMap((host) => (host.priority === at ? [host.weight] : []))).size > 1,
  );
}

export const listsRules = {
  'random-ignores-weights': eachCluster((cluster, report) => {
    const priority = cluster.lbPolicy === 'RANDOM' ? unevenPriority(cluster) : undefined;
    if (priority === undefined) return;
    const host = cluster.hosts.find(
      (one) => one.priority === priority && one.endpoint.loadBalancingWeight !== undefined,
    );
    if (host === undefined) return;
    const text = `RANDOM ignores the weights of hosts: ${host.address} with weight ${host.weight} gets no more than any other`;
    report('load_balancing_weight', `${text}. Use ${cluster.policies('ROUND_ROBIN', 'LEAST_REQUEST')}`, host);
  }),

  'least-request-one-host': eachCluster((cluster, report) => {
    const { name } = cluster.cluster;
    if (cluster.leaf.kind !== 'least_request' || !cluster.fixed) return;
    if (cluster.priorities.some((at) => cluster.hosts.filter(({ priority }) => priority === at).length > 1)) return;
    report('lb_policy', `LEAST_REQUEST has nothing to compare: ${name} has only one host per priority`);
  }),

  'choice-count-ignored': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || leaf.choiceCount === undefined) return;
    if (unevenPriority(cluster) === undefined) return;
    const text =
      'choice_count has no effect while host weights differ: hosts take turns by weight / (active requests + 1)';
    report('least_request_lb_config.choice_count', text);
  }),

  'choice-count-covers-hosts': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'least_request' || !cluster.fixed) return;
    const count = leaf.choiceCount;
    if (count === undefined || count <= LB_DEFAULTS.choiceCount) return;
    if (leaf.selectionMethod === 'FULL_SCAN' || unevenPriority(cluster) !== undefined) return;
    const hosts = cluster.hosts.filter(({ priority }) => priority === cluster.priorities[0]).length;
    if (hosts < 2 || count < hosts) return;
    const missed = Math.round(100 * (1 - 1 / hosts) ** count);
    const text = `${count} draws among ${hosts} hosts are no full scan: they miss the least loaded host ${missed} % of the time`;
    report('least_request_lb_config.choice_count', text);
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
    const total = level.reduce((sum, { group }) => sum + (group.loadBalancingWeight ?? 0), 0);
    const all = level.flatMap(({ hosts }) => hosts).reduce((sum, { weight }) => sum + weight, 0);
    const shares = level.flatMap(({ group, hosts }) => {
      const sum = hosts.reduce((weights, { weight }) => weights + weight, 0);
      const locality = byLocality ? (group.loadBalancingWeight ?? 0) / total : sum / all;
      return hosts.map(({ weight }) => (locality * weight) / sum);
    });
    const counted = shares.filter((share) => share > 0);
    const lightest = counted.reduce((least, share) => Math.min(least, share), 1);
    return counted.length === 0 ? [] : [{ lightest, hosts: counted.length }];
  });
}

export const tablesRules = {
  'ring-too-small': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || !cluster.fixed) return;
    const minimum = Number(leaf.minimumRingSize ?? LB_DEFAULTS.minimumRingSize);
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const entriesOf = ({ lightest }: { readonly lightest: number }): number =>
      lightest * Math.min(Math.ceil(lightest * minimum) / lightest, maximum);
    const small = layouts(cluster).find((layout) => {
      const entries = entriesOf(layout);
      return minimum > 0 && layout.hosts > 1 && entries >= 1 && entries < ENTRIES_WANTED;
    });
    if (small === undefined) return;
    const entries = Math.floor(entriesOf(small));
    const scatter = Math.round(100 / Math.sqrt(entries));
    const wanted = 2 ** Math.ceil(Math.log2((8 * ENTRIES_WANTED) / small.lightest));
    const field = leaf.minimumRingSize === undefined ? 'lb_policy' : 'ring_hash_lb_config.minimum_ring_size';
    const found = entries === 1 ? 'one entry' : `${entries} entries`;
    const text = `the lightest host of ${cluster.cluster.name} has only ${found} on a ring of ${minimum}: chance moves its share by some ${scatter} %`;
    const size =
      field === 'lb_policy' ? cluster.placeOf('ring_hash_lb_config', 'minimum_ring_size') : 'minimum_ring_size';
    const room = wanted > maximum ? `, with a maximum_ring_size of at least that` : '';
    const advice =
      wanted <= LB_DEFAULTS.maximumRingSize ? `; try ${size ?? ''}: ${wanted}${room}` : '; even out the weights';
    report(field, text + advice);
  }),

  'ring-capped': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || !cluster.fixed) return;
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const capped = layouts(cluster).find(({ lightest }) => lightest * maximum < 1);
    if (capped === undefined) return;
    const at = leaf.maximumRingSize === undefined ? 'lb_policy' : 'ring_hash_lb_config.maximum_ring_size';
    const share = `1 in ${count(1 / capped.lightest)}`;
    report(at, `a ring of at most ${maximum} entries has no room for a host whose share is ${share}`);
  }),

  'ring-size-zero': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || leaf.minimumRingSize !== 0n) return;
    // The default may not exceed the maximum.
    const { maximumRingSize: maximum = Infinity } = leaf;
    const advice = maximum < LB_DEFAULTS.minimumRingSize ? `set it to ${maximum}` : 'leave the field out for 1024';
    const text = `a minimum of 0 makes an empty ring, and no request finds a host; ${advice}`;
    report('ring_hash_lb_config.minimum_ring_size', text);
  }),

  'maglev-too-small': eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'maglev' || !cluster.fixed) return;
    const written = leaf.tableSize;
    const size = Number(written ?? LB_DEFAULTS.maglevTableSize);
    const small = layouts(cluster).find(({ lightest, hosts }) => hosts > 1 && lightest * size < SLOTS_WANTED);
    if (small === undefined) return;
    const slots = Math.max(1, Math.floor(small.lightest * size));
    const text = `the lightest host of ${cluster.cluster.name} has ${slots === 1 ? 'one slot' : `${slots} slots`} in a table of ${size}; ${SLOTS_WANTED} or more keep shares within a percent`;
    report(written === undefined ? 'lb_policy' : 'maglev_lb_config.table_size', text);
  }),

  'hash-ignores-degraded': eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const host = cluster.hosts.find(({ endpoint }) => endpoint.healthStatus === 'DEGRADED');
    if (host === undefined) return;
    const text = `${lbPolicyName(cluster.lbPolicy)} puts no degraded host into its table: ${host.address} gets no request`;
    report('health_status', text, host);
  }),

  'hash-without-key': eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const { name } = cluster.cluster;
    if (hashesItself(cluster.policy)) return;
    const bare = cluster.traffic.find(({ workload, hashed }) => workload && !hashed);
    if (bare === undefined) return;
    const text = `${name} is ${lbPolicyName(cluster.lbPolicy)}, but these requests carry no hash: each takes a random place`;
    report('', `${text}. Set hash_key`, bare);
  }),

  'hash-key-unused': eachCluster((cluster, report) => {
    const { name } = cluster.cluster;
    if (isHash(cluster) || factsOf(cluster.lbPolicy)?.readsRequests === true) return;
    if (cluster.priorities.length > 1 || cluster.type === 'ORIGINAL_DST') return;
    const keyed = cluster.traffic.find(({ workload, hashed }) => workload && hashed);
    if (keyed === undefined) return;
    const text = `${name} is ${lbPolicyName(cluster.lbPolicy)}, which ignores the hash`;
    report('hash_key', `${text}; ${cluster.policies('RING_HASH', 'MAGLEV')} would keep keys together`, keyed);
  }),

  'hostname-hashing-unused': eachCluster((cluster, report) => {
    if (isHash(cluster)) return;
    if (cluster.cluster.commonLbConfig?.consistentHashingLbConfig === undefined) return;
    const text = `${lbPolicyName(cluster.lbPolicy)} does not hash: consistent_hashing_lb_config has no effect`;
    report('common_lb_config.consistent_hashing_lb_config', text);
  }),
} satisfies Checks;
