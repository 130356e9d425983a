import { sum } from '../../core/values.js';
import { factsOf } from '../../policy/registry.js';
import type { Fact } from '../../result/generated/facts.js';
import { hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, PhaseResult, QuestionResult, RunResult } from '../../result/run-result.js';
import { firstCauseText, happeningText } from '../../words/happenings.js';
import { questionText } from '../../words/question.js';
import { whyText } from '../../words/reasons.js';
import { addressPredicate } from '../../settings/selector.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { capital, decimal, entriesAHost, percent, printable, seconds } from '../format.js';
import { limitReached, overloadOf } from './outage.js';

const WORDS = SENTENCES.run;

export type Sentence = Readonly<{ text: string; facts: readonly Fact[] }>;

export const plain = (text: string): Sentence => ({ text, facts: [] });

type Why = Sentence & { readonly of: string };

/**
 * The answer to the question of the scenario, with the reason that its clusters have; undefined: it asks nothing.
 * @param toldLater reasons that need not be told here.
 */
export function askedText(result: RunResult, toldLater: readonly string[]): Sentence | undefined {
  const { question = [], clusters, totals } = result;
  if (question.length === 0) return undefined;
  const more = question.map((one) => ({
    usual: usualShare(one, clusters),
    over_tcp: 'cluster' in one.subject ? clusters[one.subject.cluster]?.over_tcp : undefined,
  }));
  const text = questionText(question, Object.keys(clusters).length > 1, more);
  const facts = question.map((one) => whyKept(one, result) ?? whyMoved(one, result) ?? whyNumber(one, result));
  const known =
    totals.failed > 0 || facts.some((one) => one !== undefined) ? facts : question.map((one) => whatBegan(one, result));
  const whys = known.map((why) => (why !== undefined && toldLater.includes(why.text) ? undefined : why));
  const own = question.flatMap(({ subject }) => ('cluster' in subject ? subject.cluster : []));
  const timed = new Set(own).size > 1 ? [] : timedWhys(question, whys);
  if (timed.length > 1) {
    return {
      text: capital(`${text}: ${timed.map((one) => one.text).join('; ')}.`),
      facts: timed.flatMap((one) => one.facts),
    };
  }
  // Of two times of one cluster the second has what changed.
  const changed = whys.find((why, index) => index > 0 && why?.of === whys[0]?.of && why?.text !== whys[0]?.text);
  const why = changed ?? whys.find((one) => one !== undefined);
  if (why === undefined) return plain(capital(`${text}.`));
  const { from_s: from, to_s: to } = question[whys.indexOf(why)] ?? {};
  const isTimed = why === changed && why.facts.length > 0 && from !== undefined && to !== undefined;
  const when = !isTimed ? '' : `from ${decimal(from, 3)} to ${seconds(to)}, `;
  const holdsForAll = why.of === '' || new Set(own).size < 2 || whys.every((one) => one?.text === why.text);
  if (holdsForAll) return { text: capital(`${text}: ${when}${why.text}.`), facts: why.facts };
  const others = whys.filter((one, index): one is Why => {
    const isFirst = whys.findIndex((other) => other?.of === one?.of) === index;
    return one !== undefined && isFirst && one.of !== why.of && one.text !== why.text && one.text.length <= MAX_OTHER;
  });
  const all = [{ ...why, text: when + why.text }, ...others];
  const clauses = all.map((one) => `in ${printable(one.of)}, ${one.text}`);
  return { text: capital(`${[text, ...clauses].join('; ')}.`), facts: all.flatMap((one) => one.facts) };
}

/** Of an address, what it had as the run began, where it has much more or less now. */
function usualShare({ subject, value, from_s: from = 0 }: QuestionResult, clusters: RunResult['clusters']) {
  if (subject.kind !== 'share' || value === null) return undefined;
  const first = clusters[subject.cluster]?.phases[0];
  if (first === undefined || from < first.to_s) return undefined;
  const { address: asked } = subject.hosts;
  if (asked === undefined) return undefined;
  const isAsked = addressPredicate(asked);
  const usual = sum([...hostsOf(first)].map(({ address, share }) => (isAsked(address) ? share : 0)));
  return usual > 0 && Math.abs(value - usual) > MUCH * usual ? usual : undefined;
}

/** In parts of it. */
const MUCH = 0.3;

/** Each reason of a cluster at different times, if they are short; else none. */
function timedWhys(question: readonly QuestionResult[], whys: readonly (Why | undefined)[]): Sentence[] {
  const distinct = whys.filter((why, index) => why !== undefined && whys[index - 1]?.text !== why.text);
  const told = question.flatMap(({ from_s: from, to_s: to }, index): Sentence[] => {
    const why = whys[index];
    if (why === undefined || !distinct.includes(why) || from === undefined || to === undefined) return [];
    return [{ text: `from ${decimal(from, 3)} to ${seconds(to)}, ${why.text}`, facts: why.facts }];
  });
  return sum(told.map(({ text }) => text.length)) <= MAX_TIMED ? told : [];
}

/** A longer reason of another cluster stands below the table. */
const MAX_OTHER = 120;

/** Longer ones would hide the numbers. */
const MAX_TIMED = 450;

function whyNumber(question: QuestionResult, result: RunResult): Why | undefined {
  const { subject, value, from_s: from = 0, to_s: to = Infinity } = question;
  const of = 'cluster' in subject ? subject.cluster : '';
  const cluster = result.clusters[of];
  // What failed has its reasons in the sentence after this one.
  if (cluster === undefined || cluster.failed > 0) return undefined;
  const [reason] = reasonsOf(cluster, from, to);
  if (reason !== undefined) return { of, ...reason };
  if (subject.kind === 'share') {
    const [text] =
      value === null ? [] : phasesIn(cluster, from, to).flatMap((phase) => weightText(cluster, phase, value));
    return text === undefined ? undefined : { of, ...plain(text) };
  }
  if (!isLatency(subject)) return undefined;
  const peak = overloadOf(cluster);
  const why = peak === undefined ? whyWaiting(of, cluster, result.events) : printable(fill(WORDS.busy, peak));
  return why === undefined ? undefined : { of, ...plain(why) };
}

