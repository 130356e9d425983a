/** A mutation that changes no decision, with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, so that the list does not depend on numbers. */
  readonly text: string;
  /** As the run names it; absent: all of the line. */
  readonly change?: string;
  /** Where a line has several that say the same: which, from 1. */
  readonly nth?: number;
  /** The line before, where the line itself says too little. */
  readonly before?: string;
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
  {
    file: 'src/hostset/aggregate.ts',
    text: 'const none = new Array<number>(priority + 1).fill(0);',
    change: '1 → 0',
    why: 'a level that no load names gets none',
  },
  {
    file: 'src/hostset/build-host-set.ts',
    text: 'const hostChanges = known ?? (options.recordsChanges === false ? undefined : new HostChanges(options.hosts));',
    why: 'without recorded changes hosts are compared one by one',
  },
  {
    file: 'src/hostset/client-subset.ts',
    text: 'if (!(main instanceof ClientSubsetBalancer)) return;',
    change: 'without return;',
    why: 'balancers of all threads are of one class',
  },
  {
    file: 'src/hostset/list-balancer.ts',
    text: 'if (asked.length > 0) decision.probes = [...decision.probes, ...asked];',
    change: '> → >= in asked.length > 0',
    why: 'nothing is added',
  },
  {
    file: 'src/hostset/load-aware-localities.ts',
    text: 'return total > 0 ? weights.length - 1 : 0;',
    why: 'a draw lies below the sum of all weights; without any weight none is above it',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'panic: false,',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'priority: -1,',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'member: -1,',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'level: -1,',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/priority-load.ts',
    text: 'if (left === 0) return;',
    change: 'without return;',
    why: '0 is added',
  },
  {
    file: 'src/hostset/priority-load.ts',
    text: 'state.load.healthy[0] = 100;',
    change: '100 → 101',
    why: 'more than all is all',
  },
  {
    file: 'src/hostset/priority-load.ts',
    text: 'values[index] = (values[index] ?? 0) + amount;',
    change: '0 → 1',
    why: 'the index is that of a level',
  },
  {
    file: 'src/hostset/table-balancer.ts',
    text: 'hostCount = 0;',
    why: 'every pick sets it first',
  },
  {
    file: 'src/hostset/table-cache.ts',
    text: 'if (known !== undefined) return known as Table;',
    change: 'without return known as Table;',
    why: 'an equal table is built',
  },
  {
    file: 'src/hostset/table-cache.ts',
    text: 'this.sweepAt = 2 * this.tables.size + 64;',
    why: 'how long unused tables are remembered',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'return mod(random.hi, random.lo, residualCapacity.length);',
    why: 'no hosts and callers are known for which rounding leads there',
  },
  {
    file: 'src/policy/bounded-load.ts',
    text: 'if (candidate === hashed) continue;',
    change: 'without continue;',
    why: 'the hashed host is full, and no emptier than itself',
  },
  {
    file: 'src/policy/extensions/smooth-weighted-round-robin.ts',
    text: 'if (turn.effective < weight) turn.effective = Math.min(weight, turn.effective + 1);',
    change: '< → <= in turn.effective < weight',
    why: 'at its weight it stays',
  },
  {
    file: 'src/policy/maglev.ts',
    text: 'const SLOT_BYTES = 4;',
    why: 'what estimates of memory say',
  },
  {
    file: 'src/policy/random.ts',
    text: 'if (hosts.length === 0) return -1;',
    change: '1 → 0',
    why: 'an empty list has no first host either',
  },
  {
    file: 'src/policy/random.ts',
    text: 'if (hosts.length === 0) return -1;',
    change: '1 → 2',
    why: 'an empty list has no host before it either',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'for (let at = (size >> 1) - 1; at >= 0; at--) siftDown(schedule, at);',
    change: '- → + in (size >> 1) - 1',
    why: 'entries without children sink nowhere',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'for (let at = (size >> 1) - 1; at >= 0; at--) siftDown(schedule, at);',
    change: '1 → 0',
    why: 'entries without children sink nowhere',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'if (entry >= 0) schedule.peeked.push(entry);',
    why: 'no balancer looks ahead',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'let now = 0;',
    why: 'what inspection shows before the first pick',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'if (right < size) {',
    change: '< → <= in right < size',
    why: 'what lies past the end is NaN, and less than nothing',
  },
  {
    file: 'src/hostset/priority-load.ts',
    text: 'return;',
    before: 'healthy[0] = 100;',
    change: 'without return;',
    why: 'there is no host to choose',
  },
  {
    file: 'src/hostset/subset-balanced.ts',
    text: 'hostCount = 0;',
    why: 'what explanations and reports show',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'if (!(index === 0 && hasLocal)) spare += Math.max(0, share - (shares.local[index] ?? 0));',
    change: '0 → 1',
    nth: 3,
    why: 'shares of both clusters are parallel',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'if (local?.hasLocalLocality !== true || (local.localities[0]?.hosts.length ?? 0) === 0) {',
    change: '0 → 1',
    nth: 2,
    why: 'there are two localities at least',
  },
  {
    file: 'src/policy/slow-start.ts',
    text: 'return exponent === 1.0 || passed === 1.0 ? passed : Math.pow(passed, 1.0 / exponent);',
    change: '1 → 0',
    nth: 1,
    why: 'the first power of a number is the number',
  },
  {
    file: 'src/policy/slow-start.ts',
    text: 'return exponent === 1.0 || passed === 1.0 ? passed : Math.pow(passed, 1.0 / exponent);',
    change: '1 → 0',
    nth: 2,
    why: 'any power of 1 is 1',
  },
  {
    file: 'src/policy/extensions/prequal.ts',
    text: 'const kept = (1 - poolSize / Math.max(1, state.hosts)) * probeRate - removeRate;',
    change: '1 → 0',
    nth: 2,
    why: 'without hosts nothing is kept either way',
  },
  {
    file: 'src/hostset/load-balancer.ts',
    text: 'decision.level = -1;',
    why: 'it is read only of an aggregate, which sets it',
  },
  {
    file: 'src/hostset/subset-membership.ts',
    text: 'this.idle.delete(entry);',
    before: 'private forget(entry: Entry): void {',
    why: 'a forgotten subset has no hosts that could wake it',
  },
  {
    file: 'src/policy/extensions/prequal.ts',
    text: 'return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? 0;',
    change: '0 → 1',
    nth: 2,
    why: 'who asks has heard of a host',
  },
  {
    file: 'src/policy/extensions/prequal.ts',
    text: 'owed: { probes: 0, removals: 0, uses: 0 },',
    change: '0 → 1',
    nth: 2,
    why: 'the first removal finds nothing to remove',
  },
  {
    file: 'src/hostset/priority-load.ts',
    text: 'spread(state, levels, threshold, version);',
    before: 'for (const level of levels) countHealth(state, level);',
    why: 'predictions compute it, balancers do not',
  },
  {
    file: 'src/hostset/subset-membership.ts',
    text: 'return (entry.rows[priority]?.length ?? 0) > 0;',
    change: '0 → 1',
    why: 'the rows of a level are set before',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'const localHere = shares.local[0] ?? 0;',
    change: '0 → 1',
    nth: 2,
    why: 'shares of both clusters are parallel',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'return entry;',
    before: 'if (entry >= 0) schedule.peeked.push(entry);',
    why: 'no balancer looks ahead',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'schedule.now = now;',
    why: 'what inspection shows',
  },
  {
    file: 'src/schedule/edf.ts',
    text: 'for (let entry = 0; entry < size; entry++) orders[entry] = entries[entry] = entry;',
    change: '0 → 1',
    why: 'new arrays hold 0',
  },
  {
    file: 'src/policy/maglev-walks.ts',
    text: 'const SEED_1 = { hi: 0, lo: 1 };',
    change: '0 → 1',
    why: 'the kernel walks; analyses compute it here',
  },
  {
    file: 'src/policy/extensions/rendezvous.ts',
    text: 'const mixed = word64(0, 0);',
    why: 'working memory',
  },
  {
    file: 'src/policy/client-subsets.ts',
    text: 'if (hosts === 0) return [];',
    change: 'without return [];',
    why: 'of no hosts nothing is cut out',
  },
  {
    file: 'src/policy/ring-hash.ts',
    text: 'if (hostCount === 0) return { entriesPerHost, gauges: undefined };',
    change: 'without return { entriesPerHost, gauges: undefined };',
    why: 'without hosts there are no entries either way',
  },
  {
    file: 'src/policy/slow-start.ts',
    text: 'return exponent === 1.0 || passed === 1.0 ? passed : Math.pow(passed, 1.0 / exponent);',
    change: '1 → 2',
    nth: 2,
    why: 'any power of 1 is 1',
  },
  {
    file: 'src/policy/extensions/contrib-peak-ewma.ts',
    text: 'const takesFirst = firstCost === secondCost ? (lo & 1) === 1 : firstCost < secondCost;',
    change: '< → <= in firstCost < secondCost',
    why: 'equal costs are decided before',
  },
  {
    file: 'src/hostset/build-host-set.ts',
    text: 'const known = stays && before.hostChanges?.isTooLong === false ? before.hostChanges : undefined;',
    change: '=== → !== in before.hostChanges?.isTooLong === false',
    why: 'without recorded changes hosts are compared one by one',
  },
  {
    file: 'src/hostset/client-subset.ts',
    text: 'return (random.hi + random.lo / TWO_32) / TWO_32 < part / level.largest;',
    change: '< → <= in (random.hi + random.lo / TWO_32) / TWO_32 < part / level.lar',
    why: 'one draw of 2⁶⁴',
  },
  {
    file: 'src/hostset/subset-delivery.ts',
    text: 'this.notify(subset, priority === 0, (inner) => {',
    before: 'if (hostSet === undefined) return;',
    change: '0 → 1',
    why: 'counts of zones',
  },
  {
    file: 'src/hostset/subset-delivery.ts',
    text: 'isNew &&',
    change: '&& → || in isNew && priority === 0',
    why: 'a subset hears twice of the same callers',
  },
  {
    file: 'src/hostset/subset-level.ts',
    text: 'if (single && rows.length > 0) parts[0] = level;',
    change: '> → >= in rows.length > 0',
    why: 'a locality without hosts either way',
  },
  {
    file: 'src/hostset/subset-membership.ts',
    text: 'if (beforeRow < last || !hosts.sameRow(row, before.hosts, beforeRow)) addAll(touched, known);',
    change: '< → <= in beforeRow < last',
    why: 'no two hosts were in one row',
  },
  {
    file: 'src/hostset/subset-plan.ts',
    text: 'if (known !== undefined) return known;',
    change: 'without return known;',
    why: 'an equal plan is made',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: "if (hasLocal && forcesLocalZone(input)) return { state: 'direct', forced: true, ...shares };",
    change: 'true → false',
    why: 'what inspection shows',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'if (group.healthy.length > 0 && !localCounts.has(key)) localCounts.set(key, count);',
    change: '&& → || in group.healthy.length > 0 && !localCounts.has(key)',
    why: 'a locality is in one group, and none without healthy hosts counts',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'const upstreamHere = shares.upstream[0] ?? 0;',
    change: '0 → 1',
    nth: 2,
    why: 'there are two localities at least',
  },
  {
    file: 'src/hostset/zone-aware.ts',
    text: 'return needed !== undefined && (input.upstream.localities[0]?.healthy.length ?? 0) >= needed;',
    change: '0 → 1',
    nth: 2,
    why: 'there are two localities at least',
  },
  {
    file: 'src/hostset/subset-membership.ts',
    text: 'else if (this.entries.get(key)?.singleHost === true) taken.add(key);',
    why: 'counts of statistics',
  },
];
