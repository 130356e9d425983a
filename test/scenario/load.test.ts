import { describe, expect, it } from 'vitest';
import { ALL_VERSIONS } from '../../src/core/version.js';
import { addressText } from '../../src/config/address.js';
import type { ClusterLoadAssignment } from '../../src/config/assignment-rules.js';
import type { Problem } from '../../src/core/problem.js';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

function load(text: string, options: LoadOptions = {}, file = 'a.yaml'): Scenario {
  const { scenario, problems } = loadScenario({ file, text }, options);
  if (scenario === undefined) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return scenario;
}

function errors(text: string, options: LoadOptions): string[] {
  return loadScenario({ file: 'a.yaml', text }, options)
    .problems.filter(({ severity }) => severity !== 'note')
    .map(
      ({ file, line, column, severity, path, message }) => `${file}:${line}:${column} ${severity} ${path}: ${message}`,
    );
}

/** `[priority, zone, addresses]` of each group. */
function groups(assignment: ClusterLoadAssignment | undefined): unknown[] {
  return (assignment?.endpoints ?? []).map(({ priority, locality, lbEndpoints }) => [
    priority,
    locality?.zone,
    lbEndpoints.map(({ endpoint }) => addressText(endpoint.address)),
  ]);
}

const HELLO = `clusters: [{name: backend, lb_policy: ROUND_ROBIN}]
endpoints:
  backend:
    - 10.0.0.1:80
    - {address: 10.0.0.2:80, weight: 3, zone: b, health: UNHEALTHY}
    - {address: 10.0.1.254:80, count: 3, zone: c}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s}]
`;

