import { assert } from '../../core/assert.js';
import type { Struct } from '../../core/json-value.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import type { ExplicitRequest, ProxySpec, RequestSpec } from '../../scenario/model.js';
import { loadScenarioValue } from '../../scenario/load.js';
import { createSimulation } from '../../simulation/simulation.js';
import type { Pause } from '../pause.js';
import type { Traffic } from './situations.js';

/** The loopback address (`ip:port`) of the host that answered; null: there was no host; undefined: neither was said. */
export type Answerer = string | null | undefined;

/** What one side decided of the requests of a situation. */
export interface Decisions {
  /** For each traffic who answered each request, in order. */
  readonly hosts: readonly (readonly Answerer[])[];
  /** Counters and gauges by name. */
  readonly stats: ReadonlyMap<string, number>;
  /** Of each traffic. */
  readonly requests: number;
}

/** Requests are so far apart that none meets another. */
const APART_US = 1000;
const NO_SPEC: Omit<RequestSpec, 'metadataMatch' | 'headers'> = {
  priority: 'DEFAULT',
  timeoutUs: 15_000_000,
  retryPolicy: undefined,
};

/** The situation as lbsim sees it: the very clusters that the real proxy gets. */
export async function ownDecisions(
  clusters: readonly Struct[],
  spec: ProxySpec,
  traffic: readonly Traffic[],
  requestsEach: number,
  pause: Pause,
): Promise<Decisions> {
  const first = traffic[0]?.cluster ?? '';
  const proxy = { version: MODERN_PROXY_VERSION, workers: spec.workers, ...nodeOf(spec), runtime: spec.runtime };
  const value = { api: 'v3', proxy, clusters, requests: [{ at: '0s', cluster: first }] };
  const { scenario, problems } = loadScenarioValue(value, 'the situation');
  const error = problems.find(({ severity }) => severity === 'error');
  assert(scenario !== undefined, `a situation is refused: ${error?.path ?? ''}: ${error?.message ?? ''}`);
  const requests: ExplicitRequest[] = [];
  const trafficOf: number[] = [];
  for (const [index, one] of traffic.entries()) {
    for (let i = 0; i < requestsEach; i++) {
      trafficOf.push(index);
      requests.push(requestOf(one, i, requests.length, spec.workers));
    }
  }
  const hosts: Answerer[][] = traffic.map(() => []);
  const simulation = await createSimulation(
    { ...scenario, requests },
    {
      onRequest: ({ request, host, outcome }) => {
        hosts[trafficOf[request] ?? 0]?.push(outcome === 'answered' || outcome === 'no_host' ? host : undefined);
      },
    },
  );
  while (!simulation.advance(100_000)) await pause(0);
  const { counters, gauges } = simulation.result().stats;
  const stats = new Map([...Object.entries(counters), ...Object.entries(gauges)]);
  return { hosts, stats, requests: requestsEach };
}

function requestOf(traffic: Traffic, index: number, position: number, workers: number): ExplicitRequest {
  const { keys, routeHash, headers, cluster, metadataMatch } = traffic;
  const key = keys.length === 0 ? undefined : keys[index % keys.length];
  return {
    ...NO_SPEC,
    atUs: position * APART_US,
    cluster,
    metadataMatch,
    headers: { ...headers, ...(key !== undefined && !routeHash && { 'x-key': key }) },
    hashKey: routeHash ? key : undefined,
    hash: undefined,
    random: undefined,
    serviceTimeUs: undefined,
    proxy: undefined,
    worker: position % workers,
  };
}

/** What of a proxy its balancers look at, as its bootstrap and our scenarios have it. */
export function nodeOf({ node, localClusterName }: ProxySpec): Struct {
  const locality = node?.locality;
  return {
    node: {
      id: 'verified',
      cluster: 'verified',
      ...(locality !== undefined && {
        locality: { region: locality.region, zone: locality.zone, sub_zone: locality.subZone },
      }),
    },
    ...(localClusterName !== undefined && { local_cluster_name: localClusterName }),
  };
}
