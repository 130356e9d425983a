import { describe, expect, it } from 'vitest';
import * as lbsim from '../src/index.js';
import { BALANCER_LAWS, listPolicyUnderTest, tablePolicyUnderTest } from '../src/testing/index.js';

const text = 'clusters: [{name: web}]\nendpoints: {web: [10.0.0.1:80]}\n';
// Calls as JavaScript makes them, where no compiler objects.
const call = lbsim as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

const { scenario } = lbsim.loadScenario({ file: 'a.yaml', text });
const result = scenario && (await lbsim.runScenario(scenario));
const sides = [
  { name: 'before', scenario },
  { name: 'after', scenario },
];

/** A function, what it is given, and what it says: the argument, what it is, and what it may be. */
const BAD_CALLS: readonly (readonly [name: string, given: readonly unknown[], says: string])[] = [
  ['loadScenario', [text, {}], 'loadScenario: input is a text, and has to be {file: '],
  ['loadScenario', [{ file: 'a.yaml' }], "input is {file}, and has to be {file: 'web.yaml', text}, or a list of such"],
  ['loadScenario', [undefined], 'input is undefined'],
  ['loadScenario', [[{ file: 'a', text }, text]], 'input[1] is a text'],
  ['loadScenario', [{ file: 'a', text }, { set: {} }], 'options.set is {}, and has to be a list of texts'],
  ['loadScenario', [{ file: 'a', text }, { set: 'a=b' }], "options.set is 'a=b', and has to be a list of texts"],
  ['loadScenario', [{ file: 'a', text }, { set: [{ a: 1 }] }], 'options.set[0] is {a}, and has to be a text'],
  ['loadScenario', [{ file: 'a', text }, { unhealthy: 'x' }], "options.unhealthy is 'x', and has to be a list"],
  ['loadScenario', [{ file: 'a', text }, { sets: [] }], 'options has no option sets: there are proxyVersion, seed,'],
  ['loadScenario', [{ file: 'a', text }, ['a=b']], "options is ['a=b'], and has to be an object: {proxyVersion,"],
  [
    'loadScenario',
    [
      { file: 'a', text },
      { seed: 1, lint: 'x' },
    ],
    'options.seed is 1, and has to be a text; options.lint',
  ],
  ['loadScenario', [{ file: 'a', text }, { api: 'v4' }], "options.api is 'v4', and has to be one of v2, v3"],
  ['loadScenario', [{ file: 'a', text }, { policies: [] }], 'options.policies is [], and has to be an object'],
  ['loadScenarioValue', [{}, 7], 'loadScenarioValue: name is 7, and has to be a text'],
  ['runScenario', [scenario, { everyUs: 0 }], 'hooks.everyUs is 0, and has to be a number above 0'],
  ['runScenario', [scenario, { everyUs: NaN }], 'hooks.everyUs is NaN, and has to be a number above 0'],
  ['createSimulation', [scenario, { onDecision: 1 }], 'hooks.onDecision is 1, and has to be a function'],
  ['createSimulation', [scenario, { stats: {} }], 'hooks.stats is {}, and has to be an object with onFlush'],
  ['createSimulation', [scenario, { onAnswer: () => 0 }], 'hooks has no option onAnswer: there are predict, stats,'],
  ['predict', [scenario, { exact: true }], 'options has no option exact: there are exactOnly'],
  ['judgeExpectations', [scenario, scenario?.clusters], 'prediction is [{'],
  ['inspectRing', [scenario, 0], 'clusterName is 0, and has to be a text'],
  ['compare', [sides.slice(1)], 'sides is a list of 1, and has to be a list of two sides or more'],
  [
    'compare',
    [{ before: scenario }],
    'sides is {before}, and has to be a list of two sides or more, {name, scenario} each',
  ],
  [
    'compare',
    [[{ name: 'before', scenario }, { name: 'after' }]],
    'sides[1].scenario (after) is undefined: the scenario did',
  ],
  ['compare', [[{ scenario }, { name: 'b', scenario }]], 'sides[0].name is undefined, and has to be a text'],
  ['compare', [sides, { runs: 0 }], 'options.runs is 0, and has to be a whole number from 1'],
  ['sweep', [{ file: 'web.yaml', text: '' }, {}], 'options has no vary'],
  [
    'sweep',
    [{ file: 'web.yaml', text: '' }, { vary: 'seed=1' }],
    "options.vary is 'seed=1', and has to be a list of texts",
  ],
  ['replicate', [scenario, { batches: 1 }], 'options.batches is 1, and has to be a whole number from 2'],
  [
    'replicate',
    [scenario, { untilPrecision: 1 }],
    'options.untilPrecision is 1, and has to be a number above 0, below 1',
  ],
  ['race', [sides, { runs: 1.5 }], 'race: options.runs is 1.5, and has to be a whole number from 1'],
  ['explain', [scenario, { hash: 7 }], 'options.hash is 7, and has to be two halves of 32 bits, {hi, lo}'],
  ['explain', [scenario, { atUs: -1 }], 'options.atUs is -1, and has to be a number from 0'],
  ['explainRequest', [scenario, '0'], "request is '0', and has to be a whole number from 0"],
  ['whyNot', [scenario], 'address is undefined, and has to be a text'],
  ['prove', [scenario, { capacity: NaN }], 'options.capacity is NaN, and has to be a number above 0'],
  ['survive', [scenario, 'zone'], "lose is 'zone', and has to be a list of texts"],
  ['observe', [scenario, [{ file: 'a' }]], "observed[0] is {file}, and has to be {file: 'web.yaml', text}, or a list"],
  ['bounds', [scenario, { falseAlarm: 1 }], 'options.falseAlarm is 1, and has to be a number from 1e-12 to below 1'],
  ['find', [scenario, { capacity: 0 }], 'options.capacity is 0, and has to be a number above 0'],
  ['prove', [scenario, { clusters: 'web' }], "options.clusters is 'web', and has to be a list of texts"],
  ['curve', [scenario, { zone: 'a' }], 'lose is {zone}, and has to be a text'],
  [
    'differenceAt',
    [scenario, { clusters: {} }, '1.40'],
    'own is {clusters}, and has to be {prediction}, or what createSim',
  ],
  ['differenceAt', [scenario, { prediction: undefined }, '9.9'], "version is '9.9', and has to be one of 1.12"],
  ['unsupportedFeatures', [null], 'scenario is null, something else'],
  ['settingsApart', [null], 'scenario is null, something else'],
  ['importScenario', [{ file: 'a', text }], 'inputs is {file, text}, and has to be a list of {file, text}'],
  ['importScenario', [[], { uptime: 60 }], 'options.uptime is 60, and has to be a text'],
  ['schemaOf', ['x'], "kind is 'x', and has to be one of scenario, cluster, bootstrap"],
  ['schemaOf', ['cluster', 'v1'], "api is 'v1', and has to be one of v2, v3"],
  ['textReport', [result], 'options is undefined, and has to be an object: {width,'],
  ['textReport', [scenario, { width: 80, paint: lbsim.PLAIN }], 'result is {'],
  [
    'textReport',
    [result, { width: '80' }],
    "options has no paint; options.width is '80', and has to be a whole number from 1",
  ],
  ['answer', [undefined], 'result is undefined, and has to be what runScenario returns'],
  ['comparisonAnswer', [undefined], 'comparison is undefined, and has to be what compare returns'],
  ['adviceFor', [undefined], 'problems is undefined, and has to be a list'],
  [
    'explainReport',
    [undefined, {}],
    'explanation is undefined, and has to be what explain returns; layout has no width',
  ],
  ['explainRequestReport', [{}, {}], 'explained is {}, and has to be what explainRequest returns'],
  ['whyNotReport', [{}, {}], 'found is {}, and has to be what whyNot returns'],
  ['hostsOf', [undefined], 'phase is undefined'],
  ['localityName', ['a', {}], "locality is 'a', and has to be an object"],
  ['localityParts', [{}], 'localities is {}, and has to be a list'],
  ['mergeWindowUs', ['web'], "scenario is 'web', something else: write const {scenario} = "],
  ['panicThresholdOf', [scenario, 1], 'clusterName is 1, and has to be a text'],
];

