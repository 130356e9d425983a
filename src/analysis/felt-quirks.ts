import { type ProxyVersion, type Quirk, type QuirkName, quirkOf, turned, unplacedQuirks } from '../core/version.js';
import { WORTH_A_LINE } from '../predict/other-version.js';
import { hostId } from '../result/phases.js';
import type { ClusterResult, RunResult } from '../result/run-result.js';
import type { Scenario } from '../scenario/model.js';
import { NO_PAUSE, type Pause } from './pause.js';
import { runScenario } from './run/run-scenario.js';

/** What a scenario shows of a difference between releases of the proxy: the largest change of its kind. */
export type QuirkEffect =
  | Readonly<{ kind: 'share'; cluster: string; host: string; share: number; other: number }>
  | { readonly kind: 'failures'; readonly cluster: string; readonly share: number; readonly other: number }
  /** null: there is no such statistic. */
  | { readonly kind: 'statistic'; readonly name: string; readonly value: number | null; readonly other: number | null };

/** A difference between releases that a scenario feels. */
export interface FeltQuirk extends Quirk {
  readonly quirk: string;
  /** At least one; `share` and `value` as the scenario stands, `other` with the difference alone. */
  readonly effects: readonly QuirkEffect[];
}

/** The requests of all runs together: more would take minutes. */
const MAX_REQUESTS = 20_000_000;

/**
 * Which differences between releases a scenario feels: each is tried by itself, in a run with the same seed.
 * @param base what the scenario gives as it stands, to its end.
 * @returns undefined: there are too many requests to try them.
 */
export async function feltQuirks(
  scenario: Scenario,
  base: RunResult,
  quirks: readonly QuirkName[],
  pause: Pause = NO_PAUSE,
): Promise<readonly FeltQuirk[] | undefined> {
  if (quirks.length === 0) return [];
  if (base.totals.requests * (quirks.length + 1) > MAX_REQUESTS) return undefined;
  const effects = async (names: readonly QuirkName[]): Promise<readonly QuirkEffect[]> => {
    const turn = (version: ProxyVersion): ProxyVersion => turned(version, names);
    const proxies = scenario.proxies.map((proxy) => ({ ...proxy, version: turn(proxy.version) }));
    return effectsBetween(base, await runScenario({ ...scenario, proxies }, {}, pause));
  };
  if ((await effects(quirks)).length === 0) return [];
  const felt: FeltQuirk[] = [];
  for (const quirk of quirks) {
    const own = await effects([quirk]);
    if (own.length > 0) felt.push({ quirk, ...quirkOf(quirk), effects: own });
  }
  return felt;
}

/** What nobody knows of the versions of a scenario, and it would feel. */
export async function unplacedEffects(
  scenario: Scenario,
  base: RunResult,
  pause?: Pause,
): Promise<readonly FeltQuirk[] | undefined> {
  const [{ version } = { version: undefined }] = scenario.proxies;
  if (version === undefined || scenario.proxies.some((proxy) => proxy.version !== version)) return [];
  return feltQuirks(scenario, base, unplacedQuirks(version), pause);
}

function effectsBetween(base: RunResult, other: RunResult): readonly QuirkEffect[] {
  const shares: QuirkEffect[] = [];
  const failures: QuirkEffect[] = [];
  for (const [cluster, own] of Object.entries(base.clusters)) {
    const counterpart = other.clusters[cluster];
    if (counterpart === undefined) continue;
    const others = new Map(counterpart.hosts.map((host) => [hostId(host), host.share]));
    for (const host of own.hosts) {
      const share = others.get(hostId(host)) ?? 0;
      if (isFar(host.share, share, own.requests))
        shares.push({ kind: 'share', cluster, host: host.address, share: host.share, other: share });
    }
    const [failed, failedThere] = [failedPart(own), failedPart(counterpart)];
    if (isFar(failed, failedThere, own.success + own.failed))
      failures.push({ kind: 'failures', cluster, share: failed, other: failedThere });
  }
  const size = (effect: QuirkEffect): number =>
    effect.kind === 'statistic' ? 0 : Math.abs(effect.share - effect.other);
  const most = [failures, shares].flatMap((effects) => effects.sort((a, b) => size(b) - size(a)).slice(0, 1));
  // Statistics follow from what hosts got: they are told where nothing else is.
  return most.length > 0 ? most : statisticEffects(base, other).slice(0, 1);
}

const failedPart = ({ success, failed }: ClusterResult): number => (failed === 0 ? 0 : failed / (success + failed));

/** Another order of draws gives other counts: this many standard errors are none of them. */
const SIGMAS = 6;

function isFar(a: number, b: number, count: number): boolean {
  const mean = (a + b) / 2;
  return Math.abs(a - b) > Math.max(WORTH_A_LINE, SIGMAS * Math.sqrt((2 * mean * (1 - mean)) / Math.max(1, count)));
}

function statisticEffects({ stats: own }: RunResult, { stats: other }: RunResult): readonly QuirkEffect[] {
  const [values, others] = [own, other].map(({ counters, gauges }) => ({ ...counters, ...gauges }));
  const names = new Set([...Object.keys(values ?? {}), ...Object.keys(others ?? {})]);
  return [...names].flatMap((name): readonly QuirkEffect[] => {
    const [value = null, there = null] = [values?.[name], others?.[name]];
    const [a, b] = [value ?? 0, there ?? 0];
    const isThere = (value === null) !== (there === null);
    if (!isThere && Math.abs(a - b) <= SIGMAS * Math.sqrt(a + b + 1)) return [];
    return [{ kind: 'statistic', name, value, other: there }];
  });
}
