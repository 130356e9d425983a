import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue, Struct } from '../../src/core/values.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { HealthFlag, Host } from '../../src/host/host.js';
import type { SelectorFallbackPolicy, SubsetFallbackPolicy } from '../../src/hostset/lb-config.js';
import { canonicalValue } from '../../src/hostset/subset/subset-values.js';
import type { ClusterOptions } from './subset-cluster.js';
import { SubsetCluster } from './subset-cluster.js';
import type { FallbackStep } from '../../src/hostset/subset/subset-plan.js';

/** Who answers after a fallback. */
function answerOf(step: FallbackStep | undefined): string | undefined {
  if (step?.kind === 'keys_subset') return step.subset;
  if (step?.kind === 'panic_mode_any') return 'any';
  if (step?.kind !== 'cluster' && step?.kind !== 'selector') return undefined;
  return { ANY_ENDPOINT: 'any', DEFAULT_SUBSET: 'default', NO_FALLBACK: undefined }[step.policy];
}

const KEYS = ['a', 'b', 'c'];
const anyValue: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>('x', 'y', 1, true, null, ['x', 'y']);
const anyMetadata: fc.Arbitrary<Struct> = fc.dictionary(fc.constantFrom(...KEYS), anyValue, { maxKeys: 3 });
const anyKeys = fc.subarray(KEYS, { minLength: 1 });
const anySelector = fc
  .record({
    keys: anyKeys,
    policy: fc.constantFrom<SelectorFallbackPolicy>(
      'NOT_DEFINED',
      'NO_FALLBACK',
      'ANY_ENDPOINT',
      'DEFAULT_SUBSET',
      'KEYS_SUBSET',
    ),
  })
  .map(({ keys, policy }) => ({
    keys,
    // KEYS_SUBSET needs a proper, non-empty part of the keys.
    fallbackPolicy: policy === 'KEYS_SUBSET' && keys.length === 1 ? 'NOT_DEFINED' : policy,
    fallbackKeysSubset: policy === 'KEYS_SUBSET' ? keys.slice(1) : [],
  }));
const anyOptions: fc.Arbitrary<ClusterOptions> = fc.record({
  version: fc.constantFrom(...PROXY_VERSIONS),
  lbPolicy: fc.constantFrom('ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'MAGLEV'),
  selectors: fc.array(anySelector, { minLength: 1, maxLength: 4 }),
  subset: fc.record({
    fallbackPolicy: fc.constantFrom<SubsetFallbackPolicy>('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'),
    defaultSubset: anyMetadata,
    listAsAny: fc.boolean(),
    panicModeAny: fc.boolean(),
  }),
});
/** What happens to the hosts between two updates: each entry is (host, what). */
const anyChange = fc.record({
  host: fc.nat(7),
  what: fc.constantFrom('health', 'weight', 'metadata', 'leave', 'join', 'move'),
  metadata: anyMetadata,
});

function hasEntry(host: Host, key: string, value: JsonValue, listAsAny: boolean): boolean {
  if (!Object.hasOwn(host.metadata, key)) return false;
  const found = host.metadata[key] ?? null;
  if (listAsAny && Array.isArray(found)) {
    const list: readonly JsonValue[] = found;
    return list.some((element) => canonicalValue(element) === canonicalValue(value));
  }
  return canonicalValue(found) === canonicalValue(value);
}

class Hosts {
  private readonly pool = Array.from({ length: 8 }, (_, i) => new Host({ address: `10.0.0.${i.toString()}:80` }));
  present: Host[] = [];

  change(change: { readonly host: number; readonly what: string; readonly metadata: Struct }): void {
    const host = this.pool[change.host] as Host;
    const others = this.present.filter((one) => one !== host);
    if (change.what === 'health') host.flags ^= HealthFlag.FAILED_EDS_HEALTH;
    else if (change.what === 'weight') host.weight = (host.weight % 3) + 1;
    else if (change.what === 'metadata') host.metadata = change.metadata;
    else if (change.what === 'leave') this.present = others;
    else if (change.what === 'move') this.present = this.present.includes(host) ? [host, ...others] : others;
    else if (!this.present.includes(host)) this.present = [...this.present, host];
  }
}

describe('subset load balancing', () => {
  it('after any updates holds the subsets that a balancer built from the last hosts alone would hold', () => {
    fc.assert(
      fc.property(
        anyOptions,
        fc.array(fc.array(anyChange, { maxLength: 6 }), { minLength: 1, maxLength: 8 }),
        (options, rounds) => {
          const hosts = new Hosts();
          const cluster = new SubsetCluster(options);
          for (const changes of rounds) {
            for (const change of changes) hosts.change(change);
            cluster.set(hosts.present);
            // Up to 1.22 the next update in which nobody comes or goes makes the subsets that this one may have left out.
            if (options.version !== '1.40') cluster.set(hosts.present);
            const fresh = new SubsetCluster(options).set(hosts.present);
            expect(described(cluster)).toEqual(described(fresh));
            expect(cluster.stats.lbSubsetsActive).toBe(fresh.stats.lbSubsetsActive);
            const { lbSubsetsCreated, lbSubsetsRemoved, lbSubsetsActive } = cluster.stats;
            expect(lbSubsetsCreated - lbSubsetsRemoved).toBe(lbSubsetsActive);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('a pick matches what was asked for, or says which fallback it took', () => {
    const anyCase = fc.record({
      options: anyOptions,
      hosts: fc.array(anyMetadata, { maxLength: 8 }),
      asked: fc.option(anyMetadata, { nil: undefined }),
    });
    fc.assert(
      fc.property(anyCase, ({ options, hosts, asked }) => {
        const cluster = new SubsetCluster(options);
        cluster.set(hosts.map((metadata, i) => new Host({ address: `10.0.0.${i.toString()}:80`, metadata })));
        const listAsAny = options.subset?.listAsAny === true;
        for (let i = 0; i < 3; i++) {
          const { host, subset, subsetFallback } = cluster.pick(asked);
          if (subsetFallback === undefined) {
            expect(asked).toBeDefined();
            for (const [key, value] of Object.entries(asked ?? {})) {
              expect(host && hasEntry(host, key, value, listAsAny)).toBe(true);
            }
          } else {
            expect(subset).toBe(answerOf(subsetFallback.at(-1)));
          }
          if (host !== undefined && subset === 'default') {
            for (const [key, value] of Object.entries(options.subset?.defaultSubset ?? {})) {
              expect(hasEntry(host, key, value, listAsAny)).toBe(true);
            }
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** Everything that a report shows of the subsets, save for hosts' identities. */
function described(cluster: SubsetCluster): unknown {
  const subsets = cluster.balancer.describe().subsets ?? [];
  const plain = subsets.map(({ subset, hosts, healthy, balancer }) => {
    return {
      subset,
      hosts,
      healthy,
      panic: balancer?.priorities.map((level) => level.panic),
      loads: balancer?.priorities.map((level) => level.healthyLoad),
    };
  });
  return plain.sort((a, b) => (a.subset < b.subset ? -1 : 1));
}
