/**
 * Rigorous bounds of chance for any sample size: a correct balancer fails once in ten billion comparisons, so that even
 * 10,000 runs of a law do not fail.
 */

const FALSE_ALARM = 1e-10;
/** A deviation that a law claims to detect is missed this often. */
const OVERLOOKED = 1e-3;

/** How far the count of `draws` independent draws of probability `share` may be off. Source: Bernstein's inequality. */
export const chanceBound = (draws: number, share: number): number => bernstein(draws, share, FALSE_ALARM);

function bernstein(draws: number, share: number, probability: number): number {
  const third = Math.log(2 / probability) / 3;
  return third + Math.sqrt(third * third + 6 * third * draws * Math.max(0, share * (1 - share)));
}

/**
 * The least deviation, relative to `share`, that `draws` draws detect 999 times in 1,000; Infinity where they are too
 * few for any possible deviation.
 * @param allowed the allowed error of the count; default: {@link chanceBound}.
 */
export function visibleDeviation(share: number, draws: number, allowed = chanceBound(draws, share)): number {
  const isSeen = (deviation: number): boolean => {
    const shifted = Math.min(1, share * (1 + deviation));
    return draws * share * deviation >= allowed + bernstein(draws, shifted, OVERLOOKED);
  };
  const most = 1 / share - 1;
  return isSeen(most) ? crossing(0, most, (deviation) => !isSeen(deviation)) : Infinity;
}

/** Draws of the one long example of a law of shares: in proportion to its runs, 160,000 for the default of 40. */
export const longLook = (numRuns: number): number => 4000 * numRuns;

/**
 * Between which parts of a circle the arcs lie that end at `points` of `all` points, each placed uniformly and by
 * itself: their sum is beta(points, all − points) distributed, and the tails are those of a binomial count. Source:
 * order statistics of the uniform distribution; Chernoff's bound.
 */
export function arcBounds(points: number, all: number): { readonly least: number; readonly most: number } {
  if (points === 0 || points === all) return { least: points / all, most: points / all };
  const others = all - 1;
  const limit = Math.log(2 / FALSE_ALARM);
  // P(sum ≥ x) = P(fewer than `points` of the others fall below x), P(sum ≤ x) = P(at least `points` do).
  const most = crossing((points - 1) / others, 1, (x) => others * divergence((points - 1) / others, x) < limit);
  const least = crossing(points / others, 0, (x) => others * divergence(points / others, x) < limit);
  return { least, most };
}

/** Bisection: the point between `from` and `to` where `holds` ends. */
function crossing(from: number, to: number, holds: (x: number) => boolean): number {
  let [inside, outside] = [from, to];
  for (let step = 0; step < 50; step++) {
    const middle = (inside + outside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return outside;
}

/** Kullback–Leibler divergence of two Bernoulli distributions. */
function divergence(seen: number, share: number): number {
  const term = (a: number, b: number): number => (a === 0 ? 0 : a * Math.log(a / b));
  return term(seen, share) + term(1 - seen, 1 - share);
}
