import { firstNotBelow } from '../../core/values.js';
import type { Micros } from '../../core/units.js';
import type { Host } from '../../host/host.js';
import type { Random64 } from '../../random/random64.js';
import { draw, drawAnother } from '../../random/draws.js';
import type { DecisionTrace, HostIndex, HostList } from '../policy-kinds.js';
import type { ListPolicyModule, ModuleConfig } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface Probe {
  readonly host: Host;
  /** Requests at the host, with those that were sent there since because of this answer. */
  inFlight: number;
  readonly latencyUs: Micros;
  readonly atUs: Micros;
  /** Picks that it may still decide. */
  uses: number;
}

interface State {
  readonly config: ModuleConfig;
  readonly settings: Settings;
  /** The oldest first; one for a host. */
  pool: Probe[];
  /** Requests in flight, as the latest answers said: a ring. */
  readonly recent: Float64Array;
  /** The same, ascending. */
  readonly sorted: number[];
  answers: number;
  /** By source: where each host stands in the list. */
  readonly places: Map<Host, HostIndex>[];
  /** Parts of a probe, of a removal and of a use that were rounded away. */
  readonly owed: { probes: number; removals: number; uses: number };
  /** The next removal takes the oldest, not the worst. */
  removesOldest: boolean;
  /** Hosts of the last pick. */
  hosts: number;
}

/** By their names in {@link prequal}. */
type Settings = Readonly<
  Record<'pool_size' | 'max_age' | 'probe_rate' | 'remove_rate' | 'rif_quantile' | 'reuse_slack' | 'min_pool', number>
>;

/** Answers that the quantile of requests in flight is taken of. */
const RECENT = 100;

/**
 * PREQUAL: hosts are asked how many requests they have, of all clients, and how long they take; a request goes by the answers.
 * After each pick a few hosts drawn at random are asked; their answers stand in a pool. Hosts with more requests in flight than
 * a quantile of what was heard are hot. Of those that are cold, the one with the lowest latency is chosen; where all are hot,
 * the one with the fewest requests. With fewer answers than two, any host.
 * An answer leaves the pool when it is too old, when it was used `uses` times, when the host has answered again, when there is
 * no room, and with each request one does by turns, the oldest and the worst. `uses` makes up for hosts that are asked again
 * while they stand in the pool: (1 + δ) / ((1 − pool / hosts) · probe rate − remove rate), 1 at least, and no limit where
 * that part is none, so that a pool as large as the cluster knows all of it.
 * Example: quantile 0.84; of 100 answers 84 said 3 or fewer: hosts with 4 are hot, however fast they are.
 * Draws: one per pick where it takes any host; one per host that is asked. Source: Wydrowski, Kleinberg, Rumble and Archer, "Load
 * is not what you should balance: Introducing Prequal", NSDI 2024: the asynchronous mode. Probes go out with requests only, not
 * in idle times. What a quick failure looks like is outlier detection's business here.
 */
export const prequal: ListPolicyModule<State> = {
  ...FACTS.PREQUAL,
  start: (config) => ({
    config,
    settings: config.settings as unknown as Settings,
    pool: [],
    recent: new Float64Array(RECENT),
    sorted: [],
    answers: 0,
    places: [],
    owed: { probes: 0, removals: 0, uses: 0 },
    removesOldest: false,
    hosts: 0,
  }),
  refresh: (state, source, hosts) => {
    state.places[source] = new Map(hosts.map((host, index) => [host, index]));
  },
  choose: (state, source, hosts, { random, trace }) => {
    state.hosts = hosts.length;
    const { config, settings } = state;
    const since = config.clock.nowUs - settings.max_age;
    state.pool = state.pool.filter(({ atUs }) => atUs >= since);
    const places = state.places[source] as Map<Host, HostIndex>;
    const usable = state.pool.filter(({ host }) => places.has(host));
    const index =
      usable.length < settings.min_pool ? anyHost(state, hosts, random) : best(state, usable, places, trace);
    for (let owed = owedNow(state, 'removals', settings.remove_rate); owed > 0; owed--) removeOne(state);
    return index;
  },
  probes: (state, _source, hosts, { random }) => {
    const count = Math.min(hosts.length, owedNow(state, 'probes', state.settings.probe_rate));
    const taken: number[] = [];
    // In the order of the draws: answers that arrive at one time then stand in no order of the hosts.
    const asked = Array.from({ length: count }, () => drawAnother(random, hosts.length, taken));
    if (count > 0) state.config.count('probes_sent', count);
    return asked;
  },
  probed: (state, host, { inFlight, latencyUs }) => {
    const { config, settings } = state;
    config.count('probes_answered');
    hear(state, inFlight);
    const pool = state.pool.filter((probe) => probe.host !== host);
    if (pool.length >= settings.pool_size) pool.shift();
    pool.push({ host, inFlight, latencyUs, atUs: config.clock.nowUs, uses: usesOf(state) });
    state.pool = pool;
  },
};

