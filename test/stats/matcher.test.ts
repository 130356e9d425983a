import { describe, expect, it } from 'vitest';
import type { Messages } from '../../src/config/api/generated/read-messages.js';
import { statsFilter, stringMatcher } from '../../src/stats/matcher.js';

type StringMatcher = Messages['type.matcher.StringMatcher'];

function pattern(fields: Partial<StringMatcher>): StringMatcher {
  return {
    exact: undefined,
    prefix: undefined,
    suffix: undefined,
    contains: undefined,
    regex: undefined,
    safeRegex: undefined,
    ignoreCase: false,
    ...fields,
  };
}

const NAME = 'cluster.up.upstream_rq_200';

describe('string matchers', () => {
  it.each([
    [{ exact: NAME }, true],
    [{ exact: 'cluster.up' }, false],
    [{ exact: NAME.toUpperCase(), ignoreCase: true }, true],
    [{ prefix: 'cluster.' }, true],
    [{ prefix: 'Cluster.' }, false],
    [{ prefix: 'Cluster.', ignoreCase: true }, true],
    [{ suffix: '_200' }, true],
    [{ suffix: '_20' }, false],
    [{ suffix: 'RQ_200', ignoreCase: true }, true],
    [{ contains: 'upstream' }, true],
    [{ contains: 'UPSTREAM' }, false],
    [{ contains: 'UPSTREAM', ignoreCase: true }, true],
    [{ regex: 'cluster\\..*' }, true],
    // The whole name must match.
    [{ regex: 'cluster\\.' }, false],
    [{ safeRegex: { regex: '.*_rq_\\d{3}', googleRe2: undefined } }, true],
    [{ safeRegex: { regex: '_rq_\\d{3}', googleRe2: undefined } }, false],
  ])('%j: %s', (fields, matches) => {
    expect(stringMatcher(pattern(fields))(NAME)).toBe(matches);
  });
});

describe('the statistics that exist', () => {
  const lists = { patterns: [pattern({ suffix: '_total' }), pattern({ contains: 'membership' })] };
  const none = { rejectAll: undefined, inclusionList: undefined, exclusionList: undefined };
  const names = ['cluster.a.upstream_rq_total', 'cluster.a.membership_healthy', 'cluster.a.upstream_rq_200'];

  it.each([
    [undefined, names],
    [{ ...none, rejectAll: true }, []],
    [{ ...none, rejectAll: false }, names],
    [{ ...none, inclusionList: lists }, names.slice(0, 2)],
    [{ ...none, exclusionList: lists }, names.slice(2)],
  ])('%j', (matcher, existing) => {
    expect(names.filter(statsFilter(matcher))).toEqual(existing);
  });
});
