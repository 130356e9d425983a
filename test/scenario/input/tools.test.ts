import { describe, expect, it } from 'vitest';
import { addressText } from '../../../src/config/address.js';
import { loadScenario } from '../../../src/scenario/load.js';

/** What tools of proxies, meshes and gateways print: each is read, or refused in a sentence that says what it is. */

const V3 = 'type.googleapis.com/envoy.config';
const ADMIN = 'type.googleapis.com/envoy.admin.v3';
const BARE = { name: 'backend', type: 'EDS', edsClusterConfig: { edsConfig: { ads: {}, resourceApiVersion: 'V3' } } };
const CLUSTER = { '@type': `${V3}.cluster.v3.Cluster`, ...BARE };
const BARE_ASSIGNMENT = {
  clusterName: 'backend',
  endpoints: [{ lbEndpoints: [{ endpoint: { address: { socketAddress: { address: '10.0.0.1', portValue: 80 } } } }] }],
};
const ASSIGNMENT = { '@type': `${V3}.endpoint.v3.ClusterLoadAssignment`, ...BARE_ASSIGNMENT };
const CLUSTERS_DUMP = {
  '@type': `${ADMIN}.ClustersConfigDump`,
  versionInfo: '1',
  dynamicActiveClusters: [{ versionInfo: '1', cluster: CLUSTER, lastUpdated: '2024-01-01T00:00:00Z' }],
};
const ENDPOINTS_DUMP = {
  '@type': `${ADMIN}.EndpointsConfigDump`,
  dynamicEndpointConfigs: [{ endpointConfig: ASSIGNMENT }],
};
const DUMP = { configs: [CLUSTERS_DUMP, ENDPOINTS_DUMP] };
const BOOTSTRAP = { staticResources: { clusters: [{ name: 'backend', loadAssignment: BARE_ASSIGNMENT }] } };
const STATUSES = [
  {
    name: 'backend',
    addedViaApi: true,
    hostStatuses: [
      {
        address: { socketAddress: { address: '10.0.0.1', portValue: 80 } },
        stats: [{ name: 'cx_connect_fail' }, { type: 'GAUGE', name: 'rq_active' }],
        healthStatus: { edsHealthStatus: 'HEALTHY' },
        weight: 1,
        locality: {},
      },
    ],
    circuitBreakers: { thresholds: [{ maxConnections: 1024 }] },
    observabilityName: 'backend',
    edsServiceName: 'backend',
  },
];

const yaml = (value: unknown): string => JSON.stringify(value, null, 2);
const camel = `
staticResources:
  clusters:
  - name: backend
    connectTimeout: 1s
    loadAssignment:
      clusterName: backend
      endpoints:
      - lbEndpoints:
        - endpoint: {address: {socketAddress: {address: 10.0.0.1, portValue: 80}}}
`;

