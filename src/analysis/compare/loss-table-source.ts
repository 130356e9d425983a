import type { TableSource } from '../../hostset/table-cache.js';
import type { MaglevTableConfig } from '../../policy/maglev-table.js';
import { MaglevWithout } from '../../policy/maglev-without.js';
import type { WeightedHosts } from '../../policy/table-policy.js';

/** Tables for balancers that lose one host after the other, each time from the same full set, without a rebuild. */
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
    // It serves one balancer, so all tables have one configuration.
    return without === undefined || lost < 0 ? build() : (without.without(lost) as object as Table);
  }

  /** Which one host is missing; -1: not exactly one, or the others differ in weight. */
  private lostFrom({ keys, weights }: WeightedHosts): number {
    const { keys: all } = this.whole;
    if (keys.length !== all.length - 1 || !weights.every((weight) => weight === weights[0])) return -1;
    const differs = keys.findIndex((key, index) => key !== all[index]);
    const lost = differs < 0 ? keys.length : differs;
    return keys.every((key, index) => key === all[index < lost ? index : index + 1]) ? lost : -1;
  }
}
