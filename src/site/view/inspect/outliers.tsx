import type { JSX } from 'preact';
import type { InspectedBreaker, InspectedOutliers } from '../../../index.js';
import { count, plainSeconds, visible } from '../../number-format.js';
import { Bar, DataTable } from '../data-table.js';

/** What is used of the limits now; of routing priority HIGH only what is used at all. */
export function Breakers({ breakers }: { readonly breakers: readonly InspectedBreaker[] }): JSX.Element {
  const shown = breakers.filter(({ priority, used }) => priority === 'DEFAULT' || used > 0);
  return (
    <section>
      <h3>Circuit breakers</h3>
      <DataTable
        rows={shown}
        columns={[
          ['Limit', ({ priority, limit }) => `${priority === 'HIGH' ? 'HIGH ' : ''}${limit}`],
          ['In use', ({ used, max }) => <Bar part={max === 0 ? 1 : Math.min(1, used / max)}>{count(used)}</Bar>],
          [
            'Of',
            ({ used, max }) => (
              <>
                {max >= 4294967295 ? 'no limit' : count(max)}
                {used >= max && <strong class="bad"> ■ open</strong>}
              </>
            ),
          ],
        ]}
      />
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
        rows={ordered}
        most={LISTED}
        columns={[
          ['Host', ({ address }) => visible(address, 40)],
          ['5xx in a row', (host) => `${host.consecutive_5xx} of ${limits.consecutive_5xx}`],
          ['Gateway', (host) => `${host.consecutive_gateway_failure} of ${limits.consecutive_gateway_failure}`],
          local && [
            'Connect',
            (host) => `${host.consecutive_local_origin_failure} of ${limits.consecutive_local_origin_failure}`,
          ],
          ['Success', ({ success_rate: rate }) => (rate === null ? '–' : `${rate.toFixed(1)} %`)],
          [
            'Out until',
            ({ out_until_s: until, ejections }) =>
              until === null ? (
                `in${ejections > 0 ? `, was out ${ejections}×` : ''}`
              ) : (
                <strong class="bad">✕ {plainSeconds(Number(until.toFixed(3)))}</strong>
              ),
          ],
        ]}
      />
    </section>
  );
}

function trouble(host: InspectedOutliers['hosts'][number]): number {
  return (host.out_until_s === null ? 0 : 1e6) + host.consecutive_5xx + host.consecutive_local_origin_failure;
}
