import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { type Mix, mix, mixProxy, mixScenario } from '../../src/testing/mix/mix.js';
import { partsOf, without } from '../../src/testing/mix/smaller.js';

const [proxy] = fc.sample(mixProxy(), { seed: 1, numRuns: 1 });
const whole = fc
  .sample(mix(), { seed: 1, numRuns: 200 })
  .find(({ backup, wanted }) => backup !== undefined && wanted !== undefined);

function clustersOf(one: Mix): readonly string[] {
  const value = proxy && mixScenario(proxy, [one], '1.40');
  // A part may be one that a configuration cannot do without: the clusters are there, refused or not.
  const clusters = value?.['clusters'] as readonly { readonly name: string }[];
  expect(loadScenarioValue(value, 'a mix').problems.filter(({ rule }) => rule === 'defect')).toEqual([]);
  return clusters.map(({ name }) => name.replace(/^(mix|a)-0/, 'mix'));
}

describe('a random mix', () => {
  it('can be an aggregate, whose requests name hosts', () => {
    if (whole === undefined) throw new Error('none was drawn');
    expect(clustersOf(whole)).toEqual(expect.arrayContaining(['mix', 'mix-backup', 'mix-all']));
    const plain = without(whole, [
      ['more', 'backup'],
      ['more', 'wanted'],
    ]);
    expect(clustersOf(plain)).not.toContain('mix-all');
    expect(plain.wanted).toBeUndefined();
    expect(partsOf(plain).length).toBeLessThan(partsOf(whole).length);
  });

  it('stays one, whatever part is left out', () => {
    if (whole === undefined) throw new Error('none was drawn');
    for (const part of partsOf(whole)) {
      const smaller = without(whole, [part]);
      expect(clustersOf(smaller)).toContain('mix');
      expect(smaller.matches.length).toBeGreaterThan(0);
    }
  });
});
