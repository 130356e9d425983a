import { groupBy, largest, sum } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import type { PriorityState } from '../../hostset/priority-load.js';
import type { Harm } from '../../settings/generated/measures.js';
import type { AskedBalancer } from '../../predict/at-rest.js';
import type { Balancer } from '../../predict/balancer.js';
import type { Pause } from '../pause.js';
import type { HostsAtRisk } from './classes.js';
import type { Fewest } from './class-search.js';
import { isOver } from './list-overload.js';
import type { Unit } from './loss-units.js';
import type { Losses } from './losses.js';
import type { Outcome } from './generated/findings.js';

/** The balancers of a cluster with so many hosts of each kind lost. */
interface Corner {
  readonly counts: readonly number[];
  readonly lost: readonly Unit[];
  readonly asked: readonly AskedBalancer[];
}

/** Boxes that are looked at, and hosts in all of them, after which a search is given up. */
const MOST_BOXES = 20_000;
const MOST_HOSTS = 5e6;
const PAUSE_EVERY = 20;

/** What a search is about. */
export interface LossSearch {
  readonly losses: Losses;
  readonly units: readonly Unit[];
  /** Those that are lost in any case. */
  readonly beside: readonly Unit[];
  readonly pause: Pause;
}

/** Of units of one host each; those of one kind are alike to all balancers. */
interface KindSearch extends LossSearch {
  readonly risk: HostsAtRisk;
  /** So many further losses are noticed at most, whatever is of interest. */
  readonly noticed: number;
  readonly brings: (harm: Harm, outcome: Outcome) => boolean;
}

/**
 * The fewest losses that bring a harm, by how many of each kind of host they are: a box of such numbers is halved as long as one of its
 * losses may bring it, boxes of small losses first. A box of one loss is predicted.
 *
 * @returns no loss of fewer than `size` does; `isOpen`: whether one of so many does is not known. undefined: kinds do not decide.
 * @throws NoPrediction
 */
export async function fewestByKind(
  { losses, units, beside, risk, noticed, pause, brings }: KindSearch,
  harm: Harm,
): Promise<{ size: number; isOpen: boolean; visited: number; fewest?: Fewest } | undefined> {
  const { rest, gone } = losses;
  const losable = units.filter(({ rows: [row = -1] }) => risk.losable.has(row));
  const kinds = [...groupBy(losable, ({ kind }) => kind).values()];
  const cornerOf = (counts: readonly number[]): Corner => {
    const lost = kinds.flatMap((kind, at) => kind.slice(0, counts[at]));
    losses.apply([...beside, ...lost]);
    return { counts, lost, asked: rest.asked(gone) };
  };
  const none = cornerOf(kinds.map(() => 0));
  // Levels of an aggregate go with their last host, and outlier detection may not eject all that are lost.
  const isUnsure = noticed < losable.length || (harm === 'failures' && losses.unseen.size > 0);
  if (gone.size > 0 || isUnsure || !none.asked.every((one) => isByKind(one, harm))) return undefined;
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
      if (!mayBring(harm, few, widest > 1 ? many : few, losses.perSecond, risk)) continue;
      if (widest > 1) {
        const at = spans.indexOf(widest);
        const [from = 0, to = 0] = [few.counts[at], many.counts[at]];
        const middle = (from + to) >> 1;
        (boxes[size + middle + 1 - from] ??= []).push([cornerOf(few.counts.with(at, middle + 1)), many]);
        boxes[size]?.push([few, cornerOf(many.counts.with(at, middle))]);
        continue;
      }
      if (!brings(harm, await losses.lose([...beside, ...few.lost]))) continue;
      return { size, isOpen: false, visited, fewest: { size, rows: () => few.lost.flatMap(({ rows }) => rows) } };
    }
  }
  return { size: Infinity, isOpen: false, visited };
}

