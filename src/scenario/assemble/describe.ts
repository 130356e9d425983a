import type { Action, Comparator, Expectation } from '../model.js';
import { byKind, jsonText, sum } from '../../core/values.js';
import { counted, listed } from '../../core/words.js';
import type { DnsAnswer } from '../../settings/world.js';
import type { Behavior, Duration } from '../../settings/behavior.js';
import { fill } from '../../core/fill.js';
import { describeSelector } from '../selector.js';
import { formatDuration, formatPercent, formatRate } from '../fields/units.js';
import { MICROS_PER_SECOND } from '../../core/units.js';
import { MEASURE_UNITS, type MeasureSubject, type MeasureUnit } from '../../settings/measure.js';
import type { Selector } from '../../settings/selector.js';
import { PHRASES } from './generated/phrases.js';

/** Sentences for reports: what a timeline entry does, as a person would say it. */

/** "5 ms", "1.5 s": as {@link formatDuration}, with the space that prose has. */
export const duration = (us: number): string => formatDuration(us).replace(/(\d)([a-z])/, '$1 $2');

const describeDistribution: (of: Duration) => string = byKind<Duration, string>({
  constant: ({ us }) => duration(us),
  exponential: ({ meanUs }) => `exponential with mean ${duration(meanUs)}`,
  erlang: ({ meanUs, stages }) => `Erlang of ${stages} with mean ${duration(meanUs)}`,
  hyperexponential: ({ branches }) =>
    `hyperexponential with means ${listed(branches.map(({ meanUs }) => duration(meanUs)))}`,
  weibull: ({ scaleUs, shape }) => `Weibull with scale ${duration(scaleUs)} and shape ${shape}`,
  uniform: ({ minUs, maxUs }) => `uniform from ${duration(minUs)} to ${duration(maxUs)}`,
  lognormal: ({ medianUs, p99Us }) => `lognormal with median ${duration(medianUs)} and p99 ${duration(p99Us)}`,
  pareto: ({ scaleUs, shape }) => `pareto with scale ${duration(scaleUs)} and shape ${shape}`,
  empirical: ({ valuesUs }) => `one of ${valuesUs.length} values`,
  cached: ({ hit, miss }) => `${describeDistribution(hit)} from its cache, else ${describeDistribution(miss)}`,
});

/** One phrase for each field that is set: "stops answering, begins to take 5 ms a request". */
function describeBehavior(behavior: Partial<Behavior>): string {
  const { serviceTime, concurrency, queueLimit, errorRate, errorStatus, errorHeaders, loadReport } = behavior;
  const { connectTime, networkLatency, zoneLatency } = behavior;
  const values = {
    ...behavior,
    takes: serviceTime && describeDistribution(serviceTime),
    concurrency: concurrency === Infinity ? 'unlimited' : concurrency,
    queueLimit: queueLimit === Infinity ? 'unlimited' : queueLimit,
    status: errorStatus ?? 'errors',
    onlyStatus: errorRate === undefined ? errorStatus : undefined,
    headers: errorHeaders && Object.keys(errorHeaders),
    connects: connectTime && describeDistribution(connectTime),
    isByZone: zoneLatency !== undefined,
    latency: networkLatency && describeDistribution(networkLatency),
    load: typeof loadReport === 'object' ? 'other' : loadReport,
  };
  const phrases = PHRASES.behavior.map((phrase) => fill(phrase, values));
  return phrases.filter((phrase) => phrase !== '').join(', ');
}

function describeDns(answers: ReadonlyMap<string, DnsAnswer>): string {
  if (answers.size === 0) return 'the resolver knows no name any more';
  const parts = [...answers].map(([name, answer]) =>
    'fail' in answer
      ? `fails for ${name}`
      : `has ${counted(answer.addresses.length, 'address', 'addresses')} for ${name}`,
  );
  return `the resolver ${parts.join(', ')}`;
}

