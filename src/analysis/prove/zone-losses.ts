import { entryOf, groupBy, sum } from '../../core/values.js';
import { SHARES_OF_ZONES } from '../../hostset/zone-aware.js';
import type { Harm } from '../../settings/generated/measures.js';
import type { ZoneRule } from '../../predict/zone-rule.js';
import { Elsewhere, isOver, type Kept, ListWeights, type Member } from './list-overload.js';
import { NEGLIGIBLE } from './losses.js';

/** `none`: requests find no host, and others may be asked. */
export type Goal = Harm | 'none';

export type Zone = ReturnType<typeof zoneOf>;

/** What has to be left of a zone for a goal, and how much of it a request a second is. */
type Effect = Readonly<{ size: number; kept?: Kept }>;

type ZonesRule = ZoneRule['sizes'] & {
  /** The first of the zones is the proxies' own. */
  readonly hasLocal: boolean;
  /** Zones are paired by name; else, by place, a share may be smaller by a ten-thousandth or so than it is said to be. */
  readonly byName: boolean;
};

/**
 * Losses of a level that is routed by zone: a zone's part follows from how many healthy hosts each has. For a given number of
 * losses, and of those in the node's own zone and in the one that is looked at, the others matter only by the spare capacity that
 * they have together: the least of it is worked out zone by zone.
 */
export class ZoneLosses {
  /** Of the proxies, and all others. */
  private readonly here: Zone | undefined;
  private readonly abroad: readonly Zone[];
  /** One of each kind abroad. */
  private readonly targets: readonly Zone[];
  private readonly losableAbroad: number;
  /** All zones as one from the first or the second on. */
  private readonly together = new Map<number, Zone>();
  private readonly hosts: number;
  private readonly most: number;
  private readonly bounds = new Map<string, number>();
  /** Of one kind: the same losses bring as much, zone for zone. */
  readonly kind: string;

  constructor(
    private readonly zones: readonly Zone[],
    readonly rule: ZonesRule,
    private readonly outside: ReadonlySet<number> | undefined,
  ) {
    this.here = rule.hasLocal ? zones[0] : undefined;
    this.abroad = rule.hasLocal ? zones.slice(1) : zones;
    this.targets = [...groupBy(this.abroad, ({ kind }) => kind).values()].flatMap(([zone]) => zone ?? []);
    this.hosts = sum(zones.map(({ hosts }) => hosts));
    this.losableAbroad = sum(this.abroad.map(({ list }) => list.most()));
    this.most = this.losableAbroad + (this.here?.list.most() ?? 0);
    this.kind = JSON.stringify([rule, this.here?.kind, this.abroad.map(({ kind }) => kind).sort()]);
  }

  /**
   * Rows of a loss of so many hosts, and no fewer, with which requests meet a goal; undefined: there is none.
   *
   * @param perSecond requests of the level. @param goal `failures`: a dead host is asked.
   */
  find(lost: number, goal: Goal, perSecond: number): readonly number[] | undefined {
    if (this.zones.length > 0 && this.zones.every((zone) => zone.from(goal) > lost)) return undefined;
    const key = `${goal} ${lost}`;
    if (!isOver(this.bounds.get(key) ?? Infinity, perSecond, 1)) return undefined;
    let most = 0;
    const found = this.meet(lost, goal, (load) => {
      most = Math.max(most, load);
      return isOver(load, perSecond, 1);
    });
    if (found === undefined) this.bounds.set(key, most);
    return found;
  }

