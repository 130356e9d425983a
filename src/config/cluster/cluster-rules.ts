/** Rules that span several fields of a cluster. Where the proxy has a message for an error, it is used. */
import { isPrime } from '../../core/prime.js';
import { LB_DEFAULTS } from '../../core/defaults.js';
import { isListedPolicy } from '../lb.js';
import { ipProblem } from '../address.js';
import { checkAssignment, effectiveAssignment } from '../assignment-rules.js';
import { type Cluster, lbPolicyText, CUSTOM_TYPE_NAMES, discoveryType, isDns, isForeignType } from './cluster-shape.js';
import { mayBeHttp2, typedHttpOptions } from './http-options.js';
import { around, leafOf } from '../policy/policy.js';
import { lbPolicyOf, policyOf, subsetsOf } from '../policy/of-cluster.js';
import { didYouMean, exclusive, type Rule, rule } from '../reader.js';
import { isProxyPolicy, lbPolicyName } from '../../policy/registry.js';

const MAX_MAGLEV_SIZE = 5000011;

const DEFAULT_MINIMUM_RING_SIZE = BigInt(LB_DEFAULTS.minimumRingSize);
const DEFAULT_MAXIMUM_RING_SIZE = BigInt(LB_DEFAULTS.maximumRingSize);

const TYPE = ['type', 'cluster_type'];
const POLICY = ['load_balancing_policy', 'lb_policy'];
const HTTP = ['typed_extension_protocol_options', 'http2_protocol_options', 'common_http_protocol_options'];

const isDivided = (cluster: Cluster): boolean => around(policyOf(cluster), 'subset') !== undefined;

