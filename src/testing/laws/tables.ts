import fc from 'fast-check';
import { demand as demandArguments, FUNCTION, withFunctions } from '../../core/arguments.js';
import { toDecimal, type U64 } from '../../core/u64.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { isTablePolicy } from '../../policy/registry.js';
import type { TablePolicy, WeightedHosts } from '../../policy/policy-kinds.js';
import { weightedHosts } from '../../policy/weighted-hosts.js';
import { fail, search, document, CLUSTER, type LawOptions, type Remarks } from '../law.js';
import { drawnHashes, sortedBy } from './situation.js';
import { sum } from '../../core/values.js';

/** Laws of policies that keep a table, without the balancer around them. */

/** A table policy, with a function that counts the entries of its tables. */
export interface TablePolicyUnderTest<Config, Table> {
  readonly policy: TablePolicy<Config, Table>;
  readonly config: Config;
  readonly entriesPerHost: (table: Table) => ArrayLike<number>;
}

export type KeyedHost = Readonly<{ key: string; weight: number }>;

/** Some are alike but for their case, a space, or what may as well be the number of a point. */
const key = fc.oneof(
  { arbitrary: fc.string({ minLength: 1, maxLength: 24 }), weight: 1 },
  { arbitrary: fc.constantFrom('a', 'A', 'a ', 'a1', 'a11', '10.0.0.1:80', '10.0.0.1:8080'), weight: 1 },
);

export const keyedHosts: fc.Arbitrary<readonly KeyedHost[]> = fc.uniqueArray(
  fc.record({ key, weight: fc.integer({ min: 1, max: 9 }) }),
  { selector: ({ key }) => key, maxLength: 12 },
);

/** @param call the law that was given it. @param functions what it has to have besides its policy. */
export function tableSubject<Subject extends { readonly policy: object }>(
  call: string,
  subject: Subject,
  ...functions: readonly ('entriesPerHost' | 'entries')[]
): Subject {
  demandArguments(call, ['subject', subject, withFunctions(...functions)]);
  demandArguments(call, ['subject.policy', subject.policy, withFunctions('build', 'choose')]);
  return subject;
}

const hash: fc.Arbitrary<U64> = fc.record({ hi: fc.nat(0xffffffff), lo: fc.nat(0xffffffff) });

/** Tables are pure functions of hosts and configuration: building changes neither, and other builds have no effect. */
export function buildsPureTables<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  options?: LawOptions,
): void {
  const { policy, config } = tableSubject('buildsPureTables', subject);
  search(options, {
    law: 'builds pure tables',
    examples: fc.record({ hosts: keyedHosts, others: keyedHosts }),
    test: ({ hosts: example, others }) => {
      const hosts = asWeighted(example);
      const before = fc.stringify(hosts);
      const table = policy.build(hosts, config);
      const asBuilt = fc.stringify(table);
      policy.build(asWeighted(others), config);
      if (fc.stringify(table) !== asBuilt) fail('building another table changed this one');
      if (fc.stringify(policy.build(hosts, config)) !== asBuilt) fail('building it again gives another table');
      if (fc.stringify(hosts) !== before) fail('building changed the hosts');
    },
    scenario: ({ hosts }, remarks) => tableScenario(policy, hosts, [], remarks),
    numRuns: 30,
  });
}

