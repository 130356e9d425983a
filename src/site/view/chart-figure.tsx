import type { SweepPoint } from '../../index.js';
import { counted, visible } from '../number-format.js';
import { colourOf } from './controls.js';
import { MARKS } from './generated/marks.js';
import type { SweepChart, SweepMeasure } from '../sweep-lines.js';

const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 24, 10, 34];
/** Between the scale and the first dots. */
const INSET = 14;
/** Lines after these are broken. */
const UNBROKEN = 4;

type ChartFigureProps = Readonly<{ measure: SweepMeasure; field: string; chart: SweepChart; width?: number }>;

/** Lines by numbers. A dot without a label has no mark. */
export function ChartFigure({ measure: { name, unit }, field, chart, width = 720 }: ChartFigureProps) {
  const { lines, ticks, left, joined } = chart;
  const power = 10 ** Math.floor(Math.log10(chart.top / 4));
  // 1, 2 or 5 times a power of ten.
  const step = chart.top <= 0 ? 1 : power * ([1, 2, 5, 10].find((factor) => factor * power >= chart.top / 4) ?? 10);
  const top = Math.max(step, step * Math.ceil(chart.top / step));
  const x = (place: number): number => LEFT + INSET + place * (width - LEFT - INSET - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const title = visible(name, 60);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="legend">
          {lines.map((line, index) => (
            <span key={line.name}>
              <svg class="legend-mark line" style={colourOf(index)} viewBox="-6 -6 12 12" aria-hidden="true">
                <path d={MARKS.lines[index % MARKS.lines.length]} />
              </svg>{' '}
              {line.name}
            </span>
          ))}
          {left > 0 && <span>and {counted(left, 'more line')}, which the table has</span>}
        </span>
      </figcaption>
      <svg
        class="sweep-chart"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title} by ${field}; what is below says the same`}
      >
        {Array.from({ length: Math.round(top / step) + 1 }, (_, tick) => (
          <g key={tick} class="tick">
            <line x1={LEFT} x2={width - RIGHT} y1={y(tick * step)} y2={y(tick * step)} />
            <text x={LEFT - 6} y={y(tick * step)} dy="0.35em" text-anchor="end">
              {amount(tick * step, unit)}
            </text>
          </g>
        ))}
        {ticks.map(({ x: place, text }) => (
          <text key={text} class="tick" x={x(place)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
            {text}
          </text>
        ))}
        <text class="tick" x={x(0.5)} y={HEIGHT - 4} text-anchor="middle">
          {field}
        </text>
        {lines.map((line, index) => (
          <g key={line.name} class="line" style={colourOf(index)}>
            {joined && (
              <polyline
                points={line.dots.map((dot) => `${x(dot.x)},${y(dot.mean)}`).join(' ')}
                stroke-dasharray={index < UNBROKEN ? undefined : '6 3'}
              />
            )}
            {line.dots
              .filter(({ label }) => label !== '')
              .map(({ x: place, mean, low, high, label }) => (
                <g key={label}>
                  {high > low && <line x1={x(place)} x2={x(place)} y1={y(Math.max(0, low))} y2={y(high)} />}
                  <path d={MARKS.lines[index % MARKS.lines.length]} transform={`translate(${x(place)} ${y(mean)})`}>
                    <title>{`${label}: ${estimate({ mean, low, high }, unit)}`}</title>
                  </path>
                </g>
              ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

export function estimate(found: SweepPoint['measures'][string] | undefined, unit: SweepMeasure['unit']): string {
  if (found === undefined) return '–';
  const { mean, high } = found;
  if (high === null || high === mean) return amount(mean, unit);
  return `${amount(mean, unit)} ± ${amount(high - mean, unit, 2)}`;
}

function amount(value: number, unit: SweepMeasure['unit'], precision = 4): string {
  const digits = Number((unit === '%' ? 100 * value : value).toPrecision(precision));
  return unit === '' ? String(digits) : `${digits} ${unit}`;
}
