import fc from 'fast-check';
import { clusterIn } from '../../config/cluster/cluster.js';
import * as policies from '../../config/policy/policy.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import { withPolicy } from '../../config/write-cluster.js';
import { assert } from '../../core/assert.js';
import { defined, type Struct } from '../../core/values.js';
import { isTablePolicy } from '../../policy/registry.js';
import { POOLS } from './generated/pools.js';
import { type Json, recordOf, sometimes } from './mix-hosts.js';

const MODES = ['plain', 'zones', 'localities', 'subsets', 'subsets+localities', 'subsets+zones'] as const;
export type Mode = (typeof MODES)[number];

const POLICIES = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'] as const;

export type ClusterPlan = Readonly<{ mode: Mode; policy: string; fields: Json }>;

/** Everything of a cluster that decides where a request goes, but its hosts. */
export const cluster = (): fc.Arbitrary<ClusterPlan> =>
  fc.record({ mode: fc.constantFrom(...MODES), policy: fc.constantFrom(...POLICIES) }).chain(({ mode, policy }) =>
    fc
      .record({
        common_lb_config: common(mode),
        options: policyOptions(policy),
        lb_subset_config: mode.startsWith('subsets') ? subsets(mode === 'subsets+localities') : fc.constant(undefined),
        idle: recordOf('idle'),
      })
      .map(({ options, idle: { health_checks: checks, ...idle }, ...fields }) => ({
        mode,
        policy,
        fields: defined({
          lb_policy: policy,
          ...fields,
          ...idle,
          ...options,
          // What checks find in time is not part of a mix, so few clusters have them.
          health_checks: checks,
        }),
      })),
  );

/** The cluster, or one with what v3 has besides: a bound of load, hash policies of its own, weights by load reports. */
export function varied(plan: ClusterPlan): fc.Arbitrary<ClusterPlan> {
  if (isTablePolicy(plan.policy))
    return fc
      .record({ factor: sometimes(100, 130), sources: sometimes<HashPolicy>(...POOLS.hash_policies) })
      .map((own) => hashing(plan, own));
  return plan.policy === 'ROUND_ROBIN'
    ? fc.oneof(
        fc.constant(plan),
        reports().map((config) => weighing(plan, config)),
      )
    : fc.constant(plan);
}

/** Headers that requests have, the second one with the same value in all. */
export const HASHED_HEADERS = ['x-key', 'x-user'] as const;

type HashPolicy = NonNullable<NonNullable<policies.RingHash['consistentHashingLbConfig']>['hashPolicy']>;

function hashing(
  plan: ClusterPlan,
  { factor, sources }: { readonly factor: number | undefined; readonly sources: HashPolicy | undefined },
): ClusterPlan {
  if (factor === undefined && sources === undefined) return plan;
  if (sources === undefined) {
    const common = plan.fields['common_lb_config'] as Json;
    const own = { ...common, consistent_hashing_lb_config: { hash_balance_factor: factor } };
    return { ...plan, fields: { ...plan.fields, common_lb_config: own } };
  }
  const config = { useHostnameForHashing: false, ...defined({ hashBalanceFactor: factor }), hashPolicy: sources };
  const fields = withOtherPolicy(plan.fields, (policy) =>
    policies.withLeaf(policy, (leaf) => ({ ...leaf, consistentHashingLbConfig: config })),
  );
  return { ...plan, fields };
}

/** The same fields with another policy, in the form of v3. */
function withOtherPolicy(fields: Json, change: (policy: policies.Policy) => policies.Policy): Json {
  const cluster = clusterIn({ name: 'mix', ...(fields as Struct) });
  assert(cluster !== undefined, 'clusters of mixes are read');
  return withPolicy(fields as Struct, change(policyOf(cluster)));
}

/** A policy of {@link weighing}: what `plan.policy` says. */
export const WEIGHING = 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN';

const reports = (): fc.Arbitrary<policies.ReportedWeights> =>
  fc
    .record({
      weightUpdatePeriod: fc.constantFrom(SOON_US, 3600_000_000),
      errorUtilizationPenalty: sometimes(1),
      metrics: sometimes(['named_metrics.queue'], ['mem_utilization']),
    })
    .map(({ metrics = [], ...config }) => ({
      kind: 'client_side_weighted_round_robin',
      ...{ blackoutPeriod: 0, weightExpirationPeriod: 36_000_000_000, ...config },
      metricNamesForComputingUtilization: metrics,
    }));

/** The shortest period between updates of weights. */
const SOON_US = 100_000;

/** Its hosts weigh as they report, localities as they are configured. */
function weighing({ mode, fields }: ClusterPlan, reported: policies.ReportedWeights): ClusterPlan {
  const { zone_aware_lb_config: _, ...common } = fields['common_lb_config'] as Json;
  const change = (policy: policies.Policy): policies.Policy =>
    policies.withLeaf(policy, () =>
      policies.weighsLocalities(policy) ? { kind: 'wrr_locality', inner: reported } : reported,
    );
  return { mode, policy: WEIGHING, fields: withOtherPolicy({ ...fields, common_lb_config: common }, change) };
}

const common = (mode: Mode): fc.Arbitrary<Json> =>
  fc.record({ own: recordOf('common'), zones: recordOf('zone_aware') }).map(({ own, zones }) => ({
    ...own,
    ...(mode.endsWith('localities') ? { locality_weighted_lb_config: {} } : { zone_aware_lb_config: zones }),
  }));

function policyOptions(policy: (typeof POLICIES)[number]): fc.Arbitrary<Json> {
  if (policy === 'ROUND_ROBIN' || policy === 'RANDOM') return fc.constant({});
  const options = recordOf(policy);
  // A record draws once more than its fields: mixes of a seed stay what they were.
  return policy === 'MAGLEV' ? options : fc.record({ options }).map(({ options: own }) => own);
}

const subsets = (weighted: boolean): fc.Arbitrary<Json> =>
  fc.record({
    fallback_policy: fc.constantFrom('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'),
    default_subset: fc.constantFrom<Json>({ v: '1' }, { v: '3', s: 'x' }, {}, { u: true }),
    subset_selectors: fc.array(selector(), { minLength: 1, maxLength: 4 }),
    panic_mode_any: fc.boolean(),
    list_as_any: fc.boolean(),
    locality_weight_aware: weighted ? fc.boolean() : fc.constant(false),
    scale_locality_weight: fc.boolean(),
    metadata_fallback_policy: fc.constantFrom('METADATA_NO_FALLBACK', 'FALLBACK_LIST'),
    allow_redundant_keys: fc.constantFrom(false, false, true),
  });

function selector(): fc.Arbitrary<Json> {
  const keys = fc.constantFrom(['v'], ['s'], ['u'], ['v', 's'], ['s', 'v'], ['u', 'v', 's'], ['s', 'u'], ['v', 'v']);
  return fc
    .tuple(
      keys,
      fc.constantFrom('NOT_DEFINED', 'NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET', 'KEYS_SUBSET', 'KEYS_SUBSET'),
      fc.nat(),
      sometimes(true),
    )
    .map(([own, policy, pick, single]) => {
      const distinct = [...new Set(own)];
      const usable = policy !== 'KEYS_SUBSET' || distinct.length > 1;
      const fewer = distinct.filter((_, index) => index !== pick % distinct.length);
      return defined({
        keys: own,
        fallback_policy: usable ? policy : 'DEFAULT_SUBSET',
        fallback_keys_subset: usable && policy === 'KEYS_SUBSET' ? fewer : undefined,
        single_host_per_subset: single,
      });
    });
}
