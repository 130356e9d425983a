import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import type { RunResult } from '../../src/words/results.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

interface Both {
  readonly run: RunResult;
  /** `from cause` of each phase of `web`, as the run and as the prediction has it: they have to agree. */
  readonly phases: readonly string[];
}

/** Runs and predicts a scenario of a cluster `web` with constant traffic. */
async function both(text: string): Promise<Both> {
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (scenario === undefined) throw new Error('it does not load');
  const [run, prediction] = [await runScenario(scenario), await predict(scenario)];
  const startsOf = (phases: readonly { from_s: number }[] = []): number[] => phases.map((phase) => phase.from_s);
  const { phases = [] } = run.clusters['web'] ?? {};
  expect(startsOf(prediction.clusters['web']?.phases)).toEqual(startsOf(phases));
  return { run, phases: phases.map((phase) => `${phase.from_s} ${phase.cause}`) };
}

function requestsOf({ run }: Both, phase: number): Record<string, number> {
  const hosts = run.clusters['web']?.phases[phase]?.hosts ?? [];
  return Object.fromEntries(hosts.map(({ address, requests }) => [address, requests]));
}

function counter({ run }: Both, name: string): number | undefined {
  return run.stats.counters[`cluster_manager.${name}`];
}

const ADS = 'eds_cluster_config: {eds_config: {ads: {}}}';
const TRAFFIC = 'workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 4s}]\n';

describe('entries of one instant', () => {
  it('let a whole assignment act first, wherever it stands', async () => {
    const seen = await both(`${TRAFFIC}
clusters: [{name: web, type: EDS, ${ADS}, lb_policy: ROUND_ROBIN, common_lb_config: {update_merge_window: 0s}}]
assignments: {web: {cluster_name: web, endpoints: []}}
timeline:
  - {at: 2s, set_weight: {hosts: 10.0.0.2:80, weight: 3}}
  - at: 2s
    assign:
      cluster_name: web
      endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}, {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]
`);
    expect(requestsOf(seen, 1)).toEqual({ '10.0.0.1:80': 50, '10.0.0.2:80': 150 });
  });

  it('act in the order of the file, repeated ones too', async () => {
    const seen = await both(`${TRAFFIC}
clusters: [{name: web, lb_policy: ROUND_ROBIN, common_lb_config: {update_merge_window: 0s}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
timeline:
  - {every: 1s, from: 1s, until: 4s, set_weight: {hosts: 10.0.0.2:80, weight: 1}}
  - {at: 3s, set_weight: {hosts: 10.0.0.2:80, weight: 3}}
`);
    expect(requestsOf(seen, seen.phases.length - 1)).toEqual({ '10.0.0.1:80': 25, '10.0.0.2:80': 75 });
  });
});

describe('an edit of a cluster', () => {
  const edited = (type: string, proxy: string): string => `${TRAFFIC}
proxy: ${proxy}
clusters: [{name: web, ${type}, lb_policy: ROUND_ROBIN}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
timeline:
  - {at: 1s, set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}}
  - {at: 1500ms, set_health: {hosts: 10.0.0.1:80, status: HEALTHY}}
`;
  const OFF = 'envoy.reloadable_features.enable_batch_aware_update';

  it.each(['type: STATIC', `type: EDS, ${ADS}`])('waits for no merge window since 1.40 (%s)', async (type) => {
    const seen = await both(edited(type, '{version: "1.40"}'));
    expect(seen.phases.map((phase) => Number(phase.split(' ')[0]))).toEqual([0, 1, 1.5]);
    expect(counter(seen, 'cluster_updated')).toBe(2);
    expect(counter(seen, 'update_out_of_merge_window')).toBe(0);
  });

  it.each([
    ['before', '{version: "1.17"}'],
    ['with the guard off', `{version: "1.40", runtime: {${OFF}: false}}`],
  ])('waits for it %s', async (_, proxy) => {
    const seen = await both(edited('type: STATIC', proxy));
    expect(seen.phases.map((phase) => Number(phase.split(' ')[0]))).toEqual([0, 1, 2.5]);
    expect(counter(seen, 'cluster_updated_via_merge')).toBe(1);
  });

  it('follows the guard while it changes; null takes the value away', async () => {
    const seen = await both(`${edited('type: STATIC', '{version: "1.40"}')}
  - {at: 500ms, set_runtime: {${OFF}: false}}
  - {at: 1200ms, set_runtime: {${OFF}: null}}
`);
    expect(seen.phases.map((phase) => Number(phase.split(' ')[0]))).toEqual([0, 1, 1.5]);
    expect(counter(seen, 'update_out_of_merge_window')).toBe(1);
  });
});

