import { isAnswered, kindOf } from '../analysis/fuzz/fuzz-result.js';
import { largest } from '../core/lists.js';
import { type Mix, type MixProxy } from '../testing/mix/mix.js';
import { partsOf, without } from '../testing/mix/smaller.js';
import { isUsable, type MixQuestionOptions, type Suspect, suspectsOf } from './mix-question.js';

/** So many smaller mixes are tried as clusters of one proxy. */
const AT_ONCE = 50;

/**
 * Leaves out of a mix whatever its difference does not need: each part by itself, as clusters of one proxy, then as many
 * of those together as go together, until nothing more can go.
 *
 * @param limitMs it ends then at the latest, but for what is under way.
 */
export async function smallestOf(
  proxy: MixProxy,
  first: Suspect,
  limitMs: number,
  options: MixQuestionOptions,
): Promise<{ readonly proxy: MixProxy; readonly suspect: Suspect }> {
  const endMs = performance.now() + limitMs;
  const kinds = new Set(first.differs.map(kindOf));
  const stillDiffer = async (candidates: readonly Mix[], at = proxy): Promise<readonly Suspect[]> => {
    const usable = candidates.filter((one) => isUsable(at, one));
    return (await suspectsOf(at, usable, options)).filter(({ differs }) =>
      differs.some((each) => kinds.has(kindOf(each))),
    );
  };
  let suspect = first;
  let isSmallest = !first.differs.every(isAnswered);
  if (isSmallest) suspect = await smallestAlone(first, endMs, stillDiffer);
  while (!isSmallest) {
    isSmallest = true;
    const parts = partsOf(suspect.one);
    for (let start = 0; start < parts.length; start += AT_ONCE) {
      if (performance.now() > endMs) break;
      const { one } = suspect;
      const tried = parts.slice(start, start + AT_ONCE);
      const smaller = new Map(tried.map((part) => [without(one, [part]), part]));
      const differ = await stillDiffer([...smaller.keys()]);
      let together = differ.map((each) => smaller.get(each.one)).filter((part) => part !== undefined);
      while (together.length > 0) {
        const [all] = await stillDiffer([without(one, together)]);
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
    const [same] = await stillDiffer([suspect.one], simpler);
    if (same !== undefined) return { proxy: simpler, suspect: same };
  }
  return { proxy, suspect };
}

/**
 * A proxy that refuses a mix, or falls at it, takes others with it: one part after the other is left out, the last of each
 * list first, as that moves none of those before it.
 */
async function smallestAlone(
  first: Suspect,
  endMs: number,
  stillDiffer: (candidates: readonly Mix[]) => Promise<readonly Suspect[]>,
): Promise<Suspect> {
  let suspect = first;
  for (let before: Suspect | undefined; before !== suspect;) {
    before = suspect;
    const deepest = largest(
      partsOf(suspect.one).map(({ length }) => length),
      0,
    );
    for (let depth = 1; depth <= deepest; depth++) {
      const parts = partsOf(suspect.one).filter(({ length }) => length === depth);
      for (const part of parts.reverse()) {
        if (performance.now() > endMs) return suspect;
        const [smaller] = await stillDiffer([without(suspect.one, [part])]);
        if (smaller !== undefined) suspect = smaller;
      }
    }
  }
  return suspect;
}