/** Whether a harm follows from how many of each kind are lost: they are unhealthy then, and nobody else is asked. */
function isByKind({ balancer, divided, isChain, singleHost }: AskedBalancer, harm: Harm): boolean {
  const { config, zones, tables } = balancer;
  const isDrawn = config.lbPolicy === 'RANDOM' && quirksOf(config.version).hostByPriorityDraw && !divided;
  const isPlaced = zones?.split !== undefined || isDrawn || (config.localityWeighted && harm === 'overload');
  return !isPlaced && !singleHost && !isChain && tables.length === 0 && harm !== 'limit';
}

/**
 * Whether some loss of a box may bring a harm; false: none does. What a host gets is bounded by the most that reaches its list, and by
 * what is left at least beside it.
 */
function mayBring(harm: Harm, few: Corner, many: Corner, perSecond: number, risk: HostsAtRisk): boolean {
  const { dead, capacities, outside } = risk;
  const lost = new Set(many.lost.flatMap(({ rows }) => rows));
  const rates = new Map<number, number>();
  for (const [index, { balancer, portion, divided, at }] of few.asked.entries()) {
    const { balancer: last = balancer, divided: lastDivided } = many.asked[index] ?? {};
    const turns = ({ weight }: Host): number => (balancer.config.lbPolicy === 'RANDOM' ? 1 : weight);
    const inside = divided && lastDivided && reached(divided, lastDivided);
    const fails = inside?.some((own, level) => divided?.places[level]?.home === -1 && own.healthy + own.degraded > 0);
    if (harm === 'failures' && fails === true) return true;
    for (const [priority, own] of reached(balancer, last).entries()) {
      const place = divided?.places.findIndex((one) => one.home === at && one.priority === priority);
      const { healthy, degraded } = (place === undefined ? own : inside?.[place]) ?? { healthy: 0, degraded: 0 };
      const most = new Map<number, number>();
      for (const [of, percent] of [
        ['healthy', own.panics ? 0 : healthy],
        ['degraded', own.panics ? 0 : degraded],
        ['hosts', own.mayPanic ? healthy + degraded : 0],
      ] as const) {
        if (percent === 0) continue;
        const isPanic = of === 'hosts';
        const [some, left] = [new Set(balancer.levels[priority]?.[of]), last.levels[priority]?.[of] ?? []];
        const isRefused = isPanic && balancer.config.failTrafficOnPanic;
        if (harm === 'panic' && isPanic && some.size > 0) return true;
        if (harm === 'failures' && (left.length === 0 || isRefused)) return true;
        const [beside, whole] = [new Set(left), sum(left.map(turns))];
        for (const host of isRefused ? [] : some) {
          const { index: row } = host;
          if (harm === 'failures' && (dead.has(row) || (isPanic && lost.has(row)))) return true;
          if (harm === 'outside' && outside?.has(row) === true) return true;
          const share = turns(host) / (whole + (beside.has(host) ? 0 : turns(host)));
          most.set(row, Math.max(most.get(row) ?? 0, (perSecond * portion * percent * share) / 100));
        }
      }
      for (const [row, rate] of most) rates.set(row, (rates.get(row) ?? 0) + rate);
    }
  }
  if (harm !== 'overload') return false;
  return [...rates].some(([row, rate]) => !dead.has(row) && isOver(1, rate, capacities[row] ?? Infinity));
}

/** Requests are divided among its levels. */
type Divided = Pick<Balancer, 'state' | 'config'>;

/** What of the requests reaches lists of each level at most, in percent, with any loss of a box; and whether it panics. */
function reached({ state: few, config }: Divided, { state: many }: Divided) {
  const listsOf = ({ health, degradedHealth }: Pick<PriorityState, 'health' | 'degradedHealth'>) =>
    Array.from(health).concat(degradedHealth);
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
  return few.health.map((_, level) => ({
    healthy: mostOf(level),
    degraded: mostOf(few.health.length + level),
    panics: few.panic[level] === true,
    mayPanic: sum(least) === 0 || many.panic[level] === true,
  }));
}
