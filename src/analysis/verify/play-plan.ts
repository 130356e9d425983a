import { NoAnswer } from '../../core/no-answer.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import { addTo, entryOf, present, smallest } from '../../core/values.js';
import { RandomStreams } from '../../random/streams.js';
import type { RequestRecord } from '../../result/request-record.js';
import type { Scenario } from '../../scenario/model.js';
import type { Assignment } from '../../settings/assignment.js';
import type { Behavior } from '../../settings/behavior.js';
import { statedBehaviors, type ExplicitRequest, occurrences, type ScriptedAnswer } from '../../settings/world.js';
import { Clients } from '../../simulation/routing.js';
import { KeySource, sizeSampler } from '../../simulation/senders.js';
import { type Pause, runUntil } from '../pause.js';
import { createSimulation } from '../run/run-scenario.js';
import { type Capture, capturedOf } from './capture.js';
import type { PlayedLife, PlayedRequest, PlayedRun } from './played.js';
import * as cases from './situations.js';
import type { NotCompared } from './verification.js';

/** More than that one process does not send in time. */
const MOST_REQUESTS = 50_000;

/** Who sends over a connection of its own; names are unique, however many workloads have clients. */
export type PlayedClient = Readonly<{ name: string; number: number; address: string; keepsCookies: boolean }>;

/** What one request is beside those that are alike. */
export interface PlayedOne {
  readonly atUs: Micros;
  /** undefined: nobody in particular. */
  readonly client?: PlayedClient | undefined;
  /** Times the work of a plain one. */
  readonly size?: number | undefined;
  readonly answers?: readonly ScriptedAnswer[] | undefined;
}

/** Requests of a workload, or explicit ones that are alike; their `keys` are those of each, in order. */
export interface PlayedTraffic extends cases.Traffic {
  readonly each: readonly PlayedOne[];
}

/** What of hosts the proxy is told from one time on. */
export type PlayedState = Readonly<{ atUs: Micros; assignments: ReadonlyMap<string, Assignment> }> &
  Pick<Capture, 'clusters'>;

/** The beginning of a scenario as a real proxy can live through it. */
export interface PlayPlan {
  readonly endUs: Micros;
  /** The first instance of the first one. */
  readonly proxy: string;
  readonly states: readonly PlayedState[];
  readonly traffic: readonly PlayedTraffic[];
  /** In the order in which they are sent. */
  readonly arrivals: readonly Readonly<{ atUs: Micros; traffic: number; index: number }>[];
  readonly notCompared: readonly NotCompared[];
}

/**
 * @param isPlayed whether a cluster is.
 * @param lived    was recorded once: its requests are sent again.
 */
export async function planOf(
  scenario: Scenario,
  lastsUs: Micros,
  isPlayed: (cluster: string) => boolean,
  lived: PlayedLife | undefined,
  pause: Pause,
): Promise<PlayPlan> {
  const { endUs, notCompared } = playable(scenario, lastsUs);
  const { proxy, states, times } = await courseOf(scenario, endUs, pause);
  const hasClusters = ({ cluster, members }: cases.Traffic): boolean => [cluster, ...members].every(isPlayed);
  const open = scenario.workloads
    .map((workload) => ({ workload, traffic: cases.wholeTraffic(scenario, workload) }))
    .filter(({ traffic }) => hasClusters(traffic));
  const workloads = open.map(({ workload, traffic }, number): PlayedTraffic => {
    const sent = lived?.requests.filter((one) => one.traffic === number).map(({ sentUs }) => sentUs);
    return withEach(scenario, workload, traffic, sent ?? times.get(workload.name) ?? []);
  });
  const traffic = [...workloads, ...explicitTraffic(scenario, endUs).filter(hasClusters)];
  const arrivals = traffic
    .flatMap(({ each }, number) => each.map(({ atUs }, index) => ({ atUs, traffic: number, index })))
    .sort((a, b) => a.atUs - b.atUs);
  if (arrivals.length === 0) throw new NoAnswer('no request comes in this time');
  if (arrivals.length > MOST_REQUESTS)
    throw new NoAnswer(
      `${arrivals.length} requests come in this time: no more than ${MOST_REQUESTS} are sent; play less of it`,
    );
  return { endUs, proxy, states, traffic, arrivals, notCompared };
}

