import type { Pause } from '../analysis/pause.js';
import { differencesOf, type MixDifference } from '../analysis/fuzz/fuzz-result.js';
import { behaviorOf, type Situation, situationsOf } from '../analysis/verify/situations.js';
import { type Stage, reportedIn, reportsFirst, weighedOtherwise } from '../analysis/verify/own-decisions.js';
import { addressesIn, assignedMessage } from '../analysis/verify/cluster-message.js';
import { judge } from '../analysis/verify/judge.js';
import { assert } from '../core/assert.js';
import { isStruct, type Struct, largest } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import { loadScenarioValue } from '../scenario/load.js';
import type { ProxySpec } from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import { afterUpdates, type Mix, type MixProxy, mixScenario, namesOf } from '../testing/mix/mix.js';
import { AnsweringHosts, withAddresses } from './answering-hosts.js';
import { askBoth, type AskOptions } from './both-sides.js';
import { ProxyFails } from './proxy-process.js';

export type MixQuestionOptions = Omit<AskOptions, 'atOnce'>;

/** What both sides decided after this many updates. */
type DecidedStage = Awaited<ReturnType<typeof decided>>[number];

export type Suspect = Readonly<{ one: Mix; differs: readonly MixDifference[] }>;

/** Clusters that have requests at the same time. */
const AT_ONCE = 8;

/** Puts mixes to both sides, as clusters of one proxy. @returns those that differ. */
export async function suspectsOf(
  proxy: MixProxy,
  mixes: readonly Mix[],
  options: MixQuestionOptions,
): Promise<readonly Suspect[]> {
  if (mixes.length === 0) return [];
  try {
    const stages = await decided(proxy, mixes, options);
    return mixes
      .map((one, position) => ({ one, differs: firstDifferences(stages, namesOf(one, position)) }))
      .filter(({ differs }) => differs.length > 0);
  } catch (error) {
    if (!(error instanceof ProxyFails)) throw error;
    const [one] = mixes;
    if (mixes.length === 1 && one !== undefined) {
      const kind = error.fell ? 'fell' : 'refused';
      const { plan, backup } = one;
      const name = [plan.policy, plan.mode, ...(backup === undefined ? [] : ['aggregate'])].join(' ');
      return [{ one, differs: [{ kind, name, words: error.message }] }];
    }
    // It refuses all for one of them.
    const found: Suspect[] = [];
    for (const each of mixes) found.push(...(await suspectsOf(proxy, [each], options)));
    return found;
  }
}

/** The differences after the first update that has any: later ones may follow from it, as from loads left to chance. */
function firstDifferences(stages: readonly DecidedStage[], clusters: readonly string[]): readonly MixDifference[] {
  for (const { updates, situation, unsettled, apart } of stages) {
    if (updates > 0 && clusters.some((name) => unsettled.has(name))) return [];
    if (clusters.some((name) => apart.has(name))) return [];
    const differs = clusters.flatMap((cluster) => differencesOf(situation, cluster));
    if (differs.length === 0) continue;
    return updates === 0 ? differs : differs.map((one) => ({ ...one, words: `${one.words} after update ${updates}` }));
  }
  return [];
}

/** Whether lbsim takes a mix, with the hosts of each of its updates. */
export const isUsable = (proxy: MixProxy, one: Mix): boolean =>
  stagesOf([one]).every((mixes) => scenarioOf(proxy, mixes, placeByAddress) !== undefined);

/** The mixes as they are at first and after each update. */
function stagesOf(mixes: readonly Mix[]): readonly (readonly Mix[])[] {
  const updates = mixes.map((one) => one.updates.length);
  return Array.from({ length: largest(updates, 0) + 1 }, (_, updates) =>
    mixes.map((one) => afterUpdates(one, updates)),
  );
}

