import * as sides from '../analysis/verify/own-decisions.js';
import { headersAt, type Traffic } from '../analysis/verify/situations.js';
import type { Pause } from '../analysis/pause.js';
import { type Struct, groupBy } from '../core/values.js';
import { setTimeout as after } from 'node:timers/promises';
import type { BehaviorRule } from '../settings/behavior.js';
import type { ProxySpec } from '../settings/world.js';
import { HOST_HEADER } from './answering-hosts.js';
import { loopbackFailure, type ProxyBinary } from './guarded-process.js';
import type { NameServer } from './name-server.js';
import { ANSWER_LIMIT_MS, bootstrapMessage, ProxyProcess, TRAFFIC_HEADER } from './proxy-process.js';
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';

type ProxyAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string | string[] | undefined>> }>;

/** Sends a request to a proxy. No answer comes after {@link ANSWER_LIMIT_MS}: it fails with a `TimeoutError`. */
export const send = (url: string, headers: OutgoingHttpHeaders, agent: Agent | undefined): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const options = { ...(agent !== undefined && { agent }), headers, timeout: ANSWER_LIMIT_MS };
    const request = httpRequest(url, options, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      response.once('error', reject);
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(Object.assign(new Error('no answer'), { name: 'TimeoutError' })));
    request.end();
  });

export interface Question {
  readonly spec: ProxySpec;
  /** In v3, with hosts at loopback. */
  readonly clusters: readonly Struct[];
  /** One after the other, to one proxy: what discovery says first, then requests. The traffic is that of the first. */
  readonly stages: readonly sides.Stage[];
  /** Names that clusters ask for, by cluster. */
  readonly names?: ReadonlyMap<string, readonly string[]>;
  /** Absent: hosts answer 200. */
  readonly behavior?: readonly BehaviorRule[];
}

export interface AskOptions {
  readonly binary: ProxyBinary;
  /** Of each traffic, in each stage. */
  readonly requests: number;
  /** So many clusters have requests at the same time; those of one cluster never meet. Default 1. */
  readonly atOnce?: number;
  readonly pause: Pause;
}

export interface BothDecisions {
  readonly proxy: sides.Decisions;
  readonly lbsim: sides.OwnDecisions;
  /** Those of the stage before. */
  readonly before: Omit<BothDecisions, 'before'> | undefined;
}

/** lbsim decides on a multiple of the proxy's requests: an order has some start in them, and chance less to say. */
const OURS_PER_REQUEST = 2;

/** Has a real proxy, started for it, and lbsim decide the same requests, by stage. @throws ProxyFails, NoLoopback */
export async function askBoth(
  { spec, clusters, stages, names = new Map(), behavior = [] }: Question,
  options: AskOptions,
): Promise<readonly BothDecisions[]> {
  const { binary, requests, pause } = options;
  const assigned = sides.assignedByFile(clusters, stages);
  const ours = await sides.ownDecisions(assigned, spec, stages, behavior, requests * OURS_PER_REQUEST, pause);
  const traffic = stages[0]?.traffic ?? [];
  const server = names.size > 0 ? await (await import('./name-server.js')).startNameServer() : undefined;
  try {
    server?.replace(stages[0]?.answers ?? new Map());
    const bootstrap = bootstrapMessage(assigned.clusters, spec, traffic, server?.port);
    const process = await ProxyProcess.start(binary.file, bootstrap, spec.workers, assigned.first);
    try {
      return await askStages(process, ours, { spec, clusters, stages, names }, options, server);
    } catch (error) {
      throw loopbackFailure(await process.failureBehind(error));
    } finally {
      await process.stop();
    }
  } finally {
    await server?.stop();
  }
}

async function askStages(
  process: ProxyProcess,
  ours: readonly sides.OwnDecisions[],
  { spec, stages, names = new Map() }: Question,
  options: AskOptions,
  server: NameServer | undefined,
): Promise<readonly BothDecisions[]> {
  const { requests, pause } = options;
  const traffic = [...(stages[0]?.traffic ?? []).entries()];
  const both: BothDecisions[] = [];
  for (const [stage, one] of stages.entries()) {
    const { updates, answers, waitMs = 0 } = one;
    if (updates.length > 0) await process.assign(updates);
    if (server !== undefined && answers !== undefined) {
      server.replace(answers);
      await process.resolved(names, (name) => server.wasAsked(name));
    }
    const within: Pause = (done) => pause((stage + done) / stages.length);
    if (waitMs > 0) await after(waitMs);
    const asked = traffic.filter(([, stream]) => sides.isAsked(one, stream));
    const answered = await ask(process, asked, spec.workers, { ...options, pause: within });
    const hosts = traffic.map(([index]) => answered.get(index) ?? []);
    const proxy = { hosts, stats: await process.stats(), requests };
    const lbsim = ours[stage];
    if (lbsim !== undefined) both.push({ proxy, lbsim, before: both.at(-1) });
  }
  return both;
}

/** Sends the traffic, each under its number, and notes who answered. */
async function ask(
  process: ProxyProcess,
  traffic: readonly (readonly [number, Traffic])[],
  workers: number,
  { requests, atOnce = 1, pause }: AskOptions,
): Promise<ReadonlyMap<number, readonly sides.Answerer[]>> {
  const hosts = new Map(traffic.map(([index]): [number, sides.Answerer[]] => [index, []]));
  const waiting = [...groupBy(traffic, ([, { cluster }]) => cluster).values()];
  let sent = 0;
  const lane = async (): Promise<void> => {
    // One request after the other, in turns over as many connections as the proxy has workers.
    const agents = Array.from({ length: workers }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    try {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        for (const [index, one] of group) {
          for (let i = 0; i < requests; i++) {
            if (sent++ % PAUSE_EVERY === 0) await pause(sent / (requests * traffic.length));
            const { ':path': path = '/', ':authority': host, ...headers } = headersOf(one, index, i);
            const named = host === undefined ? headers : { ...headers, host };
            const answer = await send(`${process.url}${path}`, named, agents[i % workers]);
            hosts.get(index)?.push(answererOf(answer));
          }
        }
      }
    } finally {
      waiting.length = 0;
      for (const agent of agents) agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return hosts;
}

/** The headers of a request, the `index`-th of the traffic of this number. */
export function headersOf(traffic: Traffic, number: number, index: number): Record<string, string> {
  return { ...realHeaders(headersAt(traffic, index)), [TRAFFIC_HEADER]: String(number) };
}

function answererOf(answer: ProxyAnswer): sides.Answerer {
  const place = answer.headers[HOST_HEADER];
  if (typeof place === 'string') return place;
  const isDropped = DROPPED_HEADERS.some((name) => name in answer.headers);
  return answer.status === NO_HOST_STATUS && !isDropped ? null : undefined;
}

const PAUSE_EVERY = 200;
/** The proxy has one of them in answers to requests that `drop_overloads` takes: a part of them, or all. */
const DROPPED_HEADERS = ['x-envoy-drop-overload', 'x-envoy-unconditional-drop-overload'];
/** The proxy's own answer where no host is to be had: hosts themselves always answer 200. */
const NO_HOST_STATUS = 503;

/** Headers of scenarios have one spelling of the proxy's prefix, the real proxy another. */
const realHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace(/^x-proxy-/, 'x-envoy-'), value]));
