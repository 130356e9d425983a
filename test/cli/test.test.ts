import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const PAIR =
  'clusters: [{name: web}]\nendpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}\nworkloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 1s}]\n';
const good = folder.file('good.yaml', `${PAIR}expect: [{share: {cluster: web, hosts: 10.0.0.1}, equals: 50%}]\n`);
const bad = folder.file(
  'bad.yaml',
  `${PAIR}expect:\n  - {share: {cluster: web, hosts: 10.0.0.1}, at_least: 50%}\n  - {share: {cluster: web, hosts: "10.0.0.1"}, at_most: 40%}\n`,
);
const wrong = folder.file('wrong.yaml', `${PAIR}nonsense: 1\n`);
const silent = folder.file('silent.yaml', PAIR);

describe('test', () => {
  it('is a line for each file, and the exit code of a run', async () => {
    const { code, stdout } = await lbsim(['test', good, silent]);
    expect(code).toBe(0);
    expect(stdout).toBe(`ok    ${good}  1 expectation\nok    ${silent}  runs, expects nothing\n2 files: 2 passed.\n`);
  });

  it('keeps what is to be pasted in a line of its own', async () => {
    const elsewhere = new Folder();
    const unsent = elsewhere.file(
      'unsent.yaml',
      'duration: 1s\nclusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\n',
    );
    const { code, stdout } = await lbsim(['test', unsent]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/\n {8}--hosts web=10\.0\.0\.1:80,10\.0\.0\.2:80 .*\n/);
    expect(stdout).not.toContain('\ufffd');
    elsewhere.remove();
  });

  it('names what fails, with its line in the file', async () => {
    const { code, stdout } = await lbsim(['test', good, bad]);
    expect(code).toBe(1);
    expect(stdout).toContain(`FAIL  ${bad}  1 of 2 expectations failed\n      6:6  expect[1]: `);
    expect(stdout).toContain('it is 50 %');
    expect(stdout).toContain('2 files: 1 passed, 1 failed.');
  });

  it('goes on behind a file that cannot be run', async () => {
    const { code, stdout } = await lbsim(['test', wrong, bad, good]);
    expect(code).toBe(2);
    expect(stdout).toContain('3 files: 1 passed, 1 failed, 1 cannot be run.');
  });

  it('annotates what fails for GitHub', async () => {
    const { stdout } = await lbsim(['test', bad, '--format', 'github']);
    expect(stdout).toContain(`::error file=${bad},line=6,col=6,`);
  });

  it('writes JUnit XML, a case for each expectation', async () => {
    const out = join(folder.path, 'results.xml');
    expect((await lbsim(['test', good, bad, wrong, '--junit', out])).code).toBe(2);
    const xml = readFileSync(out, 'utf8');
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="lbsim">\n/);
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml.match(/<failure message="[^"]+"\/>/g)).toHaveLength(1);
    expect(xml.match(/<error message="[^"]+">/g)).toHaveLength(1);
    expect(xml).toContain('line="6"');
    expect((await lbsim(['test', good, '--junit', out])).code).toBe(2);
    expect((await lbsim(['test', good, '--junit', out, '--force'])).code).toBe(0);
    const both = await lbsim(['test', good, '--junit', '-', '--json']);
    expect(both.code).toBe(2);
    expect(both.stdout).toContain('--json and --junit - both want standard output');
  });

  it('is one JSON document, the same for the same call', async () => {
    const { stdout } = await lbsim(['test', good, bad, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 1,
      passed: false,
      files: [
        { file: good, status: 'passed', expectations: [{ passed: true, line: 4 }] },
        { file: bad, status: 'failed', expectations: [{ passed: true }, { passed: false, line: 6 }] },
      ],
    });
    expect((await lbsim(['test', good, bad, '--json'])).stdout).toBe(stdout);
  });

  it('says of a comparison and of a load the same in every form', async () => {
    const text = `${PAIR}behavior: [{hosts: 10.0.0.1:80, service_time: 500ms, concurrency: 1}]
expect:
  - {mean_latency: {cluster: web}, during: [500ms, 1s], at_least: 3, relative_to: {during: [0s, 500ms]}}
  - {host_load: {cluster: web}, at_most: 100%}
`;
    const file = folder.file('compared.yaml', text);
    // The first host serves 0, 0.2, 0.4 … one after the other: 0.5, 0.8, 1.1, then 1.4 and 1.7 s; the other takes no time.
    const words = [
      'mean latency from 500 ms to 1 s at least 3 × that from 0 s to 500 ms: it is 1.292 ×, 620.0 ms to 480.0 ms',
      'load of the busiest host at most 100 %: it is 250 %, 10.0.0.1:80 from 0 s to 1 s',
    ];
    const report = (await lbsim(['test', file])).stdout.replace(/\s+/g, ' ');
    const annotations = (await lbsim(['test', file, '--format', 'github'])).stdout.replaceAll('%25', '%');
    const xml = (await lbsim(['test', file, '--junit', '-'])).stdout;
    const { files } = JSON.parse((await lbsim(['test', file, '--json'])).stdout) as {
      readonly files: readonly { readonly expectations: readonly unknown[] }[];
    };
    for (const [index, failure] of words.entries()) {
      const line = 6 + index;
      expect(report).toContain(`${String(line)}:6 expect[${String(index)}]: ${failure}`);
      expect(annotations).toContain(`file=${file},line=${String(line)},`);
      expect(annotations).toContain(failure);
      expect(xml).toContain(`<failure message="${failure}"/>`);
      expect(files[0]?.expectations[index]).toMatchObject({ passed: false, line, failure });
    }
    expect(files[0]?.expectations[1]).toMatchObject({ busiest: { address: '10.0.0.1:80', from_s: 0, to_s: 1 } });
  });

  it('takes patterns: ** reaches into folders, * does not', async () => {
    folder.file('deep/inner.yaml', PAIR);
    const names = async (pattern: string): Promise<string[]> => {
      const { stdout } = await lbsim(['test', `${folder.path}/${pattern}`, '--json']);
      const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] };
      return files.map(({ file }) => file.slice(folder.path.length + 1));
    };
    expect(await names('g*.yaml')).toEqual(['good.yaml']);
    expect(await names('**/inner.yaml')).toEqual(['deep/inner.yaml']);
    expect(await names('**/g?od.yaml')).toEqual(['good.yaml']);
    expect(await names('**')).toEqual([
      'bad.yaml',
      'compared.yaml',
      'deep/inner.yaml',
      'good.yaml',
      'silent.yaml',
      'wrong.yaml',
    ]);
    const { code, stderr } = await lbsim(['test', `${folder.path}/x*.yaml`]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('matches this pattern') as string });
  });
});

