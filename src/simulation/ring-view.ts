import { sum } from '../core/values.js';
import type { TableDescription } from '../hostset/generated/descriptions.js';
import { Decision, emptyPickRequest, type PickRequest } from '../hostset/load-balancer.js';
import { compileKernel } from '../hash/kernel/kernel.js';
import { xxhash64String } from '../hash/text-hashes.js';
import { tablePolicyOf } from '../policy/policy-of.js';
import { isTablePolicy, lbPolicyName } from '../policy/registry.js';
import { ScriptedRandom } from '../random/random64.js';
import type { RingEntryView, RingTableView, RingView } from '../result/generated/ring-view.js';
import type { WorldSettings } from '../settings/world.js';
import { Simulation } from './simulation.js';
import type { ProxyCluster } from './proxy-cluster.js';

/** Why there is no table to show. */
export interface NoRing {
  readonly missing:
    | { readonly kind: 'no_hashing_cluster' }
    | { readonly kind: 'no_such_cluster'; readonly cluster: string; readonly clusters: readonly string[] }
    | { readonly kind: 'no_table'; readonly cluster: string; readonly policy: string };
}

/**
 * The tables of a cluster whose policy has some, its own or another, as the first worker of the first proxy holds them at time 0, what the
 * timeline does at time 0 included.
 * @param clusterName undefined: the first cluster with a hashing policy.
 */
export async function inspectRing(settings: WorldSettings, clusterName?: string): Promise<RingInspector | NoRing> {
  const hashing = settings.clusters.filter(({ lbPolicy }) => isTablePolicy(lbPolicy));
  const wanted =
    clusterName === undefined ? hashing[0] : settings.clusters.find((cluster) => cluster.name === clusterName);
  if (wanted === undefined) {
    if (clusterName === undefined) return { missing: { kind: 'no_hashing_cluster' } };
    const clusters = settings.clusters.map(({ name }) => name);
    return { missing: { kind: 'no_such_cluster', cluster: clusterName, clusters } };
  }
  await compileKernel();
  const start: WorldSettings = {
    ...settings,
    workloads: [],
    requests: [],
    durationUs: 0,
    timeline: settings.timeline.filter((entry) => entry.atUs === 0).map((entry) => ({ ...entry, everyUs: undefined })),
  };
  const simulation = new Simulation(start);
  while (!simulation.advance(1_000_000));
  const cluster = simulation.clusterOfFirstProxy(wanted.name);
  const { lbPolicy } = cluster.lb;
  if (isTablePolicy(lbPolicy)) return new RingInspector(cluster);
  return { missing: { kind: 'no_table', cluster: wanted.name, policy: lbPolicyName(lbPolicy) } };
}

export class RingInspector {
  private readonly tables = this.cluster
    .balancerOf(0)
    .describe()
    .priorities.flatMap(({ priority, table, emptyTable }) =>
      table === undefined ? [] : [{ priority, table, emptyTable }],
    );
  private readonly policy = tablePolicyOf(this.cluster.lb.lbPolicy);
  private readonly config = this.policy.configOf(this.cluster.lb, this.cluster.lb.version);
  private readonly decision = new Decision();
  private readonly request: PickRequest = { ...emptyPickRequest(new ScriptedRandom([])), hasHash: true };

  constructor(private readonly cluster: ProxyCluster) {}

  view(): RingView {
    return {
      cluster: this.cluster.name,
      policy: lbPolicyName(this.cluster.lb.lbPolicy),
      hash_function: this.policy.hashFunction(this.config),
      tables: this.tables.map(({ priority, table, emptyTable: why }) => ({
        ...tableView(priority, table),
        ...(why && { empty: why }),
      })),
    };
  }

  /** Approximate memory of a table. */
  get tableBytes(): number {
    return this.policy.tableBytes(this.config);
  }

  /** The host of `key`; undefined: none. The hash also chooses the priority, as for a request. */
  ownerOf(key: string): string | undefined {
    const { hi, lo } = xxhash64String(key);
    Object.assign(this.request, { hashHi: hi, hashLo: lo });
    this.cluster.balancerOf(0).choose(this.request, this.decision);
    return this.decision.host?.address;
  }

  /** Every entry in table order, priority after priority. */
  *entries(): Iterable<RingEntryView> {
    for (const { priority, table } of this.tables) {
      for (const { position, host } of table.policy.entries(table.table))
        yield { priority, position, address: table.hosts[host]?.address ?? '' };
    }
  }
}

function tableView(priority: number, { hosts, weighted, policy, table }: TableDescription): RingTableView {
  const keyShares = policy.keyShares(table);
  const totalWeight = sum(weighted.weights);
  const { size, entriesPerHost, gauges } = table;
  const entries = sum(entriesPerHost);
  return {
    priority,
    size,
    min_hashes_per_host: gauges?.minPerHost ?? 0,
    max_hashes_per_host: gauges?.maxPerHost ?? 0,
    entries,
    hosts: hosts.map((host, index) => {
      const count = entriesPerHost[index] ?? 0;
      return {
        address: host.address,
        entries: count,
        share: entries === 0 ? 0 : count / entries,
        key_share: keyShares[index] ?? 0,
        weight_share: totalWeight === 0 ? 0 : (weighted.weights[index] as number) / totalWeight,
      };
    }),
  };
}
