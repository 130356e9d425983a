import type { JSX, SVGAttributes } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, useChosenHost, useCluster, useInstant } from '../app-state.js';
import { HEALTH_NAMES, type HostPicture, type RunPicture, truthOf } from '../engine/picture.js';
import { isDown } from '../../result/phases.js';
import { type Instant, OVERLOAD } from '../instant.js';
import { hostNames } from '../run-at-time.js';
import { percent, span, visible } from '../number-format.js';
import {
  cellAt,
  type FlowBand,
  type FlowField,
  type FlowHost,
  type FlowLayout,
  type FlowNode,
  hostAt,
  layoutFlow,
  NARROW,
  NODE_HEIGHT,
} from './flow-layout.js';
import { dragOf } from './host-drag.js';
import { useWidth } from './series.js';

/** Opacity of a cell by its part of the largest share. */
const LEVELS = [0, 0.05, 0.35, 0.65, 0.9];

/** Where a menu opens. */
type Place = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

/** What touching the picture does; without it the picture is only looked at. */
interface Touch {
  readonly onChoose: (host: number) => void;
  readonly onHost?: ((host: number, at: Place) => void) | undefined;
  readonly onNode?: ((node: FlowNode, at: Place) => void) | undefined;
  /** What dragging a host does. */
  readonly onWeight?: ((host: number, weight: number) => void) | undefined;
}

/** What is drawn in a layout. */
interface Drawn {
  readonly instant: Instant;
  readonly names: readonly string[];
  readonly chosen?: number | undefined;
  readonly touch?: Touch | undefined;
}

