import { ipOf, withPort } from '../core/ip.js';
import { fromBigInt, mod, type U64 } from '../core/u64.js';
import { entryOf } from '../core/values.js';
import { xxhash64String } from '../hash/text-hashes.js';
import type { HashSource } from '../hostset/lb-config.js';
import { type Carried, type MakeCookie, RequestHash } from '../hostset/request-hash.js';
import { isTablePolicy } from '../policy/registry.js';
import { drawIndex, runningSums } from '../random/draws.js';
import type { RandomStream } from '../random/streams.js';
import { clientAddress, type ClientsSpec, type ProxySpec, type RequestSpec } from '../settings/world.js';
import type { RouteCluster, Workload } from '../settings/world.js';
import type { Proxy } from './proxy.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { KeptCookies, MadeCookie, RequestPlan } from './request-plan.js';
import type { World } from './world.js';

export type Place = Readonly<{ proxy: number; worker: number }>;

/** Who sends requests, over one connection. */
export interface Client {
  readonly number: number;
  /** Its end of the connection, `ip:port`; undefined: it is not known. */
  readonly address?: string | undefined;
  /** Who has the connection; undefined before its first request. */
  place?: Place;
  /** The cookies that it keeps; undefined: it keeps none. */
  readonly cookies?: KeptCookies | undefined;
}

/**
 * Clusters and hashes of these requests need more than a draw by weight and the hash of a key.
 * @param clustersHash clusters say themselves what is hashed.
 */
export function readsRequests(spec: RequestSpec & Pick<Workload, 'clients'>, clustersHash: boolean): boolean {
  const { hashPolicy, useHashPolicy, headerName, runtimeKeyPrefix, clients, headers } = spec;
  const isWritten = clustersHash || (hashPolicy ?? headerName ?? runtimeKeyPrefix ?? clients) !== undefined;
  return isWritten || useHashPolicy === true || Object.values(headers).some((value) => value.includes('{key}'));
}

/** Finds the cluster of each request of a route and its hash, from what it carries, as the proxy does. */
export class Routing {
  private readonly sums = runningSums(this.route.map(({ weight }) => weight));

  /**
   * @param plans  of the clusters of the route.
   * @param random draws by weight, where neither a hash nor a header decides.
   */
  constructor(
    private readonly world: World,
    private readonly spec: RequestSpec,
    private readonly plans: readonly RequestPlan[],
    private readonly route: readonly RouteCluster[],
    private readonly random: RandomStream,
  ) {}

  /**
   * @param given the hash where no `hash_policy` says what is hashed: that of its key.
   * @returns how it is sent, with its hash, if it has one.
   */
  next(proxy: Proxy, client: Client, key: string | undefined, given: U64 | undefined) {
    const { hashPolicy } = this.spec;
    const headers = this.headersOf(client, key);
    const address = trusted(client.address, headers, proxy.spec);
    const carried = { headers, key, address };
    const ofRoute = hashPolicy === undefined ? given : hashOf(hashPolicy, carried);
    const plan = this.choose(proxy, ofRoute, headers);
    const cluster = proxy.clusterAt(plan.cluster);
    const { hashSources: own } = cluster.world.settings;
    // A key without a policy stands for all that is hashed.
    const sources = own.length > 0 && (given === undefined || hashPolicy !== undefined) ? own : hashPolicy;
    const setCookies: MadeCookie[] = [];
    const make: MakeCookie = ({ cookie: name = '', makes }) => {
      const value = cookieValue(`${client.address ?? ''}${proxy.spec.address}`);
      setCookies.push({
        name,
        value,
        lifeUs: makes?.lifeUs ?? 0,
        text: `${name}="${value}"${makes?.attributes ?? ''}`,
      });
      return value;
    };
    // Who asks for no hash has no cookie made.
    const hash = sources === undefined ? given : hashOf(sources, carried, looksUp(cluster, proxy) ? make : undefined);
    const carries = { headers, address, setCookies, kept: client.cookies };
    return { plan: { ...plan, hashed: hash !== undefined, ...carries }, hash };
  }

