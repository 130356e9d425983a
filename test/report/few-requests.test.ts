import { describe, expect, it } from 'vitest';
import { answer } from '../../src/report/run/answer.js';
import { PLAIN } from '../../src/report/layout.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { RunResult } from '../../src/result/run-result.js';
import { cluster, host, phase, run } from './results.js';

/** Requests of two hosts, and the shares that the rules give them. @param z of the counts, in standard errors. */
function of(requests: readonly [number, number], expected: readonly number[], z = 1): RunResult {
  const hosts = requests.map((own, index) => {
    const share = expected[index];
    return host(`10.0.0.${index + 1}:80`, own, share === undefined ? {} : { predicted_share: share, predicted_z: z });
  });
  return run({ web: cluster(hosts) });
}

function report(result: RunResult): string {
  return textReport(result, { width: 80, bars: true, paint: PLAIN, all: false, full: true });
}

describe('fewer requests than show how hosts share', () => {
  it('are told by the expected shares, and how many there were', () => {
    expect(answer(of([6, 2], [0.5, 0.5]))[1]).toBe(
      'web: 2 hosts, 50.0 % each (expected; 8 requests are too few to show it).',
    );
    expect(answer(of([0, 8], [0.25, 0.75]))[1]).toBe(
      'web: 2 hosts, 10.0.0.2:80 gets 75.0 %, 10.0.0.1:80 gets 25.0 % (expected; 8 requests are too few to show it).',
    );
    const table = report(of([6, 2], [0.5, 0.5]));
    expect(table).toMatch(/share .*predicted +z/);
    expect(table).toMatch(/75\.0 %.* 50\.00 %/);
  });

  it('are told as counted where they agree, are enough or cannot be chance, and where nothing was predicted', () => {
    expect(answer(of([4, 4], [0.5, 0.5]))[1]).toBe('web: 2 hosts, 50.0 % each.');
    expect(answer(of([12, 8], [0.5, 0.5]))[1]).toMatch(/60\.0 %.*40\.0 %/);
    expect(answer(of([8, 1], [1, 0], 1e6))[1]).toMatch(/88\.9 %.*11\.1 %/);
    expect(answer(of([6, 2], [0.5]))[1]).toMatch(/75\.0 %.*25\.0 %/);
    expect(answer(of([12, 8], []))[1]).toBe('web: 2 hosts, 10.0.0.1:80 gets 60.0 %, 10.0.0.2:80 gets 40.0 %.');
    expect(answer(of([4, 4], []))[1]).toBe('web: 2 hosts, 50.0 % each.');
    for (const same of [of([4, 4], [0.5, 0.5]), of([12, 8], [0.5, 0.5])])
      expect(report(same)).not.toContain('predicted');
  });

  it('are told as what they are where nothing was predicted, over the run and until something changes', () => {
    const few = '(of 8 requests, too few to show shares)';
    expect(answer(of([6, 2], []))[1]).toBe(`web: 2 hosts, 10.0.0.1:80 gets 75.0 %, 10.0.0.2:80 gets 25.0 % ${few}.`);
    expect(answer(of([0, 8], []))[1]).toContain(few);
    const [one, other] = ['10.0.0.1:80', '10.0.0.2:80'];
    const out = { health: 'unhealthy' } as const;
    const standby = cluster([host(one, 8), host(other, 0, { priority: 1 })]);
    const alone = cluster([host(one, 8), host(other, 0, out)]);
    const weighed = cluster([host(one, 6, { weight: 3 }), host(other, 2)]);
    for (const sure of [standby, alone, weighed]) expect(answer(run({ web: sure }))[1]).not.toContain('too few');
    const phases = [
      phase(0, 0.1, [host(one, 6), host(other, 2)]),
      phase(0.1, 9, [host(one, 900), host(other, 0, out)]),
    ];
    const ejected = cluster([host(one, 906), host(other, 2, out)], { phases });
    expect(answer(run({ web: ejected }))[1]).toBe(
      'web: 2 hosts, over 2 phases 10.0.0.1:80 gets 99.8 %, 10.0.0.2:80 gets 0.2 %.',
    );
  });
});
