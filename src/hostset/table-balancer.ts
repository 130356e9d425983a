import { toDecimal } from '../core/u64.js';
import { lbPolicyName } from '../policy/registry.js';
import { assert } from '../core/assert.js';
import type { Writable } from '../core/values.js';
import { quirksOf } from '../core/version.js';
import type { Host } from '../host/host.js';
import { chooseBounded, type HostLoads, overloadFactor } from '../policy/bounded-load.js';
import { HostShuffle } from '../policy/host-shuffle.js';
import type { BalancerTrace } from './decision-steps.js';
import type { BalancerStep } from './generated/balancer-steps.js';
import type { AnswerListener } from '../policy/answers.js';
import type { HostIndex, TableInput, TableMemory } from '../policy/policy-kinds.js';
import type { BalancerDescription, TableDescription } from './generated/descriptions.js';
import type { HostSet } from './host-set.js';
import type { LoadBalancerConfig } from './lb-config.js';
import * as balancing from './load-balancer.js';
import { Levels } from './levels.js';
import {
  type EmptyTable,
  emptyTable,
  sameWeightedHosts,
  type TableHosts,
  tableHosts,
  tableOptions,
} from './normalized-weights.js';
import { listenerOf } from './listener.js';
import { RequestHash } from './request-hash.js';
import type { TableKind } from './table-cache.js';

/**
 * Balancer of the hashing policies, RING_HASH and MAGLEV: one table per priority.
 * The request's hash chooses the priority and then the entry of its table; a request without a hash gets a random one,
 * the only draw. Zone-aware routing and retry priorities do not apply. If the caller rejects a host, the next attempt
 * looks in the same table; up to 1.12 rejection is ignored. The proxy rebuilds all tables at every update of any level;
 * here one whose hosts and weights did not change, which would be equal, is kept.
 */
