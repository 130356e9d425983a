import { addAll, entryOf, groupBy } from '../../core/lists.js';
import { ipOf, parseIp } from '../../core/ip.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { discoveryType, lookupsOf } from '../../config/cluster/discovery.js';
import { lbPolicyOf, policyOf } from '../../config/policy/of-cluster.js';
import { around } from '../../config/policy/policy.js';
import { outlierSettings, readAssignment } from '../../config/to-settings.js';
import type { Cluster } from '../../config/cluster/cluster-shape.js';
import { type Host, type Locality, localityKey } from '../../host/host.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import { ClusterAtRest, markedRows, type SplitAtRest } from '../../predict/at-rest.js';
import { isObstacle, type Obstacle } from '../../predict/obstacle.js';
import type { Scenario, TimelineEntry } from '../../scenario/model.js';
import { type BehaviorRule, Behaviors, capacityOf } from '../../settings/behavior.js';
import { parseSelectorText } from '../../scenario/selector.js';
import { hostPredicate, selectableHost } from '../../settings/selector.js';
import { everTakesTime } from '../../settings/world.js';
import { canonicalName } from '../../settings/timeline-entry.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import { Resolver } from '../../upstream/discovery/resolver.js';
import { OutlierSettings } from '../../upstream/outlier-settings.js';

/** What is lost. Hosts of DNS clusters are lost with the records of their addresses. */
export type Lose = 'hosts' | 'zones' | 'records';

/** A unit of loss. */
export interface Unit {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Units of one kind are interchangeable. */
  readonly kind: string;
  /** Units that belong together, as hosts of a zone. */
  readonly group: string;
}

/** The records of the cluster's names; addresses that stand in the place of a name have none. */
function recordUnits(scenario: Scenario, cluster: Cluster): Unit[] {
  const resolver = new Resolver(scenario.dns);
  const assignment = effectiveAssignment(cluster);
  const isLogical = discoveryType(cluster) === 'LOGICAL_DNS';
  const units = new Map<string, Unit>();
  for (const group of assignment === undefined ? [] : readAssignment(assignment).groups) {
    for (const endpoint of group.endpoints) {
      const target = dnsTarget(endpoint);
      const answer = resolver.lookup(target.name, lookupsOf(cluster).family);
      if (parseIp(target.name) !== undefined || answer.kind === 'failure') continue;
      const alike = [canonicalName(target.name), localityKey(group.locality), group.priority, endpoint.weight].join(
        '\n',
      );
      for (const ip of answer.addresses) {
        const { address } = resolvedEndpoint(endpoint, target, ip);
        const name = `${target.name} ${ip}`;
        const known = units.get(name);
        units.set(name, {
          name,
          addresses: [...new Set([...(known?.addresses ?? []), address])],
          // Of a logical host only the first address counts: no two records are alike.
          kind: isLogical || known !== undefined ? name : alike,
          group: target.name,
        });
      }
    }
  }
  return [...units.values()];
}

/** The same scenario with a resolver that has no records of these hosts, given as `ip:port`. */
function withoutRecords(scenario: Scenario, lost: readonly string[]): Scenario {
  const ips = new Set(lost.map(ipOf));
  const dns = new Map(scenario.dns);
  for (const [name, answer] of scenario.dns) {
    if ('fail' in answer) continue;
    dns.set(name, { ...answer, addresses: answer.addresses.filter((ip) => !ips.has(ip)) });
  }
  return { ...scenario, dns };
}

/** What makes a proxy see that a host of a cluster no longer answers. */
export type Notice = 'health_checks' | 'outlier_detection' | 'control_plane' | 'dns';

/** null: lost hosts keep their part. There is a control plane with EDS, or where the timeline tells health later on. */
function whoNotices(scenario: Scenario, cluster: Cluster): Notice | null {
  const type = discoveryType(cluster);
  // To lose a host there is to lose its record.
  if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS') return 'dns';
  if (cluster.healthChecks.length > 0) return 'health_checks';
  const isTold = scenario.timeline.some(
    ({ atUs, action }) =>
      atUs > 0 && action.kind === 'set_health' && (action.hosts.cluster ?? cluster.name) === cluster.name,
  );
  if (type === 'EDS' || isTold) return 'control_plane';
  return cluster.outlierDetection === undefined ? null : 'outlier_detection';
}

