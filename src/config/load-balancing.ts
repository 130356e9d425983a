/**
 * The parts of a cluster that decide where a request goes.
 */
import type { Output } from './reader.js';
import { Percent, RuntimeDouble } from './percent.js';
import { message, optional, plain, repeated } from './reader.js';
import { bool, duration, enumeration, string, struct, uint32Value, uint64Value } from './reader/proto.js';

/** The proxy's limit on ring sizes. */
export const MAX_RING_SIZE = 8388608;
/** The proxy's limit on Maglev tables. */
export const MAX_MAGLEV_SIZE = 5000011;

export const LbPolicy = enumeration(
  'Cluster.LbPolicy',
  {
    ROUND_ROBIN: 0,
    LEAST_REQUEST: 1,
    RING_HASH: 2,
    RANDOM: 3,
    ORIGINAL_DST_LB: 4,
    MAGLEV: 5,
    CLUSTER_PROVIDED: 6,
  },
  {
    deprecated: { ORIGINAL_DST_LB: 'use CLUSTER_PROVIDED' },
    hints: { LOAD_BALANCING_POLICY_CONFIG: 'it belongs to load_balancing_policy of v3; name the policy itself here' },
  },
);
export type LbPolicy = Output<typeof LbPolicy>;

// --- subsets -------------------------------------------------------------------------------------------------------

const LbSubsetSelector = message(
  'Cluster.LbSubsetConfig.LbSubsetSelector',
  () => ({
    keys: repeated(string(), 'A subset is made for each combination of values that hosts have under these keys.'),
    fallback_policy: plain(
      enumeration('Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy', {
        NOT_DEFINED: 0,
        NO_FALLBACK: 1,
        ANY_ENDPOINT: 2,
        DEFAULT_SUBSET: 3,
        KEYS_SUBSET: 4,
      }),
      'What happens when no subset of this selector matches. NOT_DEFINED: what the subset configuration says.',
    ),
    fallback_keys_subset: repeated(string(), 'For KEYS_SUBSET: the keys that are tried instead, fewer than keys.'),
    single_host_per_subset: plain(bool(), 'Each subset has one host; its value finds it at once.', {
      extension: 'since 1.16',
    }),
  }),
  {
    doc: 'Keys whose values make subsets.',
    rules: [
      {
        name: 'fallback-keys-subset',
        doc: 'fallback_keys_subset belongs to KEYS_SUBSET: not empty, only keys of the selector, and fewer than all of them.',
        reads: ['keys', 'fallback_policy', 'fallback_keys_subset'],
        check: ({ keys, fallbackPolicy, fallbackKeysSubset }, report) => {
          const at = ['fallback_keys_subset'];
          if (fallbackPolicy !== 'KEYS_SUBSET') {
            if (fallbackKeysSubset.length > 0) {
              report('fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy', at);
            }
            return;
          }
          const own = new Set(keys);
          const fewer = new Set(fallbackKeysSubset);
          const foreign = fallbackKeysSubset.find((key) => !own.has(key));
          if (fewer.size === 0) report('fallback_keys_subset cannot be empty', at);
          else if (foreign !== undefined) {
            report(`fallback_keys_subset must be a subset of keys: ${foreign} is not among ${keys.join(', ')}`, at);
          } else if (fewer.size === own.size) report('fallback_keys_subset cannot be equal to keys', at);
        },
      },
    ],
  },
);

/** Cluster.LbSubsetConfig */
export const LbSubsetConfig = message(
  'Cluster.LbSubsetConfig',
  () => ({
    fallback_policy: plain(
      enumeration('Cluster.LbSubsetConfig.LbSubsetFallbackPolicy', {
        NO_FALLBACK: 0,
        ANY_ENDPOINT: 1,
        DEFAULT_SUBSET: 2,
      }),
      'What happens when no subset matches.',
    ),
    default_subset: optional(struct(), 'The subset of DEFAULT_SUBSET: what hosts must have under proxy.lb.'),
    subset_selectors: repeated(LbSubsetSelector, 'Which subsets there are.'),
    locality_weight_aware: plain(bool(), 'Locality weights hold within subsets.'),
    scale_locality_weight: plain(bool(), 'Scale each locality’s weight by its share of hosts in the subset.'),
    panic_mode_any: plain(bool(), 'If the fallback has no host, any host of the cluster is taken.'),
    list_as_any: plain(bool(), 'A list in endpoint metadata matches if one of its elements does.'),
    metadata_fallback_policy: plain(
      enumeration('Cluster.LbSubsetConfig.LbSubsetMetadataFallbackPolicy', {
        METADATA_NO_FALLBACK: 0,
        FALLBACK_LIST: 1,
      }),
      'FALLBACK_LIST: the request’s fallback_list is tried in order.',
      { extension: 'since 1.24' },
    ),
    allow_redundant_keys: plain(bool(), 'Keys of the request that no selector names are ignored.', {
      extension: 'since 1.29',
    }),
  }),
  { doc: 'Divides the hosts into subsets by their metadata.' },
);
export type LbSubsetConfig = Output<typeof LbSubsetConfig>;

