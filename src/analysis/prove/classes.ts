import { degradedHosts, effectiveLocalityWeight, healthyHosts } from '../../hostset/locality-weights.js';
import type { HostSet, LocalityGroup } from '../../hostset/host-set.js';
import { type PrioritySlice, sharesByResidue, slicesOf } from '../../predict/list-shares.js';
import { pickByDrawnHash, residuesOf } from '../../predict/balancer.js';
import { Outcome } from '../../predict/outcome.js';
import { spreadHashes } from '../../predict/request-outcome.js';
import type { DeliveredLevel } from '../../predict/delivered-level.js';
import { HashTable } from '../../predict/hash-table.js';
import { type TableHosts, tableHosts, tableOptions } from '../../hostset/normalized-weights.js';
import { maglev } from '../../policy/maglev.js';
import type { AskedBalancer } from '../../predict/at-rest.js';
import { entryOf, sum, without } from '../../core/values.js';
import type { Undecided } from '../../predict/generated/plain-obstacles.js';
import { quirksOf } from '../../core/version.js';
import { lbPolicyName } from '../../policy/registry.js';
import { type Host, localityKey } from '../../host/host.js';
import { NAMES } from '../../core/generated/names.js';
import type { Harm } from '../../settings/generated/measures.js';
import type { PriorityState } from '../../hostset/priority-load.js';
import { type LevelLosses, levelLosses } from './lost-weights.js';
import { classesOf, fewestIn, type LevelClass, type LevelLoss, NOWHERE, type Pick } from './level-classes.js';
import { type Goal, type Zone, ZoneLosses, zoneOf } from './zone-losses.js';
import { type HashedPart, RingLosses } from './table-losses.js';
import * as listOverload from './list-overload.js';

/** What of its hosts decides on losses. */
export interface HostsAtRisk {
  readonly losable: ReadonlySet<number>;
  /** Hosts whose loss nobody notices, where that of others is. */
  readonly unseen: ReadonlySet<number>;
  /** Hosts that answer nobody, lost or down. */
  readonly dead: ReadonlySet<number>;
  /** Requests a second that each can take, by row. */
  readonly capacities: ArrayLike<number>;
  /** Seconds for which each has a request, by row. */
  readonly times: ArrayLike<number>;
  /** Requests that may be open in all; null: not known. */
  readonly admitted: number | null;
  readonly outside: ReadonlySet<number> | undefined;
  /** Larger losses are of no interest. */
  readonly most: number;
}

type Slices = readonly PrioritySlice[];

const GOALS: readonly Goal[] = [...NAMES.harms, 'none'];

/** Policies whose hosts share by weight, or evenly. */
const COUNTED: ReadonlySet<string> = new Set(['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM']);

/** Entries that a host of a Maglev table has beyond its weight at most: turns come early, each by less than one. */
const MOST_STRAY = 3;

/** Hosts that proxies of several zones share are that many at most. */
const MOST_SHARED = 100;

/** Steps of a search through classes, and through localities, after which it is given up. */
const MOST_CLASSES = 3e7;
const MOST_STEPS = 3e8;

/** `all`: in panic. */
export interface Level extends Readonly<Record<keyof LevelLoss | 'all', ReturnType<typeof listOf>>> {
  readonly hostSet: DeliveredLevel;
  /** Of its hosts, each that stands for others once. */
  readonly firsts: readonly Host[];
  /** What those of a list that can be lost weigh, beside one; undefined: any will do. */
  readonly byWeight: LevelLosses['byWeight'];
  /** undefined: there are too many. */
  readonly classes: ReturnType<typeof classesOf> | undefined;
}

/** Balancers that are alike, in each place of proxies one. */
export type MergedBalancer = AskedBalancer & { readonly sides: readonly AskedBalancer[] };

/** Requests that reach a list of a level: slices of so many percent of all. */
type Reach = Readonly<{ slices: Slices; isPanic: boolean; percent: number }>;

/** What has to be lost of one list of a level. */
type Hit = Readonly<{ of: keyof LevelLoss; ways: readonly listOverload.Way[] }>;

