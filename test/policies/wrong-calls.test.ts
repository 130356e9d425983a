import { describe, expect, it } from 'vitest';
import * as policies from '../../src/policies/index.js';
import * as testing from '../../src/testing/index.js';

// Calls as JavaScript makes them, where no compiler objects.
const call = { ...policies, ...testing } as unknown as Readonly<
  Record<string, (...given: readonly unknown[]) => unknown>
>;
const source = policies.seededStream('1', 'a');
const hosts = [new policies.Host({ address: '10.0.0.1:80' })];
const level = policies.level(hosts);
const weighted = policies.weightedHosts(['10.0.0.1:80']);
const ring = policies.buildRing(weighted);
const list = { name: 'MINE', start: () => null, refresh: () => undefined, choose: () => 0 };

/** A function, what it is given, and what it says: the argument, what it is, and what it may be. */
const BAD_CALLS: readonly (readonly [name: string, given: readonly unknown[], says: string])[] = [
  ['listPicker', [{}, {}, hosts, source], 'policy is {}, and has to be an object with start, refresh, choose'],
  ['roundRobinPicker', ['10.0.0.1:80', source], "hosts is '10.0.0.1:80', and has to be a list of Hosts"],
  ['roundRobinPicker', [[{ address: '10.0.0.1:80' }], source], 'hosts[0] is {address}, and has to be a Host'],
  ['roundRobinPicker', [hosts], 'source is undefined, and has to be an object with next'],
  ['roundRobinPicker', [hosts, source, { slowstart: {} }], 'options has no option slowstart: there are'],
  ['leastRequestPicker', [hosts, source, { choiceCount: '2' }], "options.choiceCount is '2', and has to be a whole"],
  ['leastRequestPicker', [hosts, source, { selectionMethod: 'SCAN' }], 'has to be one of N_CHOICES, FULL_SCAN'],
  ['randomPicker', [hosts, source, { version: '9.9' }], "options.version is '9.9', and has to be one of 1.12"],
  ['level', [undefined], 'hosts is undefined, and has to be a list of Hosts'],
  ['level', [hosts, { zone: 'a' }], 'options has no option zone: there are priority,'],
  ['priorityLoad', [hosts], 'levels[0] is {'],
  ['priorityLoad', [[level], { panic: 50 }], 'options has no option panic'],
  ['zoneRouting', [level, hosts], 'local is [{'],
  ['zoneRouting', [level, level, { localityBasis: 'HOSTS' }], 'has to be one of HEALTHY_HOSTS_NUM'],
  ['seededStream', [1, 'a'], 'seed is 1, and has to be a text'],
  ['subsets', [{}], 'options has no selectors'],
  ['subsets', [{ selectors: [['v']] }], "options.selectors[0] is ['v'], and has to be an object: {keys,"],
  ['subsets', [{ selectors: [{ keys: 'v' }] }], "options.selectors[0].keys is 'v', and has to be a list of texts"],
  ['buildRing', [hosts], 'hosts is [{'],
  ['buildRing', [weighted, { size: 1024 }], 'config has no option size: there are minimumRingSize,'],
  ['buildRing', [weighted, { hashFunction: 'MD5' }], 'has to be one of XX_HASH, MURMUR_HASH_2'],
  ['buildMaglev', [weighted, { tableSize: '7' }], "config.tableSize is '7', and has to be a number"],
  ['movedKeys', [ring, [1], ring, ['a']], 'keysBefore[0] is 1, and has to be a text'],
  ['movedKeys', [{}, ['a'], ring, ['a']], 'before is {}, and has to be what buildRing or buildMaglev returns'],
  ['builtInPolicy', ['FASTEST'], "lbPolicy is 'FASTEST', and has to be one of ROUND_ROBIN"],
  ['builtInPolicy', ['RANDOM', '9.9'], "version is '9.9', and has to be one of 1.12"],
  ['listPolicyUnderTest', [{ name: 'MINE' }], 'policy is {name}, and has to be an object with start, refresh, choose'],
  ['listPolicyUnderTest', [list, { verson: '1.40' }], 'options has no option verson: there are version, lbPolicy'],
  ['tablePolicyUnderTest', [list, {}], 'and has to be an object with build, choose'],
  ['repeatsItself', [testing.builtInPolicy('RANDOM'), { runs: 10 }], 'options has no option runs: there are numRuns,'],
  ['repeatsItself', [testing.builtInPolicy('RANDOM'), { numRuns: 0 }], 'options.numRuns is 0, and has to be a whole'],
];

describe('a call of lbsim/policies or lbsim/testing that cannot be meant', () => {
  it.each(BAD_CALLS)('%s: %#', (name, given, says) => {
    expect(() => call[name]?.(...given)).toThrow(TypeError);
    expect(() => call[name]?.(...given)).toThrow(says);
  });
});
