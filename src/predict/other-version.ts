import { PROXY_VERSIONS, type ProxyVersion } from '../core/version.js';
import type { Scenario } from '../scenario/model.js';
import { predict } from './predict.js';
import type { PredictedSplit, Prediction } from './generated/prediction.js';
import { splitBetween } from './cluster-prediction.js';
import { largest, sum } from '../core/values.js';
import { demand, oneOf, SCENARIO, withMembers } from '../core/arguments.js';

/** The largest difference between the split of a scenario and that of another version of the proxy. */
export interface VersionDifference {
  readonly version: ProxyVersion;
  readonly cluster: string;
  readonly from_s: number;
  readonly to_s: number;
  /** What the share belongs to: a zone, a priority or a host. */
  readonly of: { readonly kind: 'locality' | 'priority' | 'host'; readonly name: string };
  /** 0–1 */
  readonly share: number;
  readonly other_share: number;
}

/** Shares that differ by less are rounding, or not worth a line. */
export const WORTH_A_LINE = 0.005;
/** With more clusters or hosts than this, a second prediction would take too long. */
const MAX_CLUSTERS = 200;
const MAX_HOSTS = 2000;

const VERSION = oneOf(PROXY_VERSIONS);
const OWN = withMembers('{prediction}, or what createSimulation returns', 'prediction');

/**
 * undefined: all proxies are of that version, it splits alike, or there is too much to compare.
 *
 * @param own a run, or what else makes the prediction of the scenario as it is on demand.
 */
export async function differenceAt(
  scenario: Scenario,
  own: { readonly prediction: Prediction | undefined },
  version: ProxyVersion,
): Promise<VersionDifference | undefined> {
  demand('differenceAt', ['scenario', scenario, SCENARIO], ['own', own, OWN], ['version', version, VERSION]);
  const { proxies, clusters } = scenario;
  if (proxies.every((proxy) => proxy.version === version) || clusters.length > MAX_CLUSTERS) return undefined;
  const { prediction } = own;
  if (prediction === undefined || hostsIn(prediction) > MAX_HOSTS) return undefined;
  const otherwise = { ...scenario, proxies: proxies.map((proxy) => ({ ...proxy, version })) };
  return largestDifference(prediction, await predict(otherwise, { exactOnly: true }), version);
}

/** The hosts of all clusters, wherever they come from: of each the most that one of its phases has. */
const hostsIn = ({ clusters }: Prediction): number =>
  sum(Object.values(clusters).map(({ phases }) => largest(phases.map(({ hosts }) => hosts.length))));

function largestDifference(own: Prediction, other: Prediction, version: ProxyVersion): VersionDifference | undefined {
  let largest: VersionDifference | undefined;
  const size = (one: VersionDifference): number => Math.abs(one.share - one.other_share);
  for (const [cluster, { phases }] of Object.entries(own.clusters)) {
    const counterpart = other.clusters[cluster];
    if (counterpart === undefined) continue;
    for (const phase of phases) {
      const { from_s, to_s } = phase;
      const otherwise = splitBetween(counterpart, from_s, to_s);
      if (phase.requests === 0 || phase.method === 'none' || otherwise === undefined || otherwise.method === 'none')
        continue;
      for (const difference of differences(phase, otherwise)) {
        const found = { version, cluster, from_s, to_s, ...difference };
        const bound = WORTH_A_LINE + (phase.error ?? 0) + (otherwise.error ?? 0);
        if (size(found) > bound && (largest === undefined || size(found) > size(largest))) largest = found;
      }
    }
  }
  return largest;
}

type Difference = Pick<VersionDifference, 'of' | 'share' | 'other_share'>;

/** By zone where there are several, else by priority, else by host: the coarsest that shows it. */
function differences(own: PredictedSplit, other: PredictedSplit): Difference[] {
  if (own.localities.length > 1) {
    const nameOf = ({ locality }: PredictedSplit['localities'][number]): string =>
      [locality.region, locality.zone, locality.sub_zone].filter((part) => part !== '').join('/');
    return compared('locality', own.localities, other.localities, nameOf);
  }
  if (own.priorities.length > 1)
    return compared('priority', own.priorities, other.priorities, ({ priority }) => String(priority));
  return compared('host', own.hosts, other.hosts, ({ address }) => address);
}

function compared<Part extends { readonly share: number }>(
  kind: Difference['of']['kind'],
  own: readonly Part[],
  other: readonly Part[],
  nameOf: (part: Part) => string,
): Difference[] {
  const others = new Map(other.map((part) => [nameOf(part), part.share]));
  return own.map((part) => {
    const name = nameOf(part);
    return { of: { kind, name }, share: part.share, other_share: others.get(name) ?? 0 };
  });
}