// --- policies ------------------------------------------------------------------------------------------------------

/** Cluster.SlowStartConfig */
export const SlowStartConfig = message(
  'Cluster.SlowStartConfig',
  () => ({
    slow_start_window: optional(duration(), 'How long a new host is given less traffic.'),
    aggression: optional(RuntimeDouble, 'How fast its weight grows; 1 is linear. Default 1.'),
    min_weight_percent: optional(Percent, 'What it starts with. Default 10 %.'),
  }),
  { doc: 'New hosts get their traffic little by little.' },
);

/** Cluster.RoundRobinLbConfig */
export const RoundRobinLbConfig = message(
  'Cluster.RoundRobinLbConfig',
  () => ({ slow_start_config: optional(SlowStartConfig, 'New hosts get their traffic little by little.') }),
  { doc: 'Options of ROUND_ROBIN.' },
);

/** Cluster.LeastRequestLbConfig */
export const LeastRequestLbConfig = message(
  'Cluster.LeastRequestLbConfig',
  () => ({
    choice_count: optional(
      uint32Value({ min: 2 }),
      'Hosts drawn; the one with the fewest requests is taken. Default 2.',
    ),
    active_request_bias: optional(RuntimeDouble, 'Weight is divided by (requests + 1) to this power. Default 1.', {
      extension: 'since 1.16',
    }),
    slow_start_config: optional(SlowStartConfig, 'New hosts get their traffic little by little.', {
      extension: 'since 1.20',
    }),
    selection_method: plain(
      enumeration('Cluster.LeastRequestLbConfig.SelectionMethod', { N_CHOICES: 0, FULL_SCAN: 1 }),
      'FULL_SCAN looks at every host.',
      { extension: 'since 1.30' },
    ),
  }),
  { doc: 'Options of LEAST_REQUEST.' },
);

/** Cluster.RingHashLbConfig */
export const RingHashLbConfig = message(
  'Cluster.RingHashLbConfig',
  () => ({
    minimum_ring_size: optional(
      uint64Value({ max: MAX_RING_SIZE }),
      'Fewest entries; more follow the weights more closely. Default 1024.',
    ),
    hash_function: plain(
      enumeration('Cluster.RingHashLbConfig.HashFunction', { XX_HASH: 0, MURMUR_HASH_2: 1 }),
      'Hash that places hosts on the ring.',
    ),
    maximum_ring_size: optional(uint64Value({ max: MAX_RING_SIZE }), 'Most entries. Default 8M.'),
  }),
  { doc: 'Options of RING_HASH.' },
);

/** Cluster.MaglevLbConfig */
export const MaglevLbConfig = message(
  'Cluster.MaglevLbConfig',
  () => ({ table_size: optional(uint64Value({ max: MAX_MAGLEV_SIZE }), 'A prime. Default 65537.') }),
  {
    doc: 'Options of MAGLEV.',
    rules: [
      {
        name: 'maglev-prime',
        doc: 'The table size is a prime number.',
        reads: ['table_size'],
        check: ({ tableSize }, report) => {
          if (tableSize === undefined || isPrime(Number(tableSize))) return;
          const near = nextPrime(Number(tableSize));
          const hint = near <= MAX_MAGLEV_SIZE ? `; the next prime is ${near}` : '';
          report(`The table size of maglev must be prime number, found ${tableSize}${hint}`, ['table_size']);
        },
      },
    ],
  },
);

function isPrime(value: number): boolean {
  if (value < 2) return false;
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false;
  return true;
}

function nextPrime(value: number): number {
  let candidate = value + 1;
  while (!isPrime(candidate)) candidate += 1;
  return candidate;
}

/** Cluster.OriginalDstLbConfig */
export const OriginalDstLbConfig = message(
  'Cluster.OriginalDstLbConfig',
  () => ({
    use_http_header: plain(
      bool(),
      'The header x-proxy-original-dst-host names the host. It is not sanitised: clients may choose any address.',
    ),
  }),
  { doc: 'Options of ORIGINAL_DST clusters.' },
);

