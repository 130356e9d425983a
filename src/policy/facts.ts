import type { PolicyEvent } from './answers.js';

/** What the rest of the engine needs to know of a policy, so that it need not know which one it is. */
export interface PolicyFacts {
  /** `list`: picks inside one list of hosts. `table`: looks the hash of a request up in a table of hosts. */
  readonly kind: 'list' | 'table';
  /** Host weights matter. */
  readonly usesWeights: boolean;
  /** The active requests of each host matter. */
  readonly looksAtLoad: boolean;
  /** Each pick draws its host, instead of taking turns or looking it up. */
  readonly drawsHosts: boolean;
  /** It looks at requests: their keys are kept, which nobody else needs. Default: it gets no more than their hashes. */
  readonly readsRequests?: boolean | undefined;
  /** What it is told of besides its hosts; it is called for nothing else. */
  readonly hears: readonly PolicyEvent[];
}
