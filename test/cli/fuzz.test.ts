import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FuzzDocument } from '../../src/report/documents.js';
import { findProxy } from '../../src/real-proxy/guarded-process.js';
import { loadScenario } from '../../src/scenario/load.js';
import { runConformance } from '../conformance/runner.js';
import type { Verification } from '../../src/analysis/verify/verification.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

interface Bootstrap {
  readonly static_resources: { readonly listeners: readonly { readonly name: string }[] };
}

const folder = new Folder();
afterAll(() => folder.remove());
const standIn = join(import.meta.dirname, '../real-proxy/stand-in.mjs');
const withStandIn = ['fuzz', '--against-proxy', '--envoy', standIn, '--requests', '100', '--shrink', '0'];

afterEach(() => {
  delete process.env['STAND_IN'];
});

describe('lbsim fuzz', () => {
  it('makes what differs small, and saves it', async () => {
    process.env['STAND_IN'] = 'unfair';
    const folderPath = join(folder.path, 'differences');
    const { code, stdout } = await lbsim([
      ...withStandIn,
      '--runs',
      '1',
      '--seed',
      '8',
      '--save',
      folderPath,
      '--json',
    ]);
    expect(code).toBe(1);
    const { differences, tried, first_seed: first, next_seed: next } = JSON.parse(stdout) as FuzzDocument;
    expect({ tried, first, next }).toEqual({ tried: 1, first: 8, next: 9 });
    const file = join(folderPath, 'mix-8-0.yaml');
    expect(differences[0]?.file).toBe(file);
    const text = readFileSync(file, 'utf8');
    const { scenario } = loadScenario({ file, text });
    expect(text).toMatch(/^# Drawn as mix-8-0\..*\n# lbsim verify --requests 400 asks both sides again\.\n/);
    expect(differences[0]?.not_held).toEqual([]);
    // Fields of v3 alone are read, too.
    expect(text).toContain('\napi: v3\n');
    expect(scenario?.clusters[0]?.name).toMatch(/^(a|mix)-0$/);
  });

  it('records each mix as a scenario and what a proxy of its own did', async () => {
    const folderPath = join(folder.path, 'recorded');
    const args = [...withStandIn, '--seed', '8', '--runs', '2', '--timelines', '--record', folderPath];
    await lbsim(args);
    expect(readdirSync(folderPath).sort()).toEqual(['mix-8-0.json', 'mix-8-0.yaml', 'mix-8-1.json', 'mix-8-1.yaml']);
    const { cases } = await runConformance(folderPath);
    expect(cases.map(({ file, compared }) => [file, compared.includes('stats')])).toEqual([
      ['mix-8-0.json', true],
      ['mix-8-1.json', true],
    ]);
    const [file] = cases.map((one) => join(folderPath, one.file));
    const { stdout } = await lbsim(['verify', file?.replace('json', 'yaml') ?? '', '--recorded', file ?? '', '--json']);
    expect((JSON.parse(stdout) as Verification).situations.length).toBeGreaterThan(1);
  });

  it('plays mixes in real time, and says which call plays one that differs again', async () => {
    process.env['STAND_IN'] = 'unfair';
    const folderPath = join(folder.path, 'played');
    const args = ['fuzz', '--against-proxy', '--envoy', standIn, '--shrink', '0', '--played', '--json'];
    const { stdout } = await lbsim([...args, '--runs', '1', '--seed', '1', '--save', folderPath]);
    const { played, tried, not_judged: apart, requests, differences } = JSON.parse(stdout) as FuzzDocument;
    expect({ played, all: tried + apart }).toEqual({ played: true, all: 1 });
    // It has no time-outs, checks and limits, and counts nothing of them.
    expect(differences.length).toBeGreaterThan(0);
    expect(requests).toBeGreaterThan(100);
    const text = readFileSync(differences[0]?.file ?? '', 'utf8');
    expect(text).toMatch(/^# Drawn as mix-1-\d\..*\n# lbsim verify --play 4s asks both sides again\.\n/);
  });

  it('makes small what a proxy falls at, one proxy after the other, and saves what does it', async () => {
    process.env['STAND_IN'] = 'dies';
    // It ends by itself, once nothing more can go.
    const args = [...withStandIn.slice(0, -1), '600', '--runs', '1', '--seed', '8', '--json'];
    const fallen = join(folder.path, 'fallen');
    const { differences } = JSON.parse((await lbsim([...args, '--save', fallen])).stdout) as FuzzDocument;
    const bootstrap = JSON.parse(readFileSync(join(fallen, 'mix-8-0/bootstrap.json'), 'utf8')) as Bootstrap;
    expect(bootstrap.static_resources.listeners.map(({ name }) => name)).toContain('traffic');
    expect(readFileSync(join(fallen, 'mix-8-0/crash.sh'), 'utf8')).toContain("-H 'x-lbsim-traffic: 0'");
    const whole = JSON.parse((await lbsim([...args, '--shrink', '0'])).stdout) as FuzzDocument;
    expect(differences[0]?.differs.map(({ words }) => words)).toEqual([
      'the proxy fell in the middle of its requests: assert failure: hosts.size() > 0',
    ]);
    expect(differences[0]?.scenario.length).toBeLessThan(whole.differences[0]?.scenario.length ?? 0);
    expect(differences[0]?.scenario).toContain('load_assignment: {cluster_name: mix-0}');
  });

  it('says what was tried until Ctrl-C', async () => {
    const { code, stdout, stderr } = await lbsim([...withStandIn, '--seed', '3', '--runs', '2'], { interrupt: true });
    expect(code).toBe(130);
    expect(stdout).toContain('agree on 0 mixes');
    expect(stderr).toBe('lbsim: interrupted after 0 mixes; --seed 3 goes on.\n');
  });

  it.each([
    [['fuzz'], "required option '--against-proxy' not specified"],
    [['fuzz', '--against-proxy', '--envoy', join(folder.path, 'none')], 'there is no such file'],
    [[...withStandIn, '--save', join(standIn, 'below')], 'cannot write'],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await lbsim(args);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
  });
});

const proxy = await findProxy(undefined, process.env).catch(() => undefined);

describe.skipIf(proxy === undefined)('a real proxy', () => {
  it('divides, looks up and takes turns as lbsim does in random mixes', async () => {
    const args = ['fuzz', '--against-proxy', '--envoy', proxy?.file ?? '', '--runs', '20', '--shrink', '0', '--json'];
    const { stdout } = await lbsim(args);
    const { tried, refused, differences } = JSON.parse(stdout) as FuzzDocument;
    expect(tried + refused).toBe(20);
    expect(differences).toEqual([]);
  });

  it('and chooses clusters as routes say, with copies', async () => {
    const args = ['fuzz', '--against-proxy', '--routes', '--envoy', proxy?.file ?? '', '--runs', '20', '--json'];
    const { features, differences } = JSON.parse((await lbsim(args)).stdout) as FuzzDocument;
    expect(features.find(({ feature }) => feature === 'route')?.tried).toBe(20);
    expect(differences).toEqual([]);
  });

  it('and after each update of their hosts', async () => {
    const args = [
      'fuzz',
      '--against-proxy',
      '--timelines',
      '--envoy',
      proxy?.file ?? '',
      '--runs',
      '10',
      '--shrink',
      '0',
    ];
    const { stdout } = await lbsim([...args, '--json']);
    const { tried, timelines, differences } = JSON.parse(stdout) as FuzzDocument;
    expect({ tried, timelines, differences }).toEqual({ tried: 10, timelines: true, differences: [] });
  });
});
