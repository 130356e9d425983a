import { describe, expect, it } from 'vitest';
import { compare } from '../../src/analysis/compare/compare.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { unplacedEffects } from '../../src/analysis/felt-quirks.js';
import { changesText, effectText, unplacedText, untriedText } from '../../src/words/versions.js';
import type { Scenario } from '../../src/scenario/model.js';
import { loadScenario } from '../../src/scenario/load.js';

function scenarioOf(text: string, proxyVersion: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'versions.yaml', text }, { proxyVersion });
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  return scenario;
}

/** Half of the hosts drain: in the denominator of panic they are until 1.29. */
const DRAINING = `
clusters: [{name: web}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, {address: "10.0.0.3:80", health: DRAINING}, {address: "10.0.0.4:80", health: DRAINING}, {address: "10.0.0.5:80", health: DRAINING}]}
workloads: [{cluster: web, arrivals: {constant: 100/s}, stop: 10s}]
`;

/** A host that is ejected again and again. */
const EJECTED = `
clusters:
  - name: web
    connect_timeout: 1s
    outlier_detection: {consecutive_5xx: 2, interval: 1s, base_ejection_time: 2s, max_ejection_percent: 40}
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
behavior: [{hosts: 10.0.0.1, error_rate: 100%}]
workloads: [{cluster: web, arrivals: {constant: 200/s}, stop: 30s}]
`;

describe('an upgrade', () => {
  it('names the differences that the scenario feels', async () => {
    const sides = ['1.29', '1.30'].map((version) => ({ name: version, scenario: scenarioOf(DRAINING, version) }));
    const { version_changes: changes } = await compare(sides, { runs: 1, upgrade: true });
    expect(changes).toMatchObject({ from: '1.29', to: '1.30', differences: 3 });
    expect(changes?.felt?.map(({ quirk, first }) => [quirk, first])).toEqual([['drainingIsExcluded', '1.30.0']]);
    expect(changes?.felt?.[0]?.effects.map(effectText)).toEqual(['10.0.0.1:80 of web gets 50.0 % instead of 20.0 %']);
    expect(changes && changesText(changes)).toBe(
      'one of 3 known differences between 1.29 and 1.30 changes something here',
    );
  });

  it('says where nothing is felt, and where too much would have to be run', async () => {
    const quiet = DRAINING.replaceAll(/health: DRAINING/g, 'weight: 1');
    const told = async (text: string): Promise<string> => {
      const sides = ['1.29', '1.30'].map((version) => ({ name: version, scenario: scenarioOf(text, version) }));
      const { version_changes: changes } = await compare(sides, { runs: 1, upgrade: true });
      return changes === undefined ? '' : changesText(changes);
    };
    expect(await told(quiet)).toBe('none of 3 known differences between 1.29 and 1.30 changes anything here');
    const unasked = ['1.29', '1.30'].map((version) => ({ name: version, scenario: scenarioOf(DRAINING, version) }));
    expect(await compare(unasked, { runs: 1 })).not.toHaveProperty('version_changes');
    const same = [scenarioOf(quiet, '1.30'), scenarioOf(quiet, '1.30')].map((scenario) => ({ name: 'x', scenario }));
    expect(await compare(same, { runs: 1, upgrade: true })).not.toHaveProperty('version_changes');
  });
});

describe('what nobody knows of a version', () => {
  it('is told with both outcomes', async () => {
    const scenario = scenarioOf(EJECTED, '1.30');
    const result = await runScenario(scenario);
    const felt = (await unplacedEffects(scenario, result)) ?? [];
    expect(felt.map(({ quirk }) => quirk)).toContain('ejectionsStayWithinLimit');
    const [first] = felt;
    expect(first && unplacedText('1.30', first)).toMatch(
      /^it is not known whether 1\.30 already has this, which came between 1\.18 and 1\.36: .*\. It is taken to; if it does not, /,
    );
  });

  it.each(['1.17', '1.36', '1.40'])('is nothing at %s', async (version) => {
    const scenario = scenarioOf(EJECTED, version);
    expect(await unplacedEffects(scenario, await runScenario(scenario))).toEqual([]);
  });

  it('is not tried where that takes too long', () => {
    expect(untriedText('1.30')).toContain('too many requests');
  });
});
