/**
 * What a recorder did beside its scenario, put into the scenario: it is then run as it stands.
 *
 * - `conns`: requests of a split came from so many users, each with one request at a time.
 * - `initial`, and `x-harness` of `set_behavior`: what hosts reported of their load.
 * - `route_hash_policy: []`: the route computed no hash.
 * - A header `x-wl` held the name of the workload.
 */

/** What a client takes between an answer and its next request: no two turn around in the same time. */
const TURN = { uniform: { min: '0.2ms', max: '1ms' } };

type Fields = Readonly<Record<string, unknown>>;

export function withHarness(scenario: unknown, harness: unknown, kind: string): unknown {
  if (!isFields(scenario)) return scenario;
  const told = isFields(harness) ? harness : {};
  const hashesItself = JSON.stringify(scenario['clusters'] ?? []).includes('"hash_policy"');
  const workloads = listOf(scenario['workloads']).map((workload) => withTraffic(workload, told, kind, hashesItself));
  const reports = Object.entries(isFields(told['initial']) ? told['initial'] : {}).map(([address, value]) => ({
    hosts: { address },
    ...reportOf(value),
  }));
  const behavior = [...listOf(scenario['hosts'] ?? scenario['behavior']), ...reports];
  const rest = Object.entries(scenario).filter(
    ([name]) => !['hosts', 'behavior', 'workloads', 'timeline'].includes(name),
  );
  return {
    ...Object.fromEntries(rest),
    ...(behavior.length > 0 && { behavior }),
    ...(scenario['workloads'] !== undefined && { workloads }),
    ...(scenario['timeline'] !== undefined && { timeline: listOf(scenario['timeline']).map(withReports) }),
  };
}

/** Requests came from several users at once. */
export function hasUsers(harness: unknown, kind: string): boolean {
  const users = isFields(harness) ? harness['conns'] : undefined;
  return kind === 'split' && typeof users === 'number' && users > 1;
}

function withTraffic(workload: unknown, harness: Fields, kind: string, hashesItself: boolean): unknown {
  if (!isFields(workload)) return workload;
  const users = harness['conns'];
  const name = workload['name'];
  const headers = {
    ...(typeof name === 'string' && { 'x-wl': name }),
    ...(isFields(workload['headers']) && workload['headers']),
  };
  return {
    ...workload,
    headers,
    ...(hasUsers(harness, kind) && { arrivals: { closed: { users, think_time: TURN } } }),
    // Where the cluster's policy hashes by itself, the route does not matter.
    ...(Array.isArray(harness['route_hash_policy']) && !hashesItself && { route_hash: false }),
  };
}

/** An entry of the timeline whose recorder told of load reports. */
function withReports(entry: unknown): unknown {
  if (!isFields(entry) || !isFields(entry['set_behavior'])) return entry;
  const { 'x-harness': told, ...behavior } = entry['set_behavior'];
  return { ...entry, set_behavior: { ...behavior, ...reportOf(told) } };
}

/** `{load_metrics: "TEXT cpu_utilization=0.2,rps_fractional=100"}`, as the header of answers has it; "" is no header. */
function reportOf(told: unknown): Fields {
  const metrics = isFields(told) ? told['load_metrics'] : undefined;
  if (typeof metrics !== 'string') return {};
  if (metrics === '') return { load_report: 'none' };
  const report: Record<string, unknown> = {};
  for (const pair of metrics.replace(/^TEXT /, '').split(',')) {
    const [name = '', value = ''] = pair.split('=');
    const [group, key] = name.split('.');
    if (group === undefined || key === undefined) report[name] = Number(value);
    else report[group] = { ...(isFields(report[group]) && report[group]), [key]: Number(value) };
  }
  return { load_report: report };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
