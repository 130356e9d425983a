import { describe, expect, it } from 'vitest';
import { type FallbackStep, fallbackName } from '../../src/hostset/subset/subset-plan.js';
import type { PolicyFault } from '../../src/policy/foreign/generated/faults.js';
import { PolicyFailure } from '../../src/policy/foreign/policy-module.js';
import { type Examples, factsOf } from './examples.js';

/** What the engine itself says: names of fallbacks, and to the author of a policy what theirs did. */
const FALLBACKS: Examples<FallbackStep> = {
  cluster: [[{ policy: 'NO_FALLBACK' }, 'cluster NO_FALLBACK']],
  selector: [[{ policy: 'ANY_ENDPOINT' }, 'selector ANY_ENDPOINT']],
  unfinished: [[{}, 'selector with more keys']],
  keys_subset: [[{ subset: '{stage: "dev"}' }, 'KEYS_SUBSET {stage: "dev"}']],
  listed: [[{ index: 2 }, 'FALLBACK_LIST[2]']],
  panic_mode_any: [[{}, 'panic_mode_any']],
};

const policy = 'MINE';

const FAULTS: Examples<PolicyFault> = {
  told: [[{ text: 'a thread told of it' }, 'a thread told of it']],
  unknown_statistic: [[{ policy, statistic: '"hits"' }, 'MINE counts "hits", which is not among its statistics']],
  no_number: [[{ policy, statistic: 'hits', value: 'NaN' }, 'MINE counts NaN of hits: no number']],
  no_table: [[{ policy, value: '7' }, 'MINE.build returned 7: a table has to be an object']],
  no_index: [
    [
      { policy, value: '7', hosts: 3, is_promise: false },
      'MINE.choose returned 7 for 3 hosts: it has to be a whole number from 0 to 2, or -1 for no host',
    ],
    [
      { policy, value: 'a promise', hosts: 3, is_promise: true },
      'MINE.choose returned a promise for 3 hosts: it has to be a whole number from 0 to 2, or -1 for no host; a request waits for its host, so choose cannot be async',
    ],
  ],
  no_list_of_probes: [[{ policy, value: '7' }, 'MINE.probes returned 7: it has to be a list of indices into hosts']],
  no_probe_index: [
    [
      { policy, value: '7', hosts: 3 },
      'MINE.probes returned a list with 7 for 3 hosts: each has to be a whole number from 0 to 2',
    ],
  ],
  promise: [
    [{ policy, member: 'start' }, 'MINE.start returned a promise: nothing in a run waits, so it cannot be async'],
  ],
  threw: [[{ policy, member: 'start', error: 'TypeError: no' }, 'MINE.start threw TypeError: no']],
};

describe('each fact has its words', () => {
  it.each(factsOf(FALLBACKS))('%s', (text, step) => {
    expect(fallbackName([step])).toBe(text);
    expect(fallbackName([step, { kind: 'panic_mode_any' }])).toBe(`${text} → panic_mode_any`);
  });

  it.each(factsOf(FAULTS))('%s', (text, fault) => {
    expect(new PolicyFailure(fault).message).toBe(text);
    expect(new PolicyFailure(fault).at('request 7').message).toBe(`${text} (request 7)`);
  });
});
