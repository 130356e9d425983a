import { describe, expect, it } from 'vitest';
import { phaseTimes } from '../../src/report/format.js';

function shown(...instants: readonly number[]): string[] {
  const phases = instants.slice(1).map((to, index) => ({ from_s: instants[index] ?? 0, to_s: to }));
  return phases.map(phaseTimes(phases, true));
}

describe('times of phases', () => {
  it('have the digits that the begins need, one below the other', () => {
    expect(shown(0, 20, 21.4, 160)).toEqual([' 0.0 –  20.0 s', '20.0 –  21.4 s', '21.4 – 160.0 s']);
  });

  it('stop at the millisecond', () => {
    expect(shown(0, 21.400123, 60)).toEqual([' 0.000 – 21.400 s', '21.400 – 60.000 s']);
  });

  it('go on where phases would look alike', () => {
    expect(shown(0, 1.00001, 1.00002, 2)).toEqual([
      '0.00000 – 1.00001 s',
      '1.00001 – 1.00002 s',
      '1.00002 – 2.00000 s',
    ]);
  });

  it('round an end that is no round time, by at most a hundredth of its phase', () => {
    expect(shown(0, 60.012345)).toEqual(['0 – 60 s']);
    expect(shown(0, 0.5)).toEqual(['0.0 – 0.5 s']);
    expect(shown(0, 0.012345)).toEqual(['0.0000 – 0.0123 s']);
  });

  it('are one moment where all happened at once', () => {
    expect(shown(0, 1, 1)).toEqual(['0 – 1 s', '    1 s']);
    expect(shown(0, 0)).toEqual(['    0 s']);
  });
});
