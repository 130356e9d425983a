import * as args from './arguments.js';
import { mapValues } from './values.js';

/** A rarer chance doubles do not tell apart from none. */
const RAREST = 1e-12;
const isChance = (value: unknown): boolean => typeof value === 'number' && value >= RAREST && value < 1;

const CHECKS = {
  ...{ text: args.TEXT, texts: args.TEXTS, flag: args.FLAG, function: args.FUNCTION },
  ...{ list: args.LIST, object: args.ANY_TABLE },
  ...{ number: args.NUMBER, count: args.COUNT, index: args.INDEX, from_zero: args.FROM_ZERO, positive: args.POSITIVE },
  whole: args.must('a whole number', (value) => Number.isSafeInteger(value)),
  part: args.must('a number above 0, below 1', (value) => typeof value === 'number' && value > 0 && value < 1),
  from_two: args.must('a whole number from 2', (value) => Number.isSafeInteger(value) && Number(value) >= 2),
  chance: args.must(`a number from ${RAREST} to below 1`, isChance),
  scenario: args.SCENARIO,
  sink: args.withFunctions('onFlush'),
  result: args.RESULT,
  ...{ u64: args.U64_HALVES, u64s: args.listOf(args.U64_HALVES, 'a list of {hi, lo}') },
};

type Option = keyof typeof CHECKS | readonly string[] | args.Check;

/** The check of options that a table names, as analysis/options.yaml has them. @param required those that have to be there. */
/* @__NO_SIDE_EFFECTS__ */
export function optionsIn(table: Readonly<Record<string, Option>>, ...required: readonly string[]): args.Check {
  const checks = mapValues(table, (one) =>
    typeof one === 'string' ? CHECKS[one] : typeof one === 'function' ? one : args.oneOf(one),
  );
  const check = args.fieldsOf(checks, ...required);
  return required.length === 0 ? args.optional(check) : check;
}
