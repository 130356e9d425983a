import type { Messages } from './api/generated/read-messages.js';
import { mark, message } from './reader.js';

/** A portion as a number; 1 is always. */
export function portionOf({ numerator, denominator }: Messages['type.FractionalPercent']): number {
  return numerator / (denominator === 'HUNDRED' ? 100 : denominator === 'TEN_THOUSAND' ? 10_000 : 1_000_000);
}

/** In fields that are newer than v2 the key is optional. */
const RuntimeDouble = message('core.RuntimeDouble');

/** core.RuntimeDouble of the v2 schema. */
export const RuntimeDoubleWithKey = mark(
  RuntimeDouble.checked(({ runtimeKey }, fail) => {
    if (runtimeKey === '') fail('required', 'runtime_key is required in core.RuntimeDouble');
  }),
  RuntimeDouble.marks,
);
