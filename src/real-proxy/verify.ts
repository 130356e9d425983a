import type { CapturedHost } from '../analysis/verify/capture.js';
import * as messages from '../analysis/verify/cluster-message.js';
import * as cases from '../analysis/verify/situations.js';
import * as decided from '../analysis/verify/own-decisions.js';
import { judge } from '../analysis/verify/judge.js';
import type { Verification, VerifiedSituation } from '../analysis/verify/verification.js';
import type { Pause } from '../analysis/pause.js';
import { assert } from '../core/assert.js';
import { NoAnswer } from '../core/no-answer.js';
import { isStruct, sameJson, type Struct, groupBy } from '../core/values.js';
import { FORMAT } from '../core/document-format.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import type { Behavior } from '../settings/behavior.js';
import { inputOf } from '../scenario/origin.js';
import { AnsweringHosts, withAddresses } from './answering-hosts.js';
import { type AskOptions, askProxy } from './both-sides.js';
import { hasLoopbackNet } from './guarded-process.js';
import type { Recording } from './recording.js';

export interface VerifyOptions extends AskOptions {
  /** One proxy goes through all situations that differ in their hosts alone: these change by EDS. */
  readonly live?: boolean | undefined;
  /** What proxies did with this scenario: none is asked again. */
  readonly recording?: Recording | undefined;
  /** Is told what the proxies did. */
  readonly record?: ((recording: Recording) => Promise<void>) | undefined;
}

/** Puts every situation of a scenario to a real proxy, and compares what it decides. @throws ProxyFails */
export async function verify(scenario: Scenario, options: VerifyOptions): Promise<Verification> {
  const { binary, pause, live = false, recording, record } = options;
  const { situations, notCompared } = await cases.situationsOf(scenario, () => pause(0), live);
  const { clusters: named, notCompared: byEds } = live ? await namedOf(scenario, recording) : NO_NAMES;
  const answers = cases.lastingAnswers(scenario, situations, cases.canWaitForReports(scenario.clusters));
  const addresses = cases.addressesOf(situations);
  const namedAddresses = messages.namedAddresses(scenario, named.values());
  const hosts = await AnsweringHosts.start(addresses, namedAddresses, answers, recording);
  const asked: decided.AskedProxy[] = [];
  const ask = async (question: decided.Question, own: Pause): Promise<decided.AskedProxy> => {
    const one =
      recording === undefined
        ? await askProxy(question, { ...options, pause: own })
        : recalled(recording.proxies[asked.length], question);
    asked.push(one);
    return one;
  };
  try {
    const verified: VerifiedSituation[] = [];
    for (const life of live ? livesOf(situations) : situations.map((one) => [one])) {
      const before = verified.length;
      const within: Pause = (done) => pause((before + done * life.length) / situations.length);
      verified.push(...(await verifyLife({ scenario, named, answers, hosts, ask }, life, within)));
    }
    verified.sort((a, b) => a.from_s - b.from_s);
    await record?.({ format: FORMAT, proxy_version: binary.version, live, ...hosts.recorded(), proxies: asked });
    return {
      scenario: scenario.name,
      ...inputOf(scenario),
      proxy_version: binary.version,
      simulated_version: MODERN_PROXY_VERSION,
      agrees: verified.length > 0 && verified.every(({ agrees }) => agrees),
      situations: verified,
      not_compared: [...byEds, ...notCompared],
    };
  } finally {
    await hosts.stop();
  }
}

/** @throws NoAnswer where it was asked something else. */
function recalled(one: decided.AskedProxy | undefined, { stages }: decided.Question): decided.AskedProxy {
  const isSame = ({ traffic }: decided.Stage, at: number): boolean => one?.stages[at]?.hosts.length === traffic.length;
  if (one?.stages.length === stages.length && stages.every(isSame)) return one;
  throw new NoAnswer('the recording is of another scenario');
}

const NO_NAMES: messages.NamedClusters = { clusters: new Map(), notCompared: [] };

async function namedOf(scenario: Scenario, recording: Recording | undefined): Promise<messages.NamedClusters> {
  const found = messages.namedClusters(scenario);
  const hasNet = recording === undefined ? await hasLoopbackNet() : Object.keys(recording.ips).length > 0;
  if (found.clusters.size === 0 || hasNet) return found;
  const why = 'this machine has one loopback address, so its hosts come by EDS';
  const others = [...found.clusters.keys()].map((name) => ({ what: `DNS of ${name}`, why }));
  return { clusters: new Map(), notCompared: [...found.notCompared, ...others] };
}

/** Situations of the same proxy, clusters and requests, in time. */
type Life = readonly cases.Situation[];

function livesOf(situations: readonly cases.Situation[]): readonly Life[] {
  const keyOf = ({ spec, traffic, clusters }: cases.Situation): string =>
    cases.keyText([spec, traffic, [...clusters.keys()]]);
  return [...groupBy(situations, keyOf).values()];
}

interface Told {
  readonly scenario: Scenario;
  /** Clusters that stay those of DNS. */
  readonly named: ReadonlyMap<string, messages.NamedCluster>;
  readonly answers: ReadonlyMap<string, Partial<Behavior>>;
  readonly hosts: Pick<AnsweringHosts, 'at' | 'ipAt' | 'portAt'>;
}

