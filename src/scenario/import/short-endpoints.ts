import { canonicalName } from '../../core/proxy-names.js';
import type { ClusterLoadAssignment, LbEndpoint, LocalityLbEndpoints } from '../../config/assignment-rules.js';
import type { Plain } from '../../config/source/trees.js';
import { sameJson, type Struct, present } from '../../core/values.js';
import { formatIp, ipAfter, withPort } from '../../core/ip.js';
import { LB_NAMESPACE } from '../fields/fields.js';
import { type HostPort, parseHostPort } from '../selector.js';

/** At least this many equal hosts at consecutive addresses become one entry. */
const MIN_RUN = 3;

type ShortHost = Readonly<{ address: HostPort; fields: Struct }>;

/**
 * The hosts of an assignment in the short form of `endpoints`; undefined where that cannot say it: weights of localities,
 * a policy, groups that would merge.
 */
export function shortEndpoints({ endpoints, policy }: ClusterLoadAssignment): readonly Plain[] | undefined {
  const { overprovisioningFactor: factor = 140, dropOverloads = [], ...others } = policy ?? {};
  const isAsked = Object.values(others).some((setting) => setting !== undefined && setting !== false);
  if (factor !== 140 || dropOverloads.length > 0 || isAsked) return undefined;
  // Two groups at one place would become one, with another order of hosts.
  const places = endpoints.map((group) => JSON.stringify(placeOf(group)));
  if (new Set(places).size < places.length) return undefined;
  const hosts = endpoints.flatMap((group) => {
    const { lbEndpoints, loadBalancingWeight, ledsClusterLocalityConfig, metadata } = group;
    const isPlain = [loadBalancingWeight, ledsClusterLocalityConfig, metadata].every((field) => field === undefined);
    return isPlain && lbEndpoints.length > 0 ? lbEndpoints.map((one) => shortHost(one, placeOf(group))) : [undefined];
  });
  const short = present(hosts);
  return short.length < hosts.length ? undefined : entriesOf(short);
}

function placeOf({ locality, priority }: LocalityLbEndpoints): Struct {
  const { region = '', zone = '', subZone = '' } = locality ?? {};
  const isZone = region === '' && subZone === '';
  const place = {
    ...(region !== '' && { region }),
    ...(zone !== '' && { zone }),
    ...(subZone !== '' && { sub_zone: subZone }),
  };
  return { ...(priority !== 0 && { priority }), ...(isZone ? place : { locality: place }) };
}

function shortHost(
  { endpoint, healthStatus, metadata, loadBalancingWeight: weight = 1 }: LbEndpoint,
  place: Struct,
): ShortHost | undefined {
  const {
    address: { socketAddress: socket },
    hostname,
    healthCheckConfig: checks,
  } = endpoint;
  if (socket?.portValue === undefined || socket.resolverName !== '') return undefined;
  if (checks !== undefined && (checks.portValue !== 0 || checks.disableActiveHealthCheck)) return undefined;
  const [[namespace, labels] = [LB_NAMESPACE, undefined], ...others] = Object.entries(metadata?.filterMetadata ?? {});
  const isWhole = labels !== undefined && ('filter_metadata' in labels || 'filterMetadata' in labels);
  if (isWhole || others.length > 0 || canonicalName(namespace) !== LB_NAMESPACE) return undefined;
  const address = parseHostPort(withPort(socket.address, socket.portValue));
  const fields = {
    ...(weight !== 1 && { weight }),
    ...place,
    ...(healthStatus !== 'UNKNOWN' && healthStatus !== 'HEALTHY' && { health: healthStatus }),
    ...(hostname !== '' && { hostname }),
    ...(labels !== undefined && { metadata: labels }),
  };
  return address.ok ? { address: address.value, fields } : undefined;
}

/** Equal hosts with consecutive addresses are one entry. */
function entriesOf(hosts: readonly ShortHost[]): readonly Plain[] {
  const entries: Plain[] = [];
  for (let index = 0; index < hosts.length;) {
    const first = hosts[index] as ShortHost;
    const { ip, host, port } = first.address;
    let count = 1;
    for (let next = hosts[index + 1]; ip !== undefined && next !== undefined; next = hosts[index + ++count]) {
      const after = ipAfter(ip, count);
      const isNext = after !== undefined && next.address.host === formatIp(after) && next.address.port === port;
      if (!isNext || !sameJson(next.fields, first.fields)) break;
    }
    const used = count < MIN_RUN ? 1 : count;
    const fields = { ...(used > 1 && { count: used }), ...first.fields };
    const address = withPort(host, port);
    entries.push(Object.keys(fields).length === 0 ? address : { address, ...fields });
    index += used;
  }
  return entries;
}
