import { expect, it } from 'vitest';
import type { QuirkEffect } from '../../src/analysis/felt-quirks.js';
import { changesText, effectText, releasesOf, unplacedText, untriedText } from '../../src/words/versions.js';
import { type Examples, factsOf } from './examples.js';

/** What a difference between releases changes. */
const EFFECTS: Examples<QuirkEffect> = {
  share: [
    [
      { cluster: 'web', host: '10.0.0.1:80', share: 0.2, other: 0.5 },
      '10.0.0.1:80 of web gets 50.0 % instead of 20.0 %',
    ],
  ],
  failures: [[{ cluster: 'web', share: 0, other: 0.25 }, '25.0 % of the requests to web fail instead of 0.0 %']],
  statistic: [
    [{ name: 'cluster.web.a', value: 3, other: 0 }, 'cluster.web.a is 0 instead of 3'],
    [{ name: 'cluster.web.a', value: null, other: 0 }, 'there is a statistic cluster.web.a'],
    [{ name: 'cluster.web.a', value: 3, other: null }, 'there is no statistic cluster.web.a'],
  ],
};

const FELT = {
  quirk: 'drainingIsExcluded',
  what: 'hosts that drain count nowhere',
  evidence: 'release notes',
  effects: [{ kind: 'statistic', name: 'cluster.web.a', value: 3, other: 0 }],
} as const;

it.each(factsOf(EFFECTS))('%s', (sentence, effect) => {
  expect(effectText(effect)).toBe(sentence);
});

it('of an upgrade as a whole', () => {
  const changes = { from: '1.29', to: '1.30', differences: 3 };
  expect([null, [], [FELT], [FELT, FELT]].map((felt) => changesText({ ...changes, felt }))).toEqual([
    'none of 3 known differences between 1.29 and 1.30 was tried: there are too many requests; --duration shortens the run',
    'none of 3 known differences between 1.29 and 1.30 changes anything here',
    'one of 3 known differences between 1.29 and 1.30 changes something here',
    '2 of 3 known differences between 1.29 and 1.30 each change something here',
  ]);
});

it('of what nobody knows of a version', () => {
  expect(unplacedText('1.30', FELT)).toBe(
    'it is not known whether 1.30 already has this, which came between 1.18 and 1.36: hosts that drain count nowhere. It is taken to; if it does not, cluster.web.a is 0 instead of 3',
  );
  expect(untriedText('1.30')).toBe(
    '1.30 is taken to have what came between 1.18 and 1.36 without a release note; there are too many requests to try what that changes',
  );
  expect(
    [{ first: '1.30.0' }, { last: '1.22' }, { first: '1.17.0', last: '1.17' }, { first: '1.18' }].map(releasesOf),
  ).toEqual(['since 1.30.0', 'to 1.22', '1.17.0 to 1.17', 'after 1.17, by 1.36']);
});
