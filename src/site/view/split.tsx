import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { largest } from '../../core/lists.js';
import { app, clock, useStore } from '../app-state.js';
import type { ClusterPicture, HostPicture, PhasePicture } from '../engine/picture.js';
import { clusterOf, groupsOf, hostNames, phaseAt, sumOf } from '../run-at-time.js';
import { count, counted, percent, plainSeconds, visible } from '../number-format.js';
import { BarCell, DataTable, Health } from './data-table.js';

/** More hosts than this are summed by priority and locality, and opened on demand. */
const LISTED = 60;
/** Rows of an opened group. */
const OPENED = 200;

interface Row extends Pick<HostPicture, 'share' | 'predicted' | 'health' | 'weight'> {
  readonly host: number;
}

/** The shares: in the phase of the time shown, or over the whole run. */
export function Split(): JSX.Element {
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const place = useStore(clock, ({ t }) => (cluster === undefined ? -1 : phaseAt(cluster, t)));
  const [whole, setWhole] = useState(false);
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const phase = whole ? undefined : cluster.phases[place];
  if (cluster.members.length > 0) return <Members cluster={cluster} />;
  const rows = phase === undefined ? rowsOfRun(cluster) : rowsOfPhase(phase);
  const noHost = phase?.noHost ?? cluster.noHost;
  const present = rows.filter(({ health }) => health !== 0);
  return (
    <>
      <div class="split-head">
        <p>
          {phase === undefined ? 'The whole run' : `${plainSeconds(phase.fromS)} to ${plainSeconds(phase.toS)}`}:{' '}
          {count(phase?.requests ?? cluster.requests)} attempts, {cluster.policy}
        </p>
        <label>
          <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} /> whole
          run
        </label>
      </div>
      {present.length > LISTED ? (
        <Groups cluster={cluster} rows={rows} />
      ) : (
        <HostTable cluster={cluster} rows={present} />
      )}
      {noHost > 0 && <p class="bad">✕ {percent(noHost)} of attempts found no host.</p>}
    </>
  );
}

function HostTable({
  cluster,
  rows,
}: {
  readonly cluster: ClusterPicture;
  readonly rows: readonly Row[];
}): JSX.Element {
  const longest = largest(
    rows.map(({ share }) => share),
    0,
  );
  const priorities = new Set(cluster.hosts.map(({ priority }) => priority)).size > 1;
  const places = priorities || new Set(cluster.hosts.map(({ zone }) => zone)).size > 1;
  const names = hostNames(cluster);
  const weights = new Set(rows.map(({ weight }) => weight)).size > 1;
  const predicted = rows.some((row) => !Number.isNaN(row.predicted));
  const chosen = useStore(app, (state) => state.host);
  return (
    <DataTable
      class="split"
      caption={<caption class="hidden">Share of each host</caption>}
      heads={[
        'Host',
        places && (priorities ? 'Priority, zone' : 'Zone'),
        weights && 'Weight',
        'Health',
        'Share',
        predicted && 'Predicted',
      ]}
      rows={rows}
    >
      {(row) => {
        const host = cluster.hosts[row.host];
        if (host === undefined) return null;
        return (
          <tr key={row.host} data-chosen={chosen === row.host}>
            <th scope="row">
              <button
                type="button"
                class="plain"
                aria-pressed={chosen === row.host}
                onClick={() => app.set({ host: chosen === row.host ? undefined : row.host })}
              >
                {names[row.host]}
              </button>
            </th>
            {places && (
              <td class="zone">
                {priorities && `P${host.priority} `}
                {visible(host.zone, 30)}
              </td>
            )}
            {weights && <td>{row.weight}</td>}
            <td>
              <Health code={row.health} />
            </td>
            <BarCell part={longest === 0 ? 0 : row.share / longest}>{percent(row.share)}</BarCell>
            {predicted && <td class="number">{percent(row.predicted)}</td>}
          </tr>
        );
      }}
    </DataTable>
  );
}

function Groups({ cluster, rows }: { readonly cluster: ClusterPicture; readonly rows: readonly Row[] }): JSX.Element {
  const [open, setOpen] = useState<string>();
  const shares = Float32Array.from(rows, ({ share }) => share);
  const groups = groupsOf(cluster).map((group) => ({ ...group, share: sumOf(shares, group.hosts) }));
  const longest = largest(
    groups.map(({ share }) => share),
    0,
  );
  return (
    <ul class="groups">
      {groups.map(({ priority, zone, hosts, share }) => {
        const key = `${priority} ${zone}`;
        const members = hosts.flatMap((host) => rows[host] ?? []).filter(({ health }) => health !== 0);
        const healthy = members.filter(({ health }) => health === 1).length;
        return (
          <li key={key}>
            <button type="button" aria-expanded={open === key} onClick={() => setOpen(open === key ? undefined : key)}>
              <span>
                priority {priority}, zone {visible(zone, 40)}: {counted(members.length, 'host')}, {count(healthy)}{' '}
                healthy
              </span>
              <span class="share">
                <span class="bar" style={{ width: `${longest === 0 ? 0 : (share / longest) * 100}%` }} />
                <span class="figure">{percent(share)}</span>
              </span>
            </button>
            {open === key && (
              <HostTable cluster={cluster} rows={members.toSorted((a, b) => b.share - a.share).slice(0, OPENED)} />
            )}
            {open === key && members.length > OPENED && <p class="empty">The busiest {OPENED} of them.</p>}
          </li>
        );
      })}
    </ul>
  );
}

function Members({ cluster }: { readonly cluster: ClusterPicture }): JSX.Element {
  return (
    <DataTable
      class="split"
      caption={`${visible(cluster.name)} passes on to`}
      heads={['Cluster', 'Share']}
      rows={cluster.members}
    >
      {({ cluster: member, share }) => (
        <tr key={member}>
          <th scope="row">{visible(member)}</th>
          <BarCell part={share}>{percent(share)}</BarCell>
        </tr>
      )}
    </DataTable>
  );
}

function rowsOfRun({ hosts }: ClusterPicture): readonly Row[] {
  return hosts.map(({ share, predicted, health, weight }, host) => ({ host, share, predicted, health, weight }));
}

function rowsOfPhase({ shares, predicted, health, weights }: PhasePicture): readonly Row[] {
  return Array.from(shares, (share, host) => ({
    host,
    share,
    predicted: predicted[host] ?? NaN,
    health: health[host] ?? 0,
    weight: weights[host] ?? 0,
  }));
}
