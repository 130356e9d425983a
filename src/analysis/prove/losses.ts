import { addAll, entryOf, groupBy, sameItems, sum, largest } from '../../core/values.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { aggregated, discoveryType, type Cluster } from '../../config/cluster/cluster-shape.js';
import { around } from '../../config/policy/policy.js';
import { lbPolicyOf, policyOf } from '../../config/policy/of-cluster.js';
import { outlierSettings } from '../../config/to-settings.js';
import { quirksOf } from '../../core/version.js';
import { localityKey, placeName } from '../../host/host.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import { ClusterAtRest } from '../../predict/at-rest.js';
import type { SplitFact } from '../../hostset/generated/split-facts.js';
import type { HostRow } from '../../result/phase-hosts.js';
import { isObstacle, type Obstacle } from '../../predict/obstacle.js';
import type { Scenario, TimelineEntry } from '../../scenario/model.js';
import { type BehaviorRule, Behaviors, capacityOf, secondsOf, seenFrom } from '../../settings/behavior.js';
import { parseSelectorText } from '../../scenario/selector.js';
import { hostPredicate, selectableHost } from '../../settings/selector.js';
import type { Harm } from '../../settings/generated/measures.js';
import { clustersAsked, everTakesTime, hasSizes, zoneOf } from '../../settings/world.js';
import { OutlierSettings } from '../../upstream/outlier-settings.js';
import { type Alike, oneOfEach } from './alike.js';
import { hasRecords, recordUnits, type Unit, withoutRecords } from './loss-units.js';
import type { Lose, LossNote, NoSplit, Notice, Outcome } from './generated/findings.js';

/** null: lost hosts keep their part. There is a control plane with EDS, or where the timeline tells health later on. */
export function whoNotices(scenario: Scenario, cluster: Cluster): Notice | null {
  // To lose a host there is to lose its record.
  if (hasRecords(cluster)) return 'dns';
  if (cluster.healthChecks.length > 0) return 'health_checks';
  const isTold = scenario.timeline.some(
    ({ atUs, action }) =>
      atUs > 0 && action.kind === 'set_health' && (action.hosts.cluster ?? cluster.name) === cluster.name,
  );
  if (discoveryType(cluster) === 'EDS' || isTold) return 'control_plane';
  return cluster.outlierDetection === undefined ? null : 'outlier_detection';
}

/** What notices losses of all of these clusters. @throws NoPrediction */
function noticedIn(scenario: Scenario, clusters: readonly Cluster[]): Notice | null {
  const found = clusters.map((one) => whoNotices(scenario, one));
  const isChecked = clusters.map(({ healthChecks }, at) => found[at] === 'dns' && healthChecks.length > 0);
  const effects = new Set(found.map((by, at) => `${by === 'health_checks' ? 'control_plane' : by} ${isChecked[at]}`));
  const [by = null, ...others] = found;
  if (others.length > 0 && found.includes('outlier_detection')) throw new NoPrediction({ kind: 'noticed_apart' });
  if (effects.size === 1) return by;
  if (clusters.some((one) => discoveryType(one) === 'LOGICAL_DNS')) throw new NoPrediction({ kind: 'noticed_apart' });
  return 'some_clusters';
}

/** A smaller part of the requests, or of a capacity, is a rounding error. */
export const NEGLIGIBLE = 1e-9;

/** There is no exact split for the search. */
export class NoPrediction extends Error {
  override readonly name = 'NoPrediction';

  /** @param cluster that it is about; undefined: none in particular. */
  constructor(
    readonly fact: NoSplit,
    readonly cluster?: string,
  ) {
    super();
  }
}

export const SEVERAL_LIMITS: Obstacle = { kind: 'several_limits' };

/** A host of the cluster, and its priority. */
export type HostAt = ClusterAtRest['hosts'][number];

/**
 * What losses of one cluster bring, beside those hosts that are down from the start. Every loss is judged by the prediction of
 * the cluster with its hosts unhealthy, or without them where their DNS records are lost.
 */
