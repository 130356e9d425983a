/**
 * Where `lbsim validate` and a real proxy 1.40 decide otherwise about a configuration of v3, each with its reason.
 */
export interface Difference {
  /** What the proxy says against the file; undefined: it takes it. */
  readonly theirs?: RegExp;
  /** What is said here, as `rule path: message`; undefined: nothing. */
  readonly ours?: RegExp;
  readonly reason: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    ours: /found "NaN"/,
    reason: 'The proxy compares a number with its bounds, which NaN passes; nobody means it.',
  },
  {
    ours: /^range .*(?:zone_aware_lb_config\.routing_enabled|(?:max|min)imum_ring_size)/,
    reason:
      'The proxy does not check the limits of typed policies; a ring of more than 8,388,608 entries is not built here.',
  },
  {
    ours: /^required .*lb_endpoints\[\d+\].*: (?:address|endpoint) is required/,
    reason: 'The proxy takes an endpoint without an address in a DNS cluster, and never finds a host for it.',
  },
  {
    ours: /^required .*named_endpoints/,
    reason: 'The proxy reads no named endpoint that nothing names.',
  },
  {
    ours: /^sink-name /,
    reason: 'The proxy finds a sink by its type alone; here the name tells which statistics are written.',
  },
  {
    theirs: /regex '.*' RE2 program size/,
    reason: 'How large a program RE2 makes of an expression is not known here.',
  },
  {
    theirs: /paths must refer to an existing path in the system/,
    reason: 'A file that is watched exists on the machine of the proxy, not on this one.',
  },
  {
    theirs: /Failed to initialize (?:ECDH curves|cipher suites)/,
    reason: 'Which ciphers and curves there are is known to the TLS library of the proxy.',
  },
];