/** The label of a timeline entry: "zone a stops answering", "10.0.0.3:80 set UNHEALTHY", "users: 900/s". */
export const describeAction = byKind<Action, string>({
  set_health: ({ hosts, status }) => `${describeSelector(hosts)} set ${status}`,
  set_weight: ({ hosts, weight }) => `${describeSelector(hosts)} gets weight ${weight}`,
  set_metadata: ({ hosts, metadata }) => `${describeSelector(hosts)} gets metadata ${JSON.stringify(metadata)}`,
  add_hosts: ({ cluster, endpoints }) => `${cluster} gains ${counted(endpoints.length, 'host')}`,
  remove_hosts: ({ hosts }) => `${describeSelector(hosts)} leaves`,
  assign: ({ assignment: { clusterName, endpoints } }) => {
    const hosts = sum(endpoints.map(({ lbEndpoints }) => lbEndpoints.length));
    return `${clusterName} is assigned ${counted(hosts, 'host')}`;
  },
  dns: ({ answers }) => describeDns(answers),
  update_cluster: ({ cluster }) => `an update replaces cluster ${cluster.name} and all its connections`,
  remove_cluster: ({ name }) => `cluster ${name} is removed`,
  set_behavior: ({ hosts, behavior }) => `${describeSelector(hosts)} ${describeBehavior(behavior)}`,
  set_rate: ({ workload, perSecond }) => `${workload} sends ${formatRate(perSecond)}`,
  set_runtime: ({ values }) =>
    Object.entries(values)
      .map(([key, value]) => `runtime ${key} = ${jsonText(value)}`)
      .join(', '),
  note: ({ text }) => text,
});

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
const measure = (subject: MeasureSubject, manyClusters: boolean): string =>
  MEASURED(subject, 'cluster' in subject && manyClusters ? ` of ${subject.cluster}` : '', manyClusters);

const MEASURED = byKind<MeasureSubject, string, [of: string, manyClusters: boolean]>({
  share: ({ cluster, hosts }, _, manyClusters) => `share of ${describeShare(cluster, hosts, manyClusters)}`,
  no_host: (_, of) => `requests${of} without a host`,
  crosses_zones: (_, of) => `requests${of} that cross zones`,
  moved_keys: (_, of) => `keys${of} that move`,
  stat: ({ name }) => name,
  mean_stat: ({ name }) => `mean of ${name}`,
  success_rate: (_, of) => `success rate${of}`,
  requests: (_, of) => `attempts${of}`,
  failures: ({ cause }, of) => `failed requests${of}${cause === undefined ? '' : ` (${cause})`}`,
  latency: ({ percentile }, of) => `p${percentile} latency${of}`,
  mean_latency: (_, of) => `mean latency${of}`,
  host_load: ({ overUs }, of) =>
    `load of the busiest host${of}${overUs === MICROS_PER_SECOND ? '' : ` over ${duration(overUs)}`}`,
  survives: ({ cluster, lose, without }, _, manyClusters) =>
    `${manyClusters ? `${cluster} ` : ''}survives the loss of ${listed(lose)} without ${without.join(' or ')}`,
  decision: ({ request, host }) => `request ${request} ${host === null ? 'finds no host' : `goes to ${host}`}`,
});

function describeShare(name: string, hosts: Selector, manyClusters: boolean): string {
  const { cluster } = hosts;
  // Hosts of another cluster: of one that this one, an aggregate, passes requests on to.
  const isPassed = cluster !== undefined && cluster !== name;
  const where = { ...hosts, ...(manyClusters && !isPassed ? { cluster: name } : {}) };
  return `${describeSelector(where)}${isPassed ? ` in ${name}` : ''}`;
}

const SHOWN: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: formatPercent,
  load: formatPercent,
  seconds: (value) => duration(Math.round(value * MICROS_PER_SECOND)),
  number: String,
};

const windowText = (during: Expectation['during']): string =>
  during === undefined ? '' : `, from ${duration(during[0])} to ${duration(during[1])}`;

const compared = byKind<Comparator, string, [show: (value: number) => string]>({
  equals: ({ value }, show) => show(value),
  at_least: ({ value }, show) => `at least ${show(value)}`,
  at_most: ({ value }, show) => `at most ${show(value)}`,
  between: ({ low, high }, show) => `between ${show(low)} and ${show(high)}`,
  within_sigma: ({ value }) => `within ${value} σ of the prediction`,
});

const compare = (comparator: Comparator | undefined, show: (value: number) => string): string =>
  comparator === undefined ? '' : compared(comparator, show);
