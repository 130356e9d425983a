import { mod } from '../../core/u64.js';
import { FREE_SLOT, fillMaglev } from '../../hash/kernel/maglev-kernel.js';
import { maglev } from '../../policy/maglev.js';
import { residuesOf } from '../../predict/balancer.js';
import type { Losses } from './losses.js';
import type { Unit } from './loss-units.js';

/**
 * Whether losses may overload a host. A Maglev table of requests with keys is filled only until no host can get too much any more,
 * whoever takes the keys whose slots are still free: most losses are told before it is full.
 *
 * @returns true: it does, or takes more than such a table to tell.
 */
export function overloadCheck(losses: Losses): (units: readonly Unit[]) => boolean {
  const { isLogical, capacities, perSecond, rest, gone } = losses;
  /** Tables that overload nobody: hosts of other priorities may be lost beside them. */
  const known = new Set<string>();
  return (units) => {
    losses.apply(units);
    const [asked, ...others] = rest.asked(gone);
    const keys = asked?.parts[0]?.keys();
    if (asked === undefined || keys === undefined || others.length > 0 || isLogical) return true;
    const { config, tables, slices } = asked.balancer;
    const [table, ...further] = tables.filter((_, priority) => residuesOf(slices, priority).includes(1));
    const isWhole = further.length === 0 && !asked.isChain && !asked.singleHost && asked.threshold === undefined;
    if (config.lbPolicy !== 'MAGLEV' || table === undefined || table.rows.length === 0 || !isWhole) return true;
    const { rows, weighted } = table;
    const name = rows.join();
    if (known.has(name)) return false;
    const { tableSize, sortByKey } = maglev.configOf(config, config.version);
    const { pairs } = keys.hashes;
    const slotOf = (key: number): number => mod(pairs[2 * key + 1] as number, pairs[2 * key] as number, tableSize);
    const keySlots = Uint32Array.from(keys.portions, (_, key) => slotOf(key));
    const isWithin = (slots: Uint32Array): boolean => {
      const shares = new Float64Array(capacities.length);
      let open = 0;
      keys.portions.forEach((part, key) => {
        const host = slots[keySlots[key] as number] as number;
        if (host === FREE_SLOT) open += part;
        else shares[rows[host] as number] = (shares[rows[host] as number] as number) + part;
      });
      return rows.every((row) => ((shares[row] as number) + open) * perSecond <= (capacities[row] as number));
    };
    if (!fillMaglev({ ...weighted, sortByKey }, tableSize, isWithin, isWithin)) return true;
    known.add(name);
    return false;
  };
}
