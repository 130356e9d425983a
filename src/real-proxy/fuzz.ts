import fc from 'fast-check';
import type { FuzzDifference, FuzzResult } from '../analysis/fuzz/fuzz-result.js';
import type { Pause } from '../analysis/pause.js';
import { addressesIn, assignedMessage } from '../analysis/verify/cluster-message.js';
import { judge } from '../analysis/verify/judge.js';
import { situationsOf } from '../analysis/verify/situations.js';
import type { VerifiedSituation } from '../analysis/verify/verification.js';
import { assert } from '../core/assert.js';
import { isList, type JsonValue, type Struct } from '../core/json-value.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import { listed } from '../core/words.js';
import { loadScenarioValue } from '../scenario/load.js';
import type { Scenario } from '../scenario/model.js';
import { type Mix, mix, type MixProxy, mixProxy, mixScenario, nameOf } from '../testing/mix/mix.js';
import { partsOf, without } from '../testing/mix/smaller.js';
import { document } from '../testing/scenario-file.js';
import { AnsweringHosts } from './answering-hosts.js';
import { askBoth } from './both-sides.js';
import type { ProxyBinary } from './find-proxy.js';
import { ProxyFails } from './proxy-process.js';

export interface FuzzOptions {
  readonly binary: ProxyBinary;
  /** Of the first mixes: each seed makes {@link MIXES_PER_SEED}. */
  readonly seed: number;
  /** Mixes. */
  readonly runs: number;
  /** Requests of each stream of a mix. */
  readonly requests: number;
  /** Looking for something smaller ends then, for each difference. */
  readonly shrinkMs: number;
  readonly pause: Pause;
  /** Called with each difference as it is found. @returns where it was saved. */
  readonly found: (difference: FuzzDifference) => Promise<string | undefined>;
  /** The user wants no more, and `pause` rejects. */
  readonly isOver: () => boolean;
}

/** So many mixes are clusters of one proxy. */
export const MIXES_PER_SEED = 50;
/** A difference has to show again, alone, with so many times the requests. */
const SURE = 4;
const REFUSED = 'refused: ';
/** Clusters that have requests at the same time. */
const AT_ONCE = 8;

/**
 * Puts random mixes of policies, priorities, weights, zones, subsets, panic and health to a real proxy and to lbsim. What
 * differs is asked again alone, and made as small as it can be.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { binary, runs, seed: first, pause, isOver } = options;
  const features = new Map<string, number>();
  const differences: Counted[] = [];
  // A statistic that is wrong is made small once: the others are counted.
  const kinds = new Map<string, Counted>();
  let [seed, tried, refused, requests, byChance] = [first, 0, 0, 0, 0];
  const trySeed = async (): Promise<void> => {
    const size = Math.min(MIXES_PER_SEED, runs - tried - refused);
    const { proxy, mixes } = drawn(seed, size);
    const usable = mixes.filter((one) => scenarioOf(proxy, [one]) !== undefined);
    const share = (done: number): Promise<void> => pause((tried + refused + done * size) / runs);
    const suspects = await suspectsOf(proxy, usable, { ...options, pause: share });
    const stay: Pause = () => share(1);
    for (const { one, wrong } of suspects) {
      const known = wrong.map((each) => kinds.get(kindOf(each)));
      if (known.every((first) => first !== undefined)) {
        for (const first of new Set(known)) first.alike++;
        continue;
      }
      const difference = await differenceOf(
        proxy,
        { seed, index: mixes.indexOf(one), one },
        { ...options, pause: stay },
      );
      if (difference === undefined) {
        byChance++;
        continue;
      }
      differences.push(difference);
      for (const each of wrong) if (isOfStatistic(each)) kinds.set(kindOf(each), difference);
    }
    tried += usable.length;
    refused += size - usable.length;
    for (const { plan, matches } of usable) {
      requests += matches.length * options.requests;
      for (const feature of [plan.policy, plan.mode]) features.set(feature, (features.get(feature) ?? 0) + 1);
    }
  };
  try {
    for (; tried + refused < runs; seed++) await trySeed();
  } catch (error) {
    if (!isOver()) throw error;
  }
  return {
    proxy_version: binary.version,
    simulated_version: MODERN_PROXY_VERSION,
    first_seed: first,
    next_seed: seed,
    tried,
    refused,
    requests,
    features: [...features].sort().map(([feature, count]) => ({ feature, tried: count })),
    by_chance: byChance,
    differences,
    interrupted: tried + refused < runs,
  };
}

interface Drawn {
  readonly proxy: MixProxy;
  readonly mixes: readonly Mix[];
}

/** The proxy and the mixes of a seed: the same ones, however many are asked for. */
function drawn(seed: number, size: number): Drawn {
  const [proxy] = fc.sample(mixProxy(), { seed, numRuns: 1 });
  assert(proxy !== undefined, 'no proxy was drawn');
  return { proxy, mixes: fc.sample(mix(), { seed, numRuns: size }) };
}

