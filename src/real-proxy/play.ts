import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';
import type { Pause } from '../analysis/pause.js';
import { runUntil } from '../analysis/pause.js';
import { createSimulation } from '../analysis/run/run-scenario.js';
import { wholeMessage } from '../analysis/verify/cluster-message.js';
import {
  BUSY_MS,
  judgePlayed,
  type PlayedLife,
  type PlayedRequest,
  type PlayedRun,
} from '../analysis/verify/played.js';
import * as cases from '../analysis/verify/situations.js';
import type { NotCompared, Verification } from '../analysis/verify/verification.js';
import { FORMAT } from '../core/document-format.js';
import { NoAnswer } from '../core/no-answer.js';
import { MICROS_PER_MILLI, type Micros, microsToSeconds } from '../core/units.js';
import { present, smallest } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { RequestRecord } from '../result/request-record.js';
import type { Scenario } from '../scenario/model.js';
import { inputOf } from '../scenario/origin.js';
import { type Behavior, Behaviors } from '../settings/behavior.js';
import type { ExplicitRequest } from '../settings/world.js';
import { AnsweringHosts, HOST_HEADER } from './answering-hosts.js';
import { headersOf, send } from './both-sides.js';
import { loopbackFailure, type ProxyBinary } from './guarded-process.js';
import { bootstrapMessage, ProxyProcess } from './proxy-process.js';
import type { Recording } from './recording.js';

export interface PlayOptions {
  readonly binary: ProxyBinary;
  /** So much of the scenario, in real time. */
  readonly lastsMs: number;
  readonly pause: Pause;
  /** What a proxy did with it: none is asked again. */
  readonly recording?: Recording | undefined;
  readonly record?: ((recording: Recording) => Promise<void>) | undefined;
}

/** Draws of ours, of which the proxy's run has to be one more. */
const DRAWS = 24;
/** More than that one process does not send in time. */
const MOST_REQUESTS = 50_000;
/** The proxy knows by then what its last answers brought. */
const SETTLE_MS = 150;

/** A request of a traffic: the `index`-th. */
type Arrival = Readonly<{ atUs: Micros; traffic: number; index: number }>;

/** Has a real proxy live through the beginning of a scenario, in real time, and compares when it answers what. @throws ProxyFails, NoAnswer */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Verification> {
  const { binary, lastsMs, pause, recording, record } = options;
  const [spec] = scenario.proxies;
  const { situations, notCompared: refused } = await cases.situationsOf(scenario, () => pause(0), true);
  const [situation] = situations;
  if (spec === undefined || situation === undefined) throw new NoAnswer('nothing of this scenario can be played');
  const { endUs, notCompared } = playable(scenario, lastsMs * MICROS_PER_MILLI);
  const hosts = await AnsweringHosts.start(cases.addressesOf(situations), undefined, undefined, recording);
  try {
    const messages = scenario.clusters.map((cluster) => {
      return refused.some(({ what }) => what === cluster.name)
        ? undefined
        : wholeMessage(scenario, cluster, (address) => hosts.at(address));
    });
    const played = new Set(scenario.clusters.filter((_, index) => messages[index]).map(({ name }) => name));
    const traffic = scenario.workloads
      .filter(({ tcp }) => tcp === undefined)
      .map((workload) => cases.wholeTraffic(scenario, workload))
      .filter(({ cluster, members }) => [cluster, ...members].every((name) => played.has(name)));
    const lived =
      recording?.played ??
      (await liveThrough(
        { scenario, spec, traffic, lastsMs, endUs, hosts, binary, pause },
        present(messages),
        situations,
        await arrivalsOf(scenario, traffic, endUs, pause),
      ));
    if (lived.requests.some((one) => one.traffic >= traffic.length))
      throw new NoAnswer('the recording is of another scenario');
    const { version } = binary;
    await record?.({
      format: FORMAT,
      proxy_version: version,
      live: false,
      ...hosts.recorded(),
      proxies: [],
      played: lived,
    });
    const draws: PlayedRun[] = [];
    for (let seed = 0; seed < DRAWS; seed++) draws.push(await drawOf(scenario, traffic, lived, seed, pause));
    const judged = judgePlayed({ ...situation, traffic }, lived, draws);
    const [from_s, to_s] = [0, microsToSeconds(endUs)];
    return {
      scenario: scenario.name,
      ...inputOf(scenario),
      proxy_version: binary.version,
      simulated_version: MODERN_PROXY_VERSION,
      agrees: judged.agrees && judged.splits.length > 0,
      situations: [{ from_s, to_s, proxy: situation.proxy, causes: [{ kind: 'start' }], ...judged }],
      played_s: to_s,
      not_compared: [
        ...notCompared,
        ...(lived.lateMs < BUSY_MS
          ? []
          : [
              {
                what: 'times',
                why: `this machine was busy: its timers came up to ${lived.lateMs} ms late, so that a difference proves little; fewer requests a second may help`,
              },
            ]),
        ...scenario.clusters
          .filter(({ name }) => !played.has(name))
          .map(({ name }) => ({
            what: name,
            why: 'its hosts are said by no assignment, or speak HTTP/2, or a proxy has nothing like it',
          })),
      ],
    };
  } finally {
    await hosts.stop();
  }
}

