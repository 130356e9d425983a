import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadScenario, prove } from '../../src/index.js';
import { Folder } from './files.js';
import { lbsim, Sink } from './harness.js';

interface Phase {
  readonly requests: number;
  readonly failed: number;
  readonly reasons: readonly string[];
}

const folder = new Folder();
afterAll(() => folder.remove());

const file = folder.file(
  'web.yaml',
  `
clusters: [{name: web}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3, zone: a}, {address: 10.0.1.1:80, zone: b}], other: [10.9.0.1:80]}
workloads: [{cluster: web, arrivals: 10/s, stop: 2s}]
timeline: [{at: 1s, set_health: {hosts: 10.0.0.1, status: HEALTHY}}]
`,
);

describe('prove', () => {
  it('says what cannot be lost, and what comes of it', async () => {
    const { code, stdout, stderr } = await lbsim(['prove', file, '--cluster', 'web']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 of 2 zones lost: panic and failed requests. Losing a is enough.');
    expect(stdout).toContain('3 of 4 hosts lost: panic and failed requests.');
    expect(stdout).toContain('no capacity is known');
    expect(stdout).toContain('\nweb\n  What a loss brings once the control plane has noticed it.\n');
  });

  it('names hosts that are all of their kind, and how many of the others', async () => {
    const levels = folder.file(
      'levels.yaml',
      `
clusters: [{name: web, health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 2, tcp_health_check: {}}]}]
endpoints: {web: [{address: 10.0.0.1:80, count: 20}, {address: 10.1.0.1:80, priority: 1}, {address: 10.2.0.1:80, count: 2, priority: 2}]}
workloads: [{cluster: web, arrivals: {constant: 900/s}, stop: 1s}]
`,
    );
    const { stdout } = await lbsim(['prove', levels, '--capacity', '460']);
    const text = stdout.replace(/\s+/g, ' ');
    const which = 'any 11 of the 20 hosts of priority 0, the one host of priority 1 and all 2 hosts of priority 2';
    expect(text).toContain(`Losing ${which} is enough.`);
  });

  it('takes several files that are one configuration, as curve does, and says a note once', async () => {
    const clusters = folder.file(
      'clusters.yaml',
      '- {name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n' +
        '- {name: b, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n',
    );
    const endpoints = folder.file('endpoints.yaml', 'endpoints: {a: [10.0.0.1:80, 10.0.0.2:80], b: [10.0.0.3:80]}\n');
    const { code, stdout } = await lbsim(['prove', clusters, endpoints]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nnote      a and b: no capacity is known; give concurrency and service_time, or\n');
    const curve = await lbsim(['curve', clusters, endpoints, '--cluster', 'a', '--lose', '10.0.0.0/24']);
    expect(curve.stdout).toContain('Losing 10.0.0.0/24 host by host');
  });

  it('tells which keys of a table move, as compare does of each side', async () => {
    const ring = ['scenarios/tiny-ring.yaml', '--cluster', 'ring-64'];
    const { stdout } = await lbsim(['prove', ...ring, '--moved-keys']);
    const words = '40.23 % of the keys move, 25.00 % because their host is gone';
    expect(stdout).toContain(`  One host lost: ${words}`);
    const compared = await lbsim(['compare', ...ring, '--policies', 'RING_HASH,MAGLEV', '--all-single-host-failures']);
    expect(compared.stdout.replace(/\s+/g, ' ')).toContain(`one host lost: ${words}`);
  });

  it('shows on a terminal how far it is', async () => {
    const stderr = Object.assign(new Sink(), { isTTY: true, cursorTo: () => true, clearLine: () => true });
    await lbsim(['prove', file], { stderr });
    // How long it takes is not known before the bar has moved.
    expect(stderr.text).toMatch(/proving .* 0 % {2}\? left/);
  });

  it('tells how far it is after each set that it tried, and never less than before', async () => {
    const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') });
    if (scenario === undefined) throw new Error('it does not load');
    const told: number[] = [];
    await prove(scenario, { pause: (done) => Promise.resolve(void told.push(done)) });
    expect(told.length).toBeGreaterThan(2);
    expect(told.at(-1)).toBeGreaterThanOrEqual(0.5);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['prove', file, '--json', '--capacity', '6']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, scenario: 'web' });
  });

  it('has its old names as well', async () => {
    const [now, then] = [await lbsim(['prove', file]), await lbsim(['find', file])];
    expect(then).toEqual(now);
    const curve = await lbsim(['curve', file, '--lose', 'zone=a']);
    expect(await lbsim(['prove', file, '--curve', 'zone=a'])).toEqual(curve);
  });

  it('says whether a loss is survived, also by its exit code', async () => {
    const ask = (...argv: string[]) => lbsim(['prove', file, '--cluster', 'web', ...argv]);
    const yes = await ask('--survive', '2-hosts');
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.stdout).toContain('Yes, proven; any 2 hosts, or less');
    const no = await ask('--survive', 'zone=*', '--and', '1-host');
    expect(no).toMatchObject({ code: 1 });
    expect(no.stdout).toContain('No: any zone and 1 host, or less, without failed requests');
    expect(no.stdout).toContain('3 of 4 hosts lost: failed requests. Losing a is enough.');
    expect(await ask('--survive', 'zone=b', '--and', '1-host')).toMatchObject({ code: 0 });
    expect(await ask('--survive', '2-hosts', '--without', 'panic', '--json')).toMatchObject({ code: 0 });
  });

  it('proves nothing of hosts that there are none of, nor of capacities that nobody knows', async () => {
    const ask = (...argv: string[]) => lbsim(['prove', file, '--cluster', 'web', '--survive', ...argv]);
    const nobody = await ask('zone=q');
    expect(nobody).toMatchObject({ code: 2, stdout: expect.stringContaining('no host is zone=q') as string });
    const expecting = `${readFileSync(file, 'utf8')}expect: [{survives: {lose: [zone=q]}}]\n`;
    const { stdout: warned } = await lbsim(['validate', folder.file('expects.yaml', expecting)]);
    expect(warned).toContain('no host is ever zone q');
    expect((await ask('zone=b')).stdout).toContain('Yes, proven; the loss of zone=b, without failed requests.\n');
    const open = await ask('zone=b', '--without', 'overload');
    expect(open).toMatchObject({ code: 2, stdout: expect.stringContaining('no\n  capacity is known') as string });
    const sized = folder.file(
      'sized.yaml',
      `
clusters: [{name: web}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3}]}
behavior: [{concurrency: 1, service_time: 100ms}]
workloads: [{cluster: web, arrivals: 10/s, stop: 2s, size: 2000}]
expect: [{survives: {lose: [1 host], without: [overload]}}]
`,
    );
    for (const harm of ['overload', 'limit'])
      expect((await lbsim(['prove', sized, '--survive', '1-host', '--without', harm])).code).toBe(2);
    const { stdout } = await lbsim(['test', sized]);
    expect(stdout).toContain('not decided');
  });

  it('shortens what is lost with each value that does not survive', async () => {
    const varied = ['--survive', '18-hosts', '--vary', 'endpoints.web[0].count=17'];
    expect((await lbsim(['prove', file, ...varied])).stdout).toMatch(/10\.0\.0\.5:80, …,\s10\./);
  });

  it('writes a scenario of the first finding alone, which replays it', async () => {
    const replay = join(folder.path, 'replay.yaml');
    expect((await lbsim(['prove', file, '--replay', replay])).code).toBe(0);
    expect(readFileSync(replay, 'utf8')).not.toContain('other');
    const { code, stdout } = await lbsim(['run', replay, '--json']);
    expect(code).toBe(0);
    const { clusters } = JSON.parse(stdout) as {
      readonly clusters: Readonly<
        Record<string, { readonly phases: readonly { readonly failed: number; readonly reasons: readonly string[] }[] }>
      >;
    };
    expect(clusters['web']?.phases[1]?.reasons.join()).toContain('panic');
    expect(clusters['web']?.phases[1]?.failed).toBeGreaterThan(1000);
    expect((await lbsim(['prove', file, '--replay', replay])).code).toBe(2);
  });

  it('writes one of what a proxy is configured with, too', async () => {
    const bare = folder.file(
      'bare.yaml',
      'static_resources: {clusters: [{name: web, type: EDS, connect_timeout: 1s, eds_cluster_config: {eds_config: {ads: {}}}}]}',
    );
    const { code, stdout } = await lbsim(['prove', bare, '--hosts', 'web=4', '--replay', '-']);
    expect(code).toBe(0);
    const ran = await lbsim(['run', '-', '--full'], { stdin: stdout });
    expect(ran.stdout).toContain('panic');
    expect(ran.stdout).toContain('198.18.0.3');
    const twice = await lbsim(['prove', file, '--hosts', 'web=4', '--replay', '-']);
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toContain('leave out --hosts and other files');
  });

  it('replays to the harm that was found, whatever the cluster', async () => {
    const cluster = fc.record({
      threshold: fc.constantFrom(0, 50, 80),
      factor: fc.constantFrom(100, 140),
      zones: fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), priority: fc.integer({ min: 0, max: 1 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
    });
    await fc.assert(
      fc.asyncProperty(cluster, async ({ threshold, factor, zones }) => {
        const text = JSON.stringify({
          clusters: [
            {
              name: 'c',
              type: 'EDS',
              eds_cluster_config: { eds_config: { ads: {} } },
              common_lb_config: { healthy_panic_threshold: { value: threshold } },
            },
          ],
          assignments: {
            c: {
              cluster_name: 'c',
              policy: { overprovisioning_factor: factor },
              endpoints: zones.map(({ count, priority }, zone) => ({
                // Priorities have no gap.
                priority: zones.some((one) => one.priority === 0) ? priority : 0,
                locality: { zone: `z${zone}` },
                lb_endpoints: Array.from({ length: count }, (_, host) => ({
                  endpoint: { address: { socket_address: { address: `10.0.${zone}.${host + 1}`, port_value: 80 } } },
                })),
              })),
            },
          },
        });
        const found = folder.file('c.yaml', text);
        const { found: all } = JSON.parse((await lbsim(['prove', found, '--json'])).stdout) as {
          readonly found: readonly { readonly brings: string; readonly size: number | null; readonly failed: number }[];
        };
        const first = all.find(({ size }) => size !== null);
        const replay = await lbsim(['prove', found, '--replay', '-']);
        const { stdout } = await lbsim(['run', '-', '--json'], { stdin: replay.stdout });
        const { clusters } = JSON.parse(stdout) as {
          readonly clusters: Readonly<Record<string, { readonly phases: readonly Phase[] }>>;
        };
        const after = clusters['c']?.phases.at(-1);
        if (first?.brings === 'panic') expect(after?.reasons.join()).toContain('panic');
        const part = (after?.failed ?? 0) / (after?.requests ?? 1);
        expect(Math.abs(part - (first?.failed ?? 0)), stdout).toBeLessThan(0.06);
      }),
      { numRuns: 12, seed: 3 },
    );
  });

  it('replays what is out at the start, and leaves out what is about other clusters', async () => {
    const two = folder.file(
      'two.yaml',
      `clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}], other: [10.0.9.1:80]}
workloads: [{name: w, cluster: other, arrivals: 10/s, stop: 2s}]
behavior: [{hosts: {cluster: other}, service_time: 1ms}]
timeline:
  - {at: 0s, fail: {cluster: other}}
  - {at: 0s, set_rate: {workload: w, rate: 5/s}}
  - {at: 0s, set_health: {hosts: {address: 10.0.0.1:80}, status: UNHEALTHY}}
`,
    );
    const { stdout } = await lbsim(['prove', two, '--cluster', 'web', '--replay', '-']);
    expect(stdout).not.toContain('other');
    expect(stdout).toContain('address: 10.0.0.1:80');
    const { code } = await lbsim(['run', '-'], { stdin: stdout });
    expect(code).toBe(0);
    const down = folder.file(
      'down.yaml',
      `clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
workloads: [{cluster: web, arrivals: 10/s, stop: 2s}]
timeline: [{at: 0s, fail: 10.0.0.1}]
`,
    );
    // The control plane knows of it, too.
    const { timeline } = parse((await lbsim(['prove', down, '--replay', '-'])).stdout) as {
      readonly timeline: unknown;
    };
    expect(timeline).toContainEqual({ at: '1s', set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } });
  });

  it('replays an aggregate with its clusters', async () => {
    const eds = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}}}';
    const type = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
    const both = folder.file(
      'both.yaml',
      `clusters:
  - {name: first, ${eds}}
  - {name: second, ${eds}}
  - {name: both, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": ${type}, clusters: [first, second]}}}
endpoints: {first: [{address: 10.0.0.1:80, count: 10}], second: [{address: 10.1.0.1:80, count: 6}]}
workloads: [{cluster: both, arrivals: 1000/s, stop: 1s}]
`,
    );
    const { stdout } = await lbsim(['prove', both, '--replay', '-']);
    const run = await lbsim(['run', '-', '--json'], { stdin: stdout });
    const { clusters } = JSON.parse(run.stdout) as {
      readonly clusters: Readonly<Record<string, { readonly phases: readonly Phase[] }>>;
    };
    const { failed = 0, requests = 1 } = clusters['both']?.phases.at(-1) ?? {};
    // 56 % stay in a cluster of which six in ten are dead, and which panics by itself.
    expect(Math.abs(failed / requests - 0.336)).toBeLessThan(0.05);
  });

  it('replays an aggregate of which some clusters notice what they lose', async () => {
    const type = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
    const three = folder.file(
      'three.yaml',
      `clusters:
  - {name: told, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, common_lb_config: {healthy_panic_threshold: {value: 0}}}
  - {name: named, type: STRICT_DNS}
  - {name: blind}
  - {name: all, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": ${type}, clusters: [told, named, blind]}}, common_lb_config: {healthy_panic_threshold: {value: 0}}}
endpoints: {told: [{address: 10.0.0.1:80, count: 3}], named: [a.test:80], blind: [{address: 10.2.0.1:80, count: 4}]}
dns: {a.test: {addresses: [10.1.0.1, 10.1.0.2]}}
workloads: [{cluster: all, arrivals: 1000/s, stop: 1s}]
timeline: [{at: 0s, fail: 10.0.0.3}]
`,
    );
    const { found } = JSON.parse((await lbsim(['prove', three, '--json'])).stdout) as { readonly found: unknown };
    // Two of three hosts take 93 %. Without the records the rest is for those that keep their part when they are lost.
    const set = ['10.1.0.1:80', '10.1.0.2:80', '10.2.0.1:80'];
    expect(found).toContainEqual(expect.objectContaining({ set, failed: 0.0175, noticed_by: 'some_clusters' }));
    const { stdout } = await lbsim(['prove', three, '--replay', '-']);
    expect(parse(stdout)).toMatchObject({
      dns: { 'a.test': { addresses: [] } },
      timeline: [
        { at: '0s', fail: '10.0.0.3' },
        { at: '1s', set_health: { hosts: { address: '10.0.0.3:80', cluster: 'told' }, status: 'UNHEALTHY' } },
        { at: '1s', fail: { address: '10.2.0.1:80', cluster: 'blind' } },
      ],
    });
    const run = await lbsim(['run', '-', '--json'], { stdin: stdout });
    const { clusters } = JSON.parse(run.stdout) as {
      readonly clusters: Readonly<Record<string, { readonly phases: readonly Phase[] }>>;
    };
    const { failed = 0, requests = 1 } = clusters['all']?.phases.at(-1) ?? {};
    expect(Math.abs(failed / requests - 0.0175)).toBeLessThan(0.01);
  });

  it('replays requests with the keys and the metadata that they have', async () => {
    const own = '{cluster: web, hash_key: {cycle: [a]}, metadata_match: {v: 1}';
    const keyed = folder.file(
      'keyed.yaml',
      `clusters: [{name: web, lb_policy: RING_HASH, lb_subset_config: {subset_selectors: [{keys: [v]}]}}, {name: other}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3, metadata: {v: 1}}, {address: 10.0.0.4:80, metadata: {v: 2}}], other: [10.0.9.1:80]}
workloads: [${own}, arrivals: 10/s, stop: 2s, retry_policy: {retry_on: 5xx}}, {cluster: other, arrivals: 5/s, stop: 2s}]
`,
    );
    const { stdout } = await lbsim(['prove', keyed, '--cluster', 'web', '--replay', '-']);
    expect(parse(stdout)).toMatchObject({
      workloads: [
        { cluster: 'web', arrivals: { constant: '1000/s' }, hash_key: { cycle: ['a'] }, metadata_match: { v: 1 } },
      ],
    });
    expect(stdout).not.toMatch(/retry_policy|other/);
    // The one host of the only key.
    const run = await lbsim(['run', '-'], { stdin: stdout });
    expect(run.stdout).toContain('Every request failed from 1 to 3 s');
  });

  it('begins with what nothing notices, as run --fail has it, and replays it', async () => {
    const text = 'clusters: [{name: web}]\nendpoints: {web: [{address: 10.0.0.1:80, count: 4}]}\n';
    const plain = folder.file('plain.yaml', text);
    const found = await lbsim(['prove', plain]);
    expect(found.stdout).toContain('\nweb\n  What a loss brings, which nothing notices (no health_checks, no\n');
    expect(found.stdout).toContain('1 of 4 hosts lost: failed requests. Losing 10.0.0.1:80 is enough.');
    expect(found.stdout).toContain('25.0 % of the requests fail.');
    const curve = await lbsim(['curve', plain, '--lose', '10.0.0.1']);
    expect(curve.stdout).toContain('Losing 10.0.0.1 host by host, which nothing notices');
    const { stdout } = await lbsim(['run', plain, '--fail', '10.0.0.1']);
    expect(stdout).toContain('\n25.0 % of requests failed');
    const replay = await lbsim(['prove', plain, '--replay', '-']);
    expect(replay.stdout).toContain('fail:');
    expect(replay.stdout).not.toContain('set_health');
  });

  it.each([
    [['prove', '-', '--replay', 'x.yaml'], 'not standard input'],
    [['prove', file, '--replay', 'x.yaml', '--fail', 'zone=a'], 'write what --fail says into it'],
    [['prove', file, '--capacity', '0'], 'a number above 0'],
    [['prove', file, '--and', '2-hosts'], '--and says more of --survive LOSS'],
    [['prove', file, '--survive', 'color=red'], 'color=red'],
    [['prove', file, '--survive', 'zone', '--without', 'rain'], 'one of panic, failures, overload, outside'],
    [['curve', file], 'say which hosts are to go'],
    [['curve', file, '--lose', 'zone=c'], 'no host is zone=c'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await lbsim(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('curve', () => {
  it('begins with where it tips over', async () => {
    const { code, stdout } = await lbsim(['curve', file, '--lose', 'zone=a']);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('panic begins with 3 of 3 lost');
    expect(stdout.split('\n').filter((line) => line.endsWith('panic'))).toHaveLength(1);
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['curve', file, '--lose', 'zone=a', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, lose: 'zone=a', points: [{ lost: 0 }, {}, {}, {}] });
  });
});
