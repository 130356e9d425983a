import { causesText } from '../words/happenings.js';
import type {
  Verification,
  VerifiedCount,
  VerifiedKeys,
  VerifiedSituation,
  VerifiedSplit,
} from '../analysis/verify/verification.js';
import { printable } from '../core/printable.js';
import { count, counted, decimal, listed } from './format.js';
import { inputLines, type ReportLayout, leading, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

export function verifyReport(found: Verification, layout: ReportLayout): readonly string[] {
  const { width, paint } = layout;
  const { situations } = found;
  const versions = `Envoy ${found.proxy_version} · lbsim as ${found.simulated_version}`;
  const lines = leading(printable(found.scenario), comparedFacts(found), width, paint);
  lines.push(...inputLines(found.input, width));
  lines.push(`${versions} · ${counted(situations.length, 'situation')}`, '', ...wrap(verdict(found), width));
  for (const situation of situations) lines.push('', ...situationLines(situation, layout));
  if (situations.length > 0 && found.not_compared.length > 0) {
    lines.push('', 'not compared');
    for (const { what, why } of found.not_compared)
      lines.push(...wrap(`${printable(what)}: ${why}`, width, '  ', '    '));
  }
  return lines;
}

function comparedFacts({ situations, not_compared: left }: Verification): readonly string[] {
  if (situations.length === 0) return ['nothing compared'];
  return ['picks of hosts and statistics compared', ...left.map(({ what }) => `not ${printable(what)}`)];
}

function verdict({ situations, agrees, not_compared: left }: Verification): string {
  if (situations.length === 0) {
    const reasons = left.map(({ what, why }) => `${printable(what)}: ${why}`);
    return `Nothing could be compared: ${reasons.length === 0 ? 'the scenario has no requests' : reasons.join('; ')}.`;
  }
  const splits = situations.flatMap((one) => one.splits);
  const requests = splits.reduce((sum, split) => sum + split.requests, 0);
  const keys = splits.reduce((sum, split) => sum + (split.keys?.compared ?? 0), 0);
  const orders = splits.filter(({ order }) => order !== undefined).length;
  const stats = situations.reduce((sum, one) => sum + one.stats.length, 0);
  const what = [
    `${counted(splits.length, 'split')} of ${count(requests)} requests`,
    ...(keys > 0 ? [`the hosts of ${count(keys)} keys`] : []),
    ...(orders > 0 ? [`${counted(orders, 'order')} of picks`] : []),
    `${count(stats)} statistics`,
  ];
  if (agrees) return `The proxy and lbsim agree${left.length > 0 ? ' in what was compared' : ''}: ${listed(what)}.`;
  const wrong = splits.filter((split) => !split.agrees);
  const where = [
    ...new Set(wrong.map(({ cluster, workload }) => `${cluster} (${workload})`)),
    ...new Set(situations.flatMap((one) => one.stats.filter((stat) => !stat.agrees).map(({ name }) => name))),
  ];
  return `The proxy and lbsim differ: ${printable(listed(where))}. Compared were ${listed(what)}.`;
}

function situationLines(situation: VerifiedSituation, layout: ReportLayout): readonly string[] {
  const { width, all } = layout;
  const { from_s: from, to_s: to, proxy, causes } = situation;
  const lines = wrap(
    `${decimal(from, 3)} to ${decimal(to, 3)} s, ${printable(proxy)}: ${printable(causesText(causes))}`,
    width,
  );
  for (const split of situation.splits) {
    lines.push(
      ...wrap(`${printable(`${split.cluster} (${split.workload})`)}: ${findings(split)}`, width, '  ', '    '),
    );
    if (all || !split.agrees) lines.push(...rowTable(rowsOf(split), 'host', layout));
    for (const { key, proxy: theirs, lbsim } of split.keys?.different ?? []) {
      const text = `key ${printable(key)}: the proxy ${theirs ?? 'no host'}, lbsim ${lbsim ?? 'no host'}`;
      lines.push(...wrap(text, width, '    ', '      '));
    }
  }
  const stats = all ? situation.stats : situation.stats.filter(({ agrees }) => !agrees);
  if (stats.length > 0) lines.push(...rowTable(stats, 'statistic', layout));
  return lines;
}

function findings({ keys, order, hosts, no_host: noHost, requests, agrees }: VerifiedSplit): string {
  const served = hosts.filter(({ proxy, lbsim }) => proxy > 0 || lbsim > 0).length;
  const found = [
    `${count(requests)} requests over ${counted(served, 'host')}`,
    ...(noHost.proxy > 0 ? [`${count(noHost.proxy)} without a host`] : []),
    agrees ? 'alike' : 'DIFFERENT',
    ...(keys === undefined ? [] : [keysText(keys)]),
    ...(order === undefined ? [] : [order.agrees ? `the same ${order.kind}` : `a different ${order.kind}`]),
  ];
  return found.join(', ');
}

function keysText({ differ, compared }: VerifiedKeys): string {
  return differ === 0 ? `all ${count(compared)} keys too` : `${count(differ)} of ${count(compared)} keys elsewhere`;
}

function rowsOf({ hosts, no_host: noHost, other }: VerifiedSplit): readonly Row[] {
  return [
    ...hosts.map((host) => ({ name: host.address, ...host })),
    ...[
      { name: 'no host', ...noHost },
      { name: 'no answer', ...other },
    ].filter(({ proxy, lbsim }) => proxy > 0 || lbsim > 0),
  ];
}

interface Row extends VerifiedCount {
  readonly name: string;
}

function rowTable(rows: readonly Row[], heading: string, layout: ReportLayout): string[] {
  const { name, number, text } = columnsOf(rows);
  const columns = [
    name(heading, (row) => printable(row.name)),
    number('proxy', ({ proxy }) => count(proxy)),
    number('lbsim', ({ lbsim }) => decimal(lbsim, 1)),
    text('', ({ agrees }) => (agrees ? '' : 'differs')),
  ];
  return table(columns, layout, 4);
}