/** Those that differ; where the proxy does not take all of them together, each is asked alone. */
async function suspectsOf(proxy: MixProxy, mixes: readonly Mix[], options: FuzzOptions): Promise<readonly Suspect[]> {
  if (mixes.length === 0) return [];
  try {
    const verified = await decided(proxy, mixes, options);
    return mixes
      .map((one, position) => ({ one, wrong: wrongOf(verified, nameOf(one, position)) }))
      .filter(({ wrong }) => wrong.length > 0);
  } catch (error) {
    if (!(error instanceof ProxyFails)) throw error;
    const [one] = mixes;
    if (mixes.length === 1 && one !== undefined) return [{ one, wrong: [`${REFUSED}${error.message}`] }];
    const found: Suspect[] = [];
    for (const each of mixes) found.push(...(await suspectsOf(proxy, [each], options)));
    return found;
  }
}

/** Both sides' decisions of these mixes beside each other. */
async function decided(
  proxy: MixProxy,
  mixes: readonly Mix[],
  { binary, requests, pause }: Pick<FuzzOptions, 'binary' | 'requests' | 'pause'>,
): Promise<VerifiedSituation> {
  const hosts = await AnsweringHosts.start(new Set(addressesIn(fileOf(proxy, mixes))));
  try {
    const scenario = scenarioOf(proxy, mixes, (address) => hosts.portOf(address));
    assert(scenario !== undefined, 'a mix that was taken is refused');
    const { situations } = await situationsOf(scenario, () => pause(0));
    const [situation] = situations;
    const [spec] = scenario.proxies;
    assert(situation !== undefined && spec !== undefined, 'a mix has no situation');
    const clusters = messagesOf(fileOf(proxy, mixes), (address) => hosts.portOf(address));
    const question = { spec, clusters, traffic: situation.traffic };
    const sides = await askBoth(question, { file: binary.file, requests, atOnce: AT_ONCE, pause });
    return judge({ situation, spec, ...sides, at: (address) => address });
  } finally {
    await hosts.stop();
  }
}

function fileOf(proxy: MixProxy, mixes: readonly Mix[]): Struct {
  return mixScenario(proxy, mixes, MODERN_PROXY_VERSION) as Struct;
}

function messagesOf(file: Struct, portOf: (address: string) => number): readonly Struct[] {
  return (file['clusters'] as readonly Struct[]).map((cluster) => assignedMessage(cluster, portOf));
}

/** The mixes with their hosts at these ports; undefined: lbsim refuses them. */
function scenarioOf(
  proxy: MixProxy,
  mixes: readonly Mix[],
  portOf: (address: string) => number = portByAddress,
): Scenario | undefined {
  const file = fileOf(proxy, mixes);
  return loadScenarioValue({ api: 'v3', ...file, clusters: messagesOf(file, portOf) }, 'a mix').scenario;
}

/** Any port will do where nobody is asked: one for each address. */
function portByAddress(address: string): number {
  return 1 + Number(/\.(\d+):/.exec(address)?.[1] ?? 0);
}

/** What differs of a cluster, in words. */
function wrongOf({ splits, stats }: VerifiedSituation, name: string): readonly string[] {
  return [
    ...splits
      .filter((split) => split.cluster === name && !split.agrees)
      .map(({ keys, order }) => {
        if (keys !== undefined && keys.differ > 0) return `${keys.differ} of ${keys.compared} keys`;
        return order?.agrees === false ? 'the order of picks' : 'the split';
      }),
    ...stats
      .filter((stat) => stat.name.startsWith(`cluster.${name}.`) && !stat.agrees)
      .map(
        ({ name: stat, proxy, lbsim }) => `${stat.slice(`cluster.${name}.`.length)} (${proxy} there, ${lbsim} here)`,
      ),
  ];
}