// --- common to all policies ----------------------------------------------------------------------------------------

const ForceLocalZone = message(
  'Cluster.CommonLbConfig.ZoneAwareLbConfig.ForceLocalZone',
  () => ({ min_size: optional(uint32Value(), 'Local hosts needed to keep all traffic local. Default 1.') }),
  { doc: 'Keeps traffic in the local zone while it has enough hosts.' },
);

const ZoneAwareLbConfig = message(
  'Cluster.CommonLbConfig.ZoneAwareLbConfig',
  () => ({
    routing_enabled: optional(Percent, 'Percentage of requests that prefer the local zone. Default 100 %.'),
    min_cluster_size: optional(uint64Value(), 'With fewer hosts the zone is not looked at. Default 6.'),
    fail_traffic_on_panic: plain(bool(), 'In panic mode no host is chosen, instead of any.'),
    force_local_zone: optional(ForceLocalZone, 'Keeps traffic in the local zone.', { extension: 'since 1.32' }),
    locality_basis: plain(
      enumeration('Cluster.CommonLbConfig.ZoneAwareLbConfig.LocalityBasis', {
        HEALTHY_HOSTS_NUM: 0,
        HEALTHY_HOSTS_WEIGHT: 1,
      }),
      'Whether zones are compared by hosts or by weights.',
      { extension: 'since 1.33' },
    ),
  }),
  { doc: 'Prefers hosts in the proxy’s own zone.' },
);

const LocalityWeightedLbConfig = message('Cluster.CommonLbConfig.LocalityWeightedLbConfig', () => ({}), {
  doc: 'Its presence makes the weights of localities count.',
});

const ConsistentHashingLbConfig = message(
  'Cluster.CommonLbConfig.ConsistentHashingLbConfig',
  () => ({
    use_hostname_for_hashing: plain(
      bool(),
      'Hash host names instead of addresses; only for STRICT_DNS, where each name has one address.',
    ),
    hash_balance_factor: optional(
      uint32Value({ min: 100 }),
      'Percent of the mean number of requests a host may have; beyond it the next host is taken. Default: unlimited.',
      { extension: 'since 1.16' },
    ),
  }),
  { doc: 'Options of RING_HASH and MAGLEV.' },
);

const MERGING = `The schema says that updates within the window are merged and delivered once when it expires, and that the window starts with
the first of them. The proxy does this, and so does the simulation:

* Each priority has a window of its own. An update that comes more than one window after the last delivery **goes out at once**:
  the first change after a quiet time is never late.
* One that comes earlier waits one whole window, counted from itself and not from the last delivery, and takes along what follows
  until then. What it delivers is the state of that moment.
* Hosts that join or leave are never put off, and what was waiting goes out with them.
* 1.12, 1.14, 1.17: updates by discovery, health checks and outlier detection all take this way, priority by priority.
* 1.40: an update by discovery is one batch, which goes out at once whatever it changed, and begins the windows of the priorities
  that it changed anew. Health checks and outlier detection take the way above. (The runtime key
  \`envoy.reloadable_features.enable_batch_aware_update: false\` brings the older way back.)`;

/** Cluster.CommonLbConfig */
export const CommonLbConfig = message(
  'Cluster.CommonLbConfig',
  () => ({
    healthy_panic_threshold: optional(
      Percent,
      'Below this percentage of healthy hosts all hosts are used. Truncated to whole percents; 0 disables it. Default 50 %.',
    ),
    zone_aware_lb_config: optional(ZoneAwareLbConfig, 'Prefers hosts in the proxy’s own zone.'),
    locality_weighted_lb_config: optional(LocalityWeightedLbConfig, 'Makes the weights of localities count.'),
    update_merge_window: optional(
      duration(),
      'Health, weight and metadata updates within it are delivered together at its end; the first goes out at once (see below). 0 disables merging. Default 1 s.',
      { behaviour: MERGING },
    ),
    ignore_new_hosts_until_first_hc: plain(
      bool(),
      'New hosts do not count in weights and panic until their first health check.',
    ),
    close_connections_on_host_set_change: plain(bool(), 'Drain all connections when hosts come or go.'),
    consistent_hashing_lb_config: optional(ConsistentHashingLbConfig, 'Options of RING_HASH and MAGLEV.'),
  }),
  {
    doc: 'Options of every policy.',
    oneOfs: [
      {
        name: 'locality_config_specifier',
        fields: ['zone_aware_lb_config', 'locality_weighted_lb_config'],
      },
    ],
  },
);
export type CommonLbConfig = Output<typeof CommonLbConfig>;
