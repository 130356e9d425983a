import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import type { LintCluster } from './subject.js';
import { LB_DEFAULTS } from '../../config/lb.js';
import { BALANCING, eachCluster, type LintChapter, type LintRule, manual, thread } from './rule.js';
import { count } from '../../core/words.js';
import { hashesItself, weighsLocalities } from '../../config/policy/policy.js';

/** Shares scatter by about 1/√k with k entries a host: beyond a quarter a table is called too small. */
const ENTRIES_WANTED = 16;

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

const named = (typeAndPolicy: string): string => `name: backend
connect_timeout: 1s
type: ${typeAndPolicy}
common_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: true}}
load_assignment:
  cluster_name: backend
  endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: a.example.com, port_value: 80}}}}]}]
`;

const DEGRADED = '10.0.0.1:80, {address: 10.0.0.2:80, health: DEGRADED}';

export const isHash = ({ lbPolicy }: LintCluster): boolean => isTablePolicy(lbPolicy);

interface Layout {
  /** Share of the lightest host. */
  readonly lightest: number;
  readonly hosts: number;
}

/** The hosts of each priority's table, all of them healthy. */
function layouts({ groups, priorities, policy }: LintCluster): readonly Layout[] {
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

const KEYED = ', hash_key: {uniform: {keys: 1000, prefix: user-}}';

/** Requests to a cluster, with or without a key. */
const sent = (
  policy: string,
  key: string,
  endpoints = '10.0.0.1:80, 10.0.0.2:80',
): string => `clusters: [{name: backend, connect_timeout: 1s${policy}}]
endpoints: {backend: [${endpoints}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${key}}]
`;

const ring = (rest: string, endpoints: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, lb_policy: RING_HASH, ring_hash_lb_config: {${rest}}}
endpoints: {backend: [${endpoints}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${KEYED}}]
`;

const TEN = '{address: 10.0.0.1:80, count: 10}';

const ringTooSmall: LintRule = {
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
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || !cluster.fixed) return;
    const minimum = Number(leaf.minimumRingSize ?? LB_DEFAULTS.minimumRingSize);
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
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
    const field = leaf.minimumRingSize === undefined ? 'lb_policy' : 'ring_hash_lb_config';
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

const ringCapped: LintRule = {
  name: 'ring-capped',
  severity: 'warning',
  aboutSplit: true,
  title: 'A maximum ring size that leaves light hosts without an entry',
  why: 'The ring grows until the lightest host has a whole number of entries, but not past `maximum_ring_size`. If that cuts it below one entry for the lightest host, some hosts have no place on the ring and get no request at all.',
  sources: [
    thread('envoyproxy/envoy/pull/5846', 'host and locality weighting in ring hash'),
    manual('api-v2/api/v2/cluster.proto', 'RingHashLbConfig.maximum_ring_size'),
  ],
  example: ring('minimum_ring_size: 100, maximum_ring_size: 1000', '{address: 10.0.0.1:80, weight: 5000}, 10.0.0.2:80'),
  repaired: ring('minimum_ring_size: 100', '{address: 10.0.0.1:80, weight: 50}, 10.0.0.2:80').replace('100}', '2048}'),
  check: eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || !cluster.fixed) return;
    const maximum = Number(leaf.maximumRingSize ?? LB_DEFAULTS.maximumRingSize);
    const capped = layouts(cluster).find(({ lightest }) => lightest * maximum < 1);
    if (capped === undefined) return;
    const written = leaf.maximumRingSize !== undefined;
    const at = written ? ['ring_hash_lb_config', 'maximum_ring_size'] : ['lb_policy'];
    const share = `1 in ${count(1 / capped.lightest)}`;
    report(
      [...cluster.path, ...at],
      `a ring of at most ${maximum} entries has no room for a host whose share is ${share}`,
    );
  }),
};

const ringSizeZero: LintRule = {
  name: 'ring-size-zero',
  severity: 'warning',
  aboutSplit: true,
  title: 'minimum_ring_size: 0',
  why: 'Zero is accepted and means what it says: a ring without entries. Every request then finds no host. The default, 1024, is what you get by leaving the field out.',
  sources: [thread(31724, 'Broken config for ring hash LB with minimum_ring_size of 0')],
  example: ring('minimum_ring_size: 0', TEN),
  repaired: ring('', TEN),
  check: eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'ring_hash' || leaf.minimumRingSize !== 0n) return;
    // The default may not exceed the maximum.
    const { maximumRingSize: maximum = Infinity } = leaf;
    const advice = maximum < LB_DEFAULTS.minimumRingSize ? `set it to ${maximum}` : 'leave the field out for 1024';
    const text = `a minimum of 0 makes an empty ring, and no request finds a host; ${advice}`;
    report([...cluster.path, 'ring_hash_lb_config', 'minimum_ring_size'], text);
  }),
};

const maglevTooSmall: LintRule = {
  name: 'maglev-too-small',
  severity: 'warning',
  aboutSplit: true,
  title: 'A Maglev table that is too small for its hosts',
  why: 'Maglev’s hosts take slots in turn, so their shares differ by one slot at most: with fewer than a hundred slots for the lightest host that one slot is more than a percent of its share, and more keys move when hosts come and go.',
  sources: [paper],
  example: maglev(', maglev_lb_config: {table_size: 211}'),
  repaired: maglev(''),
  check: eachCluster((cluster, report) => {
    const { leaf } = cluster;
    if (leaf.kind !== 'maglev' || !cluster.fixed) return;
    const written = leaf.tableSize;
    const size = Number(written ?? LB_DEFAULTS.maglevTableSize);
    const small = layouts(cluster).find(({ lightest, hosts }) => hosts > 1 && lightest * size < SLOTS_WANTED);
    if (small === undefined) return;
    const slots = Math.max(1, Math.floor(small.lightest * size));
    const text = `the lightest host of ${cluster.cluster.name} has ${slots === 1 ? 'one slot' : `${slots} slots`} in a table of ${size}; ${SLOTS_WANTED} or more keep shares within a percent`;
    report([...cluster.path, ...(written === undefined ? ['lb_policy'] : ['maglev_lb_config', 'table_size'])], text);
  }),
};

const hashIgnoresDegraded: LintRule = {
  name: 'hash-ignores-degraded',
  severity: 'warning',
  title: 'Degraded hosts under RING_HASH or MAGLEV',
  why: 'Tables are built from healthy hosts only. A priority with healthy and degraded hosts serves everything from the healthy ones; with degraded hosts alone it answers 503, although ROUND_ROBIN, LEAST_REQUEST and RANDOM would use them.',
  sources: [
    manual(`${BALANCING}/degraded`, 'Degraded endpoints'),
    manual(`${BALANCING}/load_balancers`, 'Ring hash and Maglev'),
  ],
  example: sent(', lb_policy: MAGLEV', KEYED, DEGRADED),
  repaired: sent(', lb_policy: LEAST_REQUEST', '', DEGRADED),
  check: eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const host = cluster.hosts.find(({ endpoint }) => endpoint.healthStatus === 'DEGRADED');
    if (host === undefined) return;
    const text = `${lbPolicyName(cluster.lbPolicy)} puts no degraded host into its table: ${host.address} gets no request`;
    report([...host.path, 'health_status'], text);
  }),
};

const hashWithoutKey: LintRule = {
  name: 'hash-without-key',
  severity: 'warning',
  aboutSplit: true,
  title: 'RING_HASH or MAGLEV for requests without a hash',
  why: 'Without a hash policy on the route, or where the header is missing, there is nothing to hash: the proxy draws a random place in the table. The split is that of the table, and no client stays with a host.',
  sources: [
    manual(`${BALANCING}/load_balancers`, 'Ring hash'),
    manual('api-v2/api/v2/route/route_components.proto', 'RouteAction.HashPolicy'),
  ],
  example: sent(', lb_policy: RING_HASH', ''),
  repaired: sent(', lb_policy: RING_HASH', KEYED),
  check: eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const { name } = cluster.cluster;
    if (hashesItself(cluster.policy)) return;
    const bare = cluster.traffic.find(({ workload, hashed }) => workload && !hashed);
    if (bare === undefined) return;
    report(
      bare.path,
      `${name} is ${lbPolicyName(cluster.lbPolicy)}, but these requests carry no hash: each takes a random place. Set hash_key`,
    );
  }),
};

const hashKeyUnused: LintRule = {
  name: 'hash-key-unused',
  severity: 'note',
  aboutSplit: true,
  title: 'A hash key for a policy that does not hash',
  why: 'ROUND_ROBIN, LEAST_REQUEST and RANDOM do not look at the hash that a route computes: requests of one key go anywhere. (Between priorities the hash does count, under every policy.)',
  sources: [
    thread('projectcontour/contour/issues/6351', 'What hashing strategy does Contour use in load balancing?'),
    manual(`${BALANCING}/load_balancers`, 'Supported load balancers'),
  ],
  example: sent('', KEYED),
  repaired: sent(', lb_policy: MAGLEV', KEYED),
  check: eachCluster((cluster, report) => {
    const { name } = cluster.cluster;
    if (isHash(cluster) || cluster.priorities.length > 1 || cluster.type === 'ORIGINAL_DST') return;
    const keyed = cluster.traffic.find(({ workload, hashed }) => workload && hashed);
    if (keyed === undefined) return;
    report(
      [...keyed.path, 'hash_key'],
      `${name} is ${lbPolicyName(cluster.lbPolicy)}, which ignores the hash; ${cluster.policies('RING_HASH', 'MAGLEV')} would keep keys together`,
    );
  }),
};

const hostnameHashingUnused: LintRule = {
  name: 'hostname-hashing-unused',
  severity: 'note',
  title: 'use_hostname_for_hashing for a policy that does not hash',
  why: 'The option is checked for every policy and read by RING_HASH and MAGLEV alone.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'ConsistentHashingLbConfig.use_hostname_for_hashing')],
  example: named('STRICT_DNS'),
  repaired: named('STRICT_DNS\nlb_policy: MAGLEV'),
  check: eachCluster((cluster, report) => {
    if (isHash(cluster)) return;
    if (cluster.cluster.commonLbConfig?.consistentHashingLbConfig === undefined) return;
    const text = `${lbPolicyName(cluster.lbPolicy)} does not hash: consistent_hashing_lb_config has no effect`;
    report([...cluster.path, 'common_lb_config', 'consistent_hashing_lb_config'], text);
  }),
};

export const tablesChapter: LintChapter = {
  title: 'RING_HASH and MAGLEV',
  rules: [
    ringTooSmall,
    ringCapped,
    ringSizeZero,
    maglevTooSmall,
    hashIgnoresDegraded,
    hashWithoutKey,
    hashKeyUnused,
    hostnameHashingUnused,
  ],
};
