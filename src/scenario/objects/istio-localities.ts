import { groupBy, sum } from '../../core/values.js';
import type { Made, Part } from './part.js';
import type { Endpoint } from './services.js';

/** The proxy that asks for its configuration. */
export interface Asking {
  /** `region/zone/sub_zone`; '': it has none; undefined: nobody says so. */
  readonly locality: string | undefined;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly node: string;
  readonly namespace: string;
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

type Groups = readonly LocalityGroup[];

/** Where requests go by place: a rule's, a service's or the mesh's. */
export interface LocalitySetting {
  /** Requests fail over although nothing ejects hosts. */
  readonly force: boolean;
  readonly failoverPriority: readonly string[];
  /** From a region to another. */
  readonly failover: Readonly<Record<string, string>>;
  readonly distribute: readonly Part[];
  /** It is zone-aware, as this says. */
  readonly zoneAware?: Part;
}

export function weightOf(endpoints: readonly Endpoint[]): number {
  const numberOf = (made: Made): number => Number(typeof made === 'object' && 'text' in made ? made.text : made);
  return sum(endpoints.map(({ weight = 1 }) => numberOf(weight)));
}

/**
 * The groups of an assignment with the priorities and weights that hold for a proxy.
 *
 * @param ejects something finds out that hosts are ill: without that, nothing fails over.
 */
export function applyLocality(
  groups: Groups,
  { zoneAware, distribute, failover, failoverPriority, force }: LocalitySetting,
  asking: Asking,
  ejects: boolean,
): Groups {
  const place = asking.locality ?? '';
  if (distribute.length > 0) return distributed(groups, place, distribute);
  if (!force && (zoneAware !== undefined || !ejects)) return groups;
  const divided = byLabels(groups, failoverPriority, asking.labels);
  const distanceOf = zoneAware === undefined ? distance : regionDistance;
  const isByPlace = zoneAware !== undefined || failoverPriority.length === 0 || Object.keys(failover).length > 0;
  return isByPlace ? compacted(divided, ({ locality }) => distanceOf(place, locality, failover)) : divided;
}

/** The weights that a rule gives to places; what it does not name stays, without hosts. */
function distributed(groups: Groups, place: string, rules: readonly Part[]): Groups {
  const rule = rules.find((one) => isPlace(place, one.text('from')));
  if (rule === undefined) return groups;
  const weights = new Map<LocalityGroup, number>();
  for (const [to, weight] of rule.entries('to')) {
    const meant = groups.filter((group) => !weights.has(group) && isPlace(group.locality, to));
    const total = sum(meant.map((group) => group.weight));
    for (const group of meant)
      weights.set(group, Math.ceil((group.weight * (weight.number() ?? 0)) / total) || group.weight);
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
  return [undefined, other[0]].includes(failover[own[0] ?? '']) ? 3 : 4;
}

function regionDistance(from: string, to: string, failover: LocalitySetting['failover']): number {
  const [[own = ''], [other = '']] = [from.split('/'), to.split('/')];
  if (own === other) return 0;
  return failover[own] === other ? 1 : 2;
}

/** Priorities made finer by a distance of less than 5, then numbered without a gap. */
function compacted(groups: Groups, distanceOf: (group: LocalityGroup) => number): Groups {
  const finer = groups.map((group) => group.priority * 5 + distanceOf(group));
  const order = [...new Set(finer)].sort((a, b) => a - b);
  return groups.map((group, index) => ({ ...group, priority: order.indexOf(finer[index] ?? 0) }));
}

/** Each group divided by how many of these labels, in their order, its hosts share with the proxy. */
function byLabels(groups: Groups, wanted: readonly string[], labels: Asking['labels'] = {}): Groups {
  if (wanted.length === 0 || Object.keys(labels).length === 0) return groups;
  const conditions = wanted.map((text) => {
    const [name = '', value, ...more] = text.split('=');
    return [name, (more.length === 0 ? value : undefined) ?? labels[name] ?? ''] as const;
  });
  const priorityOf = ({ labels: own = {} }: Endpoint): number => {
    const differs = conditions.findIndex(([name, value]) => value !== (own[name] ?? ''));
    // A network comes before all else, where it is named first: another one is behind all of the own.
    if (differs === 0 && wanted[0]?.split('=')[0] === 'topology.istio.io/network') {
      const next = conditions.findIndex(([name, value], index) => index > 0 && value !== (own[name] ?? ''));
      return wanted.length + (next < 0 ? 0 : wanted.length - next);
    }
    return differs < 0 ? 0 : wanted.length - differs;
  };
  const divided = groups.flatMap((group) =>
    [...groupBy(group.endpoints, priorityOf)]
      .sort(([a], [b]) => a - b)
      .map(([priority, endpoints]) => ({ ...group, endpoints, priority, weight: weightOf(endpoints) })),
  );
  return compacted(divided, () => 0);
}
