import { printable } from '../core/printable.js';
import type { ClusterResult, ExpectationResult } from '../result/run-result.js';
import { type Expectation, MEASURE_UNITS, type MeasureUnit } from '../scenario/model.js';
import { decimal, millis, percent, seconds } from './format.js';
import { countFailures } from '../result/failures.js';

/**
 * The measured value of an expectation, in the unit of its subject: "66 %", "2.3 × (62 ms to 27 ms)", "62 ms of the 40 %
 * answered".
 *
 * @param expectation undefined: the unit is not known.
 */
export function measuredText(result: ExpectationResult, expectation: Expectation | undefined): string {
  const { actual, value, reference, busiest, answered_share: answered } = result;
  if (answered === 0) return 'no host answered';
  const of = answered === undefined ? '' : ` of the ${finePercent(answered)} answered`;
  if (value !== undefined && reference !== undefined) {
    const both = `${inUnit(value, expectation)} to ${inUnit(reference, expectation)}`;
    return (typeof actual === 'number' ? `${decimal(actual, 3)} ×, ${both}` : both) + of;
  }
  const text = inUnit(actual, expectation) + of;
  if (busiest === undefined) return text;
  return `${text}, ${printable(busiest.address)} from ${seconds(busiest.from_s)} to ${seconds(busiest.to_s)}`;
}

function inUnit(value: ExpectationResult['actual'], expectation: Expectation | undefined): string {
  if (value === null) return expectation?.subject.kind === 'decision' ? 'no host' : 'nothing to measure';
  if (typeof value === 'string') return printable(value);
  return SHOWN[expectation === undefined ? 'number' : MEASURE_UNITS[expectation.subject.kind]](value);
}

const SHOWN: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: finePercent,
  load: finePercent,
  seconds: (value) => millis(value * 1000),
  number: (value) => decimal(value, 6),
};

/** Finer than in the tables: bounds are often given to a hundredth of a percent. */
function finePercent(share: number): string {
  return share > 0 && share < 0.00005 ? '<0.01 %' : `${decimal(share * 100, 2)} %`;
}

/** Behind a latency of a cluster: " of the 33.3 % answered"; nothing where all requests were. */
export function ofTheAnswered({ success, failures }: ClusterResult): string {
  const all = success + countFailures(failures);
  const answered = success + failures.error_status;
  return answered === all ? '' : ` of the ${percent(answered / all)} answered`;
}