/** What real hosts do as theirs. */
const PLAYED: ReadonlySet<string> = new Set<keyof Behavior>([
  ...(['serviceTime', 'networkLatency', 'zoneLatency', 'errorRate', 'errorStatus', 'errorHeaders'] as const),
  ...(['closes', 'closeRate', 'down', 'healthCheck', 'loadReport', 'concurrency', 'queueLimit'] as const),
]);

type Kind = Scenario['timeline'][number]['action']['kind'];

/** Changes of hosts that EDS tells. */
const TOLD: ReadonlySet<Kind> = new Set<Kind>([
  ...(['assign', 'add_hosts', 'remove_hosts', 'set_health', 'set_weight', 'set_metadata'] as const),
]);
const ACTS: ReadonlySet<Kind> = new Set<Kind>([...TOLD, 'set_behavior', 'set_rate', 'set_runtime', 'note']);

/** A value that a proxy starts with can be changed, but not taken away. */
const takesAway = ({ proxies: [first] }: Scenario, { action }: Scenario['timeline'][number]): boolean =>
  action.kind === 'set_runtime' &&
  Object.entries(action.values).some(([key, value]) => value === null && Object.hasOwn(first?.runtime ?? {}, key));

/** How far it can be played, and what of it is not. */
function playable(scenario: Scenario, lastsUs: Micros) {
  const { timeline, proxies, requests } = scenario;
  const others = timeline.filter((entry) => !ACTS.has(entry.action.kind) || takesAway(scenario, entry));
  const firstUs = smallest(others.map(({ atUs }) => atUs));
  const endUs = Math.min(lastsUs, firstUs);
  const stated = statedBehaviors(scenario).flatMap((behavior) => Object.keys(played(behavior, false)));
  const fields = new Set(stated);
  const [first] = others.filter(({ atUs }) => atUs === firstUs);
  const isThere: readonly (readonly [boolean, string, string])[] = [
    [firstUs < lastsUs, `what comes after ${microsToSeconds(endUs)} s`, `${first?.label ?? ''}: it is not played`],
    [fields.size > 0, `behavior (${[...fields].join(', ')})`, 'hosts of the proxy have none of it'],
    [
      proxies.length > 1 || (proxies[0]?.count ?? 1) > 1,
      'further proxies',
      'the first instance of the first one is played',
    ],
    [requests.some(({ hash }) => hash !== undefined), '`hash` of requests', 'a client can give a proxy a key only'],
  ];
  return { endUs, notCompared: isThere.flatMap(([is, what, why]): NotCompared[] => (is ? [{ what, why }] : [])) };
}

/** A run of ours: when requests of each workload come to the first proxy, and what it is told of hosts. */
async function courseOf(scenario: Scenario, endUs: Micros, pause: Pause) {
  const times = new Map<string, Micros[]>();
  const name = scenario.proxies[0]?.name ?? '';
  const onRequest = ({ tUs, workload, proxy }: RequestRecord): void => {
    if (tUs < endUs && (proxy === name || proxy === `${name}-1`)) addTo(times, workload ?? '', tUs);
  };
  const simulation = await createSimulation({ ...scenario, expect: [] }, { onRequest });
  const changes = scenario.timeline.flatMap((entry) => (TOLD.has(entry.action.kind) ? occurrences(entry, endUs) : []));
  const states: PlayedState[] = [];
  const [proxy] = simulation.proxies;
  for (const atUs of [...new Set([0, ...changes])].sort((a, b) => a - b)) {
    if (proxy === undefined || (atUs >= endUs && atUs > 0)) break;
    await runUntil(simulation, () => pause(0), atUs);
    const assignments = new Map(proxy.clusters.map(({ name: cluster, world }) => [cluster, world.assignment]));
    states.push({ atUs, clusters: capturedOf(proxy), assignments });
  }
  await runUntil(simulation, () => pause(0));
  for (const all of times.values()) all.sort((a, b) => a - b);
  return { proxy: proxy?.name ?? name, states, times };
}

