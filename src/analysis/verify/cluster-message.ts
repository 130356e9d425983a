import { snake } from '../../config/reader/letter-case.js';
import { isList, isStruct, type JsonValue, type Struct } from '../../core/json-value.js';
import { withTypedPolicy } from './typed-policy-message.js';
import type { CapturedHost, CapturedLevel } from './capture.js';

/** Fields of a cluster that say how it balances: the others come from the captured hosts, or do not matter to a pick. */
const BALANCING = new Set([
  ...['name', 'alt_stat_name', 'lb_policy', 'load_balancing_policy', 'lb_subset_config', 'common_lb_config'],
  ...['ring_hash_lb_config', 'maglev_lb_config', 'least_request_lb_config', 'round_robin_lb_config'],
]);

/** What v2 alone has, and what would make a fresh proxy differ from one that has its hosts for long. */
const LEFT_OUT = new Set(['deprecated_v1', 'slow_start_config']);

/** Type of an aggregate, whose hosts are those of its members. */
const AGGREGATE = /^"(envoy|proxy)\.clusters\.aggregate"$/;

/**
 * A cluster as a v3 message with these hosts, as it balances: a STATIC cluster, or an aggregate.
 *
 * @param written  its message as written, in v2 or v3.
 * @param at       the place on loopback at which a host answers, `ip:port`. Hosts keep their own address, or their
 *   name, as the key that they are hashed by.
 */
export function clusterMessage(
  written: Struct,
  levels: readonly CapturedLevel[],
  at: (address: string) => string,
): Struct {
  const aggregate = aggregateMessage(written);
  if (aggregate !== undefined) return aggregate;
  const name = fieldOf(written, 'name') ?? '';
  const { message, hashesNames } = ofAnyType(balancingOf(written));
  const keysByAddress = !mentions(message, 'use_hostname_for_hashing');
  const keyOf = ({ address, hostname }: CapturedHost): Struct =>
    keysByAddress ? { hash_key: hashesNames ? hostname : address } : {};
  return {
    ...message,
    type: 'STATIC',
    load_assignment: {
      cluster_name: name,
      endpoints: levels.flatMap(({ priority, localities }) =>
        localities.map(({ locality, weight, hosts }) => ({
          locality: { region: locality.region, zone: locality.zone, sub_zone: locality.subZone },
          lb_endpoints: hosts.map((host) => {
            const { address, metadata } = host;
            return endpointMessage(host, at(address), { ...keyOf(host), ...metadata });
          }),
          // 0 is not to be written: no weight is none.
          ...(weight !== undefined && weight > 0 && { load_balancing_weight: weight }),
          priority,
        })),
      ),
      ...(levels[0] !== undefined && {
        policy: {
          overprovisioning_factor: levels[0].overprovisioningFactor,
          weighted_priority_health: levels[0].weightedPriorityHealth,
        },
      }),
    },
  };
}

/** Only a STRICT_DNS cluster may have `use_hostname_for_hashing` in its common options: here hosts say their names themselves. */
function ofAnyType(message: Struct): { readonly message: Struct; readonly hashesNames: boolean } {
  const common = structAt(message, 'common_lb_config');
  const { use_hostname_for_hashing: hashesNames, ...hashing } = structAt(common, 'consistent_hashing_lb_config');
  if (hashesNames !== true) return { message, hashesNames: false };
  return {
    message: { ...message, common_lb_config: { ...common, consistent_hashing_lb_config: hashing } },
    hashesNames,
  };
}

/** undefined: it is none. */
function aggregateMessage(written: Struct): Struct | undefined {
  const type = fieldOf(written, 'cluster_type');
  if (type === undefined || !isStruct(type) || !AGGREGATE.test(JSON.stringify(type['name']))) return undefined;
  return { ...balancingOf(written), cluster_type: translated(type) };
}

/**
 * A STATIC cluster with the assignment that it is written with, to the letter, but for the places of its hosts. Those that
 * set no key of their own are hashed by their own address, as in {@link clusterMessage}. An aggregate has none.
 */