describe('test --on', () => {
  const folder = new Folder();
  afterAll(() => folder.remove());
  const host = (address: string, zone: string): string =>
    `{locality: {zone: ${zone}}, lb_endpoints: [{endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}}]}`;
  const cluster = (name: string, extra = ''): string =>
    `- {name: ${name}, connect_timeout: 1s, ${extra} load_assignment: {cluster_name: ${name}, endpoints: [${host('10.0.0.1', 'a')}, ${host('10.0.0.2', 'b')}]}}\n`;
  const checks =
    'health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}],';
  const question = folder.file(
    'question.yaml',
    `duration: 10s
workloads: [{cluster: '*', arrivals: {constant: 10/s}}]
timeline: [{at: 3s, fail: {zone: a}}]
expect:
  - {success_rate: {cluster: '*'}, at_least: 70%}
  - {stat: cluster.*.upstream_rq_total, at_least: 60}
`,
  );
  const checked = folder.file('on/checked.yaml', cluster('web', checks) + cluster('a:b', checks));
  const mixed = folder.file('on/mixed.yaml', cluster('web', checks) + cluster('api'));
  const eds = '- {name: elsewhere, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n';
  folder.file('on/open.yaml', cluster('web', checks) + eds);

  it('puts the question to each cluster of each file', async () => {
    const { code, stdout } = await lbsim(['test', question, '--on', join(folder.path, 'on/*.yaml')]);
    expect(code).toBe(1);
    expect(stdout).toContain(`ok    ${question} on ${checked}  4 expectations\n`);
    expect(stdout).toContain(
      `FAIL  ${question} on ${mixed}  1 of 4 expectations failed\n      5:6  expect[0]: success rate of api at least 70 %: it is 65 %\n`,
    );
    // Nothing can be sent to hosts that are not known, and so nothing is expected of them but statistics.
    expect(stdout).toMatch(/open\.yaml {2}1 of 3 expectations failed/);
    expect(stdout).toContain('cluster.elsewhere.upstream_rq_total at least 60: it is 0');
  });

  it('has a case of JUnit for each, at its line of the question', async () => {
    const { stdout } = await lbsim(['test', question, '--on', checked, mixed, '--junit', '-']);
    expect(stdout.match(/<testcase /g)).toHaveLength(8);
    expect(stdout).toContain(`name="success rate of api at least 70 %" file="${question}" line="5"`);
  });

  it('means the clusters of --cluster', async () => {
    const { stdout } = await lbsim(['test', question, '--on', mixed, '--cluster', 'w*', '--json']);
    const { files } = JSON.parse(stdout) as { files: { expectations: { expectation: string }[] }[] };
    expect(files[0]?.expectations.map(({ expectation }) => expectation)).toEqual([
      'success rate of web at least 70 %',
      'cluster.web.upstream_rq_total at least 60',
    ]);
  });

  it('names the file in which something is wrong', async () => {
    const nothing = folder.file('nothing.yaml', "expect: [{success_rate: {cluster: 'x*'}, at_least: 1%}]\n");
    const broken = folder.file('broken.yaml', '- {name: web, connect_timeout: 1 second}\n');
    expect(await lbsim(['test', nothing, '--on', mixed])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('1:35  expect[0].success_rate.cluster: there is no cluster "x*"') as string,
    });
    const { code, stdout } = await lbsim(['test', question, '--on', broken]);
    expect(code).toBe(2);
    expect(stdout).toContain(`${broken}:1:32  `);
  });
});

it('tests the other files where the policy of one fails', async () => {
  folder.file(
    'fails.mjs',
    "export default { name: 'FAILS', kind: 'list', start: () => null, refresh() {}, choose: () => 0.5 };\n",
  );
  const failing = folder.file('failing.yaml', PAIR.replace('name: web', 'name: web, lb_policy: ./fails.mjs'));
  const { code, stdout } = await lbsim(['test', failing, good, '--allow-code', '--json']);
  const { files } = JSON.parse(stdout) as { files: { status: string; problems: { message: string }[] }[] };
  expect(code).toBe(2);
  expect(files.map(({ status }) => status)).toEqual(['error', 'passed']);
  expect(files[0]?.problems[0]?.message).toContain('choose');
});
