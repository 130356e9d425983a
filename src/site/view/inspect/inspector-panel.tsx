import { useEffect, useState } from 'preact/hooks';
import { app, clock, useChosenHost, useRunCluster } from '../../app-state.js';
import { newest } from '../../newest.js';
import { count, messageOf, percent, plainSeconds, visible } from '../../number-format.js';
import * as session from '../../session.js';
import { Table } from './table.js';
import * as lbsim from '../../../index.js';
import type { InspectAnswer } from '../../engine/engine.js';
import { Bar, DataTable } from '../controls.js';

/** Between two questions while time goes on. */
const LEAST_MS = 200;

/** State of a cluster at the time shown: one question at a time, the next once it is answered if time has moved. */
function useInspection(cluster: string | undefined, hashKey: string | undefined): InspectAnswer | undefined {
  const [answer, setAnswer] = useState<InspectAnswer>();
  useEffect(() => {
    if (cluster === undefined) return undefined;
    let over = false;
    let asked: unknown[] = [];
    let timer: number | undefined;
    const ask = newest(async () => {
      timer = undefined;
      // A new run is of a new text.
      const now = [clock.now.t, app.now.run];
      if (over || now.every((value, index) => value === asked[index])) return;
      asked = now;
      const found = await session.reader
        .ask('inspect', { ...session.about(cluster), hashKey })
        .catch((error: unknown) => ({ problem: messageOf(error) }));
      if (!isOver()) setAnswer(found);
      later();
    });
    const isOver = (): boolean => over;
    const later = (): void => {
      timer ??= setTimeout(() => void ask(), LEAST_MS);
    };
    void ask();
    const leave = [clock.subscribe(later), app.subscribe(later)];
    return () => {
      over = true;
      clearTimeout(timer);
      for (const one of leave) one();
    };
  }, [cluster, hashKey]);
  return answer;
}

/** More subsets than this are counted only. */
const SUBSETS = 100;

type SubsetsProps = Readonly<{ state: lbsim.Inspection; taken: lbsim.ClusterResult['subsets'] }>;

function Subsets({ state: { subsets }, taken }: SubsetsProps) {
  if (subsets.length === 0) return null;
  return (
    <section>
      <h3>Subsets</h3>
      <DataTable
        rows={subsets}
        most={SUBSETS}
        columns={[
          ['Now', ({ subset }) => visible(subset, 60)],
          ['Hosts', ({ hosts, single_host: single }) => `${hosts}${single ? ' (the first takes all)' : ''}`],
          ['Healthy', ({ healthy }) => healthy],
          ['Panic', ({ panic }) => (panic ? <strong class="bad">▲ panic</strong> : 'no')],
        ]}
      />
      {taken.length > 0 && (
        <DataTable
          bare
          caption="What the requests of the whole run took"
          rows={taken.slice(0, SUBSETS)}
          columns={[
            ['Subset', ({ subset }) => visible(subset, 80)],
            ['Requests', ({ requests }) => count(requests)],
            ['Share', ({ share }) => <Bar part={share}>{percent(share)}</Bar>],
          ]}
        />
      )}
    </section>
  );
}

/** What the first worker of the first proxy holds at the time shown: each part that the cluster has. */
export function InspectorPanel() {
  const cluster = useRunCluster();
  const place = useChosenHost(cluster);
  const chosen = cluster?.hosts[place]?.address;
  const [key, setKey] = useState('');
  const state = useInspection(cluster?.name, key === '' ? undefined : key);
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  if (state === undefined) return <p class="empty">Running until the time shown …</p>;
  if ('problem' in state) return <p class="empty">{visible(state.problem, 500)}</p>;
  if (!state.present) return <p class="empty">The cluster has been removed by then.</p>;
  return (
    <div class="inspector">
      <p class="note">
        At {plainSeconds(Number(state.at_s.toFixed(3)))}, as worker {state.worker} of {visible(state.proxy, 40)} holds
        it.
      </p>
      {state.tables.length > 0 && (
        <Table tables={state.tables} found={state.key} chosen={chosen} keyTyped={key} onKey={setKey} />
      )}
      <PriorityLoads state={state} />
      {state.tables.length === 0 && <Queue state={state} chosen={chosen} />}
      {state.zone !== null && <ZoneRouting zone={state.zone} />}
      <Subsets state={state} taken={cluster.subsets} />
      <MergeWindow state={state} />
      <Outliers outliers={state.outliers} />
      <Breakers state={state} />
    </div>
  );
}

function ZoneRouting({ zone }: Readonly<{ zone: lbsim.InspectedZone }>) {
  const parts = lbsim.localityParts(zone.zones.map(({ locality }) => locality));
  return (
    <section>
      <h3>Zone routing</h3>
      <p>{zone.why !== null ? `Off: ${zone.why}.` : `${percent(zone.stays ?? 0)} stay in the own zone, the first.`}</p>
      {zone.zones.length > 0 && (
        <DataTable
          rows={zone.zones}
          columns={[
            ['Zone', ({ locality }) => lbsim.localityName(locality, parts)],
            ['Its hosts', ({ hosts }) => percent(hosts)],
            ['Its proxies', ({ proxies }) => percent(proxies)],
            ['Of what leaves', ({ spare }) => percent(spare)],
          ]}
        />
      )}
    </section>
  );
}

