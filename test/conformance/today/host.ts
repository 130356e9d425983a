import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { HOST_HEADER, SEQUENCE_HEADER } from './headers.js';
import type { HostBehavior } from './case.js';

/** A request of this number has come to a host, or a copy of it. */
export type Arrived = (seq: number, host: string, isCopy: boolean) => void;

/** A host of a recording: a small server on loopback that behaves as a case says. */
export interface RunningHost {
  become(behavior: HostBehavior): void;
  stop(): void;
}

export async function startHost(address: string, first: HostBehavior, arrived: Arrived): Promise<RunningHost> {
  let now = first;
  const become = (behavior: HostBehavior): void => {
    now = behavior;
  };
  if (first.refuse === true) return { become, stop: () => undefined };
  const [ip = '', port = ''] = address.split(':');
  const sockets = new Set<net.Socket>();
  const one: Place = { address, arrived, behaviorAt: (attempt) => behaviorAt(now, attempt) };
  const server = first.protocol === 'tcp' ? tcpHost(one) : first.protocol === 'h2' ? h2Host(one) : h1Host(one);
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(Number(port), ip);
  await once(server, 'listening');
  return {
    become,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Place {
  readonly address: string;
  readonly arrived: Arrived;
  /** @param attempt from 1. */
  readonly behaviorAt: (attempt: number) => HostBehavior;
}

const behaviorAt = (now: HostBehavior, attempt: number): HostBehavior =>
  now.by_attempt?.[attempt - 1] ?? now.by_attempt?.at(-1) ?? now;

/** Proxies count attempts for hosts that are asked to behave by them. */
const attemptOf = (headers: http.IncomingHttpHeaders): number => Number(headers['x-envoy-attempt-count'] ?? 1);
const isCopy = (authority: string | undefined): boolean => authority?.endsWith('-shadow') === true;

const tcpHost = ({ address }: Place): net.Server =>
  net.createServer((socket) => {
    socket.write(`${address}\n`);
    socket.on('end', () => socket.end());
  });

function h1Host({ address, arrived, ...own }: Place): net.Server {
  const server = http.createServer((request, response) => {
    const { headers, socket } = request;
    arrived(Number(headers[SEQUENCE_HEADER]), address, isCopy(headers.host));
    const now = own.behaviorAt(attemptOf(headers));
    if (now.hang === true) return;
    if (now.reset === true) socket.resetAndDestroy();
    if (now.close_before === true) socket.destroy();
    if (socket.destroyed) return;
    const answer = (): void => {
      if (socket.destroyed) return;
      response.writeHead(now.status ?? 200, {
        [HOST_HEADER]: address,
        'content-length': '0',
        ...(now.connection_close === true && { connection: 'close' }),
      });
      response.end(() => {
        if (now.close_after === true) socket.end();
      });
    };
    setTimeout(answer, now.delay_ms ?? 0);
  });
  server.keepAliveTimeout = 0;
  return server;
}

function h2Host({ address, arrived, ...own }: Place): net.Server {
  const server = http2.createServer();
  const sockets = new Map<number, net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.set(socket.remotePort ?? 0, socket));
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    const { session } = stream;
    arrived(Number(headers[SEQUENCE_HEADER]), address, isCopy(headers[':authority']));
    const now = own.behaviorAt(attemptOf(headers));
    if (now.hang === true) return;
    if (now.refused_stream === true) {
      stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    if (now.close_before === true || now.reset === true) {
      // Without the GOAWAY that the session would send.
      sockets.get(stream.session?.socket.remotePort ?? 0)?.destroy();
      return;
    }
    const answer = (): void => {
      if (stream.destroyed) return;
      stream.respond({ ':status': now.status ?? 200, [HOST_HEADER]: address }, { endStream: true });
      // Only once the answer has left.
      if (now.goaway_after === true)
        stream.on('close', () => setTimeout(() => session?.destroyed === false && session.goaway(), 3));
    };
    setTimeout(answer, now.delay_ms ?? 0);
  });
  return server;
}
