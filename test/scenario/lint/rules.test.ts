import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_RULES } from './documented-rules.js';
import { loadScenario } from '../../../src/scenario/load.js';
import type { Problem } from '../../../src/core/problem.js';

const found = (text: string): readonly Problem[] => loadScenario({ file: 'a.yaml', text }, { lint: true }).problems;

describe.each(DOCUMENTED_RULES.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
  it('speaks of its example, at a place in it, and of nothing else', () => {
    const problems = found(rule.example);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const own = problems.filter((problem) => problem.rule === name);
    expect(own.length).toBeGreaterThan(0);
    for (const problem of own) {
      expect(problem.severity).toBe(rule.severity);
      expect(problem.line).toBeGreaterThan(0);
      expect(problem.message).not.toMatch(/undefined|NaN|\{\w+\}|\.$/);
    }
    const others = DOCUMENTED_RULES.map((other) => other.name).filter((other) => other !== name);
    expect(problems.filter((problem) => others.includes(problem.rule))).toEqual([]);
  });

  it('has nothing to say once it is repaired, nor has any other rule', () => {
    const problems = found(rule.repaired);
    const names = DOCUMENTED_RULES.map((other) => other.name);
    expect(problems.filter(({ severity, rule: other }) => severity === 'error' || names.includes(other))).toEqual([]);
  });
});

it('rules have names of their own, a heading, a reason and a source', () => {
  expect(new Set(DOCUMENTED_RULES.map(({ name }) => name)).size).toBe(DOCUMENTED_RULES.length);
  for (const { name, title, why, sources } of DOCUMENTED_RULES) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(title).not.toMatch(/\.$/);
    expect(why).toMatch(/\.\)?$/);
    expect(sources.length).toBeGreaterThan(0);
  }
});

it.each([
  ['1.17', 'fallback_policy: ANY_ENDPOINT', 'NO_FALLBACK', ['subset-selector-twice']],
  ['1.40', '', 'NO_FALLBACK', ['subset-selector-twice']],
  // Up to 1.22 the policy of the second counts: the first has none.
  ['1.17', '', 'NO_FALLBACK', []],
  ['1.17', '', 'NOT_DEFINED', ['subset-selector-twice']],
])('%s: says once what becomes of a selector with the keys of an earlier one', (version, first, second, expected) => {
  const problems = found(`proxy: {version: "${version}"}
clusters:
  - name: a
    connect_timeout: 1s
    lb_subset_config: {subset_selectors: [{keys: [v], ${first}}, {keys: [v], fallback_policy: ${second}}]}
endpoints: {a: [{address: 10.0.0.1:80, metadata: {v: "1"}}]}
`);
  expect(problems.map(({ rule }) => rule)).toEqual(expected);
});

it.each([
  ['1.40', '', ['subset-selector-prefix']],
  ['1.17', '', []],
  ['1.17', ', fallback_policy: ANY_ENDPOINT', ['subset-selector-prefix']],
])('%s: a policy is lost to a longer selector, which up to 1.22 has one of its own', (version, longer, expected) => {
  const problems = found(`proxy: {version: "${version}"}
clusters:
  - name: a
    connect_timeout: 1s
    lb_subset_config: {subset_selectors: [{keys: [v, w]${longer}}, {keys: [v], fallback_policy: NO_FALLBACK}]}
endpoints: {a: [{address: 10.0.0.1:80, metadata: {v: "1", w: "1"}}]}
`);
  expect(problems.map(({ rule }) => rule)).toEqual(expected);
});

describe('a fail-over that nothing triggers', () => {
  const rule = 'failover-without-health';
  const EDS = ', type: EDS, eds_cluster_config: {eds_config: {ads: {}}}';
  const text = (first: string, eds = false): string => {
    const assignment = `{cluster_name: a, endpoints: [{locality: {region: r0}${first}}, {priority: 1, lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.1.0.1, port_value: 80}}}}]}]}`;
    return eds
      ? `clusters: [{name: a, connect_timeout: 1s${EDS}}]\nassignments: {a: ${assignment}}\n`
      : `clusters: [{name: a, connect_timeout: 1s, load_assignment: ${assignment}}]\n`;
  };
  const HOST = ', lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]';
  const said = (file: string, unhealthy: readonly string[] = []): readonly string[] =>
    loadScenario({ file: 'a.yaml', text: file }, { lint: true, unhealthy })
      .problems.filter((problem) => problem.rule === rule)
      .map(({ message }) => message);

  it('is told of the first two levels that have hosts', () => {
    expect(said(text(HOST))).toEqual([expect.stringContaining('priority 1 never gets a request: nothing notices')]);
    expect(said(text(''))).toEqual([]);
  });

  it('is left to the control plane under EDS', () => {
    expect(said(text(HOST, true))).toEqual([expect.stringContaining('priority 1 gets requests only once the control')]);
  });

  it('is not told where hosts are supposed to be unhealthy', () => {
    expect(said(text(HOST), ['10.0.0.1'])).toEqual([]);
  });
});

it('says nothing where it was not asked', () => {
  for (const { name, example } of DOCUMENTED_RULES) {
    const { problems } = loadScenario({ file: 'a.yaml', text: example });
    expect(problems.filter(({ rule }) => rule === name)).toEqual([]);
  }
});

