import type { JSX } from 'preact';
import type { InspectedBreaker } from '../../../index.js';
import { count } from '../../number-format.js';

/** What is used of the limits now; of routing priority HIGH only what is used at all. */
export function Breakers({ breakers }: { readonly breakers: readonly InspectedBreaker[] }): JSX.Element {
  const shown = breakers.filter(({ priority, used }) => priority === 'DEFAULT' || used > 0);
  return (
    <section>
      <h3>Circuit breakers</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">In use</th>
            <th scope="col">Of</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ priority, limit, used, max }) => (
            <tr key={`${priority} ${limit}`}>
              <th scope="row">
                {priority === 'HIGH' && 'HIGH '}
                {limit}
              </th>
              <td class="share">
                <span class="bar" style={{ width: `${max === 0 ? 100 : Math.min(100, (used / max) * 100)}%` }} />
                <span class="figure">{count(used)}</span>
              </td>
              <td>
                {max >= 4294967295 ? 'no limit' : count(max)}
                {used >= max && <strong class="bad"> ■ open</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
