import { differencesOf, type MixDifference } from '../analysis/fuzz/fuzz-result.js';
import type { VerifiedSituation } from '../analysis/verify/verification.js';
import { assert } from '../core/assert.js';
import type { Struct } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import { loadScenarioValue } from '../scenario/load.js';
import { type Mix, type MixProxy, mixScenario, namesOf } from '../testing/mix/mix.js';
import { ProxyFails } from './proxy-process.js';
import { verify, type VerifyOptions } from './verify.js';

export type MixQuestionOptions = Omit<VerifyOptions, 'atOnce' | 'live' | 'record' | 'recording'>;

export type Suspect = Readonly<{ one: Mix; differs: readonly MixDifference[] }>;

/** Clusters that have requests at the same time. */
const AT_ONCE = 8;

/** Puts mixes to both sides, as clusters of one proxy. @returns those that differ. */
export async function suspectsOf(
  proxy: MixProxy,
  mixes: readonly Mix[],
  options: MixQuestionOptions & Pick<VerifyOptions, 'record'>,
): Promise<readonly Suspect[]> {
  if (mixes.length === 0) return [];
  const scenario = scenarioOf(proxy, mixes);
  assert(scenario !== undefined, 'mixes that were taken one by one are refused together');
  try {
    const { situations } = await verify(scenario, { ...options, atOnce: AT_ONCE, live: haveUpdates(mixes) });
    return mixes
      .map((one, position) => ({ one, differs: firstDifferences(situations, namesOf(one, position)) }))
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

export const haveUpdates = (mixes: readonly Mix[]): boolean => mixes.some(({ updates }) => updates.length > 0);

/** The differences after the first update that has any: later ones may follow from it. */
function firstDifferences(all: readonly VerifiedSituation[], clusters: readonly string[]): readonly MixDifference[] {
  for (const situation of all) {
    const differs = clusters.flatMap((cluster) => differencesOf(situation, cluster));
    if (differs.length === 0) continue;
    // One a second.
    const updates = Math.floor(situation.from_s);
    return updates === 0 ? differs : differs.map((one) => ({ ...one, words: `${one.words} after update ${updates}` }));
  }
  return [];
}

/** Whether lbsim takes a mix. */
export const isUsable = (proxy: MixProxy, one: Mix): boolean => scenarioOf(proxy, [one]) !== undefined;

/** Checks, ejection and limits have nothing to do in a mix: neither side is given them. */
const NOT_ASKED: readonly string[] = ['health_checks', 'outlier_detection', 'circuit_breakers'];

/** The mixes as a file has them, with what is asked of their clusters. */
export function fileOf(proxy: MixProxy, mixes: readonly Mix[]): Struct {
  const file = mixScenario(proxy, mixes, MODERN_PROXY_VERSION) as Struct;
  const clusters = (file['clusters'] as readonly Struct[]).map((cluster) =>
    Object.fromEntries(Object.entries(cluster).filter(([name]) => !NOT_ASKED.includes(name))),
  );
  return { api: 'v3', ...file, clusters };
}

/** undefined: lbsim refuses them. */
export const scenarioOf = (proxy: MixProxy, mixes: readonly Mix[]): Scenario | undefined =>
  loadScenarioValue(fileOf(proxy, mixes), 'a mix').scenario;

/** Any port will do where no host is asked: one for each address. */
export const placeByAddress = (address: string): string =>
  `127.0.0.1:${10_001 + Number(/\.(\d+):/.exec(address)?.[1] ?? 0)}`;
