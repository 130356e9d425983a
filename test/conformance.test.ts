import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutate } from './conformance/mutations.js';
import { runConformance, summary } from './conformance/runner.js';
import { failures } from './conformance/shared.js';

const own = fileURLToPath(new URL('conformance/own/', import.meta.url));

describe('our own cases', () => {
  it('all pass', async () => {
    const report = await runConformance(own);
    expect(failures(report)).toEqual([]);
    expect(report.passed).toBe(54);
  });

  it('compare every expectation they state: each one, made wrong, fails', async () => {
    const tallies = [...(await mutate(own))];
    // One request is within the standard errors of a share, as which a statistic of requests is compared.
    const unseen = tallies.filter(([kind]) => kind !== 'stats.*: one more').flatMap(([, tally]) => tally.unseen);
    expect(unseen).toEqual([]);
    expect(tallies.reduce((sum, [, { altered }]) => sum + altered, 0)).toBeGreaterThan(200);
  });
});

describe('the runner', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lbsim-conformance-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function problemsOf(text: string): Promise<readonly string[]> {
    const file = join(folder, 'case.json');
    await writeFile(file, text);
    return failures(await runConformance(file)).map((problem) => problem.slice(file.length + 1).trim());
  }

  it.each([
    ['{', /JSON/],
    ['[]', /expected an object/],
    ['{"kind": "hostset"}', /area: expected a string/],
    ['{"kind": "guess", "area": "ring"}', /unknown kind "guess"/],
    ['{"kind": "hostset", "area": "weather", "vectors": []}', /unknown area "weather"/],
    ['{"kind": "hostset", "area": "panic", "vectors": [], "extra": 1}', /unknown "extra"/],
    ['{"kind": "split", "area": "rr", "name": "s", "n": 1, "observed": {"stats": {}}}', /nothing that a split/],
    ['{"kind": "reject", "area": "rr", "name": "r", "n": 0, "observed": {"luck": 1}}', /unknown "luck"/],
  ])('counts a file it cannot read as failed: %s', async (text, problem) => {
    const problems = await problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it.each([
    ['an unknown key of a vector', (vector: Vector) => ({ ...vector, expect_weather: 'fair' }), /expect_weather/],
    ['an unknown key of a step', (vector: Vector) => ({ ...vector, steps: [{ expect: null, hop: 1 }] }), /"hop"/],
    [
      'a step that compares nothing',
      (vector: Vector) => ({ ...vector, steps: [{ random: ['0'] }] }),
      /nothing to compare/,
    ],
    ['a vector that compares nothing', (vector: Vector) => ({ ...vector, steps: [] }), /nothing was compared/],
    ['an unknown statistic', (vector: Vector) => ({ ...vector, expect_stats: { lb_luck: 1 } }), /lb_luck/],
    ['an unknown profile', (vector: Vector) => ({ ...vector, profiles: ['v9'] }), /unknown profile "v9"/],
  ])('counts %s as failed', async (_, alter, problem) => {
    const vector: Vector = {
      name: 'one_host',
      profiles: ['modern'],
      config: {},
      priorities: [{ hosts: [{ address: '10.0.0.1:80' }] }],
      steps: [{ expect: '10.0.0.1:80' }],
    };
    const file = (one: unknown): string => JSON.stringify({ kind: 'hostset', area: 'panic', vectors: [one] });
    expect(await problemsOf(file(vector))).toEqual([]);
    expect((await problemsOf(file(alter(vector)))).join()).toMatch(problem);
  });

  it('replays only the area that was asked for', async () => {
    const report = await runConformance(own, { only: 'subset' });
    expect(new Set(report.cases.map((one) => one.file))).toEqual(new Set([join('hostset', 'subsets.json')]));
  });

  it('names skipped cases apart from passed and failed ones', () => {
    expect(summary({ passed: 3, failed: 1, skipped: 0, cases: [] })).toBe('3 passed, 1 failed');
    expect(summary({ passed: 3, failed: 0, skipped: 2, cases: [] })).toBe('3 passed, 0 failed, 2 skipped');
  });
});

type Vector = Readonly<Record<string, unknown>>;