/** What a proxy that lives through these situations is told and asked. */
export function questionOf({ scenario, named, answers, hosts }: Told, life: Life) {
  const [first] = life;
  assert(first !== undefined, 'a life has no situation');
  const spec = scenario.proxies[first.spec];
  assert(spec !== undefined, `no proxy ${first.proxy}`);
  const configs = new Map(scenario.clusters.map((cluster) => [cluster.name, cluster]));
  const at = (address: string): string => hosts.at(address);
  const traffic = first.traffic.map((one) => withAddresses(one, at));
  // Clusters whose hosts are said by something else than what was captured of them.
  const told = new Set<string>();
  const clustersOf = ({ clusters, fromUs }: cases.Situation): readonly Struct[] =>
    [...clusters].flatMap(([name, levels]) => {
      const config = configs.get(name);
      if (config === undefined) return [];
      const byName = named.get(name);
      const written = byName === undefined ? messages.writtenAssignment(scenario, config, fromUs, at) : undefined;
      if (byName !== undefined || written !== undefined) told.add(name);
      if (byName !== undefined) return [messages.namedMessage(byName, hosts)];
      return [messages.clusterMessage(config, levels, at, written)];
    });
  const names = new Map(
    [...named].filter(([name]) => first.clusters.has(name)).map(([name, cluster]) => [name, messages.namesIn(cluster)]),
  );
  const states = life.map(clustersOf);
  const reported = decided.reportedIn(scenario.clusters, traffic);
  const stages = decided.reportsFirst(
    updatesOf(states).map((updates, index): decided.Stage & { readonly situation: cases.Situation | undefined } => ({
      updates,
      traffic,
      situation: life[index],
      ...(names.size > 0 && {
        answers: messages.answersAtLoopback(messages.answersAt(scenario, life[index]?.fromUs ?? 0), hosts),
      }),
    })),
    answers.size > 0 ? reported : new Map(),
  );
  const behavior = [...answers].map(([address, one]) => ({ hosts: { address: at(address) }, behavior: one }));
  return { spec, clusters: states[0] ?? [], stages, names, behavior, traffic, told, reported };
}

interface World extends Told {
  readonly hosts: AnsweringHosts;
  readonly ask: (question: decided.Question, pause: Pause) => Promise<decided.AskedProxy>;
}

async function verifyLife(world: World, life: Life, pause: Pause): Promise<readonly VerifiedSituation[]> {
  if (life.length === 0) return [];
  const { hosts } = world;
  const question = questionOf(world, life);
  const { spec, stages, names, traffic, told, reported } = question;
  const at = (address: string): string => hosts.at(address);
  const unordered = new Set([...names].flatMap(([name, { length }]) => (length > 1 ? [name] : [])));
  const both = await decided.ownDecisions(question, await world.ask(question, pause), pause);
  // Where loads are left to chance, a fresh proxy goes on: it has none of before.
  const chance = both.findIndex(({ lbsim }, index) => stages[index]?.situation !== life[0] && lbsim.unsettled.size > 0);
  const end = chance === -1 ? both.length : chance;
  const verified = both.slice(0, end).flatMap((sides, index) => {
    const stage = stages[index];
    assert(stage?.situation !== undefined, 'a stage has a situation');
    const { situation } = stage;
    if (stage.asked !== undefined) return [];
    const clusters = withFound(situation.clusters, sides.lbsim.clusters, told, hosts);
    const before = both[index - 1];
    const judged = judge({ situation: { ...situation, clusters, traffic }, spec, ...sides, before, at, unordered });
    return [withoutClusters(judged, decided.weighedOtherwise(both.slice(0, index + 1), traffic, reported))];
  });
  const left = stages[end]?.situation;
  return [...verified, ...(left === undefined ? [] : await verifyLife(world, life.slice(life.indexOf(left)), pause))];
}

/** Without what clusters decided whose hosts weigh by other reports than those of the proxy. */
function withoutClusters(one: VerifiedSituation, apart: ReadonlySet<string>): VerifiedSituation {
  if (apart.size === 0) return one;
  const splits = one.splits.filter(({ cluster }) => !apart.has(cluster));
  const stats = one.stats.filter(({ name }) => ![...apart].some((cluster) => name.startsWith(`cluster.${cluster}.`)));
  return { ...one, splits, stats, agrees: [...splits, ...stats].every(({ agrees }) => agrees) };
}

type Clusters = cases.Situation['clusters'];

/** The hosts that clusters have which are told of them, by their own addresses: names are asked often here, in their own time in the scenario. */
function withFound(clusters: Clusters, found: Clusters, told: ReadonlySet<string>, hosts: AnsweringHosts): Clusters {
  const own = (host: CapturedHost): CapturedHost => ({ ...host, address: hosts.ownOf(host.address) });
  return new Map(
    [...clusters].map(([name, levels]) => [
      name,
      !told.has(name)
        ? levels
        : (found.get(name) ?? []).map((level) => ({
            ...level,
            localities: level.localities.map((one) => ({ ...one, hosts: one.hosts.map(own) })),
          })),
    ]),
  );
}

/** What EDS says in each state: nothing at first, then the assignment of every cluster that changes at some time. */
function updatesOf(states: readonly (readonly Struct[])[]): readonly (readonly Struct[])[] {
  const all = states.map((clusters) =>
    clusters.map(({ load_assignment: one }): Struct => (one !== undefined && isStruct(one) ? one : {})),
  );
  const isChanged = (index: number): boolean => all.some((one) => !sameJson(one[index] ?? {}, all[0]?.[index] ?? {}));
  return all.map((one, state) => (state === 0 ? [] : one.filter((_, index) => isChanged(index))));
}
