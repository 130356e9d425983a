import type { Action, Comparator, Expectation } from '../model.js';
import { jsonText, sum } from '../../core/values.js';
import { proseDuration } from '../../core/words.js';
import type { Behavior, Duration } from '../../settings/behavior.js';
import { fill, type Sentence } from '../../core/fill.js';
import { describeSelector } from '../selector.js';
import { formatPercent } from '../fields/units.js';
import { MICROS_PER_SECOND } from '../../core/units.js';
import { MEASURE_UNITS, type MeasureSubject, type MeasureUnit } from '../../settings/generated/measures.js';
import { PHRASES } from './generated/phrases.js';

/** Sentences for reports: what a timeline entry does, as a person would say it. */

/** What is said of each kind: none is without a phrase. */
const BY_KIND = {
  time: PHRASES.time satisfies Record<Duration['kind'], Sentence>,
  action: PHRASES.action satisfies Record<Action['kind'], Sentence>,
  measure: PHRASES.measure satisfies Record<MeasureSubject['kind'], Sentence>,
  comparison: PHRASES.comparison satisfies Record<Comparator['kind'], Sentence>,
};

function describeTime(time: Duration): string {
  const parts = time.kind === 'cached' && { hit: describeTime(time.hit), miss: describeTime(time.miss) };
  return fill(BY_KIND.time, { ...time, ...parts });
}

/** One phrase for each field that is set: "stops answering, begins to take 5 ms a request". */
function describeBehavior(behavior: Partial<Behavior>): string {
  const { serviceTime, concurrency, queueLimit, errorRate, errorStatus, errorHeaders, loadReport } = behavior;
  const { connectTime, networkLatency, zoneLatency } = behavior;
  const values = {
    ...behavior,
    takes: serviceTime && describeTime(serviceTime),
    concurrency: concurrency === Infinity ? 'unlimited' : concurrency,
    queueLimit: queueLimit === Infinity ? 'unlimited' : queueLimit,
    status: errorStatus ?? 'errors',
    onlyStatus: errorRate === undefined ? errorStatus : undefined,
    headers: errorHeaders && Object.keys(errorHeaders),
    connects: connectTime && describeTime(connectTime),
    isByZone: zoneLatency !== undefined,
    latency: networkLatency && describeTime(networkLatency),
    load: typeof loadReport === 'object' ? 'other' : loadReport,
  };
  const phrases = PHRASES.behavior.map((phrase) => fill(phrase, values));
  return phrases.filter((phrase) => phrase !== '').join(', ');
}

/** The label of a timeline entry: "zone a stops answering", "10.0.0.3:80 set UNHEALTHY", "users: 900/s". */
export function describeAction(action: Action): string {
  const { kind } = action;
  return fill(BY_KIND.action, {
    ...action,
    hosts: 'hosts' in action ? describeSelector(action.hosts) : undefined,
    behavior: kind === 'set_behavior' ? describeBehavior(action.behavior) : undefined,
    metadata: kind === 'set_metadata' ? JSON.stringify(action.metadata) : undefined,
    assigned: kind === 'assign' ? sum(action.assignment.endpoints.map(({ lbEndpoints }) => lbEndpoints.length)) : 0,
    answers: kind === 'dns' ? [...action.answers].map(([name, answer]) => ({ name, ...answer })) : [],
    settings:
      kind === 'set_runtime'
        ? Object.entries(action.values).map(([key, value]) => `runtime ${key} = ${jsonText(value)}`)
        : [],
  });
}

/** What an expectation asks, as a person would say it. @param manyClusters clusters are named, since there are several. */
export function describeExpectation(expectation: Omit<Expectation, 'text'>, manyClusters: boolean): string {
  const { subject, comparator, during, relativeTo } = expectation;
  const measured = measure(subject, manyClusters);
  if (subject.kind === 'decision' || subject.kind === 'survives') return measured;
  if (relativeTo === undefined)
    return `${measured} ${compare(comparator, SHOWN[MEASURE_UNITS[subject.kind]])}${windowText(during)}`;
  const multiple = (value: number): string => `${value} ×`;
  const isElsewhere = JSON.stringify(subject) !== JSON.stringify(relativeTo.subject);
  const isLater = JSON.stringify(during) !== JSON.stringify(relativeTo.during);
  // What is the same is not said twice.
  const there = isElsewhere ? ` ${measure(relativeTo.subject, true)}` : ' that';
  const when = relativeTo.during === undefined ? ' of the whole run' : windowText(relativeTo.during).slice(1);
  return `${measured}${windowText(during).replace(',', '')} ${compare(comparator, multiple)}${there}${isLater ? when : ''}`;
}

/** What is measured: "share of zone a", "p99 latency of web". */
function measure(subject: MeasureSubject, manyClusters: boolean): string {
  const many = 'cluster' in subject && manyClusters ? { cluster: subject.cluster } : {};
  const values = { ...subject, many: many.cluster };
  if (subject.kind !== 'share') return fill(BY_KIND.measure, values);
  const { hosts, cluster } = subject;
  // Hosts of another cluster: of one that this one, an aggregate, passes requests on to.
  const passedBy = hosts.cluster === undefined || hosts.cluster === cluster ? undefined : cluster;
  return fill(BY_KIND.measure, { ...values, hosts: describeSelector({ ...many, ...hosts }), passedBy });
}

const SHOWN: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: formatPercent,
  load: formatPercent,
  seconds: (value) => proseDuration(Math.round(value * MICROS_PER_SECOND)),
  number: String,
};

const windowText = (during: Expectation['during']): string =>
  during === undefined ? '' : `, from ${proseDuration(during[0])} to ${proseDuration(during[1])}`;

function compare(comparator: Comparator | undefined, show: (value: number) => string): string {
  if (comparator?.kind !== 'between')
    return fill(BY_KIND.comparison, { ...comparator, shown: comparator && show(comparator.value) });
  return fill(BY_KIND.comparison, { ...comparator, low: show(comparator.low), high: show(comparator.high) });
}
