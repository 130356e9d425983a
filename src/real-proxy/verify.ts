import { clusterMessage } from '../analysis/verify/cluster-message.js';
import { judge } from '../analysis/verify/judge.js';
import { addressesOf, type Situation, situationsOf } from '../analysis/verify/situations.js';
import type { Verification, VerifiedSituation } from '../analysis/verify/verification.js';
import type { Pause } from '../analysis/pause.js';
import { assert } from '../core/assert.js';
import type { Struct } from '../core/json-value.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import { AnsweringHosts, withAddresses } from './answering-hosts.js';
import { askBoth } from './both-sides.js';
import type { ProxyBinary } from './find-proxy.js';

export interface VerifyOptions {
  readonly binary: ProxyBinary;
  /** The clusters as they are written, by name. */
  readonly written: ReadonlyMap<string, Struct>;
  /** Requests of each workload in each situation. */
  readonly requests: number;
  readonly pause: Pause;
}

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
  const traffic = situation.traffic.map((one) => withAddresses(one, portOf));
  const clusters = [...situation.clusters].flatMap(([name, levels]) => {
    const message = written.get(name);
    return message === undefined ? [] : [clusterMessage(message, levels, portOf)];
  });
  const stages = [{ updates: [], traffic }];
  const [sides] = await askBoth({ spec, clusters, stages }, { file: binary.file, requests, pause });
  assert(sides !== undefined, 'a situation is one stage');
  return judge({ situation: { ...situation, traffic }, spec, ...sides, at });
}
