/**
 * The stationary state of hosts that get requests by the power of d choices: of d hosts drawn with replacement, the one
 * with the fewest open requests, the first drawn on a tie. The supermarket model in equilibrium (N. D. Vvedenskaya, R.
 * L. Dobrushin, F. I. Karpelevich, "Queueing system with selection of the shortest of two queues: an asymptotic
 * approach", 1996; M. Mitzenmacher, "The power of two choices in randomized load balancing", IEEE TPDS 2001), for hosts
 * of several classes: each host is a birth-and-death chain of its open requests, whose births follow from the states of
 * all others. With infinitely many hosts the others are their distribution; with n of them a host knows its own state,
 * and the n − 1 others are taken for independent of it and of each other.
 */

import { AndersonMixing } from './anderson-mixing.js';

/** Equal hosts. */
export interface HostClass {
  readonly count: number;
  /** Requests that stay open. */
  readonly held: number;
  /** Mean time on the wire, s: any number at once. */
  readonly wire: number;
  /** Mean time that a request is worked on, s. */
  readonly service: number;
  /** Requests worked on at once; Infinity: any number. Others wait, and service times are exponential. */
  readonly servers: number;
}

/** Below this a state does not occur. */
const NEVER = 1e-13;
/** Convergence: states that change by less are stationary. */
const SETTLED = 1e-10;
const MOST_ROUNDS = 500;
/** States of one host; with more than this it is too busy for the model. */
const MOST_OPEN = 5000;
const SOME = 20;

/**
 * @param rate     requests a second to all hosts together.
 * @param finite   as many hosts as there are; else as if there were infinitely many of each class, in these proportions.
 * @returns by class the part of all requests that one of its hosts gets, and P(a host of it has k open requests that end), from k = 0
 *   on; undefined: there is no equilibrium, or it takes too long to find.
 */
export function equilibriumOf(classes: readonly HostClass[], rate: number, choices: number, finite: boolean) {
  const hosts = classes.reduce((sum, { count }) => sum + count, 0);
  const perHost = rate / hosts;
  if (!keepsUp(classes, rate, choices)) return undefined;
  const mixing = new AndersonMixing();
  let open: readonly Float64Array[] = classes.map(() => Float64Array.of(1));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const tails = tailsOf(classes, open, hosts);
    const next: Float64Array[] = [];
    const births: number[] = [];
    for (const [index, one] of classes.entries()) {
      const arrivals = arrivalsOf(one, open[index] as Float64Array, tails, hosts, choices, finite);
      const most = 2 * (open[index] as Float64Array).length + SOME;
      if (most > MOST_OPEN) return undefined;
      const states = birthsAndDeaths(one, arrivals, perHost, most);
      next.push(states);
      births.push(states.reduce((sum, part, k) => sum + part * arrivals(k), 0));
    }
    const distance = next.reduce((sum, states, index) => sum + distanceOf(states, open[index] as Float64Array), 0);
    if (distance < SETTLED) {
      const total = births.reduce((sum, birth, index) => sum + birth * (classes[index] as HostClass).count, 0);
      return { shares: births.map((birth) => birth / total), open: next };
    }
    open = mixing.next(open, next).map(normalized);
  }
  return undefined;
}

/** By number of open requests, those that are held too: the part of all hosts that has as many or more. */
function tailsOf(classes: readonly HostClass[], open: readonly Float64Array[], hosts: number): Float64Array {
  const most = classes.reduce((max, { held }, index) => Math.max(max, held + (open[index] as Float64Array).length), 0);
  const tails = new Float64Array(most + 1);
  for (const [index, { held, count }] of classes.entries()) {
    const own = open[index] as Float64Array;
    for (let k = 0; k < own.length; k++)
      tails[held + k] = (tails[held + k] as number) + ((own[k] as number) * count) / hosts;
  }
  for (let k = most - 1; k >= 0; k--) tails[k] = (tails[k] as number) + (tails[k + 1] as number);
  return tails;
}

