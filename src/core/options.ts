import * as args from './arguments.js';
import { mapValues } from './values.js';

export { OPTIONS } from './generated/options.js';

/** A rarer chance doubles do not tell apart from none. */
const RAREST = 1e-12;
const isChance = (value: unknown): boolean => typeof value === 'number' && value >= RAREST && value < 1;

const CHECKS = {
  ...{ text: args.TEXT, texts: args.TEXTS, flag: args.FLAG, function: args.FUNCTION, object: args.ANY_TABLE },
  ...{ count: args.COUNT, index: args.INDEX, from_zero: args.FROM_ZERO, positive: args.POSITIVE },
  part: args.must('a number above 0, below 1', (value) => typeof value === 'number' && value > 0 && value < 1),
  from_two: args.must('a whole number from 2', (value) => Number.isSafeInteger(value) && Number(value) >= 2),
  chance: args.must(`a number from ${RAREST} to below 1`, isChance),
  scenario: args.SCENARIO,
  sink: args.withFunctions('onFlush'),
  ...{ u64: args.U64_HALVES, u64s: args.listOf(args.U64_HALVES, 'a list of {hi, lo}') },
};

type Worded = keyof typeof CHECKS | readonly string[];

/** Checks of the options that a table names, as options.yaml has them. */
export const fieldsIn = <T>(table: { readonly [Name in keyof T]-?: Worded }): args.Fields<T> =>
  mapValues(table as Readonly<Record<string, Worded>>, (worded) =>
    typeof worded === 'string' ? CHECKS[worded] : args.oneOf(worded),
  ) as args.Fields<T>;
