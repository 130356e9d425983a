import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminLimits } from '../../src/web/admin-server.js';
import { isOwnHost } from '../../src/web/routes.js';
import { dashboardSink, Served } from './served.js';

/** @param hosts makes pages and events as long as is needed. */
const scenario = (clusters = 1, hosts = 1): object => ({
  duration: '1000h',
  proxies: [{ name: 'edge', stats_flush_interval: '1s', stats_sinks: [dashboardSink(3)] }],
  clusters: Array.from({ length: clusters }, (_, index) => ({ name: `c${index}` })),
  endpoints: Object.fromEntries(
    Array.from({ length: clusters }, (_, index) => [`c${index}`, [{ address: '10.0.0.1:80', count: hosts }]]),
  ),
  workloads: [{ cluster: 'c0', arrivals: '10/s' }],
});

const open: Served[] = [];
const sockets: Socket[] = [];
async function start(limits: Partial<AdminLimits> = {}, clusters = 1, hosts = 1): Promise<Served> {
  const served = await Served.start(scenario(clusters, hosts), limits);
  open.push(served);
  return served;
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((served) => served.close()));
});

/** Connects, sends `text`, and collects what comes back. */
async function raw(served: Served, text: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect({ host: '127.0.0.1', port: served.port });
  sockets.push(socket);
  let all = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (all += chunk.toString()));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => all };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the Host header', () => {
  it.each([
    ['127.0.0.1:9901', true],
    ['localhost', true],
    ['LOCALHOST.:80', true],
    ['lbsim.localhost', true],
    ['[::1]:9901', true],
    ['192.168.0.7:9901', true],
    ['lbsim.test:9901', true],
    ['rebound.example:9901', false],
    ['localhost.example', false],
    ['127.0.0.1.example', false],
    ['[localhost]', false],
    ['127.0.0.1:9901@example', false],
    ['localhost:99999999', false],
    ['', false],
    [undefined, false],
  ])('%s: %s', (header, own) => {
    expect(isOwnHost(header, new Set(['lbsim.test']))).toBe(own);
  });

  it('of a stranger gets nothing, on any page', async () => {
    const served = await start();
    for (const path of ['/', '/clusters', '/dashboard_event_stream', '/nope']) {
      const { status, text } = await served.get(path, { headers: { host: 'rebound.example' } });
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(text).toBe('this name is not served here; --allow-host NAME lets it be\n');
    }
    expect((await served.get('/clusters', { headers: { host: 'LBSIM.test' } })).status).toBe(200);
  });

  it('is needed', async () => {
    const served = await start();
    const { socket, received } = await raw(served, 'GET /clusters HTTP/1.0\r\n\r\n');
    await once(socket, 'close');
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('every answer', () => {
  it('lets no other origin read it', async () => {
    const served = await start();
    const asked = { headers: { origin: 'http://example.com' } };
    for (const path of ['/', '/help', '/clusters', '/stats', '/config_dump', '/server_info', '/ready', '/nope']) {
      const { headers } = await served.get(path, asked);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('to %s is 405', async (method) => {
    const served = await start();
    for (const path of ['/', '/clusters', '/dashboard_event_stream', '/quitquitquit', '/runtime_modify?a=b']) {
      const { status, headers } = await served.get(path, { method });
      expect({ path, status, allow: headers.allow }).toEqual({ path, status: 405, allow: 'GET, HEAD' });
    }
  });

  it('to HEAD has no body', async () => {
    const served = await start();
    const { status, text } = await served.get('/clusters', { method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 200, text: '' });
    const stream = await served.get('/dashboard_event_stream', { method: 'HEAD' });
    expect(stream).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'text/event-stream' } });
    expect(served.admin.streams.watching(0)).toBe(0);
  });
});

describe('the stream', () => {
  it('has the recorded headers, but none that lets other origins in', async () => {
    const served = await start();
    // Real dashboards ask with words of their own.
    const watcher = await served.watch('/dashboard_event_stream?delay=2000');
    const { date, server, connection, ...others } = watcher.response.headers;
    expect([typeof date, server, connection]).toEqual(['string', 'lbsim', 'close']);
    expect(others).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  it('ends in good order when the server stops, and a client that leaves is forgotten', async () => {
    const served = await start();
    const [stays, leaves] = [await served.watch(), await served.watch()];
    expect(served.admin.streams.watching(0)).toBe(2);
    leaves.close();
    while (served.admin.streams.watching(0) > 1) await turn();
    served.advance(1);
    expect(await stays.flush()).toHaveLength(2);
    await served.close();
    expect(await stays.flush()).toBeUndefined();
    expect(stays.response.complete).toBe(true);
  });

  it('who comes takes the place of who has watched for longest, where there are too many', async () => {
    const served = await start({ maxStreams: 2 });
    const [first, second] = [await served.watch(), await served.watch()];
    const third = await served.watch();
    await first.closed;
    expect(served.admin.streams.watching(0)).toBe(2);
    served.advance(1);
    for (const stays of [second, third]) expect(await stays.flush()).toHaveLength(2);
  });

  it('drops who does not read, holds no more than a bounded part of it, and others miss nothing', async () => {
    const limits = { maxUnreadBytes: 256 * 1024, drainMs: 20 };
    const served = await start(limits, 40);
    const reads = await served.watch();
    const { socket } = await raw(served, 'GET /dashboard_event_stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
    socket.pause();
    while (served.admin.streams.watching(0) < 2) await turn();
    let flushes = 0;
    // 40 clusters are 90 kB a flush: soon more than the kernel takes in for him.
    while (served.admin.streams.watching(0) > 1 && flushes < 1000) {
      served.advance(++flushes);
      await served.admin.streams.settle();
      expect(await reads.flush()).toHaveLength(80);
    }
    expect(served.admin.streams.watching(0)).toBe(1);
    served.advance(++flushes);
    expect(await reads.flush()).toHaveLength(80);
  });
});

describe('under attack', () => {
  it('a header that is too large, or never ends, gets nowhere', async () => {
    const served = await start({ requestTimeoutMs: 50 });
    const large = await raw(served, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    const slow = await raw(served, 'GET /clusters HTTP/1.1\r\nhost: local');
    await Promise.all([once(large.socket, 'close'), once(slow.socket, 'close')]);
    expect(large.received()).toMatch(/^HTTP\/1\.1 431 /);
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('many connections that send their request in drops keep nobody out', async () => {
    const served = await start({ maxConnections: 50 });
    const watcher = await served.watch();
    const slow = await Promise.all(Array.from({ length: 49 }, () => raw(served, 'GET / HTTP/1.1\r\nhost: ')));
    let lost = 0;
    for (const { socket } of slow) socket.on('close', () => lost++);
    for (let asked = 1; asked <= 10; asked++) {
      expect((await served.get('/ready')).text).toBe('LIVE\n');
      served.advance(asked);
      expect(await watcher.flush()).toHaveLength(2);
    }
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThanOrEqual(10);
  });

  it('a filter that takes long on as many names as there are is refused', async () => {
    const served = await start({}, 30);
    const { status, text } = await served.get('/stats?filter=(.{1,9}){1,40}nowhere');
    expect({ status, text }).toEqual({
      status: 400,
      text: 'the regular expression (.{1,9}){1,40}nowhere: it takes too long over so much text\n',
    });
    expect((await served.get('/stats?filter=.{0,20}nowhere')).text).toBe('');
  });

  it('10,000 requests over 64 connections are all answered, and a dashboard misses no event', async () => {
    const served = await start();
    const watcher = await served.watch();
    const paths = ['/ready', '/nope', '/ready', '/clusters', '/server_info'];
    const each = 10_000 / 64;
    const load = Array.from({ length: 64 }, async (_, index) => {
      const count = Math.floor((index + 1) * each) - Math.floor(index * each);
      const requests = Array.from({ length: count }, (_request, at) => {
        const last = at === count - 1 ? 'connection: close\r\n' : '';
        return `GET ${paths[at % paths.length] ?? '/'} HTTP/1.1\r\nhost: localhost\r\n${last}\r\n`;
      });
      const { socket, received } = await raw(served, requests.join(''));
      await once(socket, 'close');
      const statuses = [...received().matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
      return { count, ok: statuses.filter((status) => status === '200').length, all: statuses.length };
    });
    const seen: unknown[] = [];
    for (let flush = 1; flush <= 20; flush++) {
      served.advance(flush);
      seen.push((await watcher.flush())?.[0]?.['currentTime']);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => 1_700_000_001 + index));
    for (const { count, ok, all } of await Promise.all(load)) {
      expect(all).toBe(count);
      expect(ok).toBe(count - Math.floor((count + 3) / 5));
    }
  });
});
