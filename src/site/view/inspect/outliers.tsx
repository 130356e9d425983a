import type { JSX } from 'preact';
import type { InspectedOutliers } from '../../../index.js';
import { plainSeconds, visible } from '../../number-format.js';
import { DataTable } from '../data-table.js';

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
