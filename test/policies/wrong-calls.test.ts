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
const random = testing.builtInPolicy('RANDOM');
const table = { name: 'OWN', build: () => ({}), choose: () => 0 };
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
  ['leafOf', ['MAGLEV'], "policy is 'MAGLEV', and has to be the settings of a policy"],
  ['listPolicyUnderTest', [{ name: 'MINE' }], 'policy is {name}, and has to be an object with start, refresh, choose'],
  ['listPolicyUnderTest', [list, { verson: '1.40' }], 'options has no option verson: there are version, lbPolicy'],
  ['tablePolicyUnderTest', [list, {}], 'and has to be an object with build, choose'],
  ['repeatsItself', [testing.builtInPolicy('RANDOM'), { runs: 10 }], 'options has no option runs: there are numRuns,'],
  ['repeatsItself', [testing.builtInPolicy('RANDOM'), { numRuns: 0 }], 'options.numRuns is 0, and has to be a whole'],
  ['aperture', [['a'], 3, 2], 'place is 3, and has to be an object with numbers client, clients'],
  ['availablePercent', [hosts], 'hostSet is [{'],
  ['chooseBounded', [0, 1, {}, {}], 'loads is {}, and has to be an object with factor; shuffle is {}'],
  ['choosePriority', [{}, 0, -1], 'load is {}, and has to be the load of what priorityLoad returns; lo is -1'],
  ['chooseZone', [{}, source], 'routing is {}, and has to be what zoneRouting returns'],
  ['deterministicSubset', [['a'], 0, 0], 'size is 0, and has to be a whole number from 1'],
  ['djb2CaseInsensitive', [7], 'text is 7, and has to be a text'],
  ['effectiveLocalityWeight', [1, 2], 'counted is undefined, and has to be a number from 0'],
  ['fromBigInt', [7], 'value is 7, and has to be a BigInt'],
  ['hashKeys', ['a'], "keys is 'a', and has to be a list of texts"],
  ['hashString', ['a', 'MD5'], "hashFunction is 'MD5', and has to be one of XX_HASH, MURMUR_HASH_2"],
  ['hostsOfHashes', [ring, [1, 2]], 'hashes is [1, 2], and has to be what hashKeys returns'],
  ['isBelowPanicThreshold', [level, '50'], "threshold is '50', and has to be a number"],
  ['loadAwareWeights', [[1], true, {}], 'loads[0] is 1, and has to be an object with numbers hosts, utilization'],
  ['maglevHost', [ring, { hi: 0, lo: 1 }], 'table is {'],
  ['maglevShares', [ring], 'and has to be what buildMaglev returns'],
  ['mergeWindow', ['1s'], 'a merge window takes 0 µs or more, not 1s'],
  ['mod', [0, 5], 'n is undefined, and has to be a whole number from 1'],
  ['moveMatrix', [[0], 1, [0], 1], 'hostsBefore is [0], and has to be what hostsOfHashes returns'],
  ['murmur2', ['a'], "bytes is 'a', and has to be a Uint8Array"],
  ['murmur2String', [7], 'text is 7, and has to be a text'],
  ['nextTurn', [[1, 2]], 'turns is [1, 2], and has to be what weightedTurns returns'],
  ['overloadFactor', [1, 2, 1, 0], 'hashBalanceFactor is 0, and has to be a number above 0'],
  ['parseU64', [7], 'text is 7, and has to be a text'],
  ['reportedWeight', [{}, {}], 'report is {}, and has to be an object with numbers cpuUtilization,'],
  ['ringEntries', [weighted], 'and has to be what buildRing returns'],
  ['ringHost', [ring, 7], 'hash is 7, and has to be two halves of 32 bits, {hi, lo}'],
  ['ringHost', ['ring', { hi: 0, lo: 1 }], "ring is 'ring', and has to be what buildRing returns"],
  ['ringShares', [undefined], 'ring is undefined, and has to be what buildRing returns'],
  [
    'smoothingFactor',
    [{ updateUs: 1 }],
    'config is {updateUs}, and has to be an object with numbers updateUs, smoothingUs',
  ],
  ['toBigInt', [7n], 'value is 7, and has to be two halves of 32 bits, {hi, lo}'],
  [
    'toDecimal',
    [{ hi: 0, lo: 1 }],
    'hi is {hi, lo}, and has to be a whole number from 0 to 4294967295; lo is undefined',
  ],
  ['utilizationOf', [{}, [], true], 'report is {}, and has to be an object with numbers cpuUtilization,'],
  ['weightedHosts', [['a'], 2], 'weights is 2, and has to be a list of numbers'],
  ['weightedHosts', [Array(20).fill(7), []], 'keys[7] is 7, and has to be a text; and 12 more'],
  ['weightedTurns', [2], 'weights is 2, and has to be a list of numbers'],
  ['xxhash64', ['a'], "bytes is 'a', and has to be a Uint8Array"],
  ['xxhash64Chain', ['a'], "texts is 'a', and has to be a list of texts"],
  ['xxhash64String', ['a', 7], 'seed is 7, and has to be two halves of 32 bits, {hi, lo}'],
  ['boundsEveryPick', [random, 0.5], 'c is 0.5, and has to be a number from 1'],
  ['byWeight', [2], 'weights is 2, and has to be a list of numbers'],
  ['evenly', [[1, '2']], "weights[1] is '2', and has to be a number"],
  ['drawBound', ['0.5', 2, 100], "share is '0.5', and has to be a number from 0"],
  ['scheduleBound', [0.5], 'hosts is undefined, and has to be a number from 0'],
  ['followsShares', [random, testing.evenly], 'expectation is a function, and has to be an object with shares, bound'],
  ['takesFewestOfChoices', [random, 0], 'choices is 0, and has to be a whole number from 1'],
  ['weighsRequests', [random, '1'], "bias is '1', and has to be a number"],
  ['hostSet', [{ hosts: 3 }], 'options has no option hosts: there are maxHosts,'],
  ['hosts', [{ maxHosts: -1 }], 'options.maxHosts is -1, and has to be a whole number from 0'],
  ['requests', [{ metadataMatch: {} }], 'options.metadataMatch is {}, and has to be an arbitrary of fast-check'],
  ['story', [{ maxHost: 3 }], 'options has no option maxHost: there are maxHosts,'],
  ['healthHistory', [{}], 'hostCount is {}, and has to be a whole number from 0'],
  ['play', [random, {}, {}], 'story is {}, and has to be a story, {seed, cluster, hosts, steps}'],
  ['storyScenario', [undefined, {}, {}], 'subject is undefined, and has to be {lbPolicy, version, create}'],
  ['dividesFleet', [policies.aperture, { sizes: 2 }], 'promise has no size; promise has no option sizes'],
  ['policyModuleUnderTest', [undefined], 'module is undefined, and has to be an object'],
  ['buildsPureTables', [policies.buildRing], 'subject is a function, and has to be an object with'],
  ['buildsPureTables', [{}], 'subject.policy is undefined, and has to be an object with build, choose'],
  ['dividesItsEntries', [{ policy: table }], 'subject is {policy}, and has to be an object with entriesPerHost'],
  ['dividesItsEntries', [{ policy: table, entriesPerHost: () => [] }, 2], 'bound is 2, and has to be a function'],
  ['fillsItsSlots', [{ policy: table, entries: () => [] }, 1, 2], 'walkOf is 1, and has to be a function; turns is 2'],
  ['keysFollowEntries', [{ policy: table, entriesPerHost: () => [] }], 'has to be one of points, slots'],
  ['ignoresListOrder', [table], 'subject.policy is undefined, and has to be an object with build, choose'],
  ['looksUpItsHosts', [table], 'subject.policy is undefined, and has to be an object with build, choose'],
  ['movesOnlyLostKeys', [{ policy: table, entriesPerHost: () => [] }, {}], 'configFor is {}, and has to be a function'],
  ['placesItsPoints', [{ policy: table }], 'and has to be an object with entriesPerHost, entries'],
  ['reachesEveryEntry', [{ policy: table }], 'and has to be an object with entriesPerHost, entries'],
  ['retriesElsewhere', [undefined], 'subject is undefined'],
  ['walksItsRing', [{ policy: table }], 'and has to be an object with entries'],
];

