import { panicsUnderLoad } from '../../result/cluster-overview.js';
import type { ClusterResult, PhaseResult, RunResult } from '../../result/run-result.js';
import { reasonTexts } from '../../words/reasons.js';
import { fill, SENTENCES } from '../../words/fill.js';
import {
  counted,
  listed,
  millis,
  nounOf,
  ofTheAnswered,
  percent,
  printable,
  sentence,
  shortPercentDigits,
} from '../format.js';
import { headlineOf } from './headline.js';
import { sharesText, areChance, expectedRows } from './host-shares.js';
import { ANY_TABLE, demand, optional, RESULT } from '../../core/arguments.js';

const WORDS = SENTENCES.run;

/**
 * The answer in sentences: what happened to users, how each cluster split, further remarks.
 *
 * @param told the clusters described one by one.
 */
export function answer(result: RunResult, told?: RunResult['clusters']): string[] {
  demand('answer', ['result', result, RESULT], ['told', told, optional(ANY_TABLE)]);
  const shown = told ?? result.clusters;
  // If all clusters have the same latency, it is left out.
  const several = new Set(Object.values(shown).flatMap((cluster) => latencyText(cluster) ?? [])).size > 1;
  const paragraphs = Object.entries(shown).map(([name, cluster]) => clusterAnswer(name, cluster, several));
  return [headlineOf(result).text, ...paragraphs, ...remarks(result)];
}

function clusterAnswer(name: string, cluster: ClusterResult, showsLatency: boolean): string {
  const title = printable(name);
  if (cluster.members !== undefined) return aggregateAnswer(title, cluster);
  const { requests, hosts, over_tcp } = cluster;
  if (hosts.length === 0)
    return fill(WORDS.no_hosts, { title, asked: requests === 0 ? undefined : requests, over_tcp });
  if (requests === 0) return fill(WORDS.no_requests, { title, hosts: hosts.length });
  const [phase, ...later] = cluster.phases.filter(({ requests }) => requests > 0);
  const expected = expectedRows(hosts);
  const over = later.length === 0 ? '' : `over ${later.length + 1} phases `;
  const shared = [
    over +
      sharesText(expected ?? hosts, cluster, later.length === 0 ? phase : undefined) +
      (expected ? fill(WORDS.expected, cluster) : areChance(hosts) ? fill(WORDS.few, cluster) : ''),
    ...lost(cluster),
    ...measures(cluster, showsLatency, expected === undefined && !areChance(hosts)),
  ];
  const clauses = isLost(cluster) ? [`no ${nounOf(cluster)} found a host`] : shared;
  const all = counted(hosts.length, 'host');
  return `${title}: ${all}, ${clauses.join('; ')}.${reasonsOf(cluster)}${panics(cluster.phases)}`;
}

function measures(cluster: ClusterResult, showsLatency: boolean, areShown = true): string[] {
  const fleet = areShown ? cluster.fleet : undefined;
  const busiest = cluster.hosts.reduce((most, { relative_load: load = 0 }) => Math.max(most, load), 0);
  const latency = showsLatency ? latencyText(cluster) : undefined;
  return [
    ...(fleet ? [fill(WORDS.crosses, { crossing: fleet.cross_zone.share, busiest: busiest.toFixed(2) })] : []),
    ...(latency === undefined ? [] : [`${latency}${ofTheAnswered(cluster)}`]),
  ];
}

/** "p50 5.00 ms, p99 20.0 ms"; undefined without any latency. */
const latencyText = ({ latency_ms: { p50, p99, max } }: ClusterResult): string | undefined =>
  max === null || max === 0 ? undefined : `p50\u00a0${millis(p50)}, p99\u00a0${millis(p99)}`;

/** An aggregate has no hosts: which cluster got what. */
function aggregateAnswer(title: string, cluster: ClusterResult): string {
  const { members = [] } = cluster;
  if (cluster.requests === 0) return fill(WORDS.passes_on_nothing, { title, clusters: members.length });
  const shares = listed(members.map((member) => `${percent(member.share)} to ${printable(member.cluster)}`));
  const clauses = isLost(cluster) ? [`no ${nounOf(cluster)} found a host`] : [`passes on ${shares}`, ...lost(cluster)];
  return `${title}: ${clauses.join('; ')}.${reasonsOf(cluster)}`;
}

/** Of several phases their tables tell. */
function reasonsOf({ phases: [only, ...more] }: ClusterResult): string {
  if (only === undefined || more.length > 0 || only.requests === 0) return '';
  return [...new Set(reasonTexts(only.facts))].map((reason) => ` ${sentence(reason)}`).join('');
}

const isLost = (part: { readonly no_host: { share: number } }): boolean => part.no_host.share > 1 - 1e-9;

const lost = (part: { readonly no_host: { share: number }; readonly overflow: { share: number } }): string[] => [
  ...(part.no_host.share > 0 ? [`${shortPercentDigits(part.no_host.share)} % found no host`] : []),
  ...(part.overflow.share > 0 ? [`${shortPercentDigits(part.overflow.share)} % hit a circuit breaker`] : []),
];

function panics(phases: readonly PhaseResult[]): string {
  const times = phases.filter((phase) => phase.priorities.some(panicsUnderLoad));
  const [first] = times;
  if (first === undefined || phases.length === 1) return '';
  return fill(WORDS.was_in_panic, { ...first, phases: times.length });
}

function remarks(result: RunResult): string[] {
  const { in_flight, retries, failed } = result.totals;
  const lines: string[] = [];
  if (retries > 0 && failed > 0) lines.push(fill(WORDS.retried, { retries }));
  if (in_flight > 0) lines.push(fill(WORDS.unanswered, { in_flight }));
  const broken = result.expect.filter((expectation) => !expectation.passed).map(({ expectation }) => expectation);
  if (broken.length > 0) {
    const [first] = broken;
    const numbers = { broken: broken.length, all: result.expect.length };
    lines.push(printable(fill(WORDS.expects, { ...numbers, first, more: broken.length > 1 ? ' …' : '' })));
  }
  return lines.length === 0 ? [] : [lines.join(' ')];
}
