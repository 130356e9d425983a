import { groupBy } from '../../core/lists.js';
import { factsOf } from '../../policy/registry.js';
import type { RunFact } from '../../result/facts.js';
import type { ClusterRun } from './cluster-run.js';

const MAX_NAMES = 4;

/** Names that resolve to several addresses, and their weights. */
export function namesAndAddresses(run: ClusterRun): RunFact[] {
  switch (run.world.type) {
    case 'STRICT_DNS':
      return everyAddress(run);
    case 'LOGICAL_DNS':
      return firstAddress(run);
    case 'STATIC':
    case 'EDS':
    case 'ORIGINAL_DST':
    case 'AGGREGATE':
      return [];
  }
}

/** STRICT_DNS: each address is a host and has the weight of its name, so that a name counts as often as it has addresses. */
function everyAddress({ result }: ClusterRun): RunFact[] {
  const present = result.hosts.filter(({ removed_at_s: removed }) => removed === undefined);
  const names = groupBy(present, ({ priority, hostname, weight }) => JSON.stringify([priority, hostname, weight]));
  const sizes = new Set([...names.values()].map((hosts) => hosts.length));
  // If all names have equally many, weights mean what they seem to.
  if (names.size < 2 || sizes.size < 2 || names.size > MAX_NAMES) return [];
  const usesWeights = factsOf(result.policy)?.usesWeights === true;
  const parts = [...names.values()].map((hosts) => {
    const { hostname: name = '', weight = 1 } = hosts[0] ?? {};
    return { name, addresses: hosts.length, weight, share: hosts.reduce((sum, host) => sum + host.share, 0) };
  });
  return [{ kind: 'names_by_addresses', uses_weights: usesWeights, names: parts }];
}

/** LOGICAL_DNS: one host, at the first address of the answer. */
function firstAddress({ settings, world, result }: ClusterRun): RunFact[] {
  const names = world.assignment.groups.flatMap(({ endpoints }) => endpoints.map(({ address }) => address));
  const used = result.hosts.filter(({ requests }) => requests > 0).map(({ address }) => address);
  const several = names.flatMap((address) => {
    const answer = settings.dns.get(address.slice(0, address.lastIndexOf(':')));
    if (answer === undefined || 'fail' in answer || answer.addresses.length < 2) return [];
    return [answer.addresses.length];
  });
  const [addresses] = several;
  const [only, ...more] = used;
  if (addresses === undefined || only === undefined || more.length > 0) return [];
  return [{ kind: 'first_address', addresses, used: only }];
}