describe('a phase', () => {
  it('does not begin where a level without hosts is named for the first time', async () => {
    // The address is known from level 0 already, and discovery keeps its first mention.
    const { phases } = await both(`${TRAFFIC}
clusters: [{name: web, type: EDS, ${ADS}, lb_policy: ROUND_ROBIN, common_lb_config: {locality_weighted_lb_config: {}, update_merge_window: 0s}}]
endpoints: {web: [10.0.0.1:80]}
timeline:
  - {at: 2s, add_hosts: {cluster: web, priority: 1, endpoints: [10.0.0.1:80]}}
`);
    expect(phases).toEqual(['0 start']);
  });

  const zones = (timeline: string): string => `${TRAFFIC}
proxy: {version: "1.40", node: {cluster: own, locality: {zone: a}}, local_cluster_name: own, runtime: {upstream.zone_routing.enabled: 0}}
clusters: [{name: web, lb_policy: ROUND_ROBIN}, {name: own, lb_policy: ROUND_ROBIN}]
endpoints:
  web: [{address: 10.0.0.1:80, count: 3, zone: a}, {address: 10.0.1.1:80, count: 3, zone: b}]
  own: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.1.1:80, zone: b}]
timeline:
${timeline}`;

  it('begins where runtime changes what zones do; null brings back what is configured', async () => {
    const seen = await both(zones('  - {at: 2s, set_runtime: {upstream.zone_routing.enabled: null}}\n'));
    const { phases = [] } = seen.run.clusters['web'] ?? {};
    expect(phases.map(({ from_s, reasons }) => [from_s, ...reasons])).toEqual([
      [0, 'zone routing is off, as routing_enabled is 0 %'],
      [2, 'zone routing keeps everything in the proxy’s zone'],
    ]);
    expect(requestsOf(seen, 1)['10.0.1.1:80'] ?? 0).toBe(0);
  });

  it('tells at the start what holds when the local cluster is there, and so at later instants', async () => {
    const eds = zones('  - {at: 2s, remove_hosts: {zone: b}}\n').replace(/runtime: \{.*?\}/, 'workers: 1');
    const { phases = [] } = (await both(eds)).run.clusters['web'] ?? {};
    expect(phases.map(({ reasons }) => reasons)).toEqual([
      ['zone routing keeps everything in the proxy’s zone'],
      ['zone routing is off, as the cluster is in 1 zone and needs 2'],
    ]);
  });

  it('begins where only the local cluster has news, since zones are routed by its hosts', async () => {
    const { run, phases: cuts } = await both(
      zones('  - {at: 2s, remove_hosts: 10.1.1.1:80}\n').replace(/, runtime: \{.*?\}/, ''),
    );
    expect(cuts).toEqual(['0 start', '2 10.1.1.1:80 leaves']);
    expect(run.clusters['web']?.phases.map(({ reasons }) => reasons)).toEqual([
      ['zone routing keeps everything in the proxy’s zone'],
      ['zone routing is off, as the local cluster is in 1 zone and needs 2'],
    ]);
    // Hashes are the same in each zone.
    const hashed = zones('  - {at: 2s, remove_hosts: 10.1.1.1:80}\n').replace(
      'web, lb_policy: ROUND_ROBIN',
      'web, lb_policy: MAGLEV',
    );
    expect((await both(hashed)).phases).toEqual(['0 start']);
  });
});
