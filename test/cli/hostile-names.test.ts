import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { Served } from '../web/served.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

/** Escape sequences of both kinds, a bell, a tab, ends of lines, marks that turn text around. */
const EVIL = '\u001b[31m\u0007\t\u007f\u009b2J\u0085\u2028\u200f\u061c\u202e\u2066\n::error::x\r';
/** What can stand in a word of the command line without being several lines there already. */
const WORD = EVIL.replace('\n', ' ');
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const name = (first: string): string => JSON.stringify(`${first}${EVIL}`);
const SCENARIO = `
name: ${name('=scenario')}
description: ${name('description')}
proxies:
  - name: ${name('edge')}
    node: {id: ${name('id')}, cluster: ${name('service')}, locality: {zone: ${name('@home')}}}
    stats_sinks: [{name: proxy.stat_sinks.tagged_statsd, typed_config: {"@type": type.googleapis.com/config.metrics.v2.DogStatsdSink, address: {socket_address: {address: 127.0.0.1, port_value: 8125}}}}]
clusters:
  - {name: ${name('-cluster')}, lb_policy: RING_HASH, health_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}]}
endpoints:
  ${name('-cluster')}:
    - {address: 10.0.0.1:80, zone: ${name('+zone')}, metadata: {${name('key')}: ${name('value')}}}
    - {address: 10.0.0.2:80, hostname: ${name('host')}, zone: ${name('a;=zone')}}
workloads:
  - {name: ${name('@users')}, cluster: ${name('-cluster')}, arrivals: 100/s, stop: 3s, hash_key: {sequence: {keys: 5, prefix: ${name('user')}}}}
timeline:
  - {at: 1s, note: ${name('=note')}}
  - {at: 2s, set_health: {hosts: {zone: ${name('+zone')}}, status: UNHEALTHY}}
expect:
  - {share: {cluster: ${name('-cluster')}, hosts: {zone: ${name('+zone')}}}, at_most: 100%}
`;
const WRONG = `clusters: [{name: ${name('c')}, lb_policy: ${name('p')}, ${name('field')}: 1}]\n${name('top')}: 1\nexpect: [{stat: ${name('stat')}, at_least: x}]\n`;

const evilFolder = join(folder.path, `files${WORD}`);
mkdirSync(evilFolder);
const inFolder = `files${WORD}/`;
const scenario = folder.file(`${inFolder}scenario.yaml`, SCENARIO);
const wrong = folder.file(`${inFolder}wrong.yaml`, WRONG);
const bare = folder.file(
  `${inFolder}bare.json`,
  `{"resources": [{"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": ${name('=c')}, "type": "EDS",
    "eds_cluster_config": {"eds_config": {"ads": {}}}, ${name('field')}: ${name('value')}}]}`,
);
const keys = folder.file(`${inFolder}keys.txt`, `user0${WORD}\nuser1`);

function check(text: string, where: string): void {
  const at = text.search(UNPRINTABLE);
  expect({ where, found: at < 0 ? '' : JSON.stringify(text.slice(Math.max(0, at - 40), at + 40)) }).toEqual({
    where,
    found: '',
  });
}

