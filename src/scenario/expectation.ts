import type { Output } from '../config/reader.js';
import { formatIpPort } from '../config/ip.js';
import { block, list, optional, pair, required, type Schema } from '../config/reader.js';
import { parseHostPort } from './host-port.js';
import { decimal, DurationText, integer, Name, scalar } from './fields.js';
import type { Comparator, Expectation, ExpectationSubject } from './model.js';
import { HostSelector } from './selector-schema.js';
import type { Parsed } from './units.js';
import { accept, parseDuration, parsePercent, refuse } from './units.js';

/** `expect`: what must hold of a run, checked at its end. */

const ClusterName = required(Name, 'Name of the cluster.');

const Share = block(
  'share',
  () => ({ cluster: ClusterName, hosts: required(HostSelector, 'The hosts whose shares are added up.') }),
  { doc: "The part of a cluster's decisions that chose one of these hosts." },
);
const NoHost = block('no_host', () => ({ cluster: ClusterName }), {
  doc: "The part of a cluster's decisions that found no host.",
});
const SuccessRate = block('success_rate', () => ({ cluster: ClusterName }), {
  doc: 'The part of requests answered below 500.',
});
const LatencyOf = block(
  'latency',
  () => ({
    cluster: ClusterName,
    percentile: required(
      decimal('percentile', 'from 0 to 100', (value) => value >= 0 && value <= 100),
      'Which percentile, 0 to 100.',
    ),
  }),
  { doc: 'A percentile of the time to the final answer.' },
);

const Value: Schema<string> = scalar('value', 'comparator', accept);

/** `ip:port`, or null for "no host was chosen". */
const ChosenHost: Schema<string | null> = scalar('address', 'address', (text) => {
  const parsed = parseHostPort(text);
  if (!parsed.ok) return parsed;
  const { ip, port } = parsed.value;
  return ip === undefined ? refuse(`"${text}" names no IP address`) : accept(formatIpPort(ip, port));
}).orNull();

/** Standard errors: a positive number. */
const WithinSigma: Schema<number> = scalar('number', 'comparator', (text) => {
  const sigmas = Number(text);
  return text.trim() !== '' && sigmas > 0 && Number.isFinite(sigmas)
    ? accept(sigmas)
    : refuse(`within_sigma takes a positive number of standard errors, as 4; found "${text}"`);
});

const SUBJECTS = ['share', 'no_host', 'stat', 'success_rate', 'latency', 'decision'] as const;
const COMPARATORS = ['equals', 'at_least', 'at_most', 'between', 'within_sigma'] as const;

const ExpectationBlock = block(
  'expectation',
  () => ({
    share: optional(Share, 'Share of decisions that chose these hosts.'),
    no_host: optional(NoHost, 'Share of decisions that found no host.'),
    stat: optional(Name, "A statistic by the proxy's name, as cluster.backend.lb_healthy_panic."),
    success_rate: optional(SuccessRate, 'Share of requests answered below 500.'),
    latency: optional(LatencyOf, 'A percentile of latency, compared with a duration.'),
    decision: optional(
      integer('decision', 0),
      'The first attempt of this request, counted from 0 in order of arrival.',
    ),
    host: optional(ChosenHost, 'Of a decision: the address that was chosen; null: none was.'),
    equals: optional(Value, 'Exactly this value.'),
    at_least: optional(Value, 'This value or more.'),
    at_most: optional(Value, 'This value or less.'),
    between: optional(
      list(Value).checked((values, fail) => {
        if (values.length === 2) return;
        fail('comparator', `between takes two values, as [48%, 52%]; found ${values.length}`);
      }),
      'From the first value to the second, both included.',
    ),
    within_sigma: optional(WithinSigma, 'Within this many standard errors of the exact prediction.'),
    during: optional(pair(DurationText, DurationText), 'Only decisions from the first time to before the second.'),
  }),
  {
    doc: 'Something that must hold; `lbsim run` exits with 1 if it does not.',
    oneOfs: [
      { name: 'what is expected', fields: SUBJECTS, required: true },
      { name: 'how it is compared', fields: COMPARATORS },
    ],
    rules: [
      {
        name: 'expectation-host',
        reads: ['decision', 'host'],
        check: ({ decision, host }, report) => {
          if (decision !== undefined && host === undefined) {
            report('a decision needs a host: its address, or null for none', ['decision']);
          }
          if (decision === undefined && host !== undefined) report('host belongs to a decision', ['host']);
        },
      },
      {
        name: 'comparator',
        reads: [...SUBJECTS, ...COMPARATORS],
        check: (value, report) => {
          const compared = [value.equals, value.atLeast, value.atMost, value.between, value.withinSigma].some(
            (item) => item !== undefined,
          );
          if (value.decision === undefined && !compared) {
            report('nothing to compare with: write one of equals, at_least, at_most, between, within_sigma');
          }
          if (value.withinSigma !== undefined && value.share === undefined && value.noHost === undefined) {
            report('within_sigma compares shares with their prediction: it goes with share or no_host', [
              'within_sigma',
            ]);
          }
          if (value.decision !== undefined && compared) report('a decision is compared with host, nothing else');
        },
      },
      {
        name: 'during',
        reads: ['during', 'decision'],
        check: ({ during, decision }, report) => {
          if (during !== undefined && during[0] >= during[1]) report('during ends before it begins', ['during']);
          if (during !== undefined && decision !== undefined) report('a decision has its own time', ['during']);
        },
      },
    ],
  },
);