type Counted = FuzzDifference & { alike: number };

/** A mix, and what was wrong of it. */
interface Suspect {
  readonly one: Mix;
  readonly wrong: readonly string[];
}

/** Asks again, alone, with more requests; makes it smaller. undefined: it agrees then. */
async function differenceOf(
  proxy: MixProxy,
  { seed, index, one }: { readonly seed: number; readonly index: number; readonly one: Mix },
  options: FuzzOptions,
): Promise<Counted | undefined> {
  const [sure] = await suspectsOf(proxy, [one], { ...options, requests: options.requests * SURE });
  if (sure === undefined) return undefined;
  const smallest = await smallestOf(proxy, sure, options);
  const what = listed(smallest.suspect.wrong);
  const scenario = savedScenario(smallest.proxy, smallest.suspect.one, what, `mix-${seed}-${index}`);
  const difference = { seed, mix: index, what, alike: 0, scenario };
  const file = await options.found(difference);
  return { ...difference, ...(file !== undefined && { file }) };
}

/**
 * Leaves out of a mix whatever its difference does not need: each part by itself, as clusters of one proxy, then as many
 * of those together as go together, until nothing more can go.
 */
async function smallestOf(
  proxy: MixProxy,
  first: Suspect,
  options: FuzzOptions,
): Promise<{ readonly proxy: MixProxy; readonly suspect: Suspect }> {
  const endMs = performance.now() + options.shrinkMs;
  const asked = new Set(first.wrong.map(kindOf));
  const isAsWrong = ({ wrong }: Suspect): boolean => wrong.some((each) => asked.has(kindOf(each)));
  const stillWrong = async (candidates: readonly Mix[], at = proxy): Promise<readonly Suspect[]> => {
    const usable = candidates.filter((one) => scenarioOf(at, [one]) !== undefined);
    return (await suspectsOf(at, usable, options)).filter(isAsWrong);
  };
  let suspect = first;
  let isSmallest = false;
  // A proxy that refuses one refuses all that are beside it.
  while (!isSmallest && !first.wrong.some((wrong) => wrong.startsWith(REFUSED))) {
    isSmallest = true;
    const parts = partsOf(suspect.one);
    for (let start = 0; start < parts.length; start += MIXES_PER_SEED) {
      if (performance.now() > endMs) break;
      const { one } = suspect;
      const tried = parts.slice(start, start + MIXES_PER_SEED);
      const smaller = new Map(tried.map((part) => [without(one, [part]), part]));
      const wrong = await stillWrong([...smaller.keys()]);
      let together = wrong.map((each) => smaller.get(each.one)).filter((part) => part !== undefined);
      while (together.length > 0) {
        const [all] = await stillWrong([without(one, together)]);
        if (all !== undefined) {
          suspect = all;
          isSmallest = false;
          break;
        }
        together = together.slice(0, Math.floor(together.length / 2));
      }
      // Positions in lists have moved.
      if (!isSmallest) break;
    }
  }
  for (const simpler of [
    { ...proxy, workers: 1 },
    { ...proxy, runtime: {} },
    { ...proxy, local: undefined },
  ]) {
    if (performance.now() > endMs) break;
    const [same] = await stillWrong([suspect.one], simpler);
    if (same !== undefined) return { proxy: simpler, suspect: same };
  }
  return { proxy, suspect };
}

/** What differs, whatever the figures are. */
function kindOf(wrong: string): string {
  return wrong.replace(/\d+/g, '');
}

function isOfStatistic(wrong: string): boolean {
  return / there, .+ here\)$/.test(wrong);
}

function savedScenario(proxy: MixProxy, one: Mix, what: string, name: string): string {
  const { proxy: value, clusters, workloads } = fileOf(proxy, [one]);
  const lines = (values: JsonValue | undefined): readonly { readonly value: unknown }[] =>
    (isList(values ?? null) ? (values as readonly JsonValue[]) : []).map((each) => ({ value: each }));
  return document(
    {
      header: [`Drawn as ${name}. The proxy decides otherwise: ${what}.`],
      description: 'A mix that a real proxy decides otherwise',
    },
    { seed: 1, proxies: [{ value }], clusters: lines(clusters), endpoints: {}, workloads: lines(workloads) },
  );
}
