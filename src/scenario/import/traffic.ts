import type { Struct } from '../../core/json.js';
import type { Scenario } from '../model.js';
import { nodeOf } from '../nodes.js';
import { formatDuration, formatRate } from '../units.js';
import { comment } from './comment.js';
import type { Rates } from './rates.js';
import { yamlLines } from './yaml-text.js';

const NOWHERE = { start: 0, end: 0 };

/** A run of so many requests takes seconds. */
const MAX_REQUESTS = 1_000_000;
const MIN_REQUESTS = 100;
const USUAL_S = 60;
const MAX_S = 24 * 3600;

/** `workloads`, and what is said of them. */
export interface Traffic {
  readonly lines: readonly string[];
  readonly says: readonly string[];
}

/** The requests that pages of /stats tell of; without them a comment on what is sent then. */
export function trafficOf(scenario: Scenario, rates: Rates | undefined, followsRoutes: boolean): Traffic {
  if (rates === undefined && followsRoutes) return routed(scenario);
  if (rates === undefined) {
    const name = scenario.clusters[0]?.name ?? 'backend';
    return {
      lines: [
        ...comment('The traffic is not known: without workloads there are 1000/s for 10 s to each cluster with hosts.'),
        ...comment('A page of /stats gives it: lbsim import … stats.json. Or write it:'),
        ...comment('workloads:'),
        ...yamlLines(nodeOf([{ cluster: name, arrivals: '100/s', stop: '60s' }], NOWHERE), 2).flatMap((line) =>
          comment(line),
        ),
      ],
      says: ['no page of /stats was given: the traffic is the default one'],
    };
  }
  const sent = scenario.clusters.flatMap((cluster) => {
    const rate = rates.clusters.get(statName(cluster));
    return rate === undefined || rate.requests === 0 ? [] : [{ cluster, rate }];
  });
  const idle = scenario.clusters
    .filter((cluster) => !sent.some((one) => one.cluster === cluster))
    .map(({ name }) => name);
  const restarted = scenario.clusters
    .filter((cluster) => rates.restarted.has(statName(cluster)))
    .map(({ name }) => name);
  if (sent.length === 0) {
    const none = 'the pages of /stats tell of no request to any of these clusters';
    return {
      lines: comment(`${none}; without workloads there are 1000/s for 10 s to each cluster with hosts.`),
      says: [none],
    };
  }
  const perSecond = sent.reduce((sum, { rate }) => sum + rate.perSecond, 0);
  const most = Math.floor(MAX_REQUESTS / perSecond);
  const least = Math.ceil(MIN_REQUESTS / perSecond);
  const stop = `${Math.max(1, Math.min(most, Math.max(USUAL_S, Math.min(least, MAX_S))))}s`;
  const lines = comment(
    `Requests as counted by the proxy in ${formatSeconds(rates.seconds)}, upstream_rq_total without upstream_rq_retry: their mean rates.`,
  );
  lines.push('workloads:');
  for (const { cluster, rate } of sent) {
    const keys = cluster.lbPolicy === 'RING_HASH' || cluster.lbPolicy === 'MAGLEV';
    const workload = nodeOf(
      {
        name: cluster.name,
        cluster: cluster.name,
        arrivals: formatRate(Number(rate.perSecond.toPrecision(6))),
        stop,
        // Every request with a key of its own, as in the default traffic.
        ...(keys ? { hash_key: { sequence: { keys: 1_000_000, prefix: 'key-' } } } : {}),
      },
      NOWHERE,
    );
    const [one = '', ...more] = yamlLines({ kind: 'list', items: [workload], ...NOWHERE }, 2);
    const retried = rate.retries === 0 ? '' : `, and ${rate.retries} retries`;
    lines.push(`${one}  # ${rate.requests} requests${retried}`, ...more);
  }
  const hashed = sent.some(({ cluster }) => cluster.lbPolicy === 'RING_HASH' || cluster.lbPolicy === 'MAGLEV');
  if (hashed) lines.push(...comment('hash_key: which keys there were is not known; here each request has its own.', 2));
  if (restarted.length > 0) lines.push(...comment(`counters began anew between the pages: ${restarted.join(', ')}`, 2));
  const others = idle.filter((name) => !restarted.includes(name));
  if (others.length > 0) lines.push(...comment(`no requests: ${others.join(', ')}`, 2));
  const says = [
    `the workloads are mean rates over ${formatSeconds(rates.seconds)}: ${sent.length} of ${scenario.clusters.length} clusters have requests`,
  ];
  if (restarted.length > 0)
    says.push(`counters of ${restarted.join(', ')} began anew between the pages: no rate is known`);
  return { lines, says };
}

/** What routes send: without them a scenario would not have it. */
function routed({ workloads }: Scenario): Traffic {
  const lines = comment('The traffic as the routes send it. Rates are made up: a page of /stats gives them.');
  lines.push('workloads:');
  for (const { name, route, arrivals, stopUs, hashKey, metadataMatch } of workloads) {
    const [only, ...more] = route;
    const match = only?.metadataMatch === undefined ? metadataMatch : { ...metadataMatch, ...only.metadataMatch };
    const target = { cluster: only?.cluster, ...labels(match) };
    const several = {
      route: route.map((entry) => ({ cluster: entry.cluster, weight: entry.weight, ...labels(entry.metadataMatch) })),
      ...labels(metadataMatch),
    };
    const workload = {
      name,
      ...(more.length === 0 ? target : several),
      arrivals: formatRate(arrivals.kind === 'poisson' ? arrivals.perSecond : 0),
      ...(stopUs === undefined ? {} : { stop: formatDuration(stopUs) }),
      ...(hashKey?.kind === 'sequence'
        ? { hash_key: { sequence: { keys: hashKey.keys, prefix: hashKey.prefix } } }
        : {}),
    };
    lines.push(...yamlLines(nodeOf([workload], NOWHERE), 2));
  }
  return { lines, says: ['the traffic follows the routes of the files; its rates are made up'] };
}

function labels(metadataMatch: Struct | undefined): { readonly metadata_match?: Struct } {
  return metadataMatch === undefined ? {} : { metadata_match: metadataMatch };
}

/** The name that statistics have of a cluster. */
function statName({ name, altStatName }: Scenario['clusters'][number]): string {
  return (altStatName === '' ? name : altStatName).replaceAll(':', '_');
}

function formatSeconds(value: number): string {
  return `${Number(value.toFixed(3))} s`;
}
