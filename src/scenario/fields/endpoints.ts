import { words, defaulted, either, list, mapping, optional, type Output, required, rule } from '../../config/reader.js';
import type { ClusterLoadAssignment, LbEndpoint } from '../../config/assignment-rules.js';
import { formatIp, ipAfter } from '../../core/ip.js';
import { block } from './block.js';
import { addAll, groupBy } from '../../core/values.js';
import type { Locality } from '../../host/host.js';
import { parseHostPort } from '../selector.js';
import { integer, MetadataMap, Name, scalar } from './fields.js';
import { LocalityBlock, type LocalityFields, LocalityName, placeOf } from './selector-schema.js';

export const MAX_WEIGHT = 4294967295;
const MAX_COUNT = 1_000_000;

const HostAddress = scalar('address', 'address', parseHostPort);

const EndpointBlock = block(
  'endpoint',
  () => ({
    address: required(HostAddress),
    count: defaulted(integer('count', 1, MAX_COUNT), 1),
    weight: optional(integer('weight', 1, MAX_WEIGHT)),
    priority: defaulted(integer('priority', 0, 127), 0),
    zone: optional(LocalityName),
    locality: optional(LocalityBlock),
    health: optional(words(['UNKNOWN', 'HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'])),
    metadata: optional(MetadataMap),
    hostname: optional(Name),
  }),
  rule('endpoint-count', ['address', 'count'], ({ address, count }, report) => {
    if (count === 1) return;
    if (address.ip === undefined) report('count needs an IP address: a name has no next one', ['count']);
    else if (ipAfter(address.ip, count - 1) === undefined)
      report(`${count} addresses from ${address.host} on pass the last one`, ['count']);
  }),
);

/** `count` hosts at consecutive addresses; without a locality they stand in a group that has none. */
export type EndpointSpec = Omit<Output<typeof EndpointBlock>, 'zone' | 'locality'> & {
  readonly locality?: Locality | undefined;
};

export const Endpoint = either(EndpointBlock, HostAddress).transform((value): EndpointSpec => {
  if ('host' in value) return { address: value, count: 1, priority: 0 };
  const { zone: _, ...fields } = value;
  return { ...fields, locality: localityOf(value) };
});

/** Where hosts are, by `locality` or by `zone`; undefined: neither. */
export function localityOf(fields: LocalityFields): Locality | undefined {
  const place = placeOf(fields);
  return place && { region: place.region ?? '', zone: place.zone ?? '', subZone: place.subZone ?? '' };
}

export const EndpointLists = mapping(list(Endpoint));

/** The LbEndpoints of a shorthand, as if they had been written out. */
export function lbEndpointsOf(spec: EndpointSpec): readonly LbEndpoint[] {
  const { ip, host, port } = spec.address;
  const rest = {
    healthStatus: spec.health ?? 'UNKNOWN',
    ...(spec.metadata === undefined ? {} : { metadata: { filterMetadata: spec.metadata } }),
    ...(spec.weight === undefined ? {} : { loadBalancingWeight: spec.weight }),
  };
  return Array.from({ length: spec.count }, (_, index) => {
    const next = index === 0 ? ip : ip && ipAfter(ip, index);
    const address = next === undefined || index === 0 ? host : formatIp(next);
    const socketAddress = { address, portValue: port, resolverName: '' } as const;
    return { endpoint: { address: { socketAddress }, hostname: spec.hostname ?? '' }, ...rest };
  });
}

/** Hosts are grouped by priority and locality, groups in the order of their first host. */
export function groupEndpoints<T extends { readonly spec: EndpointSpec }>(
  hosts: readonly T[],
): readonly { readonly spec: EndpointSpec; readonly items: readonly T[] }[] {
  const groups = groupBy(hosts, ({ spec: { priority, locality } }) => {
    return locality === undefined ? String(priority) : JSON.stringify([priority, locality]);
  });
  return [...groups.values()].map((items) => ({ spec: (items[0] as T).spec, items }));
}

/** The assignment that a list of endpoints is short for. */
export const assignmentOf = (
  name: string,
  groups: ReturnType<typeof groupEndpoints<{ readonly spec: EndpointSpec }>>,
): ClusterLoadAssignment => ({
  clusterName: name,
  endpoints: groups.map(({ spec: { priority, locality }, items }) => {
    const lbEndpoints: LbEndpoint[] = [];
    for (const { spec } of items) addAll(lbEndpoints, lbEndpointsOf(spec));
    return { priority, ...(locality === undefined ? {} : { locality }), lbEndpoints };
  }),
});
