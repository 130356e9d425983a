import { mod, toDecimal } from '../core/u64.js';
import type { Host } from '../host/host.js';
import type { ClientPlace, ClientSubsetConfig } from '../policy/client-subsets.js';
import type { DecisionStep } from '../policy/decision-trace.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import type { PriorityLoad } from './priority-load.js';
import { availablePercent } from './panic.js';
import type { AggregateLevel } from './describe.js';
import { type ZoneOff, zoneOff } from './split-facts.js';
import type { ZoneRouting } from './zone-aware.js';

/** The steps of a decision in words. Written by the code that decides and never read by it. */

/** @param drawn the result of `choosePriority`. */
export function priorityStep(
  { healthy, degraded }: PriorityLoad,
  hi: number,
  lo: number,
  drawn: number,
  levels?: readonly AggregateLevel[],
): DecisionStep {
  const isDegraded = drawn < 0;
  const priority = isDegraded ? ~drawn : drawn;
  const point = mod(hi, lo, 100);
  const inputs = {
    value: toDecimal(hi, lo),
    value_mod_100: point,
    healthy_load: [...healthy],
    degraded_load: [...degraded],
  };
  const rule =
    'The value mod 100 falls into the loads, laid end to end: healthy hosts of all priorities in order, then degraded ones.';
  const home = levels?.[priority];
  const name = home === undefined ? `priority ${priority}` : `${home.cluster}, its priority ${home.priority}`;
  const whose = isDegraded ? 'degraded' : 'healthy';
  const load = (isDegraded ? degraded : healthy)[priority] ?? 0;
  if (healthy[0] === 100) return { step: 'priority', inputs, rule, outcome: `${name} has all of the load` };
  const laid = [
    ...healthy.map((value, level) => `${level}: ${value} %`),
    ...degraded.flatMap((value, level) => (value > 0 ? [`${level} degraded: ${value} %`] : [])),
  ].join(', ');
  const outcome = `${point} of 0–99 falls to the ${whose} hosts of ${name}, which get ${load} % (loads ${laid})`;
  return { step: 'priority', inputs, rule, outcome };
}

export function panicStep(
  hostSet: HostSet,
  threshold: number,
  normalizedTotal: number,
  panic: boolean,
  effect: string,
): DecisionStep {
  const available = hostSet.healthy.length + hostSet.degraded.length;
  const counted = hostSet.hosts.length - hostSet.excluded.length;
  const percent = availablePercent(hostSet);
  const inputs = {
    available,
    counted,
    available_percent: percent,
    threshold,
    health_of_all_levels: normalizedTotal,
    panic,
  };
  const rule =
    'A level panics where fewer of its hosts are available than the threshold says, and all levels together cannot carry the load. It was judged at the last update.';
  if (hostSet.hosts.length === 0) return { step: 'panic', inputs, rule, outcome: 'it has no hosts' };
  const have = `${available} of ${counted} ${counted === 1 ? 'host' : 'hosts'} available is ${Number(percent.toFixed(1))} %`;
  if (panic) return { step: 'panic', inputs, rule, outcome: `${have}, below ${threshold} %: panic, ${effect}` };
  if (percent >= threshold)
    return { step: 'panic', inputs, rule, outcome: `${have}, not below ${threshold} %: no panic` };
  const outcome = `${have}, below ${threshold} %, but all levels together have ${normalizedTotal} %: no panic`;
  return { step: 'panic', inputs, rule, outcome };
}

function localityName({ locality: { region, zone, subZone } }: LocalityGroup): string {
  const name = [region, zone, subZone].filter((part) => part !== '').join('/');
  return name === '' ? '(none)' : name;
}

export function localityStep(hostSet: HostSet, weights: readonly number[] | undefined, index: number): DecisionStep {
  const names = hostSet.localities.map(localityName);
  const inputs = { localities: names, effective_weights: weights === undefined ? null : [...weights] };
  const rule =
    'Localities take turns, each as often as its weight says, less as soon as too few of its hosts are healthy.';
  const laid = names.map((name, index) => `${name} ${Number((weights?.[index] ?? 0).toPrecision(4))}`).join(', ');
  return { step: 'locality', inputs, rule, outcome: `it is the turn of ${names[index] ?? ''} (weights ${laid})` };
}