/** Many hosts: each is a cell, darker the more it gets or the fuller it is; out where it is believed unhealthy, ✕ where it is dead. */
function Field({ field, drawn }: { readonly field: FlowField; readonly drawn: Drawn }): JSX.Element {
  const { instant, names, chosen, touch } = drawn;
  const { phase, shares } = instant;
  const { health, load } = phase;
  const { hosts, columns, cell } = field;
  const most = hosts.reduce((top, host) => Math.max(top, shares[host] ?? 0), 0);
  const heatOf = (host: number): number => {
    const own = load[host] ?? NaN;
    return Number.isNaN(own) ? (most === 0 ? 0 : (shares[host] ?? 0) / most) : own;
  };
  const cells = hosts.map((host, index) => ({
    ...cellAt(field, index),
    part: heatOf(host),
    isOut: health[host] === 3,
    isDead: isDown(truthOf(phase, host)),
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
    if (next === undefined) return;
    touch?.onChoose(next);
    if (step === 0) touch?.onHost?.(next, (event.currentTarget as Element).getBoundingClientRect());
  };
  const under = (event: MouseEvent & { readonly currentTarget: SVGGElement }): number | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    return hostAt(field, { x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const marked = chosen ?? 0;
  const says =
    place < 0
      ? ''
      : `, ${names[marked] ?? ''} ${percent(shares[marked] ?? 0)} ${HEALTH_NAMES[health[marked] ?? 0] ?? ''}`;
  return (
    <g
      class="field"
      transform={`translate(${field.x} ${field.y})`}
      {...(touch !== undefined && {
        role: 'button',
        tabindex: 0,
        'aria-label': `${field.name}; arrow keys choose a host${says}`,
        onKeyDown,
        onClick: (event: MouseEvent & { readonly currentTarget: SVGGElement }) => {
          const host = under(event);
          if (host === undefined) return;
          touch.onChoose(host);
          touch.onHost?.(host, { left: event.clientX, top: event.clientY, bottom: event.clientY + cell });
        },
      })}
      {...(touch?.onWeight !== undefined &&
        dragOf((event) => {
          const host = under(event);
          if (host === undefined) return undefined;
          let isMarked = host === chosen;
          return {
            weight: phase.weights[host] ?? 1,
            onWeight: (weight) => {
              // Which of the many it is.
              if (!isMarked) touch.onChoose(host);
              isMarked = true;
              touch.onWeight?.(host, weight);
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
            .filter(({ part }) => part >= low && part < (LEVELS[index + 1] ?? OVERLOAD))
            .map(square)
            .join('')}
        />
      ))}
      <path
        class="cells over"
        d={cells
          .filter(({ part }) => part >= OVERLOAD)
          .map(square)
          .join('')}
      />
      <path
        class="cells out"
        d={cells
          .filter(({ isOut }) => isOut)
          .map(square)
          .join('')}
      />
      <path
        class="crosses"
        d={cells
          .filter(({ isDead }) => isDead)
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
  touch,
}: {
  readonly run: RunPicture | undefined;
  /** An exact prediction, and the run follows. */
  readonly isAhead?: boolean;
  /** What touching a host or a node does, besides choosing. */
  readonly touch?: FlowTouch | undefined;
}): JSX.Element | null {
  const cluster = useCluster(run);
  const instant = useInstant(cluster);
  const [chosen, choose] = useChosenHost(cluster);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const names = useMemo(() => (cluster === undefined ? [] : hostNames(cluster)), [cluster]);
  const layout = useMemo(
    () =>
      run === undefined || cluster === undefined || instant === undefined || width < 200
        ? undefined
        : layoutFlow(run, cluster, instant, width),
    [run, cluster, instant, width],
  );
  const hostAt = (place: number): HostPicture | undefined => cluster?.hosts[place];
  const touched: Touch = {
    onChoose: choose,
    ...(touch && {
      onHost: (place, at) => {
        const host = hostAt(place);
        if (host !== undefined) touch.onHost(host, at);
      },
      onNode: touch.onNode,
      onWeight: (place, weight) => {
        const host = hostAt(place);
        if (host !== undefined) touch.onWeight(host.address, weight);
      },
    }),
  };
  return (
    <figure class="flow">
      <div ref={box} class="flow-box">
        {layout !== undefined && instant !== undefined && (
          <FlowPicture layout={layout} width={width} drawn={{ instant, names, chosen, touch: touched }} />
        )}
      </div>
      {instant !== undefined && <FlowCaption instant={instant} isAhead={isAhead} />}
    </figure>
  );
}

/** What touching the picture does beyond it. */
export interface FlowTouch {
  readonly onHost: (host: HostPicture, at: Place) => void;
  readonly onNode: (node: FlowNode, at: Place) => void;
  readonly onWeight: (address: string, weight: number) => void;
}

/** The stretch that is shown and what began it, in one line; and what the marks mean. */
export function FlowCaption({
  instant: { phase },
  isAhead = false,
}: {
  readonly instant: Instant;
  readonly isAhead?: boolean;
}): JSX.Element {
  const says = `${span(phase)}: ${visible(phase.cause, 160)}`;
  return (
    <figcaption>
      <span class="stretch-says" title={says}>
        {isAhead && <strong class="ahead">Exact prediction, the run follows. </strong>}
        {says}
      </span>
      <span class="key">
        <span class="key-red">▬</span> fails · <span class="key-ring">○</span> ring: believed · ✕ is dead · ◐ is slow
      </span>
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
  const { touch } = drawn;
  return (
    <svg
      width={width}
      height={layout.height}
      viewBox={`0 0 ${width} ${layout.height}`}
      role={touch === undefined ? 'img' : 'group'}
      aria-label={`Where requests go${touch === undefined ? '' : ' now; the split says the same in figures'}`}
    >
      {layout.bands.map((band) => (
        <Band key={band.id} band={band} />
      ))}
      {layout.nodes.map((node) => (
        <Node key={node.id} node={node} half={layout.half} touch={touch} />
      ))}
      {layout.hosts.map((host) => (
        <Host key={host.id} host={host} drawn={drawn} isNarrow={width < NARROW} />
      ))}
      {layout.fields.map((field) => (
        <Field key={field.id} field={field} drawn={drawn} />
      ))}
    </svg>
  );
}

function Band({ band }: { readonly band: FlowBand }): JSX.Element {
  return (
    <g class="band" data-empty={band.share === 0} data-failing={band.failing > 0}>
      <path class="area" d={band.area}>
        <title>{band.title}</title>
      </path>
      {band.failingArea !== '' && <path class="failing" d={band.failingArea} />}
      {band.share > 0.004 && (
        <path
          class="moving"
          d={band.path}
          data-bad={band.failing > 0.5}
          style={{ strokeWidth: Math.min(4, band.height * 0.5) }}
        />
      )}
    </g>
  );
}

const CHANGEABLE: readonly FlowNode['kind'][] = ['clients', 'proxies', 'priority', 'zone'];

function Node({
  node,
  half,
  touch,
}: {
  readonly node: FlowNode;
  readonly half: number;
  readonly touch: Touch | undefined;
}): JSX.Element {
  const { cluster, panic = false, bad = false, kind } = node;
  const box = { x: -half, y: -NODE_HEIGHT / 2, width: 2 * half, height: NODE_HEIGHT, rx: 7 };
  const { onNode } = touch ?? {};
  const act =
    touch !== undefined && cluster !== undefined
      ? (): void => app.set({ cluster, host: undefined })
      : onNode !== undefined && CHANGEABLE.includes(kind)
        ? (at: Place): void => onNode(node, at)
        : undefined;
  return (
    <g
      class="node"
      data-kind={kind}
      data-panic={panic}
      transform={`translate(${node.x} ${node.y})`}
      {...(act !== undefined && asButton(act))}
    >
      {act === undefined && <title>{node.title}</title>}
      {kind !== 'lost' && <rect {...box} />}
      {panic && <rect class="alarm" {...box} fill="url(#hatch)" />}
      {kind === 'lost' ? (
        <text class="bad" x={12} y={4}>
          ✕ {node.name}
        </text>
      ) : (
        <text y={node.says === '' ? 4 : -3}>{node.name}</text>
      )}
      {node.says !== '' && (
        <text class={bad ? 'says bad' : 'says'} y={12}>
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

function Host({
  host,
  drawn,
  isNarrow,
}: {
  readonly host: FlowHost;
  readonly drawn: Drawn;
  readonly isNarrow: boolean;
}): JSX.Element {
  const { touch } = drawn;
  const { radius, load, is, truth } = host;
  const chosen = drawn.chosen === host.host;
  const name = HEALTH_NAMES[host.health] ?? 'absent';
  const down = isDown(is);
  const full = Number.isNaN(load) ? '' : `, ${percent(load, 0)} of what it can serve`;
  return (
    <g
      class="host"
      data-health={name}
      data-is={down ? 'dead' : is}
      data-over={load > OVERLOAD}
      data-chosen={chosen}
      transform={`translate(${host.x} ${host.y})`}
      {...(touch !== undefined && {
        ...asButton((at) => {
          touch.onChoose(host.host);
          touch.onHost?.(host.host, at);
        }),
        'aria-pressed': chosen,
        'aria-label': `${host.name} ${host.says}${truth === '' ? '' : ` · ${truth}`}, believed ${name}, is ${is}${full}`,
      })}
      {...(touch?.onWeight !== undefined &&
        dragOf(() => ({ weight: host.weight, onWeight: (weight) => touch.onWeight?.(host.host, weight) })))}
      data-draggable={touch?.onWeight !== undefined}
    >
      <circle r={radius} />
      {!down && !Number.isNaN(load) && <path class="level" d={levelPath(radius - 1, Math.min(1, load))} />}
      {down && <path class="cross" d="M-5 -5L5 5M5 -5L-5 5" />}
      {is === 'slow' && <path class="half" d={`M0 ${1 - radius}A${radius - 1} ${radius - 1} 0 0 0 0 ${radius - 1}Z`} />}
      {name === 'degraded' && <path class="cross" d="M-5 0H5" />}
      <text>
        <tspan x={19} y={-1}>
          {host.name}
        </tspan>{' '}
        {isNarrow && truth !== '' && <tspan class="says">{host.says}</tspan>}
        {!(isNarrow && truth !== '') && (
          <tspan class="says" x={19} y={11}>
            {host.says}
          </tspan>
        )}
        {truth !== '' && (
          <tspan class="truth" data-is={is} {...(isNarrow && { x: 19, y: 11 })}>
            {isNarrow ? truth : ` · ${truth}`}
          </tspan>
        )}
      </text>
    </g>
  );
}

/** A disc that is full up to a level, 0–1. */
function levelPath(radius: number, level: number): string {
  if (level >= 1)
    return `M-${radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 -${2 * radius} 0Z`;
  const y = radius * (1 - 2 * level);
  const x = Math.sqrt(Math.max(0, radius * radius - y * y));
  return `M${-x} ${y}A${radius} ${radius} 0 ${level > 0.5 ? 1 : 0} 0 ${x} ${y}Z`;
}

/** A part of a picture that acts like a button, by mouse and by keyboard. */
function asButton(act: (at: Place) => void): SVGAttributes<SVGGElement> {
  return {
    role: 'button',
    tabindex: 0,
    onClick: (event) => act(event.currentTarget.getBoundingClientRect()),
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      act(event.currentTarget.getBoundingClientRect());
    },
  };
}
