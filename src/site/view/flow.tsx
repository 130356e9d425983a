import type { JSX, SVGAttributes } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, useChosenHost, useCluster, usePhase, useStore } from '../app-state.js';
import { HEALTH_NAMES, type PhasePicture, type RunPicture } from '../engine/picture.js';
import { hostNames } from '../run-at-time.js';
import { percent, plainSeconds, visible } from '../number-format.js';
import {
  cellAt,
  type FlowBand,
  type FlowField,
  type FlowHost,
  type FlowLayout,
  type FlowNode,
  hostAt,
  layoutFlow,
  NODE_HEIGHT,
} from './flow-layout.js';
import { dragOf } from './host-drag.js';
import { useWidth } from './series.js';

/** Opacity of a cell by its part of the largest share. */
const LEVELS = [0, 0.05, 0.35, 0.65, 0.9];

/** What is drawn in a layout. */
interface Drawn {
  readonly phase: PhasePicture;
  readonly names: readonly string[];
  readonly chosen?: number | undefined;
  /** What a click does; without it the picture is only looked at. */
  readonly onChoose?: ((host: number) => void) | undefined;
  /** What dragging a host does. */
  readonly onWeight?: ((host: number, weight: number) => void) | undefined;
}

/** Many hosts: each is a cell, darker the more it gets, crossed out where it is unhealthy. */
function Field({ field, drawn }: { readonly field: FlowField; readonly drawn: Drawn }): JSX.Element {
  const { phase, names, chosen, onChoose, onWeight } = drawn;
  const { health, shares } = phase;
  const { hosts, columns, cell } = field;
  const most = hosts.reduce((top, host) => Math.max(top, shares[host] ?? 0), 0);
  const cells = hosts.map((host, index) => ({
    ...cellAt(field, index),
    part: most === 0 ? 0 : (shares[host] ?? 0) / most,
    bad: health[host] === 3,
  }));
  const side = cell - (cell > 4 ? 2 : 1);
  const square = ({ x, y }: { readonly x: number; readonly y: number }): string =>
    `M${x} ${y}h${side}v${side}h-${side}z`;
  const cross = Math.max(2, side - 2);
  const place = chosen === undefined ? -1 : hosts.indexOf(chosen);
  const mark = cellAt(field, Math.max(0, place));
  const end = cellAt(field, hosts.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Enter: 0, ' ': 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = hosts[place < 0 ? 0 : Math.min(hosts.length - 1, Math.max(0, place + step))];
    if (next !== undefined) onChoose?.(next);
  };
  const under = (event: MouseEvent & { readonly currentTarget: SVGGElement }): number | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    return hostAt(field, { x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const says =
    place < 0
      ? ''
      : `, ${names[chosen ?? 0] ?? ''} ${percent(shares[chosen ?? 0] ?? 0)} ${HEALTH_NAMES[health[chosen ?? 0] ?? 0] ?? ''}`;
  return (
    <g
      class="field"
      transform={`translate(${field.x} ${field.y})`}
      {...(onChoose !== undefined && {
        role: 'button',
        tabindex: 0,
        'aria-label': `${field.name}; arrow keys choose a host${says}`,
        onKeyDown,
        onClick: (event: MouseEvent & { readonly currentTarget: SVGGElement }) => {
          const host = under(event);
          if (host !== undefined) onChoose(host);
        },
      })}
      {...(onWeight !== undefined &&
        dragOf((event) => {
          const host = under(event);
          if (host === undefined) return undefined;
          let isMarked = host === chosen;
          return {
            weight: phase.weights[host] ?? 1,
            onWeight: (weight) => {
              // Which of the many it is.
              if (!isMarked) onChoose?.(host);
              isMarked = true;
              onWeight(host, weight);
            },
          };
        }))}
    >
      <rect class="field-room" width={Math.max(110, columns * cell)} height={end.y + cell} />
      <text y={9}>{field.name}</text>
      {LEVELS.map((low, index) => (
        <path
          key={low}
          class="cells"
          style={{ opacity: 0.16 + 0.21 * index }}
          d={cells
            .filter(({ part }) => part >= low && part < (LEVELS[index + 1] ?? Infinity))
            .map(square)
            .join('')}
        />
      ))}
      <path
        class="crosses"
        d={cells
          .filter(({ bad }) => bad)
          .map(({ x, y }) => `M${x + 1} ${y + 1}l${cross} ${cross}m0 -${cross}l-${cross} ${cross}`)
          .join('')}
      />
      {place >= 0 && <rect class="chosen-cell" x={mark.x - 2} y={mark.y - 2} width={side + 4} height={side + 4} />}
    </g>
  );
}

/** Clients → proxies → priorities → zones → hosts, as wide as their share, at the time shown. */
export function Flow({
  run,
  isAhead = false,
  onWeight,
}: {
  readonly run: RunPicture | undefined;
  /** An exact prediction, and the run follows. */
  readonly isAhead?: boolean;
  /** What dragging a host does. */
  readonly onWeight?: (address: string, weight: number) => void;
}): JSX.Element | null {
  const cluster = useCluster(run);
  const phase = usePhase(cluster);
  const playing = useStore(app, (state) => state.playing);
  const [chosen, choose] = useChosenHost(cluster);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const names = useMemo(() => (cluster === undefined ? [] : hostNames(cluster)), [cluster]);
  const layout = useMemo(
    () =>
      run === undefined || cluster === undefined || phase === undefined || width < 200
        ? undefined
        : layoutFlow(run, cluster, phase, width),
    [run, cluster, phase, width],
  );
  const weigh =
    onWeight &&
    ((host: number, weight: number): void => {
      const { address } = cluster?.hosts[host] ?? {};
      if (address !== undefined) onWeight(address, weight);
    });
  return (
    <figure class="flow" data-playing={playing}>
      <div ref={box}>
        {layout !== undefined && phase !== undefined && (
          <FlowPicture
            layout={layout}
            width={width}
            drawn={{ phase, names, chosen, onChoose: choose, onWeight: weigh }}
          />
        )}
      </div>
      {phase !== undefined && <FlowCaption phase={phase} isAhead={isAhead} />}
    </figure>
  );
}

/** The time that is shown, and what began it. */
export function FlowCaption({
  phase,
  isAhead = false,
}: {
  readonly phase: PhasePicture;
  readonly isAhead?: boolean;
}): JSX.Element {
  return (
    <figcaption>
      {isAhead && <strong class="ahead">Exact prediction, the run follows. </strong>}
      {plainSeconds(phase.fromS)} to {plainSeconds(phase.toS)}: {visible(phase.cause, 160)}
      {phase.noHost > 0 && <strong class="bad"> ✕ {percent(phase.noHost)} find no host</strong>}
    </figcaption>
  );
}

/** The drawing alone. */
export function FlowPicture({
  layout,
  width,
  drawn,
}: {
  readonly layout: FlowLayout;
  readonly width: number;
  readonly drawn: Drawn;
}): JSX.Element {
  const { onChoose } = drawn;
  return (
    <svg
      width={width}
      height={layout.height}
      viewBox={`0 0 ${width} ${layout.height}`}
      role={onChoose === undefined ? 'img' : 'group'}
      aria-label={`Where requests go${onChoose === undefined ? '' : ' now; the split says the same in figures'}`}
    >
      {layout.bands.map((band) => (
        <Band key={band.id} band={band} />
      ))}
      {layout.nodes.map((node) => (
        <Node key={node.id} node={node} half={layout.half} isLive={onChoose !== undefined} />
      ))}
      {layout.hosts.map((host) => (
        <Host key={host.id} host={host} drawn={drawn} />
      ))}
      {layout.fields.map((field) => (
        <Field key={field.id} field={field} drawn={drawn} />
      ))}
    </svg>
  );
}

function Band({ band }: { readonly band: FlowBand }): JSX.Element {
  return (
    <g class="band" data-empty={band.share === 0}>
      <path class="area" d={band.area}>
        <title>{band.title}</title>
      </path>
      {band.share > 0.004 && (
        <path class="moving" d={band.path} style={{ strokeWidth: Math.min(4, band.height * 0.5) }} />
      )}
    </g>
  );
}

function Node({
  node,
  half,
  isLive,
}: {
  readonly node: FlowNode;
  readonly half: number;
  readonly isLive: boolean;
}): JSX.Element {
  const { cluster, panic = false } = node;
  const box = { x: -half, y: -NODE_HEIGHT / 2, width: 2 * half, height: NODE_HEIGHT, rx: 7 };
  return (
    <g
      class="node"
      data-kind={node.kind}
      data-panic={panic}
      transform={`translate(${node.x} ${node.y})`}
      {...(isLive && cluster !== undefined && asButton(() => app.set({ cluster, host: undefined })))}
    >
      <title>{node.title}</title>
      <rect {...box} />
      {panic && <rect class="alarm" {...box} fill="url(#hatch)" />}
      <text y={node.says === '' ? 4 : -3}>{node.name}</text>
      {node.says !== '' && (
        <text class="says" y={12}>
          {node.says}
        </text>
      )}
      {panic && (
        <text class="panic" y={-24}>
          ▲ panic
        </text>
      )}
    </g>
  );
}

function Host({ host, drawn }: { readonly host: FlowHost; readonly drawn: Drawn }): JSX.Element {
  const { onChoose, onWeight } = drawn;
  const chosen = drawn.chosen === host.host;
  const name = HEALTH_NAMES[host.health] ?? 'absent';
  return (
    <g
      class="host"
      data-health={name}
      data-chosen={chosen}
      transform={`translate(${host.x} ${host.y})`}
      {...(onChoose !== undefined && {
        ...asButton(() => onChoose(host.host)),
        'aria-pressed': chosen,
        'aria-label': `${host.name} ${host.says}, ${name}`,
      })}
      {...(onWeight !== undefined &&
        dragOf(() => ({ weight: host.weight, onWeight: (weight) => onWeight(host.host, weight) })))}
      data-draggable={onWeight !== undefined}
    >
      <circle r={host.radius} />
      {name === 'unhealthy' && <path d="M-4 -4L4 4M4 -4L-4 4" />}
      {name === 'degraded' && <path d="M-5 0H5" />}
      <text>
        <tspan x={19} y={-1}>
          {host.name}
        </tspan>{' '}
        <tspan class="says" x={19} y={11}>
          {host.says}
        </tspan>
      </text>
    </g>
  );
}

/** A part of a picture that acts like a button, by mouse and by keyboard. */
function asButton(act: () => void): SVGAttributes<SVGGElement> {
  return {
    role: 'button',
    tabindex: 0,
    onClick: act,
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act();
    },
  };
}