export class Losses {
  /** Those that can be lost: neither unhealthy nor down from the start. */
  readonly hosts: readonly HostAt[];
  /** How many there are, with all that one stands for. */
  readonly size: number;
  /** Those that are not down, by address: the same one may be there twice. */
  private readonly byAddress: ReadonlyMap<string, readonly HostAt[]>;
  /** Hosts that are down from the start. */
  readonly down: Pick<Unit, 'rows'>;
  /** What has noticed those, and will notice losses. */
  private readonly notice: Notice | null = noticedIn(this.scenario, this.rest.clusters);
  /** Rows of hosts whose loss nobody notices, where that of others is. */
  readonly unseen: ReadonlySet<number>;
  /** Rows of hosts that are not seen to be down from the start. */
  private readonly unchecked: ReadonlySet<number>;
  /** null: a lost host keeps its part. */
  readonly noticedBy: Notice | null = this.isUnnoticed ? 'nobody_yet' : this.notice;
  /** This many lost hosts are noticed at most. */
  readonly mostNoticed: number;
  /** With those that are down from the start. */
  private readonly mostOut: number;
  /** Clusters whose lost hosts are no longer listed, instead of unhealthy. */
  readonly gone: ReadonlySet<string>;
  private readonly unlisted: ReadonlySet<number>;
  /** Its one host is at the first address of its name that is left. */
  readonly isLogical: boolean =
    !this.isUnnoticed && this.rest.clusters.some((one) => discoveryType(one) === 'LOGICAL_DNS' && hasRecords(one));
  /** Every host has its own keys. */
  readonly isTable: boolean = this.rest.clusters.some((one) => isTablePolicy(lbPolicyOf(one)));
  /** Rows of hosts outside of the proxies' zone; undefined: they have none in which there are hosts. */
  readonly outside: ReadonlySet<number> | undefined = outsideOf(this.scenario, this.rest);
  /** Requests a second that a host can take, by row; Infinity: any. */
  readonly capacities: Float64Array = new Float64Array(this.rest.rows.length).fill(Infinity);
  /** Seconds for which a host has a request on average, by row. */
  readonly times: Float64Array = new Float64Array(this.rest.rows.length);
  /** Requests a second of the cluster. */
  perSecond: number = this.rest.seconds > 0 ? (this.rest.requests ?? 0) / this.rest.seconds : 0;
  /** How long requests take, no mean says. */
  private readonly isSized = hasSizes(this.scenario);
  /** Zones have a part in the choice of hosts. */
  readonly byPlace: boolean;
  /** By row: hosts of one kind are alike to everything but a table, where they are in one place. */
  private readonly kinds: readonly string[];
  private readonly unitsOf = new Map<Lose, readonly Unit[]>();
  private readonly outcomes = new Map<string, Outcome>();
  /** Names of the last units that were asked for. */
  private told = { units: [] as readonly Unit[], set: [] as readonly string[], addresses: [] as readonly string[] };

  private constructor(
    private readonly scenario: Scenario,
    readonly config: Cluster,
    readonly rest: ClusterAtRest,
    private readonly alike: Alike,
    capacity: number | undefined,
    private readonly isUnnoticed: boolean,
    /** Where sets are tried, all of up to three units are, however many. */
    readonly isExhaustive: boolean,
  ) {
    const { hosts, clusters } = rest;
    this.mostOut = mostNoticed(this.notice, scenario, clusters, this.numberOf(hosts));
    this.mostNoticed = isUnnoticed ? 0 : this.mostOut;
    const listed = clusters.filter((one) => whoNotices(scenario, one) === 'dns');
    const blind = this.notice === 'some_clusters' ? clusters.filter((one) => whoNotices(scenario, one) === null) : [];
    this.gone = new Set(isUnnoticed ? [] : listed.map(({ name }) => name));
    this.byPlace = rest
      .asked(this.gone)
      .some(({ view, balancer }) => view.knowsZones || balancer.config.localityWeighted);
    const behaviors = new Behaviors([...scenario.behavior, ...behaviorsAtStart(scenario)]);
    const zones = [...new Set(scenario.proxies.map(zoneOf))];
    const hasSubsets = clusters.some((one) => around(policyOf(one), 'subset') !== undefined);
    const down = new Set<number>();
    const kinds: string[] = [];
    for (const { host, priority, cluster } of hosts) {
      const { index, weight, metadata, health } = host;
      const behavior = behaviors.of([selectableHost(host, cluster, priority)]);
      if (behavior.down !== 'none') down.add(index);
      const most = (this.capacities[index] = capacity ?? (this.isSized ? Infinity : capacityOf(behavior)));
      // Of proxies in several zones the one that is farthest away.
      const times = zones.map((zone) => secondsOf(seenFrom(behavior, zone, host.locality.zone)));
      const time = (this.times[index] = this.isSized ? 0 : largest(times, 0));
      const isOutside = this.outside?.has(index) === true;
      const own = [cluster, priority, weight, health, most, time, isOutside, hasSubsets ? metadata : ''];
      // One that is listed twice is of both kinds.
      kinds[index] = (kinds[index] ?? '') + JSON.stringify(own);
    }
    this.kinds = kinds;
    this.down = { rows: [...down].flatMap((row) => new Array<number>(rest.copies(row)).fill(row)) };
    this.hosts = hosts.filter(({ host }) => !down.has(host.index) && !host.isUnhealthy);
    this.size = this.numberOf(this.hosts);
    const rowsOf = (own: readonly Cluster[], some = hosts): ReadonlySet<number> => {
      const isOf = ({ cluster }: HostAt): boolean => own.some(({ name }) => name === cluster);
      return new Set(some.filter(isOf).map(({ host }) => host.index));
    };
    this.unlisted = rowsOf(isUnnoticed ? [] : listed);
    this.unseen = rowsOf(blind, this.hosts);
    this.unchecked = rowsOf([...blind, ...listed.filter(({ healthChecks }) => healthChecks.length === 0)]);
    // One that is unhealthy in one place may be lost with another of its address.
    const up = hosts.filter(({ host }) => !down.has(host.index));
    this.byAddress = groupBy(up, ({ host }) => host.address);
  }