const READ: readonly (readonly [string, ...string[]])[] = [
  ['the clusters and endpoints of a mesh, as its tool lists them', yaml([BARE]), yaml(STATUSES)],
  ['all of a proxy of a mesh', yaml(DUMP)],
  ['a bootstrap as a mesh’s tool prints it', yaml({ bootstrap: BOOTSTRAP, lastUpdated: '2024-01-01T00:00:00Z' })],
  ['a dump within the keys of a gateway’s tool', yaml({ xds: { 'ns/pod': DUMP } })],
  ['the same by its former name', yaml({ envoyProxy: { 'ns/pod': DUMP } })],
  [
    'sections alone, within such keys',
    yaml({ xds: { 'ns/pod': CLUSTERS_DUMP } }),
    yaml({ xds: { 'ns/pod': ENDPOINTS_DUMP } }),
  ],
  [
    'a dump beside other output of a translation',
    yaml({ gatewayClass: { kind: 'GatewayClass' }, xds: { 'ns/gw': DUMP } }),
  ],
  ['a bootstrap within one key', yaml({ envoy: BOOTSTRAP })],
  ['a dump within two', yaml({ dump: { proxy: DUMP } })],
  ['one section of a dump', yaml(CLUSTERS_DUMP), yaml(ENDPOINTS_DUMP)],
  ['the list of the sections', yaml([CLUSTERS_DUMP, ENDPOINTS_DUMP])],
  [
    'a cluster of a dump’s bootstrap again in another file',
    yaml({ bootstrap: BOOTSTRAP }),
    yaml([BARE]),
    yaml(STATUSES),
  ],
  ['dumps of two proxies alike', yaml({ ns: { 'pod-1': DUMP, 'pod-2': DUMP } })],
  ['dumps of two proxies that differ', yaml({ 'ns/pod-1': CLUSTERS_DUMP, 'ns/pod-2': ENDPOINTS_DUMP })],
  [
    '?resource=dynamic_active_clusters',
    yaml({ configs: [{ '@type': `${ADMIN}.ClustersConfigDump.DynamicCluster`, cluster: CLUSTER }] }),
    yaml({ configs: [{ '@type': `${ADMIN}.EndpointsConfigDump.DynamicEndpointConfig`, endpointConfig: ASSIGNMENT }] }),
  ],
  [
    'the entries of a section, as jq leaves them',
    yaml([{ versionInfo: '1', cluster: CLUSTER }]),
    yaml([{ endpointConfig: ASSIGNMENT }]),
  ],
  [
    'what a control plane has made for a proxy, by kind',
    yaml({ clusters: [BARE], endpoints: [BARE_ASSIGNMENT], listeners: [], routes: [] }),
  ],
  ['?resource=bootstrap', yaml({ configs: [{ '@type': `${V3}.bootstrap.v3.Bootstrap`, ...BOOTSTRAP }] })],
  ['a dump of an early proxy', yaml({ configs: { clusters: CLUSTERS_DUMP, endpoints: ENDPOINTS_DUMP } })],
  [
    'a dump with a mask that hides where hosts come from',
    yaml({
      configs: [
        {
          '@type': `${ADMIN}.ClustersConfigDump`,
          dynamicActiveClusters: [{ cluster: { '@type': CLUSTER['@type'], name: 'backend', type: 'EDS' } }],
        },
        ENDPOINTS_DUMP,
      ],
    }),
  ],
  ['endpoints of more clusters than there are', yaml(DUMP), yaml([{ ...ASSIGNMENT, clusterName: 'elsewhere' }])],
  [
    'a dump with a mask',
    yaml({
      configs: [
        { '@type': `${ADMIN}.ClustersConfigDump`, dynamicActiveClusters: [{ cluster: CLUSTER }] },
        ENDPOINTS_DUMP,
      ],
    }),
  ],
  [
    'the status of an xDS client',
    yaml({
      config: [
        {
          node: { id: 'a' },
          genericXdsConfigs: [CLUSTER, ASSIGNMENT].map((xdsConfig) => ({
            typeUrl: xdsConfig['@type'],
            name: 'backend',
            xdsConfig,
          })),
        },
      ],
    }),
  ],
  [
    'the same in its former way',
    yaml({ config: [{ xdsConfig: [{ clusterConfig: CLUSTERS_DUMP }, { endpointConfig: ENDPOINTS_DUMP }] }] }),
  ],
  [
    'a file of CDS and one of EDS',
    yaml({ version_info: '0', resources: [CLUSTER] }),
    yaml({ resources: [ASSIGNMENT] }),
  ],
  [
    'incremental answers',
    yaml({
      systemVersionInfo: '1',
      typeUrl: CLUSTER['@type'],
      resources: [{ name: 'backend', version: '1', resource: CLUSTER }],
    }),
    yaml({ resources: [{ resource: ASSIGNMENT }] }),
  ],
  ['resources of several kinds', yaml([CLUSTER, ASSIGNMENT])],
  [
    'secrets and listeners beside',
    yaml([CLUSTER]),
    yaml([ASSIGNMENT]),
    yaml([{ name: 'tls', tlsCertificate: {} }]),
    yaml([{ name: 'in', address: {}, defaultFilterChain: {} }]),
  ],
  ['values in a row', `${JSON.stringify(CLUSTER)}\n${JSON.stringify(ASSIGNMENT)}\n`],
  ['answers of a stream in a row', `${yaml({ resources: [CLUSTER] })}\n${yaml({ resources: [ASSIGNMENT] })}\n`],
  ['YAML in camel case', camel],
  ['lines that end in CR LF', camel.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${yaml(DUMP)}`],
  ['many documents', `---\n${yaml(CLUSTER)}\n---\n${yaml(ASSIGNMENT)}\n---\n`],
];

const kubernetes = (kind: string, more: object): string =>
  yaml({ apiVersion: 'v1', kind, metadata: { name: 'web' }, ...more });

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  [
    'a ConfigMap without a configuration',
    kubernetes('ConfigMap', { data: { a: 'b' } }),
    /^this is a Kubernetes object \(ConfigMap, v1\): give the proxy's own configuration/,
  ],
  [
    'several objects',
    `${kubernetes('Service', {})}\n---\n${kubernetes('Deployment', {})}`,
    /^this is a Kubernetes object \(Service, v1\)/,
  ],
  [
    'a summary',
    yaml({ clusters: [{ Name: 'a', FullyQualifiedDomainName: 'a.test', Endpoints: [] }] }),
    /^this is a summary that a tool has made of a proxy/,
  ],
  ['other resources', yaml({ resources: [{ name: 'a', kind: 'b' }] }), /^neither a scenario nor/],
  [
    'another proxy of a mesh',
    yaml({ workloads: {}, services: {}, policies: {} }),
    /^this is the state of another proxy/,
  ],
  [
    'a client of xDS',
    yaml({ xds_servers: [{ server_uri: 'a' }], node: { id: 'a' } }),
    /^this is the bootstrap of a client that speaks xDS itself/,
  ],
  ['the text of /stats', 'cluster.backend.upstream_rq_total: 5\nserver.live: 1\n', /^this is a page of \/stats/],
  [
    'statistics for Prometheus',
    '# TYPE envoy_cluster_upstream_rq_total counter\nenvoy_cluster_upstream_rq_total{a="b"} 5\n',
    /^this is a page of \/stats/,
  ],
  ['histograms in JSON', yaml({ stats: [{ histograms: { supported_quantiles: [] } }] }), /^this is a page of \/stats/],
  ['statistics in JSON', yaml({ stats: [{ name: 'server.live', value: 1 }] }), /^this is a page of \/stats/],
  [
    'a table',
    'SERVICE FQDN    PORT   SUBSET  DIRECTION   TYPE   DESTINATION RULE\nBlackHole       -      -       -           STATIC\n',
    /^this is a table for people/,
  ],
  ...[
    'upstream backend {\n  server 10.0.0.1:80;\n}\n',
    'global\n  daemon\nbackend web\n  server a 10.0.0.1:80\n',
    'example.com {\n\treverse_proxy 10.0.0.1:80 {\n\t\tlb_policy least_conn\n\t}\n}\n',
    '[http.services.web.loadBalancer]\n[[http.services.web.loadBalancer.servers]]\nurl = "http://10.0.0.1:80"\n',
    yaml({ http: { services: { web: { loadBalancer: { servers: [{ url: 'http://10.0.0.1:80' }] } } } } }),
    yaml({ apps: { http: { servers: { one: { routes: [] } } } } }),
    yaml({ admin: { port: 9990 }, routers: [{ protocol: 'http' }] }),
    yaml({ _format_version: '3.0', upstreams: [{ name: 'a' }] }),
  ].map((text): [string, string, RegExp] => [
    'another proxy',
    text,
    /^this is the configuration of another proxy, not of one of this family$/,
  ]),
  [
    'a gRPC client',
    yaml({ loadBalancingConfig: [{ round_robin: {} }] }),
    /^this is the service config of a gRPC client/,
  ],
  ...[
    yaml({ cluster_info: { a: { ...BARE, lb_type: 'round_robin' } }, route_info: [{ _group: {} }], system: {} }),
    yaml({ ambassador: {}, clusters: { a: { lb_type: 'round_robin' } }, listeners: [] }),
    yaml({ Kubernetes: {}, Consul: {}, Deltas: [] }),
    'Kind = "service-resolver"\nName = "web"\nLoadBalancer = {\n  Policy = "maglev"\n}\n',
    yaml({ meshName: 'm', virtualNodeName: 'n', spec: { listeners: [] } }),
    yaml({ kind: 'compute#backendService', localityLbPolicy: 'MAGLEV', backends: [] }),
  ].map((text): [string, string, RegExp] => [
    'what a control plane makes a configuration of',
    text,
    /^this is [\w ]+, not what the proxy gets of it: give the proxy's own configuration/,
  ]),
  ...(
    [
      ['networking.istio.io/v1', 'DestinationRule', 'pilot-agent request GET config_dump?include_eds'],
      ['networking.istio.io/v1alpha3', 'EnvoyFilter', 'pilot-agent request GET config_dump?include_eds'],
      ['getambassador.io/v3alpha1', 'Mapping', 'curl -s localhost:8001/config_dump?include_eds'],
      ['projectcontour.io/v1', 'HTTPProxy', 'curl -s localhost:9001/config_dump?include_eds'],
      ['gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', 'egctl config envoy-proxy all'],
      ['consul.hashicorp.com/v1alpha1', 'Mesh', 'curl -s localhost:19000/config_dump?include_eds'],
      ['kuma.io/v1alpha1', 'TrafficRoute', 'kumactl inspect dataplane NAME --type=config-dump'],
      ['gloo.solo.io/v1', 'Upstream', 'glooctl proxy dump'],
      ['gateway.networking.k8s.io/v1', 'HTTPRoute', 'under /config_dump?include_eds'],
      ['policy.linkerd.io/v1beta3', 'HTTPRoute', 'of a mesh with another proxy'],
    ] as const
  ).map(([apiVersion, kind, told]): [string, string, RegExp] => [
    `${kind} of ${apiVersion}`,
    yaml({ apiVersion, kind, metadata: { name: 'web' }, spec: {} }),
    new RegExp(`^this is a Kubernetes object \\(${kind}, ${apiVersion}\\).*${told.replaceAll('?', '\\?')}`),
  ]),
  [
    'text of protobuf',
    'static_resources {\n  clusters {\n    name: "a"\n  }\n}\n',
    /^this is the text format of protobuf messages/,
  ],
  [
    'a page that tells of the server',
    yaml({ version: 'a', state: 'LIVE', command_line_options: {} }),
    /^this is the page \/server_info: give/,
  ],
  ['a page of certificates', yaml({ certificates: [] }), /^this is the page \/certs/],
  ['a page of listeners', yaml({ listener_statuses: [{ name: 'in' }] }), /^this is the page \/listeners/],
  ['a page of runtime values', yaml({ layers: [], entries: {} }), /^this is the page \/runtime/],
  ['a page of memory', yaml({ allocated: '1', heap_size: '2' }), /^this is the page \/memory/],
  [
    'a page of commands',
    'admin commands are:\n  /allocprofiler (POST): enable it\n      enable: One of (y, n)\n',
    /^this is the page \/help/,
  ],
  ['a page of HTML', '<!DOCTYPE html>\n<html></html>\n', /^this is a page of HTML/],
  ['a template', 'static_resources:\n  {{ if .Values.a }}\n  clusters: []\n  {{ end }}\n', /^this is a template/],
  [
    'a resource of a mesh',
    yaml({ type: 'Dataplane', mesh: 'default', name: 'web', networking: {} }),
    /^this is a resource of a control plane \(Dataplane\)/,
  ],
  [
    'a list of them',
    yaml({ total: 1, items: [{ type: 'Mesh', name: 'default', creationTime: '2024' }] }),
    /^this is a resource of a control plane \(Mesh\)/,
  ],
  ['a listener', yaml({ name: 'in', address: {}, defaultFilterChain: {} }), /^there is no cluster in a listener/],
  ['a workflow', 'name: CI\non: push\njobs: {}\n', /^neither a scenario nor/],
  ['a list of anything', yaml([{ a: 1 }]), /^neither a scenario nor/],
  ['anything', '{"key": "value"}', /^neither a scenario nor anything that a proxy is configured with$/],
  [
    'routes alone',
    yaml([{ name: 'a', virtualHosts: [] }]),
    /^there is no cluster in a list of routes: name the file that has them, too$/,
  ],
  [
    'a dump without clusters',
    yaml({ configs: [{ '@type': `${ADMIN}.BootstrapConfigDump`, bootstrap: { node: { id: 'a' } } }] }),
    /^there is no cluster in a config_dump/,
  ],
];

function inputs(texts: readonly string[]): { readonly file: string; readonly text: string }[] {
  return texts.map((text, index) => ({ file: `${index}`, text }));
}

describe('is read', () => {
  it.each(READ)('%s', (_, ...texts) => {
    const { scenario, problems } = loadScenario(inputs(texts));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const hosts = scenario?.clusters.map((cluster) => {
      const { endpoints = [] } = cluster.loadAssignment ?? scenario.assignments.get(cluster.name) ?? {};
      return [
        cluster.name,
        ...endpoints.flatMap(({ lbEndpoints }) => lbEndpoints.map(({ endpoint }) => addressText(endpoint.address))),
      ];
    });
    expect(hosts).toEqual([['backend', '10.0.0.1:80']]);
  });
});

describe('is refused in one sentence', () => {
  it.each(["'${PORT}'", '$PORT', "'{{ .Values.port }}'"])('a template that is YAML, at its placeholder %s', (port) => {
    const { problems } = loadScenario(inputs([camel.replace('portValue: 80', `portValue: ${port}`)]));
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/found the placeholder .*: render the/),
    ]);
  });

  it.each(REFUSED)('%s', (_, text, sentence) => {
    const { scenario, problems } = loadScenario(inputs([text]));
    expect(scenario).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)]);
  });
});
