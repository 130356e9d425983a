import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';

/** What only a real process shows: signals, closed pipes, descriptors. Needs `npm run build`, as `npm test` does first. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const folder = new Folder();
afterAll(() => folder.remove());
const small = folder.file('small.yaml', SMALL);
const bare = folder.file('bare.json', JSON.stringify([{ name: 'backend', connect_timeout: '1s' }]));
const largeRing = join(root, 'bench/largest-ring.yaml');
/** Hours of work: it ends because it is told to. */
const endless = folder.file('endless.yaml', SMALL.replace('20/s', '100000/s').replace('stop: 1s', 'stop: 24h'));

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param act called once the process has written something to standard error or output. */
function lbsim(
  argv: readonly string[],
  stdout: 'pipe' | number = 'pipe',
  act?: (child: ReturnType<typeof spawn>) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...argv], { stdio: ['ignore', stdout, 'pipe'] });
    const text = { stdout: '', stderr: '' };
    let acted = false;
    const take = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      text[name] += chunk.toString();
      if (!acted) act?.(child);
      acted = true;
    };
    child.stdout?.on('data', take('stdout'));
    child.stderr?.on('data', take('stderr'));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });
}

describe('the process', () => {
  it('has been built', () => {
    expect(existsSync(MAIN), 'dist/ is missing: npm run build').toBe(true);
  });

  it('says its version', async () => {
    const { code, stdout } = await lbsim(['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
  });

  it('runs what its files say now, and writes nothing beside them', () => {
    const copy = join(folder.path, 'package');
    cpSync(join(root, 'dist', 'cli'), join(copy, 'dist', 'cli'), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    const before = readdirSync(copy, { recursive: true });
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder.path, 'compile-cache') };
    const help = (): string =>
      spawnSync(process.execPath, [join(copy, 'dist/cli/main.js'), '--help'], { env, encoding: 'utf8' }).stdout;
    expect(help()).toContain('the split, and the reasons');
    for (const name of readdirSync(join(copy, 'dist/cli'))) {
      const file = join(copy, 'dist/cli', name);
      // As long as before.
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replaceAll('the split, and the reasons', 'THE split, and the reasons'),
      );
    }
    expect(help()).toContain('THE split, and the reasons');
    expect(readdirSync(copy, { recursive: true })).toEqual(before);
  });

  it('ends with a sentence where a run needs more memory than there is', () => {
    const limits = '{max_connections: 4294967295, max_pending_requests: 4294967295, max_requests: 4294967295}';
    const text = `
clusters: [{name: web, circuit_breakers: {thresholds: [${limits}]}}]
endpoints: {web: [10.0.0.1:80]}
behavior: [{hosts: {}, service_time: 1ms, concurrency: 1}]
workloads: [{cluster: web, arrivals: 1e6/s, stop: 10s, timeout: 0s}]
`;
    const argv = ['--max-old-space-size=100', MAIN, 'run', folder.file('queue.yaml', text)];
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(
        /^lbsim: There is not enough memory for this: \d+ MB of \d+ MB are in use\.\n/,
      ) as string,
    });
  });

  it('says what is missing where results cannot be kept', () => {
    const copy = join(folder.path, 'without-sqlite');
    for (const part of ['dist/cli', 'dist/config', 'package.json']) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    mkdirSync(join(copy, 'node_modules'));
    for (const name of ['jstat', 'piscina'])
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
    const argv = ['sweep', small, '--vary', 'seed=1..2', '--results', join(folder.path, 'kept.sqlite')];
    const { status, stderr } = spawnSync(process.execPath, [join(copy, 'dist/cli/main.js'), ...argv], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/kept by the package libsql, .*\. npm install libsql brings it\n/) as unknown,
    });
  });

  it('finds the scenarios that are shipped with it', async () => {
    const { code, stdout } = await lbsim(['examples', 'showcase']);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(root, 'scenarios/showcase.yaml'), 'utf8'));
  });

  it.each([
    ['run', ['--replications', '5']],
    ['compare', ['--set', 'clusters.backend.lb_policy=RANDOM', '--replications', '3']],
    ['race', ['--policies', 'LEAST_REQUEST,RANDOM', '--runs', '3']],
  ])('%s gives the same bytes for any number of threads', async (command, options) => {
    const args = [command, small, ...options, '--json', '--jobs'];
    const [one, three] = [await lbsim([...args, '1']), await lbsim([...args, '3'])];
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({ runs: Number(options.at(-1)) });
    expect(three).toEqual(one);
  });

  it('loses no finished cell of a sweep that is killed again and again, and goes on to the same bytes', async () => {
    const results = (name: string): string => join(folder.path, `${name}.sqlite`);
    const tokens = join(folder.path, 'tokens');
    mkdirSync(tokens);
    const give = (count: number): void => {
      for (let token = 0; token < count; token += 1) writeFileSync(join(tokens, String(token)), '');
    };
    // Each cell takes a token; one that finds none never ends.
    const policy = folder.file(
      'takes-tokens.mjs',
      `import { unlinkSync } from 'node:fs';
const took = (token) => { try { unlinkSync(${JSON.stringify(`${tokens}/`)} + token); return true; } catch { return false; } };
export default { name: 'FIRST', kind: 'list', start() {
  if (![...Array(12).keys()].some(took)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return null;
}, refresh() {}, choose: () => 0 };
`,
    );
    const args = ['sweep', small, '--policy', `first=${policy}`, '--set', 'clusters.backend.lb_policy=first'];
    args.push('--vary', 'endpoints.backend[0]=10.0.1.1:80,10.0.1.2:80,10.0.1.3:80', '--replications', '4');
    give(12);
    const whole = await lbsim([...args, '--json', '--jobs', '1', '--results', results('whole')]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ points: 3 });
    expect(readdirSync(tokens)).toEqual([]);
    const killed = [MAIN, ...args, '--jobs', '2', '--results', results('killed')];
    const stored = (): number => {
      let database: InstanceType<typeof Database> | undefined;
      try {
        database = new Database(results('killed'), { fileMustExist: true, timeout: 1000 });
        return (database.prepare('select count(*) as n from cells').get() as { n: number }).n;
      } catch {
        // Not made yet, or being written.
        return -1;
      } finally {
        // One that is left open may hold a lock for which the sweep waits.
        database?.close();
      }
    };
    let all = 0;
    for (const more of [0, 2, 4]) {
      give(more);
      all += more;
      const child = spawn(process.execPath, killed, { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('close', resolve));
      while (stored() !== all && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await ended;
      expect(stored()).toBe(all);
    }
    give(6);
    const rest = await lbsim([...args, '--json', '--jobs', '2', '--results', results('killed')]);
    expect(readdirSync(tokens)).toEqual([]);
    expect(rest.stdout).toBe(whole.stdout);
  });

  it.each(['run', 'compare'])('%s ends its threads after Ctrl-C', async (command) => {
    const begun = join(folder.path, `begun-${command}`);
    const policy = folder.file(
      `tells-${command}.mjs`,
      `import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (!isMainThread) writeFileSync(${JSON.stringify(begun)}, '');
export default { name: 'FIRST', kind: 'list', start: () => null, refresh() {}, choose: () => 0 };
`,
    );
    const changes = ['--policy', `first=${policy}`, '--set', 'clusters.backend.lb_policy=first'];
    const args = [MAIN, command, endless, ...changes, '--replications', '3', '--jobs', '2'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    while (!existsSync(begun) && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGINT');
    const stderr: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, said: stderr.join('') }).toEqual({
      code: 130,
      said: 'lbsim: interrupted; there is no result yet.\n',
    });
  });

  it('exits with 130 after Ctrl-C, with what it knew', async () => {
    // The first decisions on standard output say that the run is under way.
    const { code, stderr } = await lbsim(['run', endless, '--decisions', '-'], 'pipe', (child) => child.kill('SIGINT'));
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted');
  });

  it.each([['--decisions'], ['--stats-file']])('has no more to do once who reads %s - has left', async (option) => {
    const ended = await lbsim(['run', endless, option, '-'], 'pipe', (child) => child.stdout?.destroy());
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it.each([
    ['run', small],
    ['run', small, '--json'],
    ['run', small, '--csv'],
    ['run', small, '--prometheus', '-'],
    ['predict', small],
    ['predict', small, '--json'],
    ['validate', small],
    ['validate', join(root, 'scenarios'), '--json'],
    ['validate', join(root, 'scenarios'), '--format', 'github'],
    ['ring', largeRing],
    ['ring', largeRing, '--json'],
    ['ring', largeRing, '--dump'],
    ['import', bare],
    ['schema'],
    ['init', '-'],
    ['examples'],
    ['examples', '--json'],
    ['examples', 'showcase'],
    ['serve', small, '--port', '0', '--pace', 'max', '--at-end', 'exit'],
    ['--help'],
    ['help', 'run'],
    ['--version'],
  ])('%s %s %s: who reads its first line and leaves is no error', (...argv) => {
    const shell = `"$0" "$@" | head -1; exit \${PIPESTATUS[0]}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', shell, process.execPath, MAIN, ...argv], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    if (argv[0] !== 'serve' && argv[0] !== 'import') expect(stderr).toBe('');
  });

  it('shows help on standard output, however it is asked for', async () => {
    const asked = await lbsim(['run', '--help']);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(await lbsim(['help', 'run'])).toEqual(asked);
    expect(await lbsim(['help'])).toEqual(await lbsim(['--help']));
  });

  it('says so where the disk is full', async () => {
    const { code, stderr } = await lbsim(['run', small, '--json'], openSync('/dev/full', 'w'));
    expect(code).toBe(2);
    expect(stderr).toBe('lbsim: cannot write standard output: no space left on the device\n');
  });

  it('prints pure JSON and nothing else', async () => {
    const { code, stdout, stderr } = await lbsim(['run', small, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ scenario: 'small' });
  });
});
