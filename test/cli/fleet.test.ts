import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import Database from 'libsql';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/cli/cell.js';
import { receivedAnswer, receivedContext, receivedJob } from '../../src/cli/fleet/received.js';
import { packageVersion } from '../../src/cli/package-root.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

/** Sweeps and workers as processes of their own, over a real Redis. Needs `npm run build`, as `npm test` does first. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(root, 'dist/cli/main.js');
const folder = new Folder();
const COUNT = 'endpoints.web[0].count';
const text = `
name: queue
clusters: [{name: web, lb_policy: RANDOM}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
behavior: [{hosts: {}, service_time: {exponential: {mean: 4ms}}, concurrency: 1}]
workloads: [{cluster: web, arrivals: 200/s, start: 0s, stop: 2s}]
`;
const file = folder.file('queue.yaml', text);
/** A run of some hours. */
const hours = folder.file('hours.yaml', text.replace('200/s', '1000000/s').replace('stop: 2s', 'stop: 1000s'));
let files = 0;
const newFile = (): string => join(folder.path, `results-${++files}.sqlite`);

/** A call of lbsim that may be watched. */
class Call {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly waiting: { readonly words: string; readonly resolve: () => void }[] = [];
  readonly ended: Promise<number | null>;

  constructor(argv: readonly string[], env: Readonly<Record<string, string>> = {}, main = MAIN) {
    this.child = spawn(process.execPath, [main, ...argv], { stdio: 'pipe', env: { ...process.env, ...env } });
    running.add(this);
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      for (const { words, resolve } of this.waiting) if (this.stderr.includes(words)) resolve();
    });
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      for (const { resolve } of this.waiting) resolve();
      return code as number | null;
    });
  }

  /** Resolves when these words have been said on standard error, or never will be. */
  said(words: string): Promise<void> {
    if (this.stderr.includes(words)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ words, resolve }));
  }

  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }

  /** How many runs a worker says that it has worked out. */
  get runs(): number {
    return Number(/^(\d+) runs? worked out$/m.exec(this.stderr)?.[1] ?? NaN);
  }
}

const running = new Set<Call>();
afterEach(async () => {
  await Promise.all([...running].map((call) => call.stop('SIGKILL')));
});
afterAll(() => folder.remove());

function vary(values: string, scenario = file, results = newFile()): readonly string[] {
  return ['sweep', scenario, '--vary', `${COUNT}=${values}`, '--csv', '--results', results];
}

/** What a sweep says without any worker. */
async function alone(values: string, scenario = file): Promise<string> {
  return (await lbsim(vary(values, scenario, ':memory:'))).stdout;
}

function cells(results: string): number {
  const database = new Database(results);
  const { n } = database.prepare('select count(*) as n from cells').get() as { n: number };
  database.close();
  return n;
}

async function worker(url: string, ...args: readonly string[]): Promise<Call> {
  const call = new Call(['worker', '--jobs', '1', '--redis', url, ...args]);
  await call.said('works for');
  return call;
}

/** Resolves when workers have begun with so many further runs. */
async function nextRun(url: string, count = 1): Promise<() => Promise<void>> {
  const { port } = new URL(url);
  const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };
  const queue = `cells-${packageVersion()}`;
  // From the event that is the last one now: "from the next one" would begin when the events are first asked for, and miss some.
  const client = new Redis(connection);
  const [last] = await client.xrevrange(`lbsim:${queue}:events`, '+', '-', 'COUNT', 1);
  client.disconnect();
  const events = new QueueEvents(queue, { connection, prefix: 'lbsim', lastEventId: last?.[0] ?? '0-0' });
  events.on('error', () => undefined);
  await events.waitUntilReady();
  let left = count;
  const begun = new Promise<void>((resolve) => {
    events.on('active', () => {
      if (--left === 0) resolve();
    });
  });
  return async () => {
    await begun;
    await events.close();
  };
}

const marker = join(folder.path, 'marker');
/** The first host, and a file that tells that it was loaded. */
const evilText = `
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(marker)}, 'loaded');
export default { name: 'FIRST', kind: 'list', looksAtLoad: false, drawsHosts: false, start: () => null, refresh() {}, choose: () => 0 };
`;
const evil = folder.file('evil.mjs', evilText);
const MINE = `clusters: [{name: web, lb_policy: mine}]`;