function PriorityLoads({ state }: Readonly<{ state: lbsim.Inspection }>) {
  const { priorities, panic_threshold: threshold, normalized_total: total } = state;
  return (
    <section>
      <h3>Priorities and panic</h3>
      {priorities.length === 0 && <p class="empty">Each subset has its own.</p>}
      {priorities.map((level) => {
        const counted = level.hosts - level.excluded;
        const cover = counted === 0 ? 0 : Math.min(100, Math.trunc((level.overprovisioning * level.healthy) / counted));
        const parts = lbsim.localityParts(level.localities.map(({ locality }) => locality));
        return (
          <div class="fact" key={level.priority} data-bad={level.panic}>
            <p>
              <strong>priority {level.priority}</strong> gets {level.healthy_load + level.degraded_load} %
              {level.degraded_load > 0 && ` (${level.degraded_load} % to degraded hosts)`}
              {level.panic && <strong class="bad"> ▲ panic</strong>}
            </p>
            <meter
              min={0}
              max={100}
              value={level.available}
              low={threshold}
              optimum={100}
              aria-label={`priority ${level.priority}: available hosts`}
            >
              {round(level.available)} %
            </meter>
            <p class="sum">
              {level.healthy} of {counted} healthy × {level.overprovisioning / 100} covers {cover} %;{' '}
              {level.healthy + level.degraded} available = {round(level.available)} %{' '}
              {level.available < threshold ? '<' : '≥'} threshold {threshold} %
              {level.available < threshold && !level.panic && `, but all priorities together reach ${total} %`}
              {level.excluded > 0 && `; ${level.excluded} not counted`}
            </p>
            {level.localities.length > 0 && (
              <p class="sum">
                locality weights:{' '}
                {level.localities
                  .map(
                    ({ locality, weight }) => `${lbsim.localityName(locality, parts)} ${Number(weight.toPrecision(4))}`,
                  )
                  .join(', ')}
              </p>
            )}
          </div>
        );
      })}
    </section>
  );
}

const round = (value: number): number => Number(value.toFixed(1));

/** Updates that the proxy knows of and its balancers do not yet. */
function MergeWindow({ state: { at_s: nowS, merge_window: merge } }: Readonly<{ state: lbsim.Inspection }>) {
  const { window_s: windowS, waiting } = merge;
  return (
    <section>
      <h3>Merge window</h3>
      {waiting.length === 0 && (
        <p class="empty">
          {windowS === 0 ? 'It is 0: nothing waits.' : `No update waits; the window is ${plainSeconds(windowS)}.`}
        </p>
      )}
      {waiting.map(({ priority, due_s: dueS, causes }) => (
        <div class="fact" key={priority} data-bad="true">
          <p>
            priority {priority}: balancers hear in {plainSeconds(Number((dueS - nowS).toFixed(3)))}, at{' '}
            {plainSeconds(dueS)}
          </p>
          <meter
            min={0}
            max={windowS}
            value={windowS - (dueS - nowS)}
            aria-label={`priority ${priority}: part of the window that is over`}
          />
          <ul>
            {causes.map((cause) => (
              <li key={cause}>{visible(cause, 200)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** More hosts than this are counted only. */
const QUEUED = 12;
/** More lists than this are counted only: subsets and localities have one each. */
const LISTS = 8;

/** Whose turn it is: the queue of the earliest deadline, or the rotation. */
function Queue({ state, chosen }: Readonly<{ state: lbsim.Inspection; chosen: string | undefined }>) {
  const { lists, policy } = state;
  const parts = lbsim.localityParts(lists.flatMap(({ locality }) => locality ?? []));
  return (
    <section>
      <h3>Whose turn it is</h3>
      {lists.length === 0 && <p class="empty">Nobody’s: {policy} draws hosts, or looks at their load.</p>}
      {lists.slice(0, LISTS).map((list, index) => {
        const { subset, priority, health, locality, kind, queue } = list;
        const last = queue[Math.min(queue.length, QUEUED) - 1]?.due ?? 1;
        return (
          <div class="fact" key={index}>
            <p>
              {subset !== null && `${visible(subset, 40)}, `}priority {priority}, {health === 'any' ? 'all' : health}{' '}
              hosts
              {locality !== null && ` of ${lbsim.localityName(locality, parts)}`}:{' '}
              {kind === 'schedule' ? 'earliest deadline first' : 'one after the other'}
            </p>
            <ol class="queue">
              {queue.slice(0, QUEUED).map(({ address, weight, active, due }) => (
                <li key={address} data-chosen={address === chosen}>
                  <span class="bar" style={{ width: `${last <= 0 ? 0 : (Math.max(0, due) / last) * 100}%` }} />
                  <span class="figure">
                    {visible(address, 40)}
                    {kind === 'schedule' &&
                      ` weight ${weight}${active > 0 ? `, ${active} active` : ''}, due in ${Number(due.toPrecision(3))}`}
                  </span>
                </li>
              ))}
            </ol>
            {queue.length > QUEUED && <p class="empty">and {queue.length - QUEUED} more</p>}
          </div>
        );
      })}
      {lists.length > LISTS && <p class="empty">and {lists.length - LISTS} more lists</p>}
    </section>
  );
}

/** What is used of the limits now; of routing priority HIGH only what is used at all. */
function Breakers({ state }: Readonly<{ state: lbsim.Inspection }>) {
  const shown = state.breakers.filter(({ priority, used }) => priority === 'DEFAULT' || used > 0);
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
const OUTLIERS = 30;

function Outliers({ outliers }: Readonly<{ outliers: lbsim.InspectedOutliers | null }>) {
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
        most={OUTLIERS}
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

const trouble = (host: lbsim.InspectedOutliers['hosts'][number]): number =>
  (host.out_until_s === null ? 0 : 1e6) + host.consecutive_5xx + host.consecutive_local_origin_failure;
