import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';
import type { Pause } from '../analysis/pause.js';
import { assignmentOf, endpointMessage, wholeMessage } from '../analysis/verify/cluster-message.js';
import { assignedByFile, clusterNameOf } from '../analysis/verify/own-decisions.js';
import { hostsOf } from '../analysis/verify/capture.js';
import { mayBeHttp2 } from '../config/cluster/http-options.js';
import { asksOutOfBand } from '../config/policy/of-cluster.js';
import * as plans from '../analysis/verify/play-plan.js';
import {
  BUSY_MS,
  judgePlayed,
  type PlayedLife,
  type PlayedRequest,
  type PlayedRun,
} from '../analysis/verify/played.js';
import { addressesOf, clustersLeftOut, selectableHosts, wholeTraffic } from '../analysis/verify/situations.js';
import type { Verification } from '../analysis/verify/verification.js';
import { FORMAT } from '../core/document-format.js';
import { NoAnswer } from '../core/no-answer.js';
import { MICROS_PER_MILLI, type Micros, microsToSeconds } from '../core/units.js';
import { largest, smallest, type Struct } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import { PLAIN_REQUEST } from '../scenario/fields/retry-policy.js';
import { durationSampler } from '../random/samplers.js';
import type { Scenario } from '../scenario/model.js';
import { inputOf } from '../scenario/origin.js';
import { Behaviors, seenFrom } from '../settings/behavior.js';
import { occurrences, zoneOf } from '../settings/world.js';
import { HOST_HEADER, type Work, WORK_HEADER } from './answering-host.js';
import { AnsweringHosts, withAddresses } from './answering-hosts.js';
import { realHeaders } from './both-sides.js';
import { hasLoopbackNet, loopbackFailure, type ProxyBinary } from './guarded-process.js';
import { bootstrapMessage, ProxyProcess, TRAFFIC_HEADER } from './proxy-process.js';
import type { Recording } from './recording.js';
import { Senders } from './request-senders.js';

export interface PlayOptions {
  readonly binary: ProxyBinary;
  /** So much of the scenario, in real time. */
  readonly lastsMs: number;
  readonly pause: Pause;
  /** It begins when this comes back: others are played beside it. */
  readonly together?: (() => Promise<void>) | undefined;
  /** What a proxy did with it: none is asked again. */
  readonly recording?: Recording | undefined;
  readonly record?: ((recording: Recording) => Promise<void>) | undefined;
}

/** Draws of ours, of which the proxy's run has to be one more. */
const DRAWS = 24;
/** The proxy knows by then what its last answers brought. */
const SETTLE_MS = 150;

/** Has a real proxy live through the beginning of a scenario, in real time, and compares when it answers what. @throws ProxyFails, NoAnswer */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Verification> {
  const { binary, lastsMs, pause, together, recording, record } = options;
  const { version } = binary;
  const refused = clustersLeftOut(scenario, true);
  const messages = new Map(
    scenario.clusters.flatMap((cluster) => {
      const message = refused.has(cluster.name) ? undefined : wholeMessage(scenario, cluster);
      return message === undefined ? [] : [[cluster.name, message]];
    }),
  );
  const isPlayed = (name: string): boolean => messages.has(name);
  const plan = await plans.planOf(scenario, lastsMs * MICROS_PER_MILLI, isPlayed, recording?.played, pause);
  const addresses = new Set([...addressesOf(plan.states), WARM]);
  const hosts = await AnsweringHosts.start(addresses, undefined, undefined, recording, overHttp2(scenario, plan));
  try {
    const lived =
      recording?.played ?? (await liveThrough({ scenario, plan, lastsMs, hosts, binary, pause, together }, messages));
    if (lived.requests.some(({ traffic, index }) => plan.traffic[traffic]?.each[index] === undefined))
      throw new NoAnswer('the recording is of another scenario');
    await record?.({
      ...{ format: FORMAT, proxy_version: version, live: false, ...hosts.recorded(), proxies: [], played: lived },
    });
    const draws: PlayedRun[] = [];
    for (let seed = 0; seed < DRAWS; seed++) draws.push(await plans.drawOf(scenario, plan, lived, seed, pause));
    const judged = judgePlayed(plan, lived, draws);
    const [from_s, to_s] = [0, microsToSeconds(plan.endUs)];
    return {
      scenario: scenario.name,
      ...inputOf(scenario),
      proxy_version: version,
      simulated_version: MODERN_PROXY_VERSION,
      agrees: judged.agrees && judged.splits.length > 0,
      situations: [{ from_s, to_s, proxy: plan.proxy, causes: [{ kind: 'start' }], ...judged }],
      played_s: to_s,
      not_compared: [
        ...plan.notCompared,
        ...(lived.lateMs < BUSY_MS ? [] : [{ what: 'times', why: busyWords(lived) }]),
        ...scenario.clusters
          .filter(({ name }) => !isPlayed(name))
          .map(({ name }) => ({
            what: name,
            why: refused.get(name) ?? 'its hosts are said by no assignment, or speak HTTP/3',
          })),
      ],
    };
  } finally {
    await hosts.stop();
  }
}