  /** What the route says, with the cookies of the client behind its own. */
  private headersOf({ number, cookies }: Client, key = ''): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.spec.headers))
      headers[name] = value.replaceAll('{key}', key).replaceAll('{client}', String(number));
    const kept = [...(cookies ?? [])].filter(([, { untilUs }]) => untilUs > this.world.nowUs);
    if (kept.length === 0) return headers;
    const written = kept.map(([name, { value }]) => `${name}=${value}`);
    return { ...headers, cookie: [headers['cookie'] ?? [], written].flat().join('; ') };
  }

  /** The first cluster whose running sum of weights exceeds the number. */
  private choose({ runtime }: Proxy, hash: U64 | undefined, headers: RequestPlan['headers']): RequestPlan {
    const { useHashPolicy, headerName = '', runtimeKeyPrefix: prefix } = this.spec;
    if (this.plans.length === 1) return this.plans[0] as RequestPlan;
    const weighed = ({ cluster, weight }: RouteCluster): number => runtime.number(`${prefix}.${cluster}`) ?? weight;
    const sums = prefix === undefined ? this.sums : runningSums(this.route.map(weighed));
    const total = sums.at(-1) ?? 0;
    const header = headers[headerName] ?? '';
    const byHash = useHashPolicy === true ? hash : undefined;
    const number = /^\d+$/.test(header) ? fromBigInt(BigInt(header)) : byHash;
    const place = number === undefined || total === 0 ? undefined : mod(number.hi, number.lo, total);
    const index = place === undefined ? drawIndex(sums, this.random) : sums.findIndex((sum) => place < sum);
    return this.plans[index] as RequestPlan;
  }
}

function hashOf(sources: readonly HashSource[], carried: Carried, make?: MakeCookie): U64 | undefined {
  const hash = new RequestHash(sources);
  return hash.compute(carried, make) ? hash : undefined;
}

function looksUp({ world, parts }: ProxyCluster, proxy: Proxy): boolean {
  const { lbPolicy, consistentHashing } = parts.info.lb;
  // A policy that hashes by sources of its own asks for no hash of the request.
  if (world.type !== 'AGGREGATE') return isTablePolicy(lbPolicy) && consistentHashing.hashSources === undefined;
  const members = world.settings.members.flatMap((name) => proxy.clusterNamed(name) ?? []);
  return members.some((member) => looksUp(member, proxy));
}

/** Of everything that makes a connection: the addresses of both ends. */
function cookieValue(connection: string): string {
  const { hi, lo } = xxhash64String(connection);
  return [hi, lo].map((half) => half.toString(16).padStart(8, '0')).join('');
}

/** Whom the proxy takes for the client: the peer, or who proxies before it say it is. */
function trusted(peer: string | undefined, headers: RequestPlan['headers'], spec: ProxySpec): string | undefined {
  const before = (headers['x-forwarded-for'] ?? '').split(/[,\n]/).map((text) => text.trim());
  const hops = spec.xffNumTrustedHops - (spec.useRemoteAddress ? 1 : 0);
  return (hops < 0 ? undefined : before[before.length - 1 - hops]) || (peer && ipOf(peer));
}

/** The ports that systems give to clients. */
const FIRST_PORT = 32768;
const PORTS = 28232;

export class Clients {
  private readonly known = new Map<number, Client>();

  /** @param turns draws which of them sends. */
  constructor(
    private readonly spec: ClientsSpec,
    private readonly turns: { next(): void; readonly index: number; readonly count: number },
  ) {}

  /** @param user of a closed workload, whose users are clients; undefined: whoever has its turn. */
  next(user?: number): Client {
    if (user === undefined) this.turns.next();
    const number = user === undefined ? this.turns.index : user % this.turns.count;
    return entryOf(this.known, number, () => {
      const { ip, before } = clientAddress(this.spec, number);
      // Ports of their own for those that share an address.
      const address = withPort(ip, FIRST_PORT + (before % PORTS));
      return { number, address, cookies: this.spec.keepCookies ? new Map() : undefined };
    });
  }
}
