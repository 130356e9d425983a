import type { NotCompared, Verification, VerifiedSituation } from '../verify/verification.js';

/** One thing of a mix that both sides decide otherwise. */
export interface MixDifference {
  /** `refused`: the proxy does not take what lbsim takes; `fell`: it takes it, and crashes or ends. */
  readonly kind: 'keys' | 'order' | 'cookies' | 'split' | 'statistic' | 'refused' | 'fell';
  /** Of a statistic, without its cluster; of a mix that the proxy does not take or falls at, its features. */
  readonly name?: string;
  /** In words, with figures. */
  readonly words: string;
}

/** @param cluster absent: of all of them, and what is of none. */
export function differencesOf({ splits, stats }: VerifiedSituation, cluster?: string): readonly MixDifference[] {
  const isOf = (name: string): boolean => cluster === undefined || name.startsWith(`cluster.${cluster}.`);
  return [
    ...splits
      .filter((split) => isOf(`cluster.${split.cluster}.`) && !split.agrees)
      .map(({ keys, order, cookies }): MixDifference => {
        if (keys !== undefined && keys.differ > 0)
          return { kind: 'keys', words: `${keys.differ} of ${keys.compared} keys` };
        if (order?.agrees === false) return { kind: 'order', words: 'the order of picks' };
        if (cookies !== undefined && cookies.differ > 0)
          return { kind: 'cookies', words: `${cookies.differ} of ${cookies.compared} cookies` };
        return { kind: 'split', words: 'the split' };
      }),
    ...stats
      .filter((stat) => isOf(stat.name) && !stat.agrees)
      .map(({ name: whole, proxy, lbsim }): MixDifference => {
        const name = whole.replace(/^cluster\.[^.]+\./, '');
        return { kind: 'statistic', name, words: `${name} (${proxy} there, ${lbsim} here)` };
      }),
  ];
}

/** Whether decisions differ, and not the books of them alone. */
export const isDecision = ({ kind }: MixDifference): boolean => kind !== 'statistic';

/** Whether the proxy took the mix, and answered all its requests. */
export const isAnswered = ({ kind }: MixDifference): boolean => kind !== 'refused' && kind !== 'fell';

/** The same for differences that are alike but for their figures. */
export const kindOf = ({ kind, name = '' }: MixDifference): string =>
  `${kind} ${name
    .replace(/^zone\.[^.]+\.[^.]+/, 'zone')
    .replace(/_\d\w\w$/, '_<status>')
    .replace(/\b\d+\b/g, 'n')}`;

/** Random mixes of features that were put to a real proxy, and where it decided otherwise. */
export interface FuzzResult extends Pick<Verification, 'proxy_version' | 'simulated_version'> {
  /** The hosts of each mix changed while the proxy ran. */
  readonly timelines: boolean;
  /** Each mix was played in real time. */
  readonly played: boolean;
  readonly first_seed: number;
  /** The seed that goes on from here. */
  readonly next_seed: number;
  /** Mixes that both sides decided. */
  readonly tried: number;
  /** Mixes that lbsim refuses: no proxy was asked. */
  readonly refused: number;
  /** Mixes that were played on a machine whose timers were late: neither side is to blame. */
  readonly not_judged: number;
  /** Requests that the proxy answered. */
  readonly requests: number;
  /** How many mixes had each policy and each way to route, and how many of them differ. */
  readonly features: readonly FuzzFeature[];
  /** Mixes that differed once and agreed when asked alone, with more requests: chance. */
  readonly by_chance: number;
  readonly differences: readonly FuzzDifference[];
  /** The user ended it before all was tried. */
  readonly interrupted: boolean;
}

export interface FuzzFeature {
  readonly feature: string;
  readonly tried: number;
  /** Mixes that divide, look up or order requests otherwise. */
  readonly decided_otherwise: number;
  /** Mixes that differ in a statistic, and in no decision. */
  readonly counted_otherwise: number;
  /** Mixes that the proxy does not take, or ends at. */
  readonly refused_there: number;
}

/** The smallest mix found that differs. */
export interface FuzzDifference {
  readonly seed: number;
  /** Which mix of that seed, from 0. */
  readonly mix: number;
  readonly differs: readonly MixDifference[];
  /** Further mixes that differ in the same statistics alone. */
  readonly alike: number;
  /** A scenario file: `lbsim verify` asks both sides again, as its first lines say. */
  readonly scenario: string;
  /** What of it `verify` does not ask. */
  readonly not_held: readonly NotCompared[];
  /** Where the proxy itself falls: what makes it fall without lbsim. */
  readonly crash?: FuzzCrash;
  /** Where it was saved; absent without `--save`. */
  readonly file?: string;
}

/** A proxy that is started in a folder with these files falls at these requests. */
export interface FuzzCrash {
  /** Texts by name: `bootstrap.json`, and what is read from files beside it. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands of a shell in that folder, in their order. */
  readonly commands: readonly string[];
}