const isLatency = ({ kind }: QuestionResult['subject']): boolean => kind === 'latency' || kind === 'mean_latency';

/** That hosts have left discovery, or their name has another address, and they get their share all the same. */
function whyKept(question: QuestionResult, { clusters }: RunResult): Why | undefined {
  const { subject, from_s: from = 0, to_s: to = Infinity } = question;
  if (subject.kind !== 'share') return undefined;
  const happened = (clusters[subject.cluster]?.phases ?? []).flatMap((phase) => [
    ...phase.causes.map((fact) => ({ fact, at: phase.from_s })),
    ...phase.happened.map((fact) => ({ fact, at: fact.at_s })),
  ]);
  const inside = happened.flatMap(({ fact, at }) => (at >= from && at < to ? fact : []));
  const kept = inside.find((fact) => fact.kind === 'kept' || (fact.kind === 'other_first' && fact.new_connections));
  return kept && { of: subject.cluster, ...plain(happeningText(kept)) };
}

/** Keys of several clusters move for the same reason. */
function whyMoved(question: QuestionResult, result: RunResult): Why | undefined {
  const began = question.subject.kind === 'moved_keys' ? whatBegan(question, result) : undefined;
  if (began === undefined) return undefined;
  const { question: all = [], clusters } = result;
  const isRing = all.some(
    ({ subject: one, needless = 0 }) =>
      needless > 0 && one.kind === 'moved_keys' && clusters[one.cluster]?.policy === 'RING_HASH',
  );
  return { ...began, text: began.text + (isRing ? fill(WORDS.ring_rebuilt, {}) : ''), of: '' };
}

/** What began the first phase of its time; of latencies else that policies go by other things. */
function whatBegan(question: QuestionResult, result: RunResult): Why | undefined {
  const { subject, from_s: from = 0, to_s: to = Infinity } = question;
  if (!('cluster' in subject) || !(isLatency(subject) || subject.kind === 'moved_keys')) return undefined;
  const { cluster: of } = subject;
  const began = result.clusters[of]?.phases.find(({ from_s: at }) => at > 0 && at >= from && at < to);
  if (began === undefined) return isLatency(subject) ? otherBasis(result) : undefined;
  return { of, ...plain(`${firstCauseText(began.causes)} at ${seconds(began.from_s)}`) };
}

/** That a policy looks at load, and another one that is asked about does not. */
function otherBasis({ question = [], clusters }: RunResult): Why | undefined {
  const asked = question.flatMap(({ subject }) =>
    'cluster' in subject ? (clusters[subject.cluster]?.policy ?? []) : [],
  );
  const looks = asked.find((policy) => factsOf(policy)?.looksAtLoad === true);
  const other = asked.find((policy) => factsOf(policy)?.looksAtLoad === false);
  if (looks === undefined || other === undefined) return undefined;
  return { of: '', ...plain(`${looks} looks at the load of hosts, and ${other} does not`) };
}

/** Where hosts differ in weight: that one has its part, or that weights are ignored. Of a table: that it is small. */
function weightText({ policy, load_balancer: table }: ClusterResult, phase: PhaseResult, share: number): string[] {
  if (table !== undefined && 'size' in table) {
    const each = entriesAHost(table.min_hashes_per_host, table.max_hashes_per_host);
    return [fill(WORDS.entries, { policy, each, size: table.size, isAll: share === 1 })];
  }
  const rows = [...hostsOf(phase)];
  const total = sum(rows.map(({ weight }) => weight));
  const row = rows.find((one) => Math.abs(one.share - share) <= SAME_SHARE * share);
  if (row === undefined || rows.every(({ weight }) => weight === rows[0]?.weight)) return [];
  const fair = row.weight / total;
  if (Math.abs(fair - share) <= SAME_SHARE * share) return [fill(WORDS.weighted, { weight: row.weight, total })];
  if (Math.abs(1 / rows.length - share) <= SAME_SHARE * share) return [`${policy} ignores weights`];
  return policy === 'LEAST_REQUEST' ? [fill(WORDS.weight_by_requests, {})] : [];
}

/** Shares that differ by no more than this part are the same. */
const SAME_SHARE = 0.05;

const phasesIn = ({ phases }: ClusterResult, fromS: number, toS: number): PhaseResult[] =>
  phases.filter(({ from_s: from, to_s: to }) => from < toS && to > fromS);

/** Reasons that hold for a stretch of time, those of the whole run last. */
export function reasonsOf(cluster: ClusterResult, fromS: number, toS: number): Sentence[] {
  const inside = phasesIn(cluster, fromS, toS).flatMap((phase) => phase.facts);
  const facts = [...inside.filter(({ kind }) => kind !== 'no_panic'), ...cluster.facts];
  const reasons = facts.map((fact) => ({ text: whyText(fact), facts: [fact] }));
  return reasons.filter(({ text }) => text.length <= MAX_REASON);
}

/** A longer reason does not fit a clause. */
const MAX_REASON = 200;

export function whyWaiting(name: string, { phases }: ClusterResult, events: RunResult['events']): string | undefined {
  const limit = limitReached(name, events);
  if (limit !== undefined) return limit;
  for (const phase of phases) {
    for (const { truth, requests, address, share } of hostsOf(phase))
      if (truth === 'slow' && requests > 0) return `${printable(address)} is slow and gets ${percent(share)}`;
  }
  return undefined;
}
