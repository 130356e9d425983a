import type { Curve, CurvePoint } from '../analysis/curve.js';
import { lossText } from '../words/obstacles.js';
import { printable } from '../core/printable.js';
import { count, listed, percent, sentence } from './format.js';
import { noticeText } from './find-report.js';
import { inputLines, leading, noteLines, type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

/** Rows that are shown without `--all`: where something changes, and some in between. */
const MAX_ROWS = 24;

export function* curveReport(curve: Curve, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const { scenario, points, cluster, policy } = curve;
  yield* leading(printable(scenario), ['predicted, nothing was run', `${cluster} ${policy}`], width, paint);
  yield* inputLines(curve.input, width);
  yield* ['', ...wrap(answer(curve), width), ''];
  const rows = layout.all || points.length <= MAX_ROWS ? points : picked(curve);
  const several = (of: (point: CurvePoint) => readonly unknown[]): boolean =>
    points.some((point) => of(point).length > 1);
  const { name, number, text } = columnsOf(rows);
  const columns = [
    number('lost', ({ lost }) => count(lost)),
    name('the last', ({ host }) => printable(host ?? '–')),
    several(({ priorities }) => priorities) && text('priorities', ({ priorities }) => sharesText(priorities)),
    several(({ zones }) => zones) && text(`zones ${zoneNames(points)}`, ({ zones }) => sharesText(zones)),
    number('busiest', ({ busiest }) => percent(busiest)),
    number('failed', ({ failed }) => percent(failed)),
    text('', ({ panic }) => (panic ? 'panic' : '')),
  ];
  yield* table(columns, layout, 2);
  if (rows.length < points.length) yield paint.faint('  … (--all lists every step)');
  if (curve.facts.length > 0) yield* ['', ...noteLines(curve.facts.map(lossText), width)];
}

function sharesText(parts: readonly { readonly share: number }[]): string {
  return parts.map(({ share }) => Math.round(share * 1000) / 10).join(' / ');
}

function zoneNames(points: readonly CurvePoint[]): string {
  const names = points.reduce<readonly string[]>((most, { zones }) => {
    const own = zones.map(({ zone }) => (zone === '' ? '(none)' : zone));
    return own.length > most.length ? own : most;
  }, []);
  return names.length <= MAX_ZONES ? printable(names.join(' / ')) : '';
}

const MAX_ZONES = 4;

function answer({ lose, points, edges, noticed_by: by }: Curve): string {
  const hosts = points.length - 1;
  const last = points[hosts];
  const edgeTexts = edges.map(({ lost, what }) =>
    lost === 0 ? `${what} before any is lost` : `${what} with ${count(lost)} of ${count(hosts)} lost`,
  );
  const end = `with all ${count(hosts)} lost, ${percent(last?.failed ?? 0)} of the requests fail`;
  const losing = `losing ${printable(lose)} host by host, ${noticeText(by)}`;
  if (edgeTexts.length === 0) return sentence(`${losing}: no panic, and no request fails`);
  return sentence(`${losing}: ${listed(edgeTexts)}; ${end}`);
}

/** The first, the last, those at and before edges, and others as far as they fit. */
function picked({ points, edges }: Curve): readonly CurvePoint[] {
  const kept = new Set([0, points.length - 1, ...edges.flatMap(({ lost }) => [lost - 1, lost])]);
  const step = Math.ceil(points.length / Math.max(1, MAX_ROWS - kept.size));
  return points.filter(({ lost }) => kept.has(lost) || lost % step === 0);
}
