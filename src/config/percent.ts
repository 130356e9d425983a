import type { Output } from './reader.js';
import { message, plain, required } from './reader.js';
import { boolValue, double, enumeration, string, uint32 } from './reader/proto.js';

/** type.Percent: 0–100. */
export const Percent = message(
  'type.Percent',
  () => ({ value: plain(double({ min: 0, max: 100 }), 'Percentage from 0 to 100.') }),
  { doc: 'A percentage in the range 0–100.' },
);
export type Percent = Output<typeof Percent>;

export const DenominatorType = enumeration('type.FractionalPercent.DenominatorType', {
  HUNDRED: 0,
  TEN_THOUSAND: 1,
  MILLION: 2,
});

/** type.FractionalPercent: a portion as numerator over 100, 10,000 or 1,000,000. */
export const FractionalPercent = message(
  'type.FractionalPercent',
  () => ({
    numerator: plain(uint32(), 'The portion. It may exceed the denominator; the result is then always.'),
    denominator: plain(DenominatorType, 'What the numerator is a portion of.'),
  }),
  { doc: 'A fraction with a denominator of 100, 10,000 or 1,000,000.' },
);
export type FractionalPercent = Output<typeof FractionalPercent>;

/** A {@link FractionalPercent} as a number; 1 is always. */
export function portionOf({ numerator, denominator }: FractionalPercent): number {
  return numerator / (denominator === 'HUNDRED' ? 100 : denominator === 'TEN_THOUSAND' ? 10_000 : 1_000_000);
}

export const SemanticVersion = message(
  'type.SemanticVersion',
  () => ({
    major_number: plain(uint32(), 'Major version.'),
    minor_number: plain(uint32(), 'Minor version.'),
    patch: plain(uint32(), 'Patch level.'),
  }),
  { doc: 'A semantic version.' },
);

const runtimeKey = 'Runtime key whose value is used when it is defined.';
const fallback = 'Used when the runtime value is unavailable.';

/** core.RuntimeUInt32 */
export const RuntimeUInt32 = message(
  'core.RuntimeUInt32',
  () => ({
    default_value: plain(uint32(), fallback),
    runtime_key: required(string({ minLength: 1 }), runtimeKey),
  }),
  { doc: 'A number that runtime can override.' },
);

/** core.RuntimeDouble, as the fields that are newer than v2 take it: without a key, too. */
export const RuntimeDouble = message(
  'core.RuntimeDouble',
  () => ({
    default_value: plain(double(), fallback),
    runtime_key: plain(string(), `${runtimeKey} It must be set, except where the field is newer than v2.`),
  }),
  { doc: 'A number that runtime can override.' },
);

/** core.RuntimeDouble of the v2 schema. */
export const RuntimeDoubleWithKey = message(
  'core.RuntimeDouble',
  () => ({
    default_value: plain(double(), fallback),
    runtime_key: required(string({ minLength: 1 }), runtimeKey),
  }),
  { doc: 'A number that runtime can override.' },
);
export type RuntimeDouble = Output<typeof RuntimeDouble>;

/** core.RuntimeFractionalPercent */
export const RuntimeFractionalPercent = message(
  'core.RuntimeFractionalPercent',
  () => ({
    default_value: required(FractionalPercent, fallback),
    runtime_key: plain(string(), 'Runtime key; a YAML FractionalPercent, or a whole number out of 100.'),
  }),
  { doc: 'A portion that runtime can override.' },
);
export type RuntimeFractionalPercent = Output<typeof RuntimeFractionalPercent>;

export const RuntimeFeatureFlag = message(
  'core.RuntimeFeatureFlag',
  () => ({
    default_value: required(boolValue(), fallback),
    runtime_key: required(string({ minLength: 1 }), 'Runtime key; a bool in canonical JSON.'),
  }),
  { doc: 'A switch that runtime can override.' },
);
