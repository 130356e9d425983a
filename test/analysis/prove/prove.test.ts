import { describe, expect, it } from 'vitest';
import { curve, prove, survive } from '../../../src/words/library.js';
import { Losses } from '../../../src/analysis/prove/losses.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';

function load(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** Two zones of hosts of priority 0, one of priority 1. */
const ZONES = `
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]
endpoints:
  web:
    - {address: 10.0.0.1:80, count: 2, zone: a}
    - {address: 10.0.1.1:80, count: 3, zone: b}
behavior: [{hosts: {}, service_time: 10ms, concurrency: 4}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s}]
`;

describe('prove', () => {
  it('tries all sets of up to three hosts of a large table if asked to', async () => {
    const scenario = load(`
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_policy: MAGLEV, maglev_lb_config: {table_size: 211}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 102}]}
workloads: [{cluster: web, arrivals: {constant: 1200/s}, stop: 1s, hash_key: {sequence: {keys: 120}}}]
`);
    const overload = async (exhaustive: boolean) => {
      const { found } = await prove(scenario, { capacity: 65, exhaustive });
      return found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts');
    };
    expect(await overload(false)).toMatchObject({ size: 6, at_least: 2, smallest: false, undecided: 'table' });
    expect(await overload(true)).toMatchObject({ size: 2, smallest: true, covered: { by: 'sets', number: 867 } });
  });

  it('finds the edge of panic: of five hosts, three are the fewest whose loss leaves less than half', async () => {
    const { found } = await prove(load(ZONES));
    const of = (brings: string, lose: string) => found.find((one) => one.brings === brings && one.lose === lose);
    expect(of('panic', 'hosts')).toMatchObject({ size: 3, of: 5, smallest: true, panic: true });
    // All five are used then, and three of them answer nobody.
    expect(of('failures', 'hosts')?.failed).toBeCloseTo(0.6, 9);
    expect(of('panic', 'zones')).toMatchObject({
      size: 1,
      of: 2,
      set: ['b'],
      addresses: ['10.0.1.1:80', '10.0.1.2:80', '10.0.1.3:80'],
    });
    // 400 requests a second each, 1,000 in all: two hosts are too few.
    expect(of('overload', 'hosts')).toMatchObject({ size: null });
    const tight = await prove(load(ZONES), { capacity: 300 });
    expect(tight.found.find((one) => one.brings === 'overload' && one.lose === 'hosts')).toMatchObject({
      size: 2,
      fullest: { perSecond: expect.closeTo(1000 / 3, 6) as number },
    });
  });

  it('tells how many hosts more may go beside any one zone', async () => {
    const three = ZONES.replace(
      '    - {address: 10.0.1.1:80, count: 3, zone: b}\n',
      '    - {address: 10.0.1.1:80, count: 3, zone: b}\n    - {address: 10.0.2.1:80, count: 4, zone: c}\n',
    );
    const { found } = await prove(load(three));
    const beside = found.filter(({ lose }) => lose === 'zone_then_hosts');
    // Five of nine are fewer than half: four of zone c, and any other.
    expect(beside).toMatchObject([
      { brings: 'panic', zone: 'c', size: 1, of: 5, at_least: 1, smallest: true },
      { brings: 'failures', zone: 'c', size: 1 },
    ]);
    expect(beside[0]?.addresses).toHaveLength(5);
    expect(beside[0]?.groups).toMatchObject([{ lost: 1, of: 5, any: true }]);
  });

  it('knows what was asked before the last priority that covers anything is lost', async () => {
    const host = (last: number, weight: number, health = 'HEALTHY'): string =>
      `{endpoint: {address: {socket_address: {address: 10.0.0.${last}, port_value: 80}}}, load_balancing_weight: ${weight}, health_status: ${health}}`;
    const heavy = `
clusters:
  - {name: local, type: STATIC, load_assignment: {cluster_name: local, endpoints: [{locality: {zone: b}, lb_endpoints: [${host(9, 1)}]}]}}
  - name: web
    type: EDS
    eds_cluster_config: {eds_config: {ads: {}}}
    health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]
    common_lb_config:
      healthy_panic_threshold: {value: 29}
      zone_aware_lb_config: {min_cluster_size: 1, force_local_zone: {}, fail_traffic_on_panic: true}
assignments:
  web:
    cluster_name: web
    policy: {overprovisioning_factor: 100, weighted_priority_health: true}
    endpoints:
      - {priority: 0, locality: {zone: a}, lb_endpoints: [${host(1, 1, 'UNHEALTHY')}, ${host(2, 1, 'UNHEALTHY')}]}
      - {priority: 0, locality: {zone: b}, lb_endpoints: [${host(3, 1)}, ${host(4, 1)}]}
      - {priority: 1, lb_endpoints: [${host(5, 1)}, ${host(6, 1)}, ${host(7, 300)}, ${host(8, 300, 'UNHEALTHY')}]}
proxies: [{version: "1.40", local_cluster_name: local, node: {locality: {zone: b}}}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s}]
`;
    const { found } = await prove(load(heavy), { clusters: ['web'] });
    // Without zone b priority 0 covers nothing, and gets nothing; without the heavy host nothing covers anything, and priority 1 keeps all.
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'zone_then_hosts')).toMatchObject({
      zone: '(none)',
      addresses: ['10.0.0.5:80', '10.0.0.6:80', '10.0.0.7:80', '10.0.0.3:80'],
    });
  });

  it('adds up what proxies of two kinds send, however few hosts are ejected', async () => {
    const shared = `
clusters: [{name: web, outlier_detection: {max_ejection_percent: 20}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80, {address: 10.0.0.4:80, health: DRAINING}]}
behavior: [{hosts: {}, service_time: 10ms, concurrency: 9}, {hosts: 10.0.0.1:80, service_time: 10ms, concurrency: 1}]
proxies: [{name: old, version: "1.12"}, {name: new, version: "1.40"}]
workloads: [{cluster: web, arrivals: {constant: 240/s}, stop: 1s}]
`;
    const { found } = await prove(load(shared));
    expect(found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts')).toMatchObject({ size: 1 });
  });

  it('tells when more requests are open than circuit breakers admit', async () => {
    const slow = `
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, circuit_breakers: {thresholds: [{max_requests: 25}]}}]
endpoints:
  web:
    - {address: 10.0.0.1:80, count: 10}
    - {address: 10.0.1.1:80, count: 10, priority: 1}
behavior: [{hosts: {}, service_time: 20ms}, {hosts: {address: 10.0.1.0/24}, network_latency: 30ms}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s}]
`;
    const { found } = await prove(load(slow));
    // With five of ten left priority 0 takes 70 %: 14 + 15 are open; with six left 84 %: 16.8 + 8.
    expect(found.find(({ brings, lose }) => brings === 'limit' && lose === 'hosts')).toMatchObject({
      size: 5,
      smallest: true,
      covered: { by: 'classes' },
      open: { requests: expect.closeTo(29, 6) as number, admitted: 25 },
    });
    const two = await prove(load(`${slow}proxies: [{name: a}, {name: b}]\n`));
    expect(two.found.some(({ brings }) => brings === 'limit')).toBe(false);
    expect(two.notes.join()).toContain('limits of circuit breakers, which count by proxy');
    expect(
      await survive(load(`${slow}proxies: [{name: a}, {name: b}]\n`), ['1-hosts'], { without: ['limit'] }),
    ).toMatchObject({
      survives: null,
    });
  });

  it.each([
    ['1.17', 365],
    // 15 of them of the own zone: the other 18 get all that stays there.
    ['1.40', 390],
  ])('decides on 990 hosts that %s routes by zone', async (version, fewest) => {
    const zones = (first: number, count: number): string =>
      Array.from(
        { length: 30 },
        (_, z) => `    - {address: 10.${first + z}.0.1:80, count: ${count}, zone: z${z}}\n`,
      ).join('');
    const { found } = await prove(
      load(`
clusters: [{name: web, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]}, {name: local}]
endpoints:
  web:
${zones(0, 33)}  local:
${zones(100, 10)}proxies: [{name: p, version: "${version}", local_cluster_name: local, node: {locality: {zone: z0}}}]
workloads: [{cluster: web, arrivals: {constant: 2000/s}, stop: 1s}]
`),
      { clusters: ['web'], capacity: 100 },
    );
    const hosts = found.filter(({ lose }) => lose === 'hosts');
    expect(hosts.map(({ brings, size, smallest }) => [brings, size, smallest])).toEqual([
      ['panic', 496, true],
      ['failures', 496, true],
      ['overload', fewest, true],
      ['outside', 1, true],
    ]);
  });

  it('adds up what proxies of two zones send to a host', async () => {
    const zoned = (name: string, zone: string): string =>
      `{name: ${name}, version: "1.40", local_cluster_name: local, node: {locality: {zone: ${zone}}}}`;
    const text = `
clusters: [{name: web, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]}, {name: local}]
endpoints:
  web: [{address: 10.0.0.1:80, count: 6, zone: a}, {address: 10.0.1.1:80, count: 18, zone: b}]
  local: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.1.1:80, zone: b}]
proxies: [${zoned('p', 'a')}, ${zoned('q', 'b')}]
workloads: [{cluster: web, arrivals: {constant: 2400/s}, stop: 1s}]
`;
    const { found } = await prove(load(text), { clusters: ['web'], capacity: 120 });
    const overload = found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts');
    // Half of the requests come from each zone: with 19 hosts left each gets as much as any other, 126 a second.
    expect(overload).toMatchObject({ size: 5, smallest: true, covered: { by: 'classes' } });
  });

  it('takes hosts together that are alike, though a few are listed twice', async () => {
    const twice = ZONES.replace('10.0.1.1:80, count: 3', '10.0.0.2:80, count: 9');
    // EDS takes the first entry of an address; of a static cluster both are hosts.
    expect((await Losses.all(load(twice)))('web').hosts.map(({ host }) => host.address)).toEqual([
      '10.0.0.1:80',
      '10.0.0.3:80',
    ]);
    const fixed = twice.replace('type: EDS, eds_cluster_config: {eds_config: {ads: {}}}', 'type: STATIC');
    expect((await Losses.all(load(fixed)))('web').hosts).toHaveLength(4);
    const many = fixed.replace('count: 2', 'count: 200002').replace('count: 9', 'count: 200002');
    expect((await prove(load(many))).notes.join()).toContain('too many hosts, some of them listed twice');
  });

  it.each([
    ['RING_HASH', '', 28, [5, 5]],
    ['RING_HASH', ', hash_key: {uniform: {keys: 1000}}', 50, [11, 11]],
    ['RING_HASH', '', 40, [10, 10]],
    // Twenty thousand steps do not tell whether eighteen hosts overload one.
    ['RING_HASH', '', 60, [21, 18]],
    // 11 requests a second each: of 91 hosts that are left some have 721 of 65,537 entries.
    ['MAGLEV', '', 11, [9, 9]],
  ])('knows what the losses of a table %s move%s, at %d requests a second', async (policy, keys, capacity, sizes) => {
    const scenario = load(`
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_policy: ${policy}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 100}]}
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s${keys}}]
`);
    const { found } = await prove(scenario, { capacity });
    const overload = found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts');
    expect([overload?.size, overload?.at_least]).toEqual(sizes);
    expect(overload).toMatchObject({ covered: { by: 'classes' }, smallest: sizes[0] === sizes[1] });
    expect(overload?.groups.map(({ any }) => any)).toEqual([false]);
  });

  it.each([
    // All sets of up to three of thirty hosts; the six are those that alone move the most to one.
    [80, 2, 2],
    [85, 3, 3],
    [95, 6, 4],
  ])('tries tables of Maglev that move keys, up to %d requests a second', async (capacity, size, atLeast) => {
    const { found } = await prove(
      load(`
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_policy: MAGLEV, maglev_lb_config: {table_size: 1009}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 30}]}
proxies: [{name: p, version: '1.40'}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s, hash_key: {uniform: {keys: 200}}}]
`),
      { capacity },
    );
    const overload = found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts');
    expect([overload?.size, overload?.at_least]).toEqual([size, atLeast]);
  });

  it('loses a host in every place that it has, whatever its health there', async () => {
    const place = (priority: number, ...hosts: readonly string[]): string =>
      `{priority: ${priority}, lb_endpoints: [${hosts.join()}]}`;
    const host = (last: number, health: string): string =>
      `{endpoint: {address: {socket_address: {address: 10.0.0.${last}, port_value: 80}}}, health_status: ${health}}`;
    const { found } = await prove(
      load(`
clusters:
  - name: web
    health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]
    load_assignment:
      cluster_name: web
      endpoints: [${place(0, host(1, 'HEALTHY'), host(2, 'UNHEALTHY'))}, ${place(1, host(2, 'HEALTHY'))}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s}]
`),
    );
    // In panic both priorities are asked, and both hosts of each are lost.
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'hosts')).toMatchObject({
      size: 2,
      failed: 1,
    });
  });

  it('takes it for no panic of a table that no key reaches the priority in panic', async () => {
    const place = (priority: number): string => {
      const hosts = [1, 2, 3, 4].map(
        (host) => `{endpoint: {address: {socket_address: {address: 10.0.${priority}.${host}, port_value: 80}}}}`,
      );
      return `{priority: ${priority}, lb_endpoints: [${hosts.join()}]}`;
    };
    const scenario = (keys: string): Scenario =>
      load(`
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_policy: RING_HASH, common_lb_config: {healthy_panic_threshold: {value: 40}}}]
assignments:
  web:
    cluster_name: web
    policy: {overprovisioning_factor: 100}
    endpoints: [${[0, 1].map(place).join()}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s, hash_key: ${keys}}]
`);
    const fewest = async (keys: string) =>
      (await prove(scenario(keys))).found.find(({ brings, lose }) => brings === 'panic' && lose === 'hosts');
    // 25 % and 50 %, or 50 % and 25 %, are scaled to 33 and 67: what a third of the requests goes to is in panic.
    expect(await fewest('{uniform: {keys: 1000}}')).toMatchObject({ size: 5, smallest: true });
    expect(await fewest('{cycle: [d]}')).toMatchObject({ size: 5, smallest: true });
    // Its hash goes to the other priority both times.
    expect(await fewest('{cycle: [a]}')).toMatchObject({ size: 6, smallest: true });
  });

  it('takes no word of a subset’s name for a panic', async () => {
    const subset = '{v: "blue: panic button, no table is empty"}';
    const { found } = await prove(
      load(`
clusters: [{name: web, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: {path: /}}], lb_subset_config: {subset_selectors: [{keys: [v]}]}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 8, metadata: ${subset}}]}
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 1s, metadata_match: ${subset}}]
`),
    );
    const panic = found.find(({ brings }) => brings === 'panic');
    expect(panic).toMatchObject({ size: 5, of: 8 });
    expect(panic?.facts).toMatchObject([{ kind: 'panic', subset, available: 3, counted: 8, threshold: 50 }]);
  });

  it('finds trouble that ends again as more is lost', async () => {
    // Of 40 hosts, one panics at 21 lost; from 12 to 20 lost those that are left carry more than 36 requests a second.
    const hosts = Array.from({ length: 8 }, (_, zone) => `{address: 10.0.${zone}.1:80, count: 5, zone: z${zone}}`);
    const text = ZONES.replace(/ {4}- \{.*\n {4}- \{.*\n/, hosts.map((host) => `    - ${host}\n`).join(''));
    const { found } = await prove(load(text), { capacity: 35 });
    const overload = found.find((one) => one.brings === 'overload' && one.lose === 'hosts');
    expect(overload).toMatchObject({ size: 12, of: 40, panic: false });
  });

  it('begins with what is out at the start: hosts that are unhealthy or down are no further loss', async () => {
    for (const entry of [
      'set_health: {hosts: {address: 10.0.0.1:80}, status: UNHEALTHY}',
      'fail: {address: 10.0.0.1:80}',
    ]) {
      const scenario = load(`${ZONES}timeline: [{at: 0s, ${entry}}, {at: 500ms, fail: {address: 10.0.0.2:80}}]\n`);
      const { found, notes } = await prove(scenario);
      const panic = found.find(({ brings, lose }) => brings === 'panic' && lose === 'hosts');
      expect(panic).toMatchObject({ size: 2, of: 4, smallest: true });
      expect(panic?.addresses).not.toContain('10.0.0.1:80');
      expect(notes).toContain('web: 1 of 5 hosts already out; what is lost comes on top');
      const { points, edges } = await curve(scenario, 'zone=b');
      expect(points.map(({ host }) => host)).toEqual([null, '10.0.1.1:80', '10.0.1.2:80', '10.0.1.3:80']);
      expect(edges[0]).toEqual({ lost: 2, what: 'panic begins' });
    }
  });

  it('leaves hosts that are down their part where nothing notices', async () => {
    const unnoticed = ZONES.replace('type: EDS, eds_cluster_config: {eds_config: {ads: {}}}', 'type: STATIC');
    const { found } = await prove(load(`${unnoticed}timeline: [{at: 0s, fail: {address: 10.0.0.1:80}}]\n`));
    const failures = found.find(({ brings, lose }) => brings === 'failures' && lose === 'hosts');
    expect(failures).toMatchObject({ size: 0, failed: expect.closeTo(0.2, 9) as number });
  });

  it('says that hosts are idle where tables bound what they take', async () => {
    const text = ZONES.replace(
      '{name: web,',
      '{name: web, lb_policy: RING_HASH, common_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 125}},',
    );
    const { notes, found } = await prove(load(`proxy: {version: 1.40}\n${text}`));
    expect(notes.join()).toContain('hash_balance_factor turns no request away');
    const plain = await prove(
      load(`proxy: {version: 1.40}\n${ZONES.replace('{name: web,', '{name: web, lb_policy: RING_HASH,')}`),
    );
    expect(found).toEqual(plain.found);
    expect(plain.notes.join()).not.toContain('idle');
  });

  it('says what is already so, and what there is nothing to search with', async () => {
    const ill = ZONES.replace('count: 3, zone: b', 'count: 3, zone: b, health: UNHEALTHY');
    const { found } = await prove(load(ill));
    expect(found.find((one) => one.brings === 'panic' && one.lose === 'hosts')).toMatchObject({ size: 0 });
    const original =
      'clusters: [{name: web, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}]\nworkloads: [{cluster: web, arrivals: 1/s, stop: 1s}]\n';
    const { found: none, notes } = await prove(load(original));
    expect(none).toEqual([]);
    expect(notes.join()).toContain(
      'web: not searched: the hosts of ORIGINAL_DST clusters are known only while they run',
    );
  });

  it('says where a request would be tried again, as the curve does', async () => {
    const note = 'web: requests are tried once here; retries would save some';
    const retried = load(ZONES.replace('workloads: [{', 'workloads: [{retry_policy: {retry_on: 5xx}, '));
    expect((await prove(retried)).notes).toContain(note);
    expect((await curve(retried, 'zone=b')).notes).toEqual([note]);
    expect((await prove(load(ZONES))).notes).not.toContain(note);
    expect((await curve(load(ZONES), 'zone=b')).notes).toEqual([]);
  });

  it('counts hosts that are left beside a zone whose address is unhealthy elsewhere', async () => {
    const { found } = await prove(
      load(`
clusters:
  - name: web
    type: STATIC
    health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}]
    common_lb_config: {healthy_panic_threshold: {value: 0}}
endpoints:
  web:
    - {address: 10.0.0.1:80, zone: a}
    - {address: 10.0.0.1:80, zone: b, priority: 1, health: UNHEALTHY}
    - {address: 10.0.0.2:80, zone: b, priority: 1}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`),
    );
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'zone_then_hosts')).toMatchObject({
      size: 1,
      zone: 'a',
      set: ['10.0.0.2:80'],
    });
  });

  it.each([
    // 370 of 600 hosts get 13.5 requests a second for themselves, and 6.5 with the 400 others.
    [20, 230],
    // Before so few are left, all hosts of a priority get requests again: it panics.
    [40, null],
  ])('adds up what hosts of several subsets get, which can take %d requests a second', async (capacity, size) => {
    const { found } = await prove(
      load(`
clusters:
  - name: web
    type: EDS
    eds_cluster_config: {eds_config: {ads: {}}}
    lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [v]}]}
endpoints:
  web:
    - {address: 10.0.0.1:80, count: 600, metadata: {v: 1}}
    - {address: 10.1.0.1:80, count: 400, metadata: {v: 2}}
    - {address: 10.2.0.1:80, count: 300, priority: 1, metadata: {v: 2}}
workloads:
  - {cluster: web, arrivals: {constant: 5000/s}, stop: 1s, metadata_match: {v: 1}}
  - {cluster: web, arrivals: {constant: 5000/s}, stop: 1s}
`),
      { capacity },
    );
    expect(found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts')).toMatchObject({
      size,
      at_least: size,
      covered: { by: 'classes' },
    });
  });

  it('counts all hosts of clusters of an aggregate, and finds those of a subset', async () => {
    const member = (name: string): string =>
      `{name: ${name}, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_subset_config: {fallback_policy: NO_FALLBACK, subset_selectors: [{keys: [v]}]}}`;
    const { found } = await prove(
      load(`
clusters:
  - ${member('first')}
  - ${member('second')}
  - name: web
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [first, second]}
endpoints:
  first: [{address: 10.0.0.1:80, count: 300, metadata: {v: 1}}, {address: 10.0.2.1:80, count: 300, metadata: {v: 2}}]
  second: [{address: 10.1.0.1:80, count: 300, metadata: {v: 2}}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s, metadata_match: {v: 1}}]
`),
      { capacity: 5 },
    );
    const hosts = found.filter(({ lose }) => lose === 'hosts');
    // 199 of the subset get more than 5 requests a second each; with 149 of 300 left it panics.
    expect(hosts.map(({ brings, size, smallest, covered }) => [brings, size, smallest, covered.by])).toEqual([
      ['panic', 151, true, 'classes'],
      ['failures', 151, true, 'classes'],
      ['overload', 101, true, 'classes'],
    ]);
  });

  it('passes over levels of an aggregate that DNS no longer names', async () => {
    const { found } = await prove(
      load(`
clusters:
  - name: first
    type: STRICT_DNS
    lb_subset_config: {fallback_policy: NO_FALLBACK, subset_selectors: [{keys: [u]}]}
    load_assignment: {cluster_name: first, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: a.test, port_value: 80}}}}]}]}
  - name: second
    type: STATIC
    load_assignment: {cluster_name: second, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.1.0.1, port_value: 80}}}}]}]}
  - name: web
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [first, second]}
dns: {a.test: {addresses: [10.0.0.1, 10.0.0.2]}}
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s, metadata_match: {v: 1}}]
`),
      { capacity: 900 },
    );
    // No host of the first has such a subset: with both lost, all requests go to the second.
    expect(found.find(({ brings, lose }) => brings === 'overload' && lose === 'hosts')).toMatchObject({
      size: 2,
      smallest: true,
    });
  });

  it('finds the fewest records of a DNS cluster, by name', async () => {
    const text = `
clusters: [{name: web, type: STRICT_DNS}]
endpoints: {web: [{address: a.test:80, zone: a}, {address: b.test:80, zone: b}]}
dns: {a.test: {addresses: [10.0.0.1, 10.0.0.2]}, b.test: {addresses: [10.0.1.1]}}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
    const { found } = await prove(load(text), { capacity: 400 });
    const of = (brings: string, lose: string) => found.find((one) => one.brings === brings && one.lose === lose);
    // Each of three gets 300 requests a second, each of two 450.
    expect(of('overload', 'records')).toMatchObject({ size: 1, of: 3, smallest: true });
    expect(of('failures', 'records')).toMatchObject({
      size: 3,
      set: ['a.test 10.0.0.1', 'a.test 10.0.0.2', 'b.test 10.0.1.1'],
      addresses: ['10.0.0.1:80', '10.0.0.2:80', '10.0.1.1:80'],
      failed: 1,
    });
    expect(of('panic', 'records')).toMatchObject({ size: null });
    expect(of('overload', 'zones')).toMatchObject({ size: 1, set: ['a'], fullest: { address: '10.0.1.1:80' } });
    expect(found.some(({ lose }) => lose === 'hosts')).toBe(false);
  });

  it('knows that requests of a subset without records fall back to other hosts', async () => {
    const text = `
clusters: [{name: web, type: STRICT_DNS, lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [v]}]}}]
endpoints: {web: [{address: a.test:80, metadata: {v: 1}}, {address: b.test:80, metadata: {v: 2}}]}
dns: {a.test: {addresses: [10.0.0.1, 10.0.0.2]}, b.test: {addresses: [10.0.1.1]}}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s, metadata_match: {v: 1}}]
`;
    const { found } = await prove(load(text));
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'records')).toMatchObject({
      size: 3,
      of: 3,
      smallest: true,
    });
  });

  it('proves by classes what a chain of subsets can lose as long as the first keeps its requests', async () => {
    const text = `
