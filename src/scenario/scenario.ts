import { Cluster } from '../config/cluster.js';
import { ClusterLoadAssignment } from '../config/endpoint.js';
import { block, defaulted, mapOf, optional, type Output, repeated, required } from '../config/reader.js';
import { words } from '../config/reader/plain-choices.js';
import { API_VERSIONS } from './input/api-version.js';
import { BehaviorEntry } from './behavior.js';
import { DnsMap } from './dns.js';
import { EndpointLists } from './endpoints.js';
import { ExpectationEntry } from './expectation.js';
import { DurationText, Name, nonEmpty, RunTime, Seed, Text } from './fields.js';
import { ProxyEntry } from './proxies.js';
import { TimelineEntrySchema } from './timeline.js';
import { RequestEntry, WorkloadEntry } from './workload.js';

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
