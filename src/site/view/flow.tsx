import type { SVGAttributes } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, chooseHost, useChosenHost, useCluster, useInstant } from '../app-state.js';
import type { ClusterPicture, RunPicture } from '../engine/draw-picture.js';
import { HEALTH_NAMES, type HostPicture, truthOf } from '../engine/picture.js';
import { isDown } from '../../result/phases.js';
import { hostInWords, hostNames, type Instant, OVERLOAD } from '../instant.js';
import { percent, span, visible } from '../number-format.js';
import * as geometry from './flow-layout.js';
import { dragOf } from './host-drag.js';
import { useWidth } from './series.js';

/** Opacity of a cell by its part of the largest share. */
const LEVELS = [0, 0.05, 0.35, 0.65, 0.9];

type Place = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

/** What touching the picture does beyond choosing hosts. */
export interface FlowTouch {
  readonly onHost: (host: HostPicture, at: Place) => void;
  readonly onNode: (node: geometry.FlowNode, at: Place) => void;
  readonly onWeight: (address: string, weight: number) => void;
}

interface Drawn {
  readonly cluster: ClusterPicture;
  readonly instant: Instant;
  /** Where in the list; −1: none. */
  readonly chosen: number;
  /** Hosts can be chosen; else the picture is only looked at. */
  readonly isLive: boolean;
  readonly touch?: FlowTouch | undefined;
}

function touchHost({ cluster, touch }: Drawn, place: number, at: Place): void {
  const host = cluster.hosts[place];
  chooseHost(host);
  if (host !== undefined) touch?.onHost(host, at);
}

