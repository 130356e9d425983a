import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { app, useApp, useCluster, useStore } from '../app-state.js';
import type { RunPicture } from '../engine/draw-picture.js';
import { Flow } from './flow.js';
import { Lanes } from './lanes.js';
import { type ChartData, chartsOf, LEFT, RIGHT, shownSpan, useOverTime } from './series.js';
import uPlot from 'uplot';
import { seek } from '../player.js';
import { plainSeconds } from '../number-format.js';
import { colourOf, type Column, DataTable } from './controls.js';

/** @param beside the other run of a comparison: scales are those of both. */
function Charts({ run, beside }: Omit<PicturesOfProps, 'flow'>) {
  const cluster = useCluster(run);
  const other = useCluster(beside);
  const charts = useMemo(() => (cluster === undefined ? [] : chartsOf(cluster, other)), [cluster, other]);
  return (
    <div class="charts">
      {charts.map((data) => (
        <Chart key={data.title} data={data} />
      ))}
    </div>
  );
}

type PicturesOfProps = Readonly<{ run: RunPicture | undefined; beside: RunPicture | undefined; flow?: JSX.Element }>;

/** Of a run, and of another one on its left on the same clock. */
export function PicturesOf({ run, beside, flow = <Flow run={run} /> }: PicturesOfProps) {
  const zoomed = useStore(app, (state) => state.zoom !== undefined);
  const isPair = beside !== undefined;
  return (
    <div class={isPair ? 'sides' : 'side'}>
      {isPair && (
        <div class="side">
          <SideHead side="A" run={beside} />
          <Flow run={beside} />
        </div>
      )}
      <div class="side">
        {isPair && <SideHead side="B" run={run} />}
        {flow}
      </div>
      {zoomed && (
        <button class="unzoom" onClick={() => app.set({ zoom: undefined })}>
          Show the whole run
        </button>
      )}
      {isPair && <Lanes run={beside} />}
      <Lanes run={run} />
      {isPair && <Charts run={beside} beside={run} />}
      <Charts run={run} beside={beside} />
    </div>
  );
}

const SideHead = ({ side, run }: Readonly<{ side: 'A' | 'B'; run: RunPicture | undefined }>) => (
  <h3 class="side-head">
    <span class="letter">{side}</span> {useCluster(run)?.policy} · proxy {run?.versions.join(', ')}
  </h3>
);

const HEIGHT = 84;
const STACKED_HEIGHT = 104;
/** Rows of the table below a chart. */
const ROWS = 240;
/** A thinner band of the stack has no room for its name. */
const LABEL_PX = 15;

function Chart({ data }: Readonly<{ data: ChartData }>) {
  const { box, line, width } = useOverTime();
  const { theme, zoom } = useApp('theme', 'zoom');
  const plot = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    if (box.current === null || width < LEFT + RIGHT + 20) return undefined;
    const made = new uPlot(optionsOf(data, width, box.current), columnsOf(data), box.current);
    plot.current = made;
    return () => made.destroy();
  }, [data, width, theme]);
  useEffect(() => {
    const [min, max] = shownSpan();
    plot.current?.setScale('x', { min, max });
  }, [zoom]);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{data.title}</strong>
        <span class="legend">
          {data.lines.map(({ name }, index) => (
            <span key={name}>
              <span class="swatch" style={colourOf(index)} aria-hidden="true" /> {name}
            </span>
          ))}
        </span>
        <details class="as-table over">
          <summary>
            table<span class="hidden">: {data.title}</span>
          </summary>
          <div>
            <Table data={data} />
          </div>
        </details>
      </figcaption>
      <div
        class="over-time"
        ref={box}
        role="img"
        aria-label={`${data.title} over time: ${data.lines.map(({ name }) => name).join(', ')}; its table says the same`}
      >
        <div class="cursor" ref={line} aria-hidden="true" />
      </div>
    </figure>
  );
}

function Table({ data }: Readonly<{ data: ChartData }>) {
  const rows = data.times.slice(0, Math.min(ROWS, data.times.length - 1));
  return (
    <DataTable
      rows={rows}
      columns={[
        ['From', plainSeconds],
        ...data.lines.map(({ name, values }): Column<number> => [
          name,
          (_, index) => (Number.isNaN(values[index] ?? NaN) ? '–' : data.unit(values[index] ?? 0)),
        ]),
      ]}
    />
  );
}

