import { describe, expect, it } from 'vitest';
import { noFailures } from '../../src/result/failures.js';
import { hostsOf, PhaseHosts } from '../../src/result/phase-hosts.js';
import { NO_ROWS, RowStatesWriter } from '../../src/result/phases.js';
import type { PhaseHostResult, PhaseResult } from '../../src/result/run-result.js';
import { host } from '../report/results.js';

/** Ten phases of one host each; `made` counts how often the hosts of each were made. */
function phases(): { readonly all: readonly PhaseResult[]; readonly made: readonly number[] } {
  const hosts = new PhaseHosts(100, 100);
  const made = new Array<number>(10).fill(0);
  const all = made.map((_, index) =>
    hosts.phase(
      { from_s: index, to_s: index + 1, causes: [], happened: [], requests: 1 },
      function* (): Generator<PhaseHostResult> {
        made[index] = (made[index] ?? 0) + 1;
        yield host(`10.0.0.${index}:80`, 1);
      },
      {
        no_host: { requests: 0, share: 0 },
        overflow: { requests: 0, share: 0 },
        failed: 0,
        failures: noFailures(),
        facts: [],
        priorities: [],
      },
    ),
  );
  return { all, made };
}

describe('the hosts of a phase', () => {
  it('are made when they are asked for, and are the same as long as neighbours are compared', () => {
    const { all, made } = phases();
    expect(made).toEqual(new Array(10).fill(0));
    const [first, second] = all;
    expect(first?.hosts).toBe(first?.hosts);
    expect(second?.hosts[0]?.address).toBe('10.0.0.1:80');
    expect(first?.hosts[0]?.address).toBe('10.0.0.0:80');
    expect(made.slice(0, 3)).toEqual([1, 1, 0]);
  });

  it('are not kept where all are read one after the other', () => {
    const { all, made } = phases();
    for (const phase of all) expect([...hostsOf(phase)]).toEqual(phase.hosts);
    const kept = made.map((times) => times);
    for (const phase of all.slice(0, 6)) expect(phase.hosts).toHaveLength(1);
    expect(made.slice(0, 6)).toEqual(kept.slice(0, 6).map((times) => times + 1));
  });

  it('are a field like any other', () => {
    const [phase] = phases().all;
    expect(Object.keys(phase ?? {})).toEqual([
      'from_s',
      'to_s',
      'causes',
      'happened',
      'requests',
      'hosts',
      'no_host',
      'overflow',
      'failed',
      'failures',
      'facts',
      'priorities',
    ]);
    expect({ ...phase }.hosts).toEqual([host('10.0.0.0:80', 1)]);
  });
});

describe('how rows are', () => {
  it('is kept once as long as it stays the same', () => {
    const writer = new RowStatesWriter();
    let last = NO_ROWS;
    const write = (healths: readonly ('healthy' | 'unhealthy')[]): ReturnType<RowStatesWriter['end']> => {
      writer.begin(healths.length);
      healths.forEach((health, row) => {
        writer.add(row, 3, health);
        writer.add(row, 4, 'degraded');
      });
      last = writer.end(last);
      return last;
    };
    const first = write(['healthy', 'healthy']);
    const second = write(['healthy', 'unhealthy']);
    const third = write(['healthy', 'unhealthy', 'healthy']);
    expect(second.rows).toBe(first.rows);
    expect(second.weights).toBe(first.weights);
    expect([...first.healths]).toEqual([0, 0]);
    expect([...second.healths]).toEqual([0, 2]);
    expect([...third.rows]).toEqual([0, 1, 2]);
    expect([...third.weights]).toEqual([3, 3, 3]);
    expect([...first.rows]).toEqual([0, 1]);
  });
});
