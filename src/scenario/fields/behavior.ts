import { words, yesNo } from '../../config/reader/plain-choices.js';
import { block, defaulted, either, mapping, optional, required, type Rule, type Schema } from '../../config/reader.js';
import { defined } from '../../core/defined.js';
import { decimal, DurationText, Headers, integer, nonEmpty, Percent, positiveDuration, scalar } from './fields.js';
import type { BehaviorRule, Duration, HealthCheckAnswer } from '../../settings/behavior.js';
import { HostSelector } from './selector-schema.js';
import { accept, refuse } from './units.js';
import type { LoadReport } from '../../policy/load-report.js';

/** The load that hosts report with their answers: `load_report` of `behavior`. */

const amount = (what: string): Schema<number> => decimal(what, 'of 0 or more', (value) => value >= 0);
const metrics = (what: string): Schema<Readonly<Record<string, number>>> => mapping(amount(what));

const Report = block(
  'load_report',
  () => ({
    cpu_utilization: defaulted(amount('cpu_utilization'), 0, 'How busy its processor is; 1 is fully. Default 0.'),
    mem_utilization: defaulted(amount('mem_utilization'), 0, 'How full its memory is. Default 0.'),
    application_utilization: defaulted(
      amount('application_utilization'),
      0,
      'How busy the application says it is; above 0 it goes before all others. Default 0.',
    ),
    rps_fractional: defaulted(amount('rps_fractional'), 0, 'Requests a second that it serves. Default 0.'),
    eps: defaulted(amount('eps'), 0, 'Errors a second. Default 0.'),
    named_metrics: defaulted(metrics('a named metric'), {}, 'Metrics of its own, as {queue: 0.3}.'),
    utilization: defaulted(metrics('a utilization'), {}, 'Utilisation of resources by name, as {disk: 0.8}.'),
  }),
  { doc: 'What a host reports of its load beside each answer, in the names of ORCA load reports.' },
).transform(({ rpsFractional: rps, ...fields }): LoadReport => ({ ...fields, rps }));

/** `none`, `measured`, or the report itself. */
const LoadReportField: Schema<LoadReport | 'none' | 'measured'> = either(Report, words(['none', 'measured']));

/** How hosts serve, fail and answer health checks: `behavior` and the timeline's `set_behavior`. */

const Exponential = block(
  'exponential',
  () => ({ mean: required(DurationText, 'Mean of the exponential distribution.') }),
  { doc: 'Memoryless durations with a given mean.' },
);

const Uniform = block(
  'uniform',
  () => ({
    min: required(DurationText, 'Shortest duration.'),
    max: required(DurationText, 'Longest duration.'),
  }),
  {
    doc: 'Durations between two bounds, all equally likely.',
    rules: [
      {
        name: 'distribution',
        reads: ['min', 'max'],
        check: ({ min, max }, report) => {
          if (min > max) report('min is longer than max', ['min']);
        },
      },
    ],
  },
);

const LogNormal = block(
  'lognormal',
  () => ({
    median: required(positiveDuration('median'), 'Half of the durations are shorter.'),
    p99: required(DurationText, '99 % of the durations are shorter.'),
  }),
  {
    doc: 'Skewed durations with a long tail, given by two percentiles that can be read off a dashboard.',
    rules: [
      {
        name: 'distribution',
        reads: ['median', 'p99'],
        check: ({ median, p99 }, report) => {
          if (p99 < median) report('p99 is shorter than the median', ['p99']);
        },
      },
    ],
  },
);

const Pareto = block(
  'pareto',
  () => ({
    scale: required(positiveDuration('scale'), 'Shortest duration.'),
    shape: required(
      decimal('shape', 'above 0', (shape) => shape > 0),
      'Tail index: the smaller, the heavier the tail.',
    ),
  }),
  {
    doc: 'Durations with a power-law tail: P(longer than t) = (scale / t)^shape.',
    rules: [
      {
        name: 'distribution',
        reads: ['shape'],
        check: ({ shape }, report) => {
          if (shape <= 1) report('with a shape of 1 or less the mean is infinite', ['shape'], 'warning');
        },
      },
    ],
  },
);

const DISTRIBUTIONS = ['constant', 'exponential', 'uniform', 'lognormal', 'pareto', 'empirical'] as const;

const DistributionBlock = block(
  'a distribution of durations',
  () => ({
    constant: optional(DurationText, 'Always this long.'),
    exponential: optional(Exponential, 'Memoryless, with a mean.'),
    uniform: optional(Uniform, 'Between two bounds.'),
    lognormal: optional(LogNormal, 'Skewed, given by its median and 99th percentile.'),
    pareto: optional(Pareto, 'With a power-law tail.'),
    empirical: optional(
      nonEmpty(DurationText, 'an empirical distribution needs at least one value'),
      'One of these durations, each equally likely.',
    ),
  }),
  {
    doc: 'How long something takes: a constant, or one of five distributions.',
    oneOfs: [{ name: 'a distribution', fields: DISTRIBUTIONS, required: true }],
  },
);

