import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const file = folder.file(
  'web.yaml',
  `
clusters: [{name: web, lb_policy: RING_HASH}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3}, {address: 10.0.1.1:80, priority: 1}]}
workloads: [{cluster: web, arrivals: 10/s, stop: 1s, hash_key: {cycle: [k1]}}]
timeline: [{at: 500ms, set_health: {hosts: {priority: 0}, status: UNHEALTHY}}]
`,
);

describe('explain', () => {
  it('begins with the answer and numbers the steps', async () => {
    const { code, stdout, stderr } = await lbsim(['explain', file, '--hash', '250', '--at', '0.6s']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^At 0\.6 s web \(RING_HASH\) sends the request to 10\.0\.1\.1:80\. /);
    expect(stdout).toContain('1  hash      The route’s hash policy gives 250.\n');
    expect(stdout).toContain('2  priority  50 (of 0–99) falls to the healthy hosts of priority 1, which get\n');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('is one JSON document with a format', async () => {
    const { stdout } = await lbsim(['explain', file, '--key', 'k7', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, cluster: 'web', request: { hash_key: 'k7' } });
  });

  it('asks the first cluster that has hosts, and says that there are others', async () => {
    const mesh = folder.file(
      'mesh.yaml',
      'clusters: [{name: BlackHoleCluster, type: STATIC}, {name: web}]\nendpoints: {web: [10.0.0.1:80]}\n',
    );
    const { stdout } = await lbsim(['explain', mesh]);
    expect(stdout).toContain('At 0 s web (ROUND_ROBIN) sends the request to 10.0.0.1:80.');
    expect(stdout).toContain('there is 1 other cluster: --cluster NAME asks it');
    const { stdout: nobody } = await lbsim(['explain', mesh, '--cluster', 'BlackHoleCluster']);
    expect(nobody).toContain('panic     It has no hosts.');
  });

  it('says why not of a name, too', async () => {
    const named = folder.file(
      'named.yaml',
      'clusters: [{name: web, type: STRICT_DNS, lb_policy: RANDOM}]\nendpoints: {web: [a.test:80, b.test:80]}\n' +
        'dns: {a.test: {addresses: [10.0.0.1]}, b.test: {addresses: ["2001:db8::1"]}}\n',
    );
    for (const host of ['a.test', '2001:db8::1', 'b.test']) {
      const { code, stdout } = await lbsim(['explain', named, '--why-not', host]);
      expect({ code, begins: stdout.startsWith(`${host} gets `) }).toEqual({ code: 0, begins: true });
    }
  });

  it('tells the whole way of a request of the run', async () => {
    const { code, stdout, stderr } = await lbsim(['explain', file, '--request', '3']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Request 3, at [\d.]+ s to web: 200 from 10\.0\.\d\.\d:80, 0 ms later\.\n/);
    expect(stdout).toMatch(/\n\+0 ms {2}route {5}A request of .* goes to web/);
    expect(stdout).toMatch(/\n\+0 ms {2}end {7}The client gets 200 after 0 ms\.\n$/);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    const { stdout: json } = await lbsim(['explain', file, '--request', '3', '--json']);
    expect(JSON.parse(json)).toMatchObject({ format: 1, request: 3, status: 200, attempts: 1 });
  });

  it('says why a host gets little', async () => {
    const { code, stdout } = await lbsim(['explain', file, '--why-not', '10.0.1.1']);
    expect(code).toBe(0);
    expect(stdout).toContain('→ Priority 1 gets 0 % of the traffic, all for this host.');
    const { stdout: json } = await lbsim(['explain', file, '--why-not', '10.0.1.1', '--json']);
    expect(JSON.parse(json)).toMatchObject({ format: 1, host: '10.0.1.1' });
  });

  it.each([
    [['--at', 'soon'], "option '--at <TIME>' argument 'soon' is invalid. "],
    [['--hash', '-1'], "option '--hash <NUMBER>' argument '-1' is invalid. "],
    [['--header', 'x'], "option '--header <NAME=VALUE>' argument 'x' is invalid. Write NAME=VALUE."],
    [['--metadata', '{'], 'This is no JSON'],
    [['--worker', 'a'], 'It is a whole number from 0'],
    [['--why-not', '10.0.0.9'], 'there is no host 10.0.0.9'],
    [['--why-not', '10.0.0.1', '--at', '1s'], 'choose one'],
    [['--proxy', 'nobody'], 'there is no proxy nobody'],
    [['--request', '99999'], 'there is no request 99999: the run has fewer'],
    [['--request', 'one'], 'It is a whole number from 0'],
    [['--request', '1', '--at', '1s'], 'choose one'],
    [['--request', '1', '--why-not', '10.0.0.1'], 'choose one'],
  ])('refuses %j', async (options, message) => {
    const { code, stdout, stderr } = await lbsim(['explain', file, ...options]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