  /**
   * The same for an overload where proxies of several zones send requests.
   *
   * A zone whose requests leave it has nothing to spare: all that leaves is divided by the spare capacity of all zones. A zone
   * gets too much if spare · leaves > room · (spare + spare elsewhere): a sum over the other zones, of which the least that they
   * weigh is worked out zone by zone.
   *
   * @param sent parts of the requests that come from the proxies of each zone; from others all leave.
   */
  findShared(lost: number, perSecond: number, sent: readonly number[]): readonly number[] | undefined {
    const { zones, rule } = this;
    const left = this.hosts - lost;
    if (left === 0 || left < rule.least) return this.find(lost, 'overload', perSecond);
    const fromAbroad = perSecond * (1 - sum(sent));
    const restOf = (zone: Zone, own: number) => {
      const hosts = zone.hosts - own;
      const [share, wanted] = [Math.floor((SHARES_OF_ZONES * hosts) / left), hosts > 0 ? zone.proxies : 0];
      const stays = staysOf(rule, hosts, share, wanted);
      const all = perSecond * (sent[zones.indexOf(zone)] ?? 0);
      return { spare: Math.max(0, share - wanted), stays: all * stays, leaves: all * (1 - stays) };
    };
    for (const zone of zones) {
      const others = zones.filter((other) => other !== zone);
      const most = zone.list.most();
      for (let own = Math.max(0, lost - this.most + most); own <= Math.min(lost, most); own++) {
        const { spare, stays, leaves } = restOf(zone, own);
        for (const target of zone.list.targets.filter((one) => own <= zone.list.most(one))) {
          const room = (target.capacity * (1 + NEGLIGIBLE)) / zone.list.share(target, own) - stays;
          const weigh = (other: Zone, gone: number): number => {
            const rest = restOf(other, gone);
            if (room < 0 || spare > 0) return room < 0 ? 0 : room * rest.spare - spare * rest.leaves;
            // Without anything to spare, what leaves is divided among all zones.
            return rest.spare > 0 ? Infinity : -rest.leaves;
          };
          const elsewhere = new Elsewhere(
            others.map((other) => ({ list: other.list, weight: (gone) => weigh(other, gone) })),
            lost,
          );
          const least = elsewhere.weight(lost - own);
          const more =
            spare > 0 ? spare * (fromAbroad - room) - least : leaves + fromAbroad - least - room * zones.length;
          if (room < 0 || more > 0) return [...zone.list.rows(own, target), ...elsewhere.rows(lost - own)];
        }
      }
    }
    return undefined;
  }

  /**
   * All that so many losses can mean for a zone, until one meets the goal.
   *
   * @param isEnough asked of the load at most, and then of the load itself.
   */
  private meet(lost: number, goal: Goal, isEnough: (load: number) => boolean): readonly number[] | undefined {
    const { zones, here, abroad, targets, losableAbroad: losable } = this;
    const { least, byName } = this.rule;
    const left = this.hosts - lost;
    const certain = (first: number, own: number): number[] | undefined => {
      const all = (): Member[] => zones.slice(first).flatMap(({ members }) => members);
      const zone = entryOf(this.together, first, () => zoneOf(all(), 0, this.outside));
      const effect = zone.effectOf(goal, own);
      return effect !== undefined && isEnough(effect.size) ? zone.list.rows(own, effect.kept) : undefined;
    };
    if (left === 0 || left < least) return certain(0, lost);
    const shareOf = (hosts: number): number => Math.floor((SHARES_OF_ZONES * hosts) / left);
    const proxiesOf = ({ hosts, proxies }: Zone, own: number): number => (hosts > own || !byName ? proxies : 0);
    const spareOf = (zone: Zone, own: number): number => Math.max(0, shareOf(zone.hosts - own) - proxiesOf(zone, own));
    const spares = new Map<Zone | undefined, Elsewhere>();
    /** Of all zones abroad but one. */
    const spareBeside = (zone?: Zone): Elsewhere =>
      entryOf(spares, zone, () => {
        const others = abroad.filter((other) => other !== zone);
        return new Elsewhere(
          others.map((other) => ({ list: other.list, weight: (own) => spareOf(other, own) })),
          lost,
        );
      });
    const proxies = sum(abroad.map((zone) => zone.proxies));
    /** So many hosts of a zone leave nothing to spare. */
    const quotaOf = ({ hosts, proxies }: Zone): number =>
      Math.min(hosts, Math.ceil(((proxies + 1) * left) / SHARES_OF_ZONES) - 1);
    const quotas = sum(abroad.map(quotaOf));
    const perHost = SHARES_OF_ZONES / left;
    /** What so many hosts of the zones but one have to spare at least: rounded down, a share is less than one smaller. */
    const leastSpare = (hosts: number, zone?: Zone): number => {
      const wanted = proxies - (zone?.proxies ?? 0);
      const more = hosts - quotas + (zone === undefined ? 0 : quotaOf(zone));
      // The first beyond a quota takes one part or more, and each further one its own.
      const further = Math.max(0, more - abroad.length);
      return Math.max(0, hosts * perHost - abroad.length - wanted, more - further + further * Math.floor(perHost));
    };
    /** What of that which leaves the own zone comes back to it: paired by place, one part of all. */
    const backOf = (spare: number): number => {
      if (byName) return spare === 0 ? 1 / zones.length : 0;
      return 1 / Math.max(1, spare);
    };
    for (let ownHere = Math.max(0, lost - losable); ownHere <= Math.min(lost, here?.list.most() ?? 0); ownHere++) {
      const rest = lost - ownHere;
      const hostsHere = (here?.hosts ?? 0) - ownHere;
      let stays = 0;
      if (here !== undefined) {
        if (hostsHere === 0 && !byName) {
          const found = certain(1, rest);
          if (found !== undefined) return [...found, ...here.list.rows(ownHere)];
          continue;
        }
        const [share, wanted] = [shareOf(hostsHere), proxiesOf(here, ownHere)];
        stays = staysOf(this.rule, hostsHere, share, wanted);
        const partFor = (spare: number): number => stays + (1 - stays) * backOf(spare);
        const effect = here.effectOf(goal, ownHere);
        if (
          effect !== undefined &&
          isEnough(effect.size * partFor(leastSpare(left - hostsHere))) &&
          isEnough(effect.size * partFor(spareBeside().weight(rest)))
        )
          return [...here.list.rows(ownHere, effect.kept), ...spareBeside().rows(rest)];
      }
      if (stays === 1) continue;
      for (const zone of targets) {
        const most = zone.list.most();
        for (let own = Math.max(zone.from(goal), rest - losable + most); own <= Math.min(rest, most); own++) {
          const effect = zone.effectOf(goal, own);
          if (effect === undefined) continue;
          const spare = spareOf(zone, own);
          const partFor = (elsewhere: number): number =>
            (1 - stays) * (spare + elsewhere === 0 ? 1 / zones.length : spare / (spare + elsewhere));
          if (
            isEnough(effect.size * partFor(leastSpare(left - hostsHere - zone.hosts + own, zone))) &&
            isEnough(effect.size * partFor(spareBeside(zone).weight(rest - own)))
          )
            return [
              ...zone.list.rows(own, effect.kept),
              ...(here?.list.rows(ownHere) ?? []),
              ...spareBeside(zone).rows(rest - own),
            ];
        }
      }
    }
    return undefined;
  }
}

