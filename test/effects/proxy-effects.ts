import type { Effect } from './variants.js';
import { cluster, effectsOf, sinks, verdict } from './variants.js';

const of = (name: string, fields: string): string =>
  `"@type": type.googleapis.com/envoy.config.metrics.v2.${name}${fields === '' ? '' : `, ${fields}`}`;
const UDP = 'address: {socket_address: {address: 127.0.0.1, port_value: 8125}}';
const statsd = (fields: string): string =>
  cluster('lb_policy: RANDOM', {
    rest: `proxy: {stats_sinks: [{name: envoy.stat_sinks.statsd, typed_config: {${of('StatsdSink', fields)}}}]}\n`,
  });
const tagged = (fields: string, config = '{}'): string =>
  cluster('lb_policy: RANDOM', {
    rest: `proxy: {stats_config: ${config}, stats_sinks: [{name: envoy.stat_sinks.dog_statsd, typed_config: {${of('DogStatsdSink', fields)}}}]}\n`,
  });
const tagging = (specifier: string): string => tagged(UDP, `{stats_tags: [{${specifier}}]}`);
const matching = (matcher: string): string =>
  cluster('lb_policy: RANDOM', { rest: `proxy: {stats_config: {stats_matcher: ${matcher}}}\n` });
const listed = (pattern: string): string => matching(`{exclusion_list: {patterns: [${pattern}]}}`);

const statistics = [
  ...effectsOf('config.metrics.v2.StatsConfig', {
    stats_matcher: matching('{reject_all: «false|true»}'),
  }),
  sinks(
    'config.metrics.v2.StatsConfig.stats_tags',
    tagged(UDP, '{stats_tags: [«|{tag_name: where, fixed_value: here}»]}'),
  ),
  sinks('config.metrics.v2.StatsConfig.use_all_default_tags', tagged(UDP, '{use_all_default_tags: «true|false»}')),
  ...effectsOf('config.metrics.v2.StatsMatcher', {
    reject_all: matching('{reject_all: «false|true»}'),
    exclusion_list: matching('{exclusion_list: {patterns: [{prefix: «nothing|cluster.b.upstream»}]}}'),
    inclusion_list: matching('{inclusion_list: {patterns: [{prefix: «cluster.b.lb|cluster.b.upstream»}]}}'),
  }),
  ...effectsOf('type.matcher.ListStringMatcher', { patterns: listed('{prefix: nothing}«|, {prefix: cluster.b}»') }),
  ...effectsOf('type.matcher.StringMatcher', {
    exact: listed('{exact: cluster.b.«x|upstream_rq_total»}'),
    prefix: listed('{prefix: cluster.b.«x|upstream_rq»}'),
    suffix: listed('{suffix: «x|_total»}'),
    contains: listed('{contains: «xx|upstream_rq»}'),
    regex: listed('{regex: «xx|.*upstream_rq.*»}'),
    safe_regex: listed('{safe_regex: {google_re2: {}, regex: «xx|.*upstream_rq.*»}}'),
    ignore_case: listed('{prefix: CLUSTER.B, ignore_case: «false|true»}'),
  }),
  ...effectsOf('type.matcher.RegexMatcher', {
    regex: listed('{safe_regex: {google_re2: {}, regex: «xx|.*upstream_rq.*»}}'),
  }),
  sinks('config.metrics.v2.TagSpecifier.tag_name', tagging('tag_name: «where|there», fixed_value: here')),
  sinks('config.metrics.v2.TagSpecifier.regex', tagging('tag_name: part, regex: "_(«rq|cx»)_"')),
  sinks('config.metrics.v2.TagSpecifier.fixed_value', tagging('tag_name: where, fixed_value: «here|there»')),
  verdict('config.metrics.v2.StatsSink.name', statsd(UDP).replace('stat_sinks.statsd', 'stat_sinks.«statsd|stasd»')),
  sinks(
    'config.metrics.v2.StatsSink.config',
    cluster('lb_policy: RANDOM', {
      rest: `proxy: {stats_sinks: [{name: envoy.statsd, config: {${UDP}, prefix: «a|b»}}]}\n`,
    }),
  ),
  sinks('config.metrics.v2.StatsSink.typed_config', statsd(`${UDP}, prefix: «a|b»`)),
  verdict('config.metrics.v2.StatsdSink.tcp_cluster_name', statsd('tcp_cluster_name: «b|c»')),
  sinks('config.metrics.v2.StatsdSink.prefix', statsd(`${UDP}, prefix: «a|b»`)),
  sinks('config.metrics.v2.TaggedStatsdSink.prefix', tagged(`${UDP}, prefix: «a|b»`)),
];