export function assignedMessage(written: Struct, at: (address: string) => string): Struct {
  const aggregate = aggregateMessage(written);
  if (aggregate !== undefined) return aggregate;
  const assignment = translated(fieldOf(written, 'load_assignment') ?? {});
  return { ...balancingOf(written), type: 'STATIC', load_assignment: atLoopback(assignment, at) };
}

function atLoopback(value: JsonValue, at: (address: string) => string): JsonValue {
  if (isList(value)) return value.map((item) => atLoopback(item, at));
  if (!isStruct(value)) return value;
  const { endpoint, metadata } = value;
  if (endpoint === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, atLoopback(item, at)]));
  const address = addressOf(endpoint);
  const own = structAt(structAt(metadata, 'filter_metadata'), 'envoy.lb');
  return {
    ...value,
    endpoint: { address: socketAddress(at(address)) },
    metadata: { filter_metadata: { 'envoy.lb': { hash_key: address, ...own } } },
  };
}

/** `ip:port` of every host of an assignment, in their order. */
export function addressesIn(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(addressesIn);
  if (!isStruct(value)) return [];
  const { endpoint } = value;
  return endpoint === undefined ? Object.values(value).flatMap(addressesIn) : [addressOf(endpoint)];
}

function addressOf(endpoint: JsonValue): string {
  const { address = '', port_value: port = 0 } = structAt(structAt(endpoint, 'address'), 'socket_address');
  return `${typeof address === 'string' ? address : ''}:${typeof port === 'number' ? port : 0}`;
}

function structAt(value: JsonValue | undefined, name: string): Struct {
  const field = value !== undefined && isStruct(value) ? value[name] : undefined;
  return field !== undefined && isStruct(field) ? field : {};
}

/** @param place `ip:port`, IPv4, or `name:port`. */
function socketAddress(place: string): Struct {
  const colon = place.lastIndexOf(':');
  return { socket_address: { address: place.slice(0, colon), port_value: Number(place.slice(colon + 1)) } };
}

/** What of a cluster says how it balances. */
export function balancingOf(written: Struct): Struct {
  const kept = Object.entries(written)
    .filter(([key]) => BALANCING.has(snake(key)))
    .map(([key, value]): [string, JsonValue] => [snake(key), translated(value)]);
  return withTypedPolicy({ ...Object.fromEntries(kept), connect_timeout: '5s' });
}

/** A host that answers at this place. @param entries of the balancer's metadata. */
export function endpointMessage(
  { hostname, weight, status }: Pick<CapturedHost, 'hostname' | 'weight' | 'status'>,
  place: string,
  entries: Struct,
): Struct {
  return {
    endpoint: {
      address: socketAddress(place),
      ...(hostname !== '' && { hostname }),
    },
    health_status: status,
    ...(Object.keys(entries).length > 0 && { metadata: { filter_metadata: { 'envoy.lb': entries } } }),
    load_balancing_weight: weight,
  };
}

/** A field by its name in either case. */
function fieldOf(message: Struct, name: string): JsonValue | undefined {
  return Object.entries(message).find(([key]) => snake(key) === name)?.[1];
}

/** Whether a field of this name is set to true anywhere. */
function mentions(value: JsonValue, name: string): boolean {
  if (isList(value)) return value.some((item) => mentions(item, name));
  if (!isStruct(value)) return false;
  return Object.entries(value).some(([key, item]) => (snake(key) === name ? item === true : mentions(item, name)));
}

/** The real proxy's own names, without {@link LEFT_OUT}. */
function translated(value: JsonValue): JsonValue {
  if (typeof value === 'string') return renamed(value);
  if (isList(value)) return value.map(translated);
  if (!isStruct(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !LEFT_OUT.has(snake(key)))
      .map(([key, item]) => [renamed(key), translated(item)]),
  );
}

function renamed(name: string): string {
  return name.replace(/^(type\.googleapis\.com\/)?proxy\./, '$1envoy.');
}