describe('a scenario', () => {
  it('has its defaults filled in', () => {
    const { clusters, ...rest } = load(HELLO, {}, 'scenarios/hello.yaml');
    expect(clusters.map((cluster) => cluster.name)).toEqual(['backend']);
    expect(rest).toEqual({
      name: 'hello',
      description: '',
      seed: '1',
      durationUs: undefined,
      warmupUs: 0,
      proxies: [
        {
          name: 'proxy',
          count: 1,
          share: 1,
          workers: 1,
          at: 'life',
          version: '1.17',
          node: undefined,
          localClusterName: undefined,
          runtime: {},
          statsFlushIntervalUs: 5_000_000,
          statsConfig: undefined,
          statsSinks: [],
          initRandom: undefined,
          address: '10.255.0.1:80',
          exactBalance: false,
          useRemoteAddress: false,
          xffNumTrustedHops: 0,
        },
      ],
      absentClusters: [],
      assignments: new Map(),
      dns: new Map(),
      behavior: [],
      workloads: [
        {
          name: 'workload',
          route: [{ cluster: 'backend', weight: 1, metadataMatch: undefined }],
          arrivals: { kind: 'poisson', perSecond: 100 },
          routeHash: true,
          startUs: 0,
          stopUs: 10_000_000,
          hashKey: undefined,
          proxies: undefined,
          metadataMatch: undefined,
          headers: {},
          priority: 'DEFAULT',
          timeoutUs: 15_000_000,
          retryPolicy: undefined,
        },
      ],
      requests: [],
      question: [],
      timeline: [],
      expect: [],
      notes: [],
      origin: {
        bare: false,
        statusOnly: false,
        says: [],
        lacking: [],
        unknownHosts: [],
        unsent: undefined,
        givenHosts: new Set(),
        routeNotes: [],
        hashPolicies: new Map(),
        hashNotes: new Map(),
        madeUpHosts: new Set(),
        reported: undefined,
      },
    });
  });

  it('keeps the source text of seeds, versions, hashes and random values', () => {
    const scenario = load(`${HELLO}seed: 7
proxy: {version: 1.40, init_random: [18446744073709551615, "0x10"]}
requests:
  - {at: 0s, cluster: backend, hash: 18446744073709551615, random: [9223372036854775809, "0"]}
`);
    expect(scenario.seed).toBe(load(`${HELLO}seed: "7"\n`).seed);
    expect(scenario.proxies[0]).toMatchObject({
      version: '1.40',
      initRandom: [
        { hi: 0xffffffff, lo: 0xffffffff },
        { hi: 0, lo: 16 },
      ],
    });
    expect(scenario.requests[0]).toMatchObject({
      hash: { hi: 0xffffffff, lo: 0xffffffff },
      random: [
        { hi: 0x80000000, lo: 1 },
        { hi: 0, lo: 0 },
      ],
    });
  });

  it('takes both name cases in the proxy’s parts and snake_case in its own', () => {
    const pasted = load(`clusters:
  - name: backend
    lbPolicy: ring_hash
    ringHashLbConfig: {minimumRingSize: "2048"}
    loadAssignment: {clusterName: backend, endpoints: [{lbEndpoints: [{endpoint: {address: {socketAddress: {address: 10.0.0.1, portValue: 80}}}}]}]}
proxy: {node: {id: a, locality: {subZone: s}}}
timeline:
  - {at: 0s, add_hosts: {cluster: backend, endpoints: [{endpoint: {address: {socketAddress: {address: 10.0.0.2, portValue: 80}}}}, 10.0.0.3:80]}}
`);
    expect(pasted.clusters[0]).toMatchObject({ lbPolicy: 'RING_HASH', ringHashLbConfig: { minimumRingSize: 2048n } });
    expect(pasted.proxies[0]?.node?.locality?.subZone).toBe('s');
    const action = pasted.timeline[0]?.action;
    expect(
      action?.kind === 'add_hosts' && action.endpoints.map(({ endpoint }) => addressText(endpoint.address)),
    ).toEqual(['10.0.0.2:80', '10.0.0.3:80']);
    expect(errors(`${HELLO}warmUp: 1s\n`, {})).toEqual([
      'a.yaml:8:1 error warmUp: warmUp is not a field of scenario (did you mean warmup?)',
    ]);
    expect(errors(HELLO.replace('stop:', 'hashKey: {cycle: [a]}, stop:'), {})).toEqual([
      'a.yaml:7:49 error workloads[0].hashKey: hashKey is not a field of workload (did you mean hash_key?)',
    ]);
  });

  it('numbers what has no name', () => {
    const scenario = load(
      `${HELLO}proxies: [{}, {name: edge, count: 2}, {}]\n`.replace(
        'stop: 10s}',
        'stop: 10s}, {cluster: backend, arrivals: 1/s, stop: 1s}',
      ),
    );
    expect(scenario.proxies.map((proxy) => proxy.name)).toEqual(['proxy', 'edge', 'proxy-3']);
    expect(scenario.workloads.map((workload) => workload.name)).toEqual(['workload', 'workload-2']);
  });

  it('reads hosts as another word for behavior', () => {
    const rules = load(`${HELLO}hosts: [{hosts: {zone: b}, service_time: 5ms}]\n`).behavior;
    expect(rules).toEqual([
      { hosts: { locality: { zone: 'b' } }, behavior: { serviceTime: { kind: 'constant', value: 5000 } } },
    ]);
  });

  it('flattens runtime as the proxy does', () => {
    const text = `${HELLO}proxy: {runtime: {upstream.a: 1, upstream: {zone_routing: {enabled: 40}, f: {numerator: 3, denominator: HUNDRED}}}}\n`;
    expect(load(text).proxies[0]?.runtime).toEqual({
      'upstream.a': 1,
      'upstream.zone_routing.enabled': 40,
      'upstream.f': { numerator: 3, denominator: 'HUNDRED' },
    });
  });

  it('merges what a route asks of subsets with what its entry asks', () => {
    const text = `clusters: [{name: a}]
endpoints: {a: [10.0.0.1:80]}
workloads:
  - route: [{cluster: a, weight: 90, metadata_match: {v: "1"}}, {cluster: a, metadata_match: {filter_metadata: {envoy.lb: {v: 2}}}}, {cluster: a, weight: 0}]
    metadata_match: {stage: prod}
    arrivals: 1/s
    stop: 1s
`;
    expect(load(text).workloads[0]?.route).toEqual([
      { cluster: 'a', weight: 90, metadataMatch: { stage: 'prod', v: '1' } },
      { cluster: 'a', weight: 1, metadataMatch: { stage: 'prod', v: 2 } },
      { cluster: 'a', weight: 0, metadataMatch: { stage: 'prod' } },
    ]);
  });
});

