import type { Socket as DatagramSocket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TcpSender, UdpSender } from '../../src/sink/senders.js';

const lines = Array.from({ length: 50 }, (_, index) => `proxy.counter_${index}:${index}|c`);
let clock = 0;
/** Each look at the clock is seconds later: nothing has to wait. */
const monotonicMs = (): number => (clock += 10_000);

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function udpReceiver(host: string): Promise<DatagramSocket> {
  const receiver = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  open.push(receiver);
  receiver.bind(0, host);
  await once(receiver, 'listening');
  return receiver;
}

/** @param onSocket hears of each connection. */
async function tcpReceiver(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** A port of this machine on which nobody listens. */
async function deadPort(): Promise<number> {
  const { server, port } = await tcpReceiver(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('UDP', () => {
  it.each(['127.0.0.1', '::1'])('one line is one datagram without a newline, to %s', async (host) => {
    const receiver = await udpReceiver(host);
    const received: string[] = [];
    const all = new Promise<void>((resolve) => {
      receiver.on('message', (message) => {
        received.push(message.toString());
        if (received.length === lines.length) resolve();
      });
    });
    const sender = new UdpSender(host, receiver.address().port, monotonicMs);
    sender.send(lines, 'flush');
    await Promise.all([all, sender.close()]);
    expect(received).toEqual(lines);
    expect([sender.sent, sender.dropped, sender.problem]).toEqual([lines.length, 0, undefined]);
    expect(sender.target).toBe(`udp ${host.includes(':') ? `[${host}]` : host}:${receiver.address().port}`);
  });

  it('lines beyond what may wait are dropped and counted, samples before flushes', async () => {
    const receiver = await udpReceiver('127.0.0.1');
    // Time stands still: after the first hundred nothing is sent.
    const sender = new UdpSender('127.0.0.1', receiver.address().port, () => 0);
    const many = (count: number): string[] => Array.from({ length: count }, () => 'x:1|c');
    sender.send(many(100_000), 'sample');
    const lost = sender.dropped;
    sender.send(many(5_000), 'flush');
    expect(lost).toBe(85_000);
    expect(sender.dropped).toBe(lost);
    sender.send(many(1), 'flush');
    expect(sender.dropped).toBe(lost + 1);
    await sender.close();
    expect(sender.sent).toBe(100);
    expect(sender.sent + sender.dropped).toBe(105_001);
    expect(sender.problem).toBe('faster than datagrams can be sent without loss');
  });

  it('a receiver that is not there is said, and what it did not get is not counted as sent', async () => {
    const receiver = await udpReceiver('127.0.0.1');
    const { port } = receiver.address();
    open.length = 0;
    receiver.close();
    await once(receiver, 'close');
    const sender = new UdpSender('127.0.0.1', port, monotonicMs);
    for (const line of lines) sender.send([line], 'flush');
    await sender.close();
    expect(sender.sent + sender.dropped).toBe(lines.length);
    expect(sender.dropped).toBeGreaterThan(lines.length / 2);
    expect(sender.problem).toBe(`nothing listens on 127.0.0.1:${port}`);
  });
});

describe('TCP', () => {
  it('each line ends in a newline, on one connection', async () => {
    const texts: string[] = [];
    const { port } = await tcpReceiver((socket) => {
      const index = texts.push('') - 1;
      socket.on('data', (data) => (texts[index] = (texts[index] ?? '') + data.toString()));
    });
    const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
    await sender.open();
    sender.send(lines, 'flush');
    sender.send(['last:1|c'], 'sample');
    await sender.close();
    expect(texts).toEqual([[...lines, 'last:1|c', ''].join('\n')]);
    expect([sender.sent, sender.dropped, sender.problem]).toEqual([lines.length + 1, 0, undefined]);
  });

  it('takes the next host where one refuses', async () => {
    const dead = await deadPort();
    let connections = 0;
    const { port } = await tcpReceiver((socket) => {
      connections++;
      socket.resume();
    });
    const hosts = [dead, port].map((each) => ({ address: '127.0.0.1', port: each }));
    const sender = new TcpSender('statsd', () => hosts, monotonicMs);
    await sender.open();
    sender.send(lines, 'flush');
    await sender.close();
    expect([connections, sender.sent, sender.dropped, sender.problem]).toEqual([1, lines.length, 0, undefined]);
  });

  it('a receiver that refuses is found out at once, and costs its lines and nothing else', async () => {
    const port = await deadPort();
    const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
    await sender.open();
    expect(sender.problem).toBe(`127.0.0.1:${port} refuses connections`);
    sender.send(lines, 'flush');
    await sender.close();
    expect([sender.sent, sender.dropped]).toEqual([0, lines.length]);
  });

  it('a cluster without hosts is said', async () => {
    const sender = new TcpSender('statsd', () => [], monotonicMs);
    await sender.open();
    expect(sender.problem).toBe('cluster statsd has no hosts');
    sender.send(lines, 'flush');
    await sender.close();
    expect([sender.sent, sender.dropped]).toEqual([0, lines.length]);
  });

  it('a receiver that never reads: what it does not take is dropped, within bounds, and every line is accounted for', async () => {
    const { port } = await tcpReceiver((socket) => socket.pause());
    const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
    await sender.open();
    const flush = Array.from({ length: 10_000 }, () => 'x'.repeat(99));
    for (let count = 0; count < 40; count++) sender.send(flush, 'flush');
    // 40 MB are more than may wait.
    expect(sender.dropped).toBeGreaterThan(0);
    await sender.close();
    expect(sender.sent + sender.dropped).toBe(400_000);
    expect(sender.dropped).toBeGreaterThanOrEqual(220_000);
    expect(sender.problem).toBe('the receiver is too slow');
  });

  it('connects anew after the receiver has closed the connection', async () => {
    let connections = 0;
    const closed: Promise<void>[] = [];
    const { port } = await tcpReceiver((socket) => {
      connections++;
      socket.resume();
      if (connections === 1) closed.push(new Promise((resolve) => socket.once('close', () => resolve())));
      if (connections === 1) socket.once('data', () => socket.destroy());
    });
    const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
    await sender.open();
    // Whatever is lost on the way: a later line goes over a second connection.
    while (connections < 2) {
      sender.send(['x:1|c'], 'flush');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(closed);
    await sender.close();
    expect(connections).toBeGreaterThanOrEqual(2);
  });
});