/** `5ms`, or a map with exactly one of {@link DISTRIBUTIONS}. */
export const Distribution: Schema<Duration> = either(DistributionBlock, DurationText).transform((value): Duration => {
  if (typeof value === 'number') return { kind: 'constant', us: value };
  const { constant, exponential, uniform, lognormal, pareto, empirical } = value;
  if (exponential !== undefined) return { kind: 'exponential', meanUs: exponential.mean };
  if (uniform !== undefined) return { kind: 'uniform', minUs: uniform.min, maxUs: uniform.max };
  if (lognormal !== undefined) return { kind: 'lognormal', medianUs: lognormal.median, p99Us: lognormal.p99 };
  if (pareto !== undefined) return { kind: 'pareto', scaleUs: pareto.scale, shape: pareto.shape };
  if (empirical !== undefined) return { kind: 'empirical', valuesUs: empirical };
  return { kind: 'constant', us: constant ?? 0 };
});

const HEALTH_CHECK_WORDS = ['ok', 'degraded', 'hang', 'refuse'] as const;

const HealthCheck: Schema<HealthCheckAnswer> = scalar<HealthCheckAnswer>(
  'health check answer',
  'health-check',
  (text) => {
    const word = HEALTH_CHECK_WORDS.find((known) => known === text);
    if (word !== undefined) return accept(word);
    const status = /^\d{3}$/.test(text) ? Number(text) : 0;
    if (status >= 100 && status <= 599) return accept(status);
    return refuse(`health_check must be ok, degraded, hang, refuse or an HTTP status as 503, found "${text}"`);
  },
);

const Count = (what: string, min: number): Schema<number> =>
  scalar('count', 'integer', (text) => {
    if (text === 'unlimited') return accept(Infinity);
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= Number.MAX_SAFE_INTEGER) return accept(value);
    return refuse(`${what} must be an integer of ${min} or more, or unlimited, found ${text}`);
  });

/** Every field of a host's behaviour; all are optional, later rules override earlier ones field by field. */
export const BEHAVIOR_FIELDS = {
  service_time: optional(Distribution, 'How long a host works on a request. Default 0.'),
  concurrency: optional(
    Count('concurrency', 1),
    'Requests served at once; more wait in a queue, first come first served. Default unlimited.',
  ),
  queue_limit: optional(
    Count('queue_limit', 0),
    'Requests that may wait; one more is answered with error_status at once. Default unlimited.',
  ),
  error_rate: optional(Percent, 'Share of requests answered with error_status. Default 0%.'),
  error_status: optional(integer('error_status', 400, 599), 'Status of an error answer. Default 503.'),
  error_headers: optional(
    Headers,
    'Headers of error answers, as {x-proxy-ratelimited: "true"}: retry policies may ask for them. Default none.',
  ),
  connect_time: optional(Distribution, 'How long a new connection takes to open. Default 0.'),
  connect_failure_rate: optional(Percent, 'Share of new connections that fail. Default 0%.'),
  network_latency: optional(Distribution, 'Time on the wire, added to each answer. Default 0.'),
  down: optional(
    words(['none', 'refuse', 'hang']),
    'refuse: connections are refused and open ones reset; hang: accepted and never answered; for traffic and health checks alike. Default none.',
  ),
  health_check: optional(
    HealthCheck,
    'What health checks get while the host is not down: ok, degraded, hang, refuse or a status. Default ok.',
  ),
  immediate_health_check_fail: optional(
    yesNo,
    'Answers carry the header that makes the proxy fail the host at once. Default false.',
  ),
  load_report: optional(
    LoadReportField,
    'What answers report of the load: {cpu_utilization, rps_fractional, …}; measured: what the simulated host has measured; none. Default none.',
  ),
  initial_active_requests: optional(
    integer('initial_active_requests', 0),
    'Requests that count as active from the start and never end. Default 0.',
  ),
} as const;

/** The hosts of an entry. */
export const SELECTED_HOSTS = {
  hosts: optional(HostSelector, 'Which hosts; {}: every host.'),
  match: optional(HostSelector, 'The same; reads better below `hosts:`, the other word for `behavior`.'),
} as const;

/** An entry is more than a selector. */
export const SAYS_SOMETHING: Rule<object> = {
  name: 'behavior-empty',
  reads: Object.keys(BEHAVIOR_FIELDS),
  check: (value, report) => {
    const isEmpty = Object.keys(value).every((key) => key in SELECTED_HOSTS);
    if (isEmpty) report('nothing is said of these hosts', [], 'warning');
  },
};

export const BehaviorEntry: Schema<BehaviorRule> = block(
  'behavior',
  () => ({ ...SELECTED_HOSTS, ...BEHAVIOR_FIELDS }),
  {
    doc: 'How the selected hosts behave from the start; without a selector, every host. Later entries override earlier ones, field by field.',
    oneOfs: [{ name: 'which hosts', fields: Object.keys(SELECTED_HOSTS) }],
    rules: [SAYS_SOMETHING],
  },
).transform(({ hosts, match, ...fields }): BehaviorRule => ({
  hosts: hosts ?? match ?? {},
  behavior: defined(fields),
}));
