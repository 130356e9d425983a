import type { JSX } from 'preact';
import type { InspectedBreaker, InspectedOutliers } from '../../../index.js';
import { count, plainSeconds, visible } from '../../number-format.js';
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

/** More hosts than this are counted only; those with errors come first. */
const LISTED = 30;

/** What outlier detection counts of each host. */
export function Outliers({ outliers }: { readonly outliers: InspectedOutliers | null }): JSX.Element | null {
  if (outliers === null) return null;
  const { limits, interval_s: intervalS, ejected, may_be_out: mayBeOut, success_rate: rate, hosts } = outliers;
  const ordered = hosts.toSorted((a, b) => trouble(b) - trouble(a));
  const local = hosts.some((host) => host.consecutive_local_origin_failure > 0);
  return (
    <section>
      <h3>Outlier detection</h3>
      <p>
        {ejected} out, at most {mayBeOut} at once; looked at every {plainSeconds(intervalS)}
        {rate !== null && `; success rate ${rate.mean.toFixed(1)} %, threshold ${rate.threshold.toFixed(1)} %`}.
      </p>
      <DataTable
        heads={['Host', '5xx in a row', 'Gateway', local && 'Connect', 'Success', 'Out until']}
        rows={ordered}
        most={LISTED}
      >
        {(host) => (
          <tr key={host.address}>
            <th scope="row">{visible(host.address, 40)}</th>
            <td>
              {host.consecutive_5xx} of {limits.consecutive_5xx}
            </td>
            <td>
              {host.consecutive_gateway_failure} of {limits.consecutive_gateway_failure}
            </td>
            {local && (
              <td>
                {host.consecutive_local_origin_failure} of {limits.consecutive_local_origin_failure}
              </td>
            )}
            <td>{host.success_rate === null ? '–' : `${host.success_rate.toFixed(1)} %`}</td>
            <td>
              {host.out_until_s === null ? (
                `in${host.ejections > 0 ? `, was out ${host.ejections}×` : ''}`
              ) : (
                <strong class="bad">✕ {plainSeconds(Number(host.out_until_s.toFixed(3)))}</strong>
              )}
            </td>
          </tr>
        )}
      </DataTable>
    </section>
  );
}

function trouble(host: InspectedOutliers['hosts'][number]): number {
  return (host.out_until_s === null ? 0 : 1e6) + host.consecutive_5xx + host.consecutive_local_origin_failure;
}