/** What losses of the hosts of one balancer mean, by the class of the availability of its priorities. */
export class BalancerClasses {
  readonly levels: readonly Level[];
  private readonly lists = new Map<string, listOverload.Overload>();
  private readonly hits = new Map<string, readonly Hit[]>();
  private readonly members = new Map<number, listOverload.Member>();
  private readonly zones = new Map<string, Zone>();
  /** A host is picked by the draw that chose the priority. */
  private readonly drawsBoth: boolean;
  readonly isTable: boolean;
  /** By priority; undefined: it is no ring of hosts of one weight. */
  private readonly rings: readonly (RingLosses | undefined)[];
  private readonly parts: readonly HashedPart[];
  /** Of priority 0, as zones change it; undefined: they have no part in it. */
  private readonly byZone: readonly ZoneLosses[] | 'unknown' | undefined;
  private readonly sent: readonly number[] | undefined;

  /** @param perSecond requests that it gets. */
  constructor(
    readonly asked: MergedBalancer,
    /** Its state with nothing lost. */
    readonly before: PriorityState,
    private readonly risk: HostsAtRisk,
    private readonly perSecond: number,
  ) {
    const { levels, threshold, tables, config } = asked.balancer;
    const thresholds = [threshold, asked.threshold ?? threshold] as const;
    this.isTable = tables.length > 0;
    const isFresh = asked.threshold !== undefined || !quirksOf(config.version).hostByPriorityDraw;
    this.drawsBoth = config.lbPolicy === 'RANDOM' && !isFresh;
    this.levels = levels.map((hostSet): Level => {
      const inTable = (panic: boolean) => (this.isTable ? this.tableOf(hostSet, panic).hosts : undefined);
      const healthy = listOf(hostSet.healthy, risk, inTable(false));
      const degraded = listOf(hostSet.degraded, risk);
      const own = levelLosses(hostSet, risk.losable);
      const isLarge = own === undefined || own.healthy.ways * own.degraded.ways > MOST_CLASSES;
      return {
        hostSet,
        firsts: firstsOf(hostSet.hosts),
        byWeight: own?.byWeight,
        classes: isLarge ? undefined : classesOf(hostSet, own, thresholds, asked.isGone),
        healthy,
        degraded,
        all: healthy.hosts.length === hostSet.hosts.length ? healthy : listOf(hostSet.hosts, risk, inTable(true)),
      };
    });
    const sides = asked.sides.map((one) => this.zoneLosses(one));
    this.byZone = sides.every((one) => typeof one === 'object') ? sides : sides.find((one) => typeof one !== 'object');
    this.sent = typeof this.byZone === 'object' ? this.sentBy(asked.sides, this.byZone) : undefined;
    this.parts = asked.parts.map(({ portion, keys }) => ({ portion, keys: this.isTable ? keys() : undefined }));
    this.rings = levels.map((hostSet) => this.ringOf(hostSet));
  }

  /** Hosts of a table of a level, as soon as some have been lost of those that are healthy. */
  private tableOf(hostSet: HostSet, panic = false, lost: ReadonlySet<Host> = new Set()): TableHosts {
    const left = (hosts: readonly Host[]): readonly Host[] => hosts.filter((host) => !lost.has(host));
    const localities = hostSet.localities.map((group) => ({ ...group, healthy: left(group.healthy) }));
    const lists = { ...hostSet, healthy: left(hostSet.healthy), localities };
    return tableHosts(lists, tableOptions(this.asked.balancer.config, panic));
  }

  private ringOf(hostSet: HostSet): RingLosses | undefined {
    const { lbPolicy, localityWeighted, ringHash: config } = this.asked.balancer.config;
    if (lbPolicy !== 'RING_HASH') return undefined;
    const { hosts, weighted } = this.tableOf(hostSet);
    return new RingLosses(
      hosts.map((host) => this.memberOf(host)),
      weighted.keys,
      hosts.map(({ weight, locality }) => `${weight} ${localityWeighted ? localityKey(locality) : ''}`),
      (places) => this.tableOf(hostSet, false, new Set(hosts.filter((_, place) => places.has(place)))).weighted,
      config,
      this.parts,
    );
  }

  /** What a host gets of a table of a level, in entries, is known up to this part of the requests; undefined: not at all. */
  private get strayShare(): number | undefined {
    const { config } = this.asked.balancer;
    if (this.rings.every((ring) => ring !== undefined)) return 0;
    if (config.lbPolicy !== 'MAGLEV' || this.parts.some(({ keys }) => keys !== undefined)) return undefined;
    const { tableSize } = maglev.configOf(config, config.version);
    return 100 % tableSize === 0 ? undefined : MOST_STRAY / tableSize;
  }

