/** Rules that span several fields of a cluster. Where the proxy has a message for an error, it is used. */
import { fill } from '../../core/fill.js';
import { isPrime } from '../../core/divisors.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { REFUSALS } from '../generated/refusals.js';
import { OWN_NAMES } from '../generated/own-names.js';
import { isListedPolicy } from '../lb.js';
import { ipProblem } from '../address.js';
import { checkAssignment, effectiveAssignment } from '../assignment-rules.js';
import { type Cluster, lbPolicyText, CUSTOM_TYPE_NAMES, discoveryType, isDns, isForeignType } from './cluster-shape.js';
import { mayBeHttp2, typedHttpOptions } from './http-options.js';
import { around, leafOf } from '../policy/policy.js';
import { lbPolicyOf, policyOf, subsetsOf } from '../policy/of-cluster.js';
import { didYouMean, exclusive, type Rule, rule } from '../reader.js';
import { isProxyPolicy, lbPolicyName } from '../../policy/registry.js';

const SAYS = REFUSALS.cluster;

const MAX_MAGLEV_SIZE = 5000011;

const TYPE = ['type', 'cluster_type'];
const POLICY = ['load_balancing_policy', 'lb_policy'];
const HTTP = ['typed_extension_protocol_options', 'http2_protocol_options', 'common_http_protocol_options'];

const isDivided = (cluster: Cluster): boolean => around(policyOf(cluster), 'subset') !== undefined;

