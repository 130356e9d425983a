/**
 * The fields of a cluster that decide where a request goes. Messages of policies in v3 share their shapes.
 */
import { Percent, RuntimeDouble } from '../percent.js';
import { message, names, optional, plain, repeated, type MessageOutput, type Output, type Schema } from '../reader.js';
import type { Rule } from '../reader/schema.js';
import { bool, boolValue, doubleValue, duration, string, struct, uint32Value, uint64Value } from '../reader/proto.js';

/** The proxy's limit on Maglev tables. */
export const MAX_MAGLEV_SIZE = 5000011;

export const LbPolicy = names(
  'ROUND_ROBIN',
  'LEAST_REQUEST',
  'RING_HASH',
  'RANDOM',
  'ORIGINAL_DST_LB',
  'MAGLEV',
  'CLUSTER_PROVIDED',
);
export type LbPolicy = Output<typeof LbPolicy>;

// --- subsets -------------------------------------------------------------------------------------------------------

const selectorShape = () => ({
  keys: repeated(string()),
  fallback_policy: plain(names('NOT_DEFINED', 'NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET', 'KEYS_SUBSET')),
  fallback_keys_subset: repeated(string()),
  single_host_per_subset: plain(bool()),
});

const fallbackKeys: Rule<MessageOutput<ReturnType<typeof selectorShape>>> = {
  name: 'fallback-keys-subset',
  reads: ['keys', 'fallback_policy', 'fallback_keys_subset'],
  check: ({ keys, fallbackPolicy, fallbackKeysSubset }, report, _, api) => {
    const at = ['fallback_keys_subset'];
    // A 1.40 ignores a selector without keys.
    if (keys.length === 0 && api === 'v3') return;
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
};

export const subsetSelector = (of: string) => message(`${of}.LbSubsetSelector`, selectorShape, fallbackKeys);

export const subsetShape = (selector: ReturnType<typeof subsetSelector>) => () => ({
  fallback_policy: plain(names('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET')),
  default_subset: optional(struct()),
  subset_selectors: repeated(selector),
  locality_weight_aware: plain(bool()),
  scale_locality_weight: plain(bool()),
  panic_mode_any: plain(bool()),
  list_as_any: plain(bool()),
  metadata_fallback_policy: plain(names('METADATA_NO_FALLBACK', 'FALLBACK_LIST')),
  allow_redundant_keys: plain(bool()),
});

export const LbSubsetConfig = message('Cluster.LbSubsetConfig', subsetShape(subsetSelector('Cluster.LbSubsetConfig')));
export type LbSubsetConfig = Output<typeof LbSubsetConfig>;

// --- policies ------------------------------------------------------------------------------------------------------

export const slowStartShape = () => ({
  slow_start_window: optional(duration()),
  aggression: optional(RuntimeDouble),
  min_weight_percent: optional(Percent),
});

const SlowStartConfig = message('Cluster.SlowStartConfig', slowStartShape);
export type SlowStartConfig = Output<typeof SlowStartConfig>;

export const roundRobinShape = (slowStart: Schema<SlowStartConfig>) => () => ({
  slow_start_config: optional(slowStart),
});

export const RoundRobinLbConfig = message('Cluster.RoundRobinLbConfig', roundRobinShape(SlowStartConfig));

export const leastRequestShape = (slowStart: Schema<SlowStartConfig>) => () => ({
  choice_count: optional(uint32Value()),
  active_request_bias: optional(RuntimeDouble),
  slow_start_config: optional(slowStart),
  selection_method: plain(names('N_CHOICES', 'FULL_SCAN')),
});

export const choiceCount: Rule<MessageOutput<ReturnType<ReturnType<typeof leastRequestShape>>>> = {
  name: 'choice-count',
  reads: ['choice_count', 'selection_method'],
  check: ({ choiceCount, selectionMethod }, report) => {
    if (choiceCount !== 0 || selectionMethod !== 'N_CHOICES') return;
    const text = 'choice_count: 0 draws no host: as long as all weights are equal, every request fails';
    report(text, ['choice_count'], 'warning');
  },
};

export const LeastRequestLbConfig = message(
  'Cluster.LeastRequestLbConfig',
  leastRequestShape(SlowStartConfig),
  choiceCount,
);

const ringSizes = { minimum_ring_size: optional(uint64Value()), maximum_ring_size: optional(uint64Value()) };

export const ringHashShape = () => ({
  ...ringSizes,
  hash_function: plain(names('DEFAULT_HASH', 'XX_HASH', 'MURMUR_HASH_2')),
});

export const RingHashLbConfig = message('Cluster.RingHashLbConfig', () => ({
  ...ringSizes,
  hash_function: plain(names('XX_HASH', 'MURMUR_HASH_2')),
}));

export const maglevShape = () => ({ table_size: optional(uint64Value()) });

export const MaglevLbConfig = message('Cluster.MaglevLbConfig', maglevShape);

/** What hosts report, and how it counts. */
const reportedShape = () => ({
  metric_names_for_computing_utilization: repeated(string()),
  weight_update_period: optional(duration()),
  weight_expiration_period: optional(duration()),
  enable_oob_load_report: optional(boolValue()),
  oob_reporting_period: optional(duration()),
});

export const reportedWeightsShape = (slowStart: Schema<SlowStartConfig>) => () => ({
  blackout_period: optional(duration()),
  error_utilization_penalty: optional(doubleValue()),
  ...reportedShape(),
  slow_start_config: optional(slowStart),
});

export const loadAwareShape = () => ({
  utilization_variance_threshold: optional(doubleValue()),
  smoothing_time_constant: optional(duration()),
  remote_probe_fraction: optional(doubleValue()),
  ...reportedShape(),
});

const MetadataKey = message('type.metadata.v3.MetadataKey', () => ({ key: plain(string({ minLength: 1 })) }));

export const overrideSourceShape = () => ({ header: plain(string()), metadata: optional(MetadataKey) });

export const OriginalDstLbConfig = message('Cluster.OriginalDstLbConfig', () => ({
  use_http_header: plain(bool()),
  http_header_name: plain(string()),
  upstream_port_override: optional(uint32Value()),
}));

// --- common to all policies ----------------------------------------------------------------------------------------

export const forceLocalShape = () => ({ min_size: optional(uint32Value()) });

const ForceLocalZone = message('Cluster.CommonLbConfig.ZoneAwareLbConfig.ForceLocalZone', forceLocalShape);

export const zoneAwareShape = (local: typeof ForceLocalZone) => () => ({
  routing_enabled: optional(Percent),
  min_cluster_size: optional(uint64Value()),
  fail_traffic_on_panic: plain(bool()),
  force_local_zone: optional(local),
  locality_basis: plain(names('HEALTHY_HOSTS_NUM', 'HEALTHY_HOSTS_WEIGHT')),
});

const ZoneAwareLbConfig = message('Cluster.CommonLbConfig.ZoneAwareLbConfig', zoneAwareShape(ForceLocalZone));

const LocalityWeightedLbConfig = message('Cluster.CommonLbConfig.LocalityWeightedLbConfig', () => ({}));

export const hashingShape = () => ({
  use_hostname_for_hashing: plain(bool()),
  hash_balance_factor: optional(uint32Value()),
});

const ConsistentHashingLbConfig = message('Cluster.CommonLbConfig.ConsistentHashingLbConfig', hashingShape);

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

export const CommonLbConfig = message('Cluster.CommonLbConfig', () => ({
  healthy_panic_threshold: optional(Percent),
  zone_aware_lb_config: optional(ZoneAwareLbConfig),
  locality_weighted_lb_config: optional(LocalityWeightedLbConfig),
  update_merge_window: optional(duration(), undefined, { behaviour: MERGING }),
  ignore_new_hosts_until_first_hc: plain(bool()),
  close_connections_on_host_set_change: plain(bool()),
  consistent_hashing_lb_config: optional(ConsistentHashingLbConfig),
}));
export type CommonLbConfig = Output<typeof CommonLbConfig>;
