/** Why something is a problem, and what to do about it; docs/errors.md is made of this. */
interface Explained {
  /** Absent: the configuration's own rules of that name explain it. */
  readonly why?: string;
  readonly fix: string;
}

/** What `Problem.rule` may be, besides the names of lint rules. */
export const PROBLEMS = {
  // files and the command line
  usage: {
    why: 'The command line names something that does not exist, or two things that exclude each other.',
    fix: 'Read what `lbsim COMMAND --help` offers.',
  },
  defect: {
    why: 'lbsim itself failed.',
    fix: 'Report it with the command and the file; LBSIM_DEBUG=1 shows where it happened.',
  },
  output: {
    why: 'An output could not be written: a full disk, a missing folder.',
    fix: 'Make room, or name another place.',
  },
  fleet: {
    why: 'Redis, which hands work to other machines, is not there or of no use, or the workers fail.',
    fix: 'See [distributed](distributed.md); what is finished is kept.',
  },
  'no-such-file': {
    why: 'There is no file with that name.',
    fix: 'Look at the names that stand near it in the message.',
  },
  'not-a-file': {
    why: 'It is a device or a pipe that cannot be read like a file.',
    fix: 'Name a file, or `-` for standard input.',
  },
  directory: { why: 'A folder stands where a file is needed.', fix: 'Name the file in it; `validate` takes folders.' },
  unreadable: { why: 'The system does not let the file be read.', fix: 'Change its permissions.' },
  'empty-file': { why: 'The file has nothing in it.', fix: '`lbsim init FILE` writes a scenario to start from.' },
  'not-text': { why: 'The file is binary, or in another encoding than UTF-8.', fix: 'Save it as UTF-8.' },
  'too-large': {
    why: 'The file is larger than the limit.',
    fix: 'Divide it, or name the clusters that matter with `--cluster`.',
  },
  changed: { why: 'The file was written while it was read.', fix: 'Try again.' },
  'file-exists': {
    why: 'Files are overwritten only on request, and input files never.',
    fix: 'Name another file, or say `--force`.',
  },
  'no-files': {
    why: 'A folder has no file to check.',
    fix: 'Name files, or a folder with *.yaml, *.yml or *.json below it.',
  },
  'no-table': { why: 'The cluster’s policy keeps no table.', fix: 'Name a cluster whose policy keeps one.' },
  'out-of-memory': {
    why: 'The run needs more memory than is available.',
    fix: 'Fewer hosts, phases or workers; or give Node more with `NODE_OPTIONS=--max-old-space-size`.',
  },
  'not-supported': {
    why: 'It is legal, and is not simulated: a run without it would answer another question.',
    fix: 'See [what is not modelled](fidelity.md#what-is-not-modelled), and leave it out.',
  },
  'not-simulated': {
    why: 'It is legal, and is not simulated.',
    fix: 'See [what is not modelled](fidelity.md#what-is-not-modelled), and leave it out.',
  },
  'too-much': {
    why: 'The run would take more time or memory than is sensible; the message has the sum.',
    fix: 'A shorter duration, a lower rate, fewer hosts, or what the message proposes.',
  },
  set: {
    why: 'The argument of `--set` is not a path and a value, or the path does not exist.',
    fix: 'Write `--set clusters.NAME.FIELD=VALUE`.',
  },
  seed: { why: 'A seed is a whole number.', fix: 'Write a number from 0 up.' },
  version: {
    why: 'The version is not simulated.',
    fix: 'Write one of those in the message: each stands for the releases around it.',
  },
  hosts: {
    why: 'Hosts are given twice, in a way that the cluster’s type does not allow, or not at all.',
    fix: 'Write the field that the message names.',
  },
  stats: {
    why: 'Rates cannot be computed from these statistics.',
    fix: 'Give the text of `/stats` or `/clusters`, and for how long it counted.',
  },
  'several-scenarios': {
    why: 'Two of the files are scenarios.',
    fix: 'Run one at a time; files of configuration can be many.',
  },
  'no-cluster': { why: 'None of the files has a cluster.', fix: 'Name the file that has them, too.' },
  'no-hosts': {
    why: 'The hosts of a cluster are in no file.',
    fix: 'Give them with `--hosts CLUSTER=HOSTS`, or the assignments beside the cluster.',
  },
  kind: {
    why: 'The file is of an unknown kind, or of the wrong one.',
    fix: 'The message says what it looks like, and what would be read.',
  },
  template: { why: 'The file is a template, not what comes out of it.', fix: 'Render it first.' },
  v1: {
    why: 'The configuration is of the first API, which no proxy has read since 1.9.',
    fix: 'Write it as v2 or v3.',
  },
  'v3-only': {
    why: 'The type belongs to v3, and the file is v2.',
    fix: 'Read it with `--api v3`, or write the type of v2.',
  },

  // YAML and JSON
  'yaml-syntax': { why: 'The file is no YAML.', fix: 'Look at the place, and at the line before it.' },
  'yaml-tab': { why: 'YAML is indented by spaces.', fix: 'Replace the tab.' },
  'duplicate-key': {
    why: 'A key is set twice in one map; as in the proxy, the last one counts, or neither is accepted.',
    fix: 'Keep one.',
  },
  'complex-key': { why: 'A key is a list or a map.', fix: 'Write a word.' },
  aliases: { why: 'An alias has no anchor above it, or leads into itself.', fix: 'Write the value out.' },
  nesting: { why: 'Values are nested more deeply than any configuration is.', fix: 'Write fewer levels.' },
  'too-many-values': { why: 'The file has more values than are read.', fix: 'Divide it.' },
  'file-size': { why: 'The file is longer than what is read.', fix: 'Divide it.' },
  'nul-byte': { why: 'There is a zero byte in the text.', fix: 'Save it as text.' },
  'empty-document': { why: 'There is nothing but comments.', fix: 'Write a scenario; `lbsim init FILE` begins one.' },
  'several-documents': { why: 'Only the first of several documents in a file counts.', fix: 'One file for each.' },
  'too-many-problems': {
    why: 'There are more problems than are shown.',
    fix: 'Begin with the first: others may follow from it.',
  },

  // values
  type: { why: 'The value is of another kind than the field takes.', fix: 'Write what the message expects.' },
  enum: { why: 'The field does not have this value.', fix: 'Write one of those in the message.' },
  'invalid-value': {
    why: 'The value is none of those that the field knows.',
    fix: 'Write one of those in the message.',
  },
  'unknown-field': {
    why: 'The message has no field of that name; a proxy would refuse the file.',
    fix: 'Correct the spelling, or leave it out; `--allow-unknown-static-fields` makes it a warning.',
  },
  required: { why: 'The field must be there.', fix: 'Write it.' },
  'one-of': { why: 'Of some fields a message has one, and here are several.', fix: 'Keep one.' },
  'one-of-none': { why: 'Of some fields a message must have one, and here is none.', fix: 'Write one.' },
  range: { why: 'The value lies outside of its bounds.', fix: 'The message says which they are.' },
  length: { why: 'The list has another length than it must have.', fix: 'Write as many values as the message says.' },
  format: { why: 'The text has not the form that it must have.', fix: 'The message says which.' },
  duration: {
    why: 'It is not a duration.',
    fix: 'Write `250ms`, `1.5s`, `2m` or `1h`; in the proxy’s own fields `0.25s`.',
  },
  rate: { why: 'It is no rate.', fix: 'Write `100/s` or `30/min`.' },
  percentage: { why: 'It is no percentage.', fix: 'Write `5 %` or `5%`.' },
  number: { why: 'It is no number.', fix: 'Write digits, a point, and no unit.' },
  integer: { why: 'It is no whole number.', fix: 'Write digits only.' },
  uint64: { why: 'It is no whole number from 0 to 2⁶⁴ − 1.', fix: 'Write digits; quotes keep all of a large one.' },
  name: { why: 'Things that are named need one name each, and it must not be empty.', fix: 'Give each its own.' },
  key: { why: 'The key of this entry is none that may stand here.', fix: 'The message says which do.' },
  text: { why: 'A text of one or more characters is needed.', fix: 'Write one.' },
  'empty-list': { why: 'A list without entries says nothing.', fix: 'Write an entry, or leave the field out.' },
  'duplicate-name': { why: 'Two have the same name.', fix: 'Rename one.' },
  'any-type': {
    why: '`@type` is missing or names no message that is known here.',
    fix: 'Write `type.googleapis.com/` and the name of the message.',
  },
  unchecked: {
    why: 'The type is known by name only: its contents are not read.',
    fix: 'Nothing, if it does not concern balancing.',
  },
  deprecated: {
    why: 'The proxy still accepts it and recommends another field.',
    fix: 'Write the field that the message names.',
  },
  extension: { why: 'The field is newer than the v2 schema.', fix: 'Nothing; proxies of the v2 era pass over it.' },
  'no-effect': { why: 'The field does nothing in a simulation.', fix: 'Nothing; the note says why.' },
  hex: { fix: 'Write pairs of 0–9 and a–f.' },
  regex: { fix: 'Leave out what RE2 does not have: look-ahead, look-behind, back-references.' },
  metadata: { why: 'It cannot be looked up in metadata that way.', fix: 'Write a key and a path.' },
  file: {
    why: 'A file that the configuration names cannot be read, or is wrong.',
    fix: 'Correct its path, or say `--no-files`.',
  },
  secret: { why: 'A file of a secret cannot be read.', fix: 'Correct its path, or say `--no-files`.' },
  certificate: { fix: 'Give PEM certificates, and the key that belongs to the first.' },

  // the proxy's configuration
  address: { why: 'It is no address of the form that is needed here.', fix: 'Write the address as the message says.' },
  'ip-address': { fix: 'Write an IP address; names belong to STRICT_DNS and LOGICAL_DNS clusters.' },
  pipe: { fix: 'Shorten the path; give a mode only to a path of the file system.' },
  'api-config-source': { fix: 'Write the field that belongs to api_type.' },
  'eds-config': {
    why: 'An EDS cluster needs a source of its assignments, and no other cluster has one.',
    fix: 'Write `eds_cluster_config: {eds_config: …}`, or another type.',
  },
  'config-source-cluster': {
    why: 'A source of configuration names a cluster that it cannot use, or lacks the node’s id.',
    fix: 'Name a static cluster of the bootstrap; give node an id and a cluster.',
  },
  'discovery-type': {
    why: 'The cluster’s hosts come from elsewhere: this does not concern it.',
    fix: 'Name a cluster of the type that the message names.',
  },
  'cluster-type': { fix: 'Write a type of the proxy.' },
  'cluster-set': { fix: 'The message says which clusters do not agree.' },
  'aggregate-member': {
    why: 'A member of an aggregate does not exist, or cannot be one.',
    fix: 'Name clusters that are there; an aggregate passes over the others.',
  },
  'local-cluster': {
    why: 'The local cluster does not exist, or has hosts in other priorities than 0.',
    fix: 'Name a cluster that is there, with priority 0 only.',
  },
  assignment: { fix: 'Correct the address, the priority or the weights that the message names.' },
  'assignment-name': {
    why: 'The assignment has another name than the cluster requests.',
    fix: 'Give it the service name, or else the cluster’s.',
  },
  'assignment-type': { why: 'Assignments are of EDS clusters only.', fix: 'Write the hosts into `load_assignment`.' },
  'load-assignment-required': { fix: 'Write `load_assignment`, or the scenario’s `endpoints`.' },
  'eds-load-assignment': { fix: 'Move the hosts to `assignments` or `endpoints`.' },
  'original-dst': { fix: 'Leave the hosts out: they are those that requests were for.' },
  'original-dst-header': { fix: 'Write `use_http_header: true`.' },
  'logical-dns': { why: 'A LOGICAL_DNS cluster has one name, in one locality.', fix: 'Take STRICT_DNS for several.' },
  'platform-dns': { why: 'The resolver is one of another platform.', fix: 'Take c-ares, or leave it out.' },
  'dns-resolver': { fix: 'Write IP addresses.' },
  'dns-ttl': { why: 'A query that fails has no time to live.', fix: 'Leave ttl out.' },
  'refresh-rate-order': { fix: 'Raise max_interval.' },
  'endpoint-address': { why: 'Hosts of this cluster need another kind of address.', fix: 'The message says which.' },
  endpoints: {
    why: 'The hosts of a cluster are given in two places, or of one that has none.',
    fix: 'Keep one place.',
  },
  'endpoint-count': {
    why: '`count` adds addresses beyond the last possible one.',
    fix: 'Begin lower, or count fewer.',
  },
  'drop-ratio': { why: 'A ratio of dropped requests is above 1.', fix: 'Write a numerator up to the denominator.' },
  'drop-categories': { why: 'The proxy takes one category of dropped requests.', fix: 'Keep one.' },
  'weight-sum': {
    why: 'Weights of one priority add up to more than 32 bits hold; a proxy refuses that.',
    fix: 'Divide all by the same number.',
  },
  'subset-cluster-provided': { fix: 'Take a policy of the proxy, or no subsets.' },
  'subset-locality-weights': { fix: 'Write `locality_weighted_lb_config: {}`.' },
  'fallback-keys-subset': { fix: 'Write some, not all, keys of the selector, with KEYS_SUBSET.' },
  'cluster-provided': { fix: 'Write CLUSTER_PROVIDED for those clusters, and for no other.' },
  'lb-config-mismatch': { fix: 'Write the settings of the policy that the cluster has.' },
  'policy-module': {
    why: 'A cluster names a policy of your own, and there is none by that name, or it cannot be used.',
    fix: 'Load it with `--policy NAME=FILE` or `--allow-code`; `lbsim init --policy FILE` writes one to start from.',
  },
  'policy-settings': {
    why: 'A setting is not one that the policy’s schema takes.',
    fix: 'Write what the message says is expected; `lbsim policies` lists the settings of ours.',
  },
  'load-balancing-policy': {
    why: 'The policy is not written as the proxy reads it.',
    fix: 'The message says what is missing.',
  },
  'override-source': {
    why: 'A source is a header or metadata, one of the two.',
    fix: 'Write one of header and metadata.',
  },
  'choice-count': { fix: 'Write 2 or more.' },
  'ring-size-order': { fix: 'Raise maximum_ring_size.' },
  'maglev-prime': { fix: 'Write a prime, as 65537 or 5000011.' },
  'hostname-hashing': { fix: 'Leave it out, or take STRICT_DNS.' },
  'health-check': {
    why: 'A health check needs its time-outs, thresholds and a kind.',
    fix: 'Write what the message names.',
  },
  'health-checks': { fix: 'Keep one, if the proxy is 1.16 or older.' },
  'health-check-port': { fix: 'Leave the port out.' },
  'grpc-health-check': { fix: 'Write `http2_protocol_options: {}`.' },
  'expected-statuses': { fix: 'Write `{start: 200, end: 300}`; the end is not included.' },
  'ejection-time-order': { fix: 'Raise max_ejection_time.' },
  'per-host-thresholds': { fix: 'Keep max_connections; the others belong into thresholds.' },
  'load-balancer-endpoints': { fix: 'Write the hosts as lb_endpoints.' },
  leds: {
    why: 'The hosts of a locality come from separate discovery (LEDS), which the proxy has for EDS only and which is in no file.',
    fix: 'Write the hosts as lb_endpoints of the locality.',
  },
  'circuit-breaker-priority': { fix: 'Keep one entry a priority.' },
  'backoff-order': { fix: 'Raise max_interval.' },
  'retry-back-off': { why: 'A back-off needs an interval above 0.', fix: 'Write `base_interval`.' },
  'retry-on': { why: 'There is no such condition of retries.', fix: 'Write one of those in the message.' },
  'retry-host-predicate': { why: 'There is no such predicate.', fix: 'Write one of those in the message.' },
  'retry-priority': { why: 'There is no such extension.', fix: 'Write one of those in the message.' },
  superseded: { fix: 'Keep transport_socket.' },
  'extension-config': { fix: 'Write typed_config with its `@type`.' },
  'extension-name': { fix: 'Write a name that the proxy knows.' },
  'protocol-options': { fix: 'Keep one.' },
  'http-protocols': { fix: 'Keep one, or write `protocol_selection: USE_DOWNSTREAM_PROTOCOL`.' },
  'http2-settings': { fix: 'Write the field of its own.' },
  'filter-configs': { fix: 'Keep one.' },
  'header-format': { fix: 'Close the specifier, or write `%%` for a percent sign.' },
  'header-name': { fix: 'Leave the header out.' },
  'body-size': { fix: 'Shorten it.' },
  'ignore-case': { fix: 'Write `(?i)` into the expression.' },
  domains: { fix: 'Keep one of them.' },
  route: { why: 'A route lacks what it needs, or has what excludes each other.', fix: 'The message says what.' },
  'route-cluster': { fix: 'Name a cluster that is there, or write `validate_clusters: false`.' },
  'mirror-cluster': { fix: 'Name one of the two.' },
  'mirror-policies': { fix: 'Keep request_mirror_policies.' },
  'weighted-cluster': { fix: 'Name each cluster and its weight.' },
  'weighted-clusters': { fix: 'Make the sum of the weights total_weight.' },
  rewrite: { fix: 'Keep one.' },
  'upgrade-type': { fix: 'Keep one entry a type.' },
  'virtual-cluster': { fix: 'Write one of the two.' },
  node: { why: 'The proxy’s node lacks what something else needs of it.', fix: 'Write its id and cluster.' },
  'runtime-value': { fix: 'Write texts, numbers, booleans or maps.' },
  sink: { why: 'A sink cannot be used.', fix: 'The message says why.' },
  'sink-name': { why: 'There is no sink of that name.', fix: 'Write one of those in the message.' },
  'sink-type': { why: 'The configuration belongs to another sink.', fix: 'Write the type that belongs to the name.' },
  'statsd-cluster': {
    why: 'A sink that sends by TCP needs a cluster, and the node’s id and cluster.',
    fix: 'Name a cluster of the bootstrap.',
  },
  'dashboard-sinks': { why: 'Of several dashboard sinks the proxy reads one.', fix: 'Keep one.' },
  'stats-flush-interval': {
    why: 'Statistics are flushed at an interval of 1 ms to 5 min.',
    fix: 'Write a duration within these.',
  },
  'tag-specifier': { fix: 'Write one of regex and fixed_value, with a name of its own.' },
  'costly-tag': {
    why: 'The expression takes too many steps.',
    fix: 'Write it without nested repeats.',
  },

  // the simulated world
  selector: {
    why: 'It is not a valid selector of hosts.',
    fix: 'Write an address, `zone=a`, `priority=1`, `metadata.KEY=VALUE`.',
  },
  'unknown-cluster': { why: 'There is no such cluster.', fix: 'Write one of those in the message.' },
  'unknown-proxy': { why: 'There is no such proxy.', fix: 'Write one of those in the message.' },
  'unknown-worker': { why: 'The proxy has fewer workers.', fix: 'Write a lower number: they count from 0.' },
  'unknown-workload': { why: 'There is no such workload.', fix: 'Write one of those in the message.' },
  'unknown-statistic': { why: 'No cluster has a statistic of that name.', fix: 'See [Statistics](stats.md).' },
  'absent-statistic': {
    why: 'The statistic exists, but not with this configuration of the cluster.',
    fix: 'Configure what it counts, or leave the expectation out.',
  },
  'no-capacity': {
    why: 'A load is relative to the capacity of hosts, and no host has a limit: it would always hold.',
    fix: 'Give `concurrency` and `service_time` in `behavior`: their quotient is what a host takes.',
  },
  'relative-to': {
    why: 'Two measures are compared, but their difference is not stated, or is not part of the measure.',
    fix: 'Write in `relative_to` what differs, as another cluster or another time.',
  },
  'no-such-host': {
    why: 'The selector never matches a host.',
    fix: 'Compare it with the addresses, zones and metadata of the hosts.',
  },
  expectation: {
    why: 'A run does not meet an expectation of its file: `lbsim test` reports it at the line.',
    fix: 'See what `lbsim run` and `lbsim explain` say of it; either the scenario or the expectation is wrong.',
  },
  'expectation-host': {
    why: 'An expectation names a host that does not exist.',
    fix: 'Write an address of the cluster.',
  },
  comparator: {
    why: 'An expectation has exactly one comparator.',
    fix: 'Keep one of equals, at_least, at_most, between and within_sigma.',
  },
  header: { why: 'The name or value can be no header.', fix: 'Write `name: value` in printable characters.' },
  during: {
    why: 'The window is empty, or is not in the run.',
    fix: 'Write from and to inside of the run.',
  },
  warmup: { why: 'The warm-up is longer than the run.', fix: 'Shorten it.' },
  'past-end': { why: 'It happens after the end of the run.', fix: 'A longer duration, or an earlier time.' },
  'duration-required': {
    why: 'Something never ends, and the scenario has no end.',
    fix: 'Write `duration`, or a `stop`.',
  },
  'timeline-window': { why: 'An entry ends before it begins.', fix: 'Write an `until` that is later than `at`.' },
  'workload-window': { why: 'A workload stops before it starts.', fix: 'Write a stop that is later than start.' },
  'closed-loop': {
    why: 'Users without think time and answers without delay would send endlessly at one moment.',
    fix: 'Write a think time, or a service time.',
  },
  'set-rate': { why: 'The workload has no rate that could be set.', fix: 'Give it poisson or constant arrivals.' },
  ramp: { why: 'The points of a ramp ascend in time.', fix: 'Put them in order.' },
  trace: { why: 'The trace is no list of times, or has none.', fix: 'Write a time a line, ascending.' },
  distribution: { why: 'The parameters of a distribution do not fit each other.', fix: 'The message says which.' },
  'behavior-empty': {
    why: 'An entry says nothing of its hosts.',
    fix: 'Write a service time, errors, or leave it out.',
  },
} as const satisfies Readonly<Record<string, Explained>>;

declare const lint: unique symbol;

/** The name of a rule of `scenario/lint`: docs/lint.md explains these. */
export type LintRuleName = string & { readonly [lint]: true };

export type ProblemRule = keyof typeof PROBLEMS | LintRuleName;