  numberOf(hosts: readonly HostAt[]): number {
    return sum(hosts.map(({ host }) => this.rest.copies(host.index)));
  }

  /**
   * Those of each cluster; asking throws NoPrediction where the split of the whole cluster is not known exactly.
   *
   * @param capacity  requests a second that each host can take; undefined: what its behaviour allows.
   * @param selectors of hosts that will be asked for.
   * @param isUnnoticed nobody has noticed a loss yet.
   */
  static async all(
    scenario: Scenario,
    capacity?: number,
    selectors: readonly string[] = [],
    isUnnoticed = false,
    isExhaustive = false,
  ): Promise<(cluster: string) => Losses> {
    const asked = selectors.map(parseSelectorText).flatMap((read) => (read.ok ? [{ hosts: read.value }] : []));
    const rules = [...scenario.behavior, ...behaviorsAtStart(scenario), ...asked];
    const { scenario: some, alikeOf, tooMany } = oneOfEach(settled(scenario), rules);
    const atRest = await ClusterAtRest.all(some, alikeOf);
    return (cluster) => {
      const config = scenario.clusters.find(({ name }) => name === cluster);
      const rest = atRest(cluster);
      if (rest === undefined || config === undefined) throw new NoPrediction({ kind: 'no_such_cluster', cluster });
      if (tooMany.has(cluster)) throw new NoPrediction({ kind: 'many_listed_twice' });
      const split = rest.split();
      if (isObstacle(split)) throw new NoPrediction(split);
      return new Losses(scenario, config, rest, alikeOf(cluster), capacity, isUnnoticed, isExhaustive);
    };
  }

  kindOf({ host }: HostAt): string {
    return `${this.kinds[host.index] ?? ''} ${this.byPlace ? localityKey(host.locality) : ''}`;
  }

  /** Hosts of any of these selectors that can be lost, in the order of the cluster. @throws NoPrediction */
  selected(...lose: readonly string[]): readonly Unit[] {
    const predicates = lose.map((text) => {
      const selector = parseSelectorText(text);
      if (!selector.ok) throw new NoPrediction({ kind: 'no_selector', lose: text, message: selector.message });
      return hostPredicate(selector.value);
    });
    const meant = this.hosts.filter(({ host, priority, cluster }) =>
      predicates.some((matches) => matches(selectableHost(host, cluster, priority))),
    );
    const addresses = new Set(meant.map(({ host }) => host.address));
    return this.units('hosts').filter((unit) => addresses.has(unit.name));
  }

  get knowsCapacity(): boolean {
    return this.capacities.some((capacity) => capacity < Infinity);
  }

  /** How many requests may be open at hosts that take time is no one number. */
  get hasSeveralLimits(): boolean {
    return this.takesTime && this.rest.admitted === null;
  }

