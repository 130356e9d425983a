import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app } from '../app-state.js';
import type { ClusterPicture, RunPicture } from '../engine/picture.js';
import { HEALTH_NAMES } from '../engine/picture.js';
import { clusterOf, hostNames } from '../run-at-time.js';
import { seek } from '../player.js';
import { useStore } from '../store.js';
import { counted, plainSeconds, visible } from '../number-format.js';
import { LEFT, RIGHT, shownSpan, useCursor, useWidth } from './time-scale.js';

const LANE = 16;
const GAP = 3;
/** More lanes than this are left out; the split shows all hosts. */
const MOST = 14;

interface Stretch {
  readonly fromS: number;
  readonly toS: number;
  readonly name: string;
}

interface Lane {
  readonly label: string;
  readonly stretches: readonly Stretch[];
}

/** Health of hosts and panic of priorities over time, as the first proxy holds them. */
export function Lanes(): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const zoom = useStore(app, (state) => state.zoom);
  const box = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  useCursor(line, width);
  const lanes = useMemo(() => (cluster === undefined ? [] : lanesOf(cluster)), [cluster]);
  const shown = lanes.slice(0, MOST);
  const marks = useMemo(() => (run === undefined ? [] : marksOf(run)), [run]);
  const [from, to] = zoom ?? shownSpan();
  const inner = Math.max(0, width - LEFT - RIGHT);
  const x = (t: number): number =>
    LEFT + ((Math.min(Math.max(t, from), to) - from) / Math.max(to - from, 1e-9)) * inner;
  const height = (shown.length + 1) * (LANE + GAP) + GAP;
  const steady =
    cluster === undefined ? 0 : cluster.hosts.length - lanes.filter(({ label }) => !label.startsWith('P')).length;
  return (
    <figure class="lanes" aria-label="Health over time">
      <div class="over-time" ref={box}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Health of ${counted(shown.length, 'lane')} and ${counted(marks.length, 'event')} over time; the table below says the same`}
          onClick={(event) => {
            const left = event.currentTarget.getBoundingClientRect().left;
            if (inner > 0) seek(from + ((event.clientX - left - LEFT) / inner) * (to - from));
          }}
        >
          <defs>
            <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line x1="0" y1="0" x2="0" y2="5" class="hatch" />
            </pattern>
          </defs>
          <text x={LEFT - 6} y={GAP + 12} class="lane-label">
            events
          </text>
          {marks
            .filter(({ t }) => t >= from && t <= to)
            .map(({ t, title }) => (
              <path key={t} class="mark" d={`M${x(t)} ${GAP + 2}l4 6l-4 6l-4 -6z`}>
                <title>{title}</title>
              </path>
            ))}
          {shown.map(({ label, stretches }, index) => {
            const y = (index + 1) * (LANE + GAP) + GAP;
            return (
              <g key={label}>
                <text x={LEFT - 6} y={y + 12} class="lane-label">
                  {shortName(label)}
                  <title>{label}</title>
                </text>
                {stretches
                  .filter((one) => one.toS >= from && one.fromS <= to)
                  .map(({ fromS, toS, name }) => (
                    <g key={fromS}>
                      <rect
                        x={x(fromS)}
                        y={y}
                        width={Math.max(1, x(toS) - x(fromS))}
                        height={LANE}
                        class="stretch"
                        data-health={name}
                      >
                        <title>{`${label}: ${name}, ${plainSeconds(fromS)} to ${plainSeconds(toS)}`}</title>
                      </rect>
                      {name !== 'healthy' && name !== 'calm' && x(toS) - x(fromS) > 62 && (
                        <text x={x(fromS) + 5} y={y + 12} class="stretch-label">
                          {name}
                        </text>
                      )}
                    </g>
                  ))}
              </g>
            );
          })}
        </svg>
        <div class="cursor" ref={line} aria-hidden="true" />
      </div>
      <figcaption>
        {steady > 0 && `${counted(steady, 'host')} stay healthy all the time. `}
        {lanes.length > MOST && `${lanes.length - MOST} more lanes are in the table. `}
        <details class="as-table">
          <summary>As a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">Who</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">What</th>
              </tr>
            </thead>
            <tbody>
              {lanes.slice(0, 200).flatMap(({ label, stretches }) =>
                stretches.slice(0, 50).map(({ fromS, toS, name }) => (
                  <tr key={`${label} ${fromS}`}>
                    <th scope="row">{label}</th>
                    <td>{plainSeconds(fromS)}</td>
                    <td>{plainSeconds(toS)}</td>
                    <td>{name}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  );
}

/** Priorities that panic at some time, then hosts whose health changes. */
function lanesOf(cluster: ClusterPicture): readonly Lane[] {
  const { phases, hosts } = cluster;
  const levels = new Set(phases.flatMap(({ priorities }) => priorities.map(({ priority }) => priority)));
  const panics = [...levels].sort().map((priority) => ({
    label: `P${priority} panic`,
    stretches: stretchesOf(cluster, (place) =>
      phases[place]?.priorities.find((level) => level.priority === priority)?.panic === true ? 'panic' : 'calm',
    ),
  }));
  const names = hostNames(cluster);
  const health = hosts.map((_, host) => ({
    label: names[host] ?? '',
    stretches: stretchesOf(cluster, (place) => HEALTH_NAMES[phases[place]?.health[host] ?? 0] ?? 'absent'),
  }));
  return [
    ...panics.filter(({ stretches }) => stretches.some(({ name }) => name === 'panic')),
    ...health.filter(({ stretches }) => stretches.length > 1 || stretches[0]?.name !== 'healthy'),
  ];
}

/** Consecutive equal phases are one stretch. */
function stretchesOf({ phases }: ClusterPicture, nameOf: (place: number) => string): readonly Stretch[] {
  const stretches: { fromS: number; toS: number; name: string }[] = [];
  for (const [place, { fromS, toS }] of phases.entries()) {
    const name = nameOf(place);
    const last = stretches[stretches.length - 1];
    if (last?.name === name) last.toS = toS;
    else stretches.push({ fromS, toS, name });
  }
  return stretches;
}

/** More marks than this hide each other. */
const MARKS = 300;

function marksOf({ events }: RunPicture): readonly { readonly t: number; readonly title: string }[] {
  const marks = new Map<number, string[]>();
  for (const { t_s: t, text } of events) {
    const texts = marks.get(t);
    if (texts === undefined) marks.set(t, [visible(text)]);
    else texts.push(visible(text));
  }
  return [...marks]
    .slice(0, MARKS)
    .map(([t, texts]) => ({ t, title: `${plainSeconds(t)}: ${texts.slice(0, 6).join(', ')}` }));
}

/** A long address is shortened to its end, which distinguishes it. */
function shortName(label: string): string {
  return label.length <= 11 ? label : `…${label.slice(-10)}`;
}
