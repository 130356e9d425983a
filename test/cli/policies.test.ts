import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { PolicyModule } from '../../src/policy/foreign/policy-module.js';
import { BALANCER_LAWS, policyModuleUnderTest } from '../../src/testing/index.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const root = join(import.meta.dirname, '../..');
const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

const first = `export default { name: 'FIRST', kind: 'list', start: () => null, refresh() {}, choose: () => 0 };\n`;
const module = folder.file('first.mjs', first);
const scenario = folder.file(
  'own.yaml',
  `clusters: [{name: web, lb_policy: ./first.mjs}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 1s}]
`,
);

describe('a module that a file names as its policy', () => {
  it('is not loaded unless the command line says so', async () => {
    const { code, stdout, stderr } = await lbsim(['run', scenario]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(words(stderr)).toContain('./first.mjs is not loaded: a module runs code');
    expect(stderr).toContain('own.yaml:1:35');
  });

  it('is loaded from beside the file, and the report says whose code chooses', async () => {
    const { code, stdout } = await lbsim(['run', scenario, '--allow-code']);
    expect(code).toBe(0);
    expect(stdout).toContain("code that is not lbsim's chooses hosts: ./first.mjs (FIRST)");
    expect(words(stdout)).toContain('10.0.0.1:80 10 100.0 %');
    const json = await lbsim(['run', scenario, '--allow-code', '--json']);
    expect(json.stdout).toContain("code that is not lbsim's chooses hosts");
  });

  it('may get a name on the command line', async () => {
    const set = ['--set', 'clusters.web.lb_policy=mine'];
    const { code, stdout } = await lbsim(['run', scenario, '--policy', `mine=${module}`, ...set]);
    expect(code).toBe(0);
    expect(stdout).toContain('chooses hosts: mine (FIRST)');
    const unused = await lbsim(['run', scenario, '--allow-code', '--policy', `other=${module}`]);
    expect(unused.code).toBe(0);
    expect(words(unused.stderr)).toContain('no cluster has lb_policy: other');
  });

  it.each([
    ['compare', ['--policies', 'mine,RANDOM'], false],
    ['compare', ['--set', 'clusters.web.lb_policy=mine'], false],
    ['race', ['--policies', 'mine,RANDOM'], false],
    ['compare', ['--policies', 'RANDOM,MAGLEV'], true],
    ['race', ['--policies', 'RANDOM,MAGLEV'], true],
  ])('of %s %j is called unused only where no side has it', async (command, options, isUnused) => {
    const call = [command, scenario, '--allow-code', '--runs', '2', '--policy', `mine=${module}`, ...options];
    const { code, stderr } = await lbsim(call);
    expect(code).toBe(0);
    expect(words(stderr).includes('no cluster has lb_policy: mine')).toBe(isUnused);
  });

  it.each([
    ['there is no such module', 'none.mjs', undefined],
    ['it cannot be loaded: ', 'broken.mjs', 'export default {'],
    ['it cannot be loaded: Error: at once', 'throws.mjs', 'throw new Error("at once");'],
    ['it has no default export', 'empty.mjs', 'export const name = 1;'],
    ['start is missing', 'part.mjs', 'export default { name: "PART", kind: "list" };'],
  ])('%s', async (message, name, text) => {
    const file = join(folder.path, name);
    if (text !== undefined) writeFileSync(file, text);
    const set = ['--set', `clusters.web.lb_policy=${name.slice(0, -4)}`];
    const { code, stderr } = await lbsim(['run', scenario, '--policy', `${name.slice(0, -4)}=${file}`, ...set]);
    expect(code).toBe(2);
    expect(words(stderr)).toContain(message);
    expect(stderr).not.toContain('defect');
  });

  it('that a file names and that is not there is shown at its line', async () => {
    const file = folder.file('named.yaml', readFileSync(scenario, 'utf8').replace('first', 'none'));
    const { code, stderr } = await lbsim(['run', file, '--allow-code']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/named\.yaml:1:35 {2}error {2}clusters\[0\]\.lb_policy /);
    expect(words(stderr)).toContain('there is no such module');
    expect(stderr).toContain('| ');
  });

  it.each([
    ['mine', 'write a name and a file, as mine=./my-policy.mjs'],
    [`MAGLEV=${module}`, 'MAGLEV is the name of a policy that is there already'],
  ])('--policy %s', async (option, message) => {
    const { code, stderr } = await lbsim(['run', scenario, '--policy', option]);
    expect(code).toBe(2);
    expect(words(stderr)).toContain(message);
  });

  it('that fails in a run is named, and is no defect of ours', async () => {
    const file = folder.file('fails.mjs', first.replace('choose: () => 0', 'choose: () => 0.5'));
    const set = ['--set', 'clusters.web.lb_policy=fails'];
    const { code, stderr } = await lbsim(['run', scenario, '--policy', `fails=${file}`, ...set]);
    expect(code).toBe(2);
    expect(words(stderr)).toContain('FIRST.choose returned 0.5 for 2 hosts: it has to be a whole number from 0 to 1');
    expect(words(stderr)).toContain('request 0 at 0 s to cluster web');
    expect(stderr).not.toContain('defect');
  });
});

describe('lbsim init --policy', () => {
  const file = join(folder.path, 'my-policy.mjs');

  it('writes a policy and its test, which passes', async () => {
    const { code, stdout } = await lbsim(['init', '--policy', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('my-policy.test.mjs');
    const test = join(folder.path, 'my-policy.test.mjs');
    const library = pathToFileURL(join(root, 'src/index.ts')).href;
    writeFileSync(test, readFileSync(test, 'utf8').replace("from 'lbsim'", `from '${library}'`));
    const register = pathToFileURL(join(root, 'scripts/typescript-register.mjs')).href;
    const run = spawnSync(process.execPath, ['--import', register, '--test', test], { cwd: root, encoding: 'utf8' });
    expect(`${run.stdout}${run.stderr}`).toMatch(/pass 2/);
    expect(run.status).toBe(0);
  });

  it('which runs, and obeys the laws', async () => {
    const set = ['--set', 'clusters.web.lb_policy={policy: ./my-policy.mjs, settings: {half_life: 1s}}'];
    const { code, stdout } = await lbsim(['run', scenario, '--allow-code', ...set, '--policy', `x=${file}`]);
    expect({ code, said: stdout.includes('MY_POLICY') }).toEqual({ code: 2, said: false });
    const named = await lbsim(['run', scenario, '--policy', `my=${file}`, '--set', 'clusters.web.lb_policy=my']);
    expect(named.code).toBe(0);
    expect(named.stdout).toContain('my (MY_POLICY)');
    const { default: policy } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: PolicyModule;
    };
    for (const { check } of BALANCER_LAWS) check(policyModuleUnderTest(policy), { numRuns: 20 });
  });

  it('overwrites nothing, and writes modules only', async () => {
    expect((await lbsim(['init', '--policy', file])).code).toBe(2);
    folder.file('other.test.mjs', '');
    const { stderr: taken } = await lbsim(['init', '--policy', join(folder.path, 'other.mjs')]);
    expect(taken).toContain('Nothing was written.');
    expect(existsSync(join(folder.path, 'other.mjs'))).toBe(false);
    const { code, stderr } = await lbsim(['init', '--policy', 'policy.yaml']);
    expect(code).toBe(2);
    expect(words(stderr)).toContain('name a file such as my-policy.mjs');
  });
});
