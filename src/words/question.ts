import { count, decimal, listed, millis, percent, seconds, shortPercentDigits } from '../core/words.js';
import { groupBy } from '../core/lists.js';
import type { QuestionResult } from '../result/run-result.js';
import { describeSelector, selectsHosts } from '../scenario/selector.js';
import type { MeasureUnit } from '../settings/measure.js';

/** A clause around its number: of several with the same ends one clause is made. */
interface Clause {
  readonly before: string;
  readonly number: string;
  readonly after: string;
}

/**
 * The numbers that a scenario is about, as a sentence without its full stop: "zone a gets 24.6 % of backend from 21 to 26 s".
 *
 * @param several there are several clusters: each is named.
 */
export function questionText(question: readonly QuestionResult[], several: boolean): string {
  const clauses = question.map((one) => clauseOf(one, several));
  const alike = groupBy(clauses, ({ before, after }) => `${before}\u0000${after}`);
  return [...alike.values()].map((group) => wordsOf(group)).join('; ');
}

function wordsOf(group: readonly Clause[]): string {
  const [first] = group;
  return `${first?.before ?? ''}${listed(group.map(({ number }) => number))}${first?.after ?? ''}`;
}

/** The number alone: "24.6 %". */
function numberText({ value, unit }: Pick<QuestionResult, 'value' | 'unit'>): string {
  return value === null ? 'nothing' : NUMBERS[unit](value);
}

function clauseOf(question: QuestionResult, several: boolean): Clause {
  const { subject, from_s: from, to_s: to } = question;
  const number = numberText(question);
  const when = from === undefined || to === undefined ? '' : ` from ${decimal(from, 3)} to ${seconds(to)}`;
  const named = 'cluster' in subject && several ? subject.cluster : undefined;
  const of = named === undefined ? '' : ` of ${named}`;
  const inside = named === undefined ? '' : ` in ${named}`;
  const asked = named === undefined ? '' : ` to ${named}`;
  switch (subject.kind) {
    case 'share': {
      const gets = selectsHosts(subject.hosts) ? 'get' : 'gets';
      return { before: `${describeSelector(subject.hosts, 'the hosts')} ${gets} `, number: number + of, after: when };
    }
    case 'no_host':
      return { before: '', number: `${number} of the requests${asked}`, after: ` find no host${when}` };
    case 'crosses_zones':
      return { before: '', number: `${number} of the requests${asked}`, after: ` cross zones${when}` };
    case 'moved_keys':
      return { before: '', number: `${number} of the keys${of}`, after: ` move to another host${when}` };
    case 'success_rate':
      return { before: '', number: `${number} of the requests${asked}`, after: ` succeed${when}` };
    case 'failures':
      return { before: '', number: `${number} requests${asked}`, after: ` fail${when}` };
    case 'requests':
      return { before: `${named ?? 'the cluster'} is asked `, number, after: ` times${when}` };
    case 'latency':
      return { before: `the p${subject.percentile} latency is `, number: number + inside, after: when };
    case 'mean_latency':
      return { before: 'the mean latency is ', number: number + inside, after: when };
    case 'host_load':
      return { before: 'the busiest host is given ', number: `${number} of what it can take${inside}`, after: when };
    case 'stat':
      return { before: `${subject.name} is `, number, after: '' };
    case 'mean_stat':
      return { before: `the mean of ${subject.name} is `, number, after: when };
    case 'decision':
      return { before: `request ${subject.request} goes to `, number: subject.host ?? 'no host', after: '' };
  }
}

const NUMBERS: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: (value) => (value > 0 && value < 0.01 ? percent(value, 2) : `${shortPercentDigits(value)} %`),
  load: (value) => `${count(100 * value)} %`,
  seconds: (value) => (value >= 10 ? seconds(Number(value.toFixed(1))) : millis(1000 * value)),
  number: (value) => decimal(value, 2),
};
