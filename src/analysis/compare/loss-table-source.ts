import type { TableSource } from '../../hostset/table-cache.js';
import type { MaglevTableConfig } from '../../policy/maglev-table.js';
import { MaglevWithout } from '../../policy/maglev-without.js';
import type { WeightedHosts } from '../../policy/table-policy.js';

/** Tables for balancers that lose one host after the other, each time from the same whole: no slot is filled anew for that. */
export class MaglevLosses implements TableSource {
  private readonly without: MaglevWithout | undefined;

  /** @param whole the hosts before any is lost. */
  constructor(
    private readonly whole: WeightedHosts,
    config: MaglevTableConfig,
  ) {
    this.without = MaglevWithout.takes(whole, config) ? new MaglevWithout(whole, config) : undefined;
  }

  get<Table extends object>(_configuration: string, hosts: WeightedHosts, build: () => Table): Table {
    const { without } = this;
    const lost = without === undefined ? -1 : this.lostFrom(hosts);
    // Its one configuration is that of the balancer that it is made for: tables are of one kind.
    return without === undefined || lost < 0 ? build() : (without.without(lost) as object as Table);
  }

  /** Which one host is missing; -1: it is not one host, or the others do not weigh the same. */
  private lostFrom({ keys, weights }: WeightedHosts): number {
    const { keys: all } = this.whole;
    if (keys.length !== all.length - 1 || !weights.every((weight) => weight === weights[0])) return -1;
    const differs = keys.findIndex((key, index) => key !== all[index]);
    const lost = differs < 0 ? keys.length : differs;
    return keys.every((key, index) => key === all[index < lost ? index : index + 1]) ? lost : -1;
  }
}
