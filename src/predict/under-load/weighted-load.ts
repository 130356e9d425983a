/**
 * The stationary state of hosts that an earliest-deadline-first schedule picks by weight / (open requests + 1)^bias, the open
 * requests counted at each host's own picks.
 *
 * Between two picks of a host with a open requests lies the schedule's time (a + 1)^bias / weight, which is that many times
 * `pace` seconds: `pace` is what makes the rates of all hosts add up to the arrivals. Over such a stretch each of the a + 1
 * requests is still open with the same probability, for exponential times: open requests at picks are a Markov chain, one for
 * each host, bound to the others by `pace` alone.
 */

/** Equal hosts; they serve any number of requests at once. */
export interface WeightedClass {
  readonly count: number;
  readonly weight: number;
  /** Requests that stay open. */
  readonly held: number;
  /** Mean time that a request is open, s. */
  readonly open: number;
}

/** Below this a state does not occur. */
const NEVER = 1e-13;
/** Open requests of a host: the initial and the largest length of a chain. */
const FEW = 16;
const MOST_OPEN = 512;
const LONGEST = 1e12;
/** Smallest double above 0. */
const SMALLEST_LOG = -700;

/** @returns by class: the part of all requests that one of its hosts gets; undefined: too many are open to work it out. */
export function weightedShares(
  classes: readonly WeightedClass[],
  rate: number,
  bias: number,
): readonly number[] | undefined {
  let [low, high] = [0, 1 / rate];
  const ratesAt = (pace: number): number[] | undefined => {
    const rates: number[] = [];
    for (const one of classes) {
      const own = pickRate(one, pace, rate, bias);
      if (own === undefined) return undefined;
      rates.push(own);
    }
    return rates;
  };
  const total = (rates: readonly number[]): number =>
    rates.reduce((sum, own, index) => sum + own * (classes[index] as WeightedClass).count, 0);
  let found = ratesAt(high);
  for (; found === undefined || total(found) > rate; found = ratesAt(high)) {
    [low, high] = [high, 2 * high];
    if (high > LONGEST) return undefined;
  }
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high || high - low < 1e-12 * high) break;
    const rates = ratesAt(middle);
    if (rates === undefined || total(rates) > rate) low = middle;
    else [high, found] = [middle, rates];
  }
  const sum = total(found);
  if (Math.abs(sum / rate - 1) > 1e-6) return undefined;
  return found.map((own) => own / sum);
}

/** Picks a second; undefined: there are too many open requests. */
function pickRate(one: WeightedClass, pace: number, rate: number, bias: number): number | undefined {
  const stretch = (a: number): number => (pace * Math.pow(a + one.held + 1, bias)) / one.weight;
  // Arrivals are Poisson: so many seconds are rate · seconds arrivals, however long these take.
  const kept = (a: number): number => (one.open === 0 ? 0 : Math.pow(1 + 1 / (one.open * rate), -rate * stretch(a)));
  for (let most = FEW; most <= MOST_OPEN; most *= 2) {
    const states = chainStates(kept, most);
    if ((states[most] as number) > NEVER) continue;
    return 1 / states.reduce((mean, part, a) => mean + part * stretch(a), 0);
  }
  return undefined;
}

/**
 * P(a requests are open at a pick), from a = 0 to `most`, of a chain that adds one and lets each stay with probability
 * `kept(a)`. It climbs by one at most, so that what climbs from k on is what falls back from above to k or below.
 */
function chainStates(kept: (a: number) => number, most: number): Float64Array {
  const states = new Float64Array(most + 1);
  // By target: what falls from the states above, the sum up to there.
  const falling = new Float64Array(most + 1);
  states[most] = 1;
  for (let k = most - 1; k >= 0; k--) {
    addFall(falling, k + 2, kept(k + 1), states[k + 1] as number);
    const climbs = Math.pow(kept(k), k + 1);
    const own = climbs === 0 ? Infinity : (falling[k] as number) / climbs;
    if (own < 1e200) {
      states[k] = own;
      continue;
    }
    // All states above are negligible: the sum restarts here.
    states.fill(0);
    falling.fill(0);
    states[k] = 1;
  }
  const sum = states.reduce((all, part) => all + part, 0);
  return states.map((part) => part / sum);
}

/** Adds `part` times P(at most k of n stay), for every k, each of them staying with the same probability. */
function addFall(to: Float64Array, n: number, stay: number, part: number): void {
  if (stay >= 1 || part === 0) return;
  const odds = stay / (1 - stay);
  let term = Math.pow(1 - stay, n);
  // The first terms may underflow; those that matter do not.
  let log = term > 0 ? 0 : n * Math.log(1 - stay);
  let sum = 0;
  for (let k = 0; k < Math.min(n, to.length); k++) {
    sum = Math.min(1, sum + term);
    to[k] = (to[k] as number) + part * sum;
    const ratio = ((n - k) / (k + 1)) * odds;
    if (term > 0) term *= ratio;
    else {
      log += Math.log(ratio);
      if (log > SMALLEST_LOG) term = Math.exp(log);
    }
  }
}
