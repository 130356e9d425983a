import { mark, message, names, plain, type Output } from './reader.js';
import { double, string, uint32 } from './reader/proto.js';

/** type.Percent: 0–100. */
export const Percent = message('type.Percent', () => ({ value: plain(double()) }));
export type Percent = Output<typeof Percent>;

const DenominatorType = names('HUNDRED', 'TEN_THOUSAND', 'MILLION');

/** type.FractionalPercent: a portion as numerator over 100, 10,000 or 1,000,000. */
export const FractionalPercent = message('type.FractionalPercent', () => ({
  numerator: plain(uint32()),
  denominator: plain(DenominatorType),
}));
export type FractionalPercent = Output<typeof FractionalPercent>;

/** A {@link FractionalPercent} as a number; 1 is always. */
export function portionOf({ numerator, denominator }: FractionalPercent): number {
  return numerator / (denominator === 'HUNDRED' ? 100 : denominator === 'TEN_THOUSAND' ? 10_000 : 1_000_000);
}

/** core.RuntimeDouble in fields that are newer than v2: the key is optional. */
export const RuntimeDouble = message('core.RuntimeDouble', () => ({
  default_value: plain(double()),
  runtime_key: plain(string()),
}));

/** core.RuntimeDouble of the v2 schema. */
export const RuntimeDoubleWithKey = mark(
  RuntimeDouble.checked(({ runtimeKey }, fail) => {
    if (runtimeKey === '') fail('required', 'runtime_key is required in core.RuntimeDouble');
  }),
  RuntimeDouble.marks,
);
export type RuntimeDouble = Output<typeof RuntimeDouble>;
