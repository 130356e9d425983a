import { app, clock, useApp, useRunCluster, useStore } from '../app-state.js';
import { phaseAt } from '../instant.js';
import { count, counted, percent, plainSeconds, span, visible } from '../number-format.js';
import { type Column, DataTable, Paragraphs } from './controls.js';
import { seek } from '../player.js';
import { localityName, localityParts } from '../../index.js';

/** More events are only counted: a longer list is of no use and slow. */
const LISTED = 400;

export function EventList() {
  const { run } = useApp('run');
  const past = useStore(clock, ({ t }) => run?.events.findLastIndex(({ t_s: at }) => at <= t + 1e-9) ?? -1);
  if (run === undefined || run.events.length === 0) return <p class="empty">Nothing happens but requests.</p>;
  const left = run.events.length - LISTED + run.eventsOmitted;
  return (
    <>
      <ol class="events">
        {run.events.slice(0, LISTED).map((event, index) => (
          <li key={index} data-past={index <= past} aria-current={index === past ? 'step' : undefined}>
            <button onClick={() => seek(event.t_s)}>
              <span class="at">{plainSeconds(Number(event.t_s.toFixed(3)))}</span>
              <span class="kind" data-kind={event.kind}>
                {event.kind.replaceAll('_', ' ')}
              </span>
              <span class="text">
                {visible(event.text)}
                {event.times !== undefined && ` (${event.times} times)`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="empty">and {left} more; the report as JSON has them.</p>}
    </>
  );
}

export function Reasons() {
  const cluster = useRunCluster();
  const { notes, noun } = useStore(app, (state) => state.run) ?? {};
  const place = useStore(clock, ({ t }) => (cluster === undefined ? -1 : phaseAt(cluster, t)));
  const phase = cluster?.phases[place];
  if (phase === undefined) return <p class="empty">No run yet.</p>;
  return (
    <>
      <h3>{span(phase)}</h3>
      <p>
        {visible(phase.cause, 400)}
        {phase.labels.length > 0 && `: ${phase.labels.map((label) => visible(label)).join(', ')}`}.{' '}
        {count(phase.requests)} attempts{phase.failed > 0 && `, ${count(phase.failed)} ${noun} failed`}.
      </p>
      <Paragraphs of={phase.reasons} />
      {phase.priorities.length > 0 && (
        <DataTable
          caption="Priorities, as the first proxy holds them"
          rows={phase.priorities}
          columns={[
            ['Priority', ({ priority }) => priority],
            [
              'Healthy',
              ({ healthy, degraded, total }) =>
                `${healthy} of ${total}${degraded > 0 ? ` (${degraded} degraded)` : ''}${
                  total > 0 ? ` = ${percent(healthy / total, 0)}` : ''
                }`,
            ],
            [
              'Load',
              ({ healthy_load: load, degraded_load: rest }) => `${load} %${rest > 0 ? ` + ${rest} % degraded` : ''}`,
            ],
            ['Panic', ({ panic }) => (panic ? '▲ in panic' : 'no')],
          ]}
        />
      )}
      {notes !== undefined && notes.length > 0 && (
        <>
          <h3>Notes</h3>
          <Paragraphs of={notes} most={2000} class="note" />
        </>
      )}
    </>
  );
}

export function Zones() {
  const fleet = useRunCluster()?.fleet;
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
      <DataTable
        class="zones"
        caption="From the zones of the proxies to those of the hosts; ⌂ stays in its zone"
        rows={from.map((zone, row) => ({ ...zone, sent: flows[row] ?? [] }))}
        columns={[
          ['From', ({ name, proxies }) => placed(visible(name, 30), counted(proxies, 'proxy', 'proxies'))],
          ...to.map((target, column): Column<{ name: string; proxies: number; sent: readonly number[] }> => [
            placed(`to ${visible(target.name, 30)}`, counted(target.hosts, 'host')),
            ({ name, sent }) => {
              const share = total === 0 ? 0 : (sent[column] ?? 0) / total;
              return (
                <div class="flows" title={`${count(sent[column] ?? 0)} attempts`}>
                  <span class="heat" style={{ opacity: Math.min(0.5, share) }} />
                  <span class="figure">
                    {target.name === name && '⌂ '}
                    {percent(share)}
                  </span>
                </div>
              );
            },
          ]),
        ]}
      />
    </>
  );
}

const placed = (name: string, says: string) => (
  <>
    {name}
    <br />
    <span class="says">{says}</span>
  </>
);
