import { describe, expect, it } from 'vitest';
import type { BalancerDescription, PriorityDescription } from '../../src/hostset/generated/descriptions.js';
import { splitFacts } from '../../src/hostset/split-facts.js';
import { reasonTexts } from '../../src/words/reasons.js';

const reasonsFor = (...of: Parameters<typeof splitFacts>): readonly string[] => reasonTexts(splitFacts(...of));

const LEVEL: PriorityDescription = {
  priority: 0,
  hosts: 4,
  healthy: 2,
  degraded: 1,
  excluded: 0,
  measured: { healthy: 2, degraded: 1, counted: 4 },
  byWeight: false,
  overprovisioningFactor: 140,
  healthyLoad: 70,
  degradedLoad: 30,
  panic: false,
  availablePercent: 75,
  localitySchedule: undefined,
  tableWeights: undefined,
  emptyTable: undefined,
  table: undefined,
};

function measured(level: PriorityDescription): PriorityDescription {
  const { healthy, degraded, hosts, excluded } = level;
  return { ...level, measured: { healthy, degraded, counted: hosts - excluded } };
}

function finding(level: Partial<PriorityDescription>, zone?: BalancerDescription['zone']): BalancerDescription {
  return { panicThreshold: 50, normalizedTotal: 100, priorities: [{ ...LEVEL, ...level }], zone };
}

const DIRECT = { state: 'direct', forced: false, upstream: [], local: [] } as const;
const ANYWHERE =
  'zone routing also places requests meant for degraded hosts, and in a zone without any they find no host';

it.each([{ gate: 'upstream-zones', zones: 1, needed: 2 }, { gate: 'no-upstream-local-hosts' }] as const)(
  'a gate of zone routing has its numbers and nothing else: %j',
  (gate) => {
    const config = { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false } as const;
    const facts = splitFacts(finding({}, { state: 'none', ...gate }), config);
    expect(facts.filter(({ kind }) => kind === 'zone_off')).toEqual([{ kind: 'zone_off', ...gate }]);
  },
);

describe('why a request for degraded hosts finds none', () => {
  const config = { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false } as const;

  it('is told where zones are routed', () => {
    expect(reasonsFor(finding({}, DIRECT), config)).toContain(ANYWHERE);
  });

  it('is not told where they are not, or where nobody is asked for', () => {
    expect(reasonsFor(finding({}), config)).not.toContain(ANYWHERE);
    expect(reasonsFor(finding({ degradedLoad: 0 }, DIRECT), config)).not.toContain(ANYWHERE);
    expect(reasonsFor(finding({ panic: true }, DIRECT), config)).not.toContain(ANYWHERE);
    const off = { ...finding({}, DIRECT), zonePicks: { enabledPercent: 0, localClusterInPanic: false } };
    expect(reasonsFor(off, config)).not.toContain(ANYWHERE);
  });
});

it('counts one degraded host as one', () => {
  expect(reasonsFor(finding({ degradedLoad: 0 }), { lbPolicy: 'MAGLEV', failTrafficOnPanic: false })).toContain(
    '1 degraded host is not in the MAGLEV table, which holds healthy hosts only',
  );
});

it('tells by which weights localities divide a table, in panic too', () => {
  const config = { lbPolicy: 'MAGLEV', failTrafficOnPanic: false } as const;
  const sentence = 'localities share the table by weights 3 : 0';
  expect(reasonsFor(finding({ tableWeights: [3, 0] }), config)).toContain(sentence);
  expect(reasonsFor(finding({ tableWeights: [3, 0], panic: true }), config)).toContain(sentence);
  // One alone shares with nobody.
  expect(reasonsFor(finding({ tableWeights: [3] }), config).join()).not.toContain('localities');
});

it('measures a spill by weights where the proxy does', () => {
  const config = { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false } as const;
  const first = { ...LEVEL, degraded: 0, degradedLoad: 0, healthyLoad: 46 };
  const second = { ...LEVEL, priority: 1, healthy: 4, degraded: 0, degradedLoad: 0, healthyLoad: 54 };
  const priorities = [{ ...first, byWeight: true, measured: { healthy: 2, degraded: 0, counted: 6 } }, second];
  expect(reasonsFor({ ...finding({}), priorities }, config)).toContain(
    'priority 0 can take 46 % (weight 2 of 6 healthy × 1.4), and the rest spills over: priority 1 gets 54 %',
  );
});

