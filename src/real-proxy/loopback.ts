import { once } from 'node:events';
import { createServer } from 'node:net';

/** This machine gives no more ports or open files. */
export class NoLoopback extends Error {
  override readonly name = 'NoLoopback';
}

/** What the system says of a socket that cannot be opened. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'EADDRINUSE', 'EADDRNOTAVAIL', 'ENOBUFS']);

/** The failure, as {@link NoLoopback} where the system has nothing left. */
export function loopbackFailure(failure: unknown): unknown {
  if (!(failure instanceof Error) || !('code' in failure) || !EXHAUSTED.has(String(failure.code))) return failure;
  return new NoLoopback(
    `${failure.message}: each host needs a port of loopback and an open file, as does each connection; ` +
      'allow more (`ulimit -n 4096`), or end what holds the ports',
  );
}

/** Whether all of 127.0.0.0/8 is this machine, as on Linux; others have 127.0.0.1 alone. */
export async function hasLoopbackNet(): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(0, '127.1.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