describe('a call that cannot be meant says what was given and what may be', () => {
  it.each(BAD_CALLS)('%s(%j)', async (name, given, says) => {
    const called = async (): Promise<unknown> => Promise.resolve(call[name]?.(...given));
    const error: unknown = await called().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(says);
  });

  it.each(['runJson', 'csvReport'])('%s says it with its first piece', (name) => {
    const pieces = call[name]?.(undefined) as Iterator<string>;
    expect(() => pieces.next()).toThrow(`${name}: result is undefined, and has to be what runScenario returns`);
  });

  it('an inspector, and what it is asked', async () => {
    expect(() => {
      Reflect.construct(lbsim.Inspector, [undefined]);
    }).toThrow('new Inspector: scenario is undefined');
    const look = scenario && new lbsim.Inspector(scenario).look({ clusters: 'web' } as unknown as lbsim.InspectOptions);
    await expect(look).rejects.toThrow(
      'options has no cluster; options has no option clusters: there are atUs, cluster,',
    );
  });

  it('every function of the library is among them', () => {
    const named = new Set([...BAD_CALLS.map(([name]) => name), 'runJson', 'csvReport']);
    const functions = Object.entries(lbsim).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
    );
    expect(functions.filter((name) => !named.has(name))).toEqual([]);
  });

  it.each([
    'runScenario',
    'createSimulation',
    'inspectRing',
    'predict',
    'explain',
    'whyNot',
    'prove',
    'survive',
    'curve',
  ])('%s of what is no scenario', async (name) => {
    await expect(call[name]?.(undefined)).rejects.toThrow('the scenario did not load');
    const loaded = lbsim.loadScenario({ file: 'a.yaml', text });
    await expect(call[name]?.(loaded)).rejects.toThrow('the whole result of loadScenario: hand its scenario on');
    await expect(call[name]?.({})).rejects.toThrow('something else');
  });

  it('a wrong one fails before anything is done, a good one with options left undefined does not', async () => {
    expect(lbsim.loadScenario({ file: 'a.yaml', text }, { seed: undefined }).problems).toEqual([]);
    await expect(call['predict']?.(scenario, undefined)).resolves.toHaveProperty('clusters');
  });
});