/** An expectation without the sentence that reports print: that depends on how many clusters there are. */
export type ExpectationWithoutText = Omit<Expectation, 'text'>;

export const ExpectationEntry: Schema<ExpectationWithoutText> = ExpectationBlock.transform(
  (fields, fail): ExpectationWithoutText => {
    const subject = subjectOf(fields);
    const parse = (text: string, path: (string | number)[]): number => {
      const parsed = valueGrammar(subject)(text);
      if (parsed.ok) return parsed.value;
      fail('comparator', parsed.message, path);
      return NaN;
    };
    let comparator: Comparator | undefined;
    if (fields.equals !== undefined) comparator = { kind: 'equals', value: parse(fields.equals, ['equals']) };
    else if (fields.atLeast !== undefined)
      comparator = { kind: 'at_least', value: parse(fields.atLeast, ['at_least']) };
    else if (fields.atMost !== undefined) comparator = { kind: 'at_most', value: parse(fields.atMost, ['at_most']) };
    else if (fields.withinSigma !== undefined) comparator = { kind: 'within_sigma', value: fields.withinSigma };
    else if (fields.between !== undefined) {
      const [low, high] = fields.between.map((text, index) => parse(text, ['between', index]));
      comparator = { kind: 'between', low: low ?? 0, high: high ?? 0 };
      if (comparator.low > comparator.high) {
        fail('comparator', 'between takes the lower value first', ['between']);
      }
    }
    return { subject, comparator, during: fields.during };
  },
);

function subjectOf(fields: Output<typeof ExpectationBlock>): ExpectationSubject {
  if (fields.share !== undefined) return { kind: 'share', ...fields.share };
  if (fields.noHost !== undefined) return { kind: 'no_host', ...fields.noHost };
  if (fields.stat !== undefined) return { kind: 'stat', name: fields.stat };
  if (fields.successRate !== undefined) return { kind: 'success_rate', ...fields.successRate };
  if (fields.latency !== undefined) return { kind: 'latency', ...fields.latency };
  return { kind: 'decision', request: fields.decision ?? 0, host: fields.host ?? null };
}

/** In which words the value of a subject is written. */
function valueGrammar(subject: ExpectationSubject): (text: string) => Parsed<number> {
  switch (subject.kind) {
    case 'share':
    case 'no_host':
    case 'success_rate':
      return parsePercent;
    case 'latency':
      return (text) => {
        const parsed = parseDuration(text);
        return parsed.ok ? accept(parsed.value / 1_000_000) : parsed;
      };
    case 'stat':
    case 'decision':
      return (text) => {
        const value = text.trim() === '' ? NaN : Number(text);
        return Number.isFinite(value) ? accept(value) : refuse(`"${text}" is not a number`);
      };
  }
}
