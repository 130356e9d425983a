import { TWO_32 } from '../core/u64.js';
import type { Micros } from '../core/units.js';
import { present, sum } from '../core/values.js';
import { type Host, localityKey } from '../host/host.js';
import type { LoadReport } from '../policy/load-report.js';
import { utilizationOf } from '../policy/client-side-weights.js';
import type { LoadAwareLocalityConfig, LocalityLoad } from '../policy/load-aware-locality.js';
import { loadAwareWeights, smoothingFactor } from '../policy/load-aware-locality.js';
import type { Random64 } from '../random/random64.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import type { LbStats } from './lb-stats.js';
import type { LocalityChooser, LocalityScheduleDescription } from './locality-weights.js';

const KINDS = ['healthy', 'degraded', 'hosts'] as const;

type Kind = (typeof KINDS)[number];

/** Load reports of the hosts of one cluster by locality; shared by one proxy's balancers. */
export class LocalityLoads {
  private readonly reports = new WeakMap<Host, { utilization: number; atUs: Micros }>();
  private readonly smoothed = new Map<string, Omit<LocalityLoad, 'hosts'>>();
  private readonly factor: number = smoothingFactor(this.config);

  constructor(
    readonly config: LoadAwareLocalityConfig,
    private readonly namedFirst: boolean,
  ) {}

  reported(host: Host, report: LoadReport, nowUs: Micros): void {
    const utilization = utilizationOf(report, this.config.metricNames, this.namedFirst);
    if (utilization > 0) this.reports.set(host, { utilization, atUs: nowUs });
  }

  tick(hostSets: readonly (HostSet | undefined)[], nowUs: Micros): void {
    for (const hostSet of hostSets) {
      if (hostSet === undefined) continue;
      for (const group of hostSet.localities)
        for (const kind of KINDS) this.smooth(keyOf(hostSet.priority, kind, group), group[kind], nowUs);
    }
  }

  of(priority: number, kind: Kind, group: LocalityGroup): LocalityLoad {
    const { utilization = 0, isStale = false } = this.smoothed.get(keyOf(priority, kind, group)) ?? {};
    return { hosts: group[kind].length, utilization, isStale };
  }

  private smooth(key: string, hosts: readonly Host[], nowUs: Micros): void {
    const { factor, smoothed } = this;
    const { expirationUs } = this.config;
    const known = smoothed.get(key);
    const reports = present(hosts.map((host) => this.reports.get(host)));
    const recent = reports.filter(({ atUs }) => expirationUs === 0 || nowUs - atUs <= expirationUs);
    if (recent.length === 0) {
      if (known !== undefined) smoothed.set(key, { ...known, isStale: true });
      return;
    }
    const mean = sum(recent.map(({ utilization }) => utilization)) / recent.length;
    const utilization = known === undefined ? mean : factor * mean + (1 - factor) * known.utilization;
    smoothed.set(key, { utilization, isStale: false });
  }
}

const keyOf = (priority: number, kind: Kind, { locality }: LocalityGroup): string =>
  `${priority} ${kind} ${localityKey(locality)}`;

/**
 * Chooses localities by {@link LocalityLoads}, in panic too. Draws per choice: one where there are several localities.
 * Which value the proxy maps to which locality is not known; the shares are.
 */
export class LoadAwareLocalities implements LocalityChooser {
  private readonly levels: HostSet[] = [];
  private readonly weights: Readonly<Record<Kind, readonly number[]>>[] = [];
  /** As of the last refresh, by locality: one that has joined since then gets nothing. */
  private readonly refreshed = new Map<string, number>();

  constructor(
    private readonly loads: LocalityLoads,
    private readonly stats: LbStats,
  ) {}

  update(hostSet: HostSet): void {
    const { priority, localities } = hostSet;
    const isFirst = (this.levels[priority]?.hosts.length ?? 0) === 0;
    this.levels[priority] = hostSet;
    if (isFirst) this.weigh(hostSet);
    const of = (kind: Kind): readonly number[] =>
      localities.map((group) =>
        group[kind].length === 0 ? 0 : (this.refreshed.get(keyOf(priority, kind, group)) ?? 0),
      );
    this.weights[priority] = { healthy: of('healthy'), degraded: of('degraded'), hosts: of('hosts') };
  }

  refresh(): void {
    this.refreshed.clear();
    // A level that was never announced is none.
    this.levels.forEach((hostSet) => {
      this.weigh(hostSet);
      this.update(hostSet);
    });
  }

  private weigh({ priority, localities, hasLocalLocality }: HostSet): void {
    const { loads, refreshed } = this;
    for (const kind of KINDS) {
      const each = localities.map((group) => loads.of(priority, kind, group));
      const weights = loadAwareWeights(each, hasLocalLocality, loads.config);
      localities.forEach((group, index) => refreshed.set(keyOf(priority, kind, group), weights[index] ?? 0));
    }
  }

  choose(priority: number, degraded: boolean, random: Random64): number {
    const weights = this.weights[priority]?.[degraded ? 'degraded' : 'healthy'];
    const index = draw(weights, random);
    if (this.levels[priority]?.hasLocalLocality === true) this.count(weights ?? [], index);
    return index;
  }

  chooseAny(priority: number, random: Random64): number {
    return draw(this.weights[priority]?.hosts, random);
  }

  describe(priority: number): LocalityScheduleDescription | undefined {
    const weights = this.weights[priority];
    return weights === undefined || weights.healthy.length < 2
      ? undefined
      : { healthy: weights.healthy, degraded: weights.degraded };
  }

  private count(weights: readonly number[], index: number): void {
    const { stats } = this;
    if (weights.every((weight, index) => index === 0 || weight === 0)) stats.lbZoneRoutingAllDirectly++;
    else if (index === 0) stats.lbZoneRoutingSampled++;
    else stats.lbZoneRoutingCrossZone++;
  }
}

/** @returns index of a locality; -1: there is none. */
function draw(weights: readonly number[] | undefined, random: Random64): number {
  if (weights === undefined || weights.length === 0) return -1;
  if (weights.length === 1) return 0;
  const total = sum(weights);
  random.next();
  const target = ((random.hi + random.lo / TWO_32) / TWO_32) * total;
  let reached = 0;
  for (let index = 0; index < weights.length; index++) {
    reached += weights[index] as number;
    if (target < reached) return index;
  }
  return total > 0 ? weights.length - 1 : 0;
}
