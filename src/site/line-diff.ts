/** Lines that one of two texts has alone: a sign, and the line. */
type Differing = readonly [sign: '+' | '−', line: string];

/** More pairs of lines are not compared one by one. */
const MOST_PAIRS = 1_000_000;

/** Where two texts differ, in their order: by the longest common subsequence of what lies between their equal ends. */
export function lineDiff(before: string, after: string): readonly Differing[] {
  const [first, second] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  const least = Math.min(first.length, second.length);
  let start = 0;
  while (start < least && first[start] === second[start]) start++;
  let end = 0;
  while (end < least - start && first.at(-1 - end) === second.at(-1 - end)) end++;
  const cut = (lines: readonly string[]): string[] => lines.slice(start, lines.length - end);
  const [old, now] = [cut(first), cut(second)];
  if (old.length * now.length > MOST_PAIRS) return [...old.map(removed), ...now.map(added)];
  /** By place in both: how many lines the rests have in common. */
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const commonAt = (x: number, y: number): number => common[x]?.[y] ?? 0;
  for (let x = old.length - 1; x >= 0; x--) {
    for (let y = now.length - 1; y >= 0; y--) {
      const best = old[x] === now[y] ? commonAt(x + 1, y + 1) + 1 : Math.max(commonAt(x + 1, y), commonAt(x, y + 1));
      common[x]?.fill(best, y, y + 1);
    }
  }
  const found: Differing[] = [];
  for (let [x, y] = [0, 0]; x < old.length || y < now.length;) {
    if (x < old.length && old[x] === now[y]) [x, y] = [x + 1, y + 1];
    else if (y >= now.length || (x < old.length && commonAt(x + 1, y) >= commonAt(x, y + 1)))
      found.push(removed(old[x++] ?? ''));
    else found.push(added(now[y++] ?? ''));
  }
  return found;
}

const removed = (line: string): Differing => ['−', line];
const added = (line: string): Differing => ['+', line];