export function gateText(off: ZoneOff): string {
  switch (off.gate) {
    case 'not-computed':
      return 'the local cluster has no hosts yet';
    case 'upstream-zones':
      return `the cluster is in ${off.zones} of at least ${off.needed} zones`;
    case 'local-zones':
      return `the local cluster is in ${off.zones} of at least ${off.needed} zones`;
    case 'no-local-hosts':
      return "the local cluster has no host in the proxy's zone";
    case 'no-upstream-local-hosts':
      return "the cluster has no healthy host in the proxy's zone";
    case 'zone-number-differs':
      return `the cluster is in ${off.upstream_zones} zones, the local cluster in ${off.local_zones}`;
    case 'cluster-too-small':
      return `${off.healthy_hosts} healthy hosts < min_cluster_size ${off.min_cluster_size}`;
    case 'routing-enabled':
      return 'routing_enabled is 0 %';
    case 'local-cluster-in-panic':
      return 'the local cluster is in panic';
  }
}

const ZONE_RULE = 'Priority 0 is routed by zone where a local cluster is known and no gate says otherwise.';

export function zoneOffStep(why: string): DecisionStep {
  return { step: 'zone', inputs: {}, rule: ZONE_RULE, outcome: `not routed by zone: ${why}` };
}

export function zoneStep(zone: ZoneRouting, index: number, hostSet: HostSet): DecisionStep {
  if (zone.state === 'none') return zoneOffStep(gateText(zoneOff(zone)));
  const group = hostSet.localities[index];
  const name = group === undefined ? '' : localityName(group);
  const shares = { upstream_shares: [...zone.upstream], local_shares: [...zone.local] };
  if (zone.state === 'direct') {
    const why = zone.forced ? 'it is forced to' : 'it has at least the part of the hosts that it has of the proxies';
    return { step: 'zone', inputs: shares, rule: ZONE_RULE, outcome: `all of it stays in zone ${name}: ${why}` };
  }
  const { localPercentToRoute, residualCapacity } = zone;
  const inputs = { ...shares, local_percent_to_route: localPercentToRoute, residual_capacity: [...residualCapacity] };
  const kept = `zone ${hostSet.localities[0] === undefined ? '' : localityName(hostSet.localities[0])} keeps ${localPercentToRoute / 100} %`;
  const outcome =
    index === 0 ? `${kept}: it stays there` : `${kept}: this one goes to zone ${name}, by what is left there`;
  return { step: 'zone', inputs, rule: ZONE_RULE, outcome };
}

/** @param which undefined: all of them, whatever their health. */
export function listStep(
  which: 'healthy' | 'degraded' | undefined,
  hosts: readonly Host[],
  group: LocalityGroup | undefined,
): DecisionStep {
  const { length } = hosts;
  const where = group === undefined ? '' : ` of ${localityName(group)}`;
  const kind = which === undefined ? '' : `${which} `;
  const rule = 'The policy chooses inside one list.';
  const inputs = { list: which ?? 'all', hosts: length };
  if (length === 0) return { step: 'list', inputs, rule, outcome: `there is no ${kind}host${where}: none is chosen` };
  const whatever = which === undefined ? ', whatever their health' : '';
  const outcome = length === 1 ? `the only ${kind}host${where}` : `one of ${length} ${kind}hosts${where}${whatever}`;
  return { step: 'list', inputs, rule, outcome };
}

export function hashStep(hi: number, lo: number, source: 'own' | 'route' | 'drawn'): DecisionStep {
  const hash = toDecimal(hi, lo);
  const from = {
    own: 'the policy’s own hash_policy gives',
    route: 'the route’s hash policy gives',
    drawn: 'the request has no hash; drawn instead is',
  };
  const rule =
    'One hash chooses the priority and the place in the table; where a request has none, a random value does.';
  return { step: 'hash', inputs: { hash, source }, rule, outcome: `${from[source]} ${hash}` };
}