  /** Of proxies in the same zone. */
  private zoneLosses({ view, balancer, isGone }: AskedBalancer): ZoneLosses | 'unknown' | undefined {
    const { zones, config, levels } = balancer;
    const { zonesEnabled, localPanic } = view.context(undefined);
    const [first] = levels;
    if (!view.knowsZones || zones === undefined || first === undefined || zonesEnabled === 0) return undefined;
    // Without records places may go, too; else what keeps it off stays, as too few hosts do with more lost.
    if (zones.finding.state === 'none') return isGone ? 'unknown' : undefined;
    const isPlain = zonesEnabled === 100 && !localPanic && config.zoneAware.localityBasis !== 'HEALTHY_HOSTS_WEIGHT';
    if (!isPlain || isGone || config.localityWeighted) return 'unknown';
    const { local } = zones.finding;
    // Those of several proxies have the same zones, in another order.
    const localities = first.localities.map(({ healthy }, at) => {
      const proxies = local[at] ?? 0;
      const members = (): listOverload.Member[] => healthy.map((host) => this.memberOf(host));
      const key = [proxies, ...healthy.map(({ index }) => index)].join();
      return entryOf(this.zones, key, () => zoneOf(members(), proxies, this.risk.outside));
    });
    const rule = {
      ...zones.sizes,
      hasLocal: first.hasLocalLocality,
      byName: quirksOf(config.version).pairsZonesByName,
    };
    return new ZoneLosses(localities, rule, this.risk.outside);
  }

  /** Parts of the requests that come from proxies in each zone; undefined: there are too many hosts, or zones are paired by place. */
  private sentBy(sides: readonly AskedBalancer[], [zones]: readonly ZoneLosses[]): readonly number[] | undefined {
    const { healthy = [], localities = [] } = sides[0]?.balancer.levels[0] ?? {};
    if (sides.length < 2 || zones?.rule.byName !== true || healthy.length > MOST_SHARED) return undefined;
    const whole = sum(sides.map(({ portion }) => portion));
    const portionOf = (key: string): number => sides.find(({ place }) => place === key)?.portion ?? 0;
    return localities.map(({ locality }) => portionOf(localityKey(locality)) / whole);
  }

  /** Of all of its hosts. */
  get rows(): ReadonlySet<number> {
    return new Set(this.levels.flatMap(({ firsts }) => firsts.map(({ index }) => index)));
  }

  /** Why its classes do not decide on a harm; undefined: they do. */
  whyNot(harm: Harm): Undecided | undefined {
    const { levels, risk, isTable, drawsBoth } = this;
    const { isChain, isGone, singleHost, balancer } = this.asked;
    const { lbPolicy, leastRequest, localityWeighted, slowStart } = balancer.config;
    const lists = levels.flatMap(({ healthy, degraded }) => [healthy, degraded]);
    const hosts = levels.flatMap(({ firsts }) => firsts);
    const hasDead = lists.some((list) => list.hasDead);
    const all = sum(levels.map(({ hostSet }) => hostSet.hosts.length));
    const isListed = !isGone || all === sum(lists.map(({ losable }) => losable.length));
    if (singleHost) return isListed && slicesOf(balancer.state.load).length > 0 ? undefined : 'chain';
    const isPlaceOfUnseen = localityWeighted || typeof this.byZone === 'object';
    if (harm === 'failures' && isPlaceOfUnseen && hosts.some(({ index }) => risk.unseen.has(index)))
      return 'noticed_by_some';
    if (isTable && localityWeighted && isGone) return 'table';
    if (isTable && harm === 'overload' && this.strayShare === undefined) return 'table';
    if (!isTable && (!COUNTED.has(lbPolicyName(lbPolicy)) || slowStart !== undefined)) return 'no_formula';
    if (levels.some(({ classes }) => classes === undefined)) return 'size';
    if (!isListed) return 'dns_and_unhealthy';
    if (((harm === 'panic' || harm === 'limit') && !isChain) || isTable) return undefined;
    const byWeight = levels.some((level) => level.byWeight !== undefined);
    const isPlaced = harm === 'overload' && (localityWeighted || drawsBoth);
    if (byWeight && (isPlaced || typeof this.byZone === 'object')) return 'weighted_health';
    if (this.byZone === 'unknown') return 'zone_routing';
    if (localityWeighted && (hasDead || (harm === 'outside' && this.weighsOutsideNothing()))) return 'localities';
    const isBusy = hosts.some(({ activeRequests }) => activeRequests > 0);
    if (lbPolicy === 'LEAST_REQUEST' && (leastRequest.choiceCount === 0 || isBusy)) return 'open_requests';
    if (harm !== 'overload') return undefined;
    if (this.asked.sides.length > 1 && this.sent === undefined) return 'shared_hosts';
    const steps = levels.map(({ healthy, hostSet }) => hostSet.localities.length * healthy.hosts.length ** 2);
    if (localityWeighted && sum(steps) > MOST_STEPS) return 'size';
    const isDivided = levels.length > 1 || levels[0]?.degraded.hosts.length !== 0;
    return drawsBoth && localityWeighted && isDivided ? 'drawn_host' : undefined;
  }

