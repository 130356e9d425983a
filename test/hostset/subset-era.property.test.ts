import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue, Struct } from '../../src/core/values.js';
import type { ProxyVersion } from '../../src/core/version.js';
import { Host } from '../../src/host/host.js';
import { canonicalValue } from '../../src/hostset/subset/subset-values.js';
import { SubsetCluster } from './subset-cluster.js';

const KEYS = ['a', 'b', 'c'];
const anyValue: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>('x', 'y', [], ['x'], ['x', 'y']);
const anyMetadata: fc.Arbitrary<Struct> = fc.dictionary(fc.constantFrom(...KEYS), anyValue, { maxKeys: 3 });
const anySelectors = fc.array(fc.subarray(KEYS, { minLength: 1 }), { minLength: 1, maxLength: 3 });
const anyChange = fc.record({
  host: fc.nat(5),
  what: fc.constantFrom('metadata', 'metadata', 'leave', 'join'),
  metadata: anyMetadata,
});
const anyUpdate = fc.record({ priority: fc.nat(1), changes: fc.array(anyChange, { maxLength: 4 }) });

type Entries = readonly (readonly [key: string, value: JsonValue])[];

interface Subset {
  readonly entries: Entries;
  readonly levels: (readonly Host[])[];
}

/**
 * How proxies up to 1.22 keep their subsets, in the plainest words: each subset is a filter over all hosts, and each update
 * applies those that have hosts, or that one of the added or removed hosts leads to.
 */
class OldSubsets {
  readonly subsets = new Map<string, Subset>();
  created = 0;
  removed = 0;
  private readonly levels: (readonly Host[])[] = [];

  constructor(
    private readonly selectors: readonly (readonly string[])[],
    private readonly listAsAny: boolean,
    private readonly erases: boolean,
  ) {}

  update(priority: number, hosts: readonly Host[]): void {
    const before = this.levels[priority] ?? [];
    this.levels[priority] = hosts;
    const added = hosts.filter((host) => !before.includes(host));
    const removed = before.filter((host) => !hosts.includes(host));
    const announced = added.length + removed.length === 0 ? hosts : added;
    const alive = this.active;
    const due = new Set(alive);
    const made = new Set<Subset>();
    for (const tuple of announced.flatMap((host) => this.tuplesOf(host))) {
      const key = keyOf(tuple);
      const known = this.subsets.get(key);
      if (known !== undefined) due.add(known);
      else {
        const levels = this.levels.map((level) => level.filter((host) => this.matches(host, tuple)));
        const subset = { entries: tuple, levels };
        this.subsets.set(key, subset);
        made.add(subset);
        this.created++;
      }
    }
    for (const tuple of removed.flatMap((host) => this.tuplesOf(host))) {
      const known = this.subsets.get(keyOf(tuple));
      if (known !== undefined) due.add(known);
    }
    for (const subset of due) {
      subset.levels[priority] = hosts.filter((host) => this.matches(host, subset.entries));
      if (!alive.has(subset) && !made.has(subset) && sizeOf(subset) > 0) this.created++;
    }
    for (const [key, subset] of this.subsets) {
      if (sizeOf(subset) > 0) continue;
      if (alive.has(subset)) this.removed++;
      if (this.erases) this.subsets.delete(key);
    }
  }

  get active(): ReadonlySet<Subset> {
    return new Set([...this.subsets.values()].filter((subset) => sizeOf(subset) > 0));
  }

  private tuplesOf(host: Host): Entries[] {
    return this.selectors.flatMap((selector) => {
      const keys = [...selector].sort();
      if (!keys.every((key) => Object.hasOwn(host.metadata, key))) return [];
      let tuples: Entries[] = [];
      for (const key of keys) {
        const value = host.metadata[key] ?? null;
        const elements: readonly JsonValue[] = this.listAsAny && Array.isArray(value) ? value : [value];
        const grown: readonly Entries[] = tuples.length === 0 ? [[]] : tuples;
        tuples = grown.flatMap((tuple) => elements.map((element): Entries => [...tuple, [key, element]]));
      }
      return tuples;
    });
  }

  private matches({ metadata }: Host, entries: Entries): boolean {
    return entries.every(([key, wanted]) => {
      if (!Object.hasOwn(metadata, key)) return false;
      const value = metadata[key] ?? null;
      const elements: readonly JsonValue[] = this.listAsAny && Array.isArray(value) ? value : [value];
      return elements.some((element) => canonicalValue(element) === canonicalValue(wanted));
    });
  }
}

function keyOf(entries: Entries): string {
  return `{${entries.map(([key, value]) => `${key}: ${canonicalValue(value)}`).join(', ')}}`;
}

function sizeOf({ levels }: Subset): number {
  return levels.reduce((sum, level) => sum + level.length, 0);
}

it('up to 1.22 subsets are what filters over all hosts make of every update', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<ProxyVersion>('1.12', '1.14', '1.17'),
      anySelectors,
      fc.boolean(),
      fc.array(anyUpdate, { minLength: 1, maxLength: 10 }),
      (version, selectors, listAsAny, updates) => {
        const old = new OldSubsets(selectors, listAsAny, version === '1.17');
        const cluster = new SubsetCluster({
          version,
          selectors: selectors.map((keys) => ({ keys })),
          subset: { listAsAny },
        });
        const pools = [0, 1].map((level) =>
          Array.from({ length: 6 }, (_, i) => new Host({ address: `10.${level}.0.${i}:80` })),
        );
        const present: Host[][] = [[], []];
        for (const { priority, changes } of updates) {
          for (const { host: index, what, metadata } of changes) {
            const host = pools[priority]?.[index] as Host;
            const others = (present[priority] as Host[]).filter((one) => one !== host);
            if (what === 'leave') present[priority] = others;
            else if (what === 'join') present[priority] = [...others, host];
            // Who has left has the metadata that it left with.
            else if (present[priority]?.includes(host) === true) host.metadata = metadata;
          }
          const hosts = present[priority] as Host[];
          cluster.set(hosts, priority);
          old.update(priority, hosts);
          const expected = [...old.active].map((subset) => [keyOf(subset.entries), sizeOf(subset)] as const);
          expect(cluster.subsets()).toEqual(Object.fromEntries(expected));
          const { lbSubsetsCreated, lbSubsetsRemoved, lbSubsetsActive } = cluster.stats;
          expect([lbSubsetsCreated, lbSubsetsRemoved]).toEqual([old.created, old.removed]);
          expect(lbSubsetsActive).toBe(expected.length);
        }
      },
    ),
    { numRuns: 400 },
  );
});
