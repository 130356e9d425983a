import type { Proxy } from './proxy.js';
import { reasonsFor } from './reasons.js';

/**
 * Why a cluster's split is what it is, for all kinds of proxies: a reason that holds for some of them only ends with their
 * names.
 *
 * @param reasons those of the first proxy, which are all there are if there is one kind.
 */
export function fleetReasons(
  proxies: readonly Proxy[],
  cluster: number,
  reasons: readonly string[],
): readonly string[] {
  const kinds = new Map(proxies.map((proxy) => [proxy.specName, proxy]));
  if (kinds.size < 2) return reasons;
  const holdsFor = new Map<string, string[]>();
  for (const [name, proxy] of kinds) {
    const { upstream, lb } = proxy.clusterAt(cluster);
    // The main thread's balancer comes first and sees what the workers see.
    const description = upstream.balancers[0]?.describe();
    if (description === undefined) continue;
    for (const reason of reasonsFor(description, lb)) {
      const names = holdsFor.get(reason);
      if (names === undefined) holdsFor.set(reason, [name]);
      else names.push(name);
    }
  }
  return [...holdsFor].map(([reason, names]) =>
    names.length === kinds.size ? reason : `${reason} (${names.join(', ')})`,
  );
}
