import { formatIpPort, parseIp } from '../../core/ip.js';
import { sameItems } from '../../core/lists.js';
import type { Quirks } from '../../core/version.js';
import type { Assignment, EndpointGroup, EndpointState, NameAnswer } from '../../settings/assignment.js';
import type { MembershipStats } from '../../stats/membership-stats.js';
import { type Cause, type Happening, someHosts } from '../cause.js';
import type { UpstreamCluster } from '../cluster.js';
import type { ManagedCluster } from '../cluster-manager.js';
import type { Discovery } from './discovery.js';
import { type DnsEnvironment, DnsQuery, type QuerySettings } from './dns-query.js';

/** The name and the port of an endpoint that DNS has to find: `backend.local:80`, `10.0.0.1:80`, `[::1]:80`. */
export interface DnsTarget {
  readonly name: string;
  readonly port: number;
}

export function dnsTarget(endpoint: EndpointState): DnsTarget {
  const at = endpoint.address.lastIndexOf(':');
  const port = Number(endpoint.address.slice(at + 1));
  return {
    name: endpoint.address.slice(0, at).replace(/^\[(.*)\]$/, '$1'),
    // A named port is for resolvers that know names; DNS answers with addresses only.
    port: Number.isInteger(port) ? port : 0,
  };
}

/** A host that was found: it keeps the name it was found by, unless the endpoint has a hostname of its own. */
export function resolvedEndpoint(endpoint: EndpointState, target: DnsTarget, ip: string): EndpointState {
  const parsed = parseIp(ip);
  return {
    ...endpoint,
    address: parsed === undefined ? `${ip}:${target.port}` : formatIpPort(parsed, target.port),
    hostname: endpoint.hostname === '' ? target.name : endpoint.hostname,
  };
}

/** What an answer changed; undefined where nothing did. */
function changedAddresses(
  name: string,
  before: readonly EndpointState[],
  after: readonly EndpointState[],
): Happening | undefined {
  const old = new Set(before.map(({ address }) => address));
  const now = new Set(after.map(({ address }) => address));
  const added = [...now].filter((address) => !old.has(address));
  const gone = [...old].filter((address) => !now.has(address));
  if (added.length === 0 && gone.length === 0) return undefined;
  return { kind: 'addresses', name, added: someHosts(added), gone: someHosts(gone), left: now.size };
}

interface DnsOptions extends QuerySettings {
  /** Endpoints are names. */
  readonly assignment: Assignment;
  /** Read at each answer. */
  readonly stats: () => MembershipStats;
}

interface DnsEvents {
  /** A usable answer, whatever it contains. */
  readonly answered?: (name: string) => void;
  /** An answer that cannot be used. */
  readonly answeredInVain: (name: string) => void;
}

interface DnsListener extends DnsEvents {
  /** An answer is about to be applied. @param cause what it changed; undefined: nothing. */
  readonly found: (cause: Happening | undefined, apply: (causes?: readonly Cause[]) => void) => void;
  readonly moved: LogicalDnsEvents['moved'];
}

export function discoverByDns(
  { type, settings, assignment }: ManagedCluster,
  upstream: () => UpstreamCluster,
  quirks: Quirks,
  env: DnsEnvironment,
  listener: DnsListener,
): Discovery {
  const options: DnsOptions = { ...settings.dns, quirks, assignment, stats: () => upstream().membership };
  const { clock } = env;
  if (type === 'STRICT_DNS') {
    return strictDns(options, env, {
      ...listener,
      resolved: (answer, cause) => listener.found(cause, (causes) => upstream().applyName(answer, clock.nowUs, causes)),
    });
  }
  return logicalDns(options, env, {
    ...listener,
    found: (answer, cause) => listener.found(cause, (causes) => upstream().setLogicalHost(answer, clock.nowUs, causes)),
    known: (answer) => upstream().keepLogicalHost(answer),
  });
}

interface StrictDnsEvents extends DnsEvents {
  /** One name was answered. @param cause what the answer changed; undefined: nothing. */
  readonly resolved: (answer: NameAnswer, cause: Happening | undefined) => void;
}

