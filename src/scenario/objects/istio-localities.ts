import type { Part } from './part.js';
import type { Endpoint } from './services.js';

/** The proxy that asks for its configuration. */
export interface Asking {
  /** `region/zone/sub_zone`; '': it has none; undefined: nobody says so. */
  readonly locality: string | undefined;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly node: string | undefined;
  readonly namespace: string | undefined;
  /** Hosts that are not ready are sent as unhealthy, and nobody panics: pilot's default since 1.32. */
  readonly sendsUnhealthy: boolean;
  /** Codes that the default of retries has beside its conditions: 503 up to 1.26. */
  readonly retriesUnavailable: boolean;
}

export interface LocalityGroup {
  readonly locality: string;
  readonly endpoints: readonly Endpoint[];
  readonly priority: number;
  readonly weight: number;
}

/** Where requests go by place: a rule's, a service's or the mesh's. */
export interface LocalitySetting {
  /** Requests fail over although nothing ejects hosts. */
  readonly force: boolean;
  readonly failoverPriority: readonly string[];
  readonly failover: readonly { readonly from: string; readonly to: string }[];
  readonly distribute: readonly { readonly from: string; readonly to: readonly (readonly [string, number])[] }[];
  readonly zoneAware?: { readonly isOff: boolean; readonly part: Part };
}

/**
 * The groups of an assignment with the priorities and weights that hold for a proxy.
 *
 * @param ejects something finds out that hosts are ill: without that, nothing fails over.
 */
export function applyLocality(
  groups: readonly LocalityGroup[],
  setting: LocalitySetting | undefined,
  asking: Asking,
  ejects: boolean,
): readonly LocalityGroup[] {
  if (setting === undefined) return groups;
  const place = asking.locality ?? '';
  if (setting.zoneAware !== undefined) {
    if (setting.zoneAware.isOff) return groups;
    const byLabel = byLabels(groups, setting.failoverPriority, asking.labels);
    return compacted(byLabel, 3, ({ locality }) => regionDistance(place, locality, setting.failover));
  }
  if (setting.distribute.length > 0) return distributed(groups, place, setting.distribute);
  if (!ejects && !setting.force) return groups;
  const byLabel = byLabels(groups, setting.failoverPriority, asking.labels);
  const isByPlace = setting.failoverPriority.length === 0 || setting.failover.length > 0;
  return isByPlace ? compacted(byLabel, 5, ({ locality }) => distance(place, locality, setting.failover)) : byLabel;
}

/** The weights that a rule gives to places; what it does not name stays, without hosts. */
function distributed(
  groups: readonly LocalityGroup[],
  place: string,
  rules: LocalitySetting['distribute'],
): readonly LocalityGroup[] {
  const rule = rules.find(({ from }) => isPlace(place, from));
  if (rule === undefined) return groups;
  const weights = new Map<LocalityGroup, number>();
  for (const [to, weight] of rule.to) {
    const meant = groups.filter((group) => !weights.has(group) && isPlace(group.locality, to));
    const total = meant.reduce((sum, group) => sum + group.weight, 0);
    for (const group of meant) weights.set(group, Math.ceil((group.weight * weight) / total) || group.weight);
  }
  return groups.map((group) => {
    const weight = weights.get(group);
    return weight === undefined ? { ...group, endpoints: [] } : { ...group, weight };
  });
}

/** `region/*` means all that begin so. */
function isPlace(place: string, rule: string): boolean {
  const parts = place.split('/');
  return rule
    .split('/')
    .every((wanted, level) => wanted === '*' || (level > 0 && wanted === '') || (parts[level] ?? '') === wanted);
}

function distance(from: string, to: string, failover: LocalitySetting['failover']): number {
  const [own, other] = [from.split('/'), to.split('/')];
  const differs = [0, 1, 2].find((level) => (own[level] ?? '') !== (other[level] ?? ''));
  if (differs !== 0) return differs === undefined ? 0 : 3 - differs;
  const rule = failover.find((one) => one.from === (own[0] ?? ''));
  return rule === undefined || rule.to === (other[0] ?? '') ? 3 : 4;
}

function regionDistance(from: string, to: string, failover: LocalitySetting['failover']): number {
  const [[own = ''], [other = '']] = [from.split('/'), to.split('/')];
  if (own === other) return 0;
  return failover.find((one) => one.from === own)?.to === other ? 1 : 2;
}

/** Priorities made finer by a distance from 0 to `range` − 1, then numbered without a gap. */
function compacted(
  groups: readonly LocalityGroup[],
  range: number,
  distanceOf: (group: LocalityGroup) => number,
): readonly LocalityGroup[] {
  const finer = groups.map((group) => group.priority * range + distanceOf(group));
  const order = [...new Set(finer)].sort((a, b) => a - b);
  return groups.map((group, index) => ({ ...group, priority: order.indexOf(finer[index] ?? 0) }));
}

/** Each group divided by how many of these labels, in their order, its hosts share with the proxy. */
function byLabels(
  groups: readonly LocalityGroup[],
  wanted: readonly string[],
  labels: Asking['labels'] = {},
): readonly LocalityGroup[] {
  if (wanted.length === 0 || Object.keys(labels).length === 0) return groups;
  const conditions = wanted.map((text) => {
    const [name = '', value, ...more] = text.split('=');
    return [name, (more.length === 0 ? value : undefined) ?? labels[name] ?? ''] as const;
  });
  const priorityOf = ({ labels: own }: Endpoint): number => {
    let adjust = 0;
    for (const [index, [name, value]] of conditions.entries()) {
      if (value === (own[name] ?? '')) continue;
      if (index > 0 || name !== 'topology.istio.io/network') return wanted.length - index + adjust;
      adjust = wanted.length;
    }
    return adjust;
  };
  const divided = groups.flatMap((group) => {
    const priorities = group.endpoints.map(priorityOf);
    const order = [...new Set(priorities)].sort((a, b) => a - b);
    return order.map((priority): LocalityGroup => {
      const endpoints = group.endpoints.filter((_, index) => priorities[index] === priority);
      const weight = endpoints.reduce(
        (sum, one) => sum + (typeof one.weight === 'number' ? one.weight : (one.weight.number ?? 0)),
        0,
      );
      return { ...group, endpoints, priority, weight };
    });
  });
  return compacted(divided, 1, () => 0);
}