/** How many times the mean a host gets while it has k open requests, those that are held left out. */
function arrivalsOf(
  { held }: HostClass,
  own: Float64Array,
  tails: Float64Array,
  hosts: number,
  choices: number,
  finite: boolean,
): (k: number) => number {
  const ownTails = new Float64Array(own.length + 1);
  for (let k = own.length - 1; k >= 0; k--) ownTails[k] = (ownTails[k + 1] as number) + (own[k] as number);
  const tail = (active: number): number => tails[active] ?? 0;
  return (k) => {
    const active = held + k;
    // One of the n hosts is this one, which has exactly this many.
    const self = finite ? 1 / hosts : 0;
    const others = (level: number): number =>
      finite ? tail(level) - (ownTails[Math.max(0, level - held)] ?? 0) / hosts : tail(level);
    const asMany = Math.min(1, others(active) + self);
    const more = Math.max(0, others(active + 1));
    // (p^d − q^d) / (p − q)
    let sum = 0;
    for (let power = 0; power < choices; power++) sum += Math.pow(asMany, power) * Math.pow(more, choices - 1 - power);
    return sum;
  };
}

/** P(k open requests) of a host that gets `arrivals(k) · perHost` a second, and none while it has the most. */
function birthsAndDeaths(one: HostClass, arrivals: (k: number) => number, perHost: number, most: number): Float64Array {
  const departures = departuresOf(one);
  const states = [1];
  let sum = 1;
  for (let k = 0; k < most; k++) {
    const next = ((states[k] as number) * arrivals(k) * perHost) / departures(k + 1);
    if (next < NEVER * sum) break;
    states.push(next);
    sum += next;
    if (sum > 1e200) for (let j = 0; j < states.length; j++) states[j] = (states[j] as number) / sum;
    if (sum > 1e200) sum = 1;
  }
  return Float64Array.from(states, (part) => part / sum);
}

/**
 * Whether hosts keep up, whichever are drawn: those that can do least get at least what is sent when no other is drawn.
 *
 * S. Foss, N. Chernova, "On the stability of a partially accessible multi-station queue with state-dependent routing", 1998.
 */
function keepsUp(classes: readonly HostClass[], rate: number, choices: number): boolean {
  const capacityOf = ({ service, servers }: HostClass): number => (service === 0 ? Infinity : servers / service);
  const hosts = classes.reduce((sum, { count }) => sum + count, 0);
  let [drawn, capacity] = [0, 0];
  return [...classes]
    .sort((a, b) => capacityOf(a) - capacityOf(b))
    .every((one) => {
      drawn += one.count;
      capacity += one.count * capacityOf(one);
      return rate * Math.pow(drawn / hosts, choices) < capacity;
    });
}

/**
 * Requests a second that leave a host with k of them. Without a limit what matters of times is their mean alone; before a limited
 * number of servers, the wire and the line are a network in product form: of k requests, j are in line or served with a
 * probability that is in proportion to wire^(k−j)/(k−j)! · Π service/min(i, servers).
 */
function departuresOf({ wire, service, servers }: HostClass): (k: number) => number {
  if (servers === Infinity) return (k) => k / (wire + service);
  if (wire === 0) return (k) => Math.min(k, servers) / service;
  // Weights of k requests over those of k − 1, from weights of (on the wire, with the host) that are rescaled as they grow.
  let weights: number[] = [1];
  let total = 1;
  const known: number[] = [Infinity];
  return (k) => {
    while (known.length <= k) {
      const size = known.length;
      const next = new Array<number>(size + 1);
      for (let inside = 0; inside < size; inside++)
        next[inside] = ((weights[inside] as number) * wire) / (size - inside);
      next[size] = ((weights[size - 1] as number) * service) / Math.min(size, servers);
      const sum = next.reduce((all, weight) => all + weight, 0);
      known.push(total / sum);
      weights = next.map((weight) => weight / sum);
      total = 1;
    }
    return known[k] as number;
  };
}

/** A mixture may have stepped beyond what is possible. */
function normalized(states: Float64Array): Float64Array {
  const positive = states.map((part) => Math.max(0, part));
  const sum = positive.reduce((all, part) => all + part, 0);
  return positive.map((part) => part / sum);
}

function distanceOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < Math.max(a.length, b.length); k++) sum += Math.abs((a[k] ?? 0) - (b[k] ?? 0));
  return sum;
}
