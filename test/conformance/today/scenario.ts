import { isDeepStrictEqual } from 'node:util';
import { FormatError } from '../fields.js';
import { type HostBehavior, proxyFilter, listenerAddress, part, type TodayCase, type TodayRequest } from './case.js';

type Json = Readonly<Record<string, unknown>>;

/** Seconds from the start of the process to its first health check, or to its listener where there is none. */
export function bootS({ keep_clock: keepsClock, observed }: TodayCase): number {
  if (keepsClock !== true) return 0;
  return observed.health_checks?.[0]?.[0] ?? observed.ready?.at(-1)?.[0] ?? 0;
}

/** Sent one after another, each when the one before has long been answered. */
const STEP_S = 0.02;
const APART_S = 5;
/** A change comes so long before a request. */
const BEFORE_S = 0.0001;
/** So that answers of 0.15 s are still open at the end of a list. */
const QUICK_S = 0.002;

/** The scenario that asks what the recorder asked, as its JSON. */
export function scenarioOf(recording: TodayCase): Json {
  const { config, concurrency = 1, observed } = recording;
  const lastS = Math.max(0, ...(observed.requests ?? []).map((_, index) => sentS(recording, index) ?? 0));
  // Idle connections have closed by then.
  const lastActionS = (actionTimes(recording).at(-1) ?? 0) + 0.1;
  const isTcp = recording.driver === 'tcp';
  const endS = recording.end_s ?? (isTcp ? lastActionS : recording.area === 'closing' ? lastS + 1 : undefined);
  const filter = proxyFilter(recording);
  const { clusters } = part(config, 'static_resources');
  const behavior = Object.entries(recording.hosts).map(([address, one]) => ({
    ...behaviorOf(address, one),
    ...(recording.area === 'mixed' && WIRE),
    ...(recording.area === 'preconnect' && { network_latency: '1ms', connect_time: '0ms' }),
  }));
  return {
    name: recording.name,
    api: 'v3',
    proxy: {
      ...(recording.keep_clock === true && { at: 'birth' }),
      version: '1.40',
      workers: concurrency,
      address: listenerAddress(recording),
      ...renamed(filter, 'use_remote_address', 'xff_num_trusted_hops'),
      runtime: runtimeOf(config),
      ...renamed(config, 'node'),
      ...renamed(part(config, 'cluster_manager'), 'local_cluster_name'),
    },
    clusters,
    behavior: behavior.filter((one) => Object.keys(one).length > 1),
    // Without any, some would be made up.
    requests:
      recording.requests?.length === 0 ? [{ ...routeOf(filter), at: '1h' }] : requestsOf(recording, routeOf(filter)),
    ...(endS !== undefined && { duration: `${(endS - bootS(recording)).toFixed(6)}s` }),
    timeline: changesOf(recording).map(({ at, host, set }) => ({
      at: `${(at - bootS(recording)).toFixed(6)}s`,
      set_behavior: { ...AS_BEFORE, ...behaviorOf(host, set) },
    })),
  };
}

/** So that each draw has another order of what happens at about the same time. */
const WIRE = {
  network_latency: { uniform: { min: '0ms', max: '3ms' } },
  connect_time: { uniform: { min: '0ms', max: '1ms' } },
};

/** What a change does not say is as of a host that answers at once. */
const AS_BEFORE = { down: 'none', health_check: 'ok', error_rate: '0%', service_time: '0ms' };

/** When a request was sent, or one of several that come apart here. */
function sentS({ area, hosts, observed }: TodayCase, index: number): number | undefined {
  if (area === 'mixed') return observed.requests?.[index]?.sent_s;
  const all = Object.values(hosts);
  // Back-offs are drawn, so that an answer may come later than it did.
  if (area === 'hedging' || all.some(({ close_before: closes }) => closes === true)) return index * APART_S;
  // Times have milliseconds, in which a host may answer several.
  if (all.some(({ script }) => script !== undefined)) return index * STEP_S;
  return observed.requests?.[index]?.sent_s;
}

