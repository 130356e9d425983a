/** A mutation that changes no decision, with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, so that the list does not depend on numbers. */
  readonly text: string;
  /** As the run names it; absent: all of the line. */
  readonly change?: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/hostset/host-set.ts',
    text: 'weightedPriorityHealth: false,',
    change: 'false → true',
    why: 'a level without hosts',
  },
  {
    file: 'src/hostset/list-balancer.ts',
    text: 'const NO_HOST = -2;',
    change: '2 → 3',
    why: 'a number that stands for no host, unlike all others before and after',
  },
  {
    file: 'src/hostset/list-balancer.ts',
    text: 'this.refresh(this.levels.hostSets[priority] as HostSet);',
    why: 'a level that is skipped has no hosts',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'degraded: false,',
    change: 'false → true',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'hashLo: 0,',
    why: 'the value of a request without a hash is not read',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'named: false,',
    change: 'false → true',
    why: 'every pick resets it first',
  },
  {
    file: 'src/hostset/locality-weights.ts',
    text: 'if (counted === 0) return 0;',
    change: 'without return 0;',
    why: 'NaN, which is not above 0 either',
  },
  {
    file: 'src/hostset/table-balancer.ts',
    text: 'return this.config.localityWeighted && localities.length > 1 ? localityWeights : undefined;',
    why: 'what reports show of weighted localities',
  },
  {
    file: 'src/policy/bounded-load.ts',
    text: 'if (factor < lowest) {',
    change: '< → <= in factor < lowest',
    why: 'some host has room as long as the requests of the cluster are those of its hosts',
  },
  {
    file: 'src/policy/extensions/power-of-d.ts',
    text: 'let best = -1;',
    change: '1 → 0',
    why: 'any index before the first comparison, which every host wins',
  },
  {
    file: 'src/policy/host-shuffle.ts',
    text: 'if (this.order.length < hostCount) this.order = new Uint32Array(hostCount);',
    change: '< → <= in this.order.length < hostCount',
    why: 'working memory is made anew, with the same content',
  },
  {
    file: 'src/policy/least-request.ts',
    text: 'let best = -1;',
    change: '1 → 0',
    why: 'any index before the first comparison, which every host wins',
  },
  {
    file: 'src/policy/ring-hash.ts',
    text: 'while (high - low > 4) {',
    change: '> → >= in high - low > 4',
    why: 'a binary search or a linear one over the last entries',
  },
  {
    file: 'src/policy/weighted-lists.ts',
    text: 'if (hosts.length <= 1 || (settled && sameWeights(hosts))) {',
    change: '1 → 0',
    why: 'a schedule of one host, which picks it as well',
  },
];
