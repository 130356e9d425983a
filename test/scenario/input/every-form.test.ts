import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/testing/mix/mix-hosts.js';
import { mix } from '../../../src/testing/mix/mix.js';
import { loadScenario } from '../../../src/scenario/load.js';

/** How many clusters are drawn; the figures of the documentation are of 1,000 (FORM_RUNS=1000). */
const RUNS = Number(process.env['FORM_RUNS'] ?? 60);
const CLUSTER = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';
const ASSIGNMENT = 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment';

type Value = Readonly<Record<string, unknown>>;
type Texts = readonly string[];

/** A proxy reads `y` without quotes as true, as YAML 1.1 has it. */
const yaml = (value: unknown): string => stringify(value, { version: '1.1' });
const json = (value: unknown): string => JSON.stringify(value);
const configMap = (text: string): string =>
  yaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'proxy' }, data: { 'envoy.yaml': text } });

/** The cluster with its hosts in it, in everything that people and tools put around it. */
const WHOLE: Readonly<Record<string, (cluster: Value) => Texts>> = {
  YAML: (cluster) => [yaml(cluster)],
  'a list': (cluster) => [json([cluster])],
  'clusters by name': ({ name: _, ...cluster }) => [yaml({ clusters: { backend: cluster } })],
  'a list of clusters under its name': (cluster) => [json({ clusters: [cluster] })],
  'a bootstrap': (cluster) => [yaml({ static_resources: { clusters: [cluster] } })],
  'a bootstrap in camel case': (cluster) => [json(camel({ static_resources: { clusters: [cluster] } }))],
  'an answer of a management server': (cluster) => [
    json({ version_info: '1', type_url: CLUSTER, resources: [{ '@type': CLUSTER, ...cluster }] }),
  ],
  'a delta answer': (cluster) => [
    json({
      type_url: CLUSTER,
      resources: [{ name: 'backend', version: '1', resource: { '@type': CLUSTER, ...cluster } }],
    }),
  ],
  'a dump of static clusters': (cluster) => [json(dumpOf({ static_clusters: [{ cluster }] }))],
  'a dump of dynamic clusters': (cluster) => [
    json(dumpOf({ dynamic_active_clusters: [{ version_info: '1', cluster: { '@type': CLUSTER, ...cluster } }] })),
  ],
  'a ConfigMap': (cluster) => [configMap(yaml({ static_resources: { clusters: [cluster] } }))],
  'a ConfigMap with JSON': (cluster) => [configMap(json({ static_resources: { clusters: [cluster] } }))],
  'resources of an object': (cluster) => [
    yaml({
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumEnvoyConfig',
      metadata: { name: 'backend' },
      spec: { resources: [{ '@type': CLUSTER, ...cluster }] },
    }),
  ],
};

/** The cluster and its hosts apart. */
const APART: Readonly<Record<string, (cluster: Value, assignment: Value) => Texts>> = {
  'two files': (cluster, assignment) => [json(cluster), json(assignment)],
  'two documents': (cluster, assignment) => [`${yaml(cluster)}---\n${yaml(assignment)}`],
  'two answers': (cluster, assignment) => [
    json({ type_url: CLUSTER, resources: [{ '@type': CLUSTER, ...cluster }] }),
    json({ type_url: ASSIGNMENT, resources: [{ '@type': ASSIGNMENT, ...assignment }] }),
  ],
  'a dump with its endpoints': (cluster, assignment) => [
    json(
      dumpOf({ dynamic_active_clusters: [{ cluster: { '@type': CLUSTER, ...cluster } }] }, [
        { endpoint_config: { '@type': ASSIGNMENT, ...assignment } },
      ]),
    ),
  ],
};

function dumpOf(clusters: Value, endpoints: readonly Value[] = []): Value {
  const type = (name: string): string => `type.googleapis.com/envoy.admin.v3.${name}`;
  return {
    configs: [
      { '@type': type('ClustersConfigDump'), ...clusters },
      { '@type': type('EndpointsConfigDump'), dynamic_endpoint_configs: endpoints },
    ],
  };
}

/** Names of fields as protobuf's JSON has them; those of metadata and of maps are data. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    const isData = ['filter_metadata', 'default_subset', '@type'].includes(name);
    return [name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()), isData ? item : camel(item)];
  });
  return Object.fromEntries(entries);
}

function read(texts: Texts): unknown {
  const inputs = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const { scenario, problems } = loadScenario(inputs, { api: 'v3' });
  const [cluster] = scenario?.clusters ?? [];
  const problem = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, message }) => `${rule}: ${message}`);
  if (cluster === undefined) return problem;
  const { type: _, edsClusterConfig: __, loadAssignment, ...fields } = cluster;
  return { fields, hosts: loadAssignment ?? scenario?.assignments.get('backend'), problem };
}

const clusters = mix().map(({ plan, assignment }): { readonly fields: Json; readonly hosts: Json } => ({
  fields: { name: 'backend', connect_timeout: '1s', ...plan.fields },
  hosts: { ...assignment, cluster_name: 'backend' },
}));

describe('a random cluster is read the same', () => {
  it.each(Object.entries(WHOLE))('as %s', (_, form) => {
    const wholes = clusters.map(({ fields, hosts }) => ({ ...fields, type: 'STATIC', load_assignment: hosts }));
    fc.assert(
      fc.property(wholes, (cluster) => {
        expect(read(form(cluster))).toEqual(read([json(cluster)]));
      }),
      { numRuns: RUNS },
    );
  });

  it.each(Object.entries(APART))('as %s', (_, form) => {
    fc.assert(
      fc.property(clusters, ({ fields, hosts }) => {
        const eds = { eds_config: { ads: {}, resource_api_version: 'V3' } };
        const whole = { ...fields, type: 'STATIC', load_assignment: hosts };
        expect(read(form({ ...fields, type: 'EDS', eds_cluster_config: eds }, hosts))).toEqual(read([json(whole)]));
      }),
      { numRuns: RUNS },
    );
  });
});
