import { createServer } from 'node:net';
import { get } from 'node:http';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, SMALL } from './files.js';
import type { Call } from './harness.js';
import { lbsim, Sink } from './harness.js';
import { unpackReport } from '../../src/site/report.js';

const folder = new Folder();
afterAll(() => folder.remove());
const small = folder.file('small.yaml', SMALL);
const endless = folder.file('endless.yaml', SMALL.replace('stop: 1s', 'stop: 24h'));
const watched = folder.file(
  'watched.yaml',
  `${SMALL}
proxies:
  - name: edge
    count: 2
    stats_flush_interval: 1s
    stats_sinks:
      - name: proxy.stat_sinks.dashboard
        typed_config: {"@type": type.googleapis.com/config.metrics.v2.DashboardSink}
`,
);

interface Serving {
  readonly url: string;
  readonly stderr: Sink;
  readonly interrupt: () => void;
  readonly ended: Promise<Call>;
}

/** `lbsim serve` on a port of its own, once it listens. */
async function serve(argv: readonly string[]): Promise<Serving> {
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<void>((resolve) => (interrupt = resolve));
  const stderr = new Sink();
  const ended = lbsim(['serve', '--port', '0', ...argv], { stderr, interrupt: interrupted });
  const url = await until(stderr, /admin interface of .*: (http:\S+)\//, ended);
  return { url, stderr, interrupt, ended };
}

/** Waits for words on a stream; the first group of what matches. They never come where the call `ended` without them. */
async function until(stream: Sink, words: RegExp, ended?: Promise<Call>): Promise<string> {
  const call = { isOver: false };
  void ended?.then(() => (call.isOver = true));
  for (;;) {
    const found = words.exec(stream.text);
    if (found !== null) return found[1] ?? '';
    if (call.isOver) throw new Error(`serve ended without ${words}: ${stream.text}`);
    await new Promise(setImmediate);
  }
}

function page(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

describe('serve', () => {
  it('serves the playground, opening on the scenario', async () => {
    const { url, stderr, interrupt, ended } = await serve([small, '--pace', 'max']);
    await until(stderr, /playground: |no playground/);
    expect(stderr.text.replace(/\s+/g, ' ')).not.toContain('no playground');
    const address = await until(stderr, /playground: (http:\S+)\n/);
    expect(address).toBe(`${url}/playground/`);
    const packed = /id="report">([\w-]+)</.exec(await page(address))?.[1] ?? '';
    expect((await unpackReport(packed)).shared?.files).toEqual([{ file: 'small.yaml', text: SMALL }]);
    expect(await page(`${address}examples.js`)).toContain('lbsim_packed_examples');
    expect(await page(`${address}../`)).toContain('href="/playground/"');
    expect(await page(`${address}..%2f..%2fpackage.json`)).toContain('there is no such page');
    interrupt();
    await ended;
  });

  it('has no playground of a scenario that is more than text, and says so', async () => {
    folder.file('t.csv', '0.1\n0.2\n');
    const own = folder.file('own.yaml', SMALL.replace('{constant: 20/s}', '{trace: t.csv}'));
    const { url, stderr, interrupt, ended } = await serve([own, '--pace', 'max']);
    expect(stderr.text.replace(/\s+/g, ' ')).toContain('no playground: the playground carries texts');
    expect(await page(`${url}/playground/`)).toContain('there is no such page');
    interrupt();
    await ended;
  });

  it('serves the final state until Ctrl-C, and prints the report of the run', async () => {
    const { url, stderr, interrupt, ended } = await serve([small, '--pace', 'max']);
    await until(stderr, /the run is over; its final state is served until Ctrl-C\n/);
    expect(JSON.parse(await page(`${url}/server_info`))).toMatchObject({ lbsim: { state: 'over', run: 1 } });
    expect(await page(`${url}/stats?usedonly&filter=backend.upstream_rq_200`)).toMatch(
      /^cluster\.backend\.upstream_rq_200: 20\n$/,
    );
    interrupt();
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toBe((await lbsim(['run', small])).stdout);
    await expect(page(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('is over with the run where it is told so, with the exit code of the expectations', async () => {
    const { code } = await lbsim(['serve', small, '--port', '0', '--pace', 'max', '--at-end', 'exit']);
    expect(code).toBe(0);
    const wrong = folder.file(
      'wrong.yaml',
      `${SMALL}\nexpect: [{stat: cluster.backend.upstream_rq_503, at_least: 1}]\n`,
    );
    expect((await lbsim(['serve', wrong, '--port', '0', '--pace', 'max', '--at-end', 'exit'])).code).toBe(1);
  });

  it('is interrupted as a run is', async () => {
    const { interrupt, ended } = await serve([endless, '--pace', '1x']);
    interrupt();
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stdout).toContain('requests');
    expect(stderr).toContain('lbsim: interrupted; what was printed is what was known so far.\n');
  });

  it('repeats the run', async () => {
    const { url, interrupt, ended } = await serve([small, '--pace', 'max', '--at-end', 'repeat']);
    const run = async (): Promise<number> => {
      const info = JSON.parse(await page(`${url}/server_info`)) as { lbsim: { run: number } };
      return info.lbsim.run;
    };
    while ((await run()) < 3);
    interrupt();
    expect((await ended).stdout).toContain('2 hosts get 50.0 % each.');
  });

  it('names the stream of every proxy, which goes on while nothing happens any more', async () => {
    const { url, stderr, interrupt, ended } = await serve([watched, '--pace', '1000x']);
    expect(stderr.text).toContain(`lbsim: dashboard of edge-2: ${url}/proxies/edge-2/dashboard_event_stream\n`);
    await until(stderr, /the run is over/);
    const stream = page(`${url}/proxies/edge-2/dashboard_event_stream`);
    // Idle flushes come every 100 ms at the soonest.
    const request = get(`${url}/dashboard_event_stream`, { agent: false });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    const [event] = (await once(response, 'data')) as [Buffer];
    expect(event.toString()).toMatch(/^data: \{"type": "HystrixCommand", "name": "backend"/);
    interrupt();
    await ended;
    await stream;
  });
});

describe('serve refuses', () => {
  it('a port in use, before the run starts', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stdout, stderr } = await lbsim(['serve', small, '--port', String(port)]);
    taken.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`lbsim: cannot listen on port ${port} of 127.0.0.1: it is in use; --port chooses another`);
  });

  it.each([
    [['--port', '70000'], 'It is a whole number from 0 to 65535.'],
    [['--port', 'http'], 'It is a whole number from 0 to 65535.'],
    [['--pace', 'fast'], 'It is 1x, 10x, 0.5x … or max.'],
    [['--pace', '0x'], 'It is 1x, 10x, 0.5x … or max.'],
    [['--host', 'example.com'], 'It is an IP address of this machine'],
    [['--host', '203.0.113.1', '--port', '0'], 'this machine does not have that address'],
    [['--allow-host', 'http://x'], 'It is a host name without a port.'],
    [['--at-end', 'explode'], 'Allowed choices are hold, exit, repeat.'],
  ])('%j', async (argv, reason) => {
    const { code, stdout, stderr } = await lbsim(['serve', small, ...argv]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });

  const sink = (type: string, config: string): string => `${SMALL}
proxies:
  - name: edge
    node: {id: edge-1, cluster: edge}
    stats_sinks:
      - name: proxy.stat_sinks.${type === 'DashboardSink' ? 'dashboard' : 'statsd'}
        typed_config: {"@type": type.googleapis.com/config.metrics.v2.${type}, ${config}}
`;
  const matcher = (regex: string): string => `${SMALL}
proxies:
  - name: edge
    stats_config: {stats_matcher: {exclusion_list: {patterns: [{regex: "${regex}"}]}}}
`;

  it.each([
    ['a negative num_buckets', sink('DashboardSink', 'num_buckets: -1'), 'num_buckets'],
    [
      'a name where an IP is due',
      sink('StatsdSink', 'address: {socket_address: {address: statsd.example, port_value: 8125}}'),
      'malformed IP address: statsd.example',
    ],
    [
      'a port out of range',
      sink('StatsdSink', 'address: {socket_address: {address: 127.0.0.1, port_value: 70000}}'),
      'port_value',
    ],
    ['a TCP cluster that is not there', sink('StatsdSink', 'tcp_cluster_name: nowhere'), 'nowhere'],
    ['an invalid expression', matcher('('), 'Invalid regex'],
  ])('%s', async (_what, text, reason) => {
    const { code, stdout, stderr } = await lbsim(['serve', folder.file('bad.yaml', text), '--port', '0']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('Nothing was run.');
  });

  it('nothing for an expression that an engine with backtracking would hang on: it takes linear time', async () => {
    const file = folder.file('slow.yaml', matcher('(.*)*(.*)*(.*)*x'));
    expect((await lbsim(['serve', file, '--port', '0', '--pace', 'max', '--at-end', 'exit'])).code).toBe(0);
  });
});