  /** Of these harms those that a loss may bring: where no host has a capacity, none is above it. @throws NoPrediction */
  judged(harms: readonly Harm[]): readonly Harm[] {
    if (harms.includes('limit') && this.hasSeveralLimits) throw new NoPrediction(SEVERAL_LIMITS);
    if (harms.includes('limit') && this.isSized) throw new NoPrediction({ kind: 'sized_requests' });
    const known = harms.filter((harm) => harm !== 'overload' || this.knowsCapacity);
    const isOpen = known.length < harms.length && (known.length === 0 || this.isSized);
    if (isOpen) throw new NoPrediction({ kind: 'no_capacity' });
    return known;
  }

  private get takesTime(): boolean {
    return this.times.some((time) => time > 0);
  }

  *notes(): Iterable<LossNote> {
    const { scenario, config, rest, size } = this;
    const hosts = this.numberOf(rest.hosts);
    if (hosts > size) yield { kind: 'out_already', out: hosts - size, hosts };
    if (this.hasSeveralLimits) yield { kind: 'not_searched', why: SEVERAL_LIMITS };
    if (!this.knowsCapacity) yield { kind: 'no_capacity' };
    const isRetried = scenario.workloads.some(
      ({ route, retryPolicy, tcp }) =>
        (retryPolicy !== undefined || (tcp?.maxConnectAttempts ?? 1) > 1) &&
        route.some(({ cluster }) => cluster === config.name),
    );
    if (isRetried) yield { kind: 'tried_once' };
    const isInside = (one: Cluster): boolean => rest.clusters.some(({ name }) => aggregated(one)?.includes(name));
    const others = [...rest.clusters, ...scenario.clusters.filter(isInside)].map(({ name }) => name);
    const asked = clustersAsked(scenario);
    if (others.some((name) => name !== config.name && asked.has(name))) yield { kind: 'also_asked' };
    const looksAtLoad = rest.clusters.some((one) => factsOf(lbPolicyOf(one))?.looksAtLoad === true);
    const isBounded = rest.asked(this.gone).some(({ view }) => view.config.consistentHashing.hashBalanceFactor > 0);
    if ((looksAtLoad || isBounded) && everTakesTime(scenario)) yield { kind: 'idle_hosts' };
    if (this.noticedBy === 'outlier_detection') yield { kind: 'ejection_limit', most: this.mostNoticed };
  }

  /** Those of a DNS cluster whose hosts are lost one by one are its records. */
  get single(): 'hosts' | 'records' {
    return this.noticedBy === 'dns' ? 'records' : 'hosts';
  }

  /** Units of loss: zones, and hosts by address, or the records of the names of a DNS cluster. */
  units(lose: Lose): readonly Unit[] {
    return entryOf(this.unitsOf, lose, () => this.unitsNow(lose));
  }

  private unitsNow(lose: Lose): readonly Unit[] {
    if (lose === 'records')
      return recordUnits(this.scenario, this.rest.clusters, (addresses) => this.rowsOf(this.hostsAt(addresses)));
    const isZone = lose === 'zones';
    const isPlaced = this.scenario.proxies.some(({ version }) => quirksOf(version).hostByPriorityDraw);
    const hasOwnKinds = this.isTable || (lbPolicyOf(this.config) === 'RANDOM' && isPlaced);
    const placeKinds = new Map<string, string>();
    const kindOf = (at: HostAt): string => {
      if (hasOwnKinds) return at.host.address;
      if (!isZone || !this.byPlace) return this.kindOf(at);
      const key = localityKey(at.host.locality);
      return `${this.kinds[at.host.index] ?? ''} ${entryOf(placeKinds, key, () => this.placeKindOf(key))}`;
    };
    const keyOf = ({ host }: HostAt): string => (isZone ? placeName(host.locality) : host.address);
    const units: Unit[] = [];
    for (const [name, members] of groupBy(this.hosts, keyOf)) {
      const all = this.hostsAt(members.map(({ host }) => host.address));
      const rows = this.rowsOf(all);
      const numberOf = (own: readonly HostAt[]): number => (isZone ? this.numberOf(own) : own.length);
      const kinds = [...groupBy(all, kindOf)].map(([kind, own]) => `${kind} ${numberOf(own)}`);
      const unit = {
        name: name === '' ? '(none)' : name,
        rows,
        kind: kinds.sort().join(),
        group: isZone ? name : members.map(({ host }) => placeName(host.locality)).join(),
      };
      const isOneOfMany = !isZone && this.rest.copies(rows[0] ?? 0) > 1;
      const one = isOneOfMany ? { ...unit, rows: rows.slice(0, 1) } : unit;
      for (let at = isOneOfMany ? rows.length : 1; at > 0; at--) units.push(one);
    }
    return units;
  }