export const clusterRules: readonly Rule<Cluster>[] = [
  rule('cluster-type', ['cluster_type'], (cluster, report, _, api) => {
    const name = cluster.clusterType?.name;
    const isOther = api === 'v2' && isDns(cluster);
    if (name === undefined || (discoveryType(cluster) !== undefined && !isOther)) return;
    const at = ['cluster_type', 'name'];
    const near = didYouMean(name, CUSTOM_TYPE_NAMES);
    if (isForeignType(cluster)) report(fill(SAYS.foreign_type, { name }), at, 'warning');
    else report(fill(SAYS.unknown_type, { name, near, known: CUSTOM_TYPE_NAMES }), at);
  }),
  {
    name: 'enum',
    doc: 'LOAD_BALANCING_POLICY_CONFIG stands beside a load_balancing_policy alone.',
    reads: [],
    check: ({ lbPolicy: policy }, report, has) => {
      if (policy === 'LOAD_BALANCING_POLICY_CONFIG' && !has('load_balancing_policy'))
        report(fill(SAYS.no_policy, { policy }), ['lb_policy']);
    },
  },
  rule('lb-config-mismatch', ['lb_policy'], (cluster, report, has, api) => {
    if (has('load_balancing_policy')) return;
    const name = lbPolicyText(cluster);
    const isAdded = !isProxyPolicy(name) && typeof cluster.lbPolicy === 'object';
    const found = has('lb_policy') ? name : `${name} (the default)`;
    for (const [block, policy] of Object.entries(POLICY_OF_BLOCK)) {
      if (!has(block) || name === policy) continue;
      // A 1.40 ignores them all.
      const outcome = isAdded ? 'added' : REFUSED_BLOCKS.has(block) && api === 'v2' ? 'refused' : 'idle';
      const text = fill(SAYS.block, { block, policy, name, found, outcome });
      report(text, [block], outcome === 'refused' ? 'error' : 'warning');
    }
  }),
  rule('ring-size-order', [...POLICY, 'ring_hash_lb_config', 'lb_subset_config'], (cluster, report) => {
    const leaf = leafOf(policyOf(cluster));
    if (leaf.kind !== 'ring_hash') return;
    const minimum = leaf.minimumRingSize ?? BigInt(LB_DEFAULTS.minimumRingSize);
    const maximum = leaf.maximumRingSize ?? BigInt(LB_DEFAULTS.maximumRingSize);
    if (minimum <= maximum) return;
    const field = leaf.maximumRingSize === undefined ? 'minimum_ring_size' : 'maximum_ring_size';
    // With subsets the rings are built late, and the proxy starts.
    const severity = isDivided(cluster) ? 'warning' : 'error';
    report(fill(SAYS.ring_order, { minimum, maximum }), ['ring_hash_lb_config', field], severity);
  }),
  rule('maglev-prime', [...POLICY, 'maglev_lb_config', 'lb_subset_config'], (cluster, report, _has, api) => {
    const leaf = leafOf(policyOf(cluster));
    const older = cluster.loadBalancingPolicy === undefined ? cluster.maglevLbConfig : undefined;
    const size = leaf.kind === 'maglev' ? leaf.tableSize : older?.tableSize;
    if (size === undefined || isPrime(Number(size))) return;
    const near = nextPrime(Number(size));
    // With subsets the tables are built late, and a 1.40 starts.
    const severity = api === 'v3' && isDivided(cluster) ? 'warning' : 'error';
    const text = fill(SAYS.no_prime, { size, next: near <= MAX_MAGLEV_SIZE ? near : undefined });
    report(text, ['maglev_lb_config', 'table_size'], severity);
  }),
  rule('original-dst-header', [...TYPE, 'original_dst_lb_config'], (cluster, report) => {
    const { httpHeaderName: header = '', useHttpHeader } = cluster.originalDstLbConfig ?? {};
    if (discoveryType(cluster) !== 'ORIGINAL_DST' || header === '' || useHttpHeader === true) return;
    report(fill(SAYS.header_unused, { header }), ['original_dst_lb_config', 'http_header_name']);
  }),
  rule('eds-config', [...TYPE, 'eds_cluster_config'], (cluster, report, _, api) => {
    const { edsClusterConfig, type } = cluster;
    // The proxy checks `type` only: an EDS cluster cannot be configured by cluster_type.
    if (type !== 'EDS' && edsClusterConfig !== undefined) {
      report(SAYS.no_eds, ['eds_cluster_config']);
    } else if (discoveryType(cluster) === 'EDS' && edsClusterConfig === undefined) {
      const source = api === 'v3' ? '{ads: {}, resource_api_version: V3}' : '{ads: {}}';
      report(fill(SAYS.eds_config, { source }), [cluster.clusterType === undefined ? 'type' : 'cluster_type']);
    } else if (edsClusterConfig !== undefined && edsClusterConfig.edsConfig === undefined) {
      report(SAYS.eds_source, ['eds_cluster_config']);
    }
  }),
  rule('config-source-cluster', [...TYPE, 'name', 'eds_cluster_config'], (cluster, report) => {
    const { name } = cluster;
    const api = cluster.edsClusterConfig?.edsConfig?.apiConfigSource;
    const grpc = (api?.grpcServices ?? []).map(({ envoyGrpc, proxyGrpc }) => (envoyGrpc ?? proxyGrpc)?.clusterName);
    if (discoveryType(cluster) === 'EDS' && [...grpc, ...(api?.clusterNames ?? [])].includes(name))
      report(fill(SAYS.through_itself, { name }), ['eds_cluster_config', 'eds_config', 'api_config_source']);
  }),
  rule('cluster-provided', [...TYPE, ...POLICY], (cluster, report, has) => {
    const policy = lbPolicyOf(cluster);
    const isNamed = has('lb_policy') || has('load_balancing_policy');
    const provided = !isListedPolicy(policy);
    const type = discoveryType(cluster);
    if ((type === 'ORIGINAL_DST' || type === 'AGGREGATE') && !provided) {
      const found = `${lbPolicyName(policy)}${isNamed ? '' : ' (the default)'}`;
      const at = isNamed ? 'lb_policy' : type === 'AGGREGATE' ? 'cluster_type' : 'type';
      report(fill(SAYS.provided_only, { found, type }), [at]);
    } else if (policy === 'ORIGINAL_DST_LB' && cluster.clusterType !== undefined) {
      report(SAYS.original_dst_lb, ['lb_policy']);
    } else if (type !== undefined && type !== 'ORIGINAL_DST' && type !== 'AGGREGATE' && provided) {
      report(fill(SAYS.not_provided, { policy, type }), ['lb_policy']);
    }
  }),
  rule('original-dst', [...TYPE, 'hosts'], (cluster, report, has) => {
    const isThere = { load_assignment: has('load_assignment'), hosts: cluster.hosts.length > 0 };
    if (discoveryType(cluster) !== 'ORIGINAL_DST') return;
    for (const [field, isWritten] of Object.entries(isThere))
      if (isWritten) report(fill(SAYS.hosts_of_original_dst, { field }), [field]);
  }),
  rule('subset-cluster-provided', [...POLICY, 'lb_subset_config'], (cluster, report) => {
    const policy = lbPolicyOf(cluster);
    if (!isListedPolicy(policy) && (subsetsOf(cluster)?.subsetSelectors ?? []).length > 0)
      report(fill(SAYS.subsets_provided, { policy }), ['lb_subset_config']);
  }),
  rule('subset-locality-weights', ['lb_subset_config', 'common_lb_config'], (cluster, report) => {
    const { name, lbSubsetConfig, commonLbConfig } = cluster;
    if (lbSubsetConfig?.localityWeightAware === true && commonLbConfig?.localityWeightedLbConfig === undefined)
      report(fill(SAYS.subset_weights, { name }), ['lb_subset_config', 'locality_weight_aware']);
  }),
  rule('hostname-hashing', [...TYPE, 'common_lb_config'], (cluster, report) => {
    const type = discoveryType(cluster);
    const wanted = cluster.commonLbConfig?.consistentHashingLbConfig?.useHostnameForHashing === true;
    if (!wanted || cluster.type === 'STRICT_DNS' || (isDns(cluster) && type === 'STRICT_DNS')) return;
    const at = ['common_lb_config', 'consistent_hashing_lb_config', 'use_hostname_for_hashing'];
    report(fill(SAYS.hostname_hashing, { type: String(type) }), at);
  }),
  rule('grpc-health-check', ['health_checks', ...HTTP], (cluster, report) => {
    const index = cluster.healthChecks.findIndex(({ grpcHealthCheck }) => grpcHealthCheck !== undefined);
    if (index !== -1 && !mayBeHttp2(cluster)) report(SAYS.grpc_check, ['health_checks', index, 'grpc_health_check']);
  }),
  rule('health-checks', ['health_checks'], ({ healthChecks }, report) => {
    if (healthChecks.length > 1) report(SAYS.second_check, ['health_checks', 1], 'warning');
  }),
  rule('http-protocols', ['protocol_selection', ...HTTP], (cluster, report, has) => {
    const both = has('http_protocol_options') && has('http2_protocol_options');
    // The typed message goes before both.
    if (both && cluster.protocolSelection === 'USE_CONFIGURED_PROTOCOL' && typedHttpOptions(cluster) === undefined)
      report(SAYS.both_protocols, ['http_protocol_options']);
  }),
  {
    name: 'protocol-options',
    doc: 'max_requests_per_connection stands in the cluster or among its HTTP options.',
    reads: HTTP,
    check: (cluster, report, has) => {
      const { commonHttpProtocolOptions: common } = typedHttpOptions(cluster) ?? cluster;
      if (common?.maxRequestsPerConnection !== undefined && has('max_requests_per_connection'))
        report(SAYS.requests_twice, ['max_requests_per_connection']);
    },
  },
  rule('dns-resolver', [...TYPE, 'dns_resolvers'], (cluster, report) => {
    const type = discoveryType(cluster);
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return;
    for (const [index, address] of cluster.dnsResolvers.entries()) {
      const path = address.pipe?.path;
      const problem = path === undefined ? ipProblem(address) : fill(SAYS.resolver_pipe, { path });
      if (problem !== undefined) report(problem, ['dns_resolvers', index]);
    }
  }),
  exclusive('protocol-options', ['extension_protocol_options', 'typed_extension_protocol_options'], SAYS.options_twice),
  rule('superseded', [], (_, report, has) => {
    if (has('tls_context') && has('transport_socket')) report(SAYS.tls_context, ['tls_context'], 'warning');
    if (has('hosts') && has('load_assignment')) report(SAYS.hosts, ['hosts'], 'warning');
  }),
  rule('load-assignment-required', TYPE, (cluster, report, has) => {
    const type = discoveryType(cluster);
    const needed = type === 'STATIC' || type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    if (!needed || has('load_assignment') || has('hosts')) return;
    const found = has('type') || has('cluster_type') ? type : `${type} (the default)`;
    report(fill(SAYS.no_assignment, { type, found }), [], type === 'LOGICAL_DNS' ? 'error' : 'warning');
  }),
  rule('eds-load-assignment', TYPE, (cluster, report, has) => {
    if (discoveryType(cluster) !== 'EDS') return;
    for (const field of ['load_assignment', 'hosts'])
      if (has(field)) report(fill(SAYS.eds_assignment, { field }), [field], 'warning');
  }),
  rule('assignment', [...TYPE, ...POLICY, 'common_lb_config', 'load_assignment', 'hosts'], (cluster, report, has) => {
    const own = has('load_assignment') || has('hosts');
    const assignment = effectiveAssignment(cluster);
    if (!own || assignment === undefined || discoveryType(cluster) === 'EDS') return;
    const hosts = cluster.loadAssignment === undefined;
    checkAssignment(cluster, assignment, (message, at = [], severity, rule) => {
      report(message, hosts ? hostsPath(at) : ['load_assignment', ...at], severity, rule);
    });
  }),
];

function nextPrime(value: number): number {
  let candidate = value + 1;
  while (!isPrime(candidate)) candidate += 1;
  return candidate;
}

/** Blocks of a cluster that only one policy reads. */
export const POLICY_OF_BLOCK: Readonly<Record<string, string>> = OWN_NAMES.policy_of_block;

const REFUSED_BLOCKS: ReadonlySet<string> = new Set(['ring_hash_lb_config', 'least_request_lb_config']);

/** `endpoints[0].lb_endpoints[3]…` of a translated assignment is `hosts[3]…`. */
function hostsPath(at: readonly (string | number)[]): readonly (string | number)[] {
  const index = at[3];
  return typeof index === 'number' ? ['hosts', index, ...at.slice(6)] : ['hosts'];
}
