import type { JSX } from 'preact';
import { type InspectedZone, localityName, localityParts } from '../../../index.js';
import { percent } from '../../number-format.js';
import { DataTable } from '../data-table.js';

/** Zone-aware routing as this proxy computed it. */
export function ZoneRouting({ zone }: { readonly zone: InspectedZone }): JSX.Element {
  const parts = localityParts(zone.zones.map(({ locality }) => locality));
  return (
    <section>
      <h3>Zone routing</h3>
      <p>{zone.why !== null ? `Off: ${zone.why}.` : `${percent(zone.stays ?? 0)} stay in the own zone, the first.`}</p>
      {zone.zones.length > 0 && (
        <DataTable heads={['Zone', 'Its hosts', 'Its proxies', 'Of what leaves']} rows={zone.zones}>
          {({ locality, hosts, proxies, spare }) => (
            <tr key={localityName(locality, parts)}>
              <th scope="row">{localityName(locality, parts)}</th>
              <td>{percent(hosts)}</td>
              <td>{percent(proxies)}</td>
              <td>{percent(spare)}</td>
            </tr>
          )}
        </DataTable>
      )}
    </section>
  );
}
