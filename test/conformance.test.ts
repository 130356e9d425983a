import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseOutcome } from './conformance/outcome.js';
import { mutate } from './conformance/mutations.js';
import { KNOWN_NOISE } from './conformance/proxy/noise.js';
import { ProxyCase } from './conformance/proxy/proxy.js';
import { runConformance, summary } from './conformance/runner.js';
import { failures } from './conformance/shared.js';

const own = fileURLToPath(new URL('conformance/own/', import.meta.url));

describe('our own cases', () => {
  it('all pass', async () => {
    const report = await runConformance(own);
    expect(failures(report)).toEqual([]);
    expect(report.passed).toBe(62);
  });

  it('compare every expectation they state: each one, made wrong, fails', async () => {
    const tallies = [...(await mutate(own))];
    // One request is within the standard errors of a share, as which a statistic of requests is compared.
    const unseen = tallies.filter(([kind]) => kind !== 'stats.*: one more').flatMap(([, tally]) => tally.unseen);
    expect(unseen).toEqual([]);
    expect(tallies.reduce((sum, [, { altered }]) => sum + altered, 0)).toBeGreaterThan(200);
  });
});

describe('a recording', () => {
  const host = (address: string, port: number): unknown => ({
    endpoint: { address: { socket_address: { address, port_value: port } } },
  });
  const caseOf = (name: string, parts: { scenario: Vector; observed: Vector; hosts: readonly unknown[] }): Vector => {
    const assignment = { cluster_name: 'c', endpoints: [{ lb_endpoints: parts.hosts }] };
    const cluster = { name: 'c', connect_timeout: '1s', type: 'STATIC', load_assignment: assignment };
    const scenario = { proxies: [{ version: '1.40' }], clusters: [cluster], ...parts.scenario };
    return { name, area: 'edge', kind: 'split', n: 100, scenario, observed: parts.observed };
  };
  const line = (address: string): Vector => ({
    ...{ address, hostname: '', priority: 0, locality: {}, weight: 1, health: { eds_health_status: 'HEALTHY' } },
    ...{ rq_total: 50, rq_error: 0, rq_timeout: 0, cx_total: 1, cx_connect_fail: 0 },
  });
  const limited = (one: Vector, limit: string): string =>
    JSON.stringify(one).replace(
      '"type":"STATIC"',
      `"type":"STATIC","circuit_breakers":{"thresholds":[{"${limit}":1}]}`,
    );

  it('of IPv6 hosts has them in brackets', async () => {
    const hosts = { '[::1]:10200': 50, '[::1]:10201': 50 };
    const lines = Object.keys(hosts).map(line);
    const { result, compared } = await new ProxyCase().run(
      caseOf('six', {
        scenario: { duration: '1s', workloads: [{ name: 'w', cluster: 'c', arrivals: { constant: '100/s' } }] },
        observed: { hosts, no_host: 0, stats: {}, host_table: { c: lines } },
        hosts: [host('::1', 10200), host('::1', 10201)],
      }),
    );
    expect(result).toBe('passed');
    expect(compared).toContain('host_table: hosts');
  });

  it('ends when every answer has come', async () => {
    // One connection, and 2 s for each answer: the last comes long after the scenario.
    const rows = [2, 4, 6, 8].map((latencyS) => [0.1, '10.0.0.1:80', 200, 1, latencyS]);
    const one = caseOf('late', {
      scenario: {
        duration: '3s',
        behavior: [{ hosts: {}, service_time: { constant: '2s' } }],
        requests: rows.map(() => ({ at: '100ms', cluster: 'c' })),
      },
      observed: {
        phases: [{ from_s: 0, to_s: 2.95, requests: 4, hosts: { '10.0.0.1:80': 4 }, no_host: 0, stats: {} }],
        requests: rows,
        stats: { 'cluster.c.upstream_rq_200': 4 },
      },
      hosts: [host('10.0.0.1', 80)],
    });
    const timeline: unknown = JSON.parse(limited({ ...one, kind: 'timeline', n: null }, 'max_connections'));
    expect(await new ProxyCase().run(timeline)).toMatchObject({ result: 'passed' });
  });

  it('that is known for its noise has its reason, and no wider bounds', async () => {
    // Every 10 ms a request of 9 ms: one at a time is enough. If they come as they like, Erlang's loss is 0.9/1.9.
    const refusing = (name: string, refused: number): Promise<CaseOutcome> => {
      const one = caseOf(name, {
        scenario: {
          duration: '5s',
          behavior: [{ hosts: {}, service_time: { constant: '9ms' } }],
          workloads: [{ name: 'w', cluster: 'c', arrivals: { constant: '100/s' } }],
        },
        observed: {
          n: 500,
          hosts: { '10.0.0.1:80': 500 - refused },
          no_host: 0,
          other: { overflow: refused },
          stats: {},
        },
        hosts: [host('10.0.0.1', 80)],
      });
      return new ProxyCase().run(JSON.parse(limited(one, 'max_requests')));
    };
    const [noisy = ''] = KNOWN_NOISE.keys();
    expect(await refusing('plain', 0)).toMatchObject({ result: 'passed' });
    expect(await refusing('plain', 237)).toMatchObject({ result: 'failed' });
    expect(await refusing(noisy, 237)).toMatchObject({ result: 'passed', loose: [{ what: ['noise'] }] });
    expect(await refusing(noisy, 100)).toMatchObject({ result: 'failed' });
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
