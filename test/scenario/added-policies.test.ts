import { lbPolicyOf } from '../../src/config/policy/of-cluster.js';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/problem.js';
import {
  type ListPolicyModule,
  PolicyFailure,
  type TablePolicyModule,
} from '../../src/policy/foreign/policy-module.js';
import { policyOf } from '../../src/policy/policy-of.js';
import { factsOf, lbPolicyName } from '../../src/policy/registry.js';
import { type LoadResult, loadScenario } from '../../src/scenario/load.js';
import type { RunResult } from '../../src/result/run-result.js';
import { explain, inspectRing } from '../../src/words/library.js';
import { compare } from '../../src/analysis/compare/compare.js';
import { predict } from '../../src/predict/predict.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

interface Turns {
  next: number;
  readonly config: Parameters<ListPolicyModule<Turns>['start']>[0];
  readonly log: unknown[];
}

/** What the last run of {@link turns} has heard. */
let heard: unknown[] = [];

/** Round robin over whatever list, which counts and listens. */
const turns: ListPolicyModule<Turns> = {
  name: 'TURNS',
  kind: 'list',
  settings: {
    first: { type: 'integer', default: 0, minimum: 0 },
    gap: { type: 'duration', default: 1000, exclusiveMinimum: 0 },
    mood: { type: 'string', enum: ['calm', 'wild'], default: 'calm' },
  },
  statistics: ['picks', 'heard'],
  start: (config) => {
    heard = [];
    return { next: Number(config.settings['first']), config, log: heard };
  },
  refresh: () => undefined,
  choose: (state, _source, hosts) => {
    state.config.count('picks');
    return state.next++ % hosts.length;
  },
  answered: (state, host, latencyUs, outcome) => {
    state.config.count('heard');
    state.log.push([host.address, latencyUs, outcome]);
  },
};

/** The host whose number is the hash modulo their number. */
const modulo: TablePolicyModule<{ readonly hosts: number }> = {
  name: 'MODULO',
  kind: 'table',
  build: ({ keys }) => ({ hosts: keys.length }),
  choose: ({ hosts }, _hi, lo, attempt) => (lo + attempt) % hosts,
};

/** Clusters may name the module as `./own.mjs`. */
function load(module: unknown, text: string): LoadResult {
  return loadScenario({ file: 'a.yaml', text }, { policies: { './own.mjs': module } });
}

async function run(module: unknown, text: string): Promise<RunResult> {
  const { scenario, problems } = load(module, text);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (scenario === undefined) throw new Error('it does not load');
  return runScenario(scenario);
}

const shares = (result: RunResult): readonly (number | null)[] =>
  result.clusters['web']?.hosts.map(({ share }) => share) ?? [];
const said = ({ problems }: LoadResult): readonly string[] =>
  problems.map(({ path, message }: Problem) => `${path}: ${message}`);

/** What the clusters of a file are balanced by; `own`: the module. */
function policiesOf(text: string): readonly string[] {
  const { scenario, problems } = load(turns, text);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return (scenario?.clusters ?? []).map((cluster) => lbPolicyName(lbPolicyOf(cluster)).replace('./own.mjs', 'own'));
}

const traffic = `
endpoints: {web: [{address: 10.0.0.1:80, count: 3}]}
behavior: [{hosts: {}, service_time: 5ms}]
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 900ms}]
`;
const plain = `clusters: [{name: web, lb_policy: ./own.mjs}]${traffic}`;

