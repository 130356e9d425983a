import { MICROS_PER_SECOND } from '../../core/units.js';
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
  const of = 'cluster' in subject && manyClusters ? ` of ${subject.cluster}` : '';
  switch (subject.kind) {
    case 'share':
      return `share of ${describeShare(subject.cluster, subject.hosts, manyClusters)}`;
    case 'no_host':
      return `requests${of} without a host`;
    case 'stat':
      return subject.name;
    case 'mean_stat':
      return `mean of ${subject.name}`;
    case 'success_rate':
      return `success rate${of}`;
    case 'requests':
      return `attempts${of}`;
    case 'failures':
      return `failed requests${of}${subject.cause === undefined ? '' : ` (${subject.cause})`}`;
    case 'latency':
      return `p${subject.percentile} latency${of}`;
    case 'mean_latency':
      return `mean latency${of}`;
    case 'host_load': {
      const over = subject.overUs === MICROS_PER_SECOND ? '' : ` over ${duration(subject.overUs)}`;
      return `load of the busiest host${of}${over}`;
    }
    case 'decision':
      return subject.host === null
        ? `request ${subject.request} finds no host`
        : `request ${subject.request} goes to ${subject.host}`;
  }
}

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

function compare(comparator: Comparator | undefined, show: (value: number) => string): string {
  switch (comparator?.kind) {
    case undefined:
      return '';
    case 'equals':
      return show(comparator.value);
    case 'at_least':
      return `at least ${show(comparator.value)}`;
    case 'at_most':
      return `at most ${show(comparator.value)}`;
    case 'between':
      return `between ${show(comparator.low)} and ${show(comparator.high)}`;
    case 'within_sigma':
      return `within ${comparator.value} σ of the prediction`;
  }
}
