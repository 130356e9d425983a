import type { Quirk } from '../core/quirk.js';

/** The old balancers, run with scripted draws: each decision and each counter compared. */
const RECORDED = 'balancers of 1.12.0, 1.14.0 and 1.17.4, draw by draw';

/** A selector without a fallback policy of its own makes no node in the tree of selectors, so it takes no other's away. */
export const POLICIES_ALONE_GROW_TREE: Quirk = { last: '1.22', evidence: RECORDED };

/** A request whose keys are only the first of a selector with a policy gets nobody: that node's policy is read as none. */
export const UNFINISHED_SELECTOR_FAILS: Quirk = { last: '1.12', evidence: RECORDED };

/**
 * An update that adds or removes hosts makes new subsets of the hosts that it adds only. One that stays and has new
 * metadata leaves its subsets and joins others that are there; what is not there comes with the next update in which
 * nobody comes or goes.
 */
export const ONLY_ADDED_HOSTS_MAKE_SUBSETS: Quirk = { last: '1.22', evidence: `${RECORDED}; gone in 1.24` };

/**
 * A subset is whoever matches its keys and values, and it is filled from all priorities when it is made. Later, it is the
 * hosts whose own metadata led to it: under `list_as_any` that is not always the same.
 */
export const SUBSETS_MATCH_HOSTS: Quirk = { last: '1.22', evidence: RECORDED };

/** The default subset of the cluster's fallback is not that of the selectors': each has a rotation of its own. */
export const DEFAULT_SUBSET_PER_USE: Quirk = { last: '1.22', evidence: RECORDED };

/** The same of the any-endpoint subset: one of the cluster, one of the selectors, one of `panic_mode_any`. */
export const ANY_ENDPOINT_PER_USE: Quirk = { last: '1.12', evidence: RECORDED };

/** A subset keeps the overprovisioning factors that it was made with. */
export const FACTOR_STAYS: Quirk = { last: '1.26', evidence: `${RECORDED}; sources of 1.26` };

/** A subset that lost its hosts is erased, and starts anew when they return; before, it is kept as it is. */
export const EMPTY_SUBSETS_ARE_ERASED: Quirk = { first: '1.15.0', evidence: RECORDED };

/**
 * `single_host_per_subset` is a map from the value of its one key to the first host that has it, in order of priority:
 * further keys of a request do not matter, an unhealthy host sends the request to the cluster's fallback, no subset is
 * counted, and the gauge of duplicates counts those of all priorities. Lists are values like any other.
 */
export const SINGLE_HOST_BY_VALUE: Quirk = { last: '1.22', evidence: `${RECORDED}; the field came with 1.16.0` };
