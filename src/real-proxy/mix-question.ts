import { availableParallelism } from 'node:os';
import { differencesOf, type MixDifference } from '../analysis/fuzz/fuzz-result.js';
import { BUSY_MS } from '../analysis/verify/played.js';
import type { VerifiedSituation } from '../analysis/verify/verification.js';
import { assert } from '../core/assert.js';
import { NoAnswer } from '../core/no-answer.js';
import type { Struct } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import { loadScenarioValue } from '../scenario/load.js';
import { type Mix, type MixProxy, mixScenario, namesOf, PLAYED_S } from '../testing/mix/mix.js';
import { play } from './play.js';
import { ProxyFails } from './proxy-process.js';
import type { Recording } from './recording.js';
import { verify, type VerifyOptions } from './verify.js';

export interface MixQuestionOptions extends Omit<VerifyOptions, 'atOnce' | 'live' | 'record' | 'recording'> {
  /** Is told what a proxy did with these. */
  readonly record?: ((recording: Recording, mixes: readonly Mix[]) => Promise<void>) | undefined;
  /** Is told which cannot be judged: this machine was late, or nothing of them can be played. */
  readonly unjudged?: (one: Mix) => void;
}

export type Suspect = Readonly<{ one: Mix; differs: readonly MixDifference[] }>;

/** Clusters that have requests at the same time. */
const AT_ONCE = 8;

/** Puts mixes to both sides: as clusters of one proxy, or each played by a proxy of its own. @returns those that differ. */
export async function suspectsOf(
  proxy: MixProxy,
  mixes: readonly Mix[],
  options: MixQuestionOptions,
): Promise<readonly Suspect[]> {
  if (mixes.length === 0) return [];
  if (mixes.some(({ timed }) => timed !== undefined)) return playedOf(proxy, mixes, options);
  const { record: told, ...asked } = options;
  const record = told && ((recording: Recording): Promise<void> => told(recording, mixes));
  const scenario = scenarioOf(proxy, mixes);
  assert(scenario !== undefined, 'mixes that were taken one by one are refused together');
  try {
    const { situations } = await verify(scenario, { ...asked, record, atOnce: AT_ONCE, live: haveUpdates(mixes) });
    return mixes
      .map((one, position) => ({ one, differs: firstDifferences(situations, namesOf(one, position)) }))
      .filter(({ differs }) => differs.length > 0);
  } catch (error) {
    if (!(error instanceof ProxyFails)) throw error;
    const [one] = mixes;
    if (mixes.length === 1 && one !== undefined) return [failedAt(one, error)];
    // It refuses all for one of them.
    const found: Suspect[] = [];
    for (const each of mixes) found.push(...(await suspectsOf(proxy, [each], options)));
    return found;
  }
}

function failedAt(one: Mix, { fell, message }: ProxyFails): Suspect {
  const { plan, backup } = one;
  const name = [plan.policy, plan.mode, ...(backup === undefined ? [] : ['aggregate'])].join(' ');
  return { one, differs: [{ kind: fell ? 'fell' : 'refused', name, words: message }] };
}

/** As many as play beside each other without timers that come late, on a machine that has little else to do. */
const MOST_BESIDE = 2 * availableParallelism();
/** A mix is played so often until timers were in time. */
const PLAYS = 3;

/** Plays some of the mixes at a time: fewer where timers came late. */
async function playedOf(
  proxy: MixProxy,
  mixes: readonly Mix[],
  options: MixQuestionOptions,
): Promise<readonly Suspect[]> {
  const found: Suspect[] = [];
  const waiting = mixes.map((one) => ({ one, plays: 1 }));
  let beside = MOST_BESIDE;
  while (waiting.length > 0) {
    const group = waiting.splice(0, beside);
    const played = await playBeside(proxy, group, options);
    for (const { one, plays, differs, isLate } of played) {
      if (differs === undefined && isLate) waiting.push({ one, plays: plays + 1 });
      // Late answers differ by themselves, but where nothing differs there is nothing to say.
      else if (differs === undefined || (isLate && differs.length === 0)) options.unjudged?.(one);
      else if (differs.length > 0) found.push({ one, differs });
    }
    beside = played.some(({ isLate }) => isLate) ? Math.max(1, beside - 1) : Math.min(MOST_BESIDE, beside + 1);
  }
  return found;
}

type ToPlay = Readonly<{ one: Mix; plays: number }>;
/** `differs`: undefined: it is not judged. */
type Played = ToPlay & Readonly<{ differs: readonly MixDifference[] | undefined; isLate: boolean }>;

/** All start together, and what costs time, to prepare and to judge, is done while none is played. */
async function playBeside(
  proxy: MixProxy,
  group: readonly ToPlay[],
  { record, ...options }: MixQuestionOptions,
): Promise<readonly Played[]> {
  const [starts, ends] = [new Meeting(group.length), new Meeting(group.length)];
  const playOne = async ({ one, plays }: ToPlay): Promise<Played> => {
    const [together, over] = [starts.guest(), ends.guest()];
    const scenario = scenarioOf(proxy, [one]);
    assert(scenario !== undefined, 'a mix that was taken is refused');
    let isLate = false;
    const told = async (recording: Recording): Promise<void> => {
      await over();
      isLate = (recording.played?.lateMs ?? 0) >= BUSY_MS;
      if (isLate && plays < PLAYS) throw new NoAnswer('timers were late');
      await record?.(recording, [one]);
    };
    try {
      const { situations } = await play(scenario, { ...options, lastsMs: 1000 * PLAYED_S, together, record: told });
      return { one, plays, isLate, differs: situations.flatMap((each) => differencesOf(each)) };
    } catch (error) {
      if (error instanceof ProxyFails) return { ...failedAt(one, error), plays, isLate: false };
      if (error instanceof NoAnswer) return { one, plays, isLate, differs: undefined };
      throw error;
    } finally {
      void together();
      void over();
    }
  };
  const all = await Promise.allSettled(group.map(playOne));
  return all.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** All of so many go on together, when the last has come. */
class Meeting {
  private readonly all: Promise<void>;
  private begin = (): void => {};

  constructor(private missing: number) {
    this.all = new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  /** @returns what one of them calls when it comes, or goes without having been there. */
  guest(): () => Promise<void> {
    let isThere = false;
    return () => {
      if (!isThere) this.missing--;
      isThere = true;
      if (this.missing === 0) this.begin();
      return this.all;
    };
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

/** Checks, ejection and limits have nothing to do in a mix that is not played: neither side is given them. */
const NOT_ASKED: readonly string[] = ['health_checks', 'outlier_detection', 'circuit_breakers'];

/** The mixes as a file has them, with what is asked of their clusters. */
export function fileOf(proxy: MixProxy, mixes: readonly Mix[]): Struct {
  const file = mixScenario(proxy, mixes, MODERN_PROXY_VERSION) as Struct;
  const isPlayed = mixes.some(({ timed }) => timed !== undefined);
  const clusters = (file['clusters'] as readonly Struct[]).map((cluster) =>
    Object.fromEntries(Object.entries(cluster).filter(([name]) => isPlayed || !NOT_ASKED.includes(name))),
  );
  return { api: 'v3', ...file, clusters };
}

/** undefined: lbsim refuses them. */
export const scenarioOf = (proxy: MixProxy, mixes: readonly Mix[]): Scenario | undefined =>
  loadScenarioValue(fileOf(proxy, mixes), 'a mix').scenario;

/** Any port will do where no host is asked: one for each address. */
export const placeByAddress = (address: string): string =>
  `127.0.0.1:${10_001 + Number(/\.(\d+):/.exec(address)?.[1] ?? 0)}`;