/**
 * STRICT_DNS: every address that a name resolves to is a host.
 * Each name is resolved, and its answer applied, by itself: the hosts of the other names stay, and an address that two
 * names share is two hosts, each with its own health. A failed query keeps the hosts; an empty answer removes them all,
 * except before 1.14, where it counts as a failure.
 */
export function strictDns(options: DnsOptions, env: DnsEnvironment, events: StrictDnsEvents): Discovery {
  const { assignment, quirks } = options;
  return queries(options, env, events, quirks.emptyDnsAnswerCounts, (group, name, target, before, endpoints) => {
    const change = changedAddresses(target, before, endpoints);
    events.resolved({ assignment, group, name, endpoints }, change);
  });
}

interface LogicalDnsEvents extends DnsEvents {
  /** The cluster has a new host: its first, or one that replaces it. @param cause what the answer changed. */
  readonly found: (answer: NameAnswer, cause: Happening) => void;
  /** The addresses are those that were known: the proxy makes a host of them, and lets it go again. */
  readonly known: (answer: NameAnswer) => void;
  /** New connections of the existing host go to another address from now on. */
  readonly moved: (address: string, cause: Extract<Happening, { kind: 'other_first' }>) => void;
}

/**
 * LOGICAL_DNS: one logical host at the first address of the newest answer to its one name.
 * Up to 1.38 the host never leaves: its new connections go to the new first address, and existing ones stay. Since 1.39 an
 * answer with any other list of addresses, even with the same one first, makes a new host, and the connections of the old
 * one are closed. After a failed query, or an empty answer, nothing changes. The priority is always 0.
 */
export function logicalDns(options: DnsOptions, env: DnsEnvironment, events: LogicalDnsEvents): Discovery {
  const { assignment, quirks } = options;
  const replaces = quirks.logicalDnsReplacesHost;
  return queries(options, env, events, false, (group, name, target, known, endpoints) => {
    const [before, first] = [known[0], endpoints[0] as EndpointState];
    const { address } = first;
    const answer = { assignment, group, name, endpoints: [first] };
    if (before === undefined || (replaces && !sameItems(known.map(addressOf), endpoints.map(addressOf)))) {
      const same = { kind: 'same_first', name: target, address } as const;
      events.found(answer, changedAddresses(target, known.slice(0, 1), [first]) ?? same);
    } else if (replaces) events.known(answer);
    else if (before.address !== address) {
      events.moved(address, { kind: 'other_first', name: target, address, before: before.address });
    }
  });
}

function addressOf({ address }: EndpointState): string {
  return address;
}

/** Resolves the names of a cluster, each by itself. @param usesEmpty whether an answer without addresses is one. */
function queries(
  options: DnsOptions,
  env: DnsEnvironment,
  events: DnsEvents,
  usesEmpty: boolean,
  take: (
    group: EndpointGroup,
    endpoint: EndpointState,
    name: string,
    before: readonly EndpointState[],
    found: readonly EndpointState[],
  ) => void,
): Discovery {
  const queryOf = (group: EndpointGroup, endpoint: EndpointState): DnsQuery => {
    const target = dnsTarget(endpoint);
    let known: readonly EndpointState[] = [];
    return new DnsQuery(target.name, options, env, (lookup) => {
      const stats = options.stats();
      stats.updateAttempt++;
      if (lookup.kind === 'failure' || (lookup.addresses.length === 0 && !usesEmpty)) {
        stats.updateFailure++;
        events.answeredInVain(target.name);
        return false;
      }
      stats.updateSuccess++;
      events.answered?.(target.name);
      const before = known;
      known = lookup.addresses.map((ip) => resolvedEndpoint(endpoint, target, ip));
      take(group, endpoint, target.name, before, known);
      return true;
    });
  };
  const all = options.assignment.groups.flatMap((group) => group.endpoints.map((one) => queryOf(group, one)));
  return {
    start: () => {
      for (const query of all) query.start();
    },
    stop: () => {
      for (const query of all) query.stop();
    },
  };
}