clusters:
  - name: web
    type: EDS
    eds_cluster_config: {eds_config: {ads: {}}}
    lb_subset_config: {fallback_policy: DEFAULT_SUBSET, default_subset: {v: 1}, subset_selectors: [{keys: [u]}], panic_mode_any: true}
endpoints: {web: [{address: 10.0.0.1:80, count: 400, metadata: {v: 1}}, {address: 10.0.2.1:80, count: 100, metadata: {v: 2}}]}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
    const { found } = await prove(load(text));
    // 199 of 400 are below 50 %.
    for (const harm of ['panic', 'failures'])
      expect(found.find(({ brings }) => brings === harm)).toMatchObject({
        size: 201,
        smallest: true,
        covered: { by: 'classes' },
      });
    const calm = text.replace(
      '    lb_subset',
      '    common_lb_config: {healthy_panic_threshold: {value: 0}}\n    lb_subset',
    );
    const slow = 'behavior: [{hosts: {address: 10.0.2.0/24}, service_time: 100ms, concurrency: 1}]';
    const { found: further } = await prove(load(`${calm}${slow}`));
    // All 400 of the first, and 11 of those that are asked then: fewer than 90 are too few.
    expect(further.filter(({ lose, brings }) => lose === 'hosts' && brings !== 'limit')).toMatchObject([
      { brings: 'panic', size: null, at_least: null },
      { brings: 'failures', size: 500, smallest: true },
      { brings: 'overload', size: 411, smallest: true, covered: { by: 'classes' } },
    ]);
  });

  it('takes the clusters of an aggregate for levels that panic by themselves', async () => {
    const member = (name: string): string => `{name: ${name}, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}`;
    const text = `
clusters:
  - ${member('first')}
  - ${member('second')}
  - name: both
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [first, second]}
endpoints:
  first: [{address: 10.0.0.1:80, count: 1000}]
  second: [{address: 10.1.0.1:80, count: 300}]
workloads: [{cluster: both, arrivals: {constant: 10000/s}, stop: 1s}]
`;
    const { found, notes } = await prove(load(text), { capacity: 15 });
    const of = (brings: string) => found.find((one) => one.brings === brings && one.lose === 'hosts');
    // Priorities of one cluster take 589. Here 286 lost pass a part on to a second cluster that panics with 149 of 300 left.
    expect(of('failures')).toMatchObject({
      cluster: 'both',
      members: ['first', 'second'],
      size: 437,
      smallest: true,
      covered: { by: 'classes' },
    });
    expect(of('overload')).toMatchObject({ size: 590, smallest: true });
    expect(of('overload')?.groups).toMatchObject([
      { cluster: 'first', lost: 443, of: 1000, any: true },
      { cluster: 'second', lost: 147, of: 300, any: true },
    ]);
    expect(notes).toEqual([]);
    // A ring chooses among the levels of its cluster once more, of which there is one.
    const rings = await prove(load(text.replaceAll('type: EDS', 'lb_policy: RING_HASH, type: EDS')));
    expect(rings.found.find(({ brings, lose }) => brings === 'failures' && lose === 'hosts')).toMatchObject({
      size: 437,
      smallest: true,
      covered: { by: 'classes' },
    });
    const apart = text.replace(', type: EDS, eds_cluster_config: {eds_config: {ads: {}}}', ', outlier_detection: {}');
    expect((await prove(load(apart))).notes).toEqual([
      'both: not searched: its clusters differ in what notices a loss',
    ]);
  });

  it('leaves hosts their part of which no cluster of an aggregate notices the loss', async () => {
    const { found } = await prove(
      load(`
clusters:
  - {name: front, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [web, backup]}}}
  - {name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
  - {name: backup}
endpoints: {web: [{address: 10.0.0.1:80, count: 2}], backup: [10.0.1.1:80]}
workloads: [{cluster: front, arrivals: {constant: 100/s}, stop: 1s}]
`),
    );
    // With one of the first two gone, the third gets 30 %, and nobody knows that it is gone, too.
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'hosts')).toMatchObject({
      size: 2,
      smallest: true,
      addresses: ['10.0.0.1:80', '10.0.1.1:80'],
      failed: expect.closeTo(0.3, 9) as number,
      noticed_by: 'some_clusters',
    });
  });

  it('takes records from one cluster of an aggregate, and health from the other', async () => {
    const { found } = await prove(
      load(`
clusters:
  - {name: front, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [web, backup]}}}
  - {name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
  - {name: backup, type: STRICT_DNS}
endpoints: {web: [{address: 10.0.0.1:80, count: 400}], backup: [a.test:80]}
dns: {a.test: {addresses: [${Array.from({ length: 100 }, (_, at) => `10.0.4.${at + 1}`).join()}]}}
workloads: [{cluster: front, arrivals: {constant: 1000/s}, stop: 1s}]
`),
      { capacity: 10 },
    );
    const of = (brings: string) => found.find((one) => one.brings === brings && one.lose === 'hosts');
    // The first is in panic with 199 of 400 left, and a record that is gone is asked no more.
    expect(of('failures')).toMatchObject({ size: 201, smallest: true, noticed_by: 'some_clusters' });
    // With 282 left the first takes 98 %: 20 requests a second are left for one record.
    expect(of('overload')).toMatchObject({ size: 217, smallest: true, covered: { by: 'classes' } });
    expect(of('overload')?.groups).toMatchObject([
      { cluster: 'web', lost: 118, of: 400, any: true },
      { cluster: 'backup', lost: 99, of: 100, any: true },
    ]);
  });

  it('asks the first level of an aggregate that is left, of those that have lost their records', async () => {
    const { found } = await prove(
      load(`
clusters:
  - {name: front, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [web, backup]}}, common_lb_config: {healthy_panic_threshold: {value: 0}}}
  - {name: web, type: STRICT_DNS}
  - {name: backup, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, common_lb_config: {healthy_panic_threshold: {value: 0}}}
endpoints:
  web: [a.test:80, {address: b.test:80, priority: 1}]
  backup: [{address: 10.1.0.1:80, count: 2, health: DRAINING}, {address: 10.1.1.1:80, priority: 1}]
dns: {a.test: {addresses: [10.0.0.1]}, b.test: {addresses: [10.0.1.1]}}
workloads: [{cluster: front, arrivals: {constant: 1000/s}, stop: 1s}]
`),
    );
    expect(found.find((one) => one.brings === 'failures' && one.lose === 'hosts')).toMatchObject({
      size: 3,
      covered: { by: 'classes' },
    });
  });

  it('sends all to the first level of an aggregate where no level has weight to speak of', async () => {
    const eds = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}}}';
    const hosts = (name: string, own: string): string =>
      `{cluster_name: ${name}, endpoints: [{lb_endpoints: [${own}]}], policy: {weighted_priority_health: true}}`;
    const host = (address: string, more = ''): string =>
      `{endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}${more}}`;
    const text = `
clusters:
  - {name: first, ${eds}}
  - {name: second, ${eds}}
  - name: both
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [first, second]}
assignments:
  first: ${hosts('first', `${host('10.0.0.1', ', load_balancing_weight: 300, health_status: UNHEALTHY')}, ${host('10.0.0.2')}, ${host('10.0.0.3')}`)}
  second: ${hosts('second', host('10.0.1.1'))}
workloads: [{cluster: both, arrivals: {constant: 100/s}, stop: 1s}]
`;
    const { found } = await prove(load(text));
    // The host of the second is not enough: two in three of the first are well, which is no panic.
    expect(found.find(({ brings, lose }) => brings === 'failures' && lose === 'hosts')).toMatchObject({
      size: 2,
      covered: { by: 'classes' },
    });
  });

  it.each([
    ['', true],
    [', size: [1, 5]', false],
  ])('tells how many requests are open where they have no sizes: %j', async (size, isTold) => {
    const text = `
clusters: [{name: web, circuit_breakers: {thresholds: [{max_requests: 2}]}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: {}, service_time: 10ms, concurrency: 1}]
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 1s${size}}]
`;
    const { found } = await prove(load(text));
    expect(found.some(({ brings }) => brings === 'limit')).toBe(isTold);
    expect(found.some(({ brings }) => brings === 'overload')).toBe(isTold);
  });

  it('finds hosts that have requests in panic, where RANDOM draws priority and host at once', async () => {
    const host = (last: number, status: string, weight: number): string =>
      `{health_status: ${status}, load_balancing_weight: ${weight}, ` +
      `endpoint: {address: {socket_address: {address: 10.0.0.${last}, port_value: 80}}}}`;
    const first = [host(1, 'HEALTHY', 1), host(2, 'TIMEOUT', 1), host(3, 'DEGRADED', 5), host(4, 'DEGRADED', 1)];
    const second = [host(5, 'UNHEALTHY', 1), host(6, 'HEALTHY', 5), host(7, 'DEGRADED', 300), host(8, 'HEALTHY', 1)];
    const text = `
clusters:
  - name: web
    lb_policy: RANDOM
    common_lb_config: {healthy_panic_threshold: {value: 29}}
    health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]
    load_assignment:
      cluster_name: web
      policy: {overprovisioning_factor: 120, weighted_priority_health: true}
      endpoints: [{lb_endpoints: [${first.join(', ')}]}, {priority: 1, lb_endpoints: [${second.join(', ')}]}]
workloads: [{cluster: web, arrivals: 900/s, stop: 1s}]
`;
    const { found } = await prove(load(text));
    const of = (harm: string) => found.find(({ brings }) => brings === harm);
    expect(of('panic')).toMatchObject({ size: 3, set: ['10.0.0.1:80', '10.0.0.8:80', '10.0.0.7:80'] });
    // The two per cent that the second priority has then all go to hosts that are left.
    expect(of('failures')).toMatchObject({ size: 3, smallest: true });
    expect(of('failures')?.set).not.toEqual(of('panic')?.set);
  });

  it('tells hosts apart that are listed twice by all that they are', async () => {
    const host = (address: string, status: string): string =>
      `{health_status: ${status}, endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}}`;
    const hosts = [
      host('10.0.0.1', 'DEGRADED'),
      host('10.0.0.1', 'UNHEALTHY'),
      host('10.0.0.2', 'HEALTHY'),
      host('10.0.0.2', 'UNHEALTHY'),
    ];
    const text = `
clusters:
  - name: web
    load_assignment: {cluster_name: web, policy: {overprovisioning_factor: 400}, endpoints: [{lb_endpoints: [${hosts.join(', ')}]}]}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
    const { found } = await prove(load(text));
    // The first is degraded, and gets nothing.
    const failures = found.find(({ brings }) => brings === 'failures');
    expect(failures).toMatchObject({ size: 1, set: ['10.0.0.2:80'], noticed_by: null });
  });

  it('lets outlier detection miss any of the hosts, also where one is listed twice', async () => {
    const hosts = (...last: number[]): string => {
      const host = (one: number): string =>
        `{endpoint: {address: {socket_address: {address: 10.0.0.${one}, port_value: 80}}}}`;
      return `lb_endpoints: [${last.map(host).join(', ')}]`;
    };
    const text = `
clusters:
  - name: web
    outlier_detection: {max_ejection_percent: 50}
    common_lb_config: {healthy_panic_threshold: {value: 0}}
    load_assignment:
      cluster_name: web
      policy: {overprovisioning_factor: 1000}
      endpoints: [{${hosts(1, 2, 3)}}, {priority: 1, ${hosts(3)}}]
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
    const { found } = await prove(load(text));
    // Two of four may be out: both places of the third, and not the first any more.
    const failures = found.find(({ brings }) => brings === 'failures');
    expect(failures).toMatchObject({ size: 2, noticed_by: 'outlier_detection' });
    expect(failures?.set[0]).toBe('10.0.0.3:80');
  });

  it('knows that a logical host has one address at a time', async () => {
    const text = `
clusters: [{name: web, type: LOGICAL_DNS}]
endpoints: {web: [a.test:80]}
dns: {a.test: {addresses: [10.0.0.1, 10.0.0.2]}}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
    const { found } = await prove(load(text));
    const failures = found.find(({ brings, lose }) => brings === 'failures' && lose === 'records');
    expect(failures).toMatchObject({ size: 2, of: 2, failed: 1 });
  });

  it.each(['STRICT_DNS', 'LOGICAL_DNS'])(
    'knows that no record is lost where %s has an address for a name',
    async (type) => {
      const text = (healthChecks: string) => `
clusters: [{name: web, type: ${type}${healthChecks}}]
endpoints: {web: [10.0.0.1:80]}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`;
      const checked =
        ', health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}]';
      for (const [healthChecks, by] of [
        ['', null],
        [checked, 'health_checks'],
      ] as const) {
        const { found } = await prove(load(text(healthChecks)));
        const failures = found.find(({ brings }) => brings === 'failures');
        expect(failures).toMatchObject({ lose: 'hosts', size: 1, of: 1, failed: 1, noticed_by: by });
      }
    },
  );
});

describe('the example of 1,300 hosts', () => {
  const text = `
clusters: [{name: backend, health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, http_health_check: {path: /}}]}]
endpoints:
  backend:
    - {address: 10.0.0.1:80, zone: a, count: 334}
    - {address: 10.1.0.1:80, zone: b, count: 333}
    - {address: 10.2.0.1:80, zone: c, count: 333}
    - {address: 10.3.0.1:80, zone: d, count: 300, priority: 1}
