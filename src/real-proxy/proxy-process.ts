import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { assignmentFile, assignmentMessage, clusterNameOf, nodeOf } from '../analysis/verify/own-decisions.js';
import { routeAction, tcpAction } from '../analysis/verify/route-message.js';
import type { JsonValue, Struct } from '../core/values.js';
import { GuardedProcess } from './guarded-process.js';
import type { ProxySpec } from '../settings/world.js';
import type { Traffic } from '../analysis/verify/situations.js';
import { NoAnswer } from '../core/no-answer.js';

/** Says which {@link Traffic} a request belongs to. */
export const TRAFFIC_HEADER = 'x-lbsim-traffic';

/** Says that a request comes over a connection of TCP: its host answers at once, whatever it does to others. */
export const TCP_HEADER = 'x-lbsim-tcp';

/** Of an answer, also the proxy's own: what happened to the request, as `UH,URX`. */
export const FLAGS_HEADER = 'x-lbsim-flags';

const API = 'type.googleapis.com/envoy.extensions.filters';

interface Places {
  /** Ports on loopback; 0: of the system's choice. */
  readonly admin: number;
  readonly port: number;
  /** Besides that of the traffic. */
  readonly listeners: readonly Struct[];
}

/**
 * The bootstrap of a real proxy, v3: these clusters, and one route for each traffic, chosen by {@link TRAFFIC_HEADER}, or a
 * listener of its own for connections over TCP. It listens on loopback. @param namePort of the DNS server on loopback that is asked; absent: no cluster has names.
 */
export function bootstrapMessage(
  clusters: readonly Struct[],
  spec: ProxySpec,
  traffic: readonly Traffic[],
  namePort?: number,
  { admin, port, listeners }: Places = { admin: 0, port: 0, listeners: [] },
): Struct {
  const { node, local_cluster_name: local } = nodeOf(spec);
  const clients = { use_remote_address: spec.useRemoteAddress, xff_num_trusted_hops: spec.xffNumTrustedHops };
  return {
    ...(node !== undefined && { node }),
    admin: { address: loopback(admin) },
    ...(local !== undefined && { cluster_manager: { local_cluster_name: local } }),
    ...(Object.keys(spec.runtime).length > 0 && {
      layered_runtime: {
        layers: [
          { name: 'scenario', static_layer: spec.runtime },
          { name: 'later', admin_layer: {} },
        ],
      },
    }),
    ...(namePort !== undefined && { typed_dns_resolver_config: resolverMessage(namePort) }),
    static_resources: {
      listeners: [
        listenerMessage(TRAFFIC, port, traffic.flatMap(routeMessage), clients),
        ...traffic.flatMap(tcpListener),
        ...listeners,
      ],
      clusters,
    },
  };
}

/** A listener of the proxy that stands for a host. @param headers of its answers, which have this status. */
export function hostListener(
  name: string,
  port: number,
  status: number,
  headers: Readonly<Record<string, string>>,
): Struct {
  const added = Object.entries(headers).map(([key, value]) => ({ header: { key, value } }));
  const answer = { match: { prefix: '/' }, direct_response: { status }, response_headers_to_add: added };
  return listenerMessage(name, port, [answer]);
}

/** The listener of all traffic that is HTTP. */
const TRAFFIC = 'traffic';
const tcpName = (index: number): string => `tcp-${index}`;

function tcpListener({ spec, route }: Traffic, index: number): readonly Struct[] {
  if (spec.tcp === undefined) return [];
  const type = `${API}.network.tcp_proxy.v3.TcpProxy`;
  const config = { '@type': type, stat_prefix: tcpName(index), ...tcpAction(spec, route) };
  const filters = [{ name: 'envoy.filters.network.tcp_proxy', typed_config: config }];
  return [{ name: tcpName(index), address: loopback(0), filter_chains: [{ filters }] }];
}

/** For hosts, and for those who send. */
const COUNTS_ATTEMPTS = { include_request_attempt_count: true, include_attempt_count_in_response: true };