/** What real hosts do as theirs. */
const PLAYED: ReadonlySet<string> = new Set<keyof Behavior>([
  ...(['serviceTime', 'networkLatency', 'errorRate', 'errorStatus', 'errorHeaders'] as const),
  ...(['closes', 'closeRate', 'down', 'healthCheck', 'loadReport'] as const),
]);

/** How far it can be played, and what of it is not. */
function playable({ timeline, behavior, proxies, requests, workloads }: Scenario, lastsUs: Micros) {
  const others = timeline.filter(
    ({ action, everyUs }) => action.kind !== 'note' && (action.kind !== 'set_behavior' || everyUs !== undefined),
  );
  const firstUs = smallest(others.map(({ atUs }) => atUs));
  const endUs = Math.min(lastsUs, firstUs);
  const rules = [...behavior, ...timeline.flatMap(({ action }) => (action.kind === 'set_behavior' ? [action] : []))];
  const fields = new Set(rules.flatMap((rule) => Object.keys(rule.behavior).filter((field) => !PLAYED.has(field))));
  const [first] = others.filter(({ atUs }) => atUs === firstUs);
  const isThere: readonly (readonly [boolean, string, string])[] = [
    [firstUs < lastsUs, `what comes after ${microsToSeconds(endUs)} s`, `${first?.label ?? ''}: it is not played`],
    [fields.size > 0, `behavior (${[...fields].join(', ')})`, 'hosts of the proxy have none of it'],
    [
      proxies.length > 1 || (proxies[0]?.count ?? 1) > 1,
      'further proxies',
      'the first instance of the first one is played',
    ],
    [requests.length > 0, 'requests', 'workloads are played'],
    [workloads.some(({ clients, size }) => (clients ?? size) !== undefined), 'clients and sizes', 'requests are alike'],
  ];
  const notCompared = isThere.flatMap(([is, what, why]): NotCompared[] => (is ? [{ what, why }] : []));
  return { endUs, notCompared };
}

/** The instants at which requests come to the first proxy in a run of ours. */
async function arrivalsOf(
  scenario: Scenario,
  traffic: readonly cases.Traffic[],
  endUs: Micros,
  pause: Pause,
): Promise<readonly Arrival[]> {
  const numbers = new Map(traffic.map(({ workload }, number) => [workload, number]));
  const times: (readonly [number, number])[] = [];
  const first = scenario.proxies[0]?.name ?? '';
  const onRequest = ({ tUs, workload, proxy }: RequestRecord): void => {
    const number = numbers.get(workload ?? '');
    if (number !== undefined && tUs < endUs && (proxy === first || proxy === `${first}-1`)) times.push([tUs, number]);
  };
  const simulation = await createSimulation(scenario, { onRequest });
  await runUntil(simulation, () => pause(0));
  if (times.length === 0) throw new NoAnswer('no request comes in this time');
  if (times.length > MOST_REQUESTS)
    throw new NoAnswer(
      `${times.length} requests come in this time: no more than ${MOST_REQUESTS} are sent; play less of it`,
    );
  const counts = traffic.map(() => 0);
  return times
    .sort(([a], [b]) => a - b)
    .map(([atUs, number]) => ({ atUs, traffic: number, index: (counts[number] = (counts[number] ?? 0) + 1) - 1 }));
}

interface Life {
  readonly scenario: Scenario;
  readonly spec: Scenario['proxies'][number];
  readonly traffic: readonly cases.Traffic[];
  readonly lastsMs: number;
  readonly endUs: Micros;
  readonly hosts: AnsweringHosts;
  readonly binary: ProxyBinary;
  readonly pause: Pause;
}