const busyWords = ({ lateMs }: PlayedLife): string =>
  `this machine was busy: its timers, or answers that take no time, came up to ${lateMs} ms late, so that a difference proves little; fewer requests a second may help`;

interface Life {
  readonly scenario: Scenario;
  readonly plan: plans.PlayPlan;
  readonly lastsMs: number;
  readonly hosts: AnsweringHosts;
  readonly binary: ProxyBinary;
  readonly pause: Pause;
  readonly together: PlayOptions['together'];
}

async function liveThrough(life: Life, messages: ReadonlyMap<string, Struct>): Promise<PlayedLife> {
  const { scenario, plan, lastsMs, hosts, binary, pause } = life;
  const [spec] = scenario.proxies;
  if (spec === undefined) throw new NoAnswer('the scenario has no proxy');
  const { endUs, arrivals } = plan;
  const traffic = plan.traffic.map((one) => withAddresses(one, (address) => hosts.at(address)));
  const behaviors = new Behaviors(scenario.behavior);
  const behave = async (): Promise<void> => {
    for (const [address, named] of selectableHosts(plan.states)) {
      const behavior = seenFrom(behaviors.of(named), zoneOf(spec), named[0]?.locality.zone ?? '');
      await hosts.become(address, behavior);
    }
  };
  await behave();
  const { clusters, first, updates } = toldOf(life, messages);
  const warm = wholeTraffic(scenario, {
    ...PLAIN_REQUEST,
    name: WARM,
    route: [{ cluster: WARM, weight: 1 }],
    routeHash: false,
  });
  const bootstrap = bootstrapMessage([...clusters, warmCluster(hosts.at(WARM))], spec, [...traffic, warm]);
  const process = await ProxyProcess.start(binary.file, bootstrap, spec.workers, first);
  const readyMs = performance.now();
  const senders = new Senders(process.url, spec.workers, await hasLoopbackNet());
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  let lateMs = 0;
  let looks: NodeJS.Timeout | undefined;
  try {
    const ask = (): Promise<unknown> => senders.send({ [TRAFFIC_HEADER]: String(traffic.length) });
    await warmUp(ask);
    await life.together?.();
    delays.reset();
    const startMs = performance.now();
    // Whoever waits for the processor, be it the proxy, is late with the answer to a question that needs no time.
    const look = async (): Promise<void> => {
      const askedMs = performance.now();
      await ask();
      lateMs = Math.max(lateMs, performance.now() - askedMs);
    };
    looks = setInterval(() => void look().catch(() => undefined), PROBE_MS);
    const agedMs = startMs - smallest(hosts.checkedMs, readyMs - READY_MS);
    const nowUs = (): Micros => Math.round((performance.now() - startMs) * MICROS_PER_MILLI);
    const until = (atUs: Micros): Promise<void> => after(Math.max(0, (atUs - nowUs()) / MICROS_PER_MILLI));
    const entries = scenario.timeline.flatMap((entry) => {
      const { action } = entry;
      if (action.kind !== 'set_behavior' && action.kind !== 'set_runtime') return [];
      const act = async (): Promise<void> => {
        if (action.kind === 'set_runtime') return process.setRuntime(action.values);
        behaviors.add(action);
        await behave();
      };
      return occurrences(entry, endUs - 1).map((atUs) => ({ atUs, act }));
    });
    const told = updates.map(({ atUs, assignments }) => ({ atUs, act: () => process.tell(assignments) }));
    const changed = (async () => {
      for (const { atUs, act } of [...entries, ...told].sort((a, b) => a.atUs - b.atUs)) {
        await until(atUs);
        await act();
      }
    })();
    const sent: Promise<PlayedRequest>[] = [];
    for (const { atUs, traffic: number, index } of arrivals) {
      if (atUs > nowUs()) await until(atUs);
      if (sent.length % PAUSE_EVERY === 0) await pause(atUs / endUs);
      const stream = traffic[number];
      if (stream !== undefined)
        sent.push(sendOne({ process, senders, hosts, workers: spec.workers, nowUs }, stream, number, index));
    }
    const requests = await Promise.all(sent);
    await changed;
    await after(SETTLE_MS);
    const agedUs = Math.round(agedMs * MICROS_PER_MILLI);
    const behindUs = largest(
      requests.map(({ sentUs }, place) => sentUs - (arrivals[place]?.atUs ?? sentUs)),
      0,
    );
    lateMs = Math.round(Math.max(lateMs, delays.max / NANOS_PER_MILLI - LOOK_MS, behindUs / MICROS_PER_MILLI));
    const address = process.url.replace('http://', '');
    const stats = new Map([...(await process.stats())].filter(([name]) => !name.startsWith(`cluster.${WARM}.`)));
    return { requests, stats, lastsMs, agedUs, endUs: nowUs(), lateMs, address };
  } catch (error) {
    throw loopbackFailure(await process.failureBehind(error));
  } finally {
    clearInterval(looks);
    delays.disable();
    senders.stop();
    await process.stop();
  }
}

