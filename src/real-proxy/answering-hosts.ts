import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Traffic } from '../analysis/verify/situations.js';
import { ipOf, portOf } from '../core/ip.js';
import { RandomStreams } from '../random/streams.js';
import { entryOf, groupBy } from '../core/values.js';
import type { Behavior } from '../settings/behavior.js';
import { AnsweringHost } from './answering-host.js';
import { loopbackFailure } from './guarded-process.js';
import type { PlacesOfHosts } from './recording.js';

const LOOPBACK = '127.0.0.1';
/** Ports that are tried until one is free at every address. */
const TRIES = 20;

/** Servers on loopback that stand for the hosts of a scenario: each does as its behaviour says. */
export class AnsweringHosts {
  private readonly hosts: AnsweringHost[] = [];
  private readonly byAddress = new Map<string, AnsweringHost>();
  readonly draws = new RandomStreams(String(Math.random())).stream('hosts');
  /** When each was first asked how it is, by the clock of the process. */
  readonly checkedMs: number[] = [];
  /** By the host's own address. */
  private readonly places: Map<string, string>;
  private readonly named: Map<string, string>;

  private constructor(
    private readonly answers: ReadonlyMap<string, Partial<Behavior>>,
    private readonly speakHttp2: ReadonlySet<string>,
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
   * @param http2     those that speak HTTP/2, too.
   * @throws NoLoopback
   */
  static async start(
    addresses: ReadonlySet<string>,
    named: ReadonlySet<string> = new Set(),
    answers: ReadonlyMap<string, Partial<Behavior>> = new Map(),
    recorded?: PlacesOfHosts,
    http2: ReadonlySet<string> = new Set(),
  ): Promise<AnsweringHosts> {
    const hosts = new AnsweringHosts(answers, http2, recorded ?? { places: {}, ips: {} });
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
    const listening = this.hosts.filter(({ server }) => server.listening);
    const closed = listening.map(({ server }) => once(server, 'close'));
    for (const host of this.hosts) host.close();
    await Promise.all(closed);
  }

  /** From now on it behaves so. */
  async become(address: string, behavior: Partial<Behavior>): Promise<void> {
    const host = this.byAddress.get(address);
    host?.become(behavior);
    if (host === undefined || host.server.listening === (behavior.down !== 'refuse')) return;
    const place = this.at(address);
    const done = once(host.server, host.server.listening ? 'close' : 'listening');
    if (host.server.listening) host.close();
    else host.server.listen(Number(portOf(place)), ipOf(place));
    await done;
  }

  private async listenTogether(addresses: readonly string[]): Promise<void> {
    for (let left = TRIES; ; left--) {
      const started = this.hosts.length;
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
        for (const host of this.hosts.splice(started)) host.close();
      }
    }
  }

  private async listen(place: string, address: string): Promise<string> {
    const host = new AnsweringHost(this.speakHttp2.has(address), () => this.checkedMs.push(performance.now()));
    host.become(this.answers.get(address) ?? {});
    this.hosts.push(host);
    this.byAddress.set(address, host);
    host.server.listen(Number(portOf(place)), ipOf(place));
    await once(host.server, 'listening');
    const { address: ip, port: own } = host.server.address() as AddressInfo;
    return `${ip}:${own}`;
  }
}

/** The traffic with addresses of hosts in headers, as `override_host` reads them, at loopback. */
export function withAddresses<One extends Traffic>(traffic: One, at: (address: string) => string): One {
  const headers = Object.entries(traffic.headers).map(([name, value]) => [
    name,
    value.replace(/\d+\.\d+\.\d+\.\d+:\d+/g, at),
  ]);
  return { ...traffic, headers: Object.fromEntries(headers) as Traffic['headers'] };
}
