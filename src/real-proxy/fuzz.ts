import fc from 'fast-check';
import * as fuzzResult from '../analysis/fuzz/fuzz-result.js';
import { NO_PAUSE, type Pause } from '../analysis/pause.js';
import { addressesOf, lastingAnswers, situationsOf } from '../analysis/verify/situations.js';
import { loadScenarioValue } from '../scenario/load.js';
import { assert } from '../core/assert.js';
import {
  isList,
  isStruct,
  type JsonValue,
  type Struct,
  entryOf,
  largest,
  present,
  type Writable,
} from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import { listed } from '../core/words.js';
import {
  type Mix,
  mix,
  mixInTime,
  type MixProxy,
  mixProxy,
  mixWithRoute,
  mixWithTimeline,
  PLAYED_S,
  streamsOf,
} from '../testing/mix/mix.js';
import { document } from '../testing/scenario-file.js';
import * as mixQuestion from './mix-question.js';
import { assignedByFile, assignmentFile, assignmentMessage, clusterNameOf } from '../analysis/verify/own-decisions.js';
import { answerOf } from './answering-host.js';
import { headersOf } from './both-sides.js';
import { type PartPath, partsOf, without } from '../testing/mix/smaller.js';
import { bootstrapMessage, hostListener } from './proxy-process.js';
import type { Recording } from './recording.js';
import { questionOf } from './verify.js';

/** So many smaller mixes are tried as clusters of one proxy. */
const AT_ONCE = 50;
/** And so many are played before it is looked what is left of the time. */
const AT_ONCE_PLAYED = 8;

/**
 * Leaves out of a mix whatever its difference does not need, until nothing more can go: at each depth the last part of a
 * list first, which moves none of those before it. Each part goes by itself, in clusters of one proxy, then as many of
 * those together as go together; a proxy that refuses a mix, or falls at it, takes others with it, and gets one at a time.
 * @param limitMs it ends then at the latest, but for what is under way.
 */
async function smallestOf(
  proxy: MixProxy,
  first: mixQuestion.Suspect,
  limitMs: number,
  options: mixQuestion.MixQuestionOptions,
): Promise<{ readonly proxy: MixProxy; readonly suspect: mixQuestion.Suspect }> {
  const endMs = performance.now() + limitMs;
  const isOver = (): boolean => performance.now() > endMs;
  const kinds = new Set(first.differs.map(fuzzResult.kindOf));
  const stillDiffer = async (candidates: readonly Mix[], at = proxy): Promise<readonly mixQuestion.Suspect[]> => {
    const usable = candidates.filter((one) => mixQuestion.isUsable(at, one));
    return (await mixQuestion.suspectsOf(at, usable, options)).filter(({ differs }) =>
      differs.some((each) => kinds.has(fuzzResult.kindOf(each))),
    );
  };
  /** Without as many of these parts as go together. */
  const lessOf = async (whole: mixQuestion.Suspect, parts: readonly PartPath[]): Promise<mixQuestion.Suspect> => {
    const all = partsOf(whole.one).length;
    const smaller = new Map(parts.map((part) => [without(whole.one, [part]), part]));
    // What a mix has to have comes back.
    const differ = await stillDiffer([...smaller.keys()].filter((one) => partsOf(one).length < all));
    if (parts.length === 1) return differ[0] ?? whole;
    let together = present(differ.map(({ one }) => smaller.get(one)));
    for (; together.length > 0; together = together.slice(0, Math.floor(together.length / 2))) {
      const [less] = await stillDiffer([without(whole.one, together)]);
      if (less !== undefined) return less;
    }
    return whole;
  };
  const isPlayed = first.one.timed !== undefined;
  const atOnce = isPlayed ? AT_ONCE_PLAYED : first.differs.every(fuzzResult.isAnswered) ? AT_ONCE : 1;
  const depthOf = ({ length }: PartPath): number => length;
  let suspect = first;
  for (let before: mixQuestion.Suspect | undefined; before !== suspect;) {
    before = suspect;
    for (let depth = 1; depth <= largest(partsOf(suspect.one).map(depthOf), 0); depth++) {
      const parts = partsOf(suspect.one).filter((part) => depthOf(part) === depth);
      for (let last = parts.length; last > 0 && !isOver(); last -= atOnce)
        suspect = await lessOf(suspect, parts.slice(Math.max(0, last - atOnce), last));
    }
  }
  let simplest = proxy;
  for (const change of [{ workers: 1 }, { runtime: {} }, { local: undefined }, { answers: [] }]) {
    if (isOver()) break;
    const simpler = { ...simplest, ...change };
    const [same] = await stillDiffer([suspect.one], simpler);
    if (same !== undefined) [simplest, suspect] = [simpler, same];
  }
  return { proxy: simplest, suspect };
}

