import { groupBy, largest, sum } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import type { PriorityState } from '../../hostset/priority-load.js';
import type { AskedBalancer } from '../../predict/at-rest.js';
import type { Balancer } from '../../predict/balancer.js';
import type { Pause } from '../pause.js';
import type { HostsAtRisk } from './classes.js';
import type { Fewest } from './class-search.js';
import { isOver } from './list-overload.js';
import type { Unit } from './loss-units.js';
import type { Losses } from './losses.js';

/** The balancers of a cluster with so many hosts of each kind lost. */
interface Corner {
  readonly counts: readonly number[];
  readonly asked: readonly AskedBalancer[];
}

/** Boxes that are looked at, and hosts in all of them, after which a search is given up. */
const MOST_BOXES = 20_000;
const MOST_HOSTS = 5e6;
const PAUSE_EVERY = 20;

/**
 * The fewest losses with which loads of several balancers overload a host, by how many of each kind of host they are: a box of such
 * numbers is halved as long as one of its losses may do it, boxes of small losses first. A box of one loss is predicted.
 *
 * @param units of one host each; those of one kind are alike to all balancers.
 * @param overloads whether a loss does.
 * @returns no loss of fewer than `size` does; `isOpen`: whether one of so many does is not known. undefined: kinds do not decide.
 */
export async function fewestByKind(
  losses: Losses,
  units: readonly Unit[],
  beside: readonly Unit[],
  risk: HostsAtRisk,
  overloads: (lost: readonly Unit[]) => Promise<boolean>,
  pause: Pause,
): Promise<{ size: number; isOpen: boolean; visited: number; fewest?: Fewest } | undefined> {
  const { rest, gone } = losses;
  const losable = units.filter(({ rows: [row = -1] }) => risk.losable.has(row));
  const kinds = [...groupBy(losable, ({ kind }) => kind).values()];
  const lostOf = (counts: readonly number[]) => kinds.flatMap((kind, at) => kind.slice(0, counts[at]));
  const cornerOf = (counts: readonly number[]): Corner => {
    losses.apply([...beside, ...lostOf(counts)]);
    return { counts, asked: rest.asked(gone) };
  };
  const none = cornerOf(kinds.map(() => 0));
  if (!none.asked.every(isByKind)) return undefined;
  const boxes: (readonly [few: Corner, many: Corner])[][] = [[[none, cornerOf(kinds.map(({ length }) => length))]]];
  const mostBoxes = Math.min(MOST_BOXES, MOST_HOSTS / rest.rows.length / rest.proxies);
  let visited = 0;
  for (let size = 0; size <= Math.min(risk.most, boxes.length - 1); size++) {
    for (let box = boxes[size]?.pop(); box !== undefined; box = boxes[size]?.pop()) {
      const [few, many] = box;
      if (++visited % PAUSE_EVERY === 0) await pause(Math.min(0.99, visited / mostBoxes));
      if (visited > mostBoxes) return { size, isOpen: true, visited };
      // The fewer are left of a kind, the more each matters.
      const leftOf = ({ counts }: Corner, kind: number): number => 1 + (kinds[kind]?.length ?? 0) - (counts[kind] ?? 0);
      const spans = kinds.map((_, kind) => leftOf(few, kind) / leftOf(many, kind));
      const widest = largest(spans, 1);
      if (!mayOverload(few, widest > 1 ? many : few, losses.perSecond, risk)) continue;
      if (widest > 1) {
        const at = spans.indexOf(widest);
        const [from = 0, to = 0] = [few.counts[at], many.counts[at]];
        const middle = (from + to) >> 1;
        (boxes[size + middle + 1 - from] ??= []).push([cornerOf(few.counts.with(at, middle + 1)), many]);
        boxes[size]?.push([few, cornerOf(many.counts.with(at, middle))]);
        continue;
      }
      const lost = lostOf(few.counts);
      if (!(await overloads(lost))) continue;
      return { size, isOpen: false, visited, fewest: { size, rows: () => lost.flatMap(({ rows }) => rows) } };
    }
  }
  return { size: Infinity, isOpen: false, visited };
}

