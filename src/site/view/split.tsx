import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chooseHost, useChosenHost, useInstant, useRunCluster } from '../app-state.js';
import type { ClusterPicture, PhasePicture } from '../engine/draw-picture.js';
import { truthOf } from '../engine/picture.js';
import { groupsOf, hostNames, OVERLOAD, sumOf } from '../instant.js';
import { count, counted, percent, span, visible } from '../number-format.js';
import { Bar, DataTable, Health } from './controls.js';

/** More hosts than this are summed by priority and locality, and opened on demand. */
const LISTED = 60;
/** Rows of an opened group. */
const OPENED = 200;

type Row = ReturnType<typeof rowsOf>[number];

const longestOf = (rows: readonly Pick<Row, 'share'>[]): number =>
  rows.reduce((most, { share }) => Math.max(most, share), 0);

export function Split() {
  const cluster = useRunCluster();
  const instant = useInstant(cluster);
  const [whole, setWhole] = useState(false);
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const phase = whole ? undefined : instant?.phase;
  if (cluster.members.length > 0) return <Members cluster={cluster} />;
  const rows = rowsOf(cluster, phase);
  const noHost = phase?.noHost ?? cluster.noHost;
  const present = rows.filter(({ health }) => health !== 0);
  return (
    <>
      <div class="split-head">
        <p>
          {phase === undefined ? 'The whole run' : span(phase)}: {count(phase?.requests ?? cluster.requests)} attempts,{' '}
          {cluster.policy}
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

function HostTable({ cluster, rows }: Readonly<{ cluster: ClusterPicture; rows: readonly Row[] }>) {
  const longest = longestOf(rows);
  const priorities = new Set(cluster.hosts.map(({ priority }) => priority)).size > 1;
  const places = priorities || new Set(cluster.hosts.map(({ zone }) => zone)).size > 1;
  const names = hostNames(cluster);
  const weights = new Set(rows.map(({ weight }) => weight)).size > 1;
  const predicted = rows.some((row) => !Number.isNaN(row.predicted));
  const areLoaded = rows.some(({ load }) => !Number.isNaN(load));
  const chosen = useChosenHost(cluster);
  const nameOf = ({ host }: Row): JSX.Element => (
    <button
      class="plain"
      aria-pressed={chosen === host}
      onClick={() => chooseHost(chosen === host ? undefined : cluster.hosts[host])}
    >
      {names[host]}
    </button>
  );
  const placeOf = ({ host }: Row): string => {
    const { priority = 0, zone = '' } = cluster.hosts[host] ?? {};
    return `${priorities ? `P${priority} ` : ''}${visible(zone, 30)}`;
  };
  const healthOf = ({ health, is }: Row): JSX.Element => (
    <>
      <Health code={health} />
      {is !== 'alive' && is !== 'back' && health !== 0 && (
        <span class="is" data-is={is}>
          is {is}
        </span>
      )}
    </>
  );
  return (
    <DataTable
      class="split"
      caption={<caption class="hidden">Share of each host</caption>}
      rows={rows}
      isChosen={({ host }) => chosen === host}
      columns={[
        ['Host', nameOf],
        places && [priorities ? 'Priority, zone' : 'Zone', placeOf, 'zone'],
        weights && ['Weight', ({ weight }) => weight],
        ['Health', healthOf],
        ['Share', ({ share }) => <Bar part={longest === 0 ? 0 : share / longest}>{percent(share)}</Bar>],
        areLoaded && [
          'Load',
          ({ load }) => <span class={load > OVERLOAD ? 'warn' : undefined}>{percent(load, 0)}</span>,
          'number',
        ],
        predicted && ['Predicted', (row) => percent(row.predicted), 'number'],
      ]}
    />
  );
}

function Groups({ cluster, rows }: Readonly<{ cluster: ClusterPicture; rows: readonly Row[] }>) {
  const [open, setOpen] = useState<string>();
  const shares = Float32Array.from(rows, ({ share }) => share);
  const groups = groupsOf(cluster).map((group) => ({ ...group, share: sumOf(shares, group.hosts) }));
  const longest = longestOf(groups);
  return (
    <ul class="groups">
      {groups.map(({ priority, zone, hosts, share }) => {
        const key = `${priority} ${zone}`;
        const members = hosts.flatMap((host) => rows[host] ?? []).filter(({ health }) => health !== 0);
        const healthy = members.filter(({ health }) => health === 1).length;
        return (
          <li key={key}>
            <button aria-expanded={open === key} onClick={() => setOpen(open === key ? undefined : key)}>
              <span>
                priority {priority}, zone {visible(zone, 40)}: {counted(members.length, 'host')}, {count(healthy)}{' '}
                healthy
              </span>
              <Bar part={longest === 0 ? 0 : share / longest}>{percent(share)}</Bar>
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

const Members = ({ cluster }: Readonly<{ cluster: ClusterPicture }>) => (
  <DataTable
    class="split"
    caption={`${visible(cluster.name)} passes on to`}
    rows={cluster.members}
    columns={[
      ['Cluster', ({ cluster: member }) => visible(member)],
      ['Share', ({ share }) => <Bar part={share}>{percent(share)}</Bar>],
    ]}
  />
);

/** @param phase undefined: the whole run. An instant within it, which the picture shows, has too few requests. */
function rowsOf({ hosts, phases }: ClusterPicture, phase: PhasePicture | undefined) {
  return hosts.map((own, host) => ({
    host,
    share: phase?.shares[host] ?? own.share,
    predicted: phase?.predicted[host] ?? own.predicted,
    health: phase?.health[host] ?? own.health,
    weight: phase?.weights[host] ?? own.weight,
    /** How it fares in truth; NaN: its load is not known. */
    is: truthOf(phase ?? phases[phases.length - 1], host),
    load: phase?.load[host] ?? NaN,
  }));
}
