import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminLimits } from '../../src/web/admin-server.js';
import { dashboardSink, Served } from './served.js';

/** Clients that want all of a server, and one that comes after them and wants a page. */

const HOSTILE = 200;

const open: Served[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((served) => served.close()));
});

async function start(hosts: number, limits: Partial<AdminLimits> = {}): Promise<Served> {
  const served = await Served.start(
    {
      duration: '1000h',
      proxies: [{ name: 'edge', stats_flush_interval: '1s', stats_sinks: [dashboardSink(3)] }],
      clusters: [{ name: 'backend' }],
      endpoints: { backend: [{ address: '10.0.0.1:80', count: hosts }] },
      workloads: [{ cluster: 'backend', arrivals: '10/s' }],
    },
    limits,
  );
  open.push(served);
  return served;
}

interface Client {
  readonly socket: Socket;
  /** Answers whose heads have arrived. */
  readonly answers: () => number;
  readonly bytes: () => number;
}

/** @param reads otherwise what is sent to it stays where it is. */
async function client(served: Served, text: string, reads: boolean): Promise<Client> {
  const socket = connect({ host: '127.0.0.1', port: served.port });
  sockets.push(socket);
  let answers = 0;
  let bytes = 0;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    answers += chunk.toString('latin1').split('HTTP/1.1 200 OK').length - 1;
  });
  if (!reads) socket.pause();
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return { socket, answers: () => answers, bytes: () => bytes };
}

const clients = (served: Served, text: string, reads: boolean, count = HOSTILE): Promise<Client[]> =>
  Promise.all(Array.from({ length: count }, () => client(served, text, reads)));

const asking = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

describe(`after ${HOSTILE} clients`, () => {
  it.each<readonly [string, string, boolean]>([
    ['that say nothing', '', true],
    ['that send a request in drops', 'GET /ready HTTP/1.1\r\nhos', true],
    ['that send half of a body', 'GET /ready HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\nxx', true],
    ['that ask for large pages', asking('/clusters'), true],
    ['that ask for large pages and do not read them', asking('/clusters'), false],
    ['that ask for one large page after the other', asking('/clusters').repeat(50), true],
    ['that ask for one large page after the other and read none', asking('/clusters').repeat(50), false],
    ['that watch a stream and do not read it', asking('/dashboard_event_stream'), false],
    ['that send what is no HTTP', '\u0016\u0003\u0001\u0002', true],
  ])('%s an honest one has its pages', async (_, text, reads) => {
    const served = await start(200);
    await clients(served, text, reads);
    for (const path of ['/ready', '/clusters', '/stats', '/config_dump?include_eds']) {
      expect({ path, status: (await served.get(path)).status }).toEqual({ path, status: 200 });
    }
    const watcher = await served.watch();
    served.advance(1);
    expect(await watcher.flush()).toHaveLength(2);
  });

  it('that ask for large pages an honest one waits for a few of them, not for all', async () => {
    const served = await start(300);
    const hostile = await clients(served, asking('/clusters').repeat(5), true);
    expect((await served.get('/clusters')).status).toBe(200);
    expect(hostile.reduce((sum, { answers }) => sum + answers(), 0)).toBeLessThan(HOSTILE / 2);
  });

  it('that send thousands of requests in one go an honest one does not wait until all are read', async () => {
    const served = await start(1, { maxWaiting: 1_500 });
    const hostile = await clients(served, asking('/ready').repeat(1_000), false, 50);
    let lost = 0;
    for (const { socket } of hostile) {
      socket.on('close', () => lost++);
      socket.resume();
    }
    expect((await served.get('/ready')).status).toBe(200);
    // Those whose requests were read are too many together: all others still stand at the door.
    expect(lost).toBeLessThan(25);
  });

  it('that never stop asking a second request has its turn too', async () => {
    const served = await start(300);
    const hostile = await clients(served, asking('/clusters').repeat(20), true, 50);
    const honest = await client(served, asking('/ready'), true);
    while (honest.answers() < 1) await once(honest.socket, 'data');
    honest.socket.write(asking('/ready'));
    while (honest.answers() < 2) await once(honest.socket, 'data');
    // One turn for each of the others is what it may take.
    expect(hostile.reduce((sum, { answers }) => sum + answers(), 0)).toBeLessThan(3 * 50);
  });
});

describe('who gives way', () => {
  it('where pages are not read: the oldest of those pages, so that memory is bounded', async () => {
    const served = await start(8_000, { maxUnreadPageBytes: 1 });
    const size = (await served.get('/clusters')).text.length;
    const first = await client(served, asking('/clusters'), false);
    expect((await served.get('/clusters')).text.length).toBe(size);
    const closed = once(first.socket, 'close');
    first.socket.resume();
    await closed;
    expect(first.bytes()).toBeLessThan(size);
  });

  it('where too many requests wait: the connection with most of them', async () => {
    const served = await start(1, { maxWaiting: 100 });
    const [greedy, modest] = await Promise.all([
      client(served, asking('/ready').repeat(200), true),
      client(served, asking('/ready').repeat(20), true),
    ]);
    await once(greedy.socket, 'close');
    expect(greedy.answers()).toBeLessThan(200);
    while (modest.answers() < 20) await once(modest.socket, 'data');
  });

  it('where there are too many connections: who has never asked anything, then who asks nothing now', async () => {
    const served = await start(1, { maxConnections: 3 });
    const idle = await client(served, asking('/ready'), true);
    while (idle.answers() < 1) await once(idle.socket, 'data');
    const silent = await clients(served, '', true, 2);
    const gone: string[] = [];
    idle.socket.on('close', () => gone.push('idle'));
    for (const { socket } of silent) socket.on('close', () => gone.push('silent'));
    const come = async (): Promise<void> => {
      const one = await client(served, asking('/ready'), true);
      while (one.answers() < 1) await once(one.socket, 'data');
    };
    await come();
    await come();
    expect(gone).toEqual(['silent', 'silent']);
    await come();
    while (gone.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(gone).toEqual(['silent', 'silent', 'idle']);
  });

  it('where all watch streams: nobody, and the new one is told so', async () => {
    const served = await start(1, { maxConnections: 2 });
    await Promise.all([served.watch(), served.watch()]);
    expect((await served.get('/ready')).status).toBe(503);
    expect(served.admin.streams.watching(0)).toBe(2);
  });
});