/** A context as a sweep of this version writes it. */
function contextWith(changes: Readonly<Record<string, unknown>>, own = text): string {
  const source = { inputs: [{ file: 'queue.yaml', text: own }], named: [], options: {} };
  return JSON.stringify({ version: packageVersion(), source, policy: {}, code: [], modules: [], ...changes });
}

describe('what comes from Redis', () => {
  const none: ReadonlySet<string> = new Set();

  it.each([
    ['{', 'it is no JSON'],
    ['[]', 'the context is [], and has to be an object'],
    [
      contextWith({ policy: { policy: [`mine=${evil}`] } }),
      `the context.policy names mine=${evil}, and a worker loads no`,
    ],
    [contextWith({ policy: { policy: 'mine=x.mjs' } }), 'the context.policy names mine=x.mjs'],
    [contextWith({ policy: { allowCode: true } }), 'the context.policy has allowCode'],
    [contextWith({ policy: { other: 1 } }), 'the context.policy has no option other'],
    [contextWith({ policy: null }), 'the context.policy is null'],
    [contextWith({ modules: [{ name: 'mine', text: evilText }] }), `mine (--allow-code ${sha256(evilText)})`],
    [contextWith({ modules: [{ name: 'mine', text: evilText, file: evil }] }), 'has no option file'],
    [contextWith({ modules: undefined }), 'has no modules'],
    [contextWith({ keep: 'p99' }), 'the context.keep is '],
    [contextWith({ everyUs: 0 }), 'the context.everyUs is 0'],
    [contextWith({ extra: 1 }), 'the context has no option extra'],
    [contextWith({ source: { inputs: [], named: [], options: { readFile: 1 } } }), 'has no option readFile'],
  ])('is refused as a context: %#', (sent, words) => {
    expect(() => receivedContext(sent, none)).toThrow(words);
  });

  it('as a context is taken where its modules are allowed', () => {
    const modules = [{ name: 'mine', text: evilText }];
    expect(receivedContext(contextWith({ modules }), new Set([sha256(evilText)])).modules).toEqual(modules);
  });

  it('as a run or an answer is refused', () => {
    const run = { context: 'a'.repeat(64), changes: ['a=1'], seed: '1' };
    expect(receivedJob(run)).toEqual(run);
    expect(() => receivedJob({ ...run, context: '../x' })).toThrow('the run.context is');
    expect(() => receivedJob({ ...run, changes: [1] })).toThrow('the run.changes[0] is 1');
    expect(() => receivedJob(null)).toThrow('the run is null');
    const answer = {
      run: { seed: '1', hosts: {}, phases: {}, policies: {}, expect: [], latencies: { c: [1, 2, 3] } },
      numbers: { a: 1 },
    };
    expect(receivedAnswer(answer)).toEqual(answer);
    expect(() => receivedAnswer({ ...answer, numbers: { a: '1' } })).toThrow('the answer.numbers.a is');
    expect(() => receivedAnswer({ ...answer, numbers: { a: null } })).toThrow('the answer.numbers.a is null');
    expect(() => receivedAnswer({ problem: 1 })).toThrow('the answer.problem is 1');
  });
});

describe('limits of a run', () => {
  it('end those that take longer, and no file keeps them', async () => {
    const results = newFile();
    const late = new Call([...vary('2,3', hours, results), '--jobs', '1', '--cell-timeout', '100ms']);
    expect(await late.ended).toBe(0);
    expect(late.stdout.match(/,it took longer than --cell-timeout 0\.1s$/gm)).toHaveLength(2);
    expect(cells(results)).toBe(0);
  });

  it('end those that need more memory, and no others', async () => {
    const results = newFile();
    const big = new Call([...vary('2,200000', file, results), '--jobs', '1', '--cell-memory', '64']);
    expect(await big.ended).toBe(0);
    expect(big.stdout.match(/,it needed more memory than --cell-memory 64$/gm)).toHaveLength(1);
    expect(cells(results)).toBe(1);
  });

  it('are the workers’ where they work', async () => {
    const { code, stderr } = await lbsim([...vary('2'), '--redis', 'redis://127.0.0.1:1', '--cell-memory', '64']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('lbsim worker has both')]);
  });
});

