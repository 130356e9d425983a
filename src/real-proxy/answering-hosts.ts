import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Traffic } from '../analysis/verify/situations.js';
import { ipOf, portOf } from '../core/ip.js';
import { entryOf, groupBy } from '../core/values.js';
import type { Behavior } from '../settings/behavior.js';
import { loopbackFailure } from './guarded-process.js';
import type { PlacesOfHosts } from './recording.js';

/** Says where a request was answered, `ip:port`. */
export const HOST_HEADER = 'x-lbsim-host';

const LOOPBACK = '127.0.0.1';
/** Ports that are tried until one is free at every address. */
const TRIES = 20;

/** Servers on loopback that stand for the hosts of a scenario: each answers every request at once. */
export class AnsweringHosts {
  private readonly servers: Server[] = [];
  /** By the host's own address. */
  private readonly places: Map<string, string>;
  private readonly named: Map<string, string>;

  private constructor(
    private readonly answers: ReadonlyMap<string, Partial<Behavior>>,
    { places, ips }: PlacesOfHosts,
  ) {
    this.places = new Map(Object.entries(places));
    this.named = new Map(Object.entries(ips));
  }

  /**
   * @param addresses of hosts, each at a port of its own.
   * @param named     addresses (IPv4) of hosts that DNS finds. An answer has no ports, so each IP is a loopback address of
   *   its own, and all hosts of one port have another one together.
   * @param answers   by address; absent: 200.
   * @param recorded  where they answered once: nobody listens.
   * @throws NoLoopback
   */
  static async start(
    addresses: ReadonlySet<string>,
    named: ReadonlySet<string> = new Set(),
    answers: ReadonlyMap<string, Partial<Behavior>> = new Map(),
    recorded?: PlacesOfHosts,
  ): Promise<AnsweringHosts> {
    const hosts = new AnsweringHosts(answers, recorded ?? { places: {}, ips: {} });
    if (recorded !== undefined) return hosts;
    try {
      for (const group of groupBy(named, portOf).values()) await hosts.listenTogether(group);
      for (const address of addresses)
        if (!named.has(address)) hosts.places.set(address, await hosts.listen(`${LOOPBACK}:0`, address));
    } catch (error) {
      await hosts.stop();
      throw loopbackFailure(error);
    }
    return hosts;
  }

  recorded(): PlacesOfHosts {
    return { places: Object.fromEntries(this.places), ips: Object.fromEntries(this.named) };
  }

  /** Where a host answers, `ip:port`; an address of none stays as it is. */
  at(address: string): string {
    return this.places.get(address) ?? address;
  }

  /** The host's own address. */
  ownOf(place: string): string {
    return [...this.places].find(([, own]) => own === place)?.[0] ?? place;
  }

  /** The loopback address of an IP that DNS finds. */
  ipAt(ip: string): string {
    const number = this.named.size + 1;
    return entryOf(this.named, ip, () => `127.1.${number >> 8}.${number & 255}`);
  }

  /** The port that stands for this one, wherever DNS finds a host. */
  portAt(port: string): string {
    const host = [...this.named.keys()].find((ip) => this.places.has(`${ip}:${port}`));
    return host === undefined ? port : portOf(this.at(`${host}:${port}`));
  }

  async stop(): Promise<void> {
    const closed = this.servers.filter(({ listening }) => listening).map((server) => once(server, 'close'));
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    await Promise.all(closed);
  }

  private async listenTogether(addresses: readonly string[]): Promise<void> {
    for (let left = TRIES; ; left--) {
      const started = this.servers.length;
      try {
        let port = '0';
        for (const address of addresses) {
          const place = await this.listen(`${this.ipAt(ipOf(address))}:${port}`, address);
          port = portOf(place);
          this.places.set(address, place);
        }
        return;
      } catch (error) {
        // Somebody has the port at one of the addresses.
        if (left === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        for (const server of this.servers.splice(started)) server.close();
      }
    }
  }

  private async listen(place: string, address: string): Promise<string> {
    const answer = this.answers.get(address);
    const { status, headers } = answerOf(answer);
    const server = createServer((request, response) => {
      request.resume();
      if (answer?.closes === 'instead' || answer?.closes === 'refused') {
        request.socket.destroy();
        return;
      }
      const place = `${request.socket.localAddress ?? ''}:${request.socket.localPort ?? 0}`;
      response.writeHead(status, { ...headers, [HOST_HEADER]: place, 'content-length': '0' });
      response.end();
    });
    server.keepAliveTimeout = 0;
    this.servers.push(server);
    server.listen(Number(portOf(place)), ipOf(place));
    await once(server, 'listening');
    const { address: ip, port: own } = server.address() as AddressInfo;
    return `${ip}:${own}`;
  }
}

/** What a host answers, with its load report in the names of ORCA. */
export function answerOf({ errorRate, errorStatus = 503, loadReport, closes }: Partial<Behavior> = {}) {
  const status = errorRate === 1 ? errorStatus : 200;
  const closing = closes === 'announced' && { connection: 'close' };
  if (typeof loadReport !== 'object') return { status, headers: { ...closing } };
  const message = {
    cpu_utilization: loadReport.cpuUtilization,
    mem_utilization: loadReport.memUtilization,
    application_utilization: loadReport.applicationUtilization,
    rps_fractional: loadReport.rps,
    eps: loadReport.eps,
    named_metrics: loadReport.namedMetrics,
    utilization: loadReport.utilization,
  };
  return { status, headers: { ...closing, 'endpoint-load-metrics': `JSON ${JSON.stringify(message)}` } };
}

/** The traffic with addresses of hosts in headers, as `override_host` reads them, at loopback. */
export function withAddresses(traffic: Traffic, at: (address: string) => string): Traffic {
  const headers = Object.entries(traffic.headers).map(([name, value]) => [
    name,
    value.replace(/\d+\.\d+\.\d+\.\d+:\d+/g, at),
  ]);
  return { ...traffic, headers: Object.fromEntries(headers) as Traffic['headers'] };
}
