import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, clock } from '../app-state.js';
import { HEALTH_NAMES } from '../engine/picture.js';
import { clusterOf, phaseAt } from '../run-at-time.js';
import { useStore } from '../store.js';
import { percent, plainSeconds, visible } from '../number-format.js';
import type { FlowBand, FlowField, FlowHost, FlowNode } from './flow-layout.js';
import { CELL, layoutFlow } from './flow-layout.js';
import { useWidth } from './time-scale.js';

/** Clients → proxies → priorities → zones → hosts, as wide as their share, at the time shown. */
export function Flow(): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const playing = useStore(app, (state) => state.playing);
  const chosen = useStore(app, (state) => state.host);
  const place = useStore(clock, ({ t }) => (cluster === undefined ? -1 : phaseAt(cluster, t)));
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const phase = cluster?.phases[place];
  const layout = useMemo(
    () =>
      run === undefined || cluster === undefined || phase === undefined || width < 200
        ? undefined
        : layoutFlow(run, cluster, phase, width),
    [run, cluster, phase, width],
  );
  return (
    <figure class="flow" data-playing={playing}>
      <div ref={box}>
        {layout !== undefined && phase !== undefined && (
          <svg
            width={width}
            height={layout.height}
            role="group"
            aria-label="Where requests go now; the split says the same in figures"
          >
            {layout.bands.map((band) => (
              <Band key={band.id} band={band} />
            ))}
            {layout.nodes.map((node) => (
              <Node key={node.id} node={node} half={layout.half} />
            ))}
            {layout.hosts.map((host) => (
              <Host key={host.id} host={host} chosen={chosen === host.host} />
            ))}
            {layout.fields.map((field) => (
              <Field key={field.id} field={field} health={phase.health} shares={phase.shares} />
            ))}
          </svg>
        )}
      </div>
      {phase !== undefined && (
        <figcaption>
          {plainSeconds(phase.fromS)} to {plainSeconds(phase.toS)}: {visible(phase.cause, 160)}
          {phase.noHost > 0 && <strong class="bad"> ✕ {percent(phase.noHost)} find no host</strong>}
        </figcaption>
      )}
    </figure>
  );
}

function Band({ band }: { readonly band: FlowBand }): JSX.Element {
  return (
    <g class="band" data-empty={band.share === 0}>
      <path d={band.path} style={{ strokeWidth: band.width }}>
        <title>{band.title}</title>
      </path>
      {band.share > 0.004 && (
        <path class="moving" d={band.path} style={{ strokeWidth: Math.min(4, band.width * 0.5) }} />
      )}
    </g>
  );
}

function Node({ node, half }: { readonly node: FlowNode; readonly half: number }): JSX.Element {
  return (
    <g class="node" data-kind={node.kind} data-panic={node.panic} transform={`translate(${node.x} ${node.y})`}>
      <rect x={-half} y={-19} width={2 * half} height={38} rx={7} />
      {node.panic && <rect class="alarm" x={-half} y={-19} width={2 * half} height={38} rx={7} fill="url(#hatch)" />}
      <text y={node.says === '' ? 4 : -3}>{node.name}</text>
      {node.says !== '' && (
        <text class="says" y={12}>
          {node.says}
        </text>
      )}
      {node.panic && (
        <text class="panic" y={-24}>
          ▲ panic
        </text>
      )}
    </g>
  );
}

function Host({ host, chosen }: { readonly host: FlowHost; readonly chosen: boolean }): JSX.Element {
  const name = HEALTH_NAMES[host.health] ?? 'absent';
  const choose = (): void => app.set({ host: chosen ? undefined : host.host });
  return (
    <g
      class="host"
      data-health={name}
      data-chosen={chosen}
      transform={`translate(${host.x} ${host.y})`}
      role="button"
      tabindex={0}
      aria-pressed={chosen}
      aria-label={`${host.name} ${percent(host.share)}, ${name}`}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
    >
      <circle r={host.radius} />
      {name === 'unhealthy' && <path d="M-4 -4L4 4M4 -4L-4 4" />}
      {name === 'degraded' && <path d="M-5 0H5" />}
      <text>
        <tspan x={19} y={-1}>
          {host.name}
        </tspan>{' '}
        <tspan class="says" x={19} y={11}>
          {percent(host.share)}
        </tspan>
      </text>
    </g>
  );
}

/** Each host is a cell: darker the more it gets, crossed out where it is unhealthy. */
function Field({
  field,
  health,
  shares,
}: {
  readonly field: FlowField;
  readonly health: Uint8Array;
  readonly shares: Float32Array;
}): JSX.Element {
  const most = field.hosts.reduce((top, host) => Math.max(top, shares[host] ?? 0), 0);
  const cells = field.hosts.map((host, index) => ({
    x: (index % field.columns) * CELL,
    y: 14 + Math.floor(index / field.columns) * CELL,
    part: most === 0 ? 0 : (shares[host] ?? 0) / most,
    bad: health[host] === 3,
  }));
  const square = ({ x, y }: { readonly x: number; readonly y: number }): string => `M${x} ${y}h7v7h-7z`;
  return (
    <g class="field" transform={`translate(${field.x} ${field.y})`}>
      <text y={8}>{field.name}</text>
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
          .map(({ x, y }) => `M${x + 1} ${y + 1}l5 5m0 -5l-5 5`)
          .join('')}
      />
    </g>
  );
}

const LEVELS = [0, 0.05, 0.35, 0.65, 0.9];
