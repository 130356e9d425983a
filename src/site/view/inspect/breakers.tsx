import type { JSX } from 'preact';
import type { InspectedBreaker } from '../../../index.js';
import { count } from '../../number-format.js';
import { BarCell, DataTable } from '../data-table.js';

/** What is used of the limits now; of routing priority HIGH only what is used at all. */
export function Breakers({ breakers }: { readonly breakers: readonly InspectedBreaker[] }): JSX.Element {
  const shown = breakers.filter(({ priority, used }) => priority === 'DEFAULT' || used > 0);
  return (
    <section>
      <h3>Circuit breakers</h3>
      <DataTable heads={['Limit', 'In use', 'Of']} rows={shown}>
        {({ priority, limit, used, max }) => (
          <tr key={`${priority} ${limit}`}>
            <th scope="row">
              {priority === 'HIGH' && 'HIGH '}
              {limit}
            </th>
            <BarCell part={max === 0 ? 1 : Math.min(1, used / max)}>{count(used)}</BarCell>
            <td>
              {max >= 4294967295 ? 'no limit' : count(max)}
              {used >= max && <strong class="bad"> ■ open</strong>}
            </td>
          </tr>
        )}
      </DataTable>
    </section>
  );
}
