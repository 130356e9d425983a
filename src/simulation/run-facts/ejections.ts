import { groupBy } from '../../core/lists.js';
import { type Micros, microsToSeconds } from '../../core/units.js';
import type { RunFact } from '../../result/facts.js';
import type { HostReturn } from '../cluster-world.js';
import { type ClusterRun, inProxy } from './cluster-run.js';

/** With more hosts than this, only the events show their times. */
const MAX_KINDS = 2;

/** Why ejected hosts came back when they did, and each time later. */
export function ejectionTimes(run: ClusterRun): RunFact[] {
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
    return { kind: 'ejection_times', hosts, ...timesOf(alike[0] ?? []), ...inProxy(run, known.proxy) };
  });
}

function timesOf(returns: readonly HostReturn[]): Pick<Extract<RunFact, { kind: 'ejection_times' }>, 'out_s' | 'rule'> {
  const out_s = returns.map((one) => microsToSeconds(outUs(one)));
  const byTime = returns.filter(({ cause }) => cause === 'ejection_time_over');
  const [first] = byTime;
  if (first === undefined) return { out_s };
  const limitUs = byTime.find(({ time }) => time.limitUs !== undefined)?.time.limitUs;
  return {
    out_s,
    rule: {
      base_s: microsToSeconds(first.time.baseUs),
      factors: byTime.map(({ time }) => time.factor),
      ...(limitUs !== undefined && { max_s: microsToSeconds(limitUs) }),
      jitter: byTime.some(({ time }) => time.jitterUs > 0),
      interval_s: microsToSeconds(first.intervalUs),
    },
  };
}

function outUs({ ejectedAtUs, backAtUs }: HostReturn): Micros {
  return backAtUs - ejectedAtUs;
}

/** Detected outliers that were not ejected, since too many hosts would have been out. */
export function ejectionsRefused(run: ClusterRun): RunFact[] {
  const [worst] = run.clusters
    .flatMap(({ parts: { outliers }, proxyName }) => (outliers === undefined ? [] : [{ outliers, proxyName }]))
    .sort((a, b) => b.outliers.stats.ejectionsOverflow - a.outliers.stats.ejectionsOverflow);
  const refused = worst?.outliers.stats.ejectionsOverflow ?? 0;
  if (worst === undefined || refused === 0) return [];
  const { maxEjectionPercent, hosts, mayBeOut } = worst.outliers.detector;
  const limits = { max_ejection_percent: maxEjectionPercent, may_be_out: mayBeOut, hosts };
  return [{ kind: 'ejections_refused', times: refused, ...inProxy(run, worst.proxyName), ...limits }];
}
