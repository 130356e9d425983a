import { without } from '../core/values.js';
import type { Host } from '../host/host.js';
import type { BalancerDescription } from './generated/descriptions.js';
import type { HostSet } from './host-set.js';
import type { OverrideHostConfig } from './lb-config.js';
import { type FoundHost, HostsByAddress } from './hosts-by-address.js';
import { type Decision, type LoadBalancer, type PickRequest, resetDecision } from './load-balancer.js';
import { headerOf } from './request-hash.js';

/**
 * Requests name the hosts that they want, as a list of addresses in a header; an inner balancer chooses for requests that
 * name no member.
 * A named host is taken whatever its health, weight or priority, and retry host predicates do not apply. Names of no member
 * are skipped. Each attempt takes the next name; after the last one the inner balancer chooses. It chooses for all requests of
 * an aggregate, too.
 * Draws: none where a host is named. Source: docs of extensions.load_balancing_policies.override_host.v3.OverrideHost; what
 * health and retries mean as a 1.40.0 shows it.
 */
export class OverrideHostBalancer implements LoadBalancer {
  /** Present where the inner balancer has it. */
  readonly adopt?: (main: LoadBalancer) => void;
  /** By priority: the hosts that {@link byAddress} knows of. */
  private levels: readonly (readonly Host[] | undefined)[] = [];
  private byAddress = HostsByAddress.of([]);

  constructor(
    private readonly config: OverrideHostConfig,
    private readonly inner: LoadBalancer,
    initial: readonly HostSet[] = [],
  ) {
    for (const hostSet of initial) this.note(hostSet);
    if (inner.adopt !== undefined) this.adopt = (main) => this.takeOver(main);
  }

  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[], more = false): void {
    this.note(hostSet);
    this.inner.update(hostSet, added, removed, more);
  }

  updateLocalCluster(hostSet: HostSet): void {
    this.inner.updateLocalCluster(hostSet);
  }

  weightsChanged(): void {
    this.inner.weightsChanged?.();
  }

  choose(request: PickRequest, decision: Decision): void {
    const named = this.nextNamed(request);
    if (request.trace !== undefined) {
      const { headers } = this.config;
      request.trace({ kind: 'named_host', inputs: { headers, host: named?.host.address ?? null } });
    }
    if (named === undefined) {
      this.inner.choose(request, decision);
      return;
    }
    resetDecision(decision);
    decision.host = named.host;
    decision.priority = named.priority;
    decision.named = true;
  }

  describe(): BalancerDescription {
    return { ...this.inner.describe(), overrideHeaders: this.config.headers };
  }

  destroy(): void {
    this.inner.destroy?.();
  }

  private takeOver(main: LoadBalancer): void {
    if (!(main instanceof OverrideHostBalancer)) return;
    this.levels = main.levels;
    this.byAddress = main.byAddress.copy();
    this.inner.adopt?.(main.inner);
  }

  private note({ priority, hosts }: HostSet): void {
    const before = this.levels[priority] ?? [];
    if (hosts === before) return;
    this.byAddress.change(priority, without(hosts, before), without(before, hosts));
    const levels = [...this.levels];
    levels[priority] = hosts;
    this.levels = levels;
  }

  private nextNamed(request: PickRequest): FoundHost | undefined {
    if (request.throughAggregate === true) return undefined;
    for (const header of this.config.headers) {
      const value = headerOf(request, header);
      if (value === undefined) continue;
      const names = value.split(',');
      let used = request.namesUsed ?? 0;
      let member: FoundHost | undefined;
      while (member === undefined && used < names.length) member = this.byAddress.find((names[used++] ?? '').trim());
      request.namesUsed = used;
      return member;
    }
    return undefined;
  }
}
