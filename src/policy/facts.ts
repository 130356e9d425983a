/** What the rest of the engine asks of a policy, so that it need not know which one it is. */
export interface PolicyFacts {
  /** `list`: picks inside one list of hosts. `table`: looks the hash of a request up in a table of hosts. */
  readonly kind: 'list' | 'table';
  /** The weights of hosts count. */
  readonly usesWeights: boolean;
  /** How many requests each host has open counts. */
  readonly looksAtLoad: boolean;
  /** Each pick draws its host anew, instead of taking turns or looking it up. */
  readonly drawsHosts: boolean;
  /** What hosts report of their load becomes their weight. */
  readonly hearsLoadReports: boolean;
}
