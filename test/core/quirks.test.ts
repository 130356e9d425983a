import { describe, expect, it } from 'vitest';
import {
  PROXY_VERSIONS,
  type Quirk,
  type QuirkName,
  quirksBetween,
  quirksOf,
  turned,
  unplacedQuirks,
} from '../../src/core/version.js';
import { QUIRKS } from '../../src/core/generated/quirks.js';
import { releasesOf } from '../../src/words/versions.js';

const names = Object.keys(QUIRKS) as QuirkName[];

describe('quirks', () => {
  it.each(names)('%s tells some versions apart, and says how that is known', (name) => {
    const { what, evidence, first, last }: Quirk = QUIRKS[name];
    expect(new Set(PROXY_VERSIONS.map((version) => quirksOf(version)[name])).size).toBe(2);
    expect(what.length).toBeGreaterThan(10);
    expect(evidence.length).toBeGreaterThan(5);
    expect([first, last].some((release) => release !== undefined)).toBe(true);
    for (const release of [first, last]) if (release !== undefined) expect(release).toMatch(/^1\.\d+(\.\d+)?$/);
  });

  it('hold from their first release to their last, both included', () => {
    const versions = ['1.12', '1.14', '1.17', '1.40'] as const;
    const having = (name: QuirkName): readonly string[] => versions.filter((version) => quirksOf(version)[name]);
    expect(having('hostByPriorityDraw')).toEqual(['1.17', '1.40']);
    expect(having('totalPanicMovesLoad')).toEqual(['1.14', '1.17', '1.40']);
    expect(having('tablesIgnoreRejections')).toEqual(['1.12']);
    expect(having('backoffShrinksEverySweep')).toEqual(['1.17']);
    expect(having('singleHostByValue')).toEqual(['1.12', '1.14', '1.17']);
  });

  it('are known of every line, or told as not known', () => {
    expect(quirksBetween('1.38', '1.39')).toEqual(['logicalDnsReplacesHost']);
    expect(quirksBetween('1.36', '1.38')).toEqual([]);
    expect(unplacedQuirks('1.17')).toEqual([]);
    expect(unplacedQuirks('1.18')).toContain('jittersEjections');
    expect(unplacedQuirks('1.35')).toEqual(unplacedQuirks('1.18'));
    expect(unplacedQuirks('1.36')).toEqual([]);
    // Those that a release note places are known.
    expect(unplacedQuirks('1.18')).not.toContain('drainingIsExcluded');
  });

  it('can be turned around one by one', () => {
    const other = turned('1.30', ['jittersEjections', 'maglevSparesOneHost']);
    expect(quirksBetween('1.30', other)).toEqual(['maglevSparesOneHost', 'jittersEjections']);
    expect(quirksOf(other).jittersEjections).toBe(false);
  });

  it('are told by their releases', () => {
    expect(releasesOf(QUIRKS.hostByPriorityDraw)).toBe('since 1.16.0');
    expect(releasesOf(QUIRKS.factorStays)).toBe('to 1.26');
    expect(releasesOf(QUIRKS.backoffShrinksEverySweep)).toBe('1.17.0 to 1.17');
    expect(releasesOf(QUIRKS.jittersEjections)).toBe('after 1.17, by 1.36');
  });
});
