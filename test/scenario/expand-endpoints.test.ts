import { describe, expect, it } from 'vitest';
import { encode } from '../../src/config/write.js';
import { ClusterLoadAssignment } from '../../src/config/assignment-rules.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

function load(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const HOSTS = `
    - 10.0.0.1:80
    - "[2001:DB8::1]:443"
    - {address: 10.0.0.255:80, count: 3, weight: 7, zone: a}
    - {address: 10.0.2.1:80, priority: 1, locality: {region: r, zone: a, sub_zone: s}, health: DRAINING}
    - {address: 10.0.2.2:80, zone: a, hostname: h, metadata: {version: "1", numbers: [1, 1.5], deep: {x: null}}}
    - {address: 10.0.2.3:80, metadata: {filter_metadata: {envoy.lb: {v: 1}, other: {}}}}
`;

describe('the shorthand for endpoints', () => {
  it('is the ClusterLoadAssignment that it stands for, as if that had been written', () => {
    const [short] = load(`clusters: [{name: b}]\nendpoints:\n  b:${HOSTS}`).clusters;
    if (short?.loadAssignment === undefined) throw new Error('not written out');
    const written = JSON.stringify(encode(ClusterLoadAssignment, short.loadAssignment));
    const [long] = load(
      JSON.stringify({ clusters: [{ name: 'b', load_assignment: JSON.parse(written) as unknown }] }),
    ).clusters;
    expect(short).toEqual(long);
    expect(short.loadAssignment.endpoints.map(({ lbEndpoints }) => lbEndpoints.length)).toEqual([3, 4, 1]);
  });

  it('is the assignment of an EDS cluster, under the name that EDS is asked for', () => {
    const eds = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}}, service_name: s}';
    const { assignments, clusters } = load(`clusters: [{name: b, ${eds}}]\nendpoints:\n  b:${HOSTS}`);
    expect([...assignments.keys()]).toEqual(['s']);
    expect(assignments.get('s')?.clusterName).toBe('s');
    expect(clusters[0]?.loadAssignment).toBeUndefined();
  });

  it('shows problems of what it stands for where the host is written', () => {
    const text = `clusters: [{name: b, lb_policy: MAGLEV}]
endpoints:
  b:
    - {address: 10.0.0.1:80, weight: 4294967295}
    - {address: 10.0.0.2:80, weight: 1}
`;
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.map(({ line, rule }) => `${line} ${rule}`)).toEqual(['5 weight-sum']);
  });

  it('takes no namespace without a name', () => {
    const text =
      'clusters: [{name: b}]\nendpoints: {b: [{address: 10.0.0.1:80, metadata: {filter_metadata: {"": {}}}}]}\n';
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(['key: a key must not be empty']);
  });
});