  /** What a place is to balancers: hosts in places of one kind are treated alike. */
  private placeKindOf(key: string): string {
    const kinds = this.rest.asked(this.gone).map(({ view, balancer: { levels, zones, config } }) => {
      // Zones that are paired by place are not quite alike.
      if (view.knowsZones && !quirksOf(config.version).pairsZonesByName) return key;
      const proxies = zones !== undefined && 'local' in zones.finding ? zones.finding.local : [];
      return levels.map(({ priority, localities, localityWeights, hasLocalLocality }) => {
        const at = localities.findIndex(({ locality }) => localityKey(locality) === key);
        return [localityWeights?.[at], hasLocalLocality && at === 0, priority === 0 && proxies[at]];
      });
    });
    return JSON.stringify(kinds);
  }

  /** Those that are not down. */
  private hostsAt(addresses: readonly string[]): ReadonlySet<HostAt> {
    return new Set(addresses.flatMap((address) => this.byAddress.get(address) ?? []));
  }

  private rowsOf(hosts: Iterable<HostAt>): readonly number[] {
    const rows: number[] = [];
    for (const { host } of hosts) for (let at = this.rest.copies(host.index); at > 0; at--) rows.push(host.index);
    return rows;
  }

  /** How many hosts are lost with these units, by row: units may share some. @param most the first ones alone count. */
  numbersOf(units: readonly Pick<Unit, 'rows'>[], most = Infinity): Int32Array {
    const numbers = new Int32Array(this.rest.rows.length);
    let left = most;
    for (const { rows } of units) {
      for (const row of rows) {
        const number = numbers[row] as number;
        if (number === this.rest.copies(row) || left <= 0) continue;
        numbers[row] = number + 1;
        left--;
      }
    }
    return numbers;
  }

  /** One of those that a row stands for; the first ones are lost before others. */
  private addressOf({ address }: HostRow, at: number): string {
    return this.alike.get(address)?.[at] ?? address;
  }

  /** Names of units, and the addresses of their hosts. */
  named(units: readonly Unit[]): { readonly set: readonly string[]; readonly addresses: readonly string[] } {
    const { rest, told } = this;
    if (sameItems(told.units, units)) return told;
    const taken = new Int32Array(rest.rows.length);
    const set: string[] = [];
    const addresses: string[] = [];
    for (const { name, rows, addresses: own } of units) {
      for (const row of own === undefined ? rows : [])
        addresses.push(this.addressOf(rest.rows[row] as HostRow, (taken[row] as number)++));
      addAll(addresses, own ?? []);
      const isOneOfMany = rows.length === 1 && rest.copies(rows[0] ?? 0) > 1;
      set.push(isOneOfMany ? (addresses[addresses.length - 1] ?? name) : name);
    }
    const isOnce = this.alike.size === rest.hosts.length;
    this.told = { units, set, addresses: isOnce ? addresses : [...new Set(addresses)] };
    return this.told;
  }

  /** The cluster at rest has lost these from now on, as far as that is noticed. @returns how many are ill. */
  apply(units: readonly Unit[], lost = this.numbersOf(units)): Int32Array {
    const { down, unlisted, rest } = this;
    const isAll = this.mostNoticed === Infinity;
    const ill = this.numbersOf(isAll || this.isUnnoticed ? [down] : [down, ...units], this.mostOut);
    const unhealthy = isAll ? ill.map((number, row) => number + (unlisted.has(row) ? 0 : (lost[row] as number))) : ill;
    for (const row of this.unchecked) unhealthy[row] = 0;
    const gone = lost.map((number, row) => (unlisted.has(row) ? number : 0));
    rest.lose(unhealthy, gone);
    return unhealthy;
  }

  /** The cluster without these. @throws NoPrediction */
  async lose(units: readonly Unit[]): Promise<Outcome> {
    const lost = this.numbersOf(units);
    const key = `${this.perSecond} ${lost.join()}`;
    const known = this.outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = await this.outcomeOf(units, this.isLogical ? undefined : lost);
    if (this.outcomes.size === MOST_KNOWN) this.outcomes.clear();
    // Which of them are noticed depends on their order there, and on more than rows where the host is a logical one.
    if (this.mostNoticed === Infinity && !this.isLogical) this.outcomes.set(key, outcome);
    return outcome;
  }

