import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** A connection that has asked nothing for as long makes room for a new one. */
  readonly graceMs: number;
}

interface State {
  /** Requests without a whole answer. */
  open: number;
  /** Asks nothing since then. */
  sinceMs: number;
}

const BUSY = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Bounds the connections of a server. Where there are too many, the one that has been silent, or has been sending its
 * request in drops, for longest gives way; connections with an answer under way never do. With nobody to give way the new
 * one is turned away.
 */
export function limitConnections(server: Server, limits: ConnectionLimits, monotonicMs: () => number): void {
  const connections = new Map<Socket, State>();
  server.on('connection', (socket) => {
    if (connections.size >= limits.maxConnections) {
      const silent = longestSilent(connections, monotonicMs() - limits.graceMs);
      if (silent === undefined) {
        socket.on('error', () => socket.destroy());
        socket.write(BUSY);
        socket.destroySoon();
        return;
      }
      connections.delete(silent);
      silent.destroy();
    }
    connections.set(socket, { open: 0, sinceMs: monotonicMs() });
    socket.on('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const state = connections.get(socket);
    if (state === undefined) return;
    state.open++;
    response.on('close', () => {
      state.open--;
      state.sinceMs = monotonicMs();
    });
  });
}

function longestSilent(connections: ReadonlyMap<Socket, State>, beforeMs: number): Socket | undefined {
  let found: Socket | undefined;
  let oldestMs = beforeMs;
  for (const [socket, { open, sinceMs }] of connections) {
    if (open > 0 || sinceMs > oldestMs) continue;
    found = socket;
    oldestMs = sinceMs;
  }
  return found;
}