function anyHost({ config }: State, hosts: HostList, random: Random64): HostIndex {
  config.count('picks_at_random');
  return draw(random, hosts.length);
}

function best(
  state: State,
  usable: readonly Probe[],
  places: ReadonlyMap<Host, HostIndex>,
  trace: DecisionTrace | undefined,
): HostIndex {
  const limit = hotAbove(state);
  const taken = usable.reduce((first, probe) => (isBetter(probe, first, limit) ? probe : first));
  const isHot = taken.inFlight > limit;
  state.config.count(isHot ? 'picks_hot' : 'picks_cold');
  if (trace !== undefined) traceProbe(taken, usable, limit, trace);
  taken.inFlight++;
  if (--taken.uses <= 0) state.pool = state.pool.filter((probe) => probe !== taken);
  return places.get(taken.host) as HostIndex;
}

/** The latest answer takes the place of the oldest. */
function hear(state: State, inFlight: number): void {
  const { recent, sorted } = state;
  const at = state.answers++ % RECENT;
  if (sorted.length === RECENT) sorted.splice(firstNotBelow(sorted, recent[at] as number), 1);
  recent[at] = inFlight;
  sorted.splice(firstNotBelow(sorted, inFlight), 0, inFlight);
}

/** Hot from more requests than this on: the quantile of the latest answers. */
const hotAbove = ({ sorted, settings: { rif_quantile: quantile } }: State): number =>
  quantile >= 1 ? Infinity : (sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? 0);

/** Cold before hot; the cold by latency, the hot by requests. Of two that tie, the newer, which stands later in the pool. */
function isBetter(probe: Probe, than: Probe, limit: number): boolean {
  const [hot, thanHot] = [probe.inFlight > limit, than.inFlight > limit];
  if (hot !== thanHot) return thanHot;
  const [first, second] = hot ? (['inFlight', 'latencyUs'] as const) : (['latencyUs', 'inFlight'] as const);
  return probe[first] === than[first] ? probe[second] <= than[second] : probe[first] < than[first];
}

function removeOne(state: State): void {
  const { pool, removesOldest } = state;
  if (pool.length === 0) return;
  state.removesOldest = !removesOldest;
  if (removesOldest) {
    pool.shift();
    return;
  }
  const limit = hotAbove(state);
  const worst = pool.reduce((last, probe) => (isBetter(probe, last, limit) ? last : probe));
  pool.splice(pool.indexOf(worst), 1);
}

/** Picks that one answer may decide, a whole number whose mean is the budget. */
function usesOf(state: State): number {
  const { pool_size: poolSize, probe_rate, remove_rate, reuse_slack } = state.settings;
  const kept = (1 - poolSize / Math.max(1, state.hosts)) * probe_rate - remove_rate;
  const budget = kept > 0 ? Math.max(1, (1 + reuse_slack) / kept) : Infinity;
  return budget === Infinity ? Infinity : owedNow(state, 'uses', budget);
}

/** What `rate` adds to what was rounded away before, as a whole number. */
function owedNow({ owed }: State, what: keyof State['owed'], rate: number): number {
  owed[what] += rate;
  const whole = Math.floor(owed[what]);
  owed[what] -= whole;
  return whole;
}

function traceProbe(taken: Probe, usable: readonly Probe[], limit: number, trace: DecisionTrace): void {
  const cold = usable.filter(({ inFlight }) => inFlight <= limit).length;
  const { host, inFlight, latencyUs } = taken;
  const inputs = { pool: usable.length, cold, in_flight: inFlight, latency_us: latencyUs, host: host.address };
  trace({ kind: 'probes', inputs });
}