/** The requests of a workload at these times, with keys, clients and sizes as a run has them. */
function withEach(
  { seed }: Scenario,
  { name, arrivals, clients, hashKey, size }: Scenario['workloads'][number],
  traffic: cases.Traffic,
  times: readonly Micros[],
): PlayedTraffic {
  const streams = new RandomStreams(seed);
  const keys = hashKey && traffic.spec.tcp === undefined && new KeySource(hashKey, streams.stream(`keys/${name}`));
  const turns = clients && new Clients(clients, new KeySource(clients.turns, streams.stream(`clients/${name}`)));
  const draw = size && sizeSampler(size, () => streams.stream(`sizes/${name}`));
  const users = arrivals.kind === 'closed' ? arrivals.users : undefined;
  const clientAt = (index: number): PlayedClient | undefined => {
    const { number, address = '' } = turns?.next(users && index % users) ?? { number: -1 };
    if (number < 0) return undefined;
    return { name: `${name} ${number}`, number, address, keepsCookies: clients?.keepCookies === true };
  };
  return {
    ...traffic,
    keys: times.flatMap(() => {
      if (!keys) return [];
      keys.next();
      return keys.text;
    }),
    each: times.map((atUs, index) => ({ atUs, client: clientAt(index), size: draw?.() })),
  };
}

/** Those that are alike together. */
function explicitTraffic(scenario: Scenario, endUs: Micros): readonly PlayedTraffic[] {
  const [first] = scenario.proxies;
  const draws = new RandomStreams(scenario.seed).stream('sizes/');
  const groups = new Map<string, cases.Traffic & { readonly keys: string[]; readonly each: PlayedOne[] }>();
  const isSent = ({ atUs, hash, proxy }: ExplicitRequest): boolean =>
    atUs < endUs && hash === undefined && (proxy === undefined || proxy === first?.name);
  for (const request of scenario.requests.filter(isSent).sort((a, b) => a.atUs - b.atUs)) {
    const { atUs, address, answers, hashKey, size, ...spec } = request;
    const { cluster, metadataMatch, route = [{ cluster, weight: 1, metadataMatch }] } = spec;
    const alike = { ...spec, route, name: 'requests', routeHash: true };
    // What a client cannot say.
    const said = { ...alike, random: undefined, worker: undefined, proxy: undefined, hash: undefined };
    const one = entryOf(groups, cases.keyText([said, hashKey === undefined]), () => ({
      ...cases.wholeTraffic(scenario, said),
      ...{ keys: [], each: [] },
    }));
    if (hashKey !== undefined && spec.tcp === undefined) one.keys.push(hashKey);
    one.each.push({
      ...{ atUs, answers, size: size && sizeSampler(size, () => draws)() },
      client: address === undefined ? undefined : { name: address, number: 0, address, keepsCookies: false },
    });
  }
  return [...groups.values()];
}

/** The headers of a request, as its scenario has them. */
export function headersOfOne(traffic: PlayedTraffic, index: number): Readonly<Record<string, string>> {
  const { client } = traffic.each[index] ?? {};
  const headers = Object.entries(cases.headersAt(traffic, index));
  return Object.fromEntries(
    headers.map(([name, value]) => [name, value.replaceAll('{client}', `${client?.number ?? 0}`)]),
  );
}