/** A cluster after a permanent loss of hosts, as it is once the loss has been noticed by those who can. */
export interface Outcome extends Pick<SplitAtRest, 'panic' | 'facts' | 'split'> {
  /** Part of the requests that find no host, or one of those that are lost, 0–1. */
  readonly failed: number;
  /** The host with the highest load relative to its capacity; null where no capacity is known. */
  readonly fullest: { readonly address: string; readonly load: number; readonly perSecond: number } | null;
  /** Part of the requests that go to hosts outside of the proxies' zone; null: they have none. */
  readonly outside: number | null;
}

/** A smaller part of the requests, or of a capacity, is a rounding error. */
export const NEGLIGIBLE = 1e-9;

/** Why no loss of a cluster can be judged. */
export type NoSplit =
  | Obstacle
  | { readonly kind: 'no_such_cluster'; readonly cluster: string }
  | { readonly kind: 'no_host_up' }
  | { readonly kind: 'no_such_host'; readonly lose: string }
  /** `message`: what is wrong with the selector. */
  | { readonly kind: 'no_selector'; readonly lose: string; readonly message: string };

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

/** What to know of an answer about losses, beside it. */
export type LossNote =
  /** Hosts that are down from the start, of all: what is lost comes on top. */
  | { readonly kind: 'out_already'; readonly out: number; readonly hosts: number }
  /** Nobody said what a host can take. */
  | { readonly kind: 'no_capacity' }
  /** Requests are not retried here. */
  | { readonly kind: 'tried_once' }
  /** A policy that looks at load is told with hosts that are idle. */
  | { readonly kind: 'idle_hosts' }
  /** Outlier detection ejects so many at once, here in the order in which they are listed. */
  | { readonly kind: 'ejection_limit'; readonly most: number }
  | { readonly kind: 'not_searched'; readonly why: NoSplit };

/** A host of the cluster, and its priority. */
type HostAt = ClusterAtRest['hosts'][number];

/**
 * What losses of one cluster bring, beside those hosts that are down from the start. Every loss is judged by the prediction of
 * the cluster with its hosts unhealthy, or without them where their DNS records are lost.
 */
export class Losses {
  /** Those that can be lost: neither unhealthy nor down from the start. */
  readonly hosts: readonly HostAt[];
  /** Their rows by address: the same one may be there twice. */
  readonly rowsOf: ReadonlyMap<string, readonly number[]>;
  /** Rows of hosts that are down from the start. */
  readonly down: readonly number[];
  /** null: a lost host keeps its part. */
  readonly noticedBy: Notice | null;
  /** This many lost hosts are noticed at most. */
  readonly mostNoticed: number;
  /** Lost hosts are no longer listed, instead of unhealthy. */
  readonly isGone: boolean;
  /** Its one host is at the first address of its name that is left. */
  readonly isLogical: boolean;
  /** Every host has its own keys. */
  readonly isTable: boolean;
  /** Rows of hosts outside of the proxies' zone; undefined: they have none in which there are hosts. */
  readonly outside: ReadonlySet<number> | undefined;
  /** Requests a second that a host can take, by row; Infinity: any. */
  readonly capacities: Float64Array;
  /** Requests a second of the cluster. */
  perSecond: number;
  /** Zones have a part in the choice of hosts. */
  readonly byPlace: boolean;
  /** By row: hosts of one kind are alike to everything but a table. */
  private readonly kinds: readonly string[];
  private readonly unitsOf = new Map<Lose, readonly Unit[]>();