const BOOTSTRAP = 'bootstrap.json';
const ADMIN = 9901;
const PORT = 10000;

/** What makes a proxy fall at this mix without lbsim: hosts are listeners of the same proxy. */
async function crashOf(proxy: MixProxy, one: Mix, requests: number): Promise<fuzzResult.FuzzCrash> {
  const scenario = mixQuestion.scenarioOf(proxy, [one]);
  assert(scenario !== undefined, 'a mix that was taken is refused');
  const { situations } = await situationsOf(scenario, NO_PAUSE, mixQuestion.haveUpdates([one]));
  // No cluster is one of DNS.
  const same = (name: string): string => name;
  const hosts = { at: mixQuestion.placeByAddress, ipAt: same, portAt: same };
  const about = { scenario, named: new Map(), answers: new Map(), hosts };
  const { spec, stages, traffic, ...start } = questionOf(about, situations);
  const addresses = addressesOf(situations);
  const answers = lastingAnswers(scenario, situations, true);
  const listeners = [...addresses].map((address) => {
    const { status, headers } = answerOf(answers.get(address));
    const port = Number(mixQuestion.placeByAddress(address).split(':')[1]);
    return hostListener(address, port, status, headers);
  });
  const { clusters, first } = assignedByFile(start.clusters, stages);
  const places = { admin: ADMIN, port: PORT, listeners };
  const bootstrap = bootstrapMessage(clusters, spec, traffic, undefined, places);
  const files = new Map([[BOOTSTRAP, `${JSON.stringify(bootstrap, undefined, 2)}\n`]]);
  const write = (file: string, version: number, assignment: (typeof first)[number]): void => {
    files.set(file, `${JSON.stringify(assignmentMessage(assignment, version), undefined, 2)}\n`);
  };
  for (const assignment of first) write(fileNameOf(assignment), 1, assignment);
  const commands = [
    `\${ENVOY:-envoy} -c ${BOOTSTRAP} --concurrency ${spec.workers} --disable-hot-restart -l error &`,
    `until curl -sf -o /dev/null http://127.0.0.1:${ADMIN}/ready; do sleep 0.1; done`,
  ];
  for (const [index, { updates, traffic }] of stages.entries()) {
    for (const assignment of updates) {
      const name = fileNameOf(assignment);
      const next = name.replace(/json$/, `${index + 1}.json`);
      write(next, index + 1, assignment);
      commands.push(`mv ${next} ${name}`);
    }
    for (const [number, stream] of traffic.entries()) {
      const headers = Object.entries(headersOf(stream, number, 0)).map(([name, value]) => `-H '${name}: ${value}'`);
      commands.push(
        `for i in $(seq ${requests}); do curl -s -o /dev/null ${headers.join(' ')} http://127.0.0.1:${PORT}/; done`,
      );
    }
  }
  return { files: Object.fromEntries(files), commands };
}

const fileNameOf = (assignment: Parameters<typeof clusterNameOf>[0]): string =>
  assignmentFile(clusterNameOf(assignment)).replace('./', '');

export interface FuzzOptions extends mixQuestion.MixQuestionOptions {
  /** Of the first mixes: each seed makes {@link MIXES_PER_SEED}. */
  readonly seed: number;
  /** Mixes. */
  readonly runs: number;
  /** The hosts of each mix change while the proxy runs. */
  readonly timelines: boolean;
  /** The requests of each mix have a route over two clusters. */
  readonly routes?: boolean | undefined;
  /** Each mix is played in real time. */
  readonly played?: boolean | undefined;
  /** Looking for something smaller ends then, for each difference. */
  readonly shrinkMs: number;
  /** Called with each difference as it is found. @returns where it was saved. */
  readonly found: (difference: fuzzResult.FuzzDifference) => Promise<string | undefined>;
  /** Each mix has a proxy of its own, and this gets what it did. @param scenario a file. */
  readonly keep?: ((name: string, scenario: string, recording: Recording) => Promise<void>) | undefined;
  /** The user wants no more, and `pause` rejects. */
  readonly isOver: () => boolean;
}