describe('endpoints', () => {
  it('become an ordinary assignment, grouped by priority and locality', () => {
    const [cluster] = load(HELLO).clusters;
    expect(groups(cluster?.loadAssignment)).toEqual([
      [0, undefined, ['10.0.0.1:80']],
      [0, 'b', ['10.0.0.2:80']],
      [0, 'c', ['10.0.1.254:80', '10.0.1.255:80', '10.0.2.0:80']],
    ]);
    const [, group] = cluster?.loadAssignment?.endpoints ?? [];
    expect(group?.lbEndpoints[0]).toMatchObject({ healthStatus: 'UNHEALTHY', loadBalancingWeight: 3 });
  });

  it('carry priority, locality, metadata and hostname', () => {
    const text = `clusters: [{name: a}]
endpoints:
  a:
    - {address: "[2001:db8::ffff]:80", count: 2, priority: 1, locality: {region: eu, zone: z, sub_zone: s}, metadata: {version: 1.0}, hostname: web}
    - {address: 10.0.0.1:80, metadata: {filter_metadata: {envoy.lb: {version: "2"}, other: {x: 1}}}}
`;
    const assignment = load(text).clusters[0]?.loadAssignment;
    expect(groups(assignment)).toEqual([
      [1, 'z', ['[2001:db8::ffff]:80', '[2001:db8::1:0]:80']],
      [0, undefined, ['10.0.0.1:80']],
    ]);
    expect(assignment?.endpoints[0]?.locality).toEqual({ region: 'eu', zone: 'z', subZone: 's' });
    expect(assignment?.endpoints[0]?.lbEndpoints[1]).toMatchObject({
      endpoint: { hostname: 'web' },
      metadata: { filterMetadata: { 'proxy.lb': { version: '1.0' } } },
    });
    expect(assignment?.endpoints[1]?.lbEndpoints[0]?.metadata).toEqual({
      filterMetadata: { 'proxy.lb': { version: '2' }, other: { x: 1 } },
    });
  });

  it('of an EDS cluster are its first assignment, under its service name', () => {
    const eds = 'type: eds, eds_cluster_config: {eds_config: {ads: {}}';
    const text = `clusters: [{name: a, ${eds}}}, {name: b, ${eds}, service_name: svc}}, {name: c, ${eds}}}]
endpoints: {a: [10.0.0.1:80], b: [10.0.0.2:80]}
assignments: {c: {cluster_name: c}}
`;
    const { assignments, clusters } = load(text);
    expect([...assignments].map(([name, assignment]) => [name, assignment.clusterName, groups(assignment)])).toEqual([
      ['c', 'c', []],
      ['a', 'a', [[0, undefined, ['10.0.0.1:80']]]],
      ['svc', 'svc', [[0, undefined, ['10.0.0.2:80']]]],
    ]);
    expect(clusters.every((cluster) => cluster.loadAssignment === undefined)).toBe(true);
  });

  it('may be names in DNS clusters, and none at all', () => {
    const text = 'clusters: [{name: a, type: STRICT_DNS}, {name: b}]\nendpoints: {a: [svc.test:80], b: []}\n';
    const { clusters } = load(text);
    expect(groups(clusters[0]?.loadAssignment)).toEqual([[0, undefined, ['svc.test:80']]]);
    expect(groups(clusters[1]?.loadAssignment)).toEqual([]);
  });

  it('a mistake that the cluster’s rules find points at the endpoint', () => {
    const text = `clusters: [{name: a, lb_policy: MAGLEV}]
endpoints:
  a:
    - {address: 10.0.0.1:80, weight: 4294967295}
    - {address: 10.0.0.2:80, weight: 2}
`;
    expect(errors(text, {}).map((line) => line.slice(0, 17))).toEqual(['a.yaml:5:7 error ']);
  });
});

