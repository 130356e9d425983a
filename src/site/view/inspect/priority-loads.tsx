import type { JSX } from 'preact';
import { type InspectedZone, type Inspection, localityName, localityParts } from '../../../index.js';
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
        <DataTable
          rows={zone.zones}
          columns={[
            ['Zone', ({ locality }) => localityName(locality, parts)],
            ['Its hosts', ({ hosts }) => percent(hosts)],
            ['Its proxies', ({ proxies }) => percent(proxies)],
            ['Of what leaves', ({ spare }) => percent(spare)],
          ]}
        />
      )}
    </section>
  );
}

/** The load of each priority, and panic, with the numbers that decide them. */
export function PriorityLoads({ state }: { readonly state: Inspection }): JSX.Element {
  const { priorities, panic_threshold: threshold, normalized_total: total } = state;
  return (
    <section>
      <h3>Priorities and panic</h3>
      {priorities.length === 0 && <p class="empty">Each subset has its own.</p>}
      {priorities.map((level) => {
        const counted = level.hosts - level.excluded;
        const cover = counted === 0 ? 0 : Math.min(100, Math.trunc((level.overprovisioning * level.healthy) / counted));
        const parts = localityParts(level.localities.map(({ locality }) => locality));
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
                  .map(({ locality, weight }) => `${localityName(locality, parts)} ${Number(weight.toPrecision(4))}`)
                  .join(', ')}
              </p>
            )}
          </div>
        );
      })}
    </section>
  );
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