/** So many mixes are clusters of one proxy. */
const MIXES_PER_SEED = 50;
/** A difference has to show again, alone, with this many times the requests. */
const SURE = 4;

/**
 * Puts random mixes of policies, priorities, weights, zones, subsets, panic and health to a real proxy and to lbsim. What
 * differs is asked again alone, and made as small as it can be.
 */
export async function fuzz(options: FuzzOptions): Promise<fuzzResult.FuzzResult> {
  const { binary, runs, seed: first, timelines, routes, played = false, pause, isOver, keep } = options;
  const features = new Map<string, Counts>();
  const differences: Counted[] = [];
  // A statistic that is wrong, and a way to fall, is made small once: the others are counted.
  const kinds = new Map<string, Counted>();
  let [seed, tried, refused, notJudged, requests, byChance] = [first, 0, 0, 0, 0, 0];
  const trySeed = async (): Promise<void> => {
    const size = Math.min(MIXES_PER_SEED, runs - done());
    const { proxy, mixes } = drawn(
      seed,
      size,
      played ? mixInTime() : timelines ? mixWithTimeline() : routes === true ? mixWithRoute() : mix(),
    );
    const usable = mixes.filter((one) => mixQuestion.isUsable(proxy, one));
    const share = (part: number): Promise<void> => pause((done() + part * size) / runs);
    const apart = new Set<Mix>();
    const record = async (recording: Recording, recorded: readonly Mix[]): Promise<void> => {
      requests += recording.played?.requests.length ?? 0;
      for (const one of keep === undefined ? [] : recorded) {
        const name = `mix-${seed}-${mixes.indexOf(one)}`;
        const { scenario } = await savedScenario(proxy, one, [`Drawn as ${name}.`], 'A recorded mix');
        await keep?.(name, scenario, recording);
      }
    };
    const unjudged = (one: Mix): unknown => apart.add(one);
    const ask = { binary, requests: options.requests, pause: share, record, unjudged };
    const suspects: mixQuestion.Suspect[] = [];
    // A case is what a proxy of its own did.
    for (const group of keep === undefined || played ? [usable] : usable.map((one) => [one]))
      suspects.push(...(await mixQuestion.suspectsOf(proxy, group, ask)));
    const stay: Pause = () => share(1);
    for (const { one, differs } of suspects) {
      const known = differs.map((each) => kinds.get(fuzzResult.kindOf(each)));
      if (known.every((before) => before !== undefined)) {
        for (const before of new Set(known)) before.alike++;
        countFeatures(features, one, kindOfAll(differs));
        continue;
      }
      const place = { seed, index: mixes.indexOf(one), one };
      const difference = await differenceOf(proxy, place, { ...options, pause: stay, unjudged });
      if (difference === undefined) {
        if (!apart.has(one)) byChance++;
        continue;
      }
      differences.push(difference);
      countFeatures(features, one, kindOfAll(difference.differs));
      for (const each of differs)
        if (each.kind === 'statistic' || each.kind === 'fell') kinds.set(fuzzResult.kindOf(each), difference);
    }
    const judged = usable.filter((one) => !apart.has(one));
    tried += judged.length;
    notJudged += usable.length - judged.length;
    refused += size - usable.length;
    for (const one of judged) {
      if (!played) requests += streamsOf(one).length * options.requests * (one.updates.length + 1);
      countFeatures(features, one, 'tried');
    }
  };
  const done = (): number => tried + refused + notJudged;
  try {
    for (; done() < runs; seed++) await trySeed();
  } catch (error) {
    if (!isOver()) throw error;
  }
  return {
    proxy_version: binary.version,
    simulated_version: MODERN_PROXY_VERSION,
    timelines,
    played,
    first_seed: first,
    next_seed: seed,
    tried,
    refused,
    not_judged: notJudged,
    requests,
    features: [...features].sort(([a], [b]) => (a < b ? -1 : 1)).map(([feature, counts]) => ({ feature, ...counts })),
    by_chance: byChance,
    differences,
    interrupted: done() < runs,
  };
}

type Counts = Omit<Writable<fuzzResult.FuzzFeature>, 'feature'>;

