import { toDecimal } from '../../core/u64.js';
import type { KeyHasher } from '../../hash/request-key.js';
import { emptyDecision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import type { BalancerStep } from '../../hostset/decision-steps.js';
import { isTablePolicy } from '../../policy/registry.js';
import { ScriptedRandom } from '../../random/scripted.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { InspectedKey } from './inspection.js';
import { ALL_HASHES } from './table-states.js';

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