/** What its hosts get follows from how many of each kind are lost: they are unhealthy then, and nobody else is asked. */
function isByKind({
  balancer: { config, zones, tables },
  isGone,
  isChain,
  singleHost,
  threshold,
}: AskedBalancer): boolean {
  const isDrawn = config.lbPolicy === 'RANDOM' && quirksOf(config.version).hostByPriorityDraw;
  const isPlaced = config.localityWeighted || zones?.split !== undefined || isDrawn || singleHost;
  return !isPlaced && !isGone && !isChain && threshold === undefined && tables.length === 0;
}

/**
 * Whether some loss of a box may overload a host; false: none does. What a host gets is bounded by the most that reaches its list, and
 * by what is left at least beside it.
 */
function mayOverload(few: Corner, many: Corner, perSecond: number, { dead, capacities }: HostsAtRisk): boolean {
  const rates = new Map<number, number>();
  for (const [at, { balancer, portion }] of few.asked.entries()) {
    const last = many.asked[at]?.balancer ?? balancer;
    const turns = ({ weight }: Host): number => (balancer.config.lbPolicy === 'RANDOM' ? 1 : weight);
    for (const [priority, parts] of reached(balancer, last).entries()) {
      const most = new Map<number, number>();
      for (const [of, percent] of parts) {
        const left = percent === 0 ? [] : (last.levels[priority]?.[of] ?? []);
        const [beside, whole] = [new Set(left), sum(left.map(turns))];
        for (const host of new Set(percent === 0 ? [] : balancer.levels[priority]?.[of])) {
          const share = turns(host) / (whole + (beside.has(host) ? 0 : turns(host)));
          most.set(host.index, Math.max(most.get(host.index) ?? 0, (perSecond * portion * percent * share) / 100));
        }
      }
      for (const [row, rate] of most) rates.set(row, (rates.get(row) ?? 0) + rate);
    }
  }
  return [...rates].some(([row, rate]) => !dead.has(row) && isOver(1, rate, capacities[row] ?? Infinity));
}

/** What of the requests to a balancer reaches lists of each level at most, in percent, with any loss of a box. */
function reached({ state: few, config }: Balancer, { state: many }: Balancer) {
  const listsOf = ({ health, degradedHealth }: Pick<PriorityState, 'health' | 'degradedHealth'>) => [
    ...health,
    ...degradedHealth,
  ];
  const [most, least] = [listsOf(few), listsOf(many)];
  const loads = listsOf({ health: many.load.healthy, degradedHealth: many.load.degraded });
  const isWhole = ({ panic }: PriorityState): boolean =>
    quirksOf(config.version).totalPanicMovesLoad && panic.every(Boolean);
  const mostOf = (list: number): number => {
    const [load = 0, own = 0, before] = [loads[list], most[list], sum(least.slice(0, list))];
    if (few === many || isWhole(few)) return load;
    if (sum(least) === 0) return 100;
    // Most with as much as possible of its own left, and as little as possible of all others; the first gets what rounding leaves.
    const total = Math.min(100, own + sum(least) - (least[list] ?? 0));
    const rounding = before === 0 && sum(least) < 100 ? most.length : 0;
    const part = own === 0 ? 0 : Math.min(100 - before, Math.floor((100 * own) / total) + rounding);
    return Math.max(0, part, isWhole(many) ? load : 0);
  };
  return few.health.map((_, level) => {
    const [healthy, degraded] = [mostOf(level), mostOf(few.health.length + level)];
    const panics = few.panic[level] === true;
    const mayPanic = !config.failTrafficOnPanic && (sum(least) === 0 || many.panic[level] === true);
    return [
      ['healthy', panics ? 0 : healthy],
      ['degraded', panics ? 0 : degraded],
      ['hosts', mayPanic ? healthy + degraded : 0],
    ] as const;
  });
}
