import { type JsonValue, type Struct, entryOf, own, sameItems } from '../core/values.js';
import type { Micros } from '../core/units.js';
import { type HealthCheckPort, type HealthStatus, type Locality, localityKey, NOWHERE } from '../host/host.js';
import { DEFAULT_OVERPROVISIONING_FACTOR } from '../hostset/host-set.js';

/** One endpoint as discovery describes it. */
export interface EndpointState {
  /** Canonical `ip:port`; for DNS types the configured `name:port`. */
  readonly address: string;
  readonly hostname: string;
  readonly weight: number;
  readonly status: HealthStatus;
  readonly healthCheckPort?: HealthCheckPort;
  /** The whole metadata of the endpoint, by filter name. */
  readonly metadata: FilterMetadata;
}

type EndpointList = readonly EndpointState[];

export type FilterMetadata = Readonly<Record<string, Struct>>;

/** One entry of `endpoints` of a ClusterLoadAssignment. */
export interface EndpointGroup {
  readonly priority: number;
  readonly locality: Locality;
  /** The entry has a `locality` message; only then does its weight count. */
  readonly hasLocality: boolean;
  readonly weight: number | undefined;
  /** Of all its endpoints, by filter name; undefined: none. */
  readonly metadata?: FilterMetadata | undefined;
  readonly endpoints: readonly EndpointState[];
}

/** The endpoints that discovery assigns to a cluster. Immutable: of a new one each proxy works out the difference. */
export interface Assignment {
  /** Percent. */
  readonly overprovisioningFactor: number;
  readonly weightedPriorityHealth: boolean;
  /** Part of the requests that is dropped, 0–1. */
  readonly dropRatio: number;
  /** It is dropped when it is this old; Infinity: never. */
  readonly staleAfterUs: Micros;
  /** The proxy rejects it: `drop_overloads` names something that it does not know. */
  readonly isRejected: boolean;
  readonly groups: readonly EndpointGroup[];
}

/** The addresses that the name of an endpoint resolved to. */
export interface NameAnswer {
  readonly assignment: Assignment;
  readonly group: EndpointGroup;
  /** The endpoint of `group` that is the name. */
  readonly name: EndpointState;
  readonly endpoints: readonly EndpointState[];
}

export const EMPTY_ASSIGNMENT: Assignment = {
  overprovisioningFactor: DEFAULT_OVERPROVISIONING_FACTOR,
  weightedPriorityHealth: false,
  dropRatio: 0,
  staleAfterUs: Infinity,
  isRejected: false,
  groups: [],
};

/** By {@link localityKey}; only entries with a `locality` have a weight that counts, and of several the last one does. */
export function localityWeights(groups: readonly EndpointGroup[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { hasLocality, weight, locality } of groups)
    if (hasLocality && weight !== undefined) weights.set(localityKey(locality), weight);
  return weights;
}

/** One for all: most of the hosts of a fleet have none. */
const NO_METADATA: Struct = {};

/** The load balancer's entry of endpoint or route metadata. */
export const lbMetadata = (metadata: FilterMetadata | undefined): Struct =>
  metadata?.['proxy.lb'] ?? metadata?.['envoy.lb'] ?? NO_METADATA;

/** Whether metadata has all of `wanted`; an empty `wanted` always matches. */
export const hasEntries = (
  metadata: Struct,
  wanted: Struct,
  matches: (found: JsonValue, wanted: JsonValue) => boolean,
): boolean =>
  Object.entries(wanted).every(([key, value]) => {
    const found = own(metadata, key);
    return found !== undefined && matches(found, value);
  });

/** What addresses a selector means, as it says and as a question. */
export type Addresses = Readonly<{ text: string; isMeant: (address: string) => boolean }>;

/** Where endpoints that changed stand in their list and in those that followed it: a host that flaps is looked for once. */
const places = new WeakMap<EndpointList, Map<string, readonly number[]>>();

function rowsOf(endpoints: EndpointList, { text, isMeant }: Addresses): readonly number[] {
  const known = places.get(endpoints)?.get(text);
  if (known !== undefined) return known;
  const rows: number[] = [];
  for (let row = 0; row < endpoints.length; row++)
    if (isMeant((endpoints[row] as EndpointState).address)) rows.push(row);
  if (rows.length > 0) entryOf(places, endpoints, () => new Map<string, readonly number[]>()).set(text, rows);
  return rows;
}

/** By a list that is another one edited: the rows that differ. */
const edits = new WeakMap<EndpointList, Readonly<{ of: EndpointList; rows: readonly number[] }>>();

/** The rows in which a list differs from the one before; undefined: it has more of them, or fewer. */
export function rowsThatDiffer(now: EndpointList, before: EndpointList): readonly number[] | undefined {
  if (now === before) return [];
  if (now.length !== before.length) return undefined;
  const edit = edits.get(now);
  if (edit?.of === before) return edit.rows;
  const rows: number[] = [];
  for (let row = 0; row < now.length; row++) if (now[row] !== before[row]) rows.push(row);
  return rows;
}

/**
 * Replaces the endpoints that `edit` changes; undefined takes an endpoint out.
 * @param only given where only the endpoints of some addresses can change, so that the others need not be compared.
 * @returns the very same assignment where nothing was replaced.
 */
export function mapEndpoints(
  assignment: Assignment,
  edit: (endpoint: EndpointState, group: EndpointGroup) => EndpointState | undefined,
  only?: Addresses,
): Assignment {
  const groups = assignment.groups.map((group): EndpointGroup => {
    const { endpoints } = group;
    let edited: EndpointState[] | undefined;
    const gone = new Set<EndpointState>();
    const changed: number[] = [];
    const rows = only === undefined ? undefined : rowsOf(endpoints, only);
    for (let row = 0; row < (rows ?? endpoints).length; row++) {
      const at = rows?.[row] ?? row;
      const endpoint = endpoints[at] as EndpointState;
      const now = edit(endpoint, group);
      if (now === endpoint) continue;
      // Most entries of a large cluster do not change: the list is copied only once a change is found.
      edited ??= [...endpoints];
      changed.push(at);
      if (now === undefined) gone.add(endpoint);
      else edited[at] = now;
    }
    if (edited === undefined) return group;
    if (gone.size > 0) return { ...group, endpoints: edited.filter((endpoint) => !gone.has(endpoint)) };
    const found = places.get(endpoints);
    if (found !== undefined) places.set(edited, found);
    edits.set(edited, { of: endpoints, rows: changed });
    // Otherwise each would keep all before it.
    edits.delete(endpoints);
    return { ...group, endpoints: edited };
  });
  return sameItems(groups, assignment.groups) ? assignment : { ...assignment, groups };
}

/** Adds endpoints to the first entry of the same priority and locality, or as an entry of their own. */
export function addEndpoints(
  assignment: Assignment,
  priority: number,
  locality: Locality | undefined,
  endpoints: readonly EndpointState[],
): Assignment {
  const key = localityKey(locality ?? NOWHERE);
  const at = assignment.groups.findIndex((group) => group.priority === priority && localityKey(group.locality) === key);
  const group = assignment.groups[at];
  if (group === undefined) {
    const made = { priority, locality: locality ?? NOWHERE, hasLocality: locality !== undefined, weight: undefined };
    return { ...assignment, groups: [...assignment.groups, { ...made, endpoints }] };
  }
  const groups = assignment.groups.with(at, { ...group, endpoints: [...group.endpoints, ...endpoints] });
  return { ...assignment, groups };
}
