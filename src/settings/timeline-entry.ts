import type { Struct } from '../core/json-value.js';
import type { Micros } from '../core/units.js';
import type { Locality } from '../host/host.js';
import type { Assignment, EndpointState } from './assignment.js';
import type { Behavior } from './behavior.js';
import type { ClusterSettings } from './cluster-settings.js';
import type { Selector } from './selector.js';

/** In which form discovery's messages stand in a timeline. */
export type MessageForms = Readonly<{ cluster: unknown; assignment: unknown; endpoint: unknown }>;

/** Settings: what the engine takes. */
export interface AsSettings extends MessageForms {
  readonly cluster: ClusterSettings;
  readonly assignment: Assignment;
  readonly endpoint: EndpointState;
}

export interface TimelineEntry<Forms extends MessageForms = AsSettings> {
  /** First time it acts. */
  readonly atUs: Micros;
  /** With `every`: repeats until `untilUs` (exclusive; undefined: the end of the run). */
  readonly everyUs: Micros | undefined;
  readonly untilUs: Micros | undefined;
  readonly action: Action<Forms>;
  /** For reports: "10.0.0.3:80 stops answering", "zone a set UNHEALTHY". */
  readonly label: string;
}

export type DiscoveryStatus = 'HEALTHY' | 'UNHEALTHY' | 'DRAINING' | 'TIMEOUT' | 'DEGRADED';

export type Action<Forms extends MessageForms = AsSettings> =
  | { readonly kind: 'set_health'; readonly hosts: Selector; readonly status: DiscoveryStatus }
  | { readonly kind: 'set_weight'; readonly hosts: Selector; readonly weight: number }
  | { readonly kind: 'set_metadata'; readonly hosts: Selector; readonly metadata: Readonly<Record<string, Struct>> }
  | {
      readonly kind: 'add_hosts';
      readonly cluster: string;
      readonly priority: number;
      readonly locality: Locality | undefined;
      readonly endpoints: readonly Forms['endpoint'][];
    }
  | { readonly kind: 'remove_hosts'; readonly hosts: Selector }
  /** A whole new assignment, by cluster name or EDS service name. */
  | { readonly kind: 'assign'; readonly name: string; readonly assignment: Forms['assignment'] }
  | { readonly kind: 'dns'; readonly answers: ReadonlyMap<string, DnsAnswer> }
  | { readonly kind: 'update_cluster'; readonly cluster: Forms['cluster'] }
  | { readonly kind: 'remove_cluster'; readonly name: string }
  /** `fail` and `recover` are this kind too; `label` has the written word. */
  | { readonly kind: 'set_behavior'; readonly hosts: Selector; readonly behavior: Partial<Behavior> }
  | { readonly kind: 'set_rate'; readonly workload: string; readonly perSecond: number }
  | { readonly kind: 'set_runtime'; readonly values: Struct }
  | { readonly kind: 'note'; readonly text: string };

export function actionsOf<Any extends { readonly kind: string }, Kind extends Any['kind']>(
  timeline: readonly { readonly action: Any }[],
  kind: Kind,
): readonly Extract<Any, { readonly kind: Kind }>[] {
  type Wanted = Extract<Any, { readonly kind: Kind }>;
  return timeline.flatMap(({ action }) => (action.kind === kind ? [action as Wanted] : []));
}

type Times = Pick<TimelineEntry, 'atUs' | 'everyUs' | 'untilUs'>;

/** When an entry of the timeline acts, up to `endUs`. */
export function occurrences(entry: Times, endUs: Micros): Micros[] {
  const { atUs, everyUs, untilUs = Infinity } = entry;
  if (everyUs === undefined) return atUs <= endUs ? [atUs] : [];
  const times: Micros[] = [];
  for (let time = atUs; time <= endUs && time < untilUs; time += everyUs) times.push(time);
  return times;
}

export function countOccurrences({ atUs, everyUs, untilUs = Infinity }: Times, endUs: Micros): number {
  const lastUs = Math.min(endUs, untilUs - 1);
  if (atUs > lastUs) return 0;
  return everyUs === undefined ? 1 : Math.floor((lastUs - atUs) / everyUs) + 1;
}

export type DnsAnswer =
  { readonly addresses: readonly string[]; readonly ttlUs: Micros | undefined } | { readonly fail: true };

/** Names are case-insensitive, and a final dot has no meaning. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