const LB = (address: string): string =>
  `{lb_endpoints: [{endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}}]}`;
const ZONES = ['a', 'a', 'b', 'b', 'b', 'b']
  .map((zone, index) => LB(`10.0.0.${index + 1}`).replace('{lb', `{locality: {zone: ${zone}}, lb`))
  .join(', ');
const LOCAL = ['a', 'b']
  .map((zone, index) => LB(`10.1.0.${index + 1}`).replace('{lb', `{locality: {zone: ${zone}}, lb`))
  .join(', ');
/** Clusters b, with hosts in two zones, and web, which the proxy itself is in. */
const bootstrap = (rest: string, clusters = ''): string => `static_resources:
  clusters:
    - {name: b, load_assignment: {cluster_name: b, endpoints: [${ZONES}]}}
    - {name: web, load_assignment: {cluster_name: web, endpoints: [${LOCAL}]}}${clusters}
${rest}`;
const PLACED = 'node: {id: one, cluster: web, locality: {zone: «a|b»}}\ncluster_manager: {local_cluster_name: web}\n';
const runtime = (layers: string): string =>
  `${bootstrap(PLACED.replace('«a|b»', 'a'))}layered_runtime: {layers: [${layers}]}\n`;
const EDS = '\n    - {name: e, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}';

const bootstraps = [
  ...effectsOf('config.bootstrap.v2.Bootstrap', {
    node: bootstrap(PLACED),
    static_resources: bootstrap('', '«|\n    - {name: c, load_assignment: {cluster_name: c}}»'),
    cluster_manager: bootstrap(
      PLACED.replace('«a|b»', 'a').replace('local_cluster_name: web', '«|local_cluster_name: web»'),
    ),
    stats_config: bootstrap('stats_config: {stats_matcher: {reject_all: «false|true»}}\n'),
    layered_runtime: runtime('{name: one, static_layer: {upstream.zone_routing.enabled: «0|100»}}'),
  }),
  sinks(
    'config.bootstrap.v2.Bootstrap.stats_sinks',
    bootstrap(
      `stats_sinks: [«|{name: envoy.stat_sinks.statsd, typed_config: {${of('StatsdSink', `${UDP}, prefix: own`)}}}»]\n`,
    ),
  ),
  sinks(
    'config.bootstrap.v2.Bootstrap.stats_flush_interval',
    bootstrap(
      `stats_flush_interval: «1s|3s»\nstats_sinks: [{name: envoy.stat_sinks.statsd, typed_config: {${of('StatsdSink', UDP)}}}]\n`,
    ),
  ),
  ...effectsOf('config.bootstrap.v2.Bootstrap.StaticResources', {
    clusters: bootstrap('', '«|\n    - {name: c, load_assignment: {cluster_name: c}}»'),
  }),
  ...effectsOf('config.bootstrap.v2.ClusterManager', {
    local_cluster_name: bootstrap(
      PLACED.replace('«a|b»', 'a').replace('local_cluster_name: web', '«|local_cluster_name: web»'),
    ),
  }),
  ...effectsOf('config.bootstrap.v2.LayeredRuntime', {
    layers: runtime('{name: one, static_layer: {}}«|, {name: two, static_layer: {upstream.zone_routing.enabled: 0}}»'),
  }),
  ...effectsOf('config.bootstrap.v2.RuntimeLayer', {
    static_layer: runtime('{name: one, static_layer: {upstream.zone_routing.enabled: «0|100»}}'),
  }),
  verdict(
    'config.bootstrap.v2.RuntimeLayer.name',
    runtime('{name: one, static_layer: {}}, {name: «two|one», static_layer: {}}'),
  ),
  ...effectsOf('core.Node', { locality: bootstrap(PLACED) }),
  verdict('core.Node.id', bootstrap('node: {id: «one|», cluster: c1}\n', EDS)),
  verdict('core.Node.cluster', bootstrap('node: {id: one, cluster: «c1|»}\n', EDS)),
];

export const PROXY_EFFECTS: readonly Effect[] = [...statistics, ...bootstraps];
