/**
 * Scenarios in two variants: `«A|B»` stands for A in the one and B in the other. Between them one field changes, and
 * what comes out must change with it.
 */
export interface Effect {
  /** The field that changes, by the name of its page: `Cluster.lb_policy`. */
  readonly field: string;
  readonly text: string;
  /** Where the difference shows. */
  readonly shows: 'run' | 'sinks' | 'verdict';
}

export function variant(text: string, index: 0 | 1): string {
  return text.replaceAll(/«([^«»|]*)\|([^«»|]*)»/g, (_, first: string, second: string) =>
    index === 0 ? first : second,
  );
}

const run = (field: string, text: string): Effect => ({ field, text, shows: 'run' });
export const sinks = (field: string, text: string): Effect => ({ field, text, shows: 'sinks' });
export const verdict = (field: string, text: string): Effect => ({ field, text, shows: 'verdict' });

/** Effects of the fields of one message. */
export function effectsOf(message: string, fields: Readonly<Record<string, string>>): readonly Effect[] {
  return Object.entries(fields).map(([field, text]) => run(`${message}.${field}`, text));
}

export const HOSTS = '10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80, 10.0.0.4:80';
/** Two hundred requests in two seconds, each with a key of its own. */
export const TRAFFIC =
  'workloads: [{cluster: b, arrivals: {constant: 100/s}, stop: 2s, hash_key: {sequence: {keys: 1000}}}]\n';

export interface Parts {
  readonly hosts?: string;
  readonly traffic?: string;
  readonly rest?: string;
}

/** A cluster `b` with a few hosts under steady traffic. */
export function cluster(fields: string, { hosts = HOSTS, traffic = TRAFFIC, rest = '' }: Parts = {}): string {
  const endpoints = hosts === '' ? '' : `endpoints: {b: [${hosts}]}\n`;
  return `clusters: [{name: b, ${fields}}]\n${endpoints}${traffic}${rest}`;
}

/** A cluster whose assignment is written out. */
export function assigned(assignment: string, fields = 'lb_policy: ROUND_ROBIN', rest = ''): string {
  return cluster(`${fields}, load_assignment: {cluster_name: b, ${assignment}}`, { hosts: '', rest });
}

/** A cluster of v3 with a typed policy: by its message, with these settings. */
export function typed(message: string, settings: string, parts: Parts = {}): string {
  return cluster(typedPolicy('load_balancing_policy', message, settings), parts);
}

export function typedPolicy(field: string, message: string, settings: string): string {
  const type = `"@type": type.googleapis.com/envoy.extensions.load_balancing_policies.${message}`;
  return `${field}: {policies: [{typed_extension_config: {name: a, typed_config: {${type}, ${settings}}}}]}`;
}

/** Weights by what hosts report, worked out ten times a second. */
export function weighted(rest: string, metric = 'cpu_utilization'): string {
  const settings = `blackout_period: 0s, weight_update_period: 0.1s, error_utilization_penalty: 1, metric_names_for_computing_utilization: [${metric}]`;
  return typed('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin', settings, { rest });
}

/** One host has half a load, the other says what is given. */
export function reporting(report: string): string {
  const other =
    'cpu_utilization: 0.5, mem_utilization: 0.5, named_metrics: {q: 0.5}, utilization: {q: 0.5}, rps_fractional: 50';
  return `behavior: [{load_report: {${other}}}, {hosts: 10.0.0.1:80, load_report: {${report}}}]\n`;
}

export function endpoint(address: string, more = '', inner = ''): string {
  const [ip = '', port = ''] = address.split(':');
  return `{endpoint: {address: {socket_address: {address: ${ip}, port_value: ${port}}}${inner}}${more}}`;
}
