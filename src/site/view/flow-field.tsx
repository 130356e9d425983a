import type { JSX } from 'preact';
import { HEALTH_NAMES, type PhasePicture } from '../engine/picture.js';
import { percent } from '../number-format.js';
import { cellAt, type FlowField, hostAt } from './flow-layout.js';
import { dragOf } from './host-drag.js';

/** Opacity of a cell by its part of the largest share. */
const LEVELS = [0, 0.05, 0.35, 0.65, 0.9];

/** Many hosts: each is a cell, darker the more it gets, crossed out where it is unhealthy. */
export function Field({
  field,
  phase,
  names,
  chosen,
  onChoose,
  onWeight,
}: {
  readonly field: FlowField;
  readonly phase: PhasePicture;
  readonly names: readonly string[];
  readonly chosen: number | undefined;
  readonly onChoose: ((host: number) => void) | undefined;
  /** What dragging a cell does. */
  readonly onWeight: ((host: number, weight: number) => void) | undefined;
}): JSX.Element {
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