/** For a stack the sums, the highest first, so that lower ones are painted over it. */
function columnsOf({ times, lines, stacked }: ChartData): uPlot.AlignedData {
  const ends = (values: readonly number[]): (number | null)[] =>
    [...values, values[values.length - 1] ?? NaN].map((value) => (Number.isNaN(value) ? null : value));
  if (!stacked) return [[...times], ...lines.map(({ values }) => ends(values))];
  const sums = lines.map((_, top) => ends(lines[0]?.values.map((__, at) => sumTo(lines, top, at)) ?? []));
  return [[...times], ...sums.toReversed()];
}

const sumTo = (lines: ChartData['lines'], top: number, at: number): number =>
  lines.slice(0, top + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);

function optionsOf(data: ChartData, width: number, box: HTMLElement): uPlot.Options {
  // A canvas does not resolve CSS variables: an element of that colour gives its value.
  const colour = (name: string): string => {
    box.style.color = `var(${name})`;
    const shown = getComputedStyle(box).color;
    box.style.color = '';
    return shown;
  };
  const font = '11px system-ui, sans-serif';
  const axis = {
    stroke: colour('--faint'),
    font,
    grid: { stroke: colour('--grid'), width: 1 },
    ticks: { stroke: colour('--grid'), width: 1, size: 4 },
  };
  const { stacked, lines, unit, top } = data;
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const order = lines.map((_, index) => (stacked ? lines.length - 1 - index : index));
  return {
    width,
    height: stacked ? STACKED_HEIGHT : HEIGHT,
    padding: [6, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'time' }, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => [...shownSpan()] as [number, number] },
      y: { range: (_, __, max) => [0, top ?? (max > 0 ? max * 1.08 : 1)] },
    },
    axes: [
      { ...axis, size: 22, values: (_, ticks) => ticks.map((tick) => plainSeconds(tick)) },
      { ...axis, size: LEFT, space: 28, values: (_, ticks) => ticks.map(unit) },
    ],
    series: [
      {},
      ...order.map((index) => ({
        stroke: colour(stacked ? '--panel' : `--line-${index % 9}`),
        width: stacked ? 1 : 2,
        // Crossing lines differ without colours, too.
        dash: stacked ? [] : (DASHES[index] ?? []),
        ...(stacked && { fill: colour(`--line-${index % 9}`) }),
        ...(stepped && { paths: stepped }),
        points: { show: false },
      })),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select;
          if (wide >= 5) app.set({ zoom: [plot.posToVal(left, 'x'), plot.posToVal(left + wide, 'x')] });
        },
      ],
      ready: [
        (plot) => {
          plot.over.addEventListener('click', (event) => {
            const left = plot.over.getBoundingClientRect().left;
            if (plot.select.width < 5) seek(plot.posToVal(event.clientX - left, 'x'));
          });
          plot.over.addEventListener('dblclick', () => app.set({ zoom: undefined }));
        },
      ],
      ...(stacked && { draw: [(plot: uPlot) => nameBands(plot, data, font)] }),
    },
  };
}

const DASHES: readonly (readonly number[])[] & number[][] = [[], [6, 3], [2, 2]];

/** Writes each name into its band, where the band is thickest. */
function nameBands(plot: uPlot, { lines, times }: ChartData, font: string): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = font.replace('11px', `${11 * ratio}px`);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  for (const [index, { name, values }] of lines.entries()) {
    const place = widestOf(values);
    if (place === undefined) continue;
    const [from, to] = place;
    const low = sumTo(lines, index - 1, from);
    const high = low + (values[from] ?? 0);
    const left = plot.valToPos(Math.max(times[from] ?? 0, shownSpan()[0]), 'x', true);
    const right = plot.valToPos(times[to] ?? 0, 'x', true);
    const top = plot.valToPos(high, 'y', true);
    const bottom = plot.valToPos(low, 'y', true);
    if (bottom - top < LABEL_PX * ratio || right - left < ctx.measureText(name).width + 8 * ratio) continue;
    ctx.fillStyle = '#fff';
    ctx.strokeStyle = 'rgba(0,0,0,.75)';
    ctx.lineWidth = 2.5 * ratio;
    ctx.strokeText(name, left + 5 * ratio, (top + bottom) / 2);
    ctx.fillText(name, left + 5 * ratio, (top + bottom) / 2);
  }
  ctx.restore();
}

/** The longest stretch in which a share hardly changes and is above 0: indices of its start and end. */
function widestOf(values: readonly number[]): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  for (let from = 0; from < values.length;) {
    let to = from + 1;
    while (to < values.length && Math.abs((values[to] ?? 0) - (values[from] ?? 0)) < 0.05) to++;
    if ((values[from] ?? 0) > 0.03 && (best === undefined || to - from > best[1] - best[0])) best = [from, to];
    from = to;
  }
  return best;
}