/** Hosts of clusters that may ask them over HTTP/2, as all do for reports out of band. */
function overHttp2({ clusters }: Scenario, { states }: plans.PlayPlan): ReadonlySet<string> {
  const levels = states.flatMap((one) =>
    clusters
      .filter((cluster) => mayBeHttp2(cluster) || asksOutOfBand(cluster))
      .flatMap(({ name }) => one.clusters.get(name) ?? []),
  );
  return new Set(hostsOf(levels).map(({ host }) => host.address));
}

/** What the proxy is told of hosts at first, and what later. */
function toldOf({ scenario, plan: { states }, hosts }: Life, messages: ReadonlyMap<string, Struct>) {
  const assigned = scenario.clusters.filter(({ name }) => messages.get(name)?.['type'] === 'STATIC');
  const changes = states.map(({ atUs, assignments }, index) => ({
    atUs,
    assignments: assigned.flatMap((cluster) => {
      const assignment = assignments.get(cluster.name);
      const isOld = assignment === states[index - 1]?.assignments.get(cluster.name);
      return assignment === undefined || isOld ? [] : [assignmentOf(cluster, assignment, (one) => hosts.at(one))];
    }),
  }));
  const [first, ...updates] = changes;
  const firsts = new Map(first?.assignments.map((one) => [clusterNameOf(one), one]));
  const clusters = [...messages].map(([name, message]) => {
    const assignment = firsts.get(name);
    return assignment === undefined ? message : { ...message, load_assignment: assignment };
  });
  return {
    updates,
    ...assignedByFile(
      clusters,
      updates.map(({ assignments }) => ({ updates: assignments, traffic: [] })),
    ),
  };
}

const NANOS_PER_MILLI = 1e6;
/** How often it is looked whether timers are late. */
const LOOK_MS = 2;
const PROBE_MS = 20;
const PAUSE_EVERY = 20;
/** Where no check says when a proxy began: it is seen to be ready so long after. */
const READY_MS = 30;

/** A cluster, and its one host, that nothing is asked about. */
const WARM = 'lbsim-warm';
const WARM_ROUNDS = 40;
const WARM_AT_ONCE = 25;

const warmCluster = (place: string): Struct => ({
  // A connection that waits for more requests would count as one that `predictive_preconnect_ratio` has opened.
  ...{ name: WARM, type: 'STATIC', connect_timeout: '5s', max_requests_per_connection: 1 },
  load_assignment: {
    cluster_name: WARM,
    endpoints: [{ lb_endpoints: [endpointMessage({ hostname: '', weight: 1, status: 'UNKNOWN' }, place, {})] }],
  },
});

/** What is cold takes its time: senders, hosts and the proxy have had requests of their own before the first one counts. */
async function warmUp(ask: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < WARM_ROUNDS; round++) await Promise.all(Array.from({ length: WARM_AT_ONCE }, ask));
}

type Playing = Readonly<{
  process: ProxyProcess;
  senders: Senders;
  hosts: AnsweringHosts;
  workers: number;
  nowUs: () => Micros;
}>;

async function sendOne(
  { process, senders, hosts, workers, nowUs }: Playing,
  stream: plans.PlayedTraffic,
  number: number,
  index: number,
): Promise<PlayedRequest> {
  const { client, size, answers } = stream.each[index] ?? {};
  const isPlain = (size ?? answers) === undefined;
  const headers = {
    ...{ ...realHeaders(plans.headersOfOne(stream, index)), [TRAFFIC_HEADER]: String(number) },
    ...(!isPlain && { [WORK_HEADER]: JSON.stringify({ size, answers } satisfies Work) }),
  };
  const sentUs = nowUs();
  const { tcp, timeoutUs } = stream.spec;
  const {
    headers: found,
    status,
    cookie,
    address,
  } = tcp === undefined
    ? await senders.send(headers, client)
    : await senders.hold(
        process.tcpPlace(number),
        number,
        {
          lifetimeMs: durationSampler(tcp.lifetime, () => hosts.draws)() / MICROS_PER_MILLI,
          longestMs: timeoutUs / MICROS_PER_MILLI,
        },
        client,
      );
  const { [HOST_HEADER]: place, 'x-envoy-attempt-count': attempts = '0' } = found;
  return {
    ...{ traffic: number, index, sentUs, tookUs: nowUs() - sentUs, status, attempts: Number(attempts) },
    host: typeof place === 'string' ? hosts.ownOf(place) : null,
    ...((client !== undefined || stream.clients > 1 || workers > 1) && { address }),
    ...(cookie !== '' && { cookie }),
  };
}
