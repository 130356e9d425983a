import type { Clock } from '../core/environment.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { LocalityLoads } from '../hostset/load-aware-localities.js';
import type { LoadBalancer } from '../hostset/load-balancer.js';
import type { LoadReport } from '../policy/load-report.js';
import { ClientSideWeights, type ClientSideWeightsConfig } from '../policy/client-side-weights.js';
import type { OutOfBandStats } from '../core/generated/counts.js';
import type { RandomStream } from '../random/streams.js';
import type { HostRow } from '../result/phase-hosts.js';
import type { UpstreamCluster } from '../upstream/cluster.js';
import type { Environment } from './environment.js';

interface Listener {
  readonly updateUs: Micros;
  readonly oobUs: Micros | undefined;
  /** A change of hosts is an update too. */
  readonly followsHosts: boolean;
  /** @returns whether it is of use. */
  readonly reported: (host: Host, report: LoadReport) => boolean;
  /** @returns whether weights changed, so that balancers must be refreshed. */
  readonly tick: () => boolean;
}

export type HostWeights = ReturnType<typeof hostWeights>;

export function hostWeights(config: ClientSideWeightsConfig, clock: Clock, rows: readonly HostRow[]) {
  const weights = new ClientSideWeights<Host>(config);
  return {
    updateUs: config.updateUs,
    oobUs: config.oobUs,
    reported: (host: Host, report: LoadReport): boolean => weights.reported(host, report, clock.nowUs),
    /** Hosts of one priority have these weights from now on. @returns whether any of them is another one. */
    weigh: (hosts: readonly Host[]): boolean => {
      const found = weights.weights(hosts, clock.nowUs);
      let changed = false;
      for (const [index, host] of hosts.entries()) {
        const weight = found[index] as number;
        if (host.weight === weight) continue;
        host.weight = weight;
        changed = true;
        const row = rows[host.index];
        if (row !== undefined) row.weight = weight;
      }
      return changed;
    },
  };
}

/** A host that is down is asked again at a random moment within this time, which doubles with each failure. */
const BACK_OFF_US = 1_000_000;
const LONGEST_BACK_OFF_US = 30_000_000;

/**
 * The main thread applies them, by timers and with each change of hosts.
 * @param balancers of all threads. @param bySubset they weigh the hosts of each subset, with their updates and when asked to.
 */
export function loadReports(
  env: Environment,
  { priorities }: UpstreamCluster,
  balancers: readonly LoadBalancer[],
  weights: HostWeights | undefined,
  bySubset: boolean,
  loads: LocalityLoads | undefined,
  reportOf: (host: Host) => LoadReport | 'down' | undefined,
  random: RandomStream,
  stats: OutOfBandStats,
) {
  let isStopped = false;
  /** Who is asked to report by itself, and whether it ever did. */
  const sessions = new Map<Host, boolean>();
  const listeners: Listener[] = [];
  const update = (listener: Listener): void => {
    if (listener.tick()) for (const balancer of balancers) balancer.weightsChanged?.();
  };
  const armIn = (delayUs: Micros, listener: Listener): void =>
    env.timers.at(env.nowUs + delayUs, () => {
      if (isStopped) return;
      update(listener);
      armIn(listener.updateUs, listener);
    });
  const listen = (listener: Listener): void => {
    listeners.push(listener);
    armIn(env.firstDelayUs(listener.updateUs), listener);
  };
  const follow = (host: Host, listener: Listener, periodUs: Micros, delayUs: Micros, failures = 0): void => {
    env.timers.at(env.nowUs + delayUs, () => {
      if (isStopped || !sessions.has(host)) return;
      const report = reportOf(host);
      if (report === 'down') {
        stats.streamFailures++;
        const longestUs = Math.min(LONGEST_BACK_OFF_US, BACK_OFF_US * 2 ** failures);
        follow(host, listener, periodUs, Math.floor(random.uniform() * longestUs), failures + 1);
        return;
      }
      if (report === undefined && sessions.get(host) === false) {
        stats.streamTerminated++;
        sessions.delete(host);
        return;
      }
      if (report !== undefined) {
        sessions.set(host, true);
        stats.reportsReceived++;
        if (!listener.reported(host, report)) stats.reportErrors++;
      }
      follow(host, listener, periodUs, periodUs);
    });
  };
  if (weights !== undefined) {
    const { updateUs, oobUs, reported, weigh } = weights;
    const tick = (): boolean => bySubset || priorities.hostsByPriority().filter(weigh).length > 0;
    listen({ updateUs, oobUs, followsHosts: !bySubset, reported, tick });
  }
  if (loads !== undefined) {
    listen({
      updateUs: loads.config.updateUs,
      oobUs: loads.config.oobUs,
      followsHosts: false,
      reported: (host, report) => {
        loads.reported(host, report, env.nowUs);
        return true;
      },
      tick: () => {
        loads.tick(priorities.hostSets, env.nowUs);
        return true;
      },
    });
  }
  return {
    reported: (host: Host, report: LoadReport): void => {
      for (const listener of listeners) listener.reported(host, report);
    },
    /** The main thread has new lists, with the weights of discovery. */
    listsMade: (): void => {
      for (const listener of listeners) if (listener.followsHosts) update(listener);
    },
    /** Those that join report by themselves, if they are to, for the first time within one period. */
    members: (added: readonly Host[], removed: readonly Host[]): void => {
      for (const host of removed) sessions.delete(host);
      for (const listener of listeners) {
        const { oobUs } = listener;
        if (oobUs === undefined) continue;
        for (const host of added) {
          sessions.set(host, false);
          follow(host, listener, oobUs, Math.floor(random.uniform() * oobUs));
        }
      }
    },
    /** undefined: no host reports by itself. */
    outOfBand: listeners.some(({ oobUs }) => oobUs !== undefined) ? { stats, sessions } : undefined,
    stop: () => (isStopped = true),
  };
}
