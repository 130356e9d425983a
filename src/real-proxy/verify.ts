import { bootstrapMessage, KEY_HEADER, TRAFFIC_HEADER } from '../analysis/verify/bootstrap-message.js';
import { clusterMessage } from '../analysis/verify/cluster-message.js';
import { judge } from '../analysis/verify/judge.js';
import { type Answerer, type Decisions, ownDecisions } from '../analysis/verify/own-decisions.js';
import { addressesOf, type Situation, situationsOf, type Traffic } from '../analysis/verify/situations.js';
import type { Verification, VerifiedSituation } from '../analysis/verify/verification.js';
import type { Pause } from '../analysis/pause.js';
import { assert } from '../core/assert.js';
import type { Struct } from '../core/json-value.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import { AnsweringHosts, HOST_HEADER } from './answering-hosts.js';
import { ProxyClient } from './client.js';
import type { ProxyBinary } from './find-proxy.js';
import { ProxyProcess } from './proxy-process.js';

export interface VerifyOptions {
  readonly binary: ProxyBinary;
  /** The clusters as they are written, by name. */
  readonly written: ReadonlyMap<string, Struct>;
  /** Requests of each workload in each situation. */
  readonly requests: number;
  readonly pause: Pause;
}

/** lbsim decides on a multiple of the proxy's requests: an order has some start in them, and chance less to say. */
const OURS_PER_REQUEST = 2;

/**
 * Puts every situation of a scenario to a real proxy, and compares what it decides.
 *
 * @throws ProxyFails with the proxy's words, where it does not take the configuration or ends before all is asked.
 */
export async function verify(scenario: Scenario, options: VerifyOptions): Promise<Verification> {
  const { binary, pause } = options;
  const { situations, notCompared } = await situationsOf(scenario, () => pause(0));
  const hosts = await AnsweringHosts.start(addressesOf(situations));
  try {
    const verified: VerifiedSituation[] = [];
    for (const [index, situation] of situations.entries()) {
      const within: Pause = (done) => pause((index + done) / situations.length);
      verified.push(await verifySituation(scenario, situation, hosts, { ...options, pause: within }));
    }
    return {
      scenario: scenario.name,
      proxy_version: binary.version,
      simulated_version: MODERN_PROXY_VERSION,
      agrees: verified.length > 0 && verified.every(({ agrees }) => agrees),
      situations: verified,
      not_compared: notCompared,
    };
  } finally {
    await hosts.stop();
  }
}

async function verifySituation(
  { proxies }: Scenario,
  situation: Situation,
  hosts: AnsweringHosts,
  { binary, written, requests, pause }: VerifyOptions,
): Promise<VerifiedSituation> {
  const spec = proxies[situation.spec];
  assert(spec !== undefined, `no proxy ${situation.proxy}`);
  const portOf = (address: string): number => hosts.portOf(address);
  const at = (address: string): string => `127.0.0.1:${portOf(address)}`;
  const traffic = situation.traffic.map((one): Traffic => ({ ...one, headers: withAddresses(one.headers, at) }));
  const messages = new Map<string, Struct>();
  for (const [name, levels] of situation.clusters) {
    const message = written.get(name);
    if (message !== undefined) messages.set(name, clusterMessage(message, levels, portOf));
  }
  const clusters = [...messages.values()];
  const lbsim = await ownDecisions(clusters, spec, traffic, requests * OURS_PER_REQUEST, pause);
  const process = await ProxyProcess.start(binary.file, bootstrapMessage(clusters, spec, traffic), spec.workers);
  try {
    const proxy = await ask(process, traffic, { requests, workers: spec.workers, pause });
    const keepsOrder = spec.workers === 1 && spec.localClusterName === undefined;
    return judge({ situation: { ...situation, traffic }, proxy, lbsim, keepsOrder, at });
  } finally {
    await process.stop();
  }
}

/** Sends the traffic, and notes who answered. */
async function ask(
  process: ProxyProcess,
  traffic: readonly Traffic[],
  { requests, workers, pause }: { readonly requests: number; readonly workers: number; readonly pause: Pause },
): Promise<Decisions> {
  const client = new ProxyClient(process.url, workers);
  const hosts: Answerer[][] = traffic.map(() => []);
  try {
    for (const [index, { headers, keys }] of traffic.entries()) {
      for (let i = 0; i < requests; i++) {
        if (i % PAUSE_EVERY === 0) await pause((index + i / requests) / traffic.length);
        const key = keys.length === 0 ? undefined : keys[i % keys.length];
        const sent = {
          ...realHeaders(headers),
          [TRAFFIC_HEADER]: String(index),
          ...(key !== undefined && { [KEY_HEADER]: key }),
        };
        const answer = await client.send(sent, i);
        const port = answer.headers[HOST_HEADER];
        if (typeof port === 'string') hosts[index]?.push(`127.0.0.1:${port}`);
        else hosts[index]?.push(answer.status === NO_HOST_STATUS ? null : undefined);
      }
    }
    return { hosts, stats: await process.stats(), requests: requests * traffic.length };
  } catch (error) {
    throw await process.failureBehind(error);
  } finally {
    client.close();
  }
}

const PAUSE_EVERY = 200;
/** The proxy's own answer where no host is to be had: hosts themselves always answer 200. */
const NO_HOST_STATUS = 503;

/** Headers of scenarios have one spelling of the proxy's prefix, the real proxy another. */
function realHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/^x-proxy-/, 'x-envoy-'), value]),
  );
}

/** Addresses of hosts in headers, as `override_host` reads them, become those at loopback. */
function withAddresses(
  headers: Readonly<Record<string, string>>,
  at: (address: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\d+\.\d+\.\d+\.\d+:\d+/g, (address) => (at(address) === '127.0.0.1:0' ? address : at(address))),
    ]),
  );
}
