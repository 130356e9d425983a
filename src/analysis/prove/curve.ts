import { groupBy, sum } from '../../core/values.js';
import { type Losses, NEGLIGIBLE, NoPrediction } from './losses.js';
import type { Unit } from './loss-units.js';
import { eachCluster } from './prove.js';
import type { Scenario } from '../../scenario/model.js';
import { CurveOptions } from '../generated/options.js';
import { NO_PAUSE } from '../pause.js';
import { lbPolicyName } from '../../policy/registry.js';
import { shareOf } from '../../core/rounding.js';
import { localityKey } from '../../host/host.js';
import { reportOrder } from '../../host/report-order.js';
import type { HostRow } from '../../result/phase-hosts.js';
import { demand, SCENARIO, TEXT } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import { lbPolicyOf } from '../../config/policy/of-cluster.js';
import { answerHead } from '../../scenario/origin.js';
import type { Curve, CurveEdge, CurvePoint } from './generated/findings.js';

/** The curve of losing hosts one by one, without words. @throws NoPrediction */
export async function curve(scenario: Scenario, lose: string, options: CurveOptions = {}): Promise<Curve> {
  demand(
    'curve',
    ['scenario', scenario, SCENARIO],
    ['lose', lose, TEXT],
    ['options', options, optionsIn(CurveOptions)],
  );
  const { pause = NO_PAUSE, cluster } = options;
  const found: { readonly losses: Losses; readonly order: readonly Unit[] }[] = [];
  let why: NoPrediction | undefined;
  await eachCluster(
    scenario,
    { clusters: cluster === undefined ? scenario.clusters.map(({ name }) => name) : [cluster] },
    [lose],
    (losses) => {
      const order = losses.selected(lose);
      if (order.length > 0) found.push({ losses, order });
    },
    (name, fact) => (why ??= new NoPrediction(fact, fact.kind === 'no_selector' ? undefined : name)),
  );
  const [first] = found;
  if (first === undefined) throw why ?? new NoPrediction({ kind: 'no_such_host', lose });
  const { losses, order } = first;
  const points: CurvePoint[] = [];
  const hosts = losses.named(order).addresses;
  const { rows, hosts: listed } = losses.rest;
  const known = new Set(listed.map(({ host }) => host.index));
  const levels = [...groupBy(listed, ({ cluster, priority }) => `${cluster} ${priority}`).values()].flatMap((own) =>
    own.slice(0, 1).map(({ cluster, priority }) => ({
      priority,
      ...(cluster !== losses.config.name && { cluster }),
      rows: [...new Set(own.map(({ host }) => host.index))],
    })),
  );
  for (let lost = 0; lost <= order.length; lost++) {
    await pause(lost / (order.length + 1));
    const { panic, failed, facts, shares, busiest, fullest } = await losses.lose(order.slice(0, lost));
    const zones = new Map<string, number>();
    for (const row of reportOrder(rows).filter((row) => known.has(row))) {
      const key = localityKey((rows[row] as HostRow).locality);
      zones.set(key, (zones.get(key) ?? 0) + (shares[row] ?? 0));
    }
    points.push({
      lost,
      host: hosts[lost - 1] ?? null,
      panic,
      failed,
      priorities: levels.map(({ rows: own, ...level }) => {
        return { ...level, share: shareOf(sum(own.map((row) => shares[row] ?? 0))) };
      }),
      zones: [...zones].map(([key, share]) => ({ zone: key.split('\u0000')[1] ?? '', share: shareOf(share) })),
      busiest: shareOf(busiest),
      fullest: fullest?.load ?? null,
      facts: facts(),
    });
  }
  const { name } = losses.config;
  return {
    ...answerHead(scenario),
    cluster: name,
    policy: lbPolicyName(lbPolicyOf(losses.config)),
    lose,
    points,
    edges: edgesOf(points),
    noticed_by: losses.noticedBy,
    facts: [...losses.notes()].flatMap((note) => (note.kind === 'tried_once' ? [{ ...note, clusters: [name] }] : [])),
  };
}

const edgesOf = (points: readonly CurvePoint[]): CurveEdge[] =>
  points.flatMap((point, index): CurveEdge[] => {
    const before = points[index - 1] ?? { panic: false, failed: 0 };
    const [fails, failed] = [point.failed > NEGLIGIBLE, before.failed > NEGLIGIBLE];
    const changes: CurveEdge['what'][] = [];
    if (point.panic !== before.panic) changes.push(point.panic ? 'panic begins' : 'panic ends');
    if (fails !== failed) changes.push(fails ? 'requests fail' : 'no more requests fail');
    return changes.map((what) => ({ lost: point.lost, what }));
  });
