import type { TableSource } from '../../hostset/table-cache.js';
import type { MaglevTableConfig } from '../../policy/maglev-table.js';
import { MaglevWithout } from '../../policy/maglev-without.js';
import type { WeightedHosts } from '../../policy/table-policy.js';

/**
 * Tables for balancers that lose one host after the other, each time from the same full set, without a rebuild; undefined
 * where there is no way without.
 *
 * @param whole the hosts before any is lost.
 */
export function maglevLosses(whole: WeightedHosts, config: MaglevTableConfig): TableSource | undefined {
  if (!MaglevWithout.takes(whole, config)) return undefined;
  const tables = new MaglevWithout(whole, config);
  return {
    get<Table extends object>(_configuration: string, hosts: WeightedHosts, build: () => Table): Table {
      const lost = lostFrom(whole, hosts);
      // It serves one balancer, so all tables have one configuration.
      return lost < 0 ? build() : (tables.without(lost) as object as Table);
    },
  };
}

/** Which one host is missing; -1: not exactly one, or the others differ in weight. */
function lostFrom({ keys: all }: WeightedHosts, { keys, weights }: WeightedHosts): number {
  if (keys.length !== all.length - 1 || !weights.every((weight) => weight === weights[0])) return -1;
  const differs = keys.findIndex((key, index) => key !== all[index]);
  const lost = differs < 0 ? keys.length : differs;
  return keys.every((key, index) => key === all[index < lost ? index : index + 1]) ? lost : -1;
}