describe('no character of a name moves the cursor, splits a line or turns text around', () => {
  it('the scenario of this test runs', () => {
    const { scenario: loaded, problems } = loadScenario({ file: 'a.yaml', text: SCENARIO });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(loaded).toBeDefined();
  });

  it.each(
    [
      ['run', scenario],
      ['run', scenario, '--all', '--bars'],
      ['run', scenario, '--json'],
      ['run', scenario, '--csv'],
      ['run', scenario, '--decisions', '-'],
      ['run', scenario, '--prometheus', '-'],
      ['import', bare],
      ['run', bare],
      ['predict', bare],
      ['validate', bare],
      ['import', wrong],
      ['import', bare, '-o', join(evilFolder, 'none', 'x')],
      ['predict', scenario],
      ['predict', scenario, '--json'],
      ['ring', scenario],
      ['ring', scenario, '--json'],
      ['ring', scenario, '--dump'],
      ['ring', scenario, '--keys', keys, '--json'],
      ['validate', scenario],
      ['validate', wrong],
      ['validate', wrong, '--json'],
      ['validate', wrong, '--format', 'github'],
      ['validate', evilFolder],
      ['run', wrong],
      ['run', wrong, '--json'],
      ['run', join(evilFolder, 'none.yaml')],
      ['run', `none${WORD}`],
      ['run', scenario, '--decisions', scenario],
      ['run', scenario, '--decisions', join(evilFolder, 'none', 'x')],
      ['run', scenario, `--nonsense${WORD}`],
      ['run', scenario, '--set', `a${WORD}=1`],
      ['run', scenario, '--unhealthy', `zone=${WORD}`],
      ['run', scenario, '--seed', WORD],
      [`command${WORD}`],
      ['examples', WORD],
      ['init', join(evilFolder, 'new.yaml')],
    ].map((argv) => [argv[0]?.slice(0, 8), argv] as const),
  )('%s %#', async (_, argv) => {
    const { stdout, stderr } = await lbsim(argv);
    // Tabs are between its columns.
    check(argv.includes('--dump') ? stdout.replaceAll('\t', '') : stdout, 'standard output');
    check(stderr, 'standard error');
    expect(stdout + stderr).not.toBe('');
    // Nor does a line begin with what a workflow of GitHub takes for a command, but for its own.
    expect(
      (stdout + stderr).split('\n').filter((line) => /^::(?!(error|warning|notice) (file|title)=)/.test(line)),
    ).toEqual([]);
  });

  it('in files', async () => {
    const lines = folder.path + '/lines.tsv';
    const prometheus = folder.path + '/run.prom';
    const { code } = await lbsim(['run', scenario, '--stats-file', lines, '--prometheus', prometheus]);
    expect(code).toBe(0);
    const rows = readFileSync(lines, 'utf8');
    check(rows.replaceAll('\t', ''), '--stats-file');
    for (const row of rows.trimEnd().split('\n')) expect(row.split('\t')).toHaveLength(4);
    check(readFileSync(prometheus, 'utf8'), '--prometheus');
  });

  it('on keys, whose columns stay two', async () => {
    const { stdout } = await lbsim(['ring', scenario, '--keys', keys]);
    check(stdout.replaceAll('\t', ''), '--keys');
    for (const line of stdout.trimEnd().split('\n')) expect(line.split('\t')).toHaveLength(2);
  });

  it('on the pages of the admin interface', async () => {
    const { scenario: loaded } = loadScenario({ file: 'a.yaml', text: SCENARIO });
    expect(loaded).toBeDefined();
    const served = await Served.startText(SCENARIO);
    served.advance(3);
    const proxy = encodeURIComponent(`edge${EVIL}`);
    for (const path of [
      '/',
      '/help',
      '/clusters',
      '/clusters?format=json',
      '/stats',
      '/stats?format=json',
      '/stats/prometheus',
      '/config_dump?include_eds',
      '/server_info',
      '/dashboard_event_stream',
      '/nope',
      '/proxies/nope/clusters',
      `/proxies/${proxy}/clusters`,
      `/stats?${proxy}`,
      `/stats?format=${proxy}`,
      `/stats?filter=(${proxy}`,
    ]) {
      const { text } = await served.get(path);
      expect(text).not.toBe('');
      check(text, path);
    }
    await served.close();
  });
});

it('JSON says the same with escapes', async () => {
  const { stdout } = await lbsim(['run', scenario, '--json']);
  expect(Object.keys((JSON.parse(stdout) as { clusters: object }).clusters)).toEqual([`-cluster${EVIL}`]);
});

describe('cells of a CSV file', () => {
  it('begin no formula', async () => {
    const { stdout } = await lbsim(['run', scenario, '--csv']);
    const cells = [...stdout.matchAll(/("(?:[^"]|"")*"|[^,\n]*)[,\n]/g)].flatMap(([, cell = '']) => cell.split(';'));
    expect(cells.length).toBeGreaterThan(60);
    expect(cells.filter((cell) => /^"?\s*[=+\-@\uff1d]/.test(cell))).toEqual([]);
    for (const cell of ["'=scenario", "'-cluster", "'+zone", "a;'=zone"]) expect(stdout).toContain(cell);
  });
});
