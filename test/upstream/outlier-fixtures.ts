import type { Messages } from '../../src/config/api/generated/read-messages.js';
import { outlierSettings } from '../../src/config/to-settings.js';
import type { ProxyVersion } from '../../src/core/version.js';
import type { Host } from '../../src/host/host.js';
import { HealthFlag } from '../../src/host/host.js';
import { ScriptedRandom } from '../../src/random/random64.js';
import { type OriginEvent, OutlierStats } from '../../src/upstream/cause.js';
import { OutlierDetector } from '../../src/upstream/outlier-detector.js';
import { hostsOf, runtimeOf } from '../support/balancing.js';

export const SECOND = 1_000_000;

export interface Watched {
  readonly detector: OutlierDetector;
  readonly hosts: readonly Host[];
  readonly stats: OutlierStats;
  readonly random: ScriptedRandom;
  /** What the outside was told: "3 ejected consecutive_5xx". */
  readonly log: string[];
}

export interface WatchedOptions {
  readonly version?: ProxyVersion;
  readonly runtime?: Record<string, number>;
  /** Values drawn, in order; 0 afterwards. */
  readonly draws?: readonly number[];
  readonly hosts?: number;
  /** Called at each event, while the detector is at work. */
  readonly onEvent?: () => void;
}

/** A detector over hosts 0, 1, 2 …, with a configuration in the schema's words. */
export function watch(
  config: Partial<Messages['cluster.OutlierDetection']> = {},
  options: WatchedOptions = {},
): Watched {
  const hosts = hostsOf(options.hosts ?? 10);
  const stats = new OutlierStats();
  const random = new ScriptedRandom((options.draws ?? []).map((lo) => ({ hi: 0, lo })));
  const log: string[] = [];
  const note =
    (what: string) =>
    (host: Host, cause: string): void => {
      log.push(`${hosts.indexOf(host)} ${what} ${cause}`);
      options.onEvent?.();
    };
  const detector = new OutlierDetector(
    outlierSettings(config),
    options.version ?? '1.17',
    runtimeOf(options.runtime ?? {}),
    () => random,
    stats,
    { ejected: note('ejected'), unejected: note('unejected') },
  );
  for (const host of hosts) detector.addHost(host);
  return { detector, hosts, stats, random, log };
}

/** Answers of one host in a row; the main thread hears of a detection before the next answer. */
export function answer(watched: Watched, host: number, status: number, count: number, nowUs = 0): void {
  const target = watched.hosts[host] as Host;
  for (let i = 0; i < count; i++) {
    watched.detector.handleDetections(target, watched.detector.reportStatus(target, status), nowUs);
  }
}

export function happen(watched: Watched, host: number, event: OriginEvent, count = 1, status?: number): void {
  const target = watched.hosts[host] as Host;
  for (let i = 0; i < count; i++) {
    watched.detector.handleDetections(target, watched.detector.reportEvent(target, event, status), 0);
  }
}

export function isEjected(host: Host): boolean {
  return (host.flags & HealthFlag.FAILED_OUTLIER_CHECK) !== 0;
}

/** Indices of the hosts that are ejected. */
export function ejected({ hosts }: Watched): readonly number[] {
  return hosts.flatMap((host, index) => (isEjected(host) ? [index] : []));
}
