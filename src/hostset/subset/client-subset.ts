import { TWO_32 } from '../../core/u64.js';
import type { Host } from '../../host/host.js';
import * as clientSubsets from '../../policy/client-subsets.js';
import type { BalancerDescription } from '../generated/descriptions.js';
import type { HealthLists, HostSet } from '../host-set.js';
import type { Decision, LoadBalancer, PickRequest } from '../load-balancer.js';

interface OwnLevel {
  readonly all: readonly Host[];
  /** By host: the part of it that is this client's, above 0 and at most 1. */
  readonly parts: ReadonlyMap<Host, number>;
  readonly largest: number;
}

/** Where hosts are taken by parts: so often a pick may be repeated. */
const MAX_PICKS = 100;

/**
 * The hosts of a client that does not use all of them: an inner balancer gets each level without the others, so that panic, zones,
 * subsets and tables are those of the part. Levels are divided each by itself.
 * Of an aperture the first and the last host may be this client's in part: whom the inner balancer chooses is taken with that
 * probability, else it chooses again.
 * Draws: those of the inner balancer, one more for each choice of a host in part.
 */
export class ClientSubsetBalancer implements LoadBalancer {
  /** Present where the inner balancer has it. */
  readonly adopt?: (main: LoadBalancer) => void;
  private readonly inner: LoadBalancer;
  private levels: OwnLevel[] = [];

  constructor(
    private readonly config: clientSubsets.ClientSubsetConfig,
    private readonly place: clientSubsets.ClientPlace,
    initial: readonly HostSet[],
    create: (initial: readonly HostSet[]) => LoadBalancer,
  ) {
    this.inner = create(initial.map((hostSet) => this.own(hostSet)));
    if (this.inner.adopt !== undefined) this.adopt = (main) => this.takeOver(main);
  }

  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    const before = this.levels[hostSet.priority]?.parts;
    const own = this.own(hostSet);
    const now = this.levels[hostSet.priority]?.parts;
    // A host may also enter or leave the part because others came or went.
    const entered = own.hosts.filter((host) => before?.has(host) !== true || added.includes(host));
    const left = [...(before?.keys() ?? [])].filter((host) => now?.has(host) !== true || removed.includes(host));
    this.inner.update(own, entered, left);
  }

  updateLocalCluster(hostSet: HostSet): void {
    this.inner.updateLocalCluster(hostSet);
  }

  weightsChanged(): void {
    this.inner.weightsChanged?.();
  }

  choose(request: PickRequest, decision: Decision): void {
    if (request.trace !== undefined) {
      const used = this.levels.reduce((sum, { parts }) => sum + parts.size, 0);
      const all = this.levels.reduce((sum, level) => sum + level.all.length, 0);
      const { method, size } = this.config;
      const { client, clients } = this.place;
      request.trace({ kind: 'client_subset', inputs: { method, size, client, clients, hosts: all, used } });
    }
    let probes: readonly Host[] = [];
    for (let pick = 1; ; pick++) {
      this.inner.choose(request, decision);
      if (pick === MAX_PICKS || this.takes(decision, request)) break;
      probes = [...probes, ...decision.probes];
    }
    if (probes.length > 0) decision.probes = [...probes, ...decision.probes];
  }

  describe(): BalancerDescription {
    return this.inner.describe();
  }

  destroy(): void {
    this.inner.destroy?.();
  }

  private takeOver(main: LoadBalancer): void {
    if (!(main instanceof ClientSubsetBalancer)) return;
    this.levels = main.levels;
    this.inner.adopt?.(main.inner);
  }

  private takes({ host, priority }: Decision, { random }: PickRequest): boolean {
    const level = this.levels[priority];
    const part = host === undefined ? undefined : level?.parts.get(host);
    if (level === undefined || part === undefined || part >= level.largest) return true;
    random.next();
    return (random.hi + random.lo / TWO_32) / TWO_32 < part / level.largest;
  }

  private own(hostSet: HostSet): HostSet {
    const known = this.levels[hostSet.priority];
    const level = known?.all === hostSet.hosts ? known : this.divided(hostSet.hosts);
    this.levels[hostSet.priority] = level;
    const own = (hosts: readonly Host[]): readonly Host[] => hosts.filter((host) => level.parts.has(host));
    const lists = (of: HealthLists<readonly Host[]>): HealthLists<readonly Host[]> => ({
      hosts: own(of.hosts),
      healthy: own(of.healthy),
      degraded: own(of.degraded),
      excluded: own(of.excluded),
    });
    const { rows: _, ...kept } = hostSet;
    const localities = hostSet.localities.map((group) => ({ locality: group.locality, ...lists(group) }));
    return { ...kept, ...lists(hostSet), localities };
  }

  private divided(all: readonly Host[]): OwnLevel {
    const { config, place } = this;
    const keys = all.map(({ address }) => address);
    const own =
      config.method === 'aperture'
        ? clientSubsets.aperture(keys, place, config.size)
        : clientSubsets.deterministicSubset(keys, place.client, config.size).map((host) => ({ host, part: 1 }));
    const parts = new Map(own.map(({ host, part }) => [all[host] as Host, part]));
    return { all, parts, largest: Math.max(0, ...parts.values()) };
  }
}
