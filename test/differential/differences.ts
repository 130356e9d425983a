/**
 * Where `lbsim validate` and a real proxy 1.40 decide otherwise about a configuration of v3, each with its reason.
 */
export interface Difference {
  /** What the proxy says against the file; undefined: it takes it. */
  readonly theirs?: RegExp;
  /** What is said here, as `rule path: message`; undefined: nothing. */
  readonly ours?: RegExp;
  /** Only of files with this in them. */
  readonly written?: RegExp;
  readonly reason: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    ours: /found "NaN"/,
    reason: 'The proxy compares a number with its bounds, which NaN passes; nobody means it.',
  },
  {
    ours: /^(?:range|required|enum|subset-locality-weights|refresh-rate-order) .*(?:load_balancing_policy\.policies|cluster_type\.typed_config)/,
    reason:
      'The proxy does not check the limits of typed policies and cluster types, nor all rules between their fields.',
  },
  {
    ours: /^required .*lb_endpoints\[\d+\].*: (?:address|endpoint) is required/,
    reason: 'The proxy takes an endpoint without an address in a DNS cluster, and never finds a host for it.',
  },
  {
    ours: /^dns-resolver /,
    written: /envoy\.extensions\.clusters\.dns\.v3\.DnsCluster/,
    reason: 'The typed cluster has resolvers of its own; the proxy does not read those of the cluster beside it.',
  },
  {
    ours: /^type .*typed_config.*: expected .*, found a map/,
    written: /\[\s*null\s*\]/,
    reason: 'The proxy takes a null in a list of a typed message; nobody means it.',
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
    theirs: /paths must refer to an existing path|invalid (?:file )?path|^file .* does not exist/,
    reason: 'A file exists on the machine of the proxy, not on this one.',
  },
  {
    theirs: /Failed to initialize (?:ECDH curves|cipher suites|TLS)|Multiple TLS certificates/,
    reason: 'Ciphers, curves and certificates are the business of the TLS library of the proxy; they balance nothing.',
  },
  {
    theirs:
      /Didn't find a registered|could not find @type|missing @type|does not support header validator|Unknown address resolver|IP resolver can't/,
    reason:
      'Which extensions a proxy was built with is not known here: a type that is not known is noted, and no mistake.',
  },
  {
    theirs: /overload action|Overload (?:action|Manager)|config\.overload|fixed_heap: /i,
    reason:
      'Overload managers shed load by the state of a machine, which is not simulated: of their rules constraints alone are checked.',
  },
  {
    theirs: /Unknown (?:static|gRPC client cluster)|API configs must have|xdstp-based/,
    reason: 'Secrets and management servers are not simulated: whether a name leads somewhere is not looked for.',
  },
  {
    theirs: /Only one of name or cluster_header/,
    reason: 'A cluster that a header names is not simulated: its weight goes to the name beside it.',
  },
  {
    theirs: /Segmentation fault/,
    reason: 'The proxy falls over an address of no kind that it connects to.',
  },
  {
    theirs: /network namespaces/,
    reason: 'Addresses of hosts are those of one network here.',
  },
  {
    theirs: /force_locality_direct_routing/,
    reason: 'A deprecated field of which only `true` counts.',
  },
  {
    theirs:
      /LEDS is only supported|Unsupported field in per_host_thresholds|address is necessary|node 'id' and 'cluster' are required/,
    reason: 'Rules over fields that are not simulated: of these constraints alone are checked.',
  },
  {
    theirs: /append and append_action/,
    reason: 'Headers that are added to requests balance nothing: of their rules constraints alone are checked.',
  },
  {
    theirs: /malformed IP address|Address must be set/,
    written: /additional_addresses|health_check_config|"admin"|"listeners"/,
    reason:
      'Further addresses of a host, one of its own for health checks and those of listeners and of the admin interface are not simulated: of their rules constraints alone are checked.',
  },
];
