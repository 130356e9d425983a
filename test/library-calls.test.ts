import { describe, expect, it } from 'vitest';
import * as lbsim from '../src/index.js';
import { BALANCER_LAWS, listPolicyUnderTest, tablePolicyUnderTest } from '../src/testing/index.js';

const text = 'clusters: [{name: web}]\nendpoints: {web: [10.0.0.1:80]}\n';
// Calls as JavaScript makes them, where no compiler objects.
const call = lbsim as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

describe('a call that cannot be meant says what was meant', () => {
  it.each([
    [[text, { file: 'a.yaml' }], 'got a text: write loadScenario({file: '],
    [[{ file: 'a.yaml' }], 'got object without both'],
    [[undefined], 'got undefined without both'],
    [[[text]], 'got a text'],
  ])('loadScenario(%j)', (given, message) => {
    expect(() => call['loadScenario']?.(...given)).toThrow(message);
  });

  it.each(['runScenario', 'createSimulation', 'inspectRing', 'predict', 'explain', 'whyNot', 'find', 'curve'])(
    '%s of what is no scenario',
    async (name) => {
      await expect(call[name]?.(undefined)).rejects.toThrow('the scenario did not load');
      const loaded = lbsim.loadScenario({ file: 'a.yaml', text });
      await expect(call[name]?.(loaded)).rejects.toThrow('the whole result of loadScenario: hand its scenario on');
      await expect(call[name]?.({})).rejects.toThrow('something else');
    },
  );

  it('compare of one side', async () => {
    const { scenario } = lbsim.loadScenario({ file: 'a.yaml', text });
    await expect(call['compare']?.([{ name: 'a', scenario }])).rejects.toThrow('two sides or more');
  });
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
