import { toDecimal } from '../../core/u64.js';
import type { KeyHasher } from '../../hash/request-key.js';
import { emptyDecision, emptyPickRequest, type PickRequest } from '../../hostset/load-balancer.js';
import type { DecisionStep } from '../../policy/decision-trace.js';
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
  const steps: DecisionStep[] = [];
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
  const { slot, slots } = steps.find(({ step }) => step === 'table')?.inputs ?? {};
  return {
    key,
    hash: toDecimal(hash.hi, hash.lo),
    position:
      typeof slot === 'number' && typeof slots === 'number' ? slot / slots : (hash.hi * 2 ** 32 + hash.lo) / ALL_HASHES,
    priority: decision.priority,
    host: decision.host?.address ?? null,
    steps: steps.map(({ outcome }) => outcome),
  };
}
