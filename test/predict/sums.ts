import type { PredictedHost, PredictedSplit, Prediction } from '../../src/predict/generated/prediction.js';
import { standardError } from '../../src/result/expected.js';
import { splitBetween } from '../../src/predict/cluster-prediction.js';
import type { PhaseResult, RunResult } from '../../src/result/run-result.js';
import type { PredictedPortion } from '../../src/result/expected.js';

/** Parts by what they belong to. */
type Parts = Readonly<Record<string, number>>;

/** What of a prediction does not add up: parts to wholes, phases to the run, proxies to all. */
export function notAddingUp({ clusters, proxies }: Prediction): string[] {
  const found: string[] = [];
  const check = (where: string, own: Parts, sum: Parts): void => {
    for (const name of new Set([...Object.keys(own), ...Object.keys(sum)])) {
      const [a, b] = [own[name] ?? 0, sum[name] ?? 0];
      if (!(Math.abs(a - b) <= 1e-8)) found.push(`${where} ${name}: ${a} is not ${b}`);
    }
  };
  for (const [name, cluster] of Object.entries(clusters)) {
    for (const split of [cluster, ...cluster.phases])
      checkSplit(`${name} ${'from_s' in split ? split.from_s : ''}`, split);
    const { phases } = cluster;
    if (cluster.requests !== null && cluster.requests > 0) {
      check(`${name} over phases`, portions(cluster), meanOf(phases));
      check(`${name} requests`, { all: cluster.requests }, { all: total(phases) });
    }
    const [first, last] = [phases[0], phases.at(-1)];
    if (first !== undefined && last !== undefined && total(phases) > 0) {
      const joined = splitBetween(cluster, first.from_s, last.to_s);
      if (joined !== undefined && joined.method !== 'none') {
        check(
          `${name} joined`,
          { ...portions(joined), requests: joined.requests ?? 0 },
          { ...meanOf(phases), requests: total(phases) },
        );
        checkSplit(`${name} joined`, joined);
      }
    }
    const own = Object.values(proxies).flatMap((proxy) => proxy.clusters[name] ?? []);
    const known = own.filter(({ requests }) => requests !== null && requests > 0);
    if (own.length > 0 && known.length === own.length) check(`${name} over proxies`, portions(cluster), meanOf(known));
  }
  return found;

  function checkSplit(where: string, split: PredictedSplit): void {
    if (split.method === 'none') return;
    const { hosts, localities, priorities, subsets, no_host: nobody } = split;
    const none = nobody?.share ?? 0;
    const all = hosts.reduce((sum, { share }) => sum + share, none);
    check(where, { all }, { all: 1 });
    const by = (keyOf: (host: PredictedSplit['hosts'][number]) => string): Parts => grouped(hosts, keyOf);
    check(
      `${where} locality`,
      grouped(localities, ({ locality }) => JSON.stringify(locality)),
      by(({ locality }) => JSON.stringify(locality)),
    );
    check(
      `${where} priority`,
      grouped(priorities, ({ priority }) => String(priority)),
      by(({ priority }) => String(priority)),
    );
    if (subsets.length > 0)
      check(`${where} subsets`, { all: subsets.reduce((sum, { share }) => sum + share, 0) }, { all: 1 - none });
    for (const { address, share, variance } of hosts)
      if (variance < 0 || variance > share * (1 - share) + 1e-8)
        found.push(`${where} ${address}: a variance of ${variance}`);
  }
}

function grouped<Part extends { readonly share: number }>(
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): Parts {
  const sums: Record<string, number> = {};
  for (const part of parts) sums[keyOf(part)] = (sums[keyOf(part)] ?? 0) + part.share;
  return sums;
}

function portions({ method, hosts, localities, priorities, subsets, no_host: nobody }: PredictedSplit): Parts {
  if (method === 'none') return {};
  return {
    ...grouped(hosts, hostKey),
    ...grouped(localities, ({ locality }) => JSON.stringify(locality)),
    ...grouped(priorities, ({ priority }) => `priority ${priority}`),
    ...grouped(subsets, ({ subset }) => `subset ${subset}`),
    nobody: nobody?.share ?? 0,
  };
}

