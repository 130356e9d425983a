import { words, yesNo } from '../../config/reader/combinators.js';
import { defaulted, either, mapping, optional, required, type Rule, type Schema, rule } from '../../config/reader.js';
import { block } from './block.js';
import { defined } from '../../core/values.js';
import { Durations } from './distribution.js';
import { amount, Headers, integer, Percent, scalar } from './fields.js';
import { BEHAVIOR_WORDS } from '../../settings/generated/behavior-fields.js';
import type { Behavior, BehaviorRule, Duration, HealthCheckAnswer, ZoneLatency } from '../../settings/behavior.js';
import { HostSelector } from './selector-schema.js';
import { accept, refuse } from './units.js';
import type { LoadReport } from '../../policy/load-report.js';

/** The load that hosts report with their answers: `load_report` of `behavior`. */

const metrics = (what: string): Schema<Readonly<Record<string, number>>> => mapping(amount(what));

const Report = block('load_report', () => ({
  cpu_utilization: defaulted(amount('cpu_utilization'), 0),
  mem_utilization: defaulted(amount('mem_utilization'), 0),
  application_utilization: defaulted(amount('application_utilization'), 0),
  rps_fractional: defaulted(amount('rps_fractional'), 0),
  eps: defaulted(amount('eps'), 0),
  named_metrics: defaulted(metrics('a named metric'), {}),
  utilization: defaulted(metrics('a utilization'), {}),
})).transform(({ rpsFractional: rps, ...fields }): LoadReport => ({ ...fields, rps }));

/** How hosts serve, fail and answer health checks: `behavior` and the timeline's `set_behavior`. */

const Cache = block('cache', () => ({
  entries: required(integer('entries', 1)),
  by: defaulted(either(words(['key']), integer('by', 1)), 'key'),
}));

const Cached = block('service_time', () => ({
  hit: required(Durations),
  miss: required(Durations),
  cache: required(Cache),
})).transform(({ hit, miss, cache: { entries, by } }): Duration => ({
  ...{ kind: 'cached', hit, miss, entries },
  prefix: by === 'key' ? Infinity : by,
}));

/** Between zones, and elsewhere what an earlier entry says. */
const Between = block('network_latency', () => ({ between: required(mapping(mapping(Durations))) }));

type Written = {
  readonly [Name in keyof Omit<Behavior, 'networkLatency' | 'zoneLatency'>]?: Behavior[Name] | undefined;
} & {
  readonly networkLatency?: Duration | { readonly between: ZoneLatency } | undefined;
};

/** What fields of behaviour say: latencies by zone are a field of their own, beside the one of all other zones. */
export function behaviorOf({ networkLatency: latency, ...fields }: Written): Partial<Behavior> {
  const isByZone = latency !== undefined && 'between' in latency;
  return defined({ ...fields, ...(isByZone ? { zoneLatency: latency.between } : { networkLatency: latency }) });
}

const HealthCheck = scalar<HealthCheckAnswer>('health check answer', 'health-check', (text) => {
  const word = BEHAVIOR_WORDS.healthCheck.find((known) => known === text);
  if (word !== undefined) return accept(word);
  const status = /^\d{3}$/.test(text) ? Number(text) : 0;
  if (status >= 100 && status <= 599) return accept(status);
  return refuse(`health_check must be ok, degraded, hang, refuse or an HTTP status as 503, found "${text}"`);
});

const Count = (what: string, min: number): Schema<number> =>
  scalar('count', 'integer', (text) => {
    if (text === 'unlimited') return accept(Infinity);
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= Number.MAX_SAFE_INTEGER) return accept(value);
    return refuse(`${what} must be an integer of ${min} or more, or unlimited, found ${text}`);
  });

/** Every field of a host's behaviour; all are optional, later rules override earlier ones field by field. */
export const BEHAVIOR_FIELDS = {
  service_time: optional(either(Durations, Cached)),
  concurrency: optional(Count('concurrency', 1)),
  discipline: optional(words(BEHAVIOR_WORDS.discipline)),
  queue_limit: optional(Count('queue_limit', 0)),
  error_rate: optional(Percent),
  error_status: optional(integer('error_status', 400, 599)),
  error_headers: optional(Headers),
  closes: optional(words(BEHAVIOR_WORDS.closes)),
  close_rate: optional(Percent),
  connect_time: optional(Durations),
  connect_failure_rate: optional(Percent),
  network_latency: optional(either(Durations, Between)),
  down: optional(words(BEHAVIOR_WORDS.down)),
  health_check: optional(HealthCheck),
  immediate_health_check_fail: optional(yesNo),
  load_report: optional(either(Report, words(BEHAVIOR_WORDS.loadReport))),
  initial_active_requests: optional(integer('initial_active_requests', 0)),
} as const;

export const SELECTED_HOSTS = {
  hosts: optional(HostSelector),
  match: optional(HostSelector),
} as const;

/** An entry is more than a selector. */
export const SAYS_SOMETHING: Rule<object> = rule('behavior-empty', Object.keys(BEHAVIOR_FIELDS), (value, report) => {
  if (Object.keys(value).every((key) => key in SELECTED_HOSTS)) report('nothing is said of these hosts', [], 'warning');
});

export const BehaviorEntry: Schema<BehaviorRule> = block(
  'behavior',
  () => ({ ...SELECTED_HOSTS, ...BEHAVIOR_FIELDS }),
  SAYS_SOMETHING,
).transform(({ hosts, match, ...fields }): BehaviorRule => ({
  hosts: hosts ?? match ?? {},
  behavior: behaviorOf(fields),
}));