/** Adds one to this count of each of its features: of its policy and of its way to route. */
function countFeatures(
  features: Map<string, Counts>,
  { plan, backup, wanted, routed, timed }: Mix,
  count: keyof Counts,
): void {
  const more = [
    ...(backup === undefined ? [] : [routed === undefined ? 'aggregate' : 'route']),
    ...(wanted === undefined ? [] : ['override_host']),
    ...Object.keys({ ...timed?.cluster, ...timed?.workload }),
  ];
  for (const feature of [plan.policy, plan.mode, ...more]) {
    const none = { tried: 0, decided_otherwise: 0, counted_otherwise: 0, refused_there: 0 };
    entryOf(features, feature, () => none)[count]++;
  }
}

function kindOfAll(differs: readonly fuzzResult.MixDifference[]): Exclude<keyof Counts, 'tried'> {
  if (!differs.every(fuzzResult.isAnswered)) return 'refused_there';
  return differs.some(fuzzResult.isDecision) ? 'decided_otherwise' : 'counted_otherwise';
}

/** The proxy and the mixes of a seed: the same ones, however many are asked for. */
function drawn(
  seed: number,
  size: number,
  one: fc.Arbitrary<Mix>,
): Readonly<{ proxy: MixProxy; mixes: readonly Mix[] }> {
  const [proxy] = fc.sample(mixProxy(), { seed, numRuns: 1 });
  assert(proxy !== undefined, 'no proxy was drawn');
  return { proxy, mixes: fc.sample(one, { seed, numRuns: size }) };
}

type Counted = fuzzResult.FuzzDifference & { alike: number };

/** Asks again, alone, with more requests; makes it smaller. undefined: it agrees then. */
async function differenceOf(
  proxy: MixProxy,
  { seed, index, one }: { readonly seed: number; readonly index: number; readonly one: Mix },
  options: FuzzOptions,
): Promise<Counted | undefined> {
  const [sure] = await mixQuestion.suspectsOf(proxy, [one], { ...options, requests: options.requests * SURE });
  if (sure === undefined) return undefined;
  const smallest = await smallestOf(proxy, sure, options.shrinkMs, options);
  const { one: smaller, differs } = smallest.suspect;
  const what = listed(differs.map(({ words }) => words));
  const header = [
    `Drawn as mix-${seed}-${index}. What differs: ${what}.`,
    `lbsim verify ${howOf(smaller, options.requests * SURE)} asks both sides again.`,
  ];
  const description = 'A mix that a real proxy does not answer as lbsim does';
  const { scenario, left } = await savedScenario(smallest.proxy, smaller, header, description);
  const fell = differs.some(({ kind }) => kind === 'fell') && one.timed === undefined;
  const crash = fell ? await crashOf(smallest.proxy, smaller, options.requests * SURE) : undefined;
  const difference = {
    seed,
    mix: index,
    differs,
    alike: 0,
    scenario,
    not_held: left,
    ...(crash !== undefined && { crash }),
  };
  const file = await options.found(difference);
  return { ...difference, ...(file !== undefined && { file }) };
}

/** The options of `verify` that ask the same. */
const howOf = ({ updates, timed }: Mix, requests: number): string =>
  timed === undefined ? `${updates.length > 0 ? '--live ' : ''}--requests ${requests}` : `--play ${PLAYED_S}s`;

/** As a file has it. @returns besides, what of it `verify` does not ask. */
async function savedScenario(proxy: MixProxy, one: Mix, header: readonly string[], description: string) {
  const { proxy: own, clusters, workloads, behavior, timeline } = mixQuestion.fileOf(proxy, [one]);
  const entries = (values: JsonValue | undefined): readonly Struct[] => (isList(values) ? values.filter(isStruct) : []);
  const sections = {
    ...{ seed: 1, proxies: entries([own ?? {}]), clusters: entries(clusters), endpoints: {} },
    ...{ workloads: entries(workloads), behavior: entries(behavior), timeline: entries(timeline) },
  };
  const { scenario: read } = loadScenarioValue({ api: 'v3', ...sections }, 'a mix');
  const left =
    read === undefined || one.timed !== undefined
      ? []
      : (await situationsOf(read, NO_PAUSE, one.updates.length > 0)).notCompared;
  const words = left.map(({ what, why }) => `It does not ask of ${what}: ${why}.`);
  return { scenario: `${document({ header: [...header, ...words], description }, sections)}api: v3\n`, left };
}
