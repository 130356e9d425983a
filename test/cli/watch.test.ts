import { existsSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { watchFile } from '../../src/cli/input/watch-file.js';
import { Folder, SMALL } from './files.js';
import type { Call } from './harness.js';
import { lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

/** Tells a test what was written, as soon as it is. */
class Heard extends Sink {
  constructor(private readonly onText: (text: string) => void) {
    super();
  }

  override _write(chunk: Buffer, encoding: string, done: (error?: Error | null) => void): void {
    super._write(chunk, encoding, (error) => {
      done(error);
      this.onText(chunk.toString('utf8'));
    });
  }
}

interface Watched extends Call {
  /** What was printed between two looks at the files. */
  readonly rounds: readonly string[];
}

/** Runs and does one step each time that lbsim waits for a change: saves a file, or ends with Ctrl-C after the last. */
async function watched(
  argv: readonly string[],
  steps: readonly { readonly file: string; readonly text: string }[],
  { isTTY = false } = {},
): Promise<Watched> {
  const listeners = new Map<string, Set<() => void>>();
  const left = [...steps];
  const rounds: string[] = [];
  const stdout = new Sink();
  stdout.isTTY = isTTY;
  let end: (value: unknown) => void = () => undefined;
  let seen = 0;
  const stderr = new Heard((text) => {
    if (!text.startsWith('lbsim: watching ')) return;
    rounds.push(stdout.text.slice(seen));
    seen = stdout.text.length;
    const step = left.shift();
    if (step === undefined) {
      end(undefined);
      return;
    }
    writeFileSync(step.file, step.text);
    const heard = [...(listeners.get(step.file) ?? [])];
    expect(heard.length).toBeGreaterThan(0);
    for (const listener of heard) listener();
  });
  const call = await lbsim(argv, {
    stdout,
    stderr,
    interrupt: new Promise((resolve) => (end = resolve)),
    watchFile: (file, listener) => {
      const own = listeners.get(file) ?? new Set();
      listeners.set(file, own.add(listener));
      return () => own.delete(listener);
    },
  });
  expect([...listeners.values()].map(({ size }) => size)).toEqual([...listeners.keys()].map(() => 0));
  return { ...call, rounds };
}

/** As one line, however it is wrapped. */
const flat = (text = ''): string => text.replace(/\s+/g, ' ');

const WEIGHTED = SMALL.replace(
  '["10.0.0.1:80", "10.0.0.2:80"]',
  '[{address: "10.0.0.1:80", weight: 3}, "10.0.0.2:80"]',
);
const EXPECTS = 'expect: [{share: {cluster: backend, hosts: 10.0.0.1:80}, equals: 50%}]\n';
const FAILS = 'behavior: [{hosts: 10.0.0.1:80, error_rate: 100%}, {hosts: 10.0.0.2:80, service_time: 20ms}]\n';

describe('run --watch', () => {
  it('runs again after each change, and marks what differs from the run before', async () => {
    const file = folder.file('marked.yaml', SMALL);
    const { code, rounds } = await watched(
      ['run', file, '--watch'],
      [
        { file, text: WEIGHTED },
        { file, text: WEIGHTED },
        { file, text: `${WEIGHTED}${FAILS}` },
      ],
    );
    expect(code).toBe(0);
    const [first, second, third, fourth] = rounds;
    expect(first).toContain('2 hosts get 50.0 % each.');
    expect(first).not.toMatch(/before/);
    expect(flat(second)).toContain(
      'Since the last run: 2 hosts with another share, most of all 10.0.0.1:80 50.0 % → 75.0 %.',
    );
    expect(second).toMatch(
      /share +before\n +10\.0\.0\.1:80 +3 +15 +75\.0 % +50\.0 %\n +10\.0\.0\.2:80 +1 +5 +25\.0 % +50\.0 %/,
    );
    expect(third).toContain('No change since the last run.');
    expect(third).not.toMatch(/ before\n/);
    expect(flat(fourth)).toContain('failed none → 15 (75.0 %); p99 0 ms → 20.0 ms.');
  });

  it('shows what is wrong with a file, goes on, and compares with the last run that there was', async () => {
    const file = folder.file('half.yaml', SMALL);
    const { code, rounds, stderr } = await watched(
      ['run', file, '--watch'],
      [
        { file, text: SMALL.slice(0, SMALL.indexOf('endpoints') + 20) },
        { file, text: '' },
        { file, text: WEIGHTED },
      ],
    );
    expect(code).toBe(0);
    expect(stderr).toContain('half.yaml:4:21  error');
    expect(stderr).toContain('This file is empty.');
    expect(rounds[1]).toBe('\n');
    expect(flat(rounds[3])).toContain('most of all 10.0.0.1:80 50.0 % → 75.0 %.');
  });

  it("goes on where a policy of one's own throws, with what is saved of it next", async () => {
    const policy = (host: number | 'none'): string =>
      `export default { name: 'MINE', kind: 'list', start() {}, refresh() {}, choose: () => ${host} };\n`;
    const module = folder.file('mine.mjs', policy('none'));
    const file = folder.file('own.yaml', SMALL);
    const argv = ['run', file, '--watch', '--policy', `MINE=${module}`, '--set', 'clusters.backend.lb_policy=MINE'];
    const { code, rounds, stderr } = await watched(argv, [{ file: module, text: policy(1) }]);
    expect(stderr).toContain('MINE.choose threw ReferenceError: none is not defined');
    expect(rounds[1]).toContain('100.0 %');
    expect(code).toBe(0);
  });

  it.each([
    ['0 where all was right', [], `${SMALL}${EXPECTS}`, 0],
    ['1 where an expectation failed at last', [`${SMALL}${EXPECTS}`], `${WEIGHTED}${EXPECTS}`, 1],
    ['2 where the file was wrong at last', [`${SMALL}${EXPECTS}`], 'clusters: 7\n', 2],
    ['0 where it was right at last', ['clusters: 7\n'], SMALL, 0],
  ])('ends with Ctrl-C and the code of the last run: %s', async (_, earlier, last, code) => {
    const texts = [...earlier, last];
    const file = folder.file('code.yaml', texts.shift() ?? '');
    expect(
      (
        await watched(
          ['run', file, '--watch'],
          texts.map((text) => ({ file, text })),
        )
      ).code,
    ).toBe(code);
  });

  it('watches all files of the run, and those that they name', async () => {
    const trace = realpathSync(folder.file('trace.csv', '0\n'));
    const scenario = folder.file(
      'traced.yaml',
      'clusters: [{name: web, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}]\nworkloads: [{cluster: web, arrivals: {trace: trace.csv}}]\n',
    );
    const hosts = (address: string): string =>
      `cluster_name: web\nendpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: ${address}, port_value: 80}}}}]}]\n`;
    const assignment = folder.file('assignment.yaml', hosts('10.0.0.1'));
    const { rounds, stderr } = await watched(
      ['run', scenario, assignment, '--watch'],
      [
        { file: trace, text: '0\n1\n' },
        { file: assignment, text: hosts('10.0.0.2') },
      ],
    );
    expect(stderr).toContain(`lbsim: watching ${scenario}, ${assignment}, ${trace}; Ctrl-C ends\n`);
    expect(flat(rounds[2])).toContain('1 new host; 1 host gone.');
    expect(rounds[1]).toContain('requests 1 → 2');
  });

  it('begins anew where a file changes while it runs', async () => {
    const file = folder.file('long.yaml', SMALL.replace('20/s', '2000/s'));
    const listeners = new Set<() => void>();
    const stdout = new Sink();
    let end: (value: unknown) => void = () => undefined;
    let looks = 0;
    const { code } = await lbsim(['run', file, '--watch'], {
      stdout,
      stderr: new Heard((text) => {
        if (text.startsWith('lbsim: watching ')) end(undefined);
      }),
      interrupt: new Promise((resolve) => (end = resolve)),
      // Each look is as long after the one before as a slice may take.
      monotonicMs: () => {
        looks += 1;
        if (looks === 12) {
          writeFileSync(file, WEIGHTED);
          for (const listener of listeners) listener();
        }
        return looks * 1000;
      },
      watchFile: (_, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    expect({ code, reports: stdout.text.match(/^small /gm)?.length }).toEqual({ code: 0, reports: 1 });
    expect(stdout.text).toContain('20 requests');
  });

  it('begins at the top of a terminal', async () => {
    const file = folder.file('terminal.yaml', SMALL);
    const { rounds } = await watched(['run', file, '--watch'], [{ file, text: WEIGHTED }], { isTTY: true });
    expect(rounds.map((text) => text.startsWith('\u001b[2J\u001b[H'))).toEqual([false, true]);
  });

  it.each([
    [['--json'], '--json is for one run'],
    [['--csv'], '--csv is for one run'],
    [['--decisions', 'out.jsonl'], '--decisions is for one run'],
    [['--sinks'], '--sinks is for one run'],
  ])('refuses %j, and says why', async (args, reason) => {
    const { code, stderr } = await lbsim(['run', folder.file('refused.yaml', SMALL), '--watch', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--watch prints a report after every change, for people, and ${reason}: choose one`);
  });

  it('refuses standard input', async () => {
    expect((await lbsim(['run', '-', '--watch'], { stdin: SMALL })).stderr).toContain('standard input is read once');
  });
});

describe('watching a file', () => {
  it.each([
    ['is written', (file: string) => writeFileSync(file, 'b')],
    [
      'is replaced, as editors do it',
      (file: string) => {
        writeFileSync(`${file}.new`, 'b');
        renameSync(`${file}.new`, file);
      },
    ],
  ])('hears when it %s, and nothing of others', async (_, save) => {
    const file = folder.file('watched/file.yaml', 'a');
    const heard: string[] = [];
    const saved = new Promise((resolve) => {
      const ends = [
        watchFile(file, () => {
          heard.push('file');
          for (const end of ends) end();
          resolve(undefined);
        }),
        watchFile(join(folder.path, 'watched/other.yaml'), () => heard.push('other')),
      ];
    });
    save(file);
    await saved;
    expect(heard).toEqual(['file']);
    expect(existsSync(file)).toBe(true);
  });
});
