import type { CircuitBreakerLimit } from '../settings/cluster-settings.js';
import type { OutlierCause, UnejectionCause } from './outlier-cause.js';

/** Some hosts: their number, and of a few their addresses. */
export interface SomeHosts {
  readonly hosts: number;
  readonly addresses?: readonly string[];
}

/** More hosts than this are counted, not named. */
const NAMED = 3;

export function someHosts(addresses: readonly string[]): SomeHosts {
  return { hosts: addresses.length, ...(addresses.length <= NAMED && { addresses }) };
}

/** Something that happened, besides requests: its kind, and the numbers behind it. Field names are those of results. */
export type Happening =
  | { readonly kind: 'start' }
  /** An entry of the timeline, in its own words. */
  | { readonly kind: 'timeline'; readonly entry: string }
  /** `endpoint_stale_after` is over. */
  | { readonly kind: 'stale_assignment' }
  | { readonly kind: 'merged_update' }
  /** Lists that waited for the merge window went out. */
  | { readonly kind: 'delivered'; readonly causes: readonly Happening[] }
  /** A cluster that an update waited for is ready. */
  | { readonly kind: 'ready'; readonly after: Happening }
  | ({ readonly kind: 'joined' } & SomeHosts)
  | ({ readonly kind: 'left' } & SomeHosts)
  /** Discovery dropped hosts, which stay while their health checks pass. */
  | { readonly kind: 'kept'; readonly addresses: readonly string[] }
  /** ORIGINAL_DST: a request asked for it; nothing used them since the last cleanup. */
  | { readonly kind: 'asked_for'; readonly address: string }
  | ({ readonly kind: 'unused' } & SomeHosts)
  /** An answer of DNS. */
  | {
      readonly kind: 'addresses';
      readonly name: string;
      readonly added: SomeHosts;
      readonly gone: SomeHosts;
      /** How many the name has now. */
      readonly left: number;
    }
  /** LOGICAL_DNS: the first address, which alone counts, is the same; or another, for new connections at first. */
  | { readonly kind: 'same_first'; readonly name: string; readonly address: string }
  | {
      readonly kind: 'other_first';
      readonly name: string;
      readonly address: string;
      readonly before: string;
      readonly new_connections?: true;
    }
  | { readonly kind: 'resolved'; readonly name: string; readonly again: boolean }
  | {
      readonly kind: 'checked';
      readonly address: string;
      readonly health: 'healthy' | 'degraded' | 'unhealthy';
      readonly passed: boolean;
      /** Discovery dropped it before: when it leaves. */
      readonly leaves?: 'now' | 'with_next_answer';
    }
  | { readonly kind: 'ejected'; readonly address: string; readonly cause: OutlierCause }
  | {
      readonly kind: 'unejected';
      readonly address: string;
      readonly cause: UnejectionCause;
      /** How long it was out at least: a base time and a factor, or the longest that is allowed. */
      readonly base_s?: number;
      readonly factor?: number;
      readonly max_s?: number;
    }
  /** A level entered panic, or left it; `priority` where the cluster has several. */
  | {
      readonly kind: 'panic';
      readonly panic: boolean;
      readonly priority?: number;
      readonly available: number;
      readonly hosts: number;
    }
  | { readonly kind: 'limit'; readonly limit: CircuitBreakerLimit; readonly high_priority: boolean };

/** Why the lists of balancers changed. */
export interface Cause {
  readonly fact: Happening;
  /** The proxy whose balancers it reached; undefined: those of all proxies. */
  readonly proxy?: string | undefined;
  /** It waited for the merge window. */
  readonly late?: boolean;
  /** If it waited: the cause as it was when the wait began. */
  readonly source?: Cause;
}

export const NO_CAUSES: readonly Cause[] = [];
