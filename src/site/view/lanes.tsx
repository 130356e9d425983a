import { useMemo } from 'preact/hooks';
import { useApp, useCluster } from '../app-state.js';
import type { ClusterPicture, RunPicture } from '../engine/draw-picture.js';
import { seek } from '../player.js';
import { counted, plainSeconds } from '../number-format.js';
import { MARKS } from './generated/marks.js';
import { lanesOf, marksOf, type Stretch } from './lane-data.js';
import { LEFT, RIGHT, shownSpan, useOverTime } from './series.js';
import { DataTable } from './controls.js';

const LANE = 18;
const GAP = 3;
/** Height of what is true, below what is believed. */
const TRUTH = 4;
/** More lanes than this are left out; the split shows all hosts. */
const MOST = 14;

/** Events, panic of priorities, updates that wait and health of hosts over time, as the first proxy holds them. */
export function Lanes({ run }: Readonly<{ run: RunPicture | undefined }>) {
  const cluster = useCluster(run);
  const { zoom } = useApp('zoom');
  const { box, line, width } = useOverTime();
  const drawn = useMemo(() => run && cluster && laneDrawing(run, cluster), [run, cluster]);
  return (
    <figure class="lanes" aria-label="Health over time">
      <div class="over-time" ref={box}>
        {drawn && <LanesPicture drawn={drawn} span={zoom ?? shownSpan()} width={width} onSeek={seek} />}
        <div class="cursor" ref={line} aria-hidden="true" />
      </div>
      {drawn && <LanesCaption drawn={drawn} />}
    </figure>
  );
}

export function laneDrawing(run: RunPicture, cluster: ClusterPicture) {
  const lanes = lanesOf(cluster);
  // Hosts without a lane: they are healthy all the time.
  const steady = cluster.hosts.length - lanes.reduce((sum, { hosts }) => sum + hosts, 0);
  return { lanes, marks: marksOf(run, cluster.name), steady };
}

type LaneDrawing = ReturnType<typeof laneDrawing>;

function legendOf({ lanes, marks, steady }: LaneDrawing): string {
  const shapes = MARKS.events.filter((shape) => marks.some((mark) => mark.shape === shape));
  const more = lanes.length - MOST;
  return [
    shapes.length > 0 ? `${shapes.map(({ name: one, sign }) => `${sign} ${one}`).join('  ')}. ` : '',
    lanes.some(({ truth }) => truth.length > 0) ? 'Line below: what is true. ' : '',
    steady > 0 ? `${counted(steady, 'host')} ${steady === 1 ? 'stays' : 'stay'} healthy all the time. ` : '',
    more > 0 ? `${counted(more, 'more lane')} ${more === 1 ? 'is' : 'are'} in the table. ` : '',
  ].join('');
}

type Span = readonly [fromS: number, toS: number];
type PictureProps = Readonly<{ drawn: LaneDrawing; span: Span; width: number; onSeek?: (t: number) => void }>;

export function LanesPicture({ drawn: { lanes, marks }, span: [from, to], width, onSeek }: PictureProps) {
  const shown = lanes.slice(0, MOST);
  const inner = Math.max(0, width - LEFT - RIGHT);
  const x = (t: number): number =>
    LEFT + ((Math.min(Math.max(t, from), to) - from) / Math.max(to - from, 1e-9)) * inner;
  const height = (shown.length + 1) * (LANE + GAP) + GAP;
  const isShown = ({ fromS, toS }: Stretch): boolean => toS >= from && fromS <= to;
  const across = ({ fromS, toS }: Stretch): { readonly x: number; readonly width: number } => ({
    x: x(fromS),
    width: Math.max(1, x(toS) - x(fromS)),
  });
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Health of ${counted(shown.length, 'lane')} and ${counted(marks.length, 'event')} over time; the table says the same`}
      onClick={(event) => {
        const left = event.currentTarget.getBoundingClientRect().left;
        if (inner > 0) onSeek?.(from + ((event.clientX - left - LEFT) / inner) * (to - from));
      }}
    >
      <HatchPattern />
      <text x={LEFT - 6} y={GAP + 12} class="lane-label">
        events
      </text>
      {marks
        .filter(({ t }) => t >= from && t <= to)
        .map(({ t, title, shape }) => (
          <path key={t} class="mark" data-mark={shape.name} transform={`translate(${x(t)} ${GAP + 8})`} d={shape.path}>
            <title>{title}</title>
          </path>
        ))}
      {shown.map(({ label, short, stretches, truth }, index) => {
        const y = (index + 1) * (LANE + GAP) + GAP;
        // A long address is shortened to its end, which distinguishes it.
        return (
          <g key={label}>
            <text x={LEFT - 6} y={y + 12} class="lane-label">
              {short ?? (label.length <= 11 ? label : `…${label.slice(-10)}`)}
              <title>{label}</title>
            </text>
            {stretches.filter(isShown).map((one) => (
              <g key={one.fromS}>
                <rect {...across(one)} y={y} height={LANE} class="stretch" data-health={one.name}>
                  <title>{`${label}: ${one.says ?? one.name}, ${plainSeconds(one.fromS)} to ${plainSeconds(one.toS)}`}</title>
                </rect>
                {one.name !== 'healthy' && one.name !== 'calm' && across(one).width > 62 && (
                  <text x={x(one.fromS) + 5} y={y + 11} class="stretch-label">
                    {one.name}
                  </text>
                )}
              </g>
            ))}
            {truth.filter(isShown).map((one) => (
              <rect
                key={`truth ${one.fromS}`}
                {...across(one)}
                y={y + LANE - TRUTH}
                height={TRUTH}
                class="truth"
                data-is={one.name}
              >
                <title>{`${label} is ${one.name}, ${plainSeconds(one.fromS)} to ${plainSeconds(one.toS)}`}</title>
              </rect>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** The hatching of alarms, which other drawings on the page use, too. */
export const HatchPattern = () => (
  <defs>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line x1="0" y1="0" x2="0" y2="5" class="hatch" />
    </pattern>
  </defs>
);

export const LanesCaption = ({ drawn }: Readonly<{ drawn: LaneDrawing }>) => (
  <figcaption>
    <span class="stretch-says">{legendOf(drawn)}</span>
    <details class="as-table over">
      <summary>table</summary>
      <div>
        <DataTable
          rows={drawn.lanes
            .slice(0, 200)
            .flatMap(({ label, stretches, truth }) =>
              [...stretches, ...truth].slice(0, 50).map((stretch) => ({ label, ...stretch })),
            )}
          columns={[
            ['Who', ({ label }) => label],
            ['From', ({ fromS }) => plainSeconds(fromS)],
            ['To', ({ toS }) => plainSeconds(toS)],
            ['What', ({ name, says = name }) => says],
          ]}
        />
      </div>
    </details>
  </figcaption>
);