/** A look-up returns one of the table's hosts, the same one every time, also the two thousandth; -1 only for a table without hosts. */
export function looksUpItsHosts<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  options?: LawOptions,
): void {
  const { policy, config } = tableSubject('looksUpItsHosts', subject);
  search(options, {
    law: 'looks up its hosts',
    examples: fc.record({
      hosts: keyedHosts,
      hashes: fc.oneof(
        fc.array(hash, { minLength: 1, maxLength: 1 }),
        fc.array(hash, { minLength: 1, maxLength: 12, size: 'max' }),
      ),
      attempt: fc.nat(5),
    }),
    test: ({ hosts, hashes, attempt }) => {
      const table = policy.build(asWeighted(hosts), config);
      for (const { hi, lo } of hashes) {
        const chosen = policy.choose(table, hi, lo, attempt);
        let again = policy.choose(table, hi, lo, attempt);
        // Look-ups may not wear a table out.
        if (hashes.length === 1)
          for (let time = 0; time < 2000 && again === chosen; time++) again = policy.choose(table, hi, lo, attempt);
        const text = `hash ${toDecimal(hi, lo)}, attempt ${attempt},`;
        if (again !== chosen) fail(`${text} gives host ${chosen}, and then host ${again}`);
        const exists = hosts.length === 0 ? chosen === -1 : hosts[chosen] !== undefined;
        if (!exists) fail(`${text} gives host ${chosen} of ${hosts.length}`);
      }
    },
    scenario: ({ hosts, hashes }, remarks) => tableScenario(policy, hosts, hashes, remarks),
    numRuns: 40,
  });
}

/**
 * A hash leads to the same host in whatever order equal hosts are listed: a promise of a policy, as of rings, rendezvous and
 * tables whose hosts are sorted, whatever a proxy of some version does.
 */
export function ignoresListOrder<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  options?: LawOptions,
): void {
  const { policy, config } = tableSubject('ignoresListOrder', subject);
  search(options, {
    law: 'ignores the order of its list',
    examples: fc.record({ hosts: keyedHosts, order: fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }) }),
    test: ({ hosts: drawn, order }) => {
      const hosts = drawn.map(({ key }) => key);
      const others = sortedBy(hosts, order);
      const [one, other] = [hosts, others].map((keys) => policy.build(weightedHosts(keys), config)) as [Table, Table];
      for (const { hi, lo } of drawnHashes(hosts.length, 128)) {
        const [here, there] = [hosts[policy.choose(one, hi, lo, 0)], others[policy.choose(other, hi, lo, 0)]];
        if (here !== there)
          fail(
            `hash ${toDecimal(hi, lo)} leads to ${here ?? 'no host'}, and with the hosts as ${others.join(', ')} to ${there ?? 'no host'}`,
          );
      }
    },
    scenario: ({ hosts }, remarks) => tableScenario(policy, hosts, [], remarks),
    numRuns: 40,
  });
}

/** Entries follow weights: each host's count is within `bound` of entries · share. */
export function dividesItsEntries<Config, Table>(
  subject: TablePolicyUnderTest<Config, Table>,
  bound: (share: number, hosts: number, largestShare: number) => number,
  options?: LawOptions,
): void {
  const { entriesPerHost } = tableSubject('dividesItsEntries', subject, 'entriesPerHost');
  demandArguments('dividesItsEntries', ['bound', bound, FUNCTION]);
  searchTables('divides its entries by weight', subject, options, (_, table, hosts) => {
    const counts = Array.from(entriesPerHost(table));
    const entries = sum(counts);
    counts.forEach((count, index) => {
      const share = hosts.weights[index] ?? NaN;
      const off = Math.abs(count - entries * share);
      const allowed = bound(share, counts.length, hosts.maxWeight) + 1e-6;
      // A bound may be no number.
      if (!(off <= allowed))
        fail(
          `host ${index} has ${count} of ${entries} entries: off by ${off.toFixed(2)}, allowed are ${allowed.toFixed(2)}`,
        );
    });
  });
}

/**
 * Minimal disruption, with its condition: where the hosts that stay keep as many entries as they had, a key moves only if
 * it belonged to the host that left.
 *
 * A ring obeys it; Maglev trades some of it for balance, and a ring whose size is fixed breaks the condition.
 *
 * @param configFor the configuration under which each of `hosts` equal hosts has the same number of entries.
 */
