import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { TcpSender } from '../../src/sink/tcp-sender.js';
import { UdpSender } from '../../src/sink/udp-sender.js';

const lines = Array.from({ length: 50 }, (_, index) => `proxy.counter_${index}:${index}|c`);
let clock = 0;
const monotonicMs = (): number => (clock += 10_000);

it('UDP: one line is one datagram without a newline', async () => {
  const receiver = createSocket('udp4');
  const received: string[] = [];
  const all = new Promise<void>((resolve) => {
    receiver.on('message', (message) => {
      received.push(message.toString());
      if (received.length === lines.length) resolve();
    });
  });
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const sender = new UdpSender('127.0.0.1', receiver.address().port);
  sender.send(lines);
  await Promise.all([all, sender.close()]);
  receiver.close();
  expect(received).toEqual(lines);
  expect([sender.sent, sender.dropped]).toEqual([lines.length, 0]);
});

it('UDP: lines beyond what the system takes are dropped and counted, none is lost from the count', async () => {
  const sender = new UdpSender('127.0.0.1', 9);
  sender.send(Array.from({ length: 10_000 }, () => 'x:1|c'));
  await sender.close();
  expect(sender.dropped).toBeGreaterThanOrEqual(10_000 - 4_096);
  expect(sender.sent + sender.dropped).toBe(10_000);
  expect(sender.problem).toBe('the receiver is too slow');
});

it('TCP: each line ends in a newline, on one connection', async () => {
  const texts: string[] = [];
  const server = createServer((socket) => {
    const index = texts.push('') - 1;
    socket.on('data', (data) => (texts[index] = (texts[index] ?? '') + data.toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
  sender.send(lines);
  sender.send(['last:1|c']);
  await sender.close();
  await new Promise((resolve) => server.close(resolve));
  expect(texts).toEqual([[...lines, 'last:1|c', ''].join('\n')]);
  expect([sender.sent, sender.dropped]).toEqual([lines.length + 1, 0]);
});

it('TCP: a receiver that refuses costs its lines and nothing else', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const sender = new TcpSender('statsd', () => [{ address: '127.0.0.1', port }], monotonicMs);
  sender.send(lines);
  await sender.close();
  expect([sender.sent, sender.dropped]).toEqual([0, lines.length]);
  expect(sender.problem).toContain('ECONNREFUSED');
});

it('TCP: a cluster without hosts is said', async () => {
  const sender = new TcpSender('statsd', () => [], monotonicMs);
  sender.send(lines);
  await sender.close();
  expect([sender.sent, sender.dropped, sender.problem]).toEqual([0, lines.length, 'cluster statsd has no hosts']);
});