describe.skipIf(!hasRedis)('a fleet (needs redis-server)', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await RedisServer.start();
  });
  afterEach(() => redis.end());

  it('of eight workers gives the bytes of one thread', async () => {
    const sweep = new Call([...vary('2..21'), '--replications', '3', '--redis', redis.url]);
    await sweep.said('no worker is there yet');
    const workers = Array.from({ length: 8 }, () => new Call(['worker', '--jobs', '1', '--redis', redis.url]));
    expect(await sweep.ended).toBe(0);
    expect(sweep.stdout).toBe((await lbsim([...vary('2..21'), '--replications', '3'])).stdout);
    await Promise.all(workers.map((one) => one.said('works for')));
    const codes = await Promise.all(workers.map((one) => one.stop('SIGTERM')));
    expect(codes).toEqual(workers.map(() => 130));
    expect(workers.reduce((sum, { runs }) => sum + runs, 0)).toBe(60);
  });

  it('hears no secret, of the files or of --set', async () => {
    const own = folder.file(
      'own.yaml',
      text.replace('lb_policy: RANDOM', 'lb_policy: RANDOM, metadata: {filter_metadata: {acme: {password: hunter1x}}}'),
    );
    // Its monitor is a client of its own.
    const client = new Redis(redis.port, '127.0.0.1');
    const monitor = await client.monitor();
    client.disconnect();
    let heard = '';
    monitor.on('monitor', (_time: string, words: readonly string[]) => (heard += `${words.join(' ')}\n`));
    const one = await worker(redis.url);
    const set = ['--set', 'clusters.web.metadata.filter_metadata.mine={list: [hunter2x]}'];
    const { code } = await lbsim([...vary('2,3', own), '--replications', '2', ...set, '--redis', redis.url]);
    expect(code).toBe(0);
    await one.stop('SIGTERM');
    monitor.disconnect();
    // What is sent is heard: the context, and what the workers worked out.
    expect(heard).toContain('filter_metadata');
    expect(heard).toContain('clusters.web.latency_ms.p99');
    expect(heard).not.toMatch(/hunter/);
  });

  it('goes on without a worker that is killed, and one that is ended hands its run back', async () => {
    const begun = await nextRun(redis.url);
    const killed = await worker(redis.url, '--lease', '1s');
    const sweep = new Call([...vary('2', hours), '--redis', redis.url]);
    await begun();
    const again = await nextRun(redis.url);
    await killed.stop('SIGKILL');
    const ended = await worker(redis.url, '--lease', '1s');
    await again();
    // Nobody waits for a lease: it is longer than the test.
    const last = await worker(redis.url, '--lease', '1h');
    const handedBack = await nextRun(redis.url);
    expect(await ended.stop('SIGTERM')).toBe(130);
    expect(ended.stderr).toContain('0 runs worked out');
    await handedBack();
    expect(await sweep.stop('SIGINT')).toBe(130);
    await last.stop('SIGKILL');
  });

  it.each([
    [
      'a file as its policy',
      contextWith({ policy: { policy: [`mine=${evil}`] } }, text.replace(/clusters:.*/, MINE)),
      evil,
    ],
    [
      'allowCode with a module beside the scenario',
      contextWith({ policy: { allowCode: true } }, text.replace('RANDOM', evil)),
      'allowCode',
    ],
  ])('runs no code that Redis names: %s', async (_, context, words) => {
    const id = sha256(context);
    const client = new Redis(redis.port, '127.0.0.1');
    await client.set(`lbsim:context:${id}`, context);
    const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null };
    const queue = new Queue(`cells-${packageVersion()}`, { connection, prefix: 'lbsim' });
    await queue.add('cell', { context: id, changes: [], seed: '1' });
    const one = await worker(redis.url);
    await one.said('a run failed: ');
    expect(one.stderr).toContain(words);
    expect(existsSync(marker)).toBe(false);
    await queue.close();
    client.disconnect();
    await one.stop('SIGTERM');
  });

  it('runs a module that is sent where the worker was given its digest, and nowhere else', async () => {
    const ownText = `export default { name: 'FIRST', kind: 'list', looksAtLoad: false, drawsHosts: false, start: () => null, refresh() {}, choose: () => 0 };\n`;
    const own = folder.file('own.mjs', ownText);
    const mine = folder.file('mine.yaml', text.replace(/clusters:.*/, MINE));
    const args = [...vary('2,3', mine), '--policy', `mine=${own}`];
    const digest = sha256(ownText);
    const others = await worker(redis.url, '--allow-code', 'a'.repeat(64));
    const refused = new Call([...args, '--redis', redis.url]);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr).toContain(`code that this worker was not told to run: mine (--allow-code ${digest})`);
    await others.stop('SIGTERM');
    const one = await worker(redis.url, '--allow-code', digest.toUpperCase());
    const sweep = new Call([...args, '--redis', redis.url]);
    expect(await sweep.ended).toBe(0);
    expect(sweep.stdout).toBe((await lbsim([...args, '--results', ':memory:'])).stdout);
    expect(sweep.stdout).not.toContain('cannot');
    await one.stop('SIGTERM');
  });

  it('counts and prints nobody who is no worker', async () => {
    const client = new Redis(redis.port, '127.0.0.1');
    const [now] = await client.time();
    const member = {
      version: '99.1.2\u001b[2J',
      place: 'a\u001b]0;x\u0007b',
      threads: 1,
      seen: Number(now) + 3600,
    };
    await client.hset(
      'lbsim:workers',
      'a',
      JSON.stringify(member),
      'b',
      JSON.stringify({ ...member, threads: 1e308 }),
      'c',
      '{',
    );
    const sweep = new Call([...vary('2'), '--redis', redis.url]);
    await sweep.said('gets nothing: this is');
    await worker(redis.url);
    expect(await sweep.ended).toBe(0);
    expect(sweep.stderr).toContain('the worker a\ufffd]0;x\ufffdb is of lbsim 99.1.2\ufffd[2J and gets nothing');
    const leftOut = 'lbsim:workers has an entry that is left out: Redis holds what no lbsim of this version writes: it';
    expect(sweep.stderr).toContain(`${leftOut}.threads is 1e+308, and has to be`);
    expect(sweep.stderr).toContain(`${leftOut} is no JSON`);
    expect(sweep.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    client.disconnect();
  });

  it('of one worker ends when it is told to, each time, and the run waits', async () => {
    let begun = await nextRun(redis.url);
    const sweep = new Call([...vary('2,3', hours), '--redis', redis.url]);
    for (let round = 0; round < 3; round++) {
      const one = await worker(redis.url, '--lease', '1h');
      await begun();
      expect(await one.stop('SIGTERM')).toBe(130);
      begun = await nextRun(redis.url);
    }
    const last = await worker(redis.url);
    await begun();
    expect(await sweep.stop('SIGINT')).toBe(130);
    await last.said('a run was stopped: the sweep that wanted it has ended');
    const next = new Call([...vary('2'), '--redis', redis.url]);
    expect(await next.ended).toBe(0);
    const again = await nextRun(redis.url);
    const same = new Call([...vary('2,3', hours), '--redis', redis.url]);
    await again();
    await same.stop('SIGINT');
    expect(await last.stop('SIGTERM')).toBe(130);
  });

  it('stops a run whose lease is lost', async () => {
    const begun = await nextRun(redis.url);
    const one = await worker(redis.url, '--lease', '1s');
    const sweep = new Call([...vary('2', hours), '--redis', redis.url]);
    await begun();
    const client = new Redis(redis.port, '127.0.0.1');
    const again = await nextRun(redis.url);
    const [lock = ''] = await client.keys('lbsim:*:lock');
    await client.set(lock, 'another worker');
    await one.said('a run was stopped: its lease is lost');
    await client.del(lock);
    await again();
    client.disconnect();
    await sweep.stop('SIGKILL');
  });

  it('has limits of its workers', async () => {
    await worker(redis.url, '--cell-timeout', '100ms');
    const results = newFile();
    const sweep = new Call([...vary('2,3', hours, results), '--redis', redis.url]);
    expect(await sweep.ended).toBe(0);
    expect(sweep.stdout.match(/,it took longer than --cell-timeout 0\.1s$/gm)).toHaveLength(2);
    expect(cells(results)).toBe(0);
  });

  it('shares runs that two sweeps want', async () => {
    const sweeps = [1, 2].map(() => new Call([...vary('2..30'), '--redis', redis.url]));
    await Promise.all(sweeps.map((one) => one.said('no worker is there yet')));
    const one = await worker(redis.url);
    expect(await Promise.all(sweeps.map(({ ended }) => ended))).toEqual([0, 0]);
    await one.stop('SIGINT');
    expect(sweeps[0]?.stdout).toBe(sweeps[1]?.stdout);
    // Few are worked out twice: those that were over before the other sweep asked.
    expect(one.runs).toBeLessThan(2 * 29);
  });

  it('refuses workers of another version by name, and says so to the sweep', async () => {
    const copy = join(folder.path, 'other');
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ name: 'lbsim', version: '99.1.2' }));
    const other = join(copy, 'dist/cli/main.js');
    const early = new Call(['worker', '--redis', redis.url], {}, other);
    await early.said('works for');
    const sweep = new Call([...vary('2,3'), '--redis', redis.url]);
    await sweep.said('is of lbsim 99.1.2 and gets nothing: this is');
    const late = new Call(['worker', '--redis', redis.url], {}, other);
    expect(await late.ended).toBe(2);
    expect(late.stderr).toMatch(
      /^lbsim: redis:\S+ waits for workers of lbsim [\d.]+ \(the sweep of queue\), and this is 99\.1\.2,/,
    );
    await worker(redis.url);
    expect(await sweep.ended).toBe(0);
    await early.stop('SIGTERM');
    expect(early.runs).toBe(0);
  });

  it('tries a run that throws again, and ends with its name where it always does', async () => {
    const copy = join(folder.path, 'throwing');
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const thread = join(copy, 'dist/cli/thread.js');
    cpSync(thread, join(copy, 'dist/cli/whole.js'));
    writeFileSync(
      thread,
      `const run = require('./whole.js');
let isFirst = true;
module.exports = async (cell) => {
  const throws = isFirst || cell.changes[0].endsWith('=3');
  isFirst = false;
  if (throws) throw new Error('out of luck');
  return run(cell);
};
`,
    );
    const results = newFile();
    const sweep = new Call([...vary('2,3', file, results), '--redis', redis.url]);
    new Call(['worker', '--jobs', '1', '--redis', redis.url], {}, join(copy, 'dist/cli/main.js'));
    expect(await sweep.ended).toBe(2);
    expect(sweep.stderr).toContain(`the run with ${COUNT}=3, seed 1 failed on 3 attempts: out of luck`);
    expect(cells(results)).toBe(1);
  });

  it('outlives a server that is started again and has forgotten everything', async () => {
    const sweep = new Call([...vary('2..5'), '--redis', redis.url]);
    await sweep.said('no worker is there yet');
    await redis.end();
    await sweep.said('waiting for it');
    await redis.begin();
    const begun = await nextRun(redis.url);
    const one = await worker(redis.url);
    await begun();
    expect(await sweep.ended).toBe(0);
    expect(sweep.stdout).toBe(await alone('2..5'));
    await redis.end();
    await one.said('waiting for it');
    await redis.begin();
    await one.said('is back');
    const second = new Call([...vary('2'), '--redis', redis.url]);
    expect(await second.ended).toBe(0);
  });

  it('waits for a server that is full, gives up when that lasts, and goes on later', async () => {
    const own = redis;
    const client = new Redis(own.port, '127.0.0.1');
    const results = newFile();
    await client.config('SET', 'maxmemory', '1');
    const args = [...vary('2..9', file, results), '--redis', own.url];
    const impatient = new Call([...args, '--patience', '1s']);
    expect(await impatient.ended).toBe(2);
    expect(impatient.stderr).toContain('was of no use for 1 s: it is full (maxmemory)');
    const sweep = new Call(args);
    await sweep.said('it is full (maxmemory); waiting for it');
    await client.config('SET', 'maxmemory', '0');
    await worker(own.url);
    expect(await sweep.ended).toBe(0);
    expect(sweep.stderr).toContain('is back');
    expect(sweep.stdout).toBe(await alone('2..9'));
    client.disconnect();
  });

  it('ends with a sentence when the server dies, and keeps what is finished', async () => {
    const own = redis;
    const results = newFile();
    const one = await worker(own.url, '--patience', '1s');
    // The first is quick, the other one hours.
    const args = ['--vary', 'workloads[0].arrivals=1/s,1000000/s', '--csv', '--results', results];
    const second = await nextRun(own.url, 2);
    const sweep = new Call(['sweep', hours, ...args, '--patience', '1s', '--redis', own.url]);
    await second();
    await own.end();
    expect(await sweep.ended).toBe(2);
    expect(sweep.stderr).toMatch(/^lbsim: redis:\/\/127\.0\.0\.1:\d+ was of no use for 1 s: /m);
    expect(sweep.stderr).toContain(`what is finished is in ${results}, and the same command goes on from there`);
    expect(sweep.stdout).toBe('');
    expect(cells(results)).toBe(1);
    expect(await one.ended).toBe(2);
  });

  it('takes what lets it in from the URL or the environment, and never prints it', async () => {
    const own = await RedisServer.start(['--requirepass', 'pass-word-1']);
    const refused = new Call([...vary('2'), '--redis', own.url]);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr).toContain('it wants a password: $LBSIM_REDIS_PASSWORD');
    const wrong = new Call([...vary('2'), '--redis', own.url], { LBSIM_REDIS_PASSWORD: 'pass-word-2' });
    expect(await wrong.ended).toBe(2);
    expect(wrong.stderr).toContain('it does not know this user and password');
    const inUrl = await worker(own.url.replace('//', '//default:pass-word-1@'));
    const sweep = new Call([...vary('2'), '--redis'], {
      LBSIM_REDIS_URL: own.url,
      LBSIM_REDIS_PASSWORD: 'pass-word-1',
    });
    expect(await sweep.ended).toBe(0);
    await inUrl.stop('SIGTERM');
    for (const { stderr, stdout } of [refused, wrong, sweep, inUrl]) expect(stderr + stdout).not.toMatch(/pass-word/);
    await own.end();
  });

  it('speaks TLS', async () => {
    const at = (name: string): string => join(folder.path, name);
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('key.pem'), '-out', at('cert.pem'), '-days', '2'];
    expect(spawnSync('openssl', ['req', '-x509', ...made, ...subject]).status).toBe(0);
    const listen = ['--port', '0', '--tls-port', '%PORT', '--tls-auth-clients', 'no'];
    const own = await RedisServer.start([
      ...listen,
      ...['--tls-cert-file', at('cert.pem'), '--tls-key-file', at('key.pem'), '--tls-ca-cert-file', at('cert.pem')],
    ]);
    const url = own.url.replace('redis:', 'rediss:').replace('127.0.0.1', 'localhost');
    const untrusted = new Call([...vary('2'), '--redis', url]);
    expect(await untrusted.ended).toBe(2);
    expect(untrusted.stderr).toContain('its certificate is not trusted');
    const trust = { NODE_EXTRA_CA_CERTS: at('cert.pem'), LBSIM_REDIS_URL: url };
    const one = new Call(['worker', '--jobs', '1'], trust);
    const sweep = new Call([...vary('2'), '--redis'], trust);
    expect(await sweep.ended).toBe(0);
    expect(await one.stop('SIGTERM')).toBe(130);
    const plain = new Call([...vary('2'), '--redis', url.replace('rediss:', 'redis:')]);
    expect(await plain.ended).toBe(2);
    await own.end();
  });
});

describe('a Redis that cannot be used', () => {
  it.each([
    [['--redis', 'redis://127.0.0.1:1'], 'redis://127.0.0.1:1 cannot be used: nothing listens there'],
    [['--redis', 'redis://no-such-host.invalid'], 'cannot be used: '],
    [['--redis', 'http://127.0.0.1'], '--redis http://127.0.0.1 is no address of a Redis: write redis://host:6379'],
    [['--redis', 'https://me:secret@host'], '--redis is no address of a Redis'],
    [['--redis'], 'which Redis? Name it with --redis URL or in $LBSIM_REDIS_URL'],
    [['--redis', 'redis://127.0.0.1:1', '--jobs', '2'], 'lbsim worker --jobs N'],
  ])('%j is refused', async (args, words) => {
    const { code, stdout, stderr } = await lbsim([...vary('2', file, ':memory:'), ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
    expect(stderr).not.toContain('secret');
  });

  it('is told to a worker as well', async () => {
    const { code, stderr } = await lbsim(['worker', '--redis', 'redis://127.0.0.1:1']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lbsim: redis://127.0.0.1:1 cannot be used: nothing listens there\n',
    });
  });
});