async function decided(proxy: MixProxy, mixes: readonly Mix[], options: MixQuestionOptions) {
  const addresses = new Set(addressesIn(fileOf(proxy, mixes)));
  const hosts = await AnsweringHosts.start(addresses, new Set(), proxy.answers);
  try {
    const at = (address: string): string => hosts.at(address);
    const drawn = await mixStages(proxy, mixes, at, options.pause);
    const reported = reportedIn(drawn[0]?.configs ?? [], drawn[0]?.traffic ?? []);
    const stages = reportsFirst(drawn, reported);
    const [first] = stages;
    assert(first !== undefined, 'mixes have no stage');
    const behavior = behaviorOf(proxy.answers, addresses, at);
    const both = await askBoth({ ...first, behavior, stages }, { ...options, atOnce: AT_ONCE });
    return stages.flatMap((stage, index) => {
      const sides = both[index];
      if (sides === undefined || stage.asked !== undefined) return [];
      const situation = judge({ ...stage, ...sides, at: (address) => address });
      // Clusters whose loads the proxy leaves to chance.
      const { unsettled } = sides.lbsim;
      // Clusters whose hosts weigh by reports that not the same hosts have sent on both sides.
      const apart = weighedOtherwise(both.slice(0, index + 1), stage.traffic, reported);
      return [{ updates: stage.number, situation, unsettled, apart }];
    });
  } finally {
    await hosts.stop();
  }
}

/** What a proxy with these mixes is told and asked, at first and each update. @param at hosts' places, `ip:port`. */
export async function mixStages(proxy: MixProxy, mixes: readonly Mix[], at: (address: string) => string, pause: Pause) {
  const stages: MixStage[] = [];
  for (const [number, now] of stagesOf(mixes).entries()) {
    const scenario = scenarioOf(proxy, now, at);
    assert(scenario !== undefined, 'a mix that was taken is refused');
    const { situations } = await situationsOf(scenario, () => pause(0));
    const [situation] = situations;
    const [spec] = scenario.proxies;
    assert(situation !== undefined && spec !== undefined, 'a mix has no situation');
    const clusters = messagesOf(fileOf(proxy, now), at);
    const traffic = situation.traffic.map((one) => withAddresses(one, at));
    const isUpdated = ({ updates }: Mix): boolean => number > 0 && updates.length >= number;
    const updated = new Set(mixes.flatMap((one, index) => (isUpdated(one) ? namesOf(one, index)[0] : [])));
    const updates = clusters.flatMap(({ name, load_assignment: assignment }) =>
      typeof name === 'string' && updated.has(name) && assignment !== undefined && isStruct(assignment)
        ? [assignment]
        : [],
    );
    const configs = scenario.clusters;
    stages.push({ number, situation: { ...situation, traffic }, spec, configs, clusters, traffic, updates });
  }
  return stages;
}

interface MixStage extends Stage {
  /** Of the updates before it. */
  readonly number: number;
  readonly situation: Situation;
  readonly spec: ProxySpec;
  readonly configs: Scenario['clusters'];
  readonly clusters: readonly Struct[];
}

export const fileOf = (proxy: MixProxy, mixes: readonly Mix[]): Struct =>
  mixScenario(proxy, mixes, MODERN_PROXY_VERSION) as Struct;

const messagesOf = (file: Struct, at: (address: string) => string): readonly Struct[] =>
  (file['clusters'] as readonly Struct[]).map((cluster) => assignedMessage(cluster, at));

/** The mixes with their hosts at these ports; undefined: lbsim refuses them. */
function scenarioOf(proxy: MixProxy, mixes: readonly Mix[], at: (address: string) => string): Scenario | undefined {
  const file = fileOf(proxy, mixes);
  return loadScenarioValue({ api: 'v3', ...file, clusters: messagesOf(file, at) }, 'a mix').scenario;
}

/** Any port will do where no host is asked: one for each address. */
export const placeByAddress = (address: string): string =>
  `127.0.0.1:${10_001 + Number(/\.(\d+):/.exec(address)?.[1] ?? 0)}`;
