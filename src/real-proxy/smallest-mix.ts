import { kindOf } from '../analysis/fuzz/mix-difference.js';
import { type Mix, type MixProxy } from '../testing/mix/mix.js';
import { partsOf, without } from '../testing/mix/smaller.js';
import { isUsable, type MixQuestionOptions, type Suspect, suspectsOf } from './mix-question.js';

/** So many smaller mixes are tried as clusters of one proxy; one where a proxy refuses, or crashes: it takes the others with it. */
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
  let isSmallest = false;
  const atOnce = first.differs.some(({ kind }) => kind === 'refused') ? 1 : AT_ONCE;
  while (!isSmallest) {
    isSmallest = true;
    const parts = partsOf(suspect.one);
    for (let start = 0; start < parts.length; start += atOnce) {
      if (performance.now() > endMs) break;
      const { one } = suspect;
      const tried = parts.slice(start, start + atOnce);
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
