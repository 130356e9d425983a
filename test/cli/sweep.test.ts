import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import type { Sweep } from '../../src/analysis/generated/experiments.js';
import { checksumOf, ResultsFile } from '../../src/cli/sweep/results-file.js';
import type { CallOptions } from './harness.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());
const text = `
name: queue
clusters: [{name: web, lb_policy: RANDOM}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
behavior: [{hosts: {}, service_time: {exponential: {mean: 4ms}}, concurrency: 1}]
workloads: [{cluster: web, arrivals: 200/s, start: 0s, stop: 2s}]
`;
const file = folder.file('queue.yaml', text);
const COUNT = 'endpoints.web[0].count';
let files = 0;
const newFile = (): string => join(folder.path, `results-${++files}.sqlite`);

function sweep(args: readonly string[], results = newFile(), options: CallOptions = {}): ReturnType<typeof lbsim> {
  return lbsim(['sweep', file, '--results', results, ...args], options);
}

interface Row {
  readonly id: string;
  readonly changes: string;
  readonly seed: string;
  readonly numbers: string;
  readonly problem: string | null;
}

function rows(results: string): number {
  const database = new Database(results);
  const { n } = database.prepare('select count(*) as n from cells').get() as { n: number };
  database.close();
  return n;
}

describe('lbsim sweep', () => {
  it('says before it begins where its results go', async () => {
    const results = newFile();
    const { stderr } = await sweep(['--vary', `${COUNT}=2..3`], results);
    expect(stderr).toMatch(new RegExp(`^2 points × 1 run .*; results in ${results}\n`));
  });

  it('tells of each point what a run with its values tells', async () => {
    const { stdout } = await sweep([
      '--vary',
      `${COUNT}=2..3`,
      '--vary',
      'clusters.web.lb_policy=RANDOM,ROUND_ROBIN',
      '--json',
    ]);
    const { results, paths, points } = JSON.parse(stdout) as Sweep;
    expect({ paths, points }).toEqual({ paths: [COUNT, 'clusters.web.lb_policy'], points: 4 });
    expect(results.map(({ values }) => Object.values(values).join(' '))).toEqual([
      ...['2 RANDOM', '2 ROUND_ROBIN', '3 RANDOM', '3 ROUND_ROBIN'],
    ]);
    const set = ['--set', `${COUNT}=3`, '--set', 'clusters.web.lb_policy=ROUND_ROBIN'];
    const run = JSON.parse((await lbsim(['run', file, ...set, '--json'])).stdout) as {
      clusters: { web: { latency_ms: { p99: number } } };
    };
    expect(results[3]?.measures['p99']).toEqual({ mean: run.clusters.web.latency_ms.p99, low: null, high: null });
  });

  it('goes on from what is finished, and from there with more values', async () => {
    const results = newFile();
    const args = ['--vary', `${COUNT}=2,3`, '--replications', '2', '--csv'];
    const first = await sweep(args, results);
    expect(rows(results)).toBe(4);
    const database = new Database(results);
    for (const { id, ...row } of database
      .prepare("select * from cells where changes like '%count=3%'")
      .all() as Row[]) {
      const altered = { ...row, numbers: '{"clusters.web.latency_ms.p99": 4321}' };
      database
        .prepare('update cells set numbers = ?, checksum = ? where id = ?')
        .run(altered.numbers, checksumOf(id, altered), id);
    }
    database.close();
    const second = await sweep(args, results);
    expect(second.stdout.split('\n')[1]).toBe(first.stdout.split('\n')[1]);
    expect(second.stdout.split('\n')[2]).toContain(',4321,4321,4321,');
    await sweep(['--vary', `${COUNT}=2..4`, '--replications', '3'], results);
    expect(rows(results)).toBe(9);
  });

  it('writes the rows of --csv as Parquet, numbers as numbers', async () => {
    const results = newFile();
    const out = join(folder.path, 'points.parquet');
    const [start, stop] = ['workloads[0].start', 'workloads[0].stop'];
    // No traffic from 1 s to 1 s: that point has no numbers.
    const args = ['--vary', `${COUNT}=2,3`, '--vary', `${start}=0s,1s`, '--vary', `${stop}=1s,2s`];
    const { code, stdout } = await sweep([...args, '--csv', '--parquet', out], results);
    expect(code).toBe(0);
    const [headings = '', ...lines] = stdout.trimEnd().split('\n');
    const file = Uint8Array.from(readFileSync(out)).buffer;
    const points: readonly Record<string, unknown>[] = await parquetReadObjects({ file });
    expect(Object.keys(points[0] ?? {})).toEqual(headings.split(','));
    expect(points.map((point) => [point['scenario'], point['point'], point[COUNT], point[start]])).toEqual(
      lines.map((_, at) => ['queue', at, at < 4 ? 2 : 3, at % 4 < 2 ? '0s' : '1s']),
    );
    const p99 = headings.split(',').indexOf('p99');
    expect(points.map((point) => point['p99'])).toEqual(
      lines.map((line, at) => (at % 4 === 2 ? null : Number(line.split(',')[p99]))),
    );
    expect(points.map((point) => point['problem'] === null)).toEqual(lines.map((_, at) => at % 4 !== 2));
    const types = parquetSchema(parquetMetadata(file)).children.map(({ element: { name, type } }) => [name, type]);
    expect(types).toEqual(
      expect.arrayContaining([
        ['point', 'INT32'],
        [COUNT, 'DOUBLE'],
        [start, 'BYTE_ARRAY'],
        ['p99', 'DOUBLE'],
      ]),
    );
    const again = await sweep([...args, '--parquet', out], results);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('--force overwrites it')]);
    const both = await sweep([...args, '--parquet', out, '--html', out], results);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--html and --parquet both write')]);
  });

  it('writes rows, lines and tables of the same numbers', async () => {
    const results = newFile();
    const args = ['--vary', `${COUNT}=2,3`, '--replications', '3', '--measure', 'totals.retries'];
    const [csv, jsonl, report] = [
      (await sweep([...args, '--csv'], results)).stdout,
      (await sweep([...args, '--jsonl'], results)).stdout,
      (await sweep(args, results)).stdout,
    ];
    const [headings = '', row = ''] = csv.split('\n');
    const cells = new Map(headings.split(',').map((heading, index) => [heading, row.split(',')[index]]));
    const [line = ''] = jsonl.split('\n');
    const point = JSON.parse(line) as Sweep['results'][number];
    expect(cells.get(COUNT)).toBe('2');
    expect(cells.get('p99_low')).toBe(String(point.measures['p99']?.low));
    expect(point.measures['totals.retries']?.mean).toBe(0);
    expect(report).toMatch(/^count +failures +mean +p99 +totals\.retries$/m);
    expect(report).toMatch(/^2 +0 % +\d+\.\d+ ± \d+\.\d+ ms/m);
  });

  it('looks for the best point within bounds', async () => {
    const search = ['--vary', `${COUNT}=1,2,4,16`, '--minimize', 'requests', '--subject-to', 'mean<12ms', '--json'];
    const { stdout } = await sweep(['--vary', `${COUNT}=1,2,4,16`, '--minimize', 'mean', '--json']);
    const found = JSON.parse(stdout) as Sweep;
    // The more hosts, the shorter their queues.
    expect(found.results[0]?.point).toBe(3);
    expect(found.search).toMatchObject({ goal: 'minimize', measure: 'mean', best: 3 });
    expect(found.results[0]?.runs).toBeGreaterThan(found.results[3]?.runs ?? Infinity);
    const bounded = JSON.parse((await sweep(search)).stdout) as Sweep;
    expect(bounded.results.slice(-1)[0]?.measures['mean']?.mean).toBeGreaterThan(12);
    const none = await sweep(['--vary', `${COUNT}=1,2`, '--maximize', 'p99', '--subject-to', 'mean<1us']);
    expect(none.stdout).toContain('No point keeps within mean<1us.');
  });

  it('looks for the least value of a varied field within bounds: how many hosts are needed', async () => {
    const search = ['--vary', `${COUNT}=1,2,4,16`, '--minimize', COUNT, '--subject-to', 'p99<60ms'];
    const { search: found, results } = JSON.parse((await sweep([...search, '--json'])).stdout) as Sweep;
    expect(found).toMatchObject({ goal: 'minimize', measure: COUNT, best: 1, as_good: [] });
    expect(results[0]?.values[COUNT]).toBe('2');
    expect(results[0]?.measures[COUNT]).toBeUndefined();
    const { stdout } = await sweep([...search, '--subject-to', `${COUNT}>=3`, '--width', '200']);
    expect(stdout).toContain(`${COUNT} is least under p99<60ms and ${COUNT}>=3 with ${COUNT}=4.`);
    const { stderr, code } = await sweep(['--vary', 'workloads[0].stop=1s,2s', '--minimize', 'workloads[0].stop']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no workloads[0].stop: there are requests,')]);
  });

  it('tells of combinations that cannot be run, and runs the others', async () => {
    const vary = ['--vary', 'workloads[0].start=0s,1s', '--vary', 'workloads[0].stop=1s,2s'];
    const { code, stdout } = await sweep(vary);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^point 2 cannot be run: /m);
    expect(stdout).toMatch(/^1s +1s +– +– +–$/m);
  });

  it('draws points', async () => {
    const { stdout } = await sweep(['--vary', `${COUNT}=1..1000`, '--latin-hypercube', '3', '--json']);
    const { results, design } = JSON.parse(stdout) as Sweep;
    expect(design).toBe('latin-hypercube');
    const thirds = results.map(({ values }) => Math.floor((Number(values[COUNT]) - 1) / (1000 / 3))).sort();
    expect(thirds).toEqual([0, 1, 2]);
  });

  it('stops at Ctrl-C and keeps what is finished', async () => {
    const results = newFile();
    const { code, stderr } = await sweep(['--vary', `${COUNT}=2..9`], results, { interrupt: true });
    expect(code).toBe(130);
    expect(stderr).toContain('the same command goes on from there');
    expect(rows(results)).toBeLessThan(8);
  });

  it.each([
    [[], 'there is nothing to vary'],
    [['--vary', `${COUNT}=`], 'empty value'],
    [['--vary', `${COUNT}=2`, '--vary', `${COUNT}=3`], 'stands twice'],
    [['--vary', 'clusters.web.lb_polici=RANDOM'], 'did you mean lb_policy?'],
    [['--vary', 'clusters.wep.lb_policy=RANDOM'], 'did you mean web?'],
    [['--vary', 'clusters.web.lb_policy=RANDOM,FASTEST'], '--vary clusters.web.lb_policy=FASTEST'],
    [
      ['--vary', 'workloads[0].stop=1ms..100000ms:1ms', '--vary', 'endpoints.web[0].weight=1..10000'],
      '1,000,000,000 points × 1 run of some 10,000 requests: about 231 days with 1 thread: --yes begins it',
    ],
    [['--vary', `${COUNT}=7..7`], 'it has one value: write 7'],
    [['--vary', `${COUNT}=7..5`], 'it ends before it begins'],
    [['--vary', `${COUNT}=2`, '--random', '2', '--latin-hypercube', '2'], 'take one'],
    [['--vary', `${COUNT}=2`, '--minimize', 'p98'], 'there is no p98'],
    [['--vary', `${COUNT}=2`, '--subject-to', 'p99<1s'], 'add --minimize'],
    [['--vary', `${COUNT}=2`, '--minimize', 'p99', '--maximize', 'p99'], 'one number is looked for'],
    [['--vary', `${COUNT}=2`, '--json', '--csv'], 'choose one'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await sweep(args);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
  });

  it('refuses files of others', async () => {
    const results = newFile();
    await sweep(['--vary', `${COUNT}=2`], results);
    const other = folder.file('other.yaml', text.replace('name: queue', 'name: other'));
    const refused = await lbsim(['sweep', other, '--vary', `${COUNT}=2`, '--results', results]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('has the results of the scenario queue');
    expect((await sweep(['--vary', `${COUNT}=2`, '--seed', '9'], results)).stderr).toContain(
      'another state of this scenario',
    );
    const database = new Database(results);
    database.exec(`update about set version = '0.0.1', context = 'x'`);
    database.close();
    expect((await sweep(['--vary', `${COUNT}=2`], results)).stderr).toContain('the results of lbsim 0.0.1');
    const strange = folder.file('strange.sqlite', text);
    expect((await sweep(['--vary', `${COUNT}=2`], strange)).stderr).toContain('is no file of results');
    expect(readFileSync(strange, 'utf8')).toBe(text);
    const nowhere = join(folder.path, 'none', 'results.sqlite');
    expect((await sweep(['--vary', `${COUNT}=2`], nowhere)).code).toBe(2);
  });

  it.each([
    [
      `update cells set numbers = replace(numbers, ':', ':1')`,
      /was altered: the row of the run with .*count=2.*, seed 1 /,
    ],
    [`update cells set numbers = 'NaN'`, /was altered: /],
    [`update cells set problem = 'x', numbers = 5`, /was altered: /],
    ['drop table cells', /is damaged \(no such table: cells\): restore it/],
    ['drop table about', /is damaged \(no such table: about\)/],
    ['delete from about', /is damaged \(the table about is empty\)/],
    ['alter table cells drop column checksum', /is damaged \(no such column: checksum\)/],
    ['pragma user_version = 1', /has the results of another build of lbsim, in another form \(1, and this is 2\)/],
  ])('believes no file after %s', async (sql, words) => {
    const results = newFile();
    const args = ['--vary', `${COUNT}=2`];
    await sweep(args, results);
    const database = new Database(results);
    database.exec(sql);
    database.close();
    const { code, stdout, stderr } = await sweep(args, results);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });

  it('tells of damaged pages, wherever they are', async () => {
    const results = newFile();
    const args = ['--vary', `${COUNT}=2`];
    await sweep(args, results);
    const whole = readFileSync(results);
    const pages = whole.length / 4096;
    for (let page = 0; page < pages; page++) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xa5, page * 4096 + (page === 0 ? 100 : 0), (page + 1) * 4096);
      writeFileSync(results, damaged);
      const { code, stderr } = await sweep(args, results);
      expect({ page, code, stderr }).toEqual({
        page,
        code: 2,
        stderr: expect.stringMatching(/is damaged \(/) as string,
      });
    }
  });

  it('tells of a folder, and of who has the file locked', async () => {
    expect((await sweep(['--vary', `${COUNT}=2`], folder.path)).stderr).toContain(' is a folder: name a file');
    const results = newFile();
    await sweep(['--vary', `${COUNT}=2`], results);
    const database = new Database(results);
    database.exec('begin exclusive');
    const opened = ResultsFile.open(results, { scenario: '', version: '', context: '' }, 0);
    const who = process.platform === 'linux' ? `the process ${process.pid}` : 'another process';
    await expect(opened).rejects.toThrow(`is locked by ${who}: wait for it`);
    database.close();
  });

  it('of standard input needs a name for its results', async () => {
    const args = ['sweep', '-', '--vary', `${COUNT}=2,3`, '--csv'];
    expect((await lbsim(args, { stdin: text })).stderr).toContain('--results FILE');
    const { code, stdout } = await lbsim([...args, '--results', newFile()], { stdin: text });
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 3 });
  });
});
