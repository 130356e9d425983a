import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Traffic } from '../analysis/verify/situations.js';
import { loopbackFailure } from './loopback.js';

/** Says at which port a request was answered. */
export const HOST_HEADER = 'x-lbsim-host';

/** Servers on loopback that stand for the hosts of a scenario: each answers every request at once. */
export class AnsweringHosts {
  private constructor(
    private readonly servers: readonly Server[],
    /** By the host's own address. */
    private readonly ports: ReadonlyMap<string, number>,
  ) {}

  /** @throws NoLoopback */
  static async start(addresses: ReadonlySet<string>): Promise<AnsweringHosts> {
    const servers: Server[] = [];
    const ports = new Map<string, number>();
    try {
      for (const address of addresses) {
        const server = createServer((request, response) => {
          request.resume();
          response.setHeader(HOST_HEADER, String(request.socket.localPort));
          response.setHeader('content-length', '0');
          response.end();
        });
        server.keepAliveTimeout = 0;
        servers.push(server);
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', resolve);
        });
        ports.set(address, (server.address() as AddressInfo).port);
      }
    } catch (error) {
      await stop(servers);
      throw loopbackFailure(error);
    }
    return new AnsweringHosts(servers, ports);
  }

  portOf(address: string): number {
    return this.ports.get(address) ?? 0;
  }

  async stop(): Promise<void> {
    await stop(this.servers);
  }
}

/** The traffic with addresses of hosts in headers, as `override_host` reads them, at loopback. */
export function withAddresses(traffic: Traffic, portOf: (address: string) => number): Traffic {
  const atLoopback = (address: string): string => {
    const port = portOf(address);
    return port === 0 ? address : `127.0.0.1:${port}`;
  };
  const headers = Object.entries(traffic.headers).map(([name, value]) => [
    name,
    value.replace(/\d+\.\d+\.\d+\.\d+:\d+/g, atLoopback),
  ]);
  return { ...traffic, headers: Object.fromEntries(headers) as Traffic['headers'] };
}

async function stop(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    ),
  );
}