  private async outcomeOf(units: readonly Unit[], all?: Int32Array): Promise<Outcome> {
    const { scenario, config } = this;
    let { rest } = this;
    if (this.isLogical && units.length > 0) {
      const { addresses } = this.named(units);
      rest = (await ClusterAtRest.all(withoutRecords(settled(scenario), addresses)))(config.name) ?? rest;
    }
    const some = this.isLogical ? [] : units;
    const lost = all ?? this.numbersOf(some);
    const unhealthy = this.apply(some, lost);
    const split = rest.split();
    if (isObstacle(split)) throw new NoPrediction(split);
    const { share, panic } = split;
    let failed = split.none;
    let outside = 0;
    let requests = 0;
    let fullest: Outcome['fullest'] = null;
    const down = this.numbersOf([this.down]);
    let busiest = 0;
    const shares = Float64Array.from(rest.rows, (host, row) => {
      const [each, ofIll, ill] = [share[row] as number, share[rest.lostRow(row)] as number, unhealthy[row] as number];
      const [copies, dead] = [rest.copies(row), (down[row] as number) + (lost[row] as number)];
      const whole = (copies - ill) * each + ill * ofIll;
      failed += (dead - ill) * each + ill * ofIll;
      if ((lost[row] as number) < copies) busiest = Math.max(busiest, ill === copies ? ofIll : each);
      if (this.outside?.has(row) === true) outside += whole;
      const perSecond = each * this.perSecond;
      requests += (copies - dead) * perSecond * (this.times[row] as number);
      const load = perSecond / (this.capacities[row] ?? Infinity);
      if (dead < copies && load > (fullest?.load ?? 0))
        fullest = { address: this.addressOf(host, dead), load, perSecond };
      return whole;
    });
    const facts = (): readonly SplitFact[] => {
      this.apply(some);
      return split.facts();
    };
    const { admitted } = this.rest;
    const open = admitted === null || !this.takesTime ? null : { requests, admitted };
    const part = this.outside === undefined ? null : outside;
    return { panic, facts, shares, busiest, failed, fullest, outside: part, open };
  }
}

/** Outcomes that are kept. */
const MOST_KNOWN = 50;

/** By row; undefined: the proxies are in several zones, in none, or in one without hosts. */
function outsideOf({ proxies }: Scenario, rest: ClusterAtRest): ReadonlySet<number> | undefined {
  const [own, ...others] = new Set(proxies.map(({ node }) => node?.locality && localityKey(node.locality)));
  if (own === undefined || others.length > 0) return undefined;
  const outside = rest.hosts.filter(({ host }) => localityKey(host.locality) !== own).map(({ host }) => host.index);
  if (outside.length === rest.hosts.length) return undefined;
  return new Set(outside.flatMap((row) => [row, rest.lostRow(row)]));
}

/** How many hosts at once are taken out of use: outlier detection stops at its limit. */
function mostNoticed(by: Notice | null, { proxies }: Scenario, [cluster]: readonly Cluster[], hosts: number): number {
  if (by === null) return 0;
  const config = cluster?.outlierDetection;
  const [proxy] = proxies;
  if (by !== 'outlier_detection' || config === undefined || proxy === undefined) return Infinity;
  return new OutlierSettings(outlierSettings(config), new RuntimeValues(proxy.runtime)).mayBeOut(hosts, proxy.version);
}

const isAtStart = ({ atUs, everyUs }: TimelineEntry): boolean => atUs === 0 && everyUs === undefined;

/** As the timeline has it at time 0, above all what `--fail` selects. */
const behaviorsAtStart = ({ timeline }: Scenario): readonly BehaviorRule[] =>
  timeline.filter(isAtStart).flatMap(({ action }) => (action.kind === 'set_behavior' ? [action] : []));

/** The scenario as it starts, without anything random in its split. */
const settled = (scenario: Scenario): Scenario => ({
  ...scenario,
  timeline: scenario.timeline.filter((entry) => isAtStart(entry) && entry.action.kind !== 'set_behavior'),
  behavior: [],
  expect: [],
  workloads: scenario.workloads.map((workload) => ({ ...workload, retryPolicy: undefined })),
});