describe('a policy of one’s own', () => {
  it('chooses, hears answers, has settings and statistics', async () => {
    const text = `clusters: [{name: web, lb_policy: {policy: ./own.mjs, settings: {first: 1, gap: 2ms}}}]${traffic}
requests: []
expect: [{stat: cluster.web.lb_policy.picks, equals: 90}, {stat: cluster.web.lb_policy.heard, equals: 90}, {decision: 0, host: 10.0.0.2:80}]`;
    const result = await run(turns, text);
    expect(shares(result).map((share) => Math.round((share ?? 0) * 90))).toEqual([30, 30, 30]);
    expect(result.expect.map(({ passed }) => passed)).toEqual([true, true, true]);
    expect(heard[0]).toEqual(['10.0.0.2:80', 5000, 'success']);
  });

  it('is named in v3 as an extension, alone and inside of subsets', async () => {
    const policies = `{policies: [{typed_extension_config: {name: ./own.mjs, typed_config: {first: 2}}}]}`;
    const api = 'api: v3\n';
    const alone = `${api}clusters: [{name: web, load_balancing_policy: ${policies}}]${traffic}expect: [{decision: 0, host: 10.0.0.3:80}]`;
    expect((await run(turns, alone)).expect[0]?.passed).toBe(true);
    const inside = `${api}clusters:
- name: web
  load_balancing_policy:
    policies:
    - typed_extension_config:
        name: envoy.load_balancing_policies.subset
        typed_config:
          '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.subset.v3.Subset
          fallback_policy: ANY_ENDPOINT
          subset_selectors: [{keys: [stage]}]
          subset_lb_policy: ${policies.replace('first: 2', "'@type': type.googleapis.com/xds.type.v3.TypedStruct, value: {first: 1}")}
endpoints: {web: [{address: 10.0.0.1:80, count: 3, metadata: {stage: prod}}]}
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 90ms, metadata_match: {stage: prod}}]
expect: [{decision: 0, host: 10.0.0.2:80}]`;
    const { expect: expected } = await run(turns, inside);
    expect(expected[0]?.passed).toBe(true);
  });

  it.each([
    ['before one of the proxy', '[OWN, PROXY]', ['own']],
    ['after one of the proxy', '[PROXY, OWN]', ['ROUND_ROBIN']],
    ['before another extension', '[OWN, EXTENSION]', ['own']],
    ['after another extension', '[EXTENSION, OWN]', ['PEAK_EWMA']],
    ['after one that nobody knows', '[STRANGER, OWN]', ['own']],
    [
      'inside of the second policy',
      '[PROXY, {typed_extension_config: {name: subset, typed_config: SUBSET}}]',
      ['ROUND_ROBIN'],
    ],
  ])('of a list of policies the first that is known is taken: %s', (_, list, expected) => {
    const messages = 'type.googleapis.com/envoy.extensions.load_balancing_policies';
    const entry = (name: string, config: string): string =>
      `{typed_extension_config: {name: ${name}, typed_config: ${config}}}`;
    const policies = list
      .replace('SUBSET', `{'@type': ${messages}.subset.v3.Subset, subset_lb_policy: {policies: [OWN]}}`)
      .replace('OWN', entry('./own.mjs', '{}'))
      .replace('PROXY', entry('round_robin', `{'@type': ${messages}.round_robin.v3.RoundRobin}`))
      .replace('EXTENSION', entry('PEAK_EWMA', '{}'))
      .replace('STRANGER', entry('unknown', "{'@type': type.googleapis.com/xds.type.v3.TypedStruct}"));
    const cluster = `{name: web, load_balancing_policy: {policies: ${policies}}}`;
    expect(policiesOf(`api: v3\nclusters: [${cluster}]${traffic}`)).toEqual(expected);
  });

  it('is ignored as lb_policy beside a load_balancing_policy, as the proxy ignores that field', () => {
    const roundRobin =
      "{'@type': type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin}";
    const policies = `{policies: [{typed_extension_config: {name: round_robin, typed_config: ${roundRobin}}}]}`;
    const cluster = `{name: web, lb_policy: ./own.mjs, load_balancing_policy: ${policies}}`;
    expect(policiesOf(`api: v3\nclusters: [${cluster}]${traffic}`)).toEqual(['ROUND_ROBIN']);
  });

  it.each([
    ['success', '', 'success', 5000],
    ['error', 'error_rate: 100%', 'error', 5000],
    ['timeout', 'down: hang', 'timeout', 50_000],
  ])('hears of %s', async (_, behavior, outcome, latencyUs) => {
    const text = `clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [10.0.0.1:80]}
behavior: [{hosts: {}, service_time: 5ms${behavior === '' ? '' : `, ${behavior}`}}]
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 90ms, timeout: 50ms}]`;
    await run(turns, text);
    expect(heard).toEqual([['10.0.0.1:80', latencyUs, outcome]]);
  });

  it('hears that there was no connection, before a retry chooses', async () => {
    const text = `clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: {}, service_time: 5ms}, {hosts: {address: 10.0.0.1:80}, down: refuse}]
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 90ms, retry_policy: {retry_on: connect-failure, num_retries: 1}}]`;
    await run(turns, text);
    expect(heard.map((each) => (each as unknown[])[2])).toEqual(['connect_failure', 'success']);
  });

  it('works under priorities and panic, zones, slow start', async () => {
    const spill = await run(
      turns,
      `clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [{address: 10.0.0.1:80}, {address: 10.0.0.2:80, health: UNHEALTHY}, {address: 10.0.1.1:80, priority: 1, count: 2}]}
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 10s}]`,
    );
    expect(shares(spill)[0]).toBeCloseTo(0.7, 1);
    expect(shares(spill)[1]).toBe(0);
    const weights: number[] = [];
    const weighing = {
      ...turns,
      choose: (state: Turns, _: number, hosts: readonly never[]) => {
        weights.push(state.config.weightOf(hosts[hosts.length - 1] as never));
        return 0;
      },
    };
    await run(
      weighing,
      `clusters: [{name: web, lb_policy: {policy: ./own.mjs, slow_start_config: {slow_start_window: 10s}}}]
endpoints: {web: [10.0.0.1:80]}
workloads: [{cluster: web, arrivals: {constant: 1/s}, stop: 30s}]
timeline: [{at: 15s, add_hosts: {cluster: web, endpoints: [{address: 10.0.0.9:80, weight: 10}]}}]`,
    );
    expect(weights[10]).toBe(1);
    expect(weights.find((weight) => weight > 1)).toBeLessThan(3);
    expect(weights.at(-1)).toBe(10);
  });

  it('may be a table, whose keys can be compared', async () => {
    const text = `clusters: [{name: web, lb_policy: ./own.mjs}]
endpoints: {web: [{address: 10.0.0.1:80, count: 4}]}
workloads: [{cluster: web, arrivals: {constant: 1000/s}, stop: 10s, hash_key: {uniform: {keys: 100000}}}]`;
    const result = await run(modulo, text);
    for (const share of shares(result)) expect(share).toBeCloseTo(0.25, 1);
    const [four, three] = [load(modulo, text).scenario, load(modulo, text.replace('count: 4', 'count: 3')).scenario];
    if (four === undefined || three === undefined) throw new Error('they do not load');
    const { clusters } = await compare(
      [
        { name: 'a', scenario: four },
        { name: 'b', scenario: three },
      ],
      { runs: 2 },
    );
    const between = clusters['web']?.keys?.between[0];
    // Modulo 4 and modulo 3 agree for 3 of 12 remainders.
    expect(between?.moved).toBeCloseTo(0.75, 1);
    expect(between?.minimum).toBeCloseTo(0.25, 1);
  });

  it('is said before the answer, and has no prediction', async () => {
    const { scenario } = load(turns, plain);
    if (scenario === undefined) throw new Error('it does not load');
    expect(scenario.origin.says.join()).toContain('code that is not lbsim');
    expect(scenario.origin.says.join()).toContain('(TURNS)');
    const { clusters } = await predict(scenario);
    expect(JSON.stringify(clusters)).toContain('"kind":"no_formula"');
  });

  it('may come with an update of its cluster', async () => {
    const text = `clusters: [{name: web}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2}]}
workloads: [{cluster: web, arrivals: {constant: 10/s}, stop: 2s}]
timeline: [{at: 1s, update_cluster: {name: web, lb_policy: ./own.mjs, load_assignment: {cluster_name: web, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.9, port_value: 80}}}}]}]}}}]
expect: [{stat: cluster.web.lb_policy.picks, equals: 10}]`;
    expect((await run(turns, text)).expect[0]?.passed).toBe(true);
  });
});