async function liveThrough(
  { scenario, spec, traffic, lastsMs, endUs, hosts, binary, pause }: Life,
  messages: Parameters<typeof bootstrapMessage>[0],
  situations: readonly cases.Situation[],
  arrivals: readonly Arrival[],
): Promise<PlayedLife> {
  const behaviors = new Behaviors(scenario.behavior);
  const behave = async (): Promise<void> => {
    for (const [address, named] of cases.selectableHosts(situations)) await hosts.become(address, behaviors.of(named));
  };
  await behave();
  const process = await ProxyProcess.start(binary.file, bootstrapMessage(messages, spec, traffic), spec.workers);
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  try {
    const startMs = performance.now();
    const agedMs = startMs - smallest(hosts.checkedMs, startMs - READY_MS);
    const nowUs = (): Micros => Math.round((performance.now() - startMs) * MICROS_PER_MILLI);
    const until = (atUs: Micros): Promise<void> => after(Math.max(0, (atUs - nowUs()) / MICROS_PER_MILLI));
    const changes = scenario.timeline.flatMap(({ action, atUs }) =>
      action.kind === 'set_behavior' && atUs < endUs ? [{ atUs, action }] : [],
    );
    const changed = (async () => {
      for (const { atUs, action } of changes) {
        await until(atUs);
        behaviors.add(action);
        await behave();
      }
    })();
    const sent: Promise<PlayedRequest>[] = [];
    for (const { atUs, traffic: number, index } of arrivals) {
      if (atUs > nowUs()) await until(atUs);
      if (sent.length % PAUSE_EVERY === 0) await pause(atUs / endUs);
      const stream = traffic[number];
      if (stream !== undefined) sent.push(sendOne(process.url, stream, number, index, hosts, nowUs));
    }
    const requests = await Promise.all(sent);
    await changed;
    await after(SETTLE_MS);
    const agedUs = Math.round(agedMs * MICROS_PER_MILLI);
    const lateMs = Math.max(0, Math.round(delays.max / NANOS_PER_MILLI) - LOOK_MS);
    return {
      requests,
      stats: await process.stats(),
      lastsMs,
      agedUs,
      endUs: nowUs(),
      lateMs,
    };
  } catch (error) {
    throw loopbackFailure(await process.failureBehind(error));
  } finally {
    delays.disable();
    await process.stop();
  }
}

const NANOS_PER_MILLI = 1e6;
/** How often it is looked whether timers are late. */
const LOOK_MS = 2;
const PAUSE_EVERY = 20;
/** Where no check says when a proxy began: it is seen to be ready so long after. */
const READY_MS = 30;

async function sendOne(
  url: string,
  stream: cases.Traffic,
  number: number,
  index: number,
  hosts: AnsweringHosts,
  nowUs: () => Micros,
): Promise<PlayedRequest> {
  const { ':path': path = '/', ':authority': host, ...headers } = headersOf(stream, number, index);
  const sentUs = nowUs();
  const answer = await send(`${url}${path}`, { ...headers, ...(host !== undefined && { host }) }, {});
  const { [HOST_HEADER]: place, 'x-envoy-attempt-count': attempts = '0' } = answer.headers;
  return {
    ...{ traffic: number, index, sentUs, tookUs: nowUs() - sentUs, status: answer.status, attempts: Number(attempts) },
    host: typeof place === 'string' ? hosts.ownOf(place) : null,
  };
}

/** The same requests at the instants at which they were sent, by lbsim: time 0 is the birth of the proxy. */
async function drawOf(
  scenario: Scenario,
  traffic: readonly cases.Traffic[],
  lived: PlayedLife,
  seed: number,
  pause: Pause,
): Promise<PlayedRun> {
  const { agedUs, endUs } = lived;
  const { endUs: playedUs } = playable(scenario, lived.lastsMs * MICROS_PER_MILLI);
  const requests = lived.requests.flatMap(({ traffic: number, index, sentUs }): ExplicitRequest[] => {
    const stream = traffic[number];
    if (stream === undefined) return [];
    const { spec, cluster, route, keys, routeHash } = stream;
    const hashKey = routeHash ? keys[index % keys.length] : undefined;
    const atUs = agedUs + sentUs;
    return [{ ...spec, atUs, cluster, route, headers: cases.headersAt(stream, index), hashKey, size: undefined }];
  });
  const timeline = scenario.timeline.flatMap((entry) =>
    entry.action.kind === 'set_behavior' && entry.atUs < playedUs ? [{ ...entry, atUs: entry.atUs + agedUs }] : [],
  );
  const behavior = scenario.behavior.map(onlyPlayed);
  const [first] = scenario.proxies;
  const proxies = first === undefined ? [] : [{ ...first, count: 1, at: 'birth' as const, statsConfig: undefined }];
  const own = { seed: `${seed}`, workloads: [], requests, timeline, behavior, proxies, durationUs: agedUs + endUs };
  const ended: PlayedRequest[] = [];
  const onRequest = ({ request, tUs, latencyUs: tookUs, status, attempts, host }: RequestRecord): void => {
    const { traffic: number = 0, index = 0 } = lived.requests[request] ?? {};
    ended[request] = { traffic: number, index, sentUs: tUs - agedUs, tookUs, status, attempts, host };
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

const onlyPlayed = ({ hosts, behavior }: Scenario['behavior'][number]): Scenario['behavior'][number] => ({
  hosts,
  behavior: Object.fromEntries(Object.entries(behavior).filter(([field]) => PLAYED.has(field))),
});
