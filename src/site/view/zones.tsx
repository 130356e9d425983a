import type { JSX } from 'preact';
import type { RunPicture } from '../engine/picture.js';
import { count, counted, percent, visible } from '../number-format.js';
import { useCluster } from '../app-state.js';

/** From which zone to which requests went, over the whole run. */
export function Zones({ run }: { readonly run: RunPicture | undefined }): JSX.Element {
  const zones = useCluster(run)?.zones;
  if (zones === undefined) {
    return (
      <p class="empty">
        Nothing crosses zones here: proxies state a locality in their <code>node</code>, hosts theirs, and at least one
        of both is in several.
      </p>
    );
  }
  const { from, to, flows, crossZone } = zones;
  const total = flows.flat().reduce((sum, requests) => sum + requests, 0);
  return (
    <>
      <p>{percent(crossZone)} of the attempts leave the zone of their proxy.</p>
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
