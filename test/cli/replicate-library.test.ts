import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReplicateOptions } from '../../src/analysis/generated/options.js';
import { replicate } from '../../src/analysis/replicate/replicate.js';
import { loadScenario } from '../../src/scenario/load.js';
import { lbsim } from './harness.js';

const file = join(import.meta.dirname, '../../scenarios/least-request-slow-host.yaml');
const set = ['workloads[0].stop=3s', 'expect=[]'];

describe('replicate', () => {
  const CASES: readonly (readonly [readonly string[], ReplicateOptions])[] = [
    [['--replications', '3'], { runs: 3 }],
    [['--replications', '2', '--every', '1s'], { runs: 2, everyUs: 1_000_000 }],
    [['--until-precision', '20%'], { untilPrecision: 0.2 }],
    [['--batches', '4'], { batches: 4 }],
  ];
  it.each(CASES)('is lbsim run %j --json', async (more, options) => {
    const sets = set.flatMap((one) => ['--set', one]);
    const { stdout } = await lbsim(['run', file, ...sets, '--json', ...more]);
    const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') }, { set });
    if (scenario === undefined) throw new Error('it does not load');
    expect(JSON.parse(JSON.stringify(await replicate(scenario, options)))).toEqual(JSON.parse(stdout));
  });

  it('tells how far it is, and ends where its caller wants', async () => {
    const { scenario } = loadScenario({ file, text: readFileSync(file, 'utf8') }, { set });
    if (scenario === undefined) throw new Error('it does not load');
    const parts: number[] = [];
    const pause = (part: number): Promise<void> => {
      parts.push(part);
      return part > 0.5 ? Promise.reject(new Error('enough')) : Promise.resolve();
    };
    await expect(replicate(scenario, { runs: 2, pause })).rejects.toThrow('enough');
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  });
});