function total(splits: readonly PredictedSplit[]): number {
  return splits.reduce((sum, { requests }) => sum + (requests ?? 0), 0);
}

/** Of the parts of splits by their requests; nothing where one of them is not predicted. */
function meanOf(splits: readonly PredictedSplit[]): Parts {
  const sent = splits.filter(({ requests }) => requests !== 0);
  if (sent.some(({ method }) => method === 'none')) return {};
  const all = total(sent);
  const sums: Record<string, number> = {};
  for (const split of sent)
    for (const [name, share] of Object.entries(portions(split)))
      sums[name] = (sums[name] ?? 0) + (share * (split.requests ?? 0)) / all;
  return sums;
}

/** Shares of subsets that lie further from a run's than five standard errors of independent draws, and what the prediction may be off by. */
export function subsetsOff(run: RunResult, prediction: Prediction): string[] {
  return Object.entries(run.clusters).flatMap(([name, { subsets, requests }]) => {
    const predicted = prediction.clusters[name];
    if (predicted === undefined || predicted.method === 'none' || requests === 0) return [];
    const counted = grouped(subsets, ({ subset }) => subset);
    const expected = grouped(predicted.subsets, ({ subset }) => subset);
    return [...new Set([...Object.keys(counted), ...Object.keys(expected)])].flatMap((subset) => {
      const [own, share] = [counted[subset] ?? 0, expected[subset] ?? 0];
      const bound = 5 * Math.sqrt((share * (1 - share)) / requests) + (predicted.error ?? 0) + 2 / requests;
      return Math.abs(own - share) <= bound ? [] : [`${name} ${subset}: ${own} instead of ${share}`];
    });
  });
}

/** Where a run of a prediction shows other shares as predicted than that prediction has, or another distance from them. */
export function shownElsewhere(run: RunResult, { clusters }: Prediction): string[] {
  const found: string[] = [];
  for (const [name, cluster] of Object.entries(run.clusters)) {
    const predicted = clusters[name];
    if (predicted === undefined) continue;
    compare(name, cluster, predicted);
    const known = portions(predicted);
    if (predicted.method === 'exact' && cluster.requests > 0) {
      for (const { locality, predicted_share: shown } of cluster.localities)
        if (shown !== undefined) differ(`${name} locality`, shown, known[JSON.stringify(locality)]);
      for (const { priority, predicted_share: shown } of cluster.priorities)
        if (shown !== undefined) differ(`${name} priority`, shown, known[`priority ${priority}`]);
    }
    for (const phase of cluster.phases) {
      const twin = splitBetween(predicted, phase.from_s, phase.to_s);
      if (twin !== undefined) compare(`${name} ${phase.from_s} s`, phase, twin);
    }
  }
  return found;

  function differ(where: string, shown: number | undefined, share: number | undefined): void {
    if (shown === undefined || Math.abs(shown - (share ?? 0)) > 1e-9) found.push(`${where}: ${shown} for ${share}`);
  }

  function compare(
    where: string,
    own: Pick<PhaseResult, 'requests' | 'hosts' | 'no_host'>,
    split: PredictedSplit,
  ): void {
    if ((split.method !== 'exact' && split.method !== 'numeric') || own.requests === 0) return;
    const twinOf = (host: PhaseResult['hosts'][number]): PredictedPortion | undefined =>
      split.hosts.find((one) => hostKey(one) === hostKey(host));
    const pairs = own.hosts.map((host) => [hostKey(host), host, twinOf(host)] as const);
    for (const [name, portion, twin] of [...pairs, ['nobody', own.no_host, split.no_host] as const]) {
      const { predicted_share: shown, predicted_z: z, share } = portion;
      if (twin === undefined) continue;
      differ(`${where} ${name}`, shown, twin.share);
      if (z !== undefined && twin.share > 0)
        differ(`${where} ${name} z`, z, (share - twin.share) / standardError(twin, own.requests) || 0);
    }
  }
}

function hostKey({ priority, locality, address }: Pick<PredictedHost, 'priority' | 'locality' | 'address'>): string {
  return `${priority} ${JSON.stringify(locality)} ${address}`;
}