export class TableBalancer<Table extends object> implements balancing.LoadBalancer {
  private readonly levels = new Levels(this.config, this.env.runtime, this.env.initial ?? []);
  private readonly tables: (TableHosts & { readonly table: Table })[] = [];
  private readonly input: Writable<TableInput> = { hosts: [], nowUs: 0, memory: undefined };
  private readonly listener: AnswerListener | undefined;
  private readonly bound: BoundedLoad | undefined;
  private readonly hearsRejections: boolean = !quirksOf(this.config.version).tablesIgnoreRejections;
  /** undefined: the route's hash is used. */
  private readonly ownHash: RequestHash | undefined;

  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly env: balancing.LbEnvironment,
    private readonly kind: TableKind<Table>,
  ) {
    const { hashBalanceFactor, hashSources } = config.consistentHashing;
    this.ownHash = hashSources === undefined ? undefined : new RequestHash(hashSources);
    if (hashBalanceFactor > 0) {
      assert(env.activity !== undefined, 'bounded-load hashing needs the active requests of the cluster');
      this.bound = new BoundedLoad(hashBalanceFactor, env.activity);
    }
    const memory: TableMemory = new Map();
    this.listener = listenerOf(kind.hearing, memory);
    if (this.listener !== undefined) this.input.memory = memory;
    this.rebuild();
  }

  update(hostSet: HostSet, _added: readonly Host[], _removed: readonly Host[], more = false): void {
    this.levels.update(hostSet);
    if (!more) this.rebuild();
  }

  adopt(main: this): void {
    this.levels.adopt(main.levels);
    this.tables.splice(0, this.tables.length, ...main.tables);
  }

  updateLocalCluster(): void {
    // Hashing policies do not route by zone.
  }

  choose(request: balancing.PickRequest, decision: balancing.Decision): void {
    balancing.resetDecision(decision);
    let { hashHi, hashLo, hasHash } = request;
    const { ownHash } = this;
    if (ownHash !== undefined) {
      hasHash = ownHash.compute(request);
      hashHi = ownHash.hi;
      hashLo = ownHash.lo;
    }
    if (!hasHash) {
      request.random.next();
      hashHi = request.random.hi;
      hashLo = request.random.lo;
    }
    const { trace } = request;
    if (trace !== undefined) {
      const source = !hasHash ? 'drawn' : ownHash === undefined ? 'route' : 'own';
      trace({ kind: 'hash', inputs: { hash: toDecimal(hashHi, hashLo), source } });
    }
    this.levels.choose(this.levels.state.load, hashHi, hashLo, 'whole_table', decision, trace);
    const { priority, panic } = decision;
    if (panic) this.env.stats.lbHealthyPanic++;
    const level = this.tables[priority];
    if (level === undefined) return;

    decision.listener = this.listener;
    this.input.hosts = level.hosts;
    this.input.nowUs = this.env.clock.nowUs;
    const rejects = this.hearsRejections ? request.rejects : undefined;
    for (let attempt = 0; attempt <= request.hostSelectionRetryCount; attempt++) {
      let index = this.kind.choose(level.table, hashHi, hashLo, attempt, trace, this.input);
      if (this.bound !== undefined) index = this.bound.choose(index, hashLo, level, trace);
      const host = index < 0 ? undefined : level.hosts[index];
      if (trace !== undefined) {
        const owner = { host: host?.address ?? null, hosts: level.hosts.length };
        trace({ kind: 'owner', inputs: { ...owner, ...this.emptyFact(priority) } });
      }
      decision.host = host;
      if (host === undefined || rejects === undefined || !rejects(host)) return;
    }
  }

  describe(): BalancerDescription {
    const described = this.levels.describe((hostSet) => ({
      table: this.describeTable(hostSet.priority),
      // With one locality there is nothing to divide.
      tableWeights: this.config.localityWeighted && hostSet.localities.length > 1 ? hostSet.localityWeights : undefined,
      emptyTable: this.whyEmpty(hostSet),
    }));
    return { ...described, zone: undefined };
  }

  private whyEmpty(hostSet: HostSet): EmptyTable | undefined {
    const { localityWeighted } = this.config;
    const why = localityWeighted && emptyTable(hostSet, this.levels.state.panic[hostSet.priority] === true);
    if (why) return why;
    return this.describeTable(hostSet.priority)?.table.gauges?.size === 0 ? 'no-entry' : undefined;
  }

  /** Nothing where the hosts themselves say so. */
  private emptyFact(priority: number): Pick<Extract<BalancerStep, { kind: 'owner' }>['inputs'], 'empty'> {
    const { hostSets } = this.levels;
    const hostSet = hostSets[priority];
    const why = hostSet && this.whyEmpty(hostSet);
    const of = hostSets.length > 1 ? { priority } : {};
    return why === undefined ? {} : { empty: { why, policy: lbPolicyName(this.config.lbPolicy), ...of } };
  }

  private describeTable(priority: number): TableDescription | undefined {
    const level = this.tables[priority];
    const shown = level === undefined ? undefined : this.kind.shown(level.table);
    return level === undefined || shown === undefined ? undefined : { ...level, ...shown };
  }

  private rebuild(): void {
    const { config, kind, env } = this;
    for (const hostSet of this.levels.hostSets) {
      const { priority } = hostSet;
      const options = tableOptions(config, this.levels.state.panic[priority] === true);
      const { hosts, weighted } = tableHosts(hostSet, options);
      const before = this.tables[priority];
      const build = (): Table => kind.build(weighted);
      const table =
        before !== undefined && sameWeightedHosts(before.weighted, weighted)
          ? before.table
          : (env.tables?.get(kind.configuration, weighted, build) ?? build());
      this.tables[priority] = { hosts, weighted, table };
      const shown = kind.shown(table);
      if (shown?.table.gauges !== undefined) env.stats.tables[shown.policy.name] = shown.table.gauges;
    }
  }
}

/** Consistent hashing with bounded loads over one balancer's tables; one object serves all picks. */
class BoundedLoad implements HostLoads {
  hostCount = 0;
  private readonly shuffle = new HostShuffle();
  private hosts: readonly Host[] = [];
  private weights: Float64Array = new Float64Array(0);
  private clusterActive = 0;

  constructor(
    private readonly hashBalanceFactor: number,
    private readonly activity: balancing.ClusterActivity,
  ) {}

  choose(hashed: HostIndex, hashLo: number, level: TableHosts, trace: BalancerTrace | undefined): HostIndex {
    this.hosts = level.hosts;
    this.hostCount = level.hosts.length;
    this.weights = level.weighted.weights;
    this.clusterActive = this.activity.upstreamRqActive;
    const chosen = chooseBounded(hashed, hashLo, this, this.shuffle);
    if (trace !== undefined) this.traceChoice(hashed, chosen, trace);
    return chosen;
  }

  private traceChoice(hashed: HostIndex, chosen: HostIndex, trace: BalancerTrace): void {
    const { hosts, hashBalanceFactor } = this;
    const [first, taken] = [hosts[hashed], hosts[chosen]];
    if (first === undefined || taken === undefined) return;
    trace({
      kind: 'bound',
      inputs: {
        hash_balance_factor: hashBalanceFactor,
        hashed: first.address,
        hashed_load: this.factor(hashed),
        taken: taken.address,
        taken_load: this.factor(chosen),
        kept: first === taken,
      },
    });
  }

  factor(index: HostIndex): number {
    const active = (this.hosts[index] as Host).activeRequests;
    return overloadFactor(active, this.clusterActive, this.weights[index] as number, this.hashBalanceFactor);
  }
}
