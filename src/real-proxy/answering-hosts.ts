import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Traffic } from '../analysis/verify/situations.js';
import { ipOf, portOf } from '../core/ip.js';
import { MICROS_PER_MILLI } from '../core/units.js';
import type { Duration } from '../settings/behavior.js';
import { durationSampler } from '../random/samplers.js';
import { RandomStreams } from '../random/streams.js';
import { TCP_HEADER, TRAFFIC_HEADER } from './proxy-process.js';
import { entryOf, groupBy } from '../core/values.js';
import type { Behavior } from '../settings/behavior.js';
import { loopbackFailure } from './guarded-process.js';
import type { PlacesOfHosts } from './recording.js';

/** Says where a request was answered, `ip:port`. */
export const HOST_HEADER = 'x-lbsim-host';

const NO_TIME: Duration = { kind: 'constant', value: 0 };
const LOOPBACK = '127.0.0.1';
/** Ports that are tried until one is free at every address. */
const TRIES = 20;

/** A part of what happens, as a host's behaviour has it. */
const happens = (rate: number): boolean => rate >= 1 || Math.random() < rate;

/** Servers on loopback that stand for the hosts of a scenario: each does as its behaviour says. */
export class AnsweringHosts {
  private readonly servers: Server[] = [];
  private readonly byAddress = new Map<string, Server>();
  readonly draws = new RandomStreams(String(Math.random())).stream('hosts');
  /** When each was first asked how it is, by the clock of the process. */
  readonly checkedMs: number[] = [];
  /** By the host's own address. */
  private readonly places: Map<string, string>;
  private readonly named: Map<string, string>;

  private constructor(
    private readonly answers: Map<string, Partial<Behavior>>,
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
    const hosts = new AnsweringHosts(new Map(answers), recorded ?? { places: {}, ips: {} });
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

  /** From now on it behaves so. */
  async become(address: string, behavior: Partial<Behavior>): Promise<void> {
    this.answers.set(address, behavior);
    const server = this.byAddress.get(address);
    if (server === undefined || server.listening === (behavior.down !== 'refuse')) return;
    const place = this.at(address);
    const done = once(server, server.listening ? 'close' : 'listening');
    if (server.listening) server.close().closeAllConnections();
    else server.listen(Number(portOf(place)), ipOf(place));
    await done;
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
    const server = createServer((request, response) => {
      request.resume();
      const place = `${request.socket.localAddress ?? ''}:${request.socket.localPort ?? 0}`;
      if (request.headers[TCP_HEADER] !== undefined) {
        // To a connection over TCP it does nothing but to be there.
        response.writeHead(200, { [HOST_HEADER]: place, 'content-length': '0' }).end();
        return;
      }
      const now = this.answers.get(address) ?? {};
      const { closes = 'never', closeRate = 1, down, healthCheck = 'ok' } = now;
      const isCheck = request.headers[TRAFFIC_HEADER] === undefined;
      if (isCheck) this.checkedMs.push(performance.now());
      if (down === 'hang' || (isCheck && healthCheck === 'hang')) return;
      if (isCheck && healthCheck === 'refuse') {
        request.socket.destroy();
        return;
      }
      const ends = !isCheck && happens(closeRate) ? closes : 'never';
      const own = answerOf({ ...now, closes: ends });
      const checked = typeof healthCheck === 'number' ? healthCheck : 200;
      const answer = (): void => {
        // In place of the answer, when it would have come.
        if (ends === 'instead' || ends === 'refused') {
          request.socket.destroy();
          return;
        }
        response.writeHead(isCheck ? checked : own.status, {
          ...(isCheck && healthCheck === 'degraded' && { 'x-envoy-degraded': 'true' }),
          ...{ ...own.headers, [HOST_HEADER]: place, 'content-length': '0' },
        });
        response.end(() => {
          if (ends === 'silent') request.socket.end();
        });
      };
      const { serviceTime = NO_TIME, networkLatency = NO_TIME } = now;
      const draws = (): typeof this.draws => this.draws;
      const [served, wire] = [durationSampler(serviceTime, draws), durationSampler(networkLatency, draws)];
      const us = (isCheck ? 0 : served()) + wire();
      if (us === 0) answer();
      else setTimeout(answer, us / MICROS_PER_MILLI);
    });
    server.keepAliveTimeout = 0;
    this.servers.push(server);
    this.byAddress.set(address, server);
    server.listen(Number(portOf(place)), ipOf(place));
    await once(server, 'listening');
    const { address: ip, port: own } = server.address() as AddressInfo;
    return `${ip}:${own}`;
  }
}

/** What a host answers, with its load report in the names of ORCA. */
export function answerOf({ errorRate = 0, errorStatus = 503, loadReport, closes, ...own }: Partial<Behavior> = {}) {
  const fails = errorRate > 0 && happens(errorRate);
  const status = fails ? errorStatus : 200;
  const closing = { ...(closes === 'announced' && { connection: 'close' }), ...(fails && own.errorHeaders) };
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
