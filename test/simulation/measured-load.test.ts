import { expect, it } from 'vitest';
import { MeasuredLoad } from '../../src/simulation/servers/server.js';

it('a host reports its last whole second: answers, errors, and how busy it was', () => {
  const load = new MeasuredLoad();
  expect(load.report(0, 0, 2)).toBeUndefined();
  load.busy(0, 500_000, 2);
  load.answered(false);
  load.answered(true);
  // One of two places was at work for the second half of the first second.
  expect(load.report(1, 1_000_000, 2)).toMatchObject({ rps: 2, eps: 1, cpuUtilization: 0.25 });
  load.busy(1, 1_200_000, 2);
  load.answered(false);
  expect(load.report(0, 2_000_000, 2)).toMatchObject({ rps: 1, eps: 0, cpuUtilization: 0.1 });
  expect(load.report(0, 3_000_000, 2)).toMatchObject({ rps: 0, eps: 0, cpuUtilization: 0 });
  // More than its places share the host.
  load.busy(6, 4_000_000, 2);
  expect(load.report(6, 5_000_000, 2)).toMatchObject({ cpuUtilization: 1 });
  expect(load.report(0, 6_000_000, Infinity)).toMatchObject({ cpuUtilization: 0 });
});
