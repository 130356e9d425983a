import { assert } from '../core/assert.js';
import type { Host } from '../host/host.js';
import type { AggregateLevel, BalancerDescription } from './generated/descriptions.js';
import { priorityStep } from './decision-steps.js';
import type { HostSet } from './host-set.js';
import type { LoadBalancerConfig } from './lb-config.js';
import * as balancers from './load-balancer.js';
import { Levels } from './levels.js';
import { choosePriority, type PriorityLoad } from './priority-load.js';

export interface AggregateMember {
  readonly name: string;
  /** Its index for the caller; see {@link balancers.Decision.member}. */
  readonly index: number;
  /** Lists by priority as its own balancers hold them. */
  readonly hostSets: readonly (HostSet | undefined)[];
  /** Its balancer of the same thread. */
  readonly balancer: balancers.LoadBalancer;
}

interface Home {
  readonly member: AggregateMember;
  readonly priority: number;
  readonly healthy: () => PriorityLoad;
  readonly degraded: () => PriorityLoad;
}

/**
 * Balancer of an aggregate cluster: the priorities of its member clusters, one after the other, are the levels of one
 * cluster. A level is drawn at random, for hashed requests too; the member then chooses by its own policy, on that level.
 * Members that hash choose the level again, from the hash and by their own loads.
 * Health, loads and panic of the levels follow the aggregate's own threshold and each level's own overprovisioning factor;
 * a member panics by itself. A member without hosts has no levels; nor has one that is an aggregate or does not exist. Hosts
 * that a request names do not reach a member.
 * Draws per pick: one for the level, then those of the member. Source: docs of extensions.clusters.aggregate.v3 and of
 * aggregate clusters; what hashing members, panic and nesting do, as a 1.40.0 shows it.
 */
export class AggregateBalancer implements balancers.LoadBalancer {
  private levels = new Levels(this.config, this.env.runtime, []);
  private homes: readonly Home[] = [];

  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly env: Pick<balancers.LbEnvironment, 'runtime'>,
    private readonly members: () => readonly AggregateMember[],
  ) {}

  refresh(): void {
    const levels = aggregateLevels(this.members());
    this.homes = levels.map(({ member, priority }) => {
      return { member, priority, healthy: pinned(priority, false), degraded: pinned(priority, true) };
    });
    this.levels = new Levels(
      this.config,
      this.env.runtime,
      levels.map(({ hostSet }) => hostSet),
    );
  }

  update(_hostSet: HostSet, added: readonly Host[]): void {
    assert(added.length === 0, 'an aggregate has no hosts of its own');
  }

  updateLocalCluster(): void {
    // Its members route by zone, not the aggregate.
  }

  choose(request: balancers.PickRequest, decision: balancers.Decision): void {
    balancers.resetDecision(decision);
    if (this.homes.length === 0) return;
    const { random } = request;
    const { state } = this.levels;
    random.next();
    const wanted = request.priorityLoad;
    const load = wanted === undefined ? state.load : wanted(state);
    const drawn = choosePriority(load, random.hi, random.lo);
    if (request.trace !== undefined) request.trace(priorityStep(load, random.hi, random.lo, drawn, this.levelNames()));
    const level = drawn < 0 ? ~drawn : drawn;
    const home = this.homes[level];
    if (home === undefined) return;
    request.priorityLoad = drawn < 0 ? home.degraded : home.healthy;
    request.throughAggregate = true;
    home.member.balancer.choose(request, decision);
    request.throughAggregate = false;
    request.priorityLoad = wanted;
    decision.member = home.member.index;
    decision.level = level;
  }

  private levelNames(): readonly AggregateLevel[] {
    return this.homes.map(({ member, priority }) => ({ cluster: member.name, priority }));
  }

  describe(): BalancerDescription {
    const described = { ...this.levels.describe(), zone: undefined, aggregate: this.levelNames() };
    return this.homes.length === 0 ? { ...described, priorities: [] } : described;
  }
}

/** The priorities of members that have hosts, one member after the other, as levels of one cluster. */
export function aggregateLevels<Member extends Pick<AggregateMember, 'hostSets'>>(members: readonly Member[]) {
  const levels = members.flatMap((member) =>
    member.hostSets.flatMap((hostSet, priority) =>
      hostSet === undefined || hostSet.hosts.length === 0 ? [] : [{ member, priority, hostSet }],
    ),
  );
  return levels.map((own, priority) => ({ ...own, hostSet: { ...own.hostSet, priority } }));
}

function pinned(priority: number, degraded: boolean): () => PriorityLoad {
  const all = [...new Array<number>(priority).fill(0), 100];
  const load = degraded ? { healthy: [], degraded: all } : { healthy: all, degraded: [] };
  return () => load;
}