  /** Fewer losses do not bring it, and so many may not either: a host may have no key, or nothing of a table. */
  isBound(harm: Harm): boolean {
    if (harm === 'limit' || (this.isTable && (harm !== 'panic' || this.parts.some(({ keys }) => keys)))) return true;
    if (harm === 'panic' || typeof this.byZone !== 'object') return false;
    return this.levels[0]?.degraded.hosts.length !== 0 || this.byZone.some(({ rule }) => !rule.byName);
  }

  /** Hosts outside of the proxies' zone may be in localities that get nothing as long as others have hosts. */
  private weighsOutsideNothing(): boolean {
    const isOutside = ({ index }: Host): boolean => this.risk.outside?.has(index) === true;
    return this.levels.some(({ hostSet: { localities, localityWeights } }) =>
      localities.some(({ hosts }, at) => localityWeights?.[at] === 0 && hosts.some(isOutside)),
    );
  }

  /** The smallest loss in a class of a level with which requests that reach it meet a goal. */
  pickFor(goal: Goal, level: Level, own: LevelClass, reach: Reach): Pick {
    const { slices, isPanic, percent } = reach;
    let key = (isPanic ? 1 : 0) + (slices[0]?.degraded === true ? 2 : 0) + GOALS.indexOf(goal) * 4;
    // How many requests there are matters to capacities alone.
    for (const { from, to } of goal === 'overload' ? slices : [])
      key = (key * 101 + (to - from)) * 101 + (this.drawsBoth || this.isTable ? from : 0);
    return entryOf(own.known, key * 101 + percent, () => this.bestPick(goal, level, own, reach));
  }

  private bestPick(goal: Goal, level: Level, own: LevelClass, reach: Reach): Pick {
    const { risk } = this;
    const { slices, isPanic } = reach;
    if (this.asked.singleHost) return this.singlePick(goal);
    const least = fewestIn(own);
    // Without a host a request fails, unless others are asked then.
    const ofNone = goal === (this.asked.isChain ? 'none' : 'failures') ? least : NOWHERE;
    if (goal === 'panic') return isPanic && own.hosts > 0 ? least : NOWHERE;
    if (isPanic && this.asked.balancer.config.failTrafficOnPanic) return ofNone;
    if (isPanic && this.asked.isGone && own.hosts > 0) return NOWHERE;
    // The load of degraded hosts goes to the table of the healthy ones.
    const of = slices[0]?.degraded === true && !this.isTable ? 'degraded' : 'healthy';
    if (typeof this.byZone === 'object' && level.hostSet.priority === 0 && !isPanic)
      // Degraded hosts are asked for in a zone that healthy ones choose.
      return of === 'degraded'
        ? least
        : this.hitIn(level, own, this.hitsByZone(this.byZone, goal, reach, level.healthy.losable.length));
    const { hosts, losable, used, hasDead, unseen } = level[isPanic ? 'all' : of];
    if (goal === 'overload') return this.hitIn(level, own, this.overloads(level, of, reach));
    if (goal === 'outside') {
      const others = hosts.map(({ index }) => index).filter((row) => risk.outside?.has(row) === true);
      const stays = others.find((row) => !risk.losable.has(row)) ?? others[0];
      if (stays === undefined) return NOWHERE;
      return isPanic ? least : this.hitIn(level, own, [keeping(level, of, stays)]);
    }
    if (own.hosts === 0 || hosts.length === 0) return ofNone;
    if (hasDead && goal === 'failures') return least;
    if (unseen !== undefined) return goal === 'failures' ? ofRows([unseen]) : NOWHERE;
    if (hasDead || isPanic) {
      if (goal !== 'failures') return NOWHERE;
      return fewestIn(own, ({ degraded, from }) => (degraded > 0 ? from : Math.max(1, from)));
    }
    if (used < hosts.length || ofNone === NOWHERE) return NOWHERE;
    const rows = (count: number): readonly number[] => losable.slice(0, count);
    return this.hitIn(level, own, [{ of, ways: [{ from: used, to: losable.length, rows }] }]);
  }