/** Many hosts: each is a cell, darker the more it gets or the fuller it is; out where it is believed unhealthy, ✕ where it is dead. */
function Field({ field, drawn }: Readonly<{ field: geometry.FlowField; drawn: Drawn }>) {
  const { cluster, instant, chosen, isLive, touch } = drawn;
  const { phase, shares } = instant;
  const { health, load } = phase;
  const { hosts, columns, cell } = field;
  const most = hosts.reduce((top, host) => Math.max(top, shares[host] ?? 0), 0);
  const cells = hosts.map((host, index) => {
    const own = load[host] ?? NaN;
    const part = Number.isNaN(own) ? (most === 0 ? 0 : (shares[host] ?? 0) / most) : own;
    const isDead = isDown(truthOf(phase, host));
    return { ...geometry.cellAt(field, index), part, isOut: health[host] === 3, isDead };
  });
  type Cell = (typeof cells)[number];
  const side = cell - (cell > 4 ? 2 : 1);
  const arm = Math.max(2, side - 2);
  const square = ({ x, y }: Cell): string => `M${x} ${y}h${side}v${side}h-${side}z`;
  const cross = ({ x, y }: Cell): string => `M${x + 1} ${y + 1}l${arm} ${arm}m0 -${arm}l-${arm} ${arm}`;
  const pathOf = (isDrawn: (one: Cell) => boolean, shape = square): string => cells.filter(isDrawn).map(shape).join('');
  const place = hosts.indexOf(chosen);
  const mark = geometry.cellAt(field, Math.max(0, place));
  const end = geometry.cellAt(field, hosts.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Enter: 0, ' ': 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = hosts[place < 0 ? 0 : Math.min(hosts.length - 1, Math.max(0, place + step))];
    if (next === undefined) return;
    if (step === 0) touchHost(drawn, next, (event.currentTarget as Element).getBoundingClientRect());
    else chooseHost(cluster.hosts[next]);
  };
  const under = (event: MouseEvent & { readonly currentTarget: SVGGElement }): number | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    return geometry.hostAt(field, { x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const says =
    place < 0
      ? ''
      : `, ${hostNames(cluster)[chosen] ?? ''} ${percent(shares[chosen] ?? 0)} ${HEALTH_NAMES[health[chosen] ?? 0] ?? ''}`;
  return (
    <g
      class="field"
      transform={`translate(${field.x} ${field.y})`}
      {...(isLive && {
        role: 'button',
        tabindex: 0,
        'aria-label': `${field.name}; arrow keys choose a host${says}`,
        onKeyDown,
        onClick: (event: MouseEvent & { readonly currentTarget: SVGGElement }) => {
          const host = under(event);
          if (host === undefined) return;
          touchHost(drawn, host, { left: event.clientX, top: event.clientY, bottom: event.clientY + cell });
        },
      })}
      {...(touch !== undefined &&
        dragOf((event) => {
          const place = under(event);
          const host = place === undefined ? undefined : cluster.hosts[place];
          if (place === undefined || host === undefined) return undefined;
          return {
            weight: phase.weights[place] ?? 1,
            onWeight: (weight) => {
              // Which of the many it is.
              chooseHost(host);
              touch.onWeight(host.address, weight);
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
          d={pathOf(({ part }) => part >= low && part < (LEVELS[index + 1] ?? OVERLOAD))}
        />
      ))}
      <path class="cells over" d={pathOf(({ part }) => part >= OVERLOAD)} />
      <path class="cells out" d={pathOf(({ isOut }) => isOut)} />
      <path class="crosses" d={pathOf(({ isDead }) => isDead, cross)} />
      {place >= 0 && <rect class="chosen-cell" x={mark.x - 2} y={mark.y - 2} width={side + 4} height={side + 4} />}
    </g>
  );
}

type FlowProps = Readonly<{ run: RunPicture | undefined; isAhead?: boolean; touch?: FlowTouch | undefined }>;

/** Clients → proxies → priorities → zones → hosts, as wide as their share, at the time shown. `isAhead`: an exact prediction, and the run follows. */
export function Flow({ run, isAhead = false, touch }: FlowProps) {
  const cluster = useCluster(run);
  const instant = useInstant(cluster);
  const chosen = useChosenHost(cluster);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const drawn = cluster && instant && { cluster, instant, chosen, isLive: true, touch };
  return (
    <figure class="flow">
      <div ref={box} class="flow-box">
        {run !== undefined && drawn !== undefined && width >= 200 && (
          <FlowPicture run={run} width={width} drawn={drawn} />
        )}
      </div>
      {instant !== undefined && <FlowCaption instant={instant} isAhead={isAhead} />}
    </figure>
  );
}

/** The stretch that is shown and what began it, in one line; and what the marks mean. */
export function FlowCaption({ instant, isAhead = false }: Readonly<{ instant: Instant; isAhead?: boolean }>) {
  const { phase } = instant;
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

export function FlowPicture({ run, width, drawn }: { run: RunPicture; width: number; drawn: Drawn }) {
  const { cluster, instant, isLive } = drawn;
  const layout = useMemo(() => geometry.layoutFlow(run, cluster, instant, width), [run, cluster, instant, width]);
  return (
    <svg
      width={width}
      height={layout.height}
      viewBox={`0 0 ${width} ${layout.height}`}
      data-narrow={width < geometry.NARROW}
      role={isLive ? 'group' : 'img'}
      aria-label={`Where requests go${isLive ? ' now; the split says the same in figures' : ''}`}
    >
      {layout.bands.map((band) => (
        <Band key={band.id} band={band} />
      ))}
      {layout.nodes.map((node) => (
        <Node key={node.id} node={node} half={layout.half} drawn={drawn} />
      ))}
      {layout.hosts.map((host) => (
        <Host key={host.host} host={host} drawn={drawn} isNarrow={width < geometry.NARROW} />
      ))}
      {layout.fields.map((field) => (
        <Field key={field.id} field={field} drawn={drawn} />
      ))}
    </svg>
  );
}

const Band = ({ band }: Readonly<{ band: geometry.FlowBand }>) => (
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

const CHANGEABLE: readonly geometry.FlowNode['kind'][] = ['clients', 'proxies', 'priority', 'zone'];

function Node({ node, half, drawn }: Readonly<{ node: geometry.FlowNode; half: number; drawn: Drawn }>) {
  const { isLive, touch } = drawn;
  const { cluster, panic = false, bad = false, kind } = node;
  const box = { x: -half, y: -geometry.NODE_HEIGHT / 2, width: 2 * half, height: geometry.NODE_HEIGHT, rx: 7 };
  const act =
    isLive && cluster !== undefined
      ? (): void => app.set({ cluster, host: undefined })
      : touch !== undefined && CHANGEABLE.includes(kind)
        ? (at: Place): void => touch.onNode(node, at)
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

function Host({ host, drawn, isNarrow }: Readonly<{ host: geometry.FlowHost; drawn: Drawn; isNarrow: boolean }>) {
  const { cluster, instant, isLive, touch } = drawn;
  const { host: place, radius } = host;
  const { health, load: loads, weights } = instant.phase;
  const load = loads[place] ?? NaN;
  const is = truthOf(instant.phase, place);
  // What is true and what is believed, where they differ.
  const truth = hostInWords(instant.phase, place);
  const chosen = drawn.chosen === place;
  const address = cluster.hosts[place]?.address ?? '';
  const name = HEALTH_NAMES[health[place] ?? 0] ?? 'absent';
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
      {...(isLive && {
        ...asButton((at) => touchHost(drawn, place, at)),
        'aria-pressed': chosen,
        'aria-label': `${host.name} ${host.says}${truth === '' ? '' : ` · ${truth}`}, believed ${name}, is ${is}${full}`,
      })}
      {...(touch !== undefined &&
        dragOf(() => ({ weight: weights[place] ?? 0, onWeight: (weight) => touch.onWeight(address, weight) })))}
      data-draggable={touch !== undefined}
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
        <tspan class="says" {...(!(isNarrow && truth !== '') && { x: 19, y: 11 })}>
          {host.says}
        </tspan>
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
const asButton = (act: (at: Place) => void): SVGAttributes<SVGGElement> => ({
  role: 'button',
  tabindex: 0,
  onClick: (event) => act(event.currentTarget.getBoundingClientRect()),
  onKeyDown: (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    act(event.currentTarget.getBoundingClientRect());
  },
});
