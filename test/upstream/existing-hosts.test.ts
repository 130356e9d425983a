import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Host, NOWHERE } from '../../src/host/host.js';
import { ANY_PORT, ExistingHosts } from '../../src/upstream/host-reconciler.js';

const zones = [NOWHERE, { ...NOWHERE, zone: 'a' }];
const name = fc.integer({ min: 0, max: 3 });
const zone = fc.integer({ min: 0, max: 1 });
const level = fc.array(fc.tuple(name, zone), { maxLength: 6 });

function hostAt([number, place]: readonly [number, number]): Host {
  const locality = zones[place] ?? NOWHERE;
  const address = `10.0.0.${number}:80`;
  return new Host({ address, hostname: '', weight: 1, locality, metadata: {}, flags: 0, healthCheckPort: undefined });
}

it('finds each host once: the first of its address and locality in the priority, else in any', () => {
  const wanted = fc.record({
    number: name,
    place: zone,
    priority: fc.integer({ min: 0, max: 2 }),
    peeks: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(level, { maxLength: 3 }),
      fc.array(wanted, { maxLength: 12 }),
      fc.boolean(),
      (told, asked, same) => {
        const levels = told.map((hosts) => hosts.map(hostAt));
        // Most updates name everybody where he was, and only then somebody else.
        const again = same
          ? told.flatMap((hosts, priority) =>
              hosts.map(([number, place]) => ({ number, place, priority, peeks: false })),
            )
          : [];
        const known = new ExistingHosts(levels);
        let left = levels.flatMap((hosts, priority) => hosts.map((host) => ({ host, priority })));
        for (const { number, place, priority, peeks } of [...again, ...asked]) {
          const address = `10.0.0.${number}:80`;
          const locality = { ...(zones[place] ?? NOWHERE) };
          if (peeks) expect(known.find(address)).toBe(left.find(({ host }) => host.address === address)?.host);
          const fitting = left.filter(({ host }) => host.address === address && host.locality.zone === locality.zone);
          const expected = fitting.find((entry) => entry.priority === priority) ?? fitting[0];
          const found = known.take(address, locality, ANY_PORT, priority);
          expect(found?.host).toBe(expected?.host);
          expect(found?.priority).toBe(expected?.priority);
          left = left.filter((entry) => entry !== expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});