workloads: [{cluster: backend, arrivals: 10000/s, stop: 10s}]
`;

  it('takes 580 losses to overload a host of 15 requests a second, and 589 to fail one', async () => {
    const { found } = await prove(load(text), { capacity: 15 });
    const of = (brings: string) => found.find((one) => one.brings === brings && one.lose === 'hosts');
    expect(of('overload')).toMatchObject({ size: 580, smallest: true, covered: { by: 'classes' } });
    // Of 10,201: what covers all that is left to it is one class.
    expect(of('overload')?.covered.number).toBeLessThan(101);
    expect(of('overload')?.groups).toMatchObject([
      { priority: 0, lost: 286, of: 1000, any: true },
      { priority: 1, lost: 294, of: 300, any: true },
    ]);
    expect(of('failures')).toMatchObject({ size: 589, smallest: true, covered: { by: 'classes', number: 46 } });
    expect(of('failures')?.groups).toMatchObject([{ lost: 293 }, { lost: 296 }]);
  });

  it('has a rate at which no 579 losses overload one, and any more does', async () => {
    const { clusters } = await survive(load(text), ['579 hosts'], {
      without: ['overload'],
      capacity: 15,
      headroom: true,
    });
    const times = clusters[0]?.headroom?.times ?? 0;
    expect(clusters[0]).toMatchObject({ survives: true, headroom: { proven: true } });
    const at = async (rate: number) =>
      (
        await survive(load(text.replace('10000/s', `${rate}/s`)), ['579 hosts'], {
          without: ['overload'],
          capacity: 15,
        })
      ).survives;
    expect(await at(10_000 * times * (1 - 1e-6))).toBe(true);
    expect(await at(10_000 * times * (1 + 1e-6))).toBe(false);
  });
});

it('knows that in panic the parts of healthy and of degraded hosts go to the same hosts', async () => {
  const scenario = load(`
