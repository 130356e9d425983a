import type { BalancerDescription, PriorityDescription } from '../../hostset/describe.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { InspectedKey, InspectedTable } from './inspection.js';
import { toDecimal } from '../../core/u64.js';
import type { KeyHasher } from '../../hash/request-key.js';
import { emptyDecision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import type { BalancerStep } from '../../hostset/decision-steps.js';
import { isTablePolicy } from '../../policy/registry.js';
import { ScriptedRandom } from '../../random/scripted.js';

/** Looks a key up as a request with it would, and nothing else about it; null where the policy keeps no table. */
export function inspectKey(cluster: ProxyCluster, worker: number, key: string, hasher: KeyHasher): InspectedKey | null {
  if (cluster.parts.aggregate !== undefined || !isTablePolicy(cluster.lb.lbPolicy)) return null;
  const hash = { hi: 0, lo: 0 };
  hasher.hash(key, hash);
  const steps: BalancerStep[] = [];
  const request: PickRequest = {
    ...emptyPickRequest(new ScriptedRandom([])),
    hasHash: true,
    hashHi: hash.hi,
    hashLo: hash.lo,
    key,
    trace: (step) => steps.push(step),
  };
  const decision = emptyDecision();
  cluster.balancerOf(worker).choose(request, decision);
  const slot = steps.find((step) => step.kind === 'slot')?.inputs;
  return {
    key,
    hash: toDecimal(hash.hi, hash.lo),
    position: slot === undefined ? (hash.hi * 2 ** 32 + hash.lo) / ALL_HASHES : slot.slot / slot.slots,
    priority: decision.priority,
    host: decision.host?.address ?? null,
    facts: steps,
  };
}

/** 2⁶⁴. */
export const ALL_HASHES = 18446744073709551616;

/** The tables that a worker's balancer looks hashes up in. */
export function inspectTables(cluster: ProxyCluster, worker: number): readonly InspectedTable[] {
  if (cluster.parts.balancers.length === 0) return [];
  const description = cluster.balancerOf(worker).describe();
  if (description.subsets === undefined) return tablesOf(description, null);
  return description.subsets.flatMap(({ subset, balancer }) =>
    balancer === undefined ? [] : tablesOf(balancer, subset),
  );
}

function tablesOf({ priorities }: BalancerDescription, subset: string | null): readonly InspectedTable[] {
  return priorities.flatMap((level) => tableOf(level, subset) ?? []);
}

function tableOf(
  { priority, table: described }: PriorityDescription,
  subset: string | null,
): InspectedTable | undefined {
  if (described === undefined || described.hosts.length === 0) return undefined;
  const { hosts, policy, table } = described;
  const shares = policy.keyShares(table);
  const entries = [...policy.entries(table)];
  // A ring places its entries by hash, a table of slots by number.
  const whole = policy.noun === 'ring' ? ALL_HASHES : entries.length;
  return {
    subset,
    priority,
    noun: policy.noun,
    size: table.size,
    hosts: hosts.map(({ address }, index) => ({
      address,
      entries: table.entriesPerHost[index] ?? 0,
      key_share: shares[index] ?? 0,
    })),
    positions: Float64Array.from(entries, ({ position }) => Number(position) / whole),
    owners: Int32Array.from(entries, ({ host }) => host),
  };
}
