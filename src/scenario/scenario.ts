import { Cluster } from '../config/cluster/cluster.js';
import { ClusterLoadAssignment } from '../config/endpoint.js';
import { block, defaulted, mapOf, optional, type Output, repeated, required } from '../config/reader.js';
import { words } from '../config/reader/plain-choices.js';
import { API_VERSIONS } from './input/api-version.js';
import { BehaviorEntry } from './fields/behavior.js';
import { DnsMap } from './fields/dns.js';
import { EndpointLists } from './fields/endpoints.js';
import { ExpectationEntry } from './fields/expectation.js';
import { DurationText, Name, nonEmpty, RunTime, Seed, Text } from './fields/fields.js';
import { ProxyEntry } from './fields/proxies.js';
import { TimelineEntrySchema } from './fields/timeline.js';
import { RequestEntry, WorkloadEntry } from './fields/workload.js';
import type { ApiVersion } from '../config/api/api.js';
import { Bootstrap } from '../config/bootstrap.js';
import { jsonSchema } from '../config/json-schema.js';
import { EXTENSIONS } from '../policy/extensions.js';
import { demand, oneOf } from '../core/arguments.js';

/** The kinds of files that lbsim reads. */
const KINDS = ['scenario', 'cluster', 'bootstrap'] as const;
export type SchemaKind = (typeof KINDS)[number];

/**
 * JSON Schema (draft 2020-12) of a kind of file, for editors and validators.
 *
 * @param api in which its clusters are written.
 */
export function schemaOf(kind: SchemaKind, api: ApiVersion = 'v2'): Readonly<Record<string, unknown>> {
  demand('schemaOf', ['kind', kind, oneOf(KINDS)], ['api', api, oneOf(['v2', 'v3'])]);
  switch (kind) {
    case 'scenario':
      return withAddedPolicies(
        jsonSchema(ScenarioFile, api === 'v2' ? 'lbsim scenario' : 'lbsim scenario with v3 clusters', api),
      );
    case 'cluster':
      return jsonSchema(Cluster, `${api} Cluster`, api);
    case 'bootstrap':
      return jsonSchema(Bootstrap, `${api} Bootstrap`, api);
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Clusters of scenarios may have policies that the proxy has not: extensions, and modules by their files. */
function withAddedPolicies(schema: JsonObject): JsonObject {
  const definitions = schema['$defs'] as Readonly<Record<string, JsonObject>>;
  const name = Object.keys(definitions).find((one) => one.endsWith('Cluster.LbPolicy'));
  const policy = name === undefined ? undefined : definitions[name];
  if (name === undefined || policy === undefined) return schema;
  const slowStart = Object.keys(definitions).find((one) => one.endsWith('.SlowStartConfig'));
  const long = {
    type: 'object',
    description: 'A policy that the proxy has not, with its settings; or any policy with subsetting.',
    properties: {
      policy: { type: 'string', description: 'An extension, the file of a module, or a name that --policy gives.' },
      subsetting: {
        type: 'object',
        description: 'Each proxy uses a part of the hosts, which follows from its number among the proxies.',
        properties: {
          method: { enum: ['deterministic', 'aperture'] },
          size: { type: 'integer', minimum: 1, description: 'Hosts of a proxy, at least.' },
        },
        required: ['method', 'size'],
        additionalProperties: false,
      },
      settings: {
        type: 'object',
        description: 'As the policy’s schema says; `lbsim policies` lists those of extensions.',
      },
      ...(slowStart !== undefined && { slow_start_config: { $ref: `#/$defs/${slowStart}` } }),
    },
    required: ['policy'],
    additionalProperties: false,
  };
  const words = [{ enum: Object.keys(EXTENSIONS) }, { type: 'string', pattern: '\\.[cm]?js$' }];
  const anyOf = [...(policy['anyOf'] as readonly unknown[]), ...words, long];
  return { ...schema, $defs: { ...definitions, [name]: { ...policy, anyOf } } };
}

const behaviorDoc = 'How hosts serve and fail. Default: at once and without errors.';

export const ScenarioFile = block(
  'scenario',
  () => ({
    $schema: optional(Text, 'Where editors find the JSON Schema of this format.'),
    name: optional(Name, "Shown in reports. Default: the file's base name."),
    description: defaulted(Text, '', 'What the scenario shows, in a sentence.'),
    seed: defaulted(Seed, '1', 'Seeds every random stream: an integer or a text. Default 1.'),
    duration: optional(
      RunTime,
      'Virtual time simulated. Default: until the last request has ended; required where a workload has no stop.',
    ),
    warmup: defaulted(
      DurationText,
      0,
      'Requests that arrive before are left out of totals, shares and phases. Default 0s.',
    ),
    proxies: optional(
      nonEmpty(ProxyEntry, 'name at least one proxy'),
      'Who decides. Default: one proxy with one worker.',
    ),
    proxy: optional(ProxyEntry, 'Short for proxies with one entry.'),
    api: optional(
      words(API_VERSIONS),
      'The API that clusters and assignments are written in. Default: as they say of themselves.',
    ),
    clusters: required(
      nonEmpty(Cluster, 'a scenario needs at least one cluster'),
      "The clusters, as in the proxy's configuration.",
    ),
    endpoints: optional(EndpointLists, 'Shorthand for the hosts of clusters: per cluster a list of addresses.'),
    assignments: mapOf(ClusterLoadAssignment, 'What EDS clusters receive first, by cluster or service name.'),
    dns: optional(DnsMap, 'What the resolver knows: per name its addresses, or fail.'),
    behavior: repeated(BehaviorEntry, behaviorDoc),
    hosts: repeated(BehaviorEntry, 'Another name of behavior.'),
    workloads: repeated(
      WorkloadEntry,
      'Streams of requests. Default, without requests: 1000/s for 10 s to each cluster.',
    ),
    requests: repeated(RequestEntry, 'Single requests.'),
    timeline: repeated(TimelineEntrySchema, 'What changes while the run goes on.'),
    expect: repeated(ExpectationEntry, 'What must hold at the end.'),
  }),
  {
    doc: 'A scenario: clusters, hosts, traffic, what happens to them, and what is expected.',
    oneOfs: [
      { name: 'proxies', fields: ['proxies', 'proxy'] },
      { name: 'behavior', fields: ['behavior', 'hosts'] },
    ],
    hints: {
      apiVersion:
        'this is a Kubernetes object; a scenario has the proxy’s own clusters, such as patch.value of an EnvoyFilter',
      kind: 'it belongs to a Kubernetes object',
      spec: 'it belongs to a Kubernetes object',
      configs: 'this is a dump of the admin interface: give it as a file of its own beside the scenario',
      resources: 'this is an answer of a management server: give it as a file of its own beside the scenario',
      cluster: 'write clusters: [{name: …}]',
      workload: 'write workloads: [{cluster: …, arrivals: 500/s}]',
      request: 'write requests: [{at: 0s, cluster: …}]',
      events: 'write timeline: [{at: 10s, …}]',
      expectations: 'write expect: [{…}]',
      load_assignment: 'it belongs into its cluster; for EDS write assignments: {CLUSTER: …}',
      version: 'write proxy: {version: "1.17"}',
      node: 'write proxy: {node: …}',
      static_resources: 'a bootstrap stands alone; a scenario lists clusters at the top',
    },
  },
);

export type ScenarioFields = Output<typeof ScenarioFile>;