proxies: [{name: p, version: '1.12'}]
clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, common_lb_config: {healthy_panic_threshold: {value: 100}}}]
endpoints:
  web:
    - {address: 10.0.0.1:80, count: 2}
    - {address: 10.0.0.3:80, count: 2, health: DEGRADED}
    - {address: 10.0.0.5:80, health: UNHEALTHY}
behavior: [{hosts: 10.0.0.5, service_time: 20ms, concurrency: 3}]
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 1s}]
`);
  const { found } = await prove(scenario);
  // A third of the requests for the one kind, two thirds for the other: 200 a second to each of the five.
  expect(found).toContainEqual(expect.objectContaining({ brings: 'overload', lose: 'hosts', size: 1, smallest: true }));
});

it('looks beyond a subset where any kind of request does', async () => {
  const scenario = load(`
clusters:
  - name: web
    type: EDS
    eds_cluster_config: {eds_config: {ads: {}}}
    lb_subset_config:
      fallback_policy: DEFAULT_SUBSET
      default_subset: {v: '1'}
      panic_mode_any: true
      subset_selectors: [{keys: [v], fallback_policy: DEFAULT_SUBSET}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3}]}
workloads:
  - {cluster: web, metadata_match: {v: '9'}, arrivals: {constant: 10/s}, stop: 1s}
  - {cluster: web, arrivals: {constant: 10/s}, stop: 1s}
