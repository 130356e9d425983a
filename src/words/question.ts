import { count, decimal, listed, millis, percent, seconds, shortPercentDigits } from '../core/words.js';
import { groupBy } from '../core/values.js';
import type { QuestionResult } from '../result/run-result.js';
import { describeSelector, selectsHosts } from '../scenario/selector.js';
import type { MeasureUnit } from '../settings/generated/measures.js';
import { fill, SENTENCES } from './fill.js';

/** A clause around its number: of several that begin alike, or that begin with their number and end alike, one is made. */
type Clause = Readonly<{ before: string; number: string; after: string }>;

/** `usual`: the share as the run began, where that is another matter. `over_tcp`: requests are connections. */
type AskedOf = Readonly<{ usual: number | undefined; over_tcp: boolean | undefined }>;

/**
 * "zone a gets 24.6 % of backend from 21 to 26 s", without its full stop.
 * @param several clusters: each is named. @param more of each question.
 */
export function questionText(
  question: readonly QuestionResult[],
  several: boolean,
  more: readonly AskedOf[] = [],
): string {
  const clauses = question.map((one, index) => ({
    ...clauseOf(one, several && !isAsBefore(one, question[index - 1]), more[index]),
    ...(one.subject.kind === 'decision' && { before: decisionsText(index, question, several) }),
  }));
  const alike = groupBy(clauses, ({ before, after }) => (before === '' ? after : before));
  return [...alike.values()].map((group) => wordsOf(group)).join('; ');
}

/** The same hosts of the same cluster at another time: the cluster is named once. */
function isAsBefore({ subject: own }: QuestionResult, before: QuestionResult | undefined): boolean {
  const last = before?.subject;
  if (own.kind !== 'share' || last?.kind !== 'share' || own.cluster !== last.cluster) return false;
  return describeSelector(own.hosts) === describeSelector(last.hosts);
}

/** "requests 0 to 6 go to ", of those of one cluster that stand in a row. */
function decisionsText(index: number, question: readonly QuestionResult[], several: boolean): string {
  const decisions = question.map(({ subject }) => (subject.kind === 'decision' ? subject : undefined));
  const isNext = (at: number): boolean => {
    const [one, next] = [decisions[at], decisions[at + 1]];
    return one !== undefined && next?.request === one.request + 1 && next.cluster === one.cluster;
  };
  let [from, to] = [index, index];
  while (isNext(from - 1)) from--;
  while (isNext(to)) to++;
  return fill(SENTENCES.questions.decision.before, {
    requests: to - from + 1,
    first: decisions[from]?.request,
    last: decisions[to]?.request,
    cluster: several ? decisions[index]?.cluster : undefined,
  });
}

function wordsOf(group: readonly Clause[]): string {
  const { before, after } = group[0] ?? { before: '', after: '' };
  if (group.every((one) => one.after === after)) return before + listed(group.map(({ number }) => number)) + after;
  return before + listed(group.map((one) => one.number + one.after));
}

function clauseOf(question: QuestionResult, several: boolean, more: AskedOf | undefined): Clause {
  const { subject, value, unit, needless, published, from_s: from, to_s: to } = question;
  const when = from === undefined || to === undefined ? '' : ` from ${decimal(from, 3)} to ${seconds(to)}`;
  const cluster = 'cluster' in subject && several ? subject.cluster : undefined;
  const values = {
    ...subject,
    ...more,
    needless,
    ...published,
    sent_as: published?.sent_as?.name,
    tags: published?.sent_as?.tags,
    without: published?.sent_as?.without,
    number: value === null ? 'nothing' : NUMBERS[unit](value),
    cluster,
    asked: cluster ?? 'the cluster',
    ...(subject.kind === 'share' && {
      hosts: describeSelector(subject.hosts, 'the hosts'),
      get: selectsHosts(subject.hosts) ? 'get' : 'gets',
    }),
    ...(subject.kind === 'latency' && {
      percentile: subject.percentile === 100 ? 'longest latency' : `p${subject.percentile} latency`,
    }),
    ...(subject.kind === 'decision' && { host: subject.host ?? 'no host' }),
  };
  const { number, ...ends } = SENTENCES.questions[subject.kind];
  return {
    before: 'before' in ends ? fill(ends.before, values) : '',
    number: fill(number, values),
    after: ('after' in ends ? ends.after : '') + ('untimed' in ends ? '' : when),
  };
}

const NUMBERS: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: (value) => (value > 0 && value < 0.01 ? percent(value, 2) : `${shortPercentDigits(value)} %`),
  load: (value) => `${count(100 * value)} %`,
  seconds: (value) => (value >= 10 ? seconds(Number(value.toFixed(1))) : millis(1000 * value)),
  number: (value) => decimal(value, 2),
};
