import type { Output, Schema, Camel } from '../../config/reader.js';
import { defaulted, list, optional, pair, required, rule, camel, words } from '../../config/reader.js';
import { block, ofKind, says } from './block.js';
import { formatIpPort } from '../../core/ip.js';
import { FAILURE_CAUSES } from '../../core/failure-cause.js';
import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import { lossSizeOf, parseHostPort } from '../selector.js';
import { decimal, DurationText, integer, Name, RunTime, scalar } from './fields.js';
import type { Comparator, Expectation } from '../model.js';
import { NAMES } from '../../core/generated/names.js';
import * as measures from '../../settings/generated/measures.js';
import { RELATIVE_PARTS } from './generated/relative-parts.js';
import { HostSelector } from './selector-schema.js';
import { accept, type Parsed, parseDuration, parseLoad, parsePercent, refuse } from './units.js';

/** `expect`: what must hold of a run, checked at its end. */

const Window = pair(DurationText, DurationText);
const CLUSTER = { cluster: required(Name, 'Name of the cluster.') };
const Percentile = decimal('percentile', 'from 0 to 100', (value) => value >= 0 && value <= 100);
const Cause = words(FAILURE_CAUSES);
const FailuresOf = block('failures', () => ({ ...CLUSTER, cause: optional(Cause) }));
const HostLoad = block('host_load', () => ({ ...CLUSTER, over: defaulted(RunTime, MICROS_PER_SECOND) }));

/** A part of what is lost. */
const LossText: Schema<string> = scalar('loss', 'selector', (text) => {
  const size = lossSizeOf([text]);
  return size.ok ? accept(text) : size;
});

/** What is left out is as in the expectation itself. */
const RelativeTo = block('relative_to', () => ({
  cluster: optional(Name),
  hosts: optional(HostSelector),
  percentile: optional(Percentile),
  cause: optional(Cause),
  stat: optional(Name),
  during: optional(Window),
}));

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

const SUBJECT_FIELDS = {
  share: ofKind('share', () => ({ ...CLUSTER, hosts: required(HostSelector) })),
  no_host: ofKind('no_host', () => CLUSTER),
  crosses_zones: ofKind('crosses_zones', () => CLUSTER),
  moved_keys: ofKind('moved_keys', () => CLUSTER),
  stat: says(Name, (name) => ({ kind: 'stat', name }) as const),
  mean_stat: says(Name, (name) => ({ kind: 'mean_stat', name }) as const),
  success_rate: ofKind('success_rate', () => CLUSTER),
  requests: ofKind('requests', () => CLUSTER),
  failures: says(FailuresOf, ({ cluster, cause }) => ({ kind: 'failures', cluster, cause }) as const),
  latency: ofKind('latency', () => ({ ...CLUSTER, percentile: required(Percentile) })),
  mean_latency: ofKind('mean_latency', () => CLUSTER),
  host_load: says(HostLoad, ({ cluster, over }) => ({ kind: 'host_load', cluster, overUs: over }) as const),
  survives: ofKind('survives', () => ({
    // Of every cluster where none is named: see each-cluster.ts.
    cluster: defaulted(Name, '*'),
    lose: required(list(LossText)),
    without: defaulted(list(words(NAMES.harms)), NAMES.grave),
  })),
  decision: optional(integer('decision', 0)),
} as const;
const SUBJECTS = Object.keys(SUBJECT_FIELDS);
const COMPARATORS = ['equals', 'at_least', 'at_most', 'between', 'within_sigma'] as const;

const DURING = rule<{
  readonly during?: readonly [Micros, Micros] | undefined;
  readonly decision?: number | undefined;
}>('during', ['during', 'decision'], ({ during, decision }, report) => {
  if (during !== undefined && during[0] >= during[1]) report('during ends before it begins', ['during']);
  if (during !== undefined && decision !== undefined) report('a decision has its own time', ['during']);
});

const ExpectationBlock = block(
  'expectation',
  () => ({
    ...SUBJECT_FIELDS,
    host: optional(ChosenHost),
    equals: optional(Value),
    at_least: optional(Value),
    at_most: optional(Value),
    between: optional(
      list(Value).checked((values, fail) => {
        if (values.length === 2) return;
        fail('comparator', `between takes two values, as [48%, 52%]; found ${values.length}`);
      }),
    ),
    within_sigma: optional(WithinSigma),
    during: optional(Window),
    relative_to: optional(RelativeTo),
  }),
  rule('expectation-host', ['decision', 'host'], ({ decision, host }, report) => {
    if (decision !== undefined && host === undefined)
      report('a decision needs a host: its address, or null for none', ['decision']);
    if (decision === undefined && host !== undefined) report('host belongs to a decision', ['host']);
  }),
  rule('comparator', [...SUBJECTS, ...COMPARATORS, 'during', 'relative_to'], (value, report) => {
    const { equals, atLeast, atMost, between, withinSigma } = value;
    const compared = [equals, atLeast, atMost, between, withinSigma].some((item) => item !== undefined);
    if (value.survives !== undefined && (compared || value.during !== undefined || value.relativeTo !== undefined))
      report('what survives is proven: it is compared with nothing, at no time', ['survives']);
    if (value.decision === undefined && value.survives === undefined && !compared)
      report('nothing to compare with: write one of equals, at_least, at_most, between, within_sigma');
    if (withinSigma !== undefined && value.share === undefined && value.noHost === undefined)
      report('within_sigma compares shares with their prediction: it goes with share or no_host', ['within_sigma']);
    if (value.decision !== undefined && compared) report('a decision is compared with host, nothing else');
  }),
  DURING,
  rule('relative-to', [...SUBJECTS, 'within_sigma', 'relative_to'], (value, report) => {
    const { relativeTo } = value;
    if (relativeTo === undefined) return;
    if (value.decision !== undefined) report('a decision is compared with host, nothing else', ['relative_to']);
    const twice = 'within_sigma compares with the prediction, relative_to with another measure: choose one';
    if (value.withinSigma !== undefined) report(twice, ['relative_to']);
    const given = Object.entries(relativeTo).filter(([, part]) => part !== undefined);
    if (given.length === 0) report('it says nothing that differs: give cluster, during …', ['relative_to']);
    const { during } = relativeTo;
    if (during !== undefined && during[0] >= during[1])
      report('during ends before it begins', ['relative_to', 'during']);
    const isMeasured = (key: SubjectKey): boolean => value[key] !== undefined;
    for (const { part, of, only, never = [] } of PARTS) {
      if (relativeTo[part] === undefined || (only?.some(isMeasured) ?? !never.some(isMeasured))) continue;
      report(`${part} belongs to ${of}`, ['relative_to', part]);
    }
  }),
);

