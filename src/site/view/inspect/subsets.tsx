import type { JSX } from 'preact';
import type { InspectedSubset } from '../../../index.js';
import type { SubsetPicture } from '../../engine/picture.js';
import { count, percent, visible } from '../../number-format.js';

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
      <table>
        <thead>
          <tr>
            <th scope="col">Now</th>
            <th scope="col">Hosts</th>
            <th scope="col">Healthy</th>
            <th scope="col">Panic</th>
          </tr>
        </thead>
        <tbody>
          {subsets.slice(0, LISTED).map(({ subset, hosts, healthy, panic, single_host: single }) => (
            <tr key={subset}>
              <th scope="row">{visible(subset, 60)}</th>
              <td>
                {hosts}
                {single && ' (the first takes all)'}
              </td>
              <td>{healthy}</td>
              <td>{panic ? <strong class="bad">▲ panic</strong> : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {subsets.length > LISTED && <p class="empty">and {subsets.length - LISTED} more</p>}
      {taken.length > 0 && (
        <table>
          <caption>What the requests of the whole run took</caption>
          <tbody>
            {taken.slice(0, LISTED).map(({ subset, requests, share }) => (
              <tr key={subset}>
                <th scope="row">{visible(subset, 80)}</th>
                <td>{count(requests)}</td>
                <td class="share">
                  <span class="bar" style={{ width: `${share * 100}%` }} />
                  <span class="figure">{percent(share)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
