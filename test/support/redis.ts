import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Whether this machine has a Redis; tests that need one are skipped by name where it has not. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A Redis of a test's own on loopback, which keeps nothing. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly args: readonly string[],
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** @param args of redis-server, where `%PORT` is the port: then it listens as they say, and by TCP otherwise. */
  static async start(args: readonly string[] = []): Promise<RedisServer> {
    const port = await freePort();
    const listens = args.some((arg) => arg.includes('%PORT')) ? [] : ['--port', String(port)];
    const given = args.map((arg) => arg.replace('%PORT', String(port)));
    const fixed = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no'];
    const server = new RedisServer(port, [...fixed, ...listens, ...given]);
    await server.begin();
    return server;
  }

  async begin(): Promise<void> {
    const child = spawn('redis-server', [...this.args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Ready to accept connections')) resolve();
      });
      child.on('exit', () => reject(new Error(`redis-server ended:\n${said}`)));
    });
  }

  async end(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