describe('lint on files with mistakes', () => {
  it('never throws, and says nothing that is not a sentence', () => {
    const texts = DOCUMENTED_RULES.flatMap(({ example, repaired }) => [example, repaired]);
    const words = fc.constantFrom('0', '1', '-1', '""', 'null', '{}', '[]', 'RANDOM', 'MAGLEV', '"1.40"', '4294967295');
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), words), { maxLength: 3 }), (text, changes) => {
        let changed = text;
        for (const [at, word] of changes) {
          const values = [...changed.matchAll(/(?<=: )[^\s{[,}\]]+/g)];
          const value = values[at % Math.max(1, values.length)];
          if (value !== undefined)
            changed = changed.slice(0, value.index) + word + changed.slice(value.index + value[0].length);
        }
        for (const { message } of found(changed)) expect(message).not.toMatch(/undefined|NaN|\[object/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('settings that another one switches off', () => {
  /** `rule path` of what is said of a cluster with these fields. */
  const said = (fields: string): readonly string[] =>
    found(`clusters: [{name: a, connect_timeout: 1s, ${fields}}]\nendpoints: {a: [{address: 10.0.0.1:80, count: 4}]}\n`)
      .filter(({ severity }) => severity === 'note' || severity === 'warning')
      .flatMap(({ rule, path }) => (rule === 'no-effect' || rule === 'extension' ? [] : [`${rule} ${path}`]));

  it.each([
    ['dns_refresh_rate: 5s', ['dns-settings-ignored clusters[0].dns_refresh_rate']],
    ['dnsRefreshRate: 5s', ['dns-settings-ignored clusters[0].dns_refresh_rate']],
    ['dns_lookup_family: AUTO', ['dns-settings-ignored clusters[0].dns_lookup_family']],
    ['dns_lookup_family: null', []],
    ['dns_failure_refresh_rate: {base_interval: 1s}', ['dns-settings-ignored clusters[0].dns_failure_refresh_rate']],
    ['cleanup_interval: 5s', ['original-dst-settings-ignored clusters[0].cleanup_interval']],
    ['original_dst_lb_config: {}', ['original-dst-settings-ignored clusters[0].original_dst_lb_config']],
    ['drain_connections_on_host_removal: false', []],
    [
      'drain_connections_on_host_removal: true',
      ['removal-without-checks clusters[0].drain_connections_on_host_removal'],
    ],
    [
      'lb_subset_config: {subset_selectors: [{keys: [v]}], scale_locality_weight: true}',
      [
        'scale-without-aware clusters[0].lb_subset_config.scale_locality_weight',
        'selector-without-hosts clusters[0].lb_subset_config.subset_selectors[0].keys',
      ],
    ],
    [
      'outlier_detection: {failure_percentage_threshold: 50, max_ejection_percent: 50}',
      ['detected-not-ejected clusters[0].outlier_detection.failure_percentage_threshold'],
    ],
  ])('%s', (fields, expected) => {
    expect([...said(fields)].sort()).toEqual(expected);
  });
});

it('shows a field that v3 has under another name where it is written', () => {
  const text = `clusters: [{connect_timeout: 1s, name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}},
  ignoreHealthOnHostRemoval: true}]
endpoints: {a: ['10.0.0.1:80']}
`;
  const problem = found(text).find(({ rule }) => rule === 'removal-without-checks');
  expect(problem).toMatchObject({ line: 2, path: 'clusters[0].ignore_health_on_host_removal' });
});

it('asks for no key where requests say themselves what is hashed', () => {
  const workload =
    '{cluster: a, hash_policy: [{header: {header_name: x-user}}], headers: {x-user: b}, arrivals: 1/s, stop: 1s}';
  const problems = found(`clusters: [{name: a, connect_timeout: 1s, lb_policy: RING_HASH}]
endpoints: {a: [{address: 10.0.0.1:80, count: 2}]}
workloads: [${workload}]
`);
  expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
});

it('never asks for more than all hosts to be ejected', () => {
  const text = `proxy: {version: "1.40"}
clusters: [{name: a, outlier_detection: {max_ejection_percent: 50}}]
endpoints: {a: ['10.0.0.1:80']}
`;
  const message = found(text).find(({ rule }) => rule === 'outlier-ejects-nobody')?.message;
  expect(message).toMatch(/Set max_ejection_percent: 100$/);
});

it.each([
  [211, 'has 10 slots'],
  [23, 'has one slot in'],
  [7, 'has one slot at most in'],
])('says how many of %i slots the lightest of 20 hosts has', (size, has) => {
  const problems = found(`clusters: [{name: a, lb_policy: MAGLEV, maglev_lb_config: {table_size: ${size}}}]
endpoints: {a: [{address: 10.0.0.1:80, count: 20}]}
`);
  expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining(has));
});

it('names the endpoint whose priority leaves a gap', () => {
  const problems = found(`clusters: [{name: a}]
endpoints:
  a:
    - 10.0.0.1:80
    - {address: 10.0.0.2:80, priority: 5}
`);
  expect(problems.map(({ rule, line, column }) => [rule, line, column])).toEqual([
    ['failover-without-health', 5, 7],
    ['priority-gap', 5, 7],
  ]);
});