export function subsetStep(
  wanted: string,
  found: { readonly hosts: number } | undefined,
  passedOver: boolean,
): DecisionStep {
  const rule = 'A request goes to the subset of exactly the keys and values that it asks for.';
  const inputs = { subset: wanted, hosts: found?.hosts ?? null };
  if (found === undefined) return { step: 'subset', inputs, rule, outcome: `no host is in the subset ${wanted}` };
  if (passedOver)
    return { step: 'subset', inputs, rule, outcome: `the only host of the subset ${wanted} is unhealthy` };
  const hosts = found.hosts === 1 ? '1 host' : `${found.hosts} hosts`;
  return { step: 'subset', inputs, rule, outcome: `the subset ${wanted} has ${hosts}` };
}

export function fallbackStep(fallback: string, subset: string | undefined, hosts: number): DecisionStep {
  const inputs = { fallback, subset: subset ?? null, hosts };
  const rule = 'Where there is no such subset, the selector’s fallback rules, or else the cluster’s.';
  const outcome =
    subset === undefined
      ? `${fallback}: no host is asked`
      : `${fallback}: the subset "${subset}" answers, ${hosts} hosts`;
  return { step: 'fallback', inputs, rule, outcome };
}

export function onlyHostStep(host: Host): DecisionStep {
  const rule = 'A subset of single_host_per_subset gives its first host, whatever its health; no policy is asked.';
  return { step: 'host', inputs: { host: host.address }, rule, outcome: `its first host is ${host.address}` };
}

/** @param used hosts of this client. @param all of the cluster. */
export function clientSubsetStep(
  { method, size }: ClientSubsetConfig,
  { client, clients }: ClientPlace,
  used: number,
  all: number,
): DecisionStep {
  return {
    step: 'client subset',
    inputs: { method, size, client, clients, hosts: all, used },
    rule: 'A client uses a part of the hosts, which follows from its number among the clients.',
    outcome: `client ${client} of ${clients} uses ${used} of ${all === 1 ? '1 host' : `${all} hosts`}`,
  };
}

export function namedStep(headers: readonly string[], host: Host | undefined): DecisionStep {
  const rule = 'A request may name its host in a header; that one is taken whatever its health.';
  const inputs = { headers: [...headers], host: host?.address ?? null };
  const where = headers.join(' or ');
  const outcome = host === undefined ? `${where} names no host of the cluster` : `${where} names ${host.address}`;
  return { step: 'named host', inputs, rule, outcome };
}

/** @param why the table is empty, as far as that is known. */
export function ownerStep(address: string | undefined, hosts: number, why = 'the table is empty'): DecisionStep {
  const rule = 'The host that owns the place in the table serves the hash.';
  const outcome = address === undefined ? `${why}: no host is chosen` : `it belongs to ${address}`;
  return { step: 'host', inputs: { host: address ?? null, hosts }, rule, outcome };
}

export function boundStep(
  first: Host,
  firstFactor: number,
  taken: Host,
  takenFactor: number,
  hashBalanceFactor: number,
): DecisionStep {
  const inputs = {
    hash_balance_factor: hashBalanceFactor,
    hashed: first.address,
    hashed_load: firstFactor,
    taken: taken.address,
    taken_load: takenFactor,
  };
  const rule = `A host takes no more than ${hashBalanceFactor} % of the mean load; beyond it, hosts are asked in an order that belongs to the hash.`;
  const load = `${first.address} is at ${Number(firstFactor.toFixed(3))} of what it may have`;
  const outcome =
    first === taken
      ? `${load}: it is kept`
      : `${load}: it goes on to ${taken.address}, at ${Number(takenFactor.toFixed(3))}`;
  return { step: 'bounded load', inputs, rule, outcome };
}