/** Changes at a time, those before a request, and those of a host that answers each request in another way. */
function changesOf(recording: TodayCase): NonNullable<TodayCase['changes']> {
  const { changes = [], hosts, requests = [], observed } = recording;
  const beforeS = (index: number): number => Math.max(0, (sentS(recording, index) ?? 0) - BEFORE_S);
  const before = requests.flatMap(({ set_hosts: set = {} }, index) =>
    Object.entries(set).map(([host, one]) => ({ at: beforeS(index), host, set: one })),
  );
  const scripted = Object.entries(hosts).flatMap(([host, { script = [] }]) =>
    (script.length === 0 ? [] : (observed.requests ?? []))
      .flatMap(({ upstream = [] }, index) => upstream.filter(([to]) => to === host).map(() => index))
      .map((index, turn) => ({ at: beforeS(index), host, set: script[turn] ?? script.at(-1) ?? {} })),
  );
  const times = actionTimes(recording);
  const between = (recording.actions ?? []).flatMap(({ set_hosts: set = {} }, index) =>
    Object.entries(set).map(([host, one]) => ({ at: times[index] ?? 0, host, set: one })),
  );
  return [...changes, ...before, ...scripted, ...between];
}

function renamed(json: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]]])));
}

function runtimeOf(config: Json): Json {
  const layers = (part(config, 'layered_runtime')['layers'] ?? []) as readonly Json[];
  return Object.assign({}, ...layers.map((layer) => layer['static_layer'] ?? {})) as Json;
}

/** The recorder's proxies have one route each. */
function routeOf(filter: Json): Json {
  const hosts = (part(filter, 'route_config')['virtual_hosts'] ?? []) as readonly Json[];
  const [host = {}] = hosts;
  const [{ route } = { route: renamed(filter, 'cluster', 'weighted_clusters', 'hash_policy') }] = (host['routes'] ??
    []) as readonly { readonly route: Json }[];
  const { weighted_clusters: weighted, cluster, ...action } = route;
  const { clusters = [], ...choice } = (weighted ?? {}) as Json;
  const targets =
    cluster === undefined
      ? (clusters as readonly Json[]).map(({ name, weight }) => ({ cluster: name, weight }))
      : [{ cluster, weight: 1 }];
  const hashed = action['hash_policy'] as readonly Json[] | undefined;
  const byAddress = hashed?.map((one) =>
    one['source_ip'] === undefined ? one : { connection_properties: { source_ip: true } },
  );
  return {
    ...renamed(host, 'hedge_policy', 'request_mirror_policies', 'retry_policy'),
    ...action,
    ...(byAddress !== undefined && { hash_policy: byAddress }),
    ...choice,
    route: targets,
  };
}

/** When each action begins. */
export function actionTimes({ actions = [] }: TodayCase): readonly number[] {
  let nowS = 0;
  return actions.map(({ pause_s: pauseS = 0 }) => (nowS += QUICK_S + pauseS) - pauseS);
}

/** Nobody sends a byte, so that connections are idle from their begin. */
function connectionsOf(recording: TodayCase, route: Json): readonly Json[] {
  const { actions = [] } = recording;
  const times = actionTimes(recording);
  const {
    max_connect_attempts: attempts,
    max_downstream_connection_duration: longest,
    idle_timeout: idle,
  } = proxyFilter(recording);
  return actions.flatMap(({ open, source }, index) => {
    if (open === undefined) return [];
    const closes = actions.findIndex(({ close }) => close === open);
    const at = times[index] ?? 0;
    const lifetime = `${((times[closes] ?? at + 3600) - at).toFixed(6)}s`;
    const duration = longest ?? idle;
    const tcp = {
      lifetime,
      ...(attempts !== undefined && { max_connect_attempts: attempts }),
      ...(duration !== undefined && { max_downstream_connection_duration: duration }),
    };
    return { ...route, tcp, at: `${at.toFixed(6)}s`, ...(source !== undefined && { address: `${source}:40000` }) };
  });
}

