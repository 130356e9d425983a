import { describe, expect, it } from 'vitest';
import type { ApiField, ApiVersion } from '../../../src/config/api/api.js';
import { apiOf } from '../../../src/config/api/api.js';
import { importScenario } from '../../../src/scenario/import/import.js';

/** Every text that a cluster of either API may hold, anywhere, is put to the import: which of them it may write is listed here. */

const SECRET = 'hunter2';

/** They get into a scenario, or into a problem of it: names, places, labels of subsets. */
const ALWAYS = [
  'Cluster.CustomClusterType.name',
  'Cluster.LbSubsetConfig.LbSubsetSelector.keys',
  'Cluster.LbSubsetConfig.default_subset (mistaken)',
  'Cluster.alt_stat_name',
  'Cluster.name',
  'Locality.zone',
  'Pipe.path',
  'Endpoint.hostname',
];

/** They may, where what they belong to is simulated: names to look things up by. */
const MAY = [
  /^(?:Locality|Pipe|SocketAddress|EnvoyInternalAddress|Runtime\w+)\./,
  /^HealthCheck\.(?:\w+\.service_name|CustomHealthCheck\.name)/,
  /^Cluster\.(?:EdsClusterConfig\.service_name|LbSubsetConfig\.|OriginalDstLbConfig\.http_header_name$)/,
  /^RouteAction\.HashPolicy\./,
  /^extensions\.(?:load_balancing_policies|clusters)\.(?!.*mistaken)/,
  /^extensions\.load_balancing_policies\.subset\.v3\.Subset\.default_subset \(mistaken\)/,
  /^(?:type\.)?(?:matcher\.)?(?:StringMatcher|RegexMatcher|RegexMatchAndSubstitute)\./,
];

/** By the name that a message has in both versions. */
function neutral(field: string): string {
  return field.replace(/^(?:api\.v2|config\.\w+\.v3|type\.matcher\.v3)\./, '').replace(/^(?:core|endpoint)\./, '');
}

type Build = (inner: unknown) => object;

interface Place {
  readonly field: string;
  readonly cluster: object;
}

const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };
const withHost = (endpoint: object, group: object = {}): object => ({
  load_assignment: { cluster_name: 'backend', endpoints: [{ ...group, lb_endpoints: [endpoint] }] },
});

/** The first way to each message, and each text in it. */
function* places(version: ApiVersion): Iterable<Place> {
  const api = apiOf(version);
  const named = (v2: string, v3: string): string => (version === 'v2' ? v2 : v3);
  const seen = new Set<string>();
  const open: { readonly message: string; readonly build: Build }[] = [
    {
      message: named('api.v2.core.Address', 'config.core.v3.Address'),
      build: (address) => withHost({ endpoint: { address } }),
    },
    {
      message: named('api.v2.core.Locality', 'config.core.v3.Locality'),
      build: (locality) => withHost({ endpoint: { address } }, { locality }),
    },
    {
      message: named('api.v2.endpoint.Endpoint', 'config.endpoint.v3.Endpoint'),
      build: (inner) => withHost({ endpoint: { address, ...(inner as object) } }),
    },
    {
      message: named('api.v2.endpoint.LbEndpoint', 'config.endpoint.v3.LbEndpoint'),
      build: (inner) => withHost({ endpoint: { address }, ...(inner as object) }),
    },
    {
      message: named('api.v2.ClusterLoadAssignment', 'config.endpoint.v3.ClusterLoadAssignment'),
      build: (inner) => ({ load_assignment: inner }),
    },
    { message: named('api.v2.Cluster', 'config.cluster.v3.Cluster'), build: (inner) => inner as object },
  ];
  for (const name of api.names) {
    if (!name.startsWith('extensions.load_balancing_policies.') || !/\.v3\.[A-Z]\w+$/.test(name)) continue;
    const typed = (inner: unknown): object => ({
      load_balancing_policy: {
        policies: [
          {
            typed_extension_config: {
              name: 'policy',
              typed_config: { '@type': `type.googleapis.com/envoy.${name}`, ...(inner as object) },
            },
          },
        ],
      },
    });
    open.push({ message: name, build: typed });
  }
  const TLS = named('api.v2.auth.UpstreamTlsContext', 'extensions.transport_sockets.tls.v3.UpstreamTlsContext');
  for (const { message, build } of open) {
    if (seen.has(message)) continue;
    seen.add(message);
    for (const field of api.message(message)?.fields ?? []) {
      const below: Build = (inner) => build({ [field.name]: labelled(field, inner) });
      if (field.type === 'string' || field.type === 'bytes') {
        yield { field: `${message}.${field.name}`, cluster: below(SECRET) };
        // In the place of what is no text.
      } else if (field.kind !== 'message') {
        yield { field: `${message}.${field.name} (mistaken)`, cluster: below({ inline_string: SECRET, hunter2: 1 }) };
      }
      if (field.kind === 'message') open.push({ message: field.type, build: below });
      if (field.type === 'Any') {
        open.push({
          message: TLS,
          build: (inner) => below({ '@type': `type.googleapis.com/envoy.${TLS}`, ...(inner as object) }),
        });
        yield {
          field: `${message}.${field.name} (unknown)`,
          cluster: below({ '@type': 'type.googleapis.com/acme.Token', token: SECRET }),
        };
      }
    }
    yield { field: `${message} (unknown field)`, cluster: build({ [`x_${SECRET}`]: SECRET }) };
  }
}

function labelled(field: ApiField, inner: unknown): unknown {
  if (field.label === 'repeated') return [inner];
  return field.label === 'map' ? { 'some.key': inner } : inner;
}

function outputOf(version: ApiVersion, cluster: object): string {
  const type = version === 'v2' ? 'envoy.api.v2.Cluster' : 'envoy.config.cluster.v3.Cluster';
  const base = { name: 'backend', type: 'STATIC', connect_timeout: '1s' };
  const document = {
    resources: [{ '@type': `type.googleapis.com/${type}`, ...base, ...cluster }],
  };
  const { text = '', says, problems } = importScenario([{ file: 'cds.json', text: JSON.stringify(document) }]);
  return text + says.join('\n') + JSON.stringify(problems);
}

describe('an import', () => {
  it.each(['v2', 'v3'] as const)(
    'writes of all texts that a cluster of %s may hold only those that balance',
    (version) => {
      const written: string[] = [];
      let count = 0;
      for (const { field, cluster } of places(version)) {
        count += 1;
        if (outputOf(version, cluster).includes(SECRET)) written.push(neutral(field));
      }
      expect(count).toBeGreaterThan(300);
      expect(written).toEqual(expect.arrayContaining(ALWAYS));
      const others = written.filter((field) => !ALWAYS.includes(field) && !MAY.some((pattern) => pattern.test(field)));
      expect(others).toEqual([]);
    },
  );
});
