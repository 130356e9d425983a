import type { Traffic } from '../../../src/analysis/verify/situations.js';
import { PLAIN_REQUEST } from '../../../src/scenario/fields/retry-policy.js';

/** Requests of one workload to the cluster `web`, without keys. */
export const PLAIN_TRAFFIC: Traffic = {
  workload: 'users',
  cluster: 'web',
  spec: PLAIN_REQUEST,
  route: [{ cluster: 'web', weight: 1 }],
  headers: {},
  keys: [],
  routeHash: false,
  clients: 1,
  members: [],
  hasSubsets: false,
  looksUpKeys: false,
  takesTurns: false,
};