/** Laws of what builtInPolicy and the like return. */
const BALANCER_LAWS = [
  'agreesAcrossProxies',
  'boundsLoads',
  'decidesAsRecorded',
  'drawsLevelsByLoad',
  'findsEligibleHosts',
  'followsLocalityWeights',
  'forgetsHistory',
  'goesByLoads',
  'growsNewHosts',
  'hearsPriorityLoads',
  'hearsRejections',
  'ignoresHostOrder',
  'loadsSumTo100',
  'obeysZoneSettings',
  'panicsBelowThreshold',
  'picksEligibleHosts',
  'picksFromSubsets',
  'picksPresentHosts',
  'recoveryNeverLowersLoad',
  'repeatsItself',
  'routesZonesWithinCapacity',
  'spreadsLoadByAvailability',
  'spreadsOverflow',
  'startsApart',
  'takesFewestOfChoices',
  'takesTurns',
  'usesItsHashFunction',
  'weighsLocalitiesOfSubsets',
  'weighsRequests',
];

/** They are given nothing. */
const WITHOUT_ARGUMENTS = [
  'cluster',
  'createKeyHasher',
  'listedMetadata',
  'plainCluster',
  'subsetConfig',
  'subsetMetadata',
];

describe('a call of lbsim/policies or lbsim/testing that cannot be meant', () => {
  it.each(BAD_CALLS)('%s: %#', (name, given, says) => {
    expect(() => call[name]?.(...given)).toThrow(says);
    // What has the right type and a wrong value is a RangeError, as in `new Array(-1)`.
    expect(() => call[name]?.(...given)).toThrow(name === 'mergeWindow' ? RangeError : TypeError);
  });

  it.each(BALANCER_LAWS)('%s of what is no balancer under test', (name) => {
    for (const subject of [undefined, 'RANDOM', {}]) {
      expect(() => call[name]?.(subject)).toThrow(TypeError);
      expect(() => call[name]?.(subject)).toThrow('and has to be {lbPolicy, version, create}, as builtInPolicy or');
    }
  });

  it('a host without an address', () => {
    expect(() => Reflect.construct(policies.Host, ['10.0.0.1:80']) as unknown).toThrow('new Host: options has to be');
    expect(() => Reflect.construct(policies.Host, []) as unknown).toThrow('new Host: options has to be');
  });

  it('every function of both is among them', () => {
    const named = new Set([...BAD_CALLS.map(([name]) => name), ...BALANCER_LAWS, ...WITHOUT_ARGUMENTS]);
    const functions = Object.entries({ ...policies, ...testing }).flatMap(([name, value]) =>
      typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
    );
    expect(functions.filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !functions.includes(name))).toEqual([]);
  });
});