describe('the proxy’s own files', () => {
  it('a bare cluster gets traffic by default', () => {
    const scenario = load('name: backend\nload_assignment: {cluster_name: backend}\n');
    expect(scenario.name).toBe('a');
    expect(scenario.workloads).toMatchObject([
      {
        name: 'backend',
        route: [{ cluster: 'backend' }],
        arrivals: { kind: 'poisson', perSecond: 1000 },
        stopUs: 10_000_000,
        hashKey: undefined,
      },
    ]);
    expect(scenario.notes).toEqual(['no workloads given: 1000/s for 10 s to backend']);
  });

  it('hash policies get distinct keys by default', () => {
    const { workloads, notes } = load('name: b\nlb_policy: MAGLEV\nload_assignment: {cluster_name: b}\n');
    const [workload] = workloads;
    expect(workload?.hashKey?.kind).toBe('sequence');
    // Ten standard deviations above the mean number of requests.
    expect(workload?.hashKey?.kind === 'sequence' && workload.hashKey.keys).toBeGreaterThan(
      10_000 + 10 * Math.sqrt(10_000),
    );
    expect(notes).toEqual(['no workloads given: 1000/s for 10 s to b, every request with a key of its own']);
  });

  it('says what becomes of requests that give a hash policy nothing to hash', () => {
    const { notes } = load(`clusters: [{name: a, lb_policy: MAGLEV}, {name: b}, {name: c, lb_policy: RING_HASH}]
endpoints: {a: [10.0.0.1:80], b: [10.0.0.2:80], c: [10.0.0.3:80]}
workloads:
  - {name: keyless, route: [{cluster: a}, {cluster: b}, {cluster: c}], arrivals: 5/s, stop: 1s}
  - {name: keyed, cluster: a, arrivals: 5/s, stop: 1s, hash_key: {cycle: [k]}}
`);
    expect(notes).toEqual(['keyless has no hash_key: each of its requests takes a random place in the table of a, c']);
  });

  it('says which names no resolver will ever know', () => {
    const dns = (name: string, host: string): string =>
      `{name: ${name}, type: STRICT_DNS, load_assignment: {cluster_name: ${name}, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: ${host}, port_value: 80}}}}]}]}}`;
    const clusters = [
      dns('lost', 'lost.example'),
      dns('now', 'NOW.example.'),
      dns('later', 'later.example'),
      dns('ip', '10.0.0.1'),
    ];
    const { notes, origin } = load(`clusters: [${clusters.join(', ')}]
dns: {now.example: {addresses: [10.0.0.1]}}
timeline: [{at: 1s, dns: {later.example: {addresses: [10.0.0.2]}}}]
requests: [{at: 0s, cluster: now}]
`);
    expect(origin.unknownHosts).toEqual(['lost']);
    expect(notes).toEqual([]);
  });

  it('a bootstrap is its clusters and one proxy', () => {
    const scenario = load(`node: {id: node-1, locality: {zone: a}}
static_resources:
  clusters:
    - {name: web, load_assignment: {cluster_name: web}}
    - {name: api, lb_policy: RING_HASH, load_assignment: {cluster_name: api}}
cluster_manager: {local_cluster_name: web}
stats_flush_interval: 0.5s
layered_runtime: {layers: [{name: one, static_layer: {upstream: {healthy_panic_threshold: 30}}}, {name: two, static_layer: {upstream.healthy_panic_threshold: 20}}]}
admin: {access_log_path: /dev/null}
`);
    expect(scenario.clusters.map((cluster) => cluster.name)).toEqual(['web', 'api']);
    expect(scenario.workloads.map((workload) => [workload.name, workload.hashKey?.kind])).toEqual([
      ['web', undefined],
      ['api', 'sequence'],
    ]);
    expect(scenario.notes).toEqual([
      'no workloads given: 1000/s for 10 s to each cluster, every request with a key of its own',
    ]);
    expect(scenario.proxies).toMatchObject([
      {
        name: 'proxy',
        node: { id: 'node-1' },
        localClusterName: 'web',
        statsFlushIntervalUs: 500_000,
        runtime: { 'upstream.healthy_panic_threshold': 20 },
      },
    ]);
  });

  it('a bootstrap in camelCase is one too, and its mistakes have places', () => {
    expect(load('staticResources: {clusters: [{name: a, loadAssignment: {clusterName: a}}]}\n').clusters).toHaveLength(
      1,
    );
    expect(
      errors(
        'static_resources: {clusters: [{name: a, load_assignment: {cluster_name: a}}]}\ncluster_manager: {local_cluster_name: nowhere}\nworkloads: []\n',
        {},
      ),
    ).toEqual([
      'a.yaml:2:39 error cluster_manager.local_cluster_name: there is no cluster "nowhere": there is a',
      'a.yaml:3:1 error workloads: workloads is not a field of config.bootstrap.v2.Bootstrap: a bootstrap stands alone; write a scenario with clusters to add traffic',
    ]);
    expect(
      errors(
        'static_resources: {clusters: [{name: a, load_assignment: {cluster_name: a}}]}\ncluster_manager: {local_cluster_name: nowhere}\n',
        {},
      ),
    ).toEqual(['a.yaml:2:39 error cluster_manager.local_cluster_name: there is no cluster "nowhere": there is a']);
  });

  it('a file with a name and workloads is a scenario that lacks clusters', () => {
    expect(errors('name: x\nworkloads: []\n', {})).toEqual(['a.yaml:1:1 error : clusters is required in scenario']);
  });
});