/** What of the requests of a zone stays there, 0–1. @param share of its hosts. @param wanted part of the proxies that is there. */
function staysOf({ forced, byName }: ZonesRule, hosts: number, share: number, wanted: number): number {
  if ((share >= wanted && (share > 0 || !byName)) || hosts >= (forced ?? Infinity)) return 1;
  return wanted > 0 ? Math.floor((share * SHARES_OF_ZONES) / wanted) / SHARES_OF_ZONES : 0;
}

/** @param members its healthy hosts. @param proxies part of the proxies that is there, out of {@link SHARES_OF_ZONES}. */
export function zoneOf(members: readonly Member[], proxies: number, outside: ReadonlySet<number> | undefined) {
  const list = new ListWeights(members);
  const outsiders = members.filter(({ row }) => outside?.has(row) === true);
  const kept = outsiders.find(({ state }) => state !== 'losable') ?? outsiders[0];
  const kinds = members.map(({ weight, capacity, state }) => [weight, String(capacity), state].join());
  /** A host outside of the proxies' zone that may be left. */
  const outsider = kept && list.placeOf(kept);
  const without = new Set<Goal>(['panic']);
  if (list.targets.length === 0) without.add('overload');
  if (outsider === undefined) without.add('outside');
  if (members.every(({ state }) => state !== 'dead')) without.add('failures');
  const overloads: (Effect | null)[] = [];
  const overloadOf = (own: number): Effect | null => {
    let most: Effect | null = null;
    for (const kept of list.targets) {
      const size = own <= list.most(kept) ? list.share(kept, own) / kept.capacity : 0;
      if (size > (most?.size ?? 0)) most = { size, kept };
    }
    return most;
  };
  return {
    members,
    list,
    hosts: members.length,
    proxies,
    /** With fewer lost there is no effect. */
    from: (goal: Goal): number => (goal === 'none' ? members.length : without.has(goal) ? Infinity : 0),
    /** The largest, with so many lost; undefined: there is none. */
    effectOf(goal: Goal, own: number): Effect | undefined {
      if (goal === 'overload') return (overloads[own] ??= overloadOf(own)) ?? undefined;
      if (goal === 'outside')
        return outsider !== undefined && own <= list.most(outsider) ? { size: 1, kept: outsider } : undefined;
      return own >= this.from(goal) ? { size: 1 } : undefined;
    },
    /** Zones of one kind are interchangeable. */
    kind: JSON.stringify([proxies, kept?.state, kinds.sort()]),
  };
}
