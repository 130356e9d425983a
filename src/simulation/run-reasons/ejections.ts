import { groupBy } from '../../core/lists.js';
import { count, counted, decimal, listed } from '../../core/words.js';
import { MICROS_PER_SECOND, type Micros } from '../../core/units.js';
import type { HostReturn } from '../cluster-world.js';
import { type ClusterRun, inProxy } from './run-reason.js';

/** With more hosts than this, only the events show their times. */
const MAX_KINDS = 2;
/** Of more ejections of one host than this only the first and the last are shown. */
const MAX_TIMES = 4;
const MAX_NAMED = 3;

/** Why ejected hosts came back when they did, and each time later. */
export function ejectionTimes(run: ClusterRun): string[] {
  const { returns } = run.world;
  const proxies = new Set(run.proxies.map(({ name }) => name));
  const known = returns.find(({ proxy }) => proxies.has(proxy));
  if (known === undefined) return [];
  const inOne = returns.filter(({ proxy }) => proxy === known.proxy);
  const byHost = groupBy(inOne, ({ address }) => address);
  const kinds = groupBy(byHost.values(), (times) => times.map(outUs).join());
  const shown = [...kinds.values()].slice(0, MAX_KINDS);
  return shown.map((alike) => {
    const hosts = alike.flatMap(([first]) => first?.address ?? []);
    return sentence(hosts, alike[0] ?? [], inProxy(run, known.proxy));
  });
}

/** @param where the proxy that had ejected them. */
function sentence(hosts: readonly string[], returns: readonly HostReturn[], where: string): string {
  const names = hosts.length > MAX_NAMED ? counted(hosts.length, 'host') : listed(hosts);
  const were = hosts.length === 1 ? 'was' : 'were';
  const out = `${names} ${were} out for ${series(returns.map((one) => seconds(outUs(one))))}${where}`;
  const byTime = returns.filter(({ cause }) => cause === 'ejection_time_over');
  const [first] = byTime;
  if (first === undefined) return `${out}: a passed health check ends an ejection`;
  const factors = series(byTime.map(({ time }) => `× ${time.factor}`));
  const limit = byTime.find(({ time }) => time.limitUs !== undefined)?.time.limitUs;
  const atMost = limit === undefined ? '' : `, at most max_ejection_time ${seconds(limit)}`;
  const jitter = byTime.some(({ time }) => time.jitterUs > 0) ? ', a jitter' : '';
  const rule = `base_ejection_time ${seconds(first.time.baseUs)} ${factors}${atMost}${jitter}`;
  return `${out}: ${rule}, and until the next sweep (interval ${seconds(first.intervalUs)})`;
}

/** "30 s, 60 s and 90 s"; of many the first and the last. */
function series(texts: readonly string[]): string {
  if (texts.length <= MAX_TIMES) return listed(texts);
  return `${texts.slice(0, MAX_TIMES - 1).join(', ')} … ${texts[texts.length - 1] ?? ''}`;
}

function outUs({ ejectedAtUs, backAtUs }: HostReturn): Micros {
  return backAtUs - ejectedAtUs;
}

function seconds(us: Micros): string {
  return `${decimal(Number((us / MICROS_PER_SECOND).toPrecision(3)), 3)} s`;
}

/** Detected outliers that were not ejected, since too many hosts would have been out. */
export function ejectionsRefused(run: ClusterRun): string[] {
  const [worst] = run.clusters
    .flatMap(({ parts: { outliers }, proxyName }) => (outliers === undefined ? [] : [{ outliers, proxyName }]))
    .sort((a, b) => b.outliers.stats.ejectionsOverflow - a.outliers.stats.ejectionsOverflow);
  const refused = worst?.outliers.stats.ejectionsOverflow ?? 0;
  if (worst === undefined || refused === 0) return [];
  const { maxEjectionPercent, hosts, mayBeOut } = worst.outliers.detector;
  const allowed = `max_ejection_percent, ${maxEjectionPercent} %, lets ${count(mayBeOut)} of ${counted(hosts, 'host')} be out`;
  return [
    `outlier detection would have ejected ${counted(refused, 'time')} more${inProxy(run, worst.proxyName)}: ${allowed}`,
  ];
}