/** The same requests at the instants at which they were sent, by lbsim: time 0 is the birth of the proxy. */
export async function drawOf(
  scenario: Scenario,
  { endUs: playedUs, traffic }: PlayPlan,
  lived: PlayedLife,
  seed: number,
  pause: Pause,
): Promise<PlayedRun> {
  const { agedUs, endUs } = lived;
  const [first] = scenario.proxies;
  const workerOf = workersOf(scenario, seed);
  const requests = lived.requests.flatMap(({ traffic: number, index, sentUs, ...sent }): ExplicitRequest[] => {
    const stream = traffic[number];
    const one = stream?.each[index];
    if (stream === undefined || one === undefined) return [];
    const { spec, cluster, route, keys, routeHash } = stream;
    const { address, cookie } = sent;
    const headers = { ...headersOfOne(stream, index), ...(cookie !== undefined && { cookie }) };
    const own = {
      atUs: agedUs + sentUs,
      cluster,
      route,
      headers,
      answers: undefined,
      address,
      worker: workerOf(address),
    };
    const size = one.size === undefined ? undefined : ({ kind: 'constant', value: one.size } as const);
    return [{ ...spec, ...own, hashKey: routeHash ? keys[index] : undefined, size }];
  });
  const timeline = scenario.timeline.flatMap((entry) => {
    const { atUs, untilUs = Infinity, action: written } = entry;
    const action = written.kind === 'set_behavior' ? { ...written, ...onlyPlayed(written) } : written;
    const later = { ...entry, action, atUs: atUs + agedUs, untilUs: Math.min(untilUs, playedUs) + agedUs };
    return ACTS.has(action.kind) && atUs < playedUs ? [later] : [];
  });
  const behavior = scenario.behavior.map(onlyPlayed);
  const { address = first?.address ?? '' } = lived;
  const born = { count: 1, at: 'birth', statsConfig: undefined, address } as const;
  const proxies = first === undefined ? [] : [{ ...first, ...born }];
  const own = { seed: `${seed}`, workloads: [], requests, timeline, behavior, proxies, durationUs: agedUs + endUs };
  const ended: PlayedRequest[] = [];
  const onRequest = ({ request, tUs, latencyUs: tookUs, status, attempts, host }: RequestRecord): void => {
    const { traffic: number = 0, index = 0 } = lived.requests[request] ?? {};
    // Nobody is told how many hosts a connection was tried at.
    const told = traffic[number]?.spec.tcp === undefined ? attempts : 0;
    ended[request] = { traffic: number, index, sentUs: tUs - agedUs, tookUs, status, attempts: told, host };
  };
  const simulation = await createSimulation({ ...scenario, ...own, expect: [] }, { onRequest });
  await runUntil(simulation, () => pause(1), agedUs + endUs);
  const { counters, gauges } = simulation.result().stats;
  // Clusters that the proxy has, too.
  const known = ([name]: [string, number]): boolean =>
    lived.stats.has(`${/^cluster\.[^.]+/.exec(name)?.[0] ?? ''}.membership_total`);
  return {
    requests: present(ended),
    stats: new Map([...Object.entries(counters), ...Object.entries(gauges)].filter(known)),
  };
}

/** The worker of each connection: drawn, as the kernel does, or the one that has the fewest. */
function workersOf({ proxies: [first] }: Scenario, seed: number): (connection: string | undefined) => number {
  const known = new Map<string, number>();
  const draws = new RandomStreams(`${seed}`).stream('workers');
  const { workers = 1, exactBalance = false } = first ?? {};
  return (connection = '') =>
    entryOf(known, connection, () => (exactBalance ? known.size % workers : Math.floor(draws.uniform() * workers)));
}

const onlyPlayed = ({ hosts, behavior }: Scenario['behavior'][number]): Scenario['behavior'][number] => ({
  hosts,
  behavior: played(behavior, true),
});

/** What of a behaviour real hosts have, or have not: they measure no loads. */
const played = (behavior: Partial<Behavior>, isPlayed: boolean): Partial<Behavior> =>
  Object.fromEntries(
    Object.entries(behavior).filter(([field, value]) => (PLAYED.has(field) && value !== 'measured') === isPlayed),
  );
