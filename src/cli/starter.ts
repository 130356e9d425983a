/** What `lbsim init` writes: small enough to read, with the fields that people change first. */
export const STARTER = `# A scenario for lbsim. Run it with:  lbsim run FILE
# Every field is explained in docs/scenario-format.md.

name: hello
description: Where do the requests go when one of three zones fails?

seed: 1                  # the same seed gives the same run, byte for byte

# Clusters are written as in the proxy's own configuration: paste yours here.
clusters:
  - name: backend
    lb_policy: ROUND_ROBIN           # or LEAST_REQUEST, RANDOM, RING_HASH, MAGLEV
    common_lb_config:
      healthy_panic_threshold: {value: 50}   # below 50 % healthy hosts the proxy stops looking at health

# The hosts. Short for the cluster's load_assignment.
endpoints:
  backend:
    - {address: 10.0.1.1:80, count: 2, zone: a}     # 10.0.1.1 and 10.0.1.2
    - {address: 10.0.2.1:80, count: 2, zone: b}
    - {address: 10.0.3.1:80, zone: c, weight: 2}    # as strong as two of the others

# How hosts answer. Later entries override earlier ones, field by field.
behavior:
  - hosts: {}                        # every host
    service_time: {exponential: {mean: 5ms}}
  - hosts: {zone: b}
    service_time: {exponential: {mean: 8ms}}   # zone b is slower

# The traffic: Poisson arrivals, 500 a second.
workloads:
  - name: users
    cluster: backend
    arrivals: 500/s                  # or {constant: 500/s}, {closed: {users: 40, think_time: 100ms}}
    stop: 20s
    hash_key: {zipf: {keys: 1000, exponent: 1.1, prefix: user-}}   # what RING_HASH and MAGLEV hash

# What happens when. Delete it for a run without events.
timeline:
  - {at: 10s, set_health: {hosts: {zone: c}, status: UNHEALTHY}}

# What must hold; otherwise the exit code is 1.
expect:
  - {share: {cluster: backend, hosts: {zone: c}}, at_most: 0%, during: [10s, 20s]}
  - {success_rate: {cluster: backend}, at_least: 99.9%}
`;
