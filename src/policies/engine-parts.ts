/**
 * Parts of the engine as functions of `lbsim/policies`, where callers without types are told what they gave: in the engine some are called
 * for every request. What each does, its shapes and its source stand where it is written.
 */
import {
  type Check,
  checked,
  COUNT,
  FLAG,
  FROM_ZERO,
  INDEX,
  listOf,
  must,
  NUMBER,
  oneOf,
  optional,
  POSITIVE,
  TEXT,
  TEXTS,
  U32,
  U64_HALVES,
  withFunctions,
  withMembers,
  withNumbers,
} from '../core/arguments.js';
import * as u64 from '../core/u64.js';
import * as djb2 from '../hash/djb2.js';
import * as hashes from '../hash/text-hashes.js';
import * as localities from '../hostset/locality-weights.js';
import * as priorities from '../hostset/priority-load.js';
import * as bounded from '../policy/bounded-load.js';
import * as reports from '../policy/client-side-weights.js';
import * as clients from '../policy/client-subsets.js';
import * as aware from '../policy/load-aware-locality.js';
import { IS_LEVEL } from './rules.js';

const BYTES = must('a Uint8Array', (value) => value instanceof Uint8Array);
const BIG = must('a BigInt', (value) => typeof value === 'bigint');
const HOST = must('the index of a host, or -1', (value) => value === -1 || Number.isSafeInteger(value));
/** There may be millions. */
const KEYS = must('a list of texts', (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'));
const LISTED = must(
  'a list of texts',
  (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
);
const LOAD = withMembers('the load of what priorityLoad returns', 'healthy', 'degraded');
const REPORT = withNumbers('cpuUtilization', 'applicationUtilization', 'rps', 'eps');
const SEED = optional(U64_HALVES);
// No literals: one {hi, lo} of functions, and engines would box the numbers of every {hi, lo} that is written alike.
const HALVES = /* @__PURE__ */ Object.fromEntries<Check>([
  ['hi', U32],
  ['lo', U32],
]);
const HALVES_AND_N = /* @__PURE__ */ Object.fromEntries<Check>([
  ['hi', U32],
  ['lo', U32],
  ['n', COUNT],
]);
const HASH_FUNCTION = oneOf(['XX_HASH', 'MURMUR_HASH_2']);
const LOADS = withFunctions('factor');
const SHUFFLE = withFunctions('start', 'next');
const PLACE = withNumbers('client', 'clients');
const PENALTY = withNumbers('errorPenalty');
const SMOOTHING = withNumbers('updateUs', 'smoothingUs');
const LOCALITIES = listOf(withNumbers('hosts', 'utilization'), 'a list of {hosts, utilization, isStale}');
const VARIANCE = withNumbers('varianceThreshold', 'probeFraction');

// --- 64 bits and hashes ------------------------------------------------------------------------------------------------

/** (hi · 2³² + lo) mod n, exactly; n up to 2⁵³. */
export const mod = checked('mod', u64.mod, HALVES_AND_N);
/** As an unsigned integer: a value beyond 64 bits loses its upper ones. */
export const fromBigInt = checked('fromBigInt', u64.fromBigInt, { value: BIG });
export const toBigInt = checked('toBigInt', u64.toBigInt, { value: U64_HALVES });
export const toDecimal = checked('toDecimal', u64.toDecimal, HALVES);
/** undefined unless the text is a decimal or 0x integer of 0 … 2⁶⁴ − 1. */
export const parseU64 = checked('parseU64', u64.parse, { text: TEXT });
/** xxHash64 with any seed, 0 by default: the proxy's `XX_HASH`. Source: Collet, specification 0.1.1, XXH64. */
export const xxhash64 = checked('xxhash64', hashes.xxhash64, { bytes: BYTES, seed: SEED });
/** {@link xxhash64} of the text's UTF-8 bytes. */
export const xxhash64String = checked('xxhash64String', hashes.xxhash64String, { text: TEXT, seed: SEED });
/** xxHash64 of several strings, as the proxy hashes a list: each result is the seed of the next, from 0. */
export const xxhash64Chain = checked('xxhash64Chain', hashes.xxhash64Chain, { texts: LISTED });
/** 64-bit MurmurHash2 as `std::hash` of libstdc++: the proxy's `MURMUR_HASH_2`. Source: Appleby, MurmurHash64A. */
export const murmur2 = checked('murmur2', hashes.murmur2, { bytes: BYTES });
/** {@link murmur2} of the text's UTF-8 bytes. */
export const murmur2String = checked('murmur2String', hashes.murmur2String, { text: TEXT });
/** The proxy's case-insensitive djb2: h = 34 · h + c from 5381, c being the byte with A–Z in lower case. */
export const djb2CaseInsensitive = checked('djb2CaseInsensitive', djb2.djb2CaseInsensitive, { text: TEXT });
/** The hash of a text by the function of a ring. */
export const hashString = checked('hashString', hashes.hashString, { text: TEXT, hashFunction: HASH_FUNCTION });
/** The hash of each key as requests carry it: xxHash64, seed 0. Shape [n, 2]: low half, high half. O(n) for n characters. */
export const hashKeys = checked('hashKeys', hashes.hashKeys, { keys: KEYS });

// --- Bounded loads -----------------------------------------------------------------------------------------------------

/** Active requests of a host divided by its slots: above 1 it is overloaded. The balance factor is in percent. */
export const overloadFactor = checked('overloadFactor', bounded.overloadFactor, {
  active: FROM_ZERO,
  clusterActive: FROM_ZERO,
  weight: FROM_ZERO,
  hashBalanceFactor: POSITIVE,
});
/**
 * Consistent hashing with bounded loads: the hashed host; or else the first in a random order that is not overloaded; or else the
 * least overloaded. Source: Mirrokni, Thorup and Zadimoghaddam, SODA 2018; the random order is the proxy's.
 */
export const chooseBounded = checked('chooseBounded', bounded.chooseBounded, {
  hashed: HOST,
  hashLo: U32,
  loads: LOADS,
  shuffle: SHUFFLE,
});

// --- Clients, levels and localities ----------------------------------------------------------------------------------------

/** The hosts of one client, ascending. Source: Beyer et al., "Site Reliability Engineering", 2016, chapter 20. */
export const deterministicSubset = checked('deterministicSubset', clients.deterministicSubset, {
  keys: TEXTS,
  client: INDEX,
  size: COUNT,
});
/** The hosts of one client and the part of each, ascending. Source: Finagle, `DeterministicAperture`. */
export const aperture = checked('aperture', clients.aperture, { keys: TEXTS, place: PLACE, size: COUNT });
/** Percent of the hosts, excluded ones not counted, that are healthy or degraded; 0 where no host is counted. */
export const availablePercent = checked('availablePercent', priorities.availablePercent, { hostSet: IS_LEVEL });
/** Whether so few hosts of the level are available that the proxy stops trusting their health. Strict: 50 % is not below 50. */
export const isBelowPanicThreshold = checked('isBelowPanicThreshold', priorities.isBelowPanicThreshold, {
  hostSet: IS_LEVEL,
  threshold: NUMBER,
});
/** Chooses a level by a random value or a hash, mod 100. Gives p for the healthy hosts of priority p, ~p for its degraded ones. */
export const choosePriority = checked('choosePriority', priorities.choosePriority, { load: LOAD, hi: U32, lo: U32 });
/** The weight of a locality: 1 · min(1, 1.4 · 0.2) = 0.28 for weight 1, 1 of 5 hosts eligible, overprovisioning 140 percent. */
export const effectiveLocalityWeight = checked('effectiveLocalityWeight', localities.effectiveLocalityWeight, {
  weight: FROM_ZERO,
  eligible: FROM_ZERO,
  counted: FROM_ZERO,
  overprovisioningFactor: FROM_ZERO,
});

// --- Load reports -------------------------------------------------------------------------------------------------------------

/** What counts as utilisation: the largest of the named metrics, else the application's own, else the CPU's. */
export const utilizationOf = checked('utilizationOf', reports.utilizationOf, {
  report: REPORT,
  metricNames: TEXTS,
  namedFirst: FLAG,
});
/** undefined: no weight follows, since no request was served or there was no load. */
export const reportedWeight = checked('reportedWeight', reports.reportedWeight, { report: REPORT, config: PENALTY });
/** The part of a new mean in the smoothed value at each update. */
export const smoothingFactor = checked('smoothingFactor', aware.smoothingFactor, { config: SMOOTHING });
/** Weights, parallel to the localities, the first of which may be the proxy's own; all 0 where none has hosts. */
export const loadAwareWeights = checked('loadAwareWeights', aware.loadAwareWeights, {
  loads: LOCALITIES,
  hasLocal: FLAG,
  config: VARIANCE,
});
