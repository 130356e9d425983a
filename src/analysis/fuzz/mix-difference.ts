import type { VerifiedSituation } from '../verify/verification.js';

/** One thing of a mix that both sides decide otherwise. */
export interface MixDifference {
  /** `refused`: the proxy does not take what lbsim takes; `fell`: it takes it, and crashes or ends. */
  readonly kind: 'keys' | 'order' | 'split' | 'statistic' | 'refused' | 'fell';
  /** Of a statistic, without its cluster; of a mix that the proxy does not take or falls at, its features. */
  readonly name?: string;
  /** In words, with figures. */
  readonly words: string;
}

/** What differs of some clusters. */
export function differencesOf(situation: VerifiedSituation, clusters: readonly string[]): readonly MixDifference[] {
  return clusters.flatMap((cluster) => differencesOfOne(situation, cluster));
}

function differencesOfOne({ splits, stats }: VerifiedSituation, cluster: string): readonly MixDifference[] {
  const prefix = `cluster.${cluster}.`;
  return [
    ...splits
      .filter((split) => split.cluster === cluster && !split.agrees)
      .map(({ keys, order }): MixDifference => {
        if (keys !== undefined && keys.differ > 0)
          return { kind: 'keys', words: `${keys.differ} of ${keys.compared} keys` };
        if (order?.agrees === false) return { kind: 'order', words: 'the order of picks' };
        return { kind: 'split', words: 'the split' };
      }),
    ...stats
      .filter((stat) => stat.name.startsWith(prefix) && !stat.agrees)
      .map(({ name: whole, proxy, lbsim }): MixDifference => {
        const name = whole.slice(prefix.length);
        return { kind: 'statistic', name, words: `${name} (${proxy} there, ${lbsim} here)` };
      }),
  ];
}

/** Whether decisions differ, and not the books of them alone. */
export function isDecision({ kind }: MixDifference): boolean {
  return kind !== 'statistic';
}

/** Whether the proxy took the mix, and answered all its requests. */
export function isAnswered({ kind }: MixDifference): boolean {
  return kind !== 'refused' && kind !== 'fell';
}

/** The same for differences that are alike but for their figures. */
export function kindOf({ kind, name = '' }: MixDifference): string {
  return `${kind} ${name.replace(/^zone\.[^.]+\.[^.]+/, 'zone').replace(/_\d\w\w$/, '_<status>')}`;
}
