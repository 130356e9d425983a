import { describe, expect, it } from 'vitest';
import { createSimulation, loadScenario, type Scenario } from '../../src/index.js';

/** What joins a run while it goes on does what the same entry of the file does. */

const text = `
clusters:
- {name: web, lb_policy: LEAST_REQUEST, outlier_detection: {consecutive_5xx: 3}}
- {name: spare, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
endpoints:
  web: [{address: 10.0.0.1:80, count: 4, zone: a}]
  spare: [10.0.1.1:80]
behavior: [{hosts: {}, service_time: {exponential: {mean: 40ms}}}]
workloads: [{name: users, cluster: web, arrivals: 200/s, stop: 10s}]
`;

function load(timeline = ''): Scenario {
  const { scenario, problems } = loadScenario({ file: 'web.yaml', text: text + timeline });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const begin = () => createSimulation(load());

describe('Simulation.apply', () => {
  it.each<[string, object]>([
    ['fail: 10.0.0.3:80', { fail: '10.0.0.3:80' }],
    [
      'set_health: {hosts: 10.0.0.1:80, status: UNHEALTHY}',
      { set_health: { hosts: '10.0.0.1:80', status: 'UNHEALTHY' } },
    ],
    ['set_weight: {hosts: 10.0.0.1:80, weight: 7}', { set_weight: { hosts: '10.0.0.1:80', weight: 7 } }],
    [
      'add_hosts: {cluster: web, zone: a, endpoints: [10.0.0.9:80]}',
      { add_hosts: { cluster: 'web', zone: 'a', endpoints: ['10.0.0.9:80'] } },
    ],
    ['remove_hosts: 10.0.0.2:80', { remove_hosts: '10.0.0.2:80' }],
    ['set_rate: {workload: users, rate: 50/s}', { set_rate: { workload: 'users', rate: '50/s' } }],
    ['set_behavior: {hosts: {}, service_time: 5ms}', { set_behavior: { hosts: {}, service_time: '5ms' } }],
    ['note: here', { note: 'here' }],
  ])('%s by hand leaves the bytes of the timeline', async (written, action) => {
    const byFile = await createSimulation(load(`timeline: [{at: 5s, ${written}}]`));
    while (!byFile.advance(1000));
    const byHand = await begin();
    byHand.advance(Infinity, 4_999_999);
    byHand.apply({ at: '5s', ...action });
    while (!byHand.advance(1000));
    expect(JSON.stringify(byHand.result())).toBe(JSON.stringify(byFile.result()));
  });

  it('replaces a cluster as the timeline does; CDS has statistics only where the file says that it speaks', async () => {
    const byFile = await createSimulation(load('timeline: [{at: 5s, update_cluster: {name: web, lb_policy: RANDOM}}]'));
    while (!byFile.advance(1000));
    const byHand = await begin();
    byHand.apply({ at: '5s', update_cluster: { name: 'web', lb_policy: 'RANDOM' } });
    while (!byHand.advance(1000));
    expect(byHand.result().clusters).toEqual(byFile.result().clusters);
  });

  it('acts now without a time, and again and again with every', async () => {
    const simulation = await begin();
    simulation.advance(Infinity, 2_000_000);
    simulation.apply({ fail: '10.0.0.3:80' });
    simulation.apply({ every: '1s', from: '3s', until: '6s', note: 'still down' });
    while (!simulation.advance(1000));
    const [, second] = simulation.result().clusters['web']?.phases ?? [];
    expect(second?.from_s).toBeLessThanOrEqual(2);
    expect(second?.from_s).toBeGreaterThan(1.9);
  });

  it('knows the hosts that have joined', async () => {
    const simulation = await begin();
    simulation.apply({ add_hosts: { cluster: 'web', endpoints: ['10.0.0.9:80'] } });
    expect(() => simulation.apply({ fail: '10.0.0.9:80' })).not.toThrow();
  });

  it.each<[unknown, string]>([
    ['fail', "entry is 'fail', and has to be an object"],
    [undefined, 'entry is undefined, and has to be an object'],
    [{ fial: '10.0.0.1:80' }, 'fial'],
    [{}, 'apply: '],
    [{ fail: '10.0.0.7:80' }, 'no host is ever 10.0.0.7:80'],
    [{ at: '1s', fail: '10.0.0.1:80' }, '1s is past: the run is at 1.9'],
    [{ remove_cluster: 'wbe' }, 'there is no cluster "wbe"'],
    [{ update_cluster: { name: 'other', lb_policy: 'RANDOM' } }, 'there is no cluster "other"'],
    [{ set_rate: { workload: 'user', rate: '5/s' } }, 'there is no workload "user"'],
    [{ set_weight: { hosts: '10.0.0.1:80', weight: NaN } }, 'weight'],
    [{ set_weight: { hosts: '10.0.0.1:80', weight: 0 } }, 'weight'],
  ])('refuses %j by name', async (entry, words) => {
    const simulation = await begin();
    simulation.advance(Infinity, 2_000_000);
    expect(() => simulation.apply(entry as Record<string, unknown>)).toThrow(words);
    expect(() => simulation.apply(entry as Record<string, unknown>)).toThrow(TypeError);
  });
});