export const clusterRules: readonly Rule<Cluster>[] = [
  rule('cluster-type', ['cluster_type'], (cluster, report, _, api) => {
    const name = cluster.clusterType?.name;
    const isOther = api === 'v2' && isDns(cluster);
    if (name === undefined || (discoveryType(cluster) !== undefined && !isOther)) return;
    if (isForeignType(cluster)) {
      const text = `cluster type ${name} is not simulated: this cluster has no hosts here`;
      report(text, ['cluster_type', 'name'], 'warning');
      return;
    }
    const known = `known are ${CUSTOM_TYPE_NAMES.join(', ')}`;
    report(`cluster type ${name} is not supported${didYouMean(name, CUSTOM_TYPE_NAMES)}; ${known}`, [
      'cluster_type',
      'name',
    ]);
  }),
  {
    name: 'enum',
    doc: 'LOAD_BALANCING_POLICY_CONFIG stands beside a load_balancing_policy alone.',
    reads: [],
    check: ({ lbPolicy }, report, has) => {
      if (lbPolicy !== 'LOAD_BALANCING_POLICY_CONFIG' || has('load_balancing_policy')) return;
      report(`lb_policy: ${lbPolicy} says that there is a load_balancing_policy, and there is none`, ['lb_policy']);
    },
  },
  rule('lb-config-mismatch', ['lb_policy'], (cluster, report, has, api) => {
    if (has('load_balancing_policy')) return;
    const name = lbPolicyText(cluster);
    const isAdded = !isProxyPolicy(name) && typeof cluster.lbPolicy === 'object';
    const found = has('lb_policy') ? name : `${name} (the default)`;
    for (const [block, policy] of Object.entries(POLICY_OF_BLOCK)) {
      if (!has(block) || name === policy) continue;
      if (isAdded) {
        const text = `${block} belongs to ${policy} and has no effect: ${name} has settings of its own. Remove the block`;
        report(text, [block], 'warning');
        continue;
      }
      const text = `${block} is set while lb_policy is ${found}`;
      const advice = `Set lb_policy: ${policy}, or remove the block.`;
      // A 1.40 ignores them all.
      if (REFUSED_BLOCKS.has(block) && api === 'v2')
        report(`${text}; the proxy refuses this at runtime. ${advice}`, [block]);
      else report(`${text}; it has no effect. ${advice}`, [block], 'warning');
    }
  }),
  rule('ring-size-order', [...POLICY, 'ring_hash_lb_config', 'lb_subset_config'], (cluster, report) => {
    const leaf = leafOf(policyOf(cluster));
    if (leaf.kind !== 'ring_hash') return;
    const minimum = leaf.minimumRingSize ?? DEFAULT_MINIMUM_RING_SIZE;
    const maximum = leaf.maximumRingSize ?? DEFAULT_MAXIMUM_RING_SIZE;
    if (minimum <= maximum) return;
    const wide = leaf.maximumRingSize === undefined;
    const at = ['ring_hash_lb_config', wide ? 'minimum_ring_size' : 'maximum_ring_size'];
    const text = `ring hash: minimum_ring_size (${minimum}) > maximum_ring_size (${maximum})`;
    // With subsets the rings are built late, and the proxy starts.
    report(text, at, isDivided(cluster) ? 'warning' : 'error');
  }),
  rule('maglev-prime', [...POLICY, 'maglev_lb_config', 'lb_subset_config'], (cluster, report, _has, api) => {
    const leaf = leafOf(policyOf(cluster));
    const older = cluster.loadBalancingPolicy === undefined ? cluster.maglevLbConfig : undefined;
    const size = leaf.kind === 'maglev' ? leaf.tableSize : older?.tableSize;
    if (size === undefined || isPrime(Number(size))) return;
    const near = nextPrime(Number(size));
    const hint = near <= MAX_MAGLEV_SIZE ? `; the next prime is ${near}` : '';
    const text = `The table size of maglev must be prime number, found ${size}${hint}`;
    // With subsets the tables are built late, and a 1.40 starts.
    const isLate = api === 'v3' && isDivided(cluster);
    report(text, ['maglev_lb_config', 'table_size'], isLate ? 'warning' : 'error');
  }),
  rule('original-dst-header', [...TYPE, 'original_dst_lb_config'], (cluster, report) => {
    const { originalDstLbConfig: config } = cluster;
    if (discoveryType(cluster) !== 'ORIGINAL_DST') return;
    if (config === undefined || config.httpHeaderName === '' || config.useHttpHeader) return;
    const text = `ORIGINAL_DST cluster: invalid config http_header_name=${config.httpHeaderName} and use_http_header is false`;
    const at = ['original_dst_lb_config', 'http_header_name'];
    report(`${text}. Set use_http_header to true if http_header_name is desired.`, at);
  }),
  rule('eds-config', [...TYPE, 'eds_cluster_config'], (cluster, report, _, api) => {
    const { edsClusterConfig, type } = cluster;
    // The proxy checks `type` only: an EDS cluster cannot be configured by cluster_type.
    if (type !== 'EDS' && edsClusterConfig !== undefined) {
      report('eds_cluster_config set in a non-EDS cluster; only type: EDS takes it', ['eds_cluster_config']);
    } else if (discoveryType(cluster) === 'EDS' && edsClusterConfig === undefined) {
      const at = cluster.clusterType === undefined ? 'type' : 'cluster_type';
      const source = api === 'v3' ? '{ads: {}, resource_api_version: V3}' : '{ads: {}}';
      const text = 'an EDS cluster needs type: EDS and eds_cluster_config: where its assignments come from. Add';
      report(`${text}\n  eds_cluster_config:\n    eds_config: ${source}`, [at]);
    } else if (edsClusterConfig !== undefined && edsClusterConfig.edsConfig === undefined) {
      report('eds_config is required: path, api_config_source or ads', ['eds_cluster_config']);
    }
  }),
  rule('config-source-cluster', [...TYPE, 'name', 'eds_cluster_config'], (cluster, report) => {
    const api = cluster.edsClusterConfig?.edsConfig?.apiConfigSource;
    const grpc = (api?.grpcServices ?? []).map(({ envoyGrpc, proxyGrpc }) => (envoyGrpc ?? proxyGrpc)?.clusterName);
    if (discoveryType(cluster) === 'EDS' && [...grpc, ...(api?.clusterNames ?? [])].includes(cluster.name)) {
      const text = `an EDS cluster cannot be discovered through itself: '${cluster.name}'`;
      report(text, ['eds_cluster_config', 'eds_config', 'api_config_source']);
    }
  }),
  rule('cluster-provided', [...TYPE, ...POLICY], (cluster, report, has) => {
    const lbPolicy = lbPolicyOf(cluster);
    const isNamed = has('lb_policy') || has('load_balancing_policy');
    const provided = !isListedPolicy(lbPolicy);
    const type = discoveryType(cluster);
    if ((type === 'ORIGINAL_DST' || type === 'AGGREGATE') && !provided) {
      const name = lbPolicyName(lbPolicy);
      const found = isNamed ? name : `${name} (the default)`;
      const text = `LB policy ${found} is not valid for Cluster type ${type}. Only 'CLUSTER_PROVIDED' is allowed`;
      report(text, [isNamed ? 'lb_policy' : type === 'AGGREGATE' ? 'cluster_type' : 'type']);
    } else if (lbPolicy === 'ORIGINAL_DST_LB' && cluster.clusterType !== undefined) {
      report("'ORIGINAL_DST_LB' is allowed only with type: ORIGINAL_DST; write CLUSTER_PROVIDED", ['lb_policy']);
    } else if (type !== undefined && type !== 'ORIGINAL_DST' && type !== 'AGGREGATE' && provided) {
      const text = `${lbPolicy} is set, but a ${type} cluster provides no load balancer`;
      report(`${text}; only ORIGINAL_DST and aggregate clusters do`, ['lb_policy']);
    }
  }),
  rule('original-dst', [...TYPE, 'hosts'], (cluster, report, has) => {
    if (discoveryType(cluster) !== 'ORIGINAL_DST') return;
    const found = [
      ...(has('load_assignment') ? ['load_assignment'] : []),
      ...(cluster.hosts.length > 0 ? ['hosts'] : []),
    ];
    for (const field of found) report(`ORIGINAL_DST clusters must have no ${field} configured`, [field]);
  }),
  rule('subset-cluster-provided', [...POLICY, 'lb_subset_config'], (cluster, report) => {
    const lbPolicy = lbPolicyOf(cluster);
    if (!isListedPolicy(lbPolicy) && (subsetsOf(cluster)?.subsetSelectors ?? []).length > 0)
      report(`LB policy ${lbPolicy} cannot be combined with lb_subset_config`, ['lb_subset_config']);
  }),
  rule(
    'subset-locality-weights',
    ['lb_subset_config', 'common_lb_config'],
    ({ name, lbSubsetConfig, commonLbConfig }, report) => {
      if (lbSubsetConfig?.localityWeightAware === true && commonLbConfig?.localityWeightedLbConfig === undefined) {
        const text = `Locality weight aware subset LB requires that a locality_weighted_lb_config be set in ${name}`;
        report(text, ['lb_subset_config', 'locality_weight_aware']);
      }
    },
  ),
  rule('hostname-hashing', [...TYPE, 'common_lb_config'], (cluster, report) => {
    const type = discoveryType(cluster);
    const wanted = cluster.commonLbConfig?.consistentHashingLbConfig?.useHostnameForHashing === true;
    if (!wanted || cluster.type === 'STRICT_DNS' || (isDns(cluster) && type === 'STRICT_DNS')) return;
    const text = `Cannot use hostname for consistent hashing loadbalancing for cluster of type: '${String(type)}'`;
    const at = ['common_lb_config', 'consistent_hashing_lb_config', 'use_hostname_for_hashing'];
    report(`${text}; only type: STRICT_DNS can`, at);
  }),
  rule('grpc-health-check', ['health_checks', ...HTTP], (cluster, report) => {
    const index = cluster.healthChecks.findIndex(({ grpcHealthCheck }) => grpcHealthCheck !== undefined);
    if (index === -1 || mayBeHttp2(cluster)) return;
    const text = 'a cluster must support HTTP/2 for gRPC healthchecking: set http2_protocol_options: {}';
    report(text, ['health_checks', index, 'grpc_health_check']);
  }),
  rule('health-checks', ['health_checks'], ({ healthChecks }, report) => {
    if (healthChecks.length < 2) return;
    const text = 'a proxy up to 1.16 refuses a second health check (Multiple health checks not supported)';
    report(`${text}, a later one wants a name for each; here both are made`, ['health_checks', 1], 'warning');
  }),
  rule('http-protocols', ['protocol_selection', ...HTTP], (cluster, report, has) => {
    const both = has('http_protocol_options') && has('http2_protocol_options');
    if (!both || cluster.protocolSelection !== 'USE_CONFIGURED_PROTOCOL') return;
    // The typed message goes before both.
    if (typedHttpOptions(cluster) !== undefined) return;
    const text = "Both HTTP1 and HTTP2 options may only be configured with non-default 'protocol_selection' values";
    report(text, ['http_protocol_options']);
  }),
  {
    name: 'protocol-options',
    doc: 'max_requests_per_connection stands in the cluster or among its HTTP options.',
    reads: HTTP,
    check: (cluster, report, has) => {
      const { commonHttpProtocolOptions: common } = typedHttpOptions(cluster) ?? cluster;
      if (common?.maxRequestsPerConnection === undefined || !has('max_requests_per_connection')) return;
      const text = 'Only one of max_requests_per_connection from Cluster or HttpProtocolOptions can be specified';
      report(text, ['max_requests_per_connection']);
    },
  },
  rule('dns-resolver', [...TYPE, 'dns_resolvers'], (cluster, report) => {
    const type = discoveryType(cluster);
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return;
    for (const [index, address] of cluster.dnsResolvers.entries()) {
      const pipe = address.pipe?.path;
      const problem = pipe === undefined ? ipProblem(address) : `DNS resolver '${pipe}' is not an IP address`;
      if (problem !== undefined) report(problem, ['dns_resolvers', index]);
    }
  }),
  exclusive(
    'protocol-options',
    ['extension_protocol_options', 'typed_extension_protocol_options'],
    'Only one of typed_extension_protocol_options or extension_protocol_options can be specified',
  ),
  rule('superseded', [], (_, report, has) => {
    if (has('tls_context') && has('transport_socket'))
      report('transport_socket takes priority; tls_context is ignored', ['tls_context'], 'warning');
    if (has('hosts') && has('load_assignment'))
      report('load_assignment supersedes hosts; these hosts are ignored', ['hosts'], 'warning');
  }),
  rule('load-assignment-required', TYPE, (cluster, report, has) => {
    const type = discoveryType(cluster);
    const needed = type === 'STATIC' || type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    if (needed && !has('load_assignment') && !has('hosts')) {
      if (type === 'LOGICAL_DNS') {
        report('LOGICAL_DNS clusters must have a single host: there is no load_assignment');
        return;
      }
      const found = has('type') || has('cluster_type') ? type : `${type} (the default)`;
      const text = `there is no load_assignment: a cluster of type ${found} without it has no hosts`;
      report(text, [], 'warning');
    }
  }),
  rule('eds-load-assignment', TYPE, (cluster, report, has) => {
    if (discoveryType(cluster) !== 'EDS') return;
    for (const field of ['load_assignment', 'hosts'])
      if (has(field)) report(`an EDS cluster gets its hosts from discovery; ${field} is ignored`, [field], 'warning');
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
export const POLICY_OF_BLOCK: Readonly<Record<string, string>> = {
  ring_hash_lb_config: 'RING_HASH',
  least_request_lb_config: 'LEAST_REQUEST',
  maglev_lb_config: 'MAGLEV',
  round_robin_lb_config: 'ROUND_ROBIN',
};

const REFUSED_BLOCKS: ReadonlySet<string> = new Set(['ring_hash_lb_config', 'least_request_lb_config']);

/** `endpoints[0].lb_endpoints[3]…` of a translated assignment is `hosts[3]…`. */
function hostsPath(at: readonly (string | number)[]): readonly (string | number)[] {
  const index = at[3];
  return typeof index === 'number' ? ['hosts', index, ...at.slice(6)] : ['hosts'];
}