  /** Where the first host of a subset is asked whatever its health: it fails, or is passed over, or makes way for the next. */
  private singlePick(goal: Goal): Pick {
    const { levels, risk, asked, perSecond } = this;
    const order = levels.flatMap(({ hostSet }) => hostSet.hosts.map(({ index }) => index));
    const isPassed = asked.isGone || asked.view.readsHealthLive;
    const after = (isHit: (row: number) => boolean): number => (asked.isGone ? order.findIndex(isHit) : -1);
    const lostFor: Readonly<Partial<Record<Goal, number>>> = {
      [isPassed ? 'none' : 'failures']: asked.isGone ? order.length : 1,
      overload: after((row) => listOverload.isOver(1, perSecond, risk.capacities[row] ?? Infinity)),
      outside: after((row) => risk.outside?.has(row) === true),
    };
    const lost = lostFor[goal] ?? -1;
    const rows = order.slice(0, Math.max(0, lost));
    return lost >= 0 && rows.every((row) => risk.losable.has(row)) ? ofRows(rows) : NOWHERE;
  }

  /** The smallest loss of a class with one of these; by weight, of the heaviest that are of the class. */
  private hitIn({ byWeight }: Level, { parts }: LevelClass, hits: readonly Hit[]): Pick {
    const isRandom = this.asked.balancer.config.lbPolicy === 'RANDOM';
    let [best, least] = [NOWHERE, this.risk.most + 1];
    const consider = ({ of, ways }: Hit, part: (typeof parts)[number]): void => {
      const { degraded, from, to, weights: range } = part;
      for (const way of ways) {
        const healthy = of === 'healthy' ? Math.max(from, way.from) : from;
        const count = of === 'healthy' ? healthy : degraded;
        if (healthy > to || count < way.from || count > way.to || healthy + degraded >= least) continue;
        const weights = range && byWeight?.(of, way.kept);
        const weight = range && weights?.most(count, ...range[of]);
        if (weights !== undefined && weight === undefined) continue;
        if (way.holds?.(isRandom ? undefined : weight) === false) continue;
        const rows = (): readonly number[] =>
          (weight === undefined ? undefined : weights?.rows(count, weight)) ?? way.rows(count);
        [best, least] = [{ healthy, degraded, part, hit: { of, rows } }, healthy + degraded];
      }
    };
    for (const part of parts) for (const hit of hits) consider(hit, part);
    return best;
  }

  private hitsByZone(zones: readonly ZoneLosses[], goal: Goal, { slices }: Reach, most: number): readonly Hit[] {
    const perSecond =
      goal === 'overload' ? (this.perSecond * sum(slices.map(({ from, to }) => to - from))) / 100 : Infinity;
    return entryOf(this.hits, `zones ${goal} ${perSecond}`, () => {
      const goals: readonly Goal[] = goal === 'failures' && !this.asked.isChain ? [goal, 'none'] : [goal];
      const sides = [...new Map(zones.map((side) => [side.kind, side])).values()];
      const find = (lost: number): readonly number[] | undefined => {
        if (goal === 'overload' && this.sent !== undefined) return zones[0]?.findShared(lost, perSecond, this.sent);
        const ways = goals.flatMap((one) => sides.map((side) => () => side.find(lost, one, perSecond)));
        return ways.reduce<ReturnType<ZoneLosses['find']>>((found, way) => found ?? way(), undefined);
      };
      return [{ of: 'healthy', ways: listOverload.waysOf(most, find) }];
    });
  }

