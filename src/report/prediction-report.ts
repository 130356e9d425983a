import type { ClusterPrediction, PredictedHost, PredictedSplit, Prediction } from '../predict/prediction.js';
import { standardError } from '../predict/standard-error.js';
import { count, counted, decimal, printable, seconds } from './format.js';
import { localityName, localityParts } from './groups.js';
import type { ReportLayout } from './host-table.js';
import { MAX_HOSTS } from './host-table.js';
import { leading, spread, wrap } from './layout.js';
import type { Column } from './table.js';
import { table } from './table.js';

/** Phases that are shown without `--all`. */
const MAX_PHASES = 20;
const EXTREMES = 4;

/** A prediction for people: how far it can be trusted, then the shares phase by phase. */
export function predictionReport(prediction: Prediction, layout: ReportLayout): string {
  const { width, paint } = layout;
  const facts = [
    'predicted, nothing was run',
    `behaves as proxy ${prediction.version}`,
    ...(prediction.duration_s > 0 ? [seconds(prediction.duration_s)] : []),
  ];
  const lines = leading(printable(prediction.scenario), facts, width, paint);
  for (const [name, cluster] of Object.entries(prediction.clusters)) {
    lines.push('', ...clusterLines(name, cluster, layout));
  }
  const proxies = Object.entries(prediction.proxies);
  for (const [proxy, { clusters }] of proxies) {
    for (const [name, cluster] of Object.entries(clusters)) {
      if (cluster.requests === 0) continue;
      lines.push('', ...splitLines(`${printable(proxy)} to ${printable(name)}, whole run`, cluster, layout));
    }
  }
  if (prediction.notes.length > 0) lines.push('');
  for (const note of prediction.notes) lines.push(...wrap(printable(note), width, 'note      ', '          '));
  return `${lines.join('\n')}\n`;
}

function clusterLines(name: string, cluster: ClusterPrediction, layout: ReportLayout): string[] {
  const { width, paint } = layout;
  const lines = leading(printable(name), [cluster.policy, ...trust(cluster)], width, paint);
  const shown = layout.all ? cluster.phases : cluster.phases.slice(0, MAX_PHASES);
  for (const phase of shown) {
    const title = `${seconds(phase.from_s).replace(/ s$/, '')} – ${seconds(phase.to_s)}   ${printable(phase.cause)}`;
    lines.push(...splitLines(title, phase, layout));
  }
  const hidden = cluster.phases.length - shown.length;
  if (hidden > 0) lines.push(paint.faint(`  … ${counted(hidden, 'more phase')} (--all lists them)`));
  return lines;
}

/** How many phases are known how well. */
function trust({ phases }: ClusterPrediction): string[] {
  const of = (method: PredictedSplit['method']): number => phases.filter((phase) => phase.method === method).length;
  const known = phases.length - of('none');
  if (known === 0) return ['no prediction'];
  const parts = [];
  if (of('exact') === phases.length) return [`${counted(phases.length, 'phase')}, exact`];
  if (of('exact') > 0) parts.push(`${count(of('exact'))} exact`);
  if (of('numeric') > 0) parts.push(`${count(of('numeric'))} with an error bound`);
  if (of('none') > 0) parts.push(`${count(of('none'))} without a prediction`);
  return [`${counted(phases.length, 'phase')}: ${parts.join(', ')}`];
}

function splitLines(title: string, split: PredictedSplit, layout: ReportLayout): string[] {
  const { width } = layout;
  const { requests, method, error } = split;
  const expected = requests === null ? 'requests unknown' : `${decimal(requests, 1)} requests`;
  const lines = spread(`  ${title}`, expected, width);
  if (method === 'none') return [...lines, ...wrap(`no prediction: ${split.why_not ?? ''}`, width, '    ')];
  if (error !== undefined) lines.push(...wrap(`shares are within ${points(error)} of the truth`, width, '    '));
  lines.push(...hostLines(split, layout));
  if (split.subsets.length > 0) {
    const parts = split.subsets.map(({ subset, share }) => `${printable(subset)} ${percent(share)}`);
    lines.push(...wrap(parts.join(', '), width, '    subsets   ', '              '));
  }
  return lines;
}

