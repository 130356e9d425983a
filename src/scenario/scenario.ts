import { Cluster } from '../config/cluster/cluster.js';
import { ClusterLoadAssignment } from '../config/assignment-rules.js';
import { defaulted, mapping, optional, repeated, required, words, type Output } from '../config/reader.js';
import { block } from './fields/block.js';
import { API_VERSIONS } from './input/api-version.js';
import { BehaviorEntry } from './fields/behavior.js';
import { DnsMap } from './fields/dns.js';
import { EndpointLists } from './fields/endpoints.js';
import { ExpectationEntry, QuestionEntry } from './fields/expectation.js';
import { DurationText, Name, nonEmpty, RunTime, Seed, Text } from './fields/fields.js';
import { ProxyEntry } from './fields/proxies.js';
import { TimelineEntrySchema } from './fields/timeline.js';
import { RequestEntry, WorkloadEntry } from './fields/workload.js';
import type { ApiVersion } from '../config/api/api.js';
import { Bootstrap } from '../config/bootstrap.js';
import { jsonSchema } from '../config/json-schema.js';
import { EXTENSIONS } from '../policy/extensions.js';
import { demand, oneOf } from '../core/arguments.js';
import { ADDED_POLICY } from './generated/added-policy.js';

const KINDS = ['scenario', 'cluster', 'bootstrap'] as const;
export type SchemaKind = (typeof KINDS)[number];

/** JSON Schema (draft 2020-12) of a kind of file, for editors and validators. @param api in which its clusters are written. */
export function schemaOf(kind: SchemaKind, api: ApiVersion = 'v2'): Readonly<Record<string, unknown>> {
  demand('schemaOf', ['kind', kind, oneOf(KINDS)], ['api', api, oneOf(['v2', 'v3'])]);
  if (kind === 'cluster') return jsonSchema(Cluster, `${api} Cluster`, api);
  if (kind === 'bootstrap') return jsonSchema(Bootstrap, `${api} Bootstrap`, api);
  return withAddedPolicies(jsonSchema(ScenarioFile, `lbsim scenario${api === 'v2' ? '' : ' with v3 clusters'}`, api));
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Clusters of scenarios may have policies that the proxy has not: extensions, and modules by their files. */
function withAddedPolicies(schema: JsonObject): JsonObject {
  const definitions = schema['$defs'] as Readonly<Record<string, JsonObject>>;
  const name = Object.keys(definitions).find((one) => one.endsWith('Cluster.LbPolicy'));
  const policy = name === undefined ? undefined : definitions[name];
  if (name === undefined || policy === undefined) return schema;
  const slowStart = Object.keys(definitions).find((one) => one.endsWith('.SlowStartConfig'));
  const properties = {
    ...ADDED_POLICY.properties,
    ...(slowStart !== undefined && { slow_start_config: { $ref: `#/$defs/${slowStart}` } }),
  };
  const words = [{ enum: Object.keys(EXTENSIONS) }, { type: 'string', pattern: '\\.[cm]?js$' }];
  const anyOf = [...(policy['anyOf'] as readonly unknown[]), ...words, { ...ADDED_POLICY, properties }];
  return { ...schema, $defs: { ...definitions, [name]: { ...policy, anyOf } } };
}

export const ScenarioFile = block('scenario', () => ({
  $schema: optional(Text),
  name: optional(Name),
  description: defaulted(Text, ''),
  seed: defaulted(Seed, '1'),
  duration: optional(RunTime),
  warmup: defaulted(DurationText, 0),
  proxies: optional(nonEmpty(ProxyEntry, 'name at least one proxy')),
  proxy: optional(ProxyEntry),
  api: optional(words(API_VERSIONS)),
  clusters: required(nonEmpty(Cluster, 'a scenario needs at least one cluster')),
  endpoints: optional(EndpointLists),
  assignments: defaulted(mapping(ClusterLoadAssignment), {}),
  dns: optional(DnsMap),
  behavior: repeated(BehaviorEntry),
  hosts: repeated(BehaviorEntry),
  workloads: repeated(WorkloadEntry),
  requests: repeated(RequestEntry),
  timeline: repeated(TimelineEntrySchema),
  question: repeated(QuestionEntry),
  expect: repeated(ExpectationEntry),
}));

export type ScenarioFields = Output<typeof ScenarioFile>;