  /** Which hosts of a level to lose so that some host that is left is above its capacity. */
  private overloads(level: Level, of: keyof LevelLoss, { slices, isPanic, percent }: Reach): readonly Hit[] {
    const whole = (percent / 100) * this.perSecond;
    const perSecond = (whole * sum(slices.map(({ from, to }) => to - from))) / 100;
    const draws = this.drawsBoth || this.isTable ? slices.map(({ from, to }) => `${from} ${to}`).join() : '';
    const key = `${level.hostSet.priority} ${isPanic ? 'all' : of} ${perSecond} ${draws}`;
    return entryOf(this.hits, key, () => {
      const { priority } = level.hostSet;
      const inside = slices.map((slice) => ({ ...slice, priority }));
      if (isPanic) return this.overloadsInPanic(level, inside, perSecond, whole);
      const ring = this.rings[priority];
      if (ring !== undefined) return this.overloadsOfRing(level, ring, residuesOf(inside, priority), whole);
      return slices.slice(0, 1).map((slice) => ({ of, ways: this.overloadOf(level, of, slice)(perSecond) }));
    });
  }

  private overloadsOfRing({ healthy }: Level, ring: RingLosses, residues: Uint8Array, perSecond: number): Hit[] {
    const { losable: all, used } = healthy;
    const found = new Map<number, ReturnType<RingLosses['find']>>();
    const findIn = (lost: number) => entryOf(found, lost, () => ring.find(lost, residues, perSecond));
    /** Some may be lost that are in no table. */
    const find = (lost: number): ReturnType<RingLosses['find']> => {
      let none: 'unknown' | undefined;
      for (let own = Math.min(lost, used); own >= Math.max(0, lost - all.length + used); own--) {
        const rows = findIn(own);
        if (rows === 'unknown') none = rows;
        else if (rows !== undefined) return [...rows, ...all.slice(used, used + lost - own)];
      }
      return none;
    };
    /** Where it is not known whether so many bring it, more that do. */
    const known = (lost: number, more = 0): readonly number[] | undefined => {
      if (lost + more > all.length) return all.slice(0, lost);
      const rows = find(lost + more);
      return rows === 'unknown' || (more > 0 && rows === undefined) ? known(lost, 2 * more + 1) : rows;
    };
    return [{ of: 'healthy', ways: listOverload.waysOf(all.length, known) }];
  }

  /** What each host gets where all hosts of a level are in its table, as a part of all requests, by row. */
  private sharesInPanic(slices: Slices): ArrayLike<number> {
    const { balancer } = this.asked;
    const { config, levels } = balancer;
    const inPanic = { ...balancer, slices, tables: levels.map((level) => new HashTable(config, level, true)) };
    const size = this.risk.capacities.length;
    const shares = new Float64Array(size);
    const whole = sum(this.parts.map(({ portion }) => portion));
    for (const { portion, keys } of this.parts) {
      const outcome = new Outcome();
      if (keys === undefined) pickByDrawnHash(inPanic, outcome);
      const own =
        keys === undefined
          ? outcome.byRow(size).share
          : spreadHashes([{ balancer: inPanic, name: undefined, singleHost: false }], keys.hashes, keys.portions, size)
              .share;
      for (const [row, share] of own.entries()) shares[row] = (shares[row] as number) + (share * portion) / whole;
    }
    return shares;
  }

  /**
   * All hosts of the level share, whatever their health: one that is left must be above its capacity.
   *
   * @param whole requests a second of which a table divides those of the slices.
   */
  private overloadsInPanic(level: Level, slices: Slices, perSecond: number, whole: number): Hit[] {
    const { dead, losable, capacities } = this.risk;
    const { hosts } = level.hostSet;
    const drawn = this.drawsBoth ? sharesByResidue(hosts.length, ...slices) : undefined;
    const all = sum(hosts.map(({ weight }) => this.weightOf(weight)));
    const ofTable = this.isTable ? this.sharesInPanic(slices) : undefined;
    const load = ({ index, weight }: Host, place: number): number => {
      if (ofTable !== undefined) return (ofTable[index] ?? 0) * whole;
      return perSecond * (drawn === undefined ? this.weightOf(weight) / all : (drawn[place % drawn.length] ?? 0));
    };
    const over = hosts.filter(
      (host, place) =>
        !dead.has(host.index) && listOverload.isOver(load(host, place), 1, capacities[host.index] ?? Infinity),
    );
    const stays = over.find(({ index }) => !losable.has(index));
    if (stays !== undefined) return [keeping(level, 'healthy', stays.index)];
    return (['healthy', 'degraded'] as const).flatMap((of) => {
      const kept = over.find((host) => level[of].hosts.includes(host));
      return kept === undefined ? [] : [keeping(level, of, kept.index)];
    });
  }

