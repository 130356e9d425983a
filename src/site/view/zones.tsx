import type { JSX } from 'preact';
import { localityName, localityParts } from '../../index.js';
import type { RunPicture } from '../engine/picture.js';
import { count, counted, percent, visible } from '../number-format.js';
import { useCluster } from '../app-state.js';

/** From which zone to which requests went, over the whole run. */
export function Zones({ run }: { readonly run: RunPicture | undefined }): JSX.Element {
  const fleet = useCluster(run)?.fleet;
  if (fleet === undefined) {
    return (
      <p class="empty">
        Nothing crosses zones here: proxies state a locality in their <code>node</code>, hosts theirs, and at least one
        of both is in several.
      </p>
    );
  }
  const { flows, cross_zone: crossZone } = fleet;
  const parts = localityParts([...fleet.from, ...fleet.to].flatMap(({ locality }) => locality ?? []));
  const nameOf = (locality: (typeof fleet.from)[number]['locality']): string =>
    locality === null ? 'no place' : localityName(locality, parts);
  const from = fleet.from.map(({ locality, proxies }) => ({ name: nameOf(locality), proxies }));
  const to = fleet.to.map(({ locality, hosts }) => ({ name: nameOf(locality), hosts }));
  const total = flows.flat().reduce((sum, requests) => sum + requests, 0);
  return (
    <>
      <p>{percent(crossZone.share)} of the attempts leave the zone of their proxy.</p>
      <table class="zones">
        <caption>From the zones of the proxies to those of the hosts; ⌂ stays in its zone</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {to.map(({ name, hosts }) => (
              <th scope="col" key={name}>
                to {visible(name, 30)}
                <br />
                {counted(hosts, 'host')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {from.map(({ name, proxies }, row) => (
            <tr key={name}>
              <th scope="row">
                {visible(name, 30)}
                <br />
                <span class="says">{counted(proxies, 'proxy', 'proxies')}</span>
              </th>
              {to.map((target, column) => {
                const requests = flows[row]?.[column] ?? 0;
                const share = total === 0 ? 0 : requests / total;
                return (
                  <td key={target.name} data-own={target.name === name} title={`${count(requests)} attempts`}>
                    <span class="heat" style={{ opacity: Math.min(0.5, share) }} />
                    <span class="figure">
                      {target.name === name && '⌂ '}
                      {percent(share)}
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