it('tells of no spill where priority 0 takes everything, whatever is left behind it of earlier loads', () => {
  // At 1.12, once nobody is available any more: what priority 0 had for its degraded hosts stays beside the 100 % it gets.
  const nobody = { healthy: 0, degraded: 0, availablePercent: 0 };
  const priorities = [
    { ...LEVEL, ...nobody, healthyLoad: 100, degradedLoad: 100, panic: true },
    { ...LEVEL, ...nobody, priority: 1, healthyLoad: 0, degradedLoad: 0 },
  ];
  const reasons = reasonsFor(
    { panicThreshold: 50, normalizedTotal: 0, priorities, zone: undefined },
    { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false },
  );
  expect(reasons.filter((reason) => reason.includes('spill'))).toEqual([]);
});

describe('where load spills from priority 0', () => {
  const config = { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false } as const;
  const reasons = (first: Partial<PriorityDescription>, second: Partial<PriorityDescription> = {}): readonly string[] =>
    reasonsFor(
      {
        panicThreshold: 50,
        normalizedTotal: 100,
        priorities: [
          measured({ ...LEVEL, ...first }),
          measured({ ...LEVEL, degraded: 0, degradedLoad: 0, priority: 1, healthyLoad: 30, ...second }),
        ],
        zone: undefined,
      },
      config,
    );

  it('is told how far its healthy hosts reach, never beyond 100 %', () => {
    expect(reasons({ degraded: 0, degradedLoad: 0 }).join()).toContain(
      'priority 0 can take 70 % (2 of 4 hosts healthy × 1.4)',
    );
    expect(reasons({ healthy: 4, degradedLoad: 0, healthyLoad: 70 }).join()).toContain(
      'priority 0 can take 100 % (4 of 4 hosts healthy × 1.4)',
    );
  });

  it('leaves out hosts that do not count', () => {
    expect(reasons({ hosts: 5, excluded: 1, degraded: 0, degradedLoad: 0 }).join()).toContain(
      'priority 0 can take 70 % (2 of 4 hosts healthy × 1.4)',
    );
    expect(reasons({ hosts: 2, healthy: 0, excluded: 2, degradedLoad: 0, healthyLoad: 0 }).join()).toContain(
      'priority 0 can take 0 % (0 of 0 hosts healthy × 1.4)',
    );
  });

  it('is told whether degraded hosts get anything', () => {
    expect(reasons({ healthyLoad: 60, degradedLoad: 10 })).toContain(
      'healthy hosts can take 60 % in priority 0, so degraded ones get 10 %',
    );
    expect(reasons({ degradedLoad: 0 })).toContain(
      '1 degraded host gets nothing in priority 0, as healthy hosts can take all of the load',
    );
  });
});

describe('panic in a level without load', () => {
  it('is not told: nobody is sent there', () => {
    const down = { healthy: 1, degraded: 0, degradedLoad: 0, panic: true, availablePercent: 25 };
    const reasons = (load: number): string =>
      reasonsFor(
        {
          panicThreshold: 50,
          normalizedTotal: 90,
          priorities: [{ ...LEVEL, ...down, healthyLoad: load }],
          zone: undefined,
        },
        { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false },
      ).join();
    expect(reasons(0)).not.toMatch(/panic/);
    expect(reasons(100)).toContain('panic with 1 of 4 hosts available (25 %');
  });
});

describe('an aggregate in total panic', () => {
  it('is told to go by the number of hosts', () => {
    const levels = [
      { cluster: 'one', priority: 0 },
      { cluster: 'other', priority: 0 },
    ];
    const found = (panic: boolean): readonly string[] =>
      reasonsFor(
        {
          panicThreshold: 50,
          normalizedTotal: 0,
          priorities: [
            { ...LEVEL, panic },
            { ...LEVEL, panic },
          ],
          zone: undefined,
          aggregate: levels,
        },
        { lbPolicy: 'ROUND_ROBIN', failTrafficOnPanic: false },
      );
    expect(found(true).join()).toContain('panic in every level, so load follows the number of hosts: one gets 100 %');
    expect(found(false).join()).not.toContain('total panic');
  });
});
