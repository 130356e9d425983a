import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MaglevBuilder } from '../../src/policy/maglev-table.js';
import { MaglevTables } from '../../src/predict/maglev-tables.js';

const ALL = new Uint8Array(100).fill(1);

it('counts the slots of each host as a table that is filled does', () => {
  const weight = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100_000 }));
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 2, maxLength: 60 }),
      fc.constantFrom(7, 101, 251, 1009),
      fc.constantFrom('1.17' as const, '1.40' as const),
      (raw, tableSize, version) => {
        const sum = raw.reduce((total, value) => total + value, 0);
        const weights = Float64Array.from(raw, (value) => value / sum);
        const keys = raw.map((_, host) => `10.0.0.${(host * 7) % 61}:80`);
        const modern = version === '1.40';
        const table = new MaglevBuilder({ tableSize, sortByKey: modern, singleHostShortcut: modern }).build({
          keys,
          weights,
          minWeight: Math.min(...weights),
          maxWeight: Math.max(...weights),
        });
        const numbers = Uint32Array.from(keys.keys());
        const method = new MaglevTables({ version, maglev: { tableSize } }, keys);
        const shares = method.build({ keys: numbers, rows: numbers, weights }).shares(ALL);
        expect([...shares].map((share) => Math.round(share * tableSize))).toEqual([...table.entriesPerHost]);
      },
    ),
    { numRuns: 300 },
  );
});
