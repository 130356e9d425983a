/** Topics of `lbsim help TOPIC`: terms that several commands share. */
export const TOPICS: Readonly<Record<string, string>> = {
  selectors: `Selectors name hosts: --unhealthy, --fail, --lose, and hosts: in a scenario.

  10.0.0.3:80            a host          10.0.0.3           all ports of it
  10.0.0.0/24            a block         zone=a             a zone
  region=eu              a region        priority=1         a priority
  cluster=web            a cluster       metadata.version=2 an entry under envoy.lb

  $ lbsim run canary.yaml --unhealthy zone=a
`,
  set: `--set PATH=VALUE changes a field before anything is checked.

Entries of lists go by name or by number, the value is YAML.
A policy that is set drops the blocks of other policies, and says so.

  $ lbsim run canary.yaml --set clusters.backend.lb_policy=MAGLEV
  $ lbsim run canary.yaml --set 'clusters[0].circuit_breakers={thresholds: [{max_requests: 5}]}'
`,
  expect: `expect: in a scenario says what must hold; run and test exit with 1 where it does not.

  {share: {cluster: web, hosts: {zone: a}}, between: [48%, 52%]}
  {no_host: {cluster: web}, at_most: 0%}
  {latency: {cluster: web, percentile: 99}, at_most: 50ms}
  {failures: {cluster: web, cause: timeout}, equals: 0}
  {host_load: {cluster: web}, at_most: 100%}
  {stat: cluster.web.lb_healthy_panic, equals: 0}

Also success_rate, requests, mean_latency, mean_stat, decision. during: [10s, 20s] looks at a time;
relative_to: {during: [0s, 10s]} or {cluster: other} compares with the same measured there, and
at_most: 2 is twice as much.

  $ lbsim test 'scenarios/**'
`,
  json: `--json prints one document: {"format": 1, ...}, also where it has only problems to tell.

A new field leaves format as it is; one that goes or changes its meaning raises it.

  $ lbsim schema --output run        its JSON Schema, which says of each field what it is
  $ lbsim run canary.yaml --json | jq .headline.text
`,
  units: `Units: 250us, 10ms, 1.5s, 5m, 2h; 500/s, 30/m; 12% or 0.12.

Inside clusters and assignments the proxy's own form holds: 0.250s.
`,
  exit: `Exit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,
3 a defect of lbsim, 130 interrupted.
`,
  seeds: `Seeds: the same file and seed give the same result, byte for byte.

Every stream of chance (arrivals, keys, service times, each balancer) is its own:
more requests do not change which host is slow. compare runs all sides under the
same seeds, SEED, SEED-2, SEED-3 ..., of which the first is that of run.
`,
};