export function movesOnlyLostKeys<Config, Table>(
  subject: Omit<TablePolicyUnderTest<Config, Table>, 'config'>,
  configFor: (hosts: number) => Config,
  options?: LawOptions,
): void {
  const { policy, entriesPerHost } = tableSubject('movesOnlyLostKeys', subject, 'entriesPerHost');
  demandArguments('movesOnlyLostKeys', ['configFor', configFor, FUNCTION]);
  const examples = fc
    .record({
      keys: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 24 }), { minLength: 2, maxLength: 10 }),
      pick: fc.nat(),
      hashes: fc.array(hash, { minLength: 30, maxLength: 30 }),
    })
    .map(({ pick, ...one }) => ({ ...one, lost: pick % one.keys.length }));
  search(options, {
    law: 'moves only the keys of a host that is lost',
    examples,
    test: ({ keys, lost, hashes }) => {
      const left = keys.toSpliced(lost, 1);
      const before = policy.build(weightedHosts(keys), configFor(keys.length));
      const after = policy.build(weightedHosts(left), configFor(left.length));
      const kept = Array.from(entriesPerHost(before)).toSpliced(lost, 1);
      const now = Array.from(entriesPerHost(after));
      if (!kept.every((count, index) => count === now[index]))
        fail(`the hosts that stay had ${kept.join(', ')} entries and have ${now.join(', ')}`);
      for (const { hi, lo } of hashes) {
        const owner = keys[policy.choose(before, hi, lo, 0)];
        const heir = left[policy.choose(after, hi, lo, 0)];
        if (owner !== keys[lost] && heir !== owner)
          fail(
            `hash ${toDecimal(hi, lo)} moved from ${owner ?? 'no host'} to ${heir ?? 'no host'}, and ${keys[lost] ?? ''} was lost`,
          );
      }
    },
    scenario: ({ keys, lost, hashes }, remarks) => tableScenario(policy, ofEqualWeight(keys), hashes, remarks, lost),
    numRuns: 40,
  });
}

export const searchTables = <Config, Table>(
  law: string,
  { policy, config }: Pick<TablePolicyUnderTest<Config, Table>, 'policy' | 'config'>,
  options: LawOptions | undefined,
  test: (hosts: readonly KeyedHost[], table: Table, weighted: WeightedHosts) => void,
  {
    examples = keyedHosts,
    hashes = [],
    numRuns = 40,
  }: { readonly examples?: typeof keyedHosts; readonly hashes?: readonly U64[]; readonly numRuns?: number } = {},
): void =>
  search(options, {
    law,
    examples,
    test: (hosts) => {
      const weighted = asWeighted(hosts);
      test(hosts, policy.build(weighted, config), weighted);
    },
    scenario: (hosts, remarks) => tableScenario(policy, hosts, hashes, remarks),
    numRuns,
  });

const ofEqualWeight = (keys: readonly string[]): readonly KeyedHost[] => keys.map((key) => ({ key, weight: 1 }));

export const asWeighted = (hosts: readonly KeyedHost[]): WeightedHosts =>
  weightedHosts(
    hosts.map(({ key }) => key),
    hosts.map(({ weight }) => weight),
  );

/** The hosts under the keys of the example, which proxies read from metadata since 1.18. */
export function tableScenario(
  { name }: { readonly name: string },
  hosts: readonly KeyedHost[],
  hashes: readonly U64[],
  remarks: Remarks,
  lost?: number,
): string {
  const lbPolicy = isTablePolicy(name) ? name : 'RING_HASH';
  const addressOf = (index: number): string => `10.0.0.${index + 1}:80`;
  // Traffic for a run, even if the table itself is of interest (`lbsim ring`).
  const sentHashes = hashes.length === 0 ? [{ hi: 0, lo: 0 }] : hashes;
  const requests = (at: string): object[] =>
    sentHashes.map(({ hi, lo }) => ({ at, cluster: CLUSTER, hash: toDecimal(hi, lo) }));
  return document(remarks, {
    seed: 1,
    proxies: [{ version: MODERN_PROXY_VERSION }],
    clusters: [{ name: CLUSTER, connect_timeout: '0.25s', lb_policy: lbPolicy }],
    endpoints: {
      [CLUSTER]: hosts.map(({ key, weight }, index) => ({
        address: addressOf(index),
        weight,
        metadata: { hash_key: key },
      })),
    },
    requests: [...requests('0s'), ...(lost === undefined ? [] : requests('1s'))],
    ...(lost !== undefined && { timeline: [{ at: '1s', remove_hosts: addressOf(lost) }] }),
  });
}