describe('what is wrong with a module, or with its settings', () => {
  it.each([
    [undefined, 'it has no default export'],
    [7, 'its default export is 7, and has to be an object'],
    [{ ...turns, kind: 'tabel' }, "kind is 'tabel': it has to be 'list'"],
    [{ ...turns, name: 'two words' }, "name is 'two words'"],
    [{ ...turns, start: undefined }, 'start is missing: start(config, random)'],
    [{ ...turns, refresh: 5 }, 'refresh is 5: refresh(state, source, hosts)'],
    [{ ...modulo, build: undefined }, 'build is missing: build(hosts, settings)'],
    [{ ...modulo, probed: () => undefined }, "probed belongs to policies of kind 'list'"],
    [{ ...turns, anwsered: () => undefined }, 'anwsered is no member of a policy'],
    [{ ...turns, usesWeights: 'yes' }, "usesWeights is 'yes': true or false"],
    [{ ...turns, settings: { Gap: { type: 'number' } } }, 'settings.Gap: settings are named in lower case'],
    [{ ...turns, settings: { gap: { type: 'float' } } }, "settings.gap.type is 'float'"],
    [{ ...turns, settings: { gap: { type: 'number', default: '1' } } }, "settings.gap.default is '1'"],
    [{ ...turns, settings: { gap: { type: 'number', min: 1 } } }, 'settings.gap.min means nothing'],
    [{ ...turns, statistics: ['Two Words'] }, "statistics has 'Two Words'"],
  ])('%#: is told at the cluster', (module, message) => {
    const { scenario, problems } = load(module, plain);
    expect(scenario).toBeUndefined();
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message);
    expect(problems[0]).toMatchObject({ path: 'clusters[0].lb_policy', line: 1, rule: 'policy-module' });
  });

  it('names every missing member', () => {
    expect(said(load({ name: 'X', kind: 'list' }, plain))).toHaveLength(3);
  });

  it('tells all settings that its schema refuses', () => {
    const text = plain.replace(
      './own.mjs',
      '{policy: ./own.mjs, settings: {first: 1.5, gap: 0s, mood: odd, frist: 1}, other: 1}',
    );
    expect(said(load(turns, text))).toEqual([
      'clusters[0].lb_policy.settings.first: expected a whole number, at least 0, found 1.5',
      'clusters[0].lb_policy.settings.gap: expected a duration, as 250ms, above 0s, found 0s',
      "clusters[0].lb_policy.settings.mood: expected one of calm, wild, found 'odd'",
      'clusters[0].lb_policy.settings.frist: frist is no setting of TURNS: there are first, gap, mood. Did you mean first?',
      'clusters[0].lb_policy.other: other is not a field here: there are policy, settings, slow_start_config, subsetting',
    ]);
    const needy = { ...turns, settings: { size: { type: 'number' } } };
    expect(said(load(needy, plain))).toEqual([
      'clusters[0].lb_policy.settings: TURNS needs the setting size: a number',
    ]);
  });

  it('says of a module that is not loaded how it would be, and nothing more', () => {
    const { problems, policyModules } = loadScenario({
      file: 'dir/a.yaml',
      text: `${plain}expect: [{stat: cluster.web.lb_policy.picks, equals: 1}]`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain('./own.mjs is not loaded: a module runs code');
    expect(policyModules).toMatchObject([
      { text: './own.mjs', writtenIn: 'dir/a.yaml', place: { file: 'dir/a.yaml' } },
    ]);
  });

  it('says that settings of other policies have no effect', () => {
    const text = plain.replace('lb_policy:', 'ring_hash_lb_config: {}, lb_policy:');
    expect(said(load(turns, text))).toEqual([
      expect.stringMatching(
        /^clusters\[0\]\.ring_hash_lb_config: ring_hash_lb_config belongs to RING_HASH and has no effect/,
      ),
    ]);
  });

  it.each([
    ['{policy: PEAK_EWM}', 'PEAK_EWM is no policy: there are PEAK_EWMA'],
    ['{policy: PEAK_EWM}', 'Did you mean PEAK_EWMA?'],
    ['{policy: MAGLEV}', "MAGLEV is the proxy's own: write lb_policy: MAGLEV"],
    ['{policy: PEAK_EWMA, settings: 5}', 'settings of PEAK_EWMA are a map'],
    ['{policy: RENDEZVOUS, slow_start_config: {}}', 'a table knows no slow start'],
  ])('lb_policy: %s', (written, message) => {
    expect(said(loadScenario({ file: 'a.yaml', text: plain.replace('./own.mjs', written) })).join()).toContain(message);
  });

  it('typed settings are a map, too', () => {
    const policies = '{policies: [{typed_extension_config: {name: PEAK_EWMA, typed_config: 3}}]}';
    const text = `api: v3\nclusters: [{name: web, load_balancing_policy: ${policies}}]${traffic}`;
    expect(said(loadScenario({ file: 'a.yaml', text }))).toEqual([
      'clusters[0].load_balancing_policy.policies[0].typed_extension_config.typed_config: settings of PEAK_EWMA are a map',
    ]);
  });

  it('refuses the name of an extension', () => {
    const text = plain.replace('./own.mjs', 'PEAK_EWMA');
    const { problems } = loadScenario({ file: 'a.yaml', text }, { policies: { PEAK_EWMA: turns } });
    expect(problems[0]?.message).toContain('is the name of another policy already');
  });
});

describe('a name means what the call says', () => {
  it('a hundred modules of one name, read one after the other, each decide by themselves', async () => {
    const always = (index: number): ListPolicyModule<null> => ({
      name: 'ALWAYS',
      kind: 'list',
      start: () => null,
      refresh: () => undefined,
      choose: () => index % 3,
    });
    const loaded = Array.from({ length: 100 }, (_, index) => load(always(index), plain).scenario);
    const results = await Promise.all(
      loaded.flatMap((scenario) => (scenario === undefined ? [] : [runScenario(scenario)])),
    );
    expect(results.map(shares)).toEqual(
      loaded.map((_, index) => [0, 1, 2].map((host) => (host === index % 3 ? 1 : 0))),
    );
  });

  it('tables of two modules that call themselves the same are two', async () => {
    const of = (file: string): string => `{name: ${file}, lb_policy: ./${file}.mjs}`;
    const own = (file: string): string => `${file}: [{address: 10.0.0.1:80, count: 3}]`;
    const text = `
clusters: [${of('one')}, ${of('two')}]
endpoints: {${own('one')}, ${own('two')}}
requests: [{at: 0s, cluster: one, hash: 1}, {at: 1s, cluster: two, hash: 1}]
`;
    const table = (host: number): TablePolicyModule<{ readonly host: number }> => ({
      name: 'SAME',
      kind: 'table',
      build: () => ({ host }),
      choose: (built) => built.host,
    });
    const policies = { './one.mjs': table(0), './two.mjs': table(2) };
    const { scenario } = loadScenario({ file: 'a.yaml', text }, { policies });
    if (scenario === undefined) throw new Error('it does not load');
    const { clusters } = await runScenario(scenario);
    const asked = Object.values(clusters).map(({ hosts }) => hosts.map(({ requests }) => requests));
    expect(asked).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
  });
});

describe('what a module does wrong in a run is named, with the decision', () => {
  it.each([
    [() => NaN, 'TURNS.choose returned NaN for 3 hosts: it has to be a whole number from 0 to 2, or -1 for no host'],
    [() => 0.5, 'TURNS.choose returned 0.5 for 3 hosts'],
    [() => 3, 'TURNS.choose returned 3 for 3 hosts'],
    [() => -2, 'TURNS.choose returned -2 for 3 hosts'],
    [() => undefined, 'TURNS.choose returned missing for 3 hosts'],
    [() => '1', "TURNS.choose returned '1' for 3 hosts"],
    [() => Promise.resolve(1), 'TURNS.choose returned a promise for 3 hosts'],
    [
      () => {
        throw new TypeError('no such thing');
      },
      'TURNS.choose threw TypeError: no such thing',
    ],
  ])('%#: choose', async (choose, message) => {
    const failing = run({ ...turns, choose }, plain);
    await expect(failing).rejects.toThrow(PolicyFailure);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toThrow(/\(request 0 at 0 s to cluster web of proxy \S+\)/);
  });

  it('-1 is no host', async () => {
    const { totals } = await run({ ...turns, choose: () => -1 }, plain);
    expect(totals.no_healthy_upstream).toBe(90);
  });

  it.each([
    [{ ...turns, start: (): unknown => Promise.resolve(1) }, 'TURNS.start returned a promise'],
    [{ ...turns, start: ({ count }: Turns['config']) => count('other') }, "TURNS counts 'other', which is not among"],
    [{ ...turns, start: ({ count }: Turns['config']) => count('picks', NaN) }, 'TURNS counts NaN of picks'],
    [
      {
        ...turns,
        refresh: () => {
          throw new Error('full');
        },
      },
      'TURNS.refresh threw Error: full',
    ],
    [
      {
        ...turns,
        answered: () => {
          throw new Error('deaf');
        },
      },
      'TURNS.answered threw Error: deaf',
    ],
    [{ ...modulo, build: () => 5 }, 'MODULO.build returned 5: a table has to be an object'],
    [{ ...modulo, build: () => Promise.resolve({}) }, 'MODULO.build returned a promise'],
    [{ ...modulo, choose: () => 9 }, 'MODULO.choose returned 9 for 3 hosts'],
  ])('%#: %o', async (module, message) => {
    await expect(run(module, plain)).rejects.toThrow(message);
  });
});

it('one decision can be explained', async () => {
  const { scenario } = load(turns, plain);
  if (scenario === undefined) throw new Error('it does not load');
  const { host, steps } = await explain(scenario);
  expect(host?.address).toBe('10.0.0.2:80');
  expect(steps.at(-1)?.outcome).toBe('TURNS takes 10.0.0.2:80');
});

it('a table without entries tells the host of a key, and the part of each host', async () => {
  const { scenario } = load(modulo, plain);
  if (scenario === undefined) throw new Error('it does not load');
  const found = await inspectRing(scenario, 'web');
  if ('problem' in found) throw new Error(found.problem);
  const [table] = found.view().tables;
  expect([table?.entries, [...found.entries()]]).toEqual([0, []]);
  for (const { key_share: share, weight_share: fair } of table?.hosts ?? []) expect(share).toBeCloseTo(fair, 1);
  expect(table?.hosts.map(({ address }) => address)).toContain(found.ownerOf('user-7'));
});

it('policies that do not ask are not called', () => {
  expect(factsOf('ROUND_ROBIN')?.hears).toEqual([]);
  expect(policyOf('ROUND_ROBIN')).not.toHaveProperty('answered');
});
