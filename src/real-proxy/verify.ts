import { clusterMessage } from '../analysis/verify/cluster-message.js';
import { judge } from '../analysis/verify/judge.js';
import { addressesOf, type Situation, situationsOf } from '../analysis/verify/situations.js';
import type { Verification, VerifiedSituation } from '../analysis/verify/verification.js';
import type { Pause } from '../analysis/pause.js';
import { assert } from '../core/assert.js';
import { isStruct, sameJson, type Struct } from '../core/json-value.js';
import { groupBy } from '../core/lists.js';
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
  /** One proxy goes through all situations that differ in their hosts alone: these change by EDS. */
  readonly live?: boolean | undefined;
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
    for (const life of options.live === true ? livesOf(situations) : situations.map((one) => [one])) {
      const before = verified.length;
      const within: Pause = (done) => pause((before + done * life.length) / situations.length);
      verified.push(...(await verifyLife(scenario, life, hosts, { ...options, pause: within })));
    }
    verified.sort((a, b) => a.from_s - b.from_s);
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

/** Situations of the same proxy, clusters and requests, in time. */
function livesOf(situations: readonly Situation[]): readonly (readonly Situation[])[] {
  return [
    ...groupBy(situations, ({ spec, traffic, clusters }) =>
      JSON.stringify([spec, traffic, [...clusters.keys()]]),
    ).values(),
  ];
}

/** Puts situations to one proxy, one after the other. */
async function verifyLife(
  scenario: Scenario,
  life: readonly Situation[],
  hosts: AnsweringHosts,
  options: VerifyOptions,
): Promise<readonly VerifiedSituation[]> {
  const [first] = life;
  if (first === undefined) return [];
  const spec = scenario.proxies[first.spec];
  assert(spec !== undefined, `no proxy ${first.proxy}`);
  const { binary, written, requests, pause } = options;
  const portOf = (address: string): number => hosts.portOf(address);
  const at = (address: string): string => `127.0.0.1:${portOf(address)}`;
  const traffic = first.traffic.map((one) => withAddresses(one, portOf));
  const clustersOf = ({ clusters }: Situation): readonly Struct[] =>
    [...clusters].flatMap(([name, levels]) => {
      const message = written.get(name);
      return message === undefined ? [] : [clusterMessage(message, levels, portOf)];
    });
  const states = life.map(clustersOf);
  const stages = updatesOf(states).map((updates) => ({ updates, traffic }));
  const both = await askBoth({ spec, clusters: states[0] ?? [], stages }, { file: binary.file, requests, pause });
  // Where loads are left to chance, a fresh proxy goes on: it has none of before.
  const chance = both.findIndex(({ lbsim }, index) => index > 0 && lbsim.unsettled.size > 0);
  const end = chance === -1 ? life.length : chance;
  const verified = both.slice(0, end).map((sides, index) => {
    const situation = life[index];
    assert(situation !== undefined, 'a situation is one stage');
    return judge({ situation: { ...situation, traffic }, spec, ...sides, at });
  });
  return [...verified, ...(await verifyLife(scenario, life.slice(end), hosts, options))];
}

/** What EDS says in each state: nothing at first, then the assignment of every cluster that changes at some time. */
function updatesOf(states: readonly (readonly Struct[])[]): readonly (readonly Struct[])[] {
  const [first = []] = states;
  const assignmentsOf = (clusters: readonly Struct[]): readonly (Struct | undefined)[] =>
    clusters.map(({ load_assignment: assignment }) =>
      assignment !== undefined && isStruct(assignment) ? assignment : undefined,
    );
  const all = states.map(assignmentsOf);
  const changes = assignmentsOf(first).map((assignment, index) =>
    all.some((one) => !sameJson(one[index] ?? {}, assignment ?? {})),
  );
  return all.map((one, state) =>
    state === 0 ? [] : one.filter((_, index) => changes[index] === true).filter((each) => each !== undefined),
  );
}