describe('values at hand', () => {
  it('are read like files, without places', () => {
    const value = {
      clusters: [{ name: 'a', load_assignment: { cluster_name: 'a' } }],
      requests: [{ at: '0s', cluster: 'a', hash: '18446744073709551615' }],
    };
    expect(loadScenarioValue(value, 'case-1').scenario).toMatchObject({
      name: 'case-1',
      requests: [{ hash: { hi: 0xffffffff, lo: 0xffffffff } }],
    });
    const { scenario, problems } = loadScenarioValue({ ...value, requests: [{ at: 5, cluster: 'b' }] }, 'case-2');
    expect(scenario).toBeUndefined();
    expect(problems.map(({ file, line, column, path, rule }) => ({ file, line, column, path, rule }))).toEqual([
      { file: 'case-2', line: 0, column: 0, path: 'requests[0].at', rule: 'duration' },
      { file: 'case-2', line: 0, column: 0, path: 'requests[0].cluster', rule: 'unknown-cluster' },
    ]);
  });

  it.each([undefined, null, 3, 'x', []])('%j is no scenario', (value) => {
    expect(loadScenarioValue(value, 'v').problems).toHaveLength(1);
  });
});

describe('options', () => {
  it('override seed, version and duration of the file', () => {
    const scenario = load(`${HELLO}seed: 1\nduration: 5s\nproxies: [{version: "1.14"}, {}]\n`, {
      seed: '0x7',
      durationText: '2s',
      proxyVersion: '1.40',
    });
    expect(scenario).toMatchObject({
      seed: '0x7',
      durationUs: 2_000_000,
      proxies: [{ version: '1.40' }, { version: '1.40' }],
    });
  });

  it('act at time 0, before the timeline of the file', () => {
    const text = `${HELLO}timeline: [{at: 0s, note: first of the file}]\n`;
    const { timeline } = load(text, { unhealthy: ['zone=b', '10.0.0.1:80'], fail: ['priority=0'] });
    expect(timeline.map(({ atUs, label, action }) => [atUs, action.kind, label])).toEqual([
      [0, 'set_health', 'zone b set UNHEALTHY'],
      [0, 'set_health', '10.0.0.1:80 set UNHEALTHY'],
      [0, 'set_behavior', 'priority 0 stops answering'],
      [0, 'note', 'first of the file'],
    ]);
  });

  it('are refused by name', () => {
    expect(
      errors(HELLO, { seed: '', durationText: '0s', proxyVersion: '2', unhealthy: ['zoen=b'], fail: ['zone=q'] }),
    ).toEqual([
      `--proxy-version:0:0 error : "2" is not a version that can be simulated: allowed are ${ALL_VERSIONS}`,
      '--seed:0:0 error : a seed is an integer or a text that is not empty',
      '--duration:0:0 error : duration must be longer than 0',
      '--unhealthy zoen=b:0:0 error : "zoen" is not a part of a selector: known are address, hostname, cluster, priority, zone, region, sub_zone and metadata.KEY',
      '--fail zone=q:0:0 error : no host is ever zone q: there are the zones b, c',
    ]);
    expect(errors(HELLO, { fail: ['9.9.9.9'] })).toEqual([
      expect.stringMatching(
        /^--fail 9\.9\.9\.9:0:0 error : no host is ever 9\.9\.9\.9: there are the hosts 10\.0\.0\.1:80/,
      ),
    ]);
    // What is compared with another file may be there only.
    expect(errors(HELLO, { fail: ['9.9.9.9'], isSide: true })).toEqual([expect.stringContaining(':0:0 warning : ')]);
  });
});