`);
  const { found } = await prove(scenario);
  // Both begin with the default subset, which is empty; the second goes on to all hosts.
  expect(found).toContainEqual(expect.objectContaining({ brings: 'panic', lose: 'hosts', size: 2, smallest: true }));
});

describe('a loss that', () => {
  const STATIC = ZONES.replace(', type: EDS, eds_cluster_config: {eds_config: {ads: {}}}', '');

  it('nothing notices fails the part of the host, from the first on, and brings no panic', async () => {
    const { found } = await prove(load(STATIC));
    const of = (brings: string) => found.find((one) => one.brings === brings && one.lose === 'hosts');
    expect(of('failures')).toMatchObject({ size: 1, failed: expect.closeTo(0.2, 9) as number, noticed_by: null });
    expect(of('panic')).toMatchObject({ size: null });
    const { points, edges, noticed_by: by } = await curve(load(STATIC), 'zone=b');
    expect(by).toBeNull();
    expect(points.map(({ failed }) => failed.toFixed(1))).toEqual(['0.0', '0.2', '0.4', '0.6']);
    expect(edges).toEqual([{ lost: 1, what: 'requests fail' }]);
  });

  it('nothing has noticed yet fails its part, whatever will notice it', async () => {
    const { found } = await prove(load(ZONES), { unnoticed: true, capacity: 300 });
    expect(found.map(({ noticed_by: by }) => by)).toEqual(found.map(() => 'nobody_yet'));
    const ofHosts = new Map(found.filter(({ lose }) => lose === 'hosts').map((one) => [one.brings, one]));
    expect(ofHosts.get('failures')).toMatchObject({ size: 1, smallest: true });
    expect(ofHosts.get('failures')?.failed).toBeCloseTo(0.2, 9);
    expect(ofHosts.get('panic')).toMatchObject({ size: null, smallest: true });
    expect(ofHosts.get('overload')).toMatchObject({ size: null, smallest: true });
    // What was down before has been noticed.
    const down = load(`${ZONES}timeline: [{at: 0s, fail: 10.0.0.1}]\n`);
    const [first] = (await prove(down, { unnoticed: true })).found.filter(({ brings }) => brings === 'failures');
    expect(first).toMatchObject({ size: 1, failed: expect.closeTo(0.25, 9) as number });
  });

  it('is noticed by what the cluster has', async () => {
    const by = async (more: string, timeline = ''): Promise<unknown> =>
      (await curve(load(STATIC.replace('name: web', `name: web${more}`) + timeline), 'zone=a')).noticed_by;
    const check = '{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}';
    expect(await by(`, health_checks: [${check}]`)).toBe('health_checks');
    expect(await by(', type: EDS, eds_cluster_config: {eds_config: {ads: {}}}')).toBe('control_plane');
    const tells = 'timeline: [{at: 1s, set_health: {hosts: 10.0.0.1, status: UNHEALTHY}}]';
    expect(await by('', tells)).toBe('control_plane');
    expect(await by('', tells.replace('1s', '0s'))).toBeNull();
  });

  it('outlier detection notices up to its limit', async () => {
    const ejects = STATIC.replace('name: web', 'name: web, outlier_detection: {max_ejection_percent: 30}');
    const { noticed_by: by, points } = await curve(load(ejects), 'zone=b');
    // 0 % and 20 % are below 30 %: two of five may be out, the third stays among three.
    expect(by).toBe('outlier_detection');
    expect(points.map(({ failed }) => failed.toFixed(3))).toEqual(['0.000', '0.000', '0.000', '0.333']);
  });
});

describe('curve', () => {
  it('names the edges, and spills on the way', async () => {
    const { points, edges } = await curve(load(ZONES), 'zone=b');
    expect(points.map(({ lost, host }) => [lost, host])).toEqual([
      [0, null],
      [1, '10.0.1.1:80'],
      [2, '10.0.1.2:80'],
      [3, '10.0.1.3:80'],
    ]);
    expect(edges).toEqual([
      { lost: 3, what: 'panic begins' },
      { lost: 3, what: 'requests fail' },
    ]);
    expect(points[2]?.busiest).toBeCloseTo(1 / 3, 9);
    expect(points[3]?.failed).toBeCloseTo(0.6, 9);
  });

  it('tells the levels of an aggregate apart, though its clusters number theirs alike', async () => {
    const text = `
clusters:
  - {name: front, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [web, backup]}}}
  - {name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
  - {name: backup, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}
endpoints: {web: [{address: 10.0.0.1:80, count: 2, zone: a}], backup: [10.0.1.1:80]}
workloads: [{cluster: front, arrivals: {constant: 100/s}, stop: 1s}]
`;
    const { points } = await curve(load(text), 'zone=a');
    expect(points[1]?.priorities).toEqual([
      { priority: 0, cluster: 'web', share: 0.7 },
      { priority: 0, cluster: 'backup', share: 0.3 },
    ]);
  });

  it.each([
    ['zone=nowhere', 'no host is zone=nowhere'],
    ['colour=red', 'colour=red: '],
  ])('says that there is no curve of %s', async (lose, message) => {
    await expect(curve(load(ZONES), lose)).rejects.toThrow(message);
  });
});