  /** RANDOM does not look at weights. */
  private weightOf(weight: number): number {
    return this.asked.balancer.config.lbPolicy === 'RANDOM' ? 1 : weight;
  }

  private overloadOf({ hostSet }: Level, of: keyof LevelLoss, slice: PrioritySlice): listOverload.Overload {
    const { localityWeighted } = this.asked.balancer.config;
    const drawn = this.drawsBoth && slice.to - slice.from < 100;
    const key = `${hostSet.priority} ${of} ${drawn ? `${slice.from} ${slice.to}` : ''}`;
    return entryOf(this.lists, key, () => {
      const members = hostSet[of].map((host) => this.memberOf(host));
      const weights = localityWeighted ? hostSet.localityWeights : undefined;
      if (drawn) return listOverload.drawOverload(members, slice);
      // No host of a table has more entries than its weight says but for a few.
      if (weights === undefined) return listOverload.weightOverload(members, this.isTable ? this.strayShare : 0);
      const localities = hostSet.localities.map((group, index) =>
        this.localityOf(group, of, weights[index] ?? 0, hostSet),
      );
      return listOverload.localityOverload(localities, this.isTable ? this.strayShare : undefined);
    });
  }

  private localityOf(group: LocalityGroup, of: keyof LevelLoss, weight: number, hostSet: HostSet) {
    const eligible = (of === 'degraded' ? degradedHosts : healthyHosts)(group);
    const counted = group.hosts.length - group.excluded.length;
    return {
      members: group[of].map((host) => this.memberOf(host)),
      weight: (lost: number): number => {
        if (this.isTable) return lost < group.healthy.length ? weight : 0;
        const left = counted - (this.asked.isGone ? lost : 0);
        return effectiveLocalityWeight(weight, eligible - lost, left, hostSet.overprovisioningFactor);
      },
    };
  }

  /** One for all that a host stands for: it is in lists as often. */
  private memberOf({ index, weight }: Host): listOverload.Member {
    return entryOf(this.members, index, () => {
      const { losable, dead, capacities } = this.risk;
      const state = losable.has(index) ? 'losable' : dead.has(index) ? 'dead' : 'stays';
      return { row: index, weight: this.weightOf(weight), capacity: capacities[index] ?? Infinity, state };
    });
  }
}

/** Hosts among which a level's requests are divided. @param hosts those of `all` in use: locality weights keep some out of tables. */
function listOf(all: readonly Host[], { losable, dead, unseen, times }: HostsAtRisk, hosts = all) {
  const firsts = firstsOf(hosts);
  const losableOf = (some: readonly Host[]): number[] =>
    some.filter(({ index }) => losable.has(index)).map(({ index }) => index);
  const own = losableOf(hosts);
  return {
    hosts,
    /** Rows that can be lost, and how many of the first are of these hosts. */
    losable: hosts.length === all.length ? own : [...own, ...losableOf(without(all, hosts))],
    used: own.length,
    /** The most seconds for which one of them has a request. */
    slowest: firsts.reduce((most, { index }) => Math.max(most, times[index] ?? 0), 0),
    hasDead: firsts.some(({ index }) => dead.has(index)),
    /** The first row whose loss nobody notices. */
    unseen: firsts.find(({ index }) => unseen.has(index))?.index,
  };
}

/** Just these, of a level that loses none beside. */
const ofRows = (rows: readonly number[]): Pick => ({
  healthy: rows.length,
  degraded: 0,
  hit: { of: 'healthy', rows: () => rows },
});

/** Without those that stand for a further one like the one before them. */
const firstsOf = (hosts: readonly Host[]): readonly Host[] => hosts.filter((host, at) => host !== hosts[at - 1]);

/** To lose any of a list but this one. */
function keeping(level: Level, of: keyof LevelLoss, kept: number): Hit {
  const { losable } = level[of];
  const place = losable.indexOf(kept);
  const others = losable.filter((_, at) => at !== place);
  return { of, ways: [{ from: 0, to: others.length, rows: (count) => others.slice(0, count), kept }] };
}