  private constructor(
    private readonly scenario: Scenario,
    readonly config: Cluster,
    readonly rest: ClusterAtRest,
    capacity: number | undefined,
  ) {
    const { name } = config;
    const { hosts } = rest;
    this.noticedBy = whoNotices(scenario, config);
    this.mostNoticed = mostNoticed(this.noticedBy, scenario, config, hosts.length);
    this.isGone = this.noticedBy === 'dns';
    this.isLogical = discoveryType(config) === 'LOGICAL_DNS';
    this.isTable = isTablePolicy(lbPolicyOf(config));
    this.perSecond = rest.seconds > 0 ? (rest.requests ?? 0) / rest.seconds : 0;
    this.outside = outsideOf(scenario, hosts);
    this.byPlace = rest
      .asked(this.isGone)
      .some(({ view, balancer }) => view.knowsZones || balancer.config.localityWeighted);
    const behaviors = new Behaviors([...scenario.behavior, ...behaviorsAtStart(scenario)]);
    const hasSubsets = around(policyOf(config), 'subset') !== undefined;
    const down: number[] = [];
    const kinds: string[] = [];
    this.capacities = new Float64Array(rest.rows.length).fill(Infinity);
    for (const { host, priority } of hosts) {
      const { index, locality, weight, metadata, health } = host;
      const behavior = behaviors.of([selectableHost(host, name, priority)]);
      if (behavior.down !== 'none') down.push(index);
      const most = (this.capacities[index] = capacity ?? capacityOf(behavior));
      const place = [this.outside?.has(index) === true, this.byPlace ? localityKey(locality) : ''];
      const own = [priority, weight, health === 'degraded', most, ...place, hasSubsets ? metadata : ''];
      kinds[index] = JSON.stringify(own);
    }
    this.kinds = kinds;
    this.down = down;
    const isDown = new Set(down);
    this.hosts = hosts.filter(({ host }) => !isDown.has(host.index) && !host.isUnhealthy);
    const byAddress = groupBy(this.hosts, ({ host }) => host.address);
    this.rowsOf = new Map([...byAddress].map(([address, own]) => [address, own.map(({ host }) => host.index)]));
  }

  /**
   * Those of each cluster; asking throws NoPrediction where the split of the whole cluster is not known exactly.
   *
   * @param capacity requests a second that each host can take; undefined: what its behaviour allows.
   */
  static async all(scenario: Scenario, capacity?: number): Promise<(cluster: string) => Losses> {
    const atRest = await ClusterAtRest.all(settled(scenario));
    return (cluster) => {
      const config = scenario.clusters.find(({ name }) => name === cluster);
      const rest = atRest(cluster);
      if (rest === undefined || config === undefined) throw new NoPrediction({ kind: 'no_such_cluster', cluster });
      const split = rest.split();
      if (isObstacle(split)) throw new NoPrediction(split);
      return new Losses(scenario, config, rest, capacity);
    };
  }

  kindOf({ host }: HostAt): string {
    return this.kinds[host.index] ?? '';
  }

  /** Those of a selector that can be lost, by address, in the order of the cluster. @throws NoPrediction */
  selected(lose: string): readonly string[] {
    const selector = parseSelectorText(lose);
    if (!selector.ok) throw new NoPrediction({ kind: 'no_selector', lose, message: selector.message });
    const matches = hostPredicate(selector.value);
    const { name } = this.config;
    const own = this.hosts.filter(({ host, priority }) => matches(selectableHost(host, name, priority)));
    return own.map(({ host }) => host.address);
  }

  get knowsCapacity(): boolean {
    return this.capacities.some((capacity) => capacity < Infinity);
  }

  *notes(): Iterable<LossNote> {
    const { scenario, config, rest, hosts } = this;
    const out = rest.hosts.length - hosts.length;
    if (out > 0) yield { kind: 'out_already', out, hosts: rest.hosts.length };
    if (!this.knowsCapacity) yield { kind: 'no_capacity' };
    const isRetried = scenario.workloads.some(
      ({ route, retryPolicy }) => retryPolicy !== undefined && route.some(({ cluster }) => cluster === config.name),
    );
    if (isRetried) yield { kind: 'tried_once' };
    if (factsOf(lbPolicyOf(config))?.looksAtLoad === true && everTakesTime(scenario)) yield { kind: 'idle_hosts' };
    if (this.noticedBy === 'outlier_detection') yield { kind: 'ejection_limit', most: this.mostNoticed };
  }

  /** Those of a DNS cluster whose hosts are lost one by one are its records. */
  get single(): 'hosts' | 'records' {
    return this.isGone ? 'records' : 'hosts';
  }

  /** Units of loss: zones, and hosts by address, or the records of the names of a DNS cluster. */
  units(lose: Lose): readonly Unit[] {
    return entryOf(this.unitsOf, lose, () => this.unitsNow(lose));
  }