function requestsOf(recording: TodayCase, route: Json): readonly Json[] {
  if (recording.driver === 'tcp') return connectionsOf(recording, route);
  const { requests = [], observed, counts_only: countsOnly } = recording;
  if (recording.driver === 'workers') return overConnections(recording, route);
  const delays = Object.values(recording.hosts).some(({ delay_ms: delayMs }) => delayMs !== undefined);
  const stepS = recording.area === 'mirror' && delays ? QUICK_S : STEP_S;
  let nowS = 0;
  return requests.flatMap((request, index) => {
    const seen = observed.requests?.[index];
    nowS += request.pause_s ?? 0;
    const scheduled = recording.area === 'mixed' ? undefined : request.at;
    const at = (scheduled ?? sentS(recording, index) ?? nowS) - bootS(recording);
    if (at < 0) return [];
    nowS += stepS + (seen?.latency_s ?? 0);
    const cookies =
      request.cookie_from === undefined ? [] : (observed.requests?.[request.cookie_from]?.set_cookie ?? []);
    const one = { ...route, ...carried(request, cookies, isInternal(recording)), ...answersOf(recording) };
    const count = countsOnly === true ? (request.repeat ?? 1) : 1;
    return Array.from({ length: count }, (_, time) => ({ ...one, at: `${(at + time * stepS).toFixed(6)}s` }));
  });
}

/** Over connections that workers have: which of them has which one is a matter of the kernel, and part of what was seen. */
function overConnections({ requests = [], observed }: TodayCase, route: Json): readonly Json[] {
  const workers = new Map(observed.connections?.map(({ connection, worker }) => [connection, worker]));
  const sent = requests.flatMap((request) =>
    Array.from({ length: request.repeat ?? 1 }, () => request.connections ?? []).flatMap((connections) =>
      connections.map((connection) => ({ request, connection })),
    ),
  );
  return sent.map(({ request, connection }, index) => ({
    ...route,
    ...carried(request, [], false),
    at: `${(index * STEP_S).toFixed(6)}s`,
    worker: workers.get(connection) ?? 0,
  }));
}

/** The recorder's hosts all do the same by the number of the attempt. */
function answersOf({ hosts }: TodayCase): Json {
  const [first, ...others] = Object.values(hosts).map(({ by_attempt: answers }) => answers);
  if (first === undefined) return {};
  if (others.some((one) => !isDeepStrictEqual(one, first))) throw new FormatError('hosts differ by attempt');
  const answers = first.map(({ delay_ms: delayMs = 0, status = 200 }) => ({ service_time: `${delayMs}ms`, status }));
  return { answers };
}

/** Headers that control the proxy are dropped where the client is not internal. */
const CONTROL = 'x-envoy-';
const isInternal = (recording: TodayCase): boolean => proxyFilter(recording)['internal_address_config'] !== undefined;

function carried(request: TodayRequest, cookies: readonly string[], internal: boolean): Json {
  const { path, host = 'o', headers = {}, source } = request;
  const kept = Object.entries(headers).filter(([name]) => internal || !name.startsWith(CONTROL));
  const sent = cookies.map((cookie) => cookie.split(';')[0] ?? '');
  return {
    headers: {
      ...Object.fromEntries(kept.map(([name, value]) => [name, [value].flat().join('\n')])),
      ...(path !== undefined && { ':path': path }),
      ':authority': host,
      ...(sent.length > 0 && { cookie: sent.join('; ') }),
    },
    ...(source !== undefined && { address: source.includes(':') ? source : `${source}:40000` }),
  };
}

/** The first that it has says how a host closes. */
const CLOSES: readonly (readonly [keyof HostBehavior, closes: string])[] = [
  ['goaway_before', 'early'],
  ['goaway_after', 'announced'],
  ['connection_close', 'announced'],
  ['close_after', 'silent'],
  ['close_before', 'instead'],
  ['reset', 'instead'],
  ['refused_stream', 'refused'],
];

function behaviorOf(address: string, one: HostBehavior): Json {
  const { status, delay_ms: delayMs, hang, refuse, hc } = one;
  return {
    hosts: { address },
    closes: CLOSES.find(([name]) => one[name] === true)?.[1] ?? 'never',
    ...(status !== undefined && { error_rate: '100%', error_status: status }),
    ...(delayMs !== undefined && { service_time: `${delayMs}ms` }),
    ...(hang === true && { down: 'hang' }),
    ...(refuse === true && { down: 'refuse' }),
    ...(one.refuse_new === true && { connect_failure_rate: '100%', health_check: 'refuse' }),
    ...(hc !== undefined && { health_check: hc === 'fail' ? 503 : hc }),
  };
}