type Fields = Output<typeof ExpectationBlock>;

const { survives: _, ...MEASURED_FIELDS } = SUBJECT_FIELDS;
const NumberBlock = block('number', () => ({ ...MEASURED_FIELDS, during: optional(Window) }), DURING);

/** A number that the scenario is about: a measure, compared with nothing; of a decision its host. */
export const QuestionEntry: Schema<measures.Measure> = NumberBlock.transform((fields) => ({
  subject: subjectOf(fields),
  during: fields.during,
}));

/** What a measure may be relative to depends on what is measured. */
interface Part {
  readonly part: keyof Output<typeof RelativeTo>;
  readonly of: string;
  /** What is measured then, or is not. */
  readonly only?: readonly SubjectKey[];
  readonly never?: readonly SubjectKey[];
}

const PARTS: readonly Part[] = RELATIVE_PARTS;

/** An expectation without the sentence of reports, which depends on the number of clusters. */
export type ExpectationWithoutText = Omit<Expectation, 'text'>;

export const ExpectationEntry: Schema<ExpectationWithoutText> = ExpectationBlock.transform(
  (fields, fail): ExpectationWithoutText => {
    const subject = subjectOf(fields);
    const relativeTo = relativeOf(subject, fields);
    const grammar = relativeTo === undefined ? GRAMMARS[measures.MEASURE_UNITS[subject.kind]] : parseMultiple;
    const parse = (text: string, path: (string | number)[]): number => {
      const parsed = grammar(text);
      if (parsed.ok) return parsed.value;
      fail('comparator', parsed.message, path);
      return NaN;
    };
    const { equals, atLeast, atMost, withinSigma, between } = fields;
    let comparator: Comparator | undefined;
    if (equals !== undefined) comparator = { kind: 'equals', value: parse(equals, ['equals']) };
    else if (atLeast !== undefined) comparator = { kind: 'at_least', value: parse(atLeast, ['at_least']) };
    else if (atMost !== undefined) comparator = { kind: 'at_most', value: parse(atMost, ['at_most']) };
    else if (withinSigma !== undefined) comparator = { kind: 'within_sigma', value: withinSigma };
    else if (between !== undefined) {
      const [low = 0, high = 0] = between.map((text, index) => parse(text, ['between', index]));
      comparator = { kind: 'between', low, high };
      if (low > high) fail('comparator', 'between takes the lower value first', ['between']);
    }
    return { subject, comparator, during: fields.during, relativeTo };
  },
);

/** The other measure, with what is given of it in place of what the first one has. */
function relativeOf(subject: measures.MeasureSubject, { relativeTo, during }: Fields): Expectation['relativeTo'] {
  if (relativeTo === undefined) return undefined;
  const { during: window = during, stat: name, ...parts } = relativeTo;
  const differs = Object.entries({ name, ...parts }).filter(([part, value]) => value !== undefined && part in subject);
  return { subject: { ...subject, ...Object.fromEntries(differs) }, during: window };
}

function subjectOf({ decision = 0, host = null, ...fields }: Measured): measures.MeasureSubject {
  const subject = SUBJECT_KEYS.map((key) => fields[key]).find((one) => one !== undefined);
  return subject ?? { kind: 'decision', request: decision, host };
}

type Measured = Output<typeof NumberBlock> & Partial<Pick<Fields, 'survives' | 'host'>>;
type SubjectKey = Camel<Exclude<keyof typeof SUBJECT_FIELDS, 'decision'>>;
const SUBJECT_KEYS = SUBJECTS.filter((name) => name !== 'decision').map(camel) as readonly SubjectKey[];

const GRAMMARS: Readonly<Record<measures.MeasureUnit, (text: string) => Parsed<number>>> = {
  share: parsePercent,
  load: parseLoad,
  seconds: (text) => {
    const parsed = parseDuration(text);
    return parsed.ok ? accept(parsed.value / 1_000_000) : parsed;
  },
  number: parseNumber,
};

function parseNumber(text: string): Parsed<number> {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? accept(value) : refuse(`"${text}" is not a number`);
}

function parseMultiple(text: string): Parsed<number> {
  const parsed = parseNumber(text);
  return parsed.ok ? parsed : refuse(`${parsed.message}: with relative_to values are multiples, as 2`);
}