  private unitsNow(lose: Lose): readonly Unit[] {
    if (lose === 'records') return recordUnits(this.scenario, this.config);
    const isZone = lose === 'zones';
    const hasOwnKinds = this.isTable || lbPolicyOf(this.config) === 'RANDOM';
    const kindOf = (at: HostAt): string => (hasOwnKinds ? at.host.address : this.kindOf(at));
    const keyOf = ({ host }: HostAt): string => (isZone ? placeOf(host.locality) : host.address);
    return [...groupBy(this.hosts, keyOf)].map(([name, members]) => ({
      name: name === '' ? '(none)' : name,
      addresses: [...new Set(members.map(({ host }) => host.address))],
      kind: isZone && this.byPlace ? name : members.map(kindOf).sort().join(),
      group: isZone ? name : members.map(({ host }) => placeOf(host.locality)).join(),
    }));
  }

  /** The cluster without these hosts, by address. @throws NoPrediction */
  async lose(lost: readonly string[]): Promise<Outcome> {
    const { scenario, config } = this;
    let { rest } = this;
    if (this.isLogical && lost.length > 0) {
      rest = (await ClusterAtRest.all(withoutRecords(settled(scenario), lost)))(config.name) ?? rest;
    }
    const rows: number[] = [];
    for (const address of this.isLogical ? [] : lost) addAll(rows, this.rowsOf.get(address) ?? []);
    this.apply(rows);
    const split = rest.split();
    if (isObstacle(split)) throw new NoPrediction(split);
    const { share: shares } = split;
    const dead = markedRows(shares.length, this.down, rows);
    let failed = split.none;
    let outside = 0;
    let fullest: Outcome['fullest'] = null;
    for (let row = 0; row < shares.length; row++) {
      const share = shares[row] as number;
      if (share === 0) continue;
      if (this.outside?.has(row) === true) outside += share;
      if (dead[row] === 1) {
        failed += share;
        continue;
      }
      const perSecond = share * this.perSecond;
      const load = perSecond / (this.capacities[row] ?? Infinity);
      if (load > (fullest?.load ?? 0)) fullest = { address: rest.rows[row]?.address ?? '', load, perSecond };
    }
    const { panic, facts, split: whole } = split;
    return { panic, facts, split: whole, failed, fullest, outside: this.outside === undefined ? null : outside };
  }

  /** The cluster at rest has lost these rows from now on, as far as that is noticed. */
  apply(rows: readonly number[]): void {
    const { rest, down, isGone, config } = this;
    // A host that is down keeps its record.
    if (isGone) rest.lose(config.healthChecks.length > 0 ? down : [], rows);
    else rest.lose([...down, ...rows].slice(0, this.mostNoticed), []);
  }
}

export function placeOf({ region, zone, subZone }: Locality): string {
  return [region, zone, subZone].filter((part) => part !== '').join('/');
}

/** By row; undefined: the proxies are in several zones, in none, or in one without hosts. */
function outsideOf({ proxies }: Scenario, hosts: readonly { readonly host: Host }[]): ReadonlySet<number> | undefined {
  const [own, ...others] = new Set(proxies.map(({ node }) => node?.locality && localityKey(node.locality)));
  if (own === undefined || others.length > 0) return undefined;
  const outside = hosts.filter(({ host }) => localityKey(host.locality) !== own).map(({ host }) => host.index);
  return outside.length === hosts.length ? undefined : new Set(outside);
}

/** How many hosts at once are taken out of use: outlier detection stops at its limit. */
function mostNoticed(by: Notice | null, { proxies }: Scenario, cluster: Cluster, hosts: number): number {
  if (by === null) return 0;
  const config = cluster.outlierDetection;
  const [proxy] = proxies;
  if (by !== 'outlier_detection' || config === undefined || proxy === undefined) return Infinity;
  const settings = new OutlierSettings(outlierSettings(config), new RuntimeValues(proxy.runtime));
  return settings.mayBeOut(hosts, proxy.version);
}

function isAtStart({ atUs, everyUs }: TimelineEntry): boolean {
  return atUs === 0 && everyUs === undefined;
}

/** As the timeline has it at time 0, above all what `--fail` selects. */
function behaviorsAtStart({ timeline }: Scenario): readonly BehaviorRule[] {
  return timeline.filter(isAtStart).flatMap(({ action }) => (action.kind === 'set_behavior' ? [action] : []));
}

/** The scenario as it starts, without anything random in its split. */
function settled(scenario: Scenario): Scenario {
  return {
    ...scenario,
    timeline: scenario.timeline.filter((entry) => isAtStart(entry) && entry.action.kind !== 'set_behavior'),
    behavior: [],
    expect: [],
    workloads: scenario.workloads.map((workload) => ({ ...workload, retryPolicy: undefined })),
  };
}
