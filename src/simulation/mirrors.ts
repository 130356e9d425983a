import { own } from '../core/values.js';
import type { U64 } from '../core/u64.js';
import type { MirrorPolicy } from '../settings/world.js';
import type { Proxy } from './proxy.js';
import { type RequestPlan, requestPlan } from './request-plan.js';
import { Routing } from './routing.js';
import type { OpenRequest } from './servers/open-requests.js';
import type { World } from './world.js';

/** Copies for `request_mirror_policies`: with the criteria of their request, without the hash of its route, and not retried. */
export class Mirrors {
  private readonly random = this.world.streams.stream('mirrors');

  constructor(private readonly world: World) {}

  /** Draws one for each policy that copies a part. */
  *of({ plan, id, size }: OpenRequest, proxy: Proxy): Iterable<{ plan: RequestPlan; hash: U64 | undefined }> {
    const { headers, priority, timeoutUs, workload, address, metadataMatch } = plan;
    for (const policy of plan.mirrors) {
      const name = policy.clusterHeader === undefined ? policy.cluster : (own(headers, policy.clusterHeader) ?? '');
      const cluster = proxy.clusterNamed(name)?.world.index;
      if (cluster === undefined || !this.isCopied(policy, proxy)) continue;
      const spec = { headers, priority, timeoutUs };
      const origin = { workload, cluster, metadataMatch, hashed: false };
      const copy = requestPlan(spec, { ...origin, size: size === 1 ? undefined : () => size });
      const routing = new Routing(this.world, spec, [{ ...copy, mirrorOf: id }], [], this.random);
      yield routing.next(proxy, { number: 0, address }, undefined, undefined);
    }
  }

  /** A number in runtime is a percentage. */
  private isCopied({ portion, runtimeKey }: MirrorPolicy, { runtime }: Proxy): boolean {
    const percent = runtimeKey === undefined ? undefined : runtime.number(runtimeKey);
    const part = percent === undefined ? portion : percent / 100;
    return part >= 1 || this.random.uniform() < part;
  }
}
