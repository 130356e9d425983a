import { MICROS_PER_SECOND } from '../../core/units.js';
import { byKind } from '../../core/by-kind.js';
import { duration } from './describe.js';
import type { Comparator, Expectation } from '../model.js';
import { type MeasureSubject, MEASURE_UNITS, type MeasureUnit } from '../../settings/measure.js';
import type { Selector } from '../../settings/selector.js';
import { describeSelector } from '../selector.js';
import { formatPercent } from '../fields/units.js';

/**
 * What an expectation asks, as a person would say it. A cluster is named only where there are several.
 *
 * @param manyClusters the scenario has several, so that a bare "share of zone b" would leave the question open.
 */
export function describeExpectation(expectation: Omit<Expectation, 'text'>, manyClusters: boolean): string {
  const { subject, comparator, during, relativeTo } = expectation;
  const measured = measure(subject, manyClusters);
  if (subject.kind === 'decision') return measured;
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
  return MEASURED(subject, 'cluster' in subject && manyClusters ? ` of ${subject.cluster}` : '', manyClusters);
}

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

function windowText(during: Expectation['during']): string {
  return during === undefined ? '' : `, from ${duration(during[0])} to ${duration(during[1])}`;
}

const compared = byKind<Comparator, string, [show: (value: number) => string]>({
  equals: ({ value }, show) => show(value),
  at_least: ({ value }, show) => `at least ${show(value)}`,
  at_most: ({ value }, show) => `at most ${show(value)}`,
  between: ({ low, high }, show) => `between ${show(low)} and ${show(high)}`,
  within_sigma: ({ value }) => `within ${value} σ of the prediction`,
});

function compare(comparator: Comparator | undefined, show: (value: number) => string): string {
  return comparator === undefined ? '' : compared(comparator, show);
}