function hostLines(split: PredictedSplit, layout: ReportLayout): string[] {
  const { hosts, requests, no_host: noHost } = split;
  const few = layout.all || hosts.length <= MAX_HOSTS;
  // One more from either end: how far the others reach.
  const most = few ? [] : firstBy(hosts, EXTREMES + 1, (a, b) => b.share - a.share);
  const least = few ? [] : firstBy([...hosts].reverse(), EXTREMES + 1, (a, b) => a.share - b.share).reverse();
  const rows = few ? hosts : [...most.slice(0, EXTREMES), ...least.slice(-EXTREMES)];
  const nobody = noHost !== undefined && noHost.share > 0 ? [noHost] : [];
  const localities = [...new Set(hosts.map(({ locality }) => locality))];
  const parts = localityParts(localities);
  const differ = (of: (host: PredictedHost) => unknown): boolean => {
    const first = hosts[0] && of(hosts[0]);
    return hosts.some((host) => of(host) !== first);
  };
  const column = (heading: string, of: (host: PredictedHost) => string, more: Partial<Column> = {}): Column => ({
    heading,
    cells: [...rows.map(of), ...nobody.map(() => '')],
    ...more,
  });
  const place = (host: PredictedHost): string => localityName(host.locality, parts);
  const columns: Column[] = [
    {
      heading: 'host',
      name: true,
      cells: [...rows.map(({ address }) => printable(address)), ...nobody.map(() => '(no host)')],
    },
    ...(new Set(localities.map((locality) => localityName(locality, parts))).size > 1
      ? [column(parts.region || parts.subZone ? 'locality' : 'zone', place, { name: true })]
      : []),
    ...(differ(({ priority }) => priority)
      ? [column('prio', ({ priority }) => String(priority), { align: 'right' as const })]
      : []),
    ...(differ(({ weight }) => weight)
      ? [column('weight', ({ weight }) => count(weight), { align: 'right' as const })]
      : []),
    ...(hosts.some(({ health }) => health !== 'healthy') ? [column('health', ({ health }) => health)] : []),
    {
      heading: 'share',
      align: 'right',
      cells: [...rows, ...nobody].map(({ share }) => percent(share)),
    },
    ...(requests === null || requests === 0
      ? []
      : [
          {
            heading: 'std. error',
            align: 'right' as const,
            cells: [...rows, ...nobody].map((portion) => `± ${points(standardError(portion, requests))}`),
          },
        ]),
  ];
  const longest = Math.max(...rows.map(({ share }) => share), 0);
  const bars = layout.bars
    ? [...rows.map(({ share }) => (longest === 0 ? 0 : share / longest)), ...nobody.map(() => 0)]
    : undefined;
  const lines = table(columns, { width: layout.width, indent: 4, paint: layout.paint, bars });
  const [first, last] = [most[EXTREMES], least[0]];
  if (first === undefined || last === undefined) return lines;
  const others = counted(hosts.length - rows.length, 'host');
  const between = `… ${others} in between: ${percent(last.share)} to ${percent(first.share)} (--all lists them)`;
  return [...lines, ...wrap(between, layout.width, '    ').map(layout.paint.faint)];
}

/** As the first `count` after sorting, but in one pass: a large cluster is shown many times. */
function firstBy<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const item of items) {
    const last = first[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    const place = first.findIndex((other) => compare(item, other) < 0);
    first.splice(place < 0 ? first.length : place, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

/** Two digits after the point, as exact shares deserve; what is not nothing does not read as 0. */
function percent(share: number): string {
  if (share > 0 && share < 0.00005) return '<0.01 %';
  return `${(share * 100).toFixed(2)} %`;
}

function points(share: number): string {
  if (share === 0) return '0 %';
  const digits = share >= 0.001 ? 2 : Math.min(9, 1 - Math.floor(Math.log10(share * 100)));
  return `${(share * 100).toFixed(digits)} %`;
}
