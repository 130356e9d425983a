import type { Clock } from '../../core/environment.js';
import { formatIpPort, parseIp } from '../../core/ip.js';
import { sameItems } from '../../core/values.js';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../../core/units.js';
import type { Quirks } from '../../core/version.js';
import type { Random64 } from '../../random/random64.js';
import type { EndpointGroup, EndpointState, NameAnswer } from '../../settings/assignment.js';
import type { ClusterSettings, DnsSettings } from '../../settings/cluster-settings.js';
import { jitteredBackOffMs } from '../back-off.js';
import { type Cause, type Happening, someHosts } from '../cause.js';
import type { UpstreamCluster } from '../cluster.js';
import type { ManagedCluster } from '../cluster-manager.js';
import type { Discovery, Schedule } from './discovery.js';
import type { Lookup, Resolver } from './resolver.js';

/** The name and the port of an endpoint that DNS has to find: `backend.local:80`, `10.0.0.1:80`, `[::1]:80`. */
type DnsTarget = Readonly<{ name: string; port: number }>;

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

export type RefreshSettings = Omit<DnsSettings, 'family'> & { readonly quirks: Quirks };

/** When one name is resolved again. Each name has its own back-off: failures of one do not slow down another. */
export function refreshRate({ respectTtl, refreshUs, failure, quirks }: RefreshSettings, random: Random64) {
  let failures = 0;
  return {
    /** @param ttlUs time to live of the answer; undefined or 0: none. */
    afterSuccess: (ttlUs: Micros | undefined): Micros => {
      failures = 0;
      return respectTtl && ttlUs !== undefined && ttlUs > 0 ? ttlUs : refreshUs;
    },
    afterFailure: (): Micros => {
      if (failure === undefined) return refreshUs;
      const baseMs = Math.max(1, wholeMillis(failure.baseIntervalUs));
      const maxMs = Math.max(baseMs, wholeMillis(failure.maxIntervalUs));
      failures++;
      return jitteredBackOffMs(failures, baseMs, maxMs, random, quirks) * MICROS_PER_MILLI;
    },
  };
}

export interface DnsEnvironment {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** A stream for each name, so that the back-off of one leaves the others' as it is. */
  readonly random: (name: string) => Random64;
}

/** @param answered says whether the answer counts as a success: one that the cluster cannot use is a failure. */
function dnsQuery(
  name: string,
  settings: DnsSettings & RefreshSettings,
  { clock, resolver, schedule, random }: DnsEnvironment,
  answered: (lookup: Lookup) => boolean,
): Discovery {
  const rate = refreshRate(settings, random(name));
  let stopped = false;
  const start = (): void => {
    if (stopped) return;
    const lookup = resolver.lookup(name, settings.family);
    const succeeded = answered(lookup);
    const waitUs = succeeded && lookup.kind === 'success' ? rate.afterSuccess(lookup.ttlUs) : rate.afterFailure();
    schedule(clock.nowUs + waitUs, start);
  };
  return { start, stop: () => (stopped = true) };
}

interface DnsListener {
  /** A usable answer, whatever it contains. */
  readonly answered?: (name: string) => void;
  /** An answer that cannot be used. */
  readonly answeredInVain: (name: string) => void;
  /** An answer is about to be applied. @param cause what it changed; undefined: nothing. */
  readonly found: (cause: Happening | undefined, apply: (causes?: readonly Cause[]) => void) => void;
  /** New connections of the existing host go to another address from now on. */
  readonly moved: (address: string, cause: Extract<Happening, { kind: 'other_first' }>) => void;
}

/**
 * Each name is resolved, and its answer applied, by itself.
 * STRICT_DNS: every address that a name resolves to is a host. The hosts of the other names stay, and an address that two
 * names share is two hosts, each with its own health. A failed query keeps the hosts; an empty answer removes them all,
 * except before 1.14, where it counts as a failure.
 * LOGICAL_DNS: one logical host, of priority 0, at the first address of the newest answer to its one name.
 * Up to 1.38 the host never leaves: its new connections go to the new first address, and existing ones stay. Since 1.39 an
 * answer with any other list of addresses, even with the same one first, makes a new host, and the connections of the old
 * one are closed. After a failed query, or an empty answer, nothing changes.
 */
export function discoverByDns(
  cluster: Pick<ManagedCluster, 'type' | 'assignment'> & { readonly settings: Pick<ClusterSettings, 'dns'> },
  upstream: () => Pick<UpstreamCluster, 'membership' | 'applyName' | 'setLogicalHost' | 'keepLogicalHost'>,
  quirks: Quirks,
  env: DnsEnvironment,
  listener: DnsListener,
): Discovery {
  const { clock } = env;
  const { type, settings, assignment } = cluster;
  const isStrict = type === 'STRICT_DNS';
  const strict = (name: string, before: readonly EndpointState[], answer: NameAnswer): void => {
    const change = changedAddresses(name, before, answer.endpoints);
    listener.found(change, (causes) => upstream().applyName(answer, clock.nowUs, causes));
  };
  const logical = (name: string, known: readonly EndpointState[], all: NameAnswer): void => {
    const replaces = quirks.logicalDnsReplacesHost;
    const [before, first] = [known[0], all.endpoints[0] as EndpointState];
    const { address } = first;
    const answer = { ...all, endpoints: [first] };
    if (before === undefined || (replaces && !sameItems(known.map(addressOf), all.endpoints.map(addressOf)))) {
      const same = { kind: 'same_first', name, address } as const;
      const cause = changedAddresses(name, known.slice(0, 1), [first]) ?? same;
      listener.found(cause, (causes) => upstream().setLogicalHost(answer, clock.nowUs, causes));
    } else if (replaces) upstream().keepLogicalHost(answer);
    else if (before.address !== address) {
      listener.moved(address, { kind: 'other_first', name, address, before: before.address });
    }
  };
  const queryOf = (group: EndpointGroup, endpoint: EndpointState): Discovery => {
    const target = dnsTarget(endpoint);
    let known: readonly EndpointState[] = [];
    return dnsQuery(target.name, { ...settings.dns, quirks }, env, (lookup) => {
      const stats = upstream().membership;
      stats.updateAttempt++;
      const usesEmpty = isStrict && quirks.emptyDnsAnswerCounts;
      if (lookup.kind === 'failure' || (lookup.addresses.length === 0 && !usesEmpty)) {
        stats.updateFailure++;
        listener.answeredInVain(target.name);
        return false;
      }
      stats.updateSuccess++;
      listener.answered?.(target.name);
      const before = known;
      known = lookup.addresses.map((ip) => resolvedEndpoint(endpoint, target, ip));
      (isStrict ? strict : logical)(target.name, before, { assignment, group, name: endpoint, endpoints: known });
      return true;
    });
  };
  const queries = assignment.groups.flatMap((group) => group.endpoints.map((one) => queryOf(group, one)));
  return {
    start: () => queries.forEach((query) => query.start()),
    stop: () => queries.forEach((query) => query.stop()),
  };
}

const addressOf = ({ address }: EndpointState): string => address;
