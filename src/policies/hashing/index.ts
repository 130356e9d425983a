/** Published algorithms of consistent hashing, each as a policy of tables: docs/consistent-hashing.md compares them. */
export { binomial, flip, jump, jumpBack, power } from './numbered.js';
export { anchor, dx, memento } from './leaving.js';
export { maglev, multiProbe, rendezvous, ring } from './keyed.js';
export type { LeavingHashing, PublishedHashing } from './published.js';
export type { HostIndex, WeightedHosts } from '../../policy/policy-kinds.js';