describe('--set', () => {
  const TEXT = `${HELLO}proxies: [{name: edge}]\n`;
  const set = (...options: string[]): Scenario => load(TEXT, { set: options });

  it('replaces values by name, by index and by path, and adds what is not there', () => {
    expect(set('clusters.backend.lb_policy=MAGLEV').clusters[0]?.lbPolicy).toBe('MAGLEV');
    expect(set('clusters[0].lb_policy=RANDOM').clusters[0]?.lbPolicy).toBe('RANDOM');
    expect(set('clusters.0.lbPolicy=RANDOM').clusters[0]?.lbPolicy).toBe('RANDOM');
    expect(
      set('clusters.backend.common_lb_config.healthy_panic_threshold.value=0').clusters[0]?.commonLbConfig
        ?.healthyPanicThreshold?.value,
    ).toBe(0);
    expect(set('proxies.edge.version=1.40').proxies[0]?.version).toBe('1.40');
    expect(set('proxies.edge.runtime.upstream.healthy_panic_threshold=3').proxies[0]?.runtime).toEqual({
      'upstream.healthy_panic_threshold': 3,
    });
    expect(
      set('endpoints.backend.10.0.0.2:80.weight=9').clusters[0]?.loadAssignment?.endpoints[1]?.lbEndpoints[0]
        ?.loadBalancingWeight,
    ).toBe(9);
    expect(set('workloads[0].arrivals={constant: 5/s}').workloads[0]?.arrivals).toEqual({
      kind: 'constant',
      perSecond: 5,
    });
    expect(set('requests.0={at: 0s, cluster: backend}', 'requests[0].hash_key=a=b').requests[0]?.hashKey).toBe('a=b');
    expect(set('dns["x.test"].addresses=[10.0.0.1]').dns.get('x.test')).toEqual({
      addresses: ['10.0.0.1'],
      ttlUs: undefined,
    });
    expect(set('proxies.edge.runtime["a=b]"]=3').proxies[0]?.runtime).toEqual({ 'a=b]': 3 });
    expect(set('seed=7', 'seed=8').seed).toBe('8');
    expect(set('endpoints.backend=[]').clusters).toHaveLength(1);
  });

  it('reaches into bare clusters and bootstraps', () => {
    const bare = 'name: a.b\nload_assignment: {cluster_name: a}\n';
    for (const path of ['lb_policy', 'clusters.a.b.lb_policy', 'clusters[0].lb_policy']) {
      expect(load(bare, { set: [`${path}=RANDOM`] }).clusters[0]?.lbPolicy).toBe('RANDOM');
    }
    const bootstrap = `static_resources: {clusters: [{name: a, load_assignment: {cluster_name: a}}]}\n`;
    expect(load(bootstrap, { set: ['clusters.a.lb_policy=RANDOM'] }).clusters[0]?.lbPolicy).toBe('RANDOM');
  });

  it('names the option in every problem that it causes', () => {
    const lines = errors(TEXT, {
      set: [
        'clusters.backend.lb_polcy=MAGLEV',
        'clusters.bakend.lb_policy=MAGLEV',
        'clusters[3].lb_policy=MAGLEV',
        'workloads[0].arrivals=30',
        'workloads.users.stop=1s',
        'endpoints.backend[0].weight=3',
        'requests[0].cluster=x',
        'seed',
        'seed=[',
        '.a=1',
      ],
    });
    expect(lines).toEqual([
      '--set clusters.bakend.lb_policy=MAGLEV:0:0 error : clusters has no entry bakend (did you mean backend?)',
      '--set clusters[3].lb_policy=MAGLEV:0:0 error : clusters has 1 entries, from 0: there is no 3',
      '--set workloads.users.stop=1s:0:0 error : workloads is a list without names: write an index, as workloads[0]',
      '--set endpoints.backend[0].weight=3:0:0 error : endpoints.backend[0] is "10.0.0.1:80": it has no weight',
      '--set seed:0:0 error : write a path and a value, as clusters.backend.lb_policy=MAGLEV',
      expect.stringMatching(/^--set seed=\[:0:0 error : /),
      '--set .a=1:0:0 error : write a path and a value, as clusters.backend.lb_policy=MAGLEV',
      '--set clusters.backend.lb_polcy=MAGLEV:0:0 error clusters[0].lb_polcy: lb_polcy is not a field of Cluster (did you mean lb_policy?)',
      '--set workloads[0].arrivals=30:0:0 error workloads[0].arrivals: 30 has no unit: write 30/s for 30 per second, or 30/m, 30/h',
      '--set requests[0].cluster=x:0:0 error requests[0]: at is required in request',
      '--set requests[0].cluster=x:0:0 error requests[0].cluster: there is no cluster "x": there is backend',
    ]);
  });

  it('leaves the places of the file as they are', () => {
    const text = `${HELLO}nonsense: 1\n`;
    expect(errors(text, { set: ['seed=3'] })).toEqual([
      'a.yaml:8:1 error nonsense: nonsense is not a field of scenario',
    ]);
  });
});

describe('traces', () => {
  const traced = (window = ''): string =>
    HELLO.replace('arrivals: 100/s, stop: 10s', `arrivals: {trace: t.csv}${window}`);
  const problemLine = ({ file, line, column, message }: Problem): string => `${file}:${line}:${column} ${message}`;
  const files = (text: string): LoadOptions => ({
    readFile: (path) => {
      if (path !== 't.csv') throw new Error(`no ${path}`);
      return text;
    },
  });

  it('are read by the path as written, and end by themselves', () => {
    const { workloads } = load(
      traced(),
      files('time,path\n# a comment\n0.5,/a\n\n"0.75",/b\n1250ms\r\n'),
      'dir/a.yaml',
    );
    expect(workloads[0]?.arrivals).toEqual({ kind: 'trace', file: 't.csv', timesUs: [500_000, 750_000, 1_250_000] });
  });

  it('are cut to the window of the workload', () => {
    const result = loadScenario({ file: 'a.yaml', text: traced(', start: 1s, stop: 3s') }, files('0.5\n1\n2\n3\n'));
    expect(result.scenario?.workloads[0]?.arrivals).toMatchObject({ timesUs: [1_000_000, 2_000_000] });
    expect(result.problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', '2 of 4 arrivals lie outside of start and stop: they are not sent'],
    ]);
  });

  it('carry sizes of requests in a column of that name', () => {
    const text = 'time,path,size\n0.5,/a,9\n1,/b,"2.5"\n2,/c,0.5\n3,/d,9\n';
    const { workloads } = load(traced(', start: 1s, stop: 3s'), files(text));
    expect(workloads[0]).toMatchObject({ size: { kind: 'in_order', values: [2.5, 0.5] } });
    const wrong = files('time,size\n1,\n2, 0\n3,1\n4,many\n5\n');
    expect(loadScenario({ file: 'a.yaml', text: traced(', size: 2') }, wrong).problems.map(problemLine)).toEqual([
      'a.yaml:7:50 t.csv has the sizes of its requests: leave size out',
      ...['2:3', '3:4', '5:3', '6:2'].map((at) => `t.csv:${at} the size of this request has to be a number above 0`),
    ]);
  });

  it('have problems of their own', () => {
    const result = loadScenario({ file: 'dir/a.yaml', text: traced() }, files('2\n  1\nsoon\n-1\n3 min\n'));
    expect(result.problems.map(problemLine)).toEqual([
      'dir/t.csv:2:3 1 lies before the time above it: a trace is in ascending order',
      'dir/t.csv:3:1 this is no time; a trace has one arrival time a line, in seconds or with a unit',
      'dir/t.csv:4:1 -1s is negative: a duration is 0 or longer; a trace has one arrival time a line, in seconds or with a unit',
      'dir/t.csv:5:1 "3 min" is not a duration: write a number and a unit, as 250ms, 1.5s, 5m or 2h; a trace has one arrival time a line, in seconds or with a unit',
    ]);
    const empty = loadScenario({ file: 'a.yaml', text: traced() }, files('time\n'));
    expect(empty.problems.map(({ message }) => message)).toEqual(['the trace has no arrival times']);
    const missing = loadScenario({ file: 'a.yaml', text: traced().replace('t.csv', 'u.csv') }, files(''));
    expect(missing.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [7, 50, 'u.csv cannot be read: no u.csv'],
    ]);
  });
});
