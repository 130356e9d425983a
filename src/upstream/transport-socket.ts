import { sameJson } from '../core/values.js';
import { type FilterMetadata, hasEntries } from '../settings/assignment.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';

/** What hosts without a match of their own get: the cluster's `transport_socket`. */
export const DEFAULT_MATCH = 'default';

/**
 * Chooses the transport socket of each host: the first of `transport_socket_matches` whose entries are all found, with
 * equal values, in the endpoint's metadata under `envoy.transport_socket_match`; if there is none, the first that the
 * metadata of its locality matches; else the cluster's own.
 * The proxy chooses once for every endpoint of every update that discovery brings, whether or not the host is known
 * already, and counts each choice; existing hosts keep theirs.
 */
export class TransportSocketMatcher {
  readonly counts: Map<string, number>;

  /** @param matches without entries mean every endpoint. @param counts counts so far, of the cluster that this one replaces. */
  constructor(
    readonly matches: ClusterSettings['transportSocketMatches'],
    counts: ReadonlyMap<string, number> = new Map(),
  ) {
    this.counts = new Map([...matches.map(({ name }): [string, number] => [name, 0]), [DEFAULT_MATCH, 0], ...counts]);
  }

  count(match: string, hosts: number): void {
    this.counts.set(match, (this.counts.get(match) ?? 0) + hosts);
  }

  /** @param metadata of the endpoint, by filter name. @param around that of its locality; undefined: none. */
  choose(metadata: FilterMetadata, around: FilterMetadata | undefined): string {
    const name = this.matchOf(metadata) ?? (around && this.matchOf(around)) ?? DEFAULT_MATCH;
    this.count(name, 1);
    return name;
  }

  private matchOf(metadata: FilterMetadata): string | undefined {
    const entries = metadata['proxy.transport_socket_match'] ?? metadata['envoy.transport_socket_match'] ?? {};
    return this.matches.find(({ match }) => hasEntries(entries, match ?? {}, sameJson))?.name;
  }
}