it('a comparison speaks of its sides by the names that it was given', async () => {
  const load = (options: lbsim.LoadOptions): lbsim.Scenario => {
    const loaded = lbsim.loadScenario({ file: 'a.yaml', text }, options).scenario;
    if (loaded === undefined) throw new Error('it does not load');
    return loaded;
  };
  const after = { name: 'after', scenario: load({ fail: ['10.0.0.1'] }) };
  const comparison = await lbsim.compare([{ name: 'before', scenario: load({}) }, after], { runs: 2 });
  expect(lbsim.comparisonAnswer(comparison)[0]).toMatch(/^'after' fails 100.0 % of the requests/);
});

describe('a policy that names no host of its list', () => {
  it.each([NaN, 0.5, -2, 99])('%s', (index) => {
    const policy = { name: 'MINE', start: () => null, refresh: () => undefined, choose: () => index };
    const [law] = BALANCER_LAWS;
    expect(() => law?.check(listPolicyUnderTest(policy), { seed: 1 })).toThrow(`MINE.choose returned ${index} for`);
    const table = { name: 'OWN', build: () => ({}), choose: () => index };
    expect(() => law?.check(tablePolicyUnderTest(table, {}), { seed: 1 })).toThrow(`OWN.choose returned ${index} for`);
  });
});
