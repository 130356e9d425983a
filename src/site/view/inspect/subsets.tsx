import type { JSX } from 'preact';
import type { InspectedSubset } from '../../../index.js';
import type { SubsetPicture } from '../../engine/picture.js';
import { count, percent, visible } from '../../number-format.js';
import { BarCell, DataTable } from '../data-table.js';

/** More subsets than this are counted only. */
const LISTED = 100;

/** The subsets that exist now, and through which of them, or which fallback, the requests of the run went. */
export function Subsets({
  subsets,
  taken,
}: {
  readonly subsets: readonly InspectedSubset[];
  readonly taken: readonly SubsetPicture[];
}): JSX.Element {
  return (
    <section>
      <h3>Subsets</h3>
      <DataTable heads={['Now', 'Hosts', 'Healthy', 'Panic']} rows={subsets} most={LISTED}>
        {({ subset, hosts, healthy, panic, single_host: single }) => (
          <tr key={subset}>
            <th scope="row">{visible(subset, 60)}</th>
            <td>
              {hosts}
              {single && ' (the first takes all)'}
            </td>
            <td>{healthy}</td>
            <td>{panic ? <strong class="bad">▲ panic</strong> : 'no'}</td>
          </tr>
        )}
      </DataTable>
      {taken.length > 0 && (
        <DataTable caption="What the requests of the whole run took" rows={taken.slice(0, LISTED)}>
          {({ subset, requests, share }) => (
            <tr key={subset}>
              <th scope="row">{visible(subset, 80)}</th>
              <td>{count(requests)}</td>
              <BarCell part={share}>{percent(share)}</BarCell>
            </tr>
          )}
        </DataTable>
      )}
    </section>
  );
}