function listenerMessage(name: string, port: number, routes: readonly Struct[], options: Struct = {}): Struct {
  const manager = {
    '@type': `${API}.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: name,
    codec_type: 'AUTO',
    ...options,
    route_config: {
      virtual_hosts: [{ name, domains: ['*'], routes, ...COUNTS_ATTEMPTS }],
      response_headers_to_add: [{ header: { key: FLAGS_HEADER, value: '%RESPONSE_FLAGS%' } }],
    },
    http_filters: [{ name: 'envoy.filters.http.router', typed_config: { '@type': `${API}.http.router.v3.Router` } }],
  };
  const filter = { name: 'envoy.filters.network.http_connection_manager', typed_config: manager };
  return { name, address: loopback(port), filter_chains: [{ filters: [filter] }] };
}

function routeMessage({ spec, route, routeHash, keys }: Traffic, index: number): readonly Struct[] {
  if (spec.tcp !== undefined) return [];
  const match = {
    prefix: '/',
    headers: [{ name: TRAFFIC_HEADER, string_match: { exact: String(index) } }],
  };
  return [{ match, route: routeAction(spec, route, routeHash && keys.length > 0) }];
}

const resolverMessage = (port: number): Struct => ({
  name: 'envoy.network.dns_resolver.cares',
  typed_config: {
    '@type': 'type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig',
    resolvers: [loopback(port)],
    dns_resolver_options: { no_default_search_domain: true },
  },
});

const loopback = (port: number): Struct => ({ socket_address: { address: '127.0.0.1', port_value: port } });

/** The proxy does not take the configuration, does not start, or ends too early; the message has its words. */
export class ProxyFails extends NoAnswer {
  override readonly name = 'ProxyFails';

  /** @param fell it began, and then ended of itself. */
  constructor(
    message: string,
    readonly fell = false,
  ) {
    super(message);
  }
}

/** It is asked so often whether it is ready. */
const POLL_MS = 20;
/** A proxy that is not ready by then never will be. */
const START_LIMIT_MS = 60_000;
/** When its connections fail, its end is known by then. */
const END_KNOWN_MS = 10_000;
/** It answers within this time, or not at all. */
export const ANSWER_LIMIT_MS = 30_000;
/** What it says is kept up to this length: the words of a crash come before its addresses. */
const MOST_WORDS = 20_000;

/** Hosts that were named are known by then. */
const ASSIGNED_LIMIT_MS = 10_000;

/** Queries of each name that have ended since all were asked for, until what they were answered is known. */
const ROUNDS = 2;

export class ProxyProcess {
  /** How often each cluster of EDS was told its hosts after the first time. */
  private readonly assigned = new Map<string, number>();

  private constructor(
    private readonly process: GuardedProcess,
    private readonly folder: string,
    /** `127.0.0.1:PORT` of its admin interface. */
    readonly admin: string,
    /** `127.0.0.1:PORT` of each listener, by its name. */
    private readonly listeners: ReadonlyMap<string, string>,
  ) {}

  /** `http://127.0.0.1:PORT` of the listener of all traffic that is HTTP. */
  get url(): string {
    return `http://${this.listeners.get(TRAFFIC) ?? ''}`;
  }

  /** `127.0.0.1:PORT` where the connections of this traffic come. */
  tcpPlace(index: number): string {
    return this.listeners.get(tcpName(index)) ?? '';
  }

  /** @param assignments of clusters that read {@link assignmentFile}. @throws ProxyFails */
  static async start(file: string, bootstrap: Struct, workers: number, assignments: readonly Struct[] = []) {
    const folder = await mkdtemp(join(tmpdir(), 'lbsim-verify-'));
    const configFile = join(folder, 'bootstrap.json');
    const adminFile = join(folder, 'admin.txt');
    await writeFile(configFile, JSON.stringify(bootstrap));
    for (const assignment of assignments) await writeAssignment(folder, assignment, 1);
    const options = ['--concurrency', String(workers), '--admin-address-path', adminFile, '-l', 'error'];
    const args = ['-c', configFile, '--disable-hot-restart', ...options];
    const process = new GuardedProcess(file, args, { folder, mostWords: MOST_WORDS });
    try {
      const startedMs = performance.now();
      for (;;) {
        if (process.hasEnded) {
          await process.end();
          const words = process.said.stderr;
          const fell = CRASH.test(words);
          const what = fell ? 'fell as it started' : 'refuses the configuration';
          throw new ProxyFails(`the proxy ${what}: ${reasonIn(words)}`, fell);
        }
        if (performance.now() - startedMs > START_LIMIT_MS)
          throw new ProxyFails('the proxy did not become ready within a minute');
        const admin = await readFile(adminFile, 'utf8').catch(() => '');
        const ready = admin === '' ? undefined : await askAdmin(admin, 'ready').catch(() => undefined);
        if (ready?.ok === true) {
          return new ProxyProcess(process, folder, admin, await listenersOf(admin));
        }
        await Promise.race([after(POLL_MS), process.ended]);
      }
    } catch (error) {
      await process.end();
      throw error;
    }
  }

  /** Names the hosts of clusters again. @returns what statistics will say then. */
  async tell(assignments: readonly Struct[]): Promise<ReadonlyMap<string, number>> {
    const awaited = new Map<string, number>();
    for (const assignment of assignments) {
      const name = clusterNameOf(assignment);
      const version = (this.assigned.get(name) ?? 1) + 1;
      this.assigned.set(name, version);
      awaited.set(`cluster.${name}.update_success`, version);
      await writeAssignment(this.folder, assignment, version);
    }
    return awaited;
  }

  /** The same, and waits until the proxy has them. @throws ProxyFails */
  async assign(assignments: readonly Struct[]): Promise<void> {
    const awaited = await this.tell(assignments);
    let late: readonly string[] = [];
    const isTaken = async (): Promise<boolean> => {
      const stats = await this.stats();
      late = [...awaited].flatMap(([counter, version]) => ((stats.get(counter) ?? 0) < version ? [counter] : []));
      return late.length === 0;
    };
    await this.until(isTaken, () => `the proxy does not take an update of its hosts (${late[0] ?? ''})`);
  }

  /**
   * Waits until clusters know what their names are answered now.
   * @param names    by cluster.
   * @param wasAsked whether the proxy has asked for a name since its answer changed.
   * @throws ProxyFails
   */
  async resolved(names: ReadonlyMap<string, readonly string[]>, wasAsked: (name: string) => boolean): Promise<void> {
    const all = [...names.values()].flat();
    // Another round of queries: what was asked before it is known by then.
    let known: ReadonlyMap<string, number> | undefined;
    const areKnown = async (): Promise<boolean> => {
      if (!all.every(wasAsked)) return false;
      const answered = await this.answered(names.keys());
      known ??= answered;
      return [...names].every(
        ([name, { length }]) => (answered.get(name) ?? 0) - (known?.get(name) ?? 0) >= ROUNDS * length,
      );
    };
    await this.until(areKnown, () => `the proxy does not ask for its names (${all.join(', ')})`);
  }

  /** @param late what it has not done, if it does not hold in time. @throws ProxyFails */
  private async until(holds: () => Promise<boolean>, late: () => string): Promise<void> {
    const startedMs = performance.now();
    while (!(await holds())) {
      if (performance.now() - startedMs > ASSIGNED_LIMIT_MS)
        throw new ProxyFails(`${late()}: ${reasonIn(this.process.said.stderr)}`);
      await after(POLL_MS);
    }
  }

  /** How many queries of each cluster have ended. */
  private async answered(clusters: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const stats = await this.stats();
    const count = (name: string): number => stats.get(name) ?? 0;
    return new Map(
      [...clusters].map((name) => [
        name,
        count(`cluster.${name}.update_success`) + count(`cluster.${name}.update_failure`),
      ]),
    );
  }

  async stats(): Promise<ReadonlyMap<string, number>> {
    const answer = await askAdmin(this.admin, 'stats?format=json');
    const { stats } = (await answer.json()) as {
      readonly stats: readonly { readonly name?: string; readonly value?: unknown }[];
    };
    return new Map(
      stats.flatMap(({ name, value }): [string, number][] =>
        name !== undefined && typeof value === 'number' ? [[name, value]] : [],
      ),
    );
  }

  /** @param values by key; null: none but that of the start. */
  async setRuntime(values: Struct): Promise<void> {
    const texts = Object.entries(values).map(([key, value]): [string, string] => [key, runtimeText(value)]);
    await askAdmin(this.admin, `runtime_modify?${new URLSearchParams(texts).toString()}`, 'POST');
  }

  /** Where a request failed because the proxy has ended, that; else the failure itself. */
  async failureBehind(failure: unknown): Promise<unknown> {
    if (failure instanceof Error && failure.name === 'TimeoutError')
      return new ProxyFails(`the proxy has not answered for ${ANSWER_LIMIT_MS / 1000} s`);
    // What a connection fails with has a code; a request of the admin interface fails with a TypeError.
    if (!(failure instanceof TypeError || (failure instanceof Error && 'code' in failure))) return failure;
    // Connections are closed a moment before the end of the process is known.
    await Promise.race([this.process.ended, after(END_KNOWN_MS, undefined, { ref: false })]);
    if (!this.process.hasEnded) return failure;
    await this.process.end();
    return new ProxyFails(`the proxy fell in the middle of its requests: ${reasonIn(this.process.said.stderr)}`, true);
  }

  async stop(): Promise<void> {
    await this.process.end();
  }
}

/** A file that is watched is replaced, not written to. */
async function writeAssignment(folder: string, assignment: Struct, version: number): Promise<void> {
  const draft = join(folder, 'draft.json');
  await writeFile(draft, JSON.stringify(assignmentMessage(assignment, version)));
  await rename(draft, join(folder, assignmentFile(clusterNameOf(assignment))));
}

function runtimeText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const askAdmin = async (admin: string, page: string, method = 'GET'): Promise<Response> =>
  fetch(`http://${admin}/${page}`, { method, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });

async function listenersOf(admin: string): Promise<ReadonlyMap<string, string>> {
  const answer = await askAdmin(admin, 'listeners?format=json');
  const { listener_statuses: listeners } = (await answer.json()) as {
    readonly listener_statuses: readonly {
      readonly name: string;
      readonly local_address: { readonly socket_address: { readonly address: string; readonly port_value: number } };
    }[];
  };
  return new Map(
    listeners.map(({ name, local_address: { socket_address: at } }) => [name, `${at.address}:${at.port_value}`]),
  );
}

const CRASH = /Caught [A-Z][a-z ]+/;

/** The sentence of its log that says what is wrong. */
function reasonIn(words: string): string {
  const crash = CRASH.exec(words)?.[0];
  if (crash !== undefined) return crash.trim();
  const text = words
    .replace(/\[[^\]]*\]\s*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return (
    /error initializing configuration '[^']*': (.*)/.exec(text)?.[1] ?? (text === '' ? 'it ended without a word' : text)
  );
}
