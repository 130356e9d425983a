/**
 * The messages of policies in a `load_balancing_policy`: each is a policy that chooses the host, or one around another.
 *
 * Source: docs of the messages in `extensions.load_balancing_policies`; what a 1.40.0 takes of them.
 */
import { assert } from '../../core/assert.js';
import { defined } from '../../core/defined.js';
import type { Messages } from '../api/generated/read-messages.js';
import { choiceCount, fallbackKeys } from '../cluster/parts.js';
import { list, mark, message, type Schema, rule } from '../reader.js';
import { camel } from '../reader/letter-case.js';
import { type OwnMessage } from '../reader/api-schema.js';
import { type Camel, messageWith } from '../reader/message.js';
import type { Rule } from '../reader/schema.js';
import { readerOf } from '../reader/walk.js';
import {
  hashing,
  type Kind,
  type LeastRequest,
  localities,
  type LoadAwareLocality,
  type Maglev,
  type Outer,
  type OverrideHost,
  policiesIn,
  type Policy,
  type Random,
  type ReportedWeights,
  type RingHash,
  type RoundRobin,
  type Subset,
  weighsLocalities,
  type WrrLocality,
} from './policy.js';

/** The package of all of them, as message names begin in the tables. */
export const PACKAGE = 'extensions.load_balancing_policies' as const;

// --- parts ---------------------------------------------------------------------------------------------------------

const COMMON = `${PACKAGE}.common.v3` as const;

/** The proxy checks the limits of a part, or does not, whatever it does with those of the message around it. */
function withLimits<T>(schema: Schema<T>, checked: boolean): Schema<T> {
  const inner = readerOf(schema);
  return mark(schema, {
    read: (node, walk) => {
      const { isUnlimited } = walk;
      walk.isUnlimited = !checked;
      const value = inner(node, walk);
      walk.isUnlimited = isUnlimited;
      return value;
    },
  });
}

const SlowStart = message(`${COMMON}.SlowStartConfig`);
const RouteHashPolicy = message('route.RouteAction.HashPolicy');

/** Unlike the field of common_lb_config it allows any factor, and host names in any cluster. */
messageWith(`${COMMON}.ConsistentHashingLbConfig`, {
  own: () => ({ hash_policy: list(withLimits(RouteHashPolicy, true)) }),
});

const HOST_SOURCE = `${PACKAGE}.override_host.v3.OverrideHost.OverrideHostSource` as const;

messageWith(HOST_SOURCE, {
  doc: 'Where the names of hosts come from.',
  rules: [
    rule<Messages[typeof HOST_SOURCE]>('override-source', ['header', 'metadata'], ({ header, metadata }, report) => {
      if (header === '' && metadata === undefined) report('Empty override source: name a header');
      if (header !== '' && metadata !== undefined) report('Only one override source must be set', ['metadata']);
    }),
  ],
});

// --- policies ------------------------------------------------------------------------------------------------------

message(`${PACKAGE}.subset.v3.Subset.LbSubsetSelector`, fallbackKeys);

const ofHosts: readonly Kind[] = [
  ...(['round_robin', 'least_request', 'random', 'client_side_weighted_round_robin'] as const),
  ...(['ring_hash', 'maglev', 'cluster_provided'] as const),
];

/** Policies that may stand inside of one that leaves the choice of the host to another. */
const MAY_HOLD: Readonly<Record<Outer['kind'], readonly Kind[]>> = {
  subset: [...ofHosts, 'wrr_locality'],
  wrr_locality: ofHosts,
  load_aware_locality: ofHosts.filter((kind) => kind !== 'cluster_provided'),
  override_host: [...ofHosts, 'subset', 'wrr_locality', 'load_aware_locality'],
};

/** A field with the policy inside. */
type Holding<K extends string> = { readonly [F in Camel<K>]?: Policy | undefined };

/** @param field that the other one stands in. */
function holds<K extends string>(kind: Outer['kind'], field: K): Rule<Holding<K>> {
  return rule('not-simulated', [field], (value, report) => {
    const found = policiesIn(value[camel(field) as Camel<K>]).find((one) => !MAY_HOLD[kind].includes(one.kind));
    if (found !== undefined) report(`${found.kind} inside of ${kind} is not simulated`, [field]);
  });
}

/** Of wrr_locality: for hosts the proxy accepts one policy only. */
const reportedOnly: Rule<{ readonly endpointPickingPolicy?: Policy | undefined }> = rule(
  'load-balancing-policy',
  ['endpoint_picking_policy'],
  ({ endpointPickingPolicy: inside }, report) => {
    if (inside === undefined || !ofHosts.includes(inside.kind) || inside.kind === 'client_side_weighted_round_robin')
      return;
    const text =
      'wrr_locality takes client_side_weighted_round_robin as endpoint_picking_policy and nothing else; ' +
      'for other policies write locality_lb_config: {locality_weighted_lb_config: {}} in them';
    report(text, ['endpoint_picking_policy']);
  },
);

const subsetRules: readonly Rule<{
  readonly localityWeightAware: boolean;
  readonly subsetLbPolicy?: Policy | undefined;
}>[] = [
  {
    name: 'no-effect',
    doc: 'Subsets are aware of the weights of localities that the policy inside of them uses.',
    reads: ['locality_weight_aware', 'subset_lb_policy'],
    check: ({ localityWeightAware, subsetLbPolicy }, report) => {
      if (!localityWeightAware || subsetLbPolicy === undefined || weighsLocalities(subsetLbPolicy)) return;
      const text = 'locality_weight_aware has no effect: the policy inside of subset has no weights of localities';
      report(text, ['locality_weight_aware'], 'warning');
    },
  },
  rule('no-effect', ['subset_lb_policy'], ({ subsetLbPolicy }, report) => {
    if (policiesIn(subsetLbPolicy).at(-1)?.kind !== 'client_side_weighted_round_robin') return;
    const text =
      'client_side_weighted_round_robin inside of subset takes in new weights only where hosts, weights or health change: ' +
      'until then all hosts weigh the same, whatever they report or load_balancing_weight says';
    report(text, ['subset_lb_policy'], 'warning');
  }),
];

type OfLists = Messages[`${typeof COMMON}.LocalityLbConfig`];
type ReadZones = NonNullable<OfLists['zoneAwareLbConfig']>;

function ofLocalities(read: OfLists | undefined): ReturnType<typeof localities> {
  return localities(
    read && { ...read, ...defined({ zoneAwareLbConfig: read.zoneAwareLbConfig && forced(read.zoneAwareLbConfig) }) },
  );
}

/** The older form of force_local_zone says it where the newer one is absent. */
function forced({
  forceLocalityDirectRouting,
  forceLocalZone,
  ...zones
}: ReadZones): Omit<ReadZones, 'forceLocalityDirectRouting'> {
  return { ...zones, ...defined({ forceLocalZone: forceLocalZone ?? (forceLocalityDirectRouting ? {} : undefined) }) };
}

const WITHOUT_KEYS: Subset['subsetSelectors'][number] = {
  keys: [],
  fallbackPolicy: 'NOT_DEFINED',
  fallbackKeysSubset: [],
  singleHostPerSubset: false,
};

/** The policy inside of one that counts. */
function held(policy: Policy | undefined): Policy {
  assert(policy !== undefined, 'only a policy that is passed over has none inside');
  return policy;
}

/** How the message of a kind is read and written. */
export interface PolicyMessage {
  /** Without {@link PACKAGE}. */
  readonly message: string;
  readonly schema: Schema<unknown>;
  /** Whether the proxy checks the limits of its fields. */
  readonly limited: boolean;
  /** The field of the policy inside. */
  readonly inner?: string | undefined;
  /** What the message says, in the one form that older fields are read as, too. */
  readonly read: (value: never) => Policy;
  /** The message of a policy. */
  readonly write: (policy: never) => object;
}

type PolicyName = keyof Messages extends infer N ? (N extends `${typeof PACKAGE}.${infer M}` ? M : never) : never;

function kept<N extends PolicyName, P extends Policy, More = unknown>(
  name: N,
  read: (value: Messages[`${typeof PACKAGE}.${N}`] & More) => P,
  {
    limited = false,
    inner,
    write = ({ kind: _, ...value }) => value,
    ...options
  }: {
    readonly limited?: boolean;
    readonly inner?: string;
    readonly write?: (policy: P) => object;
    readonly rules?: readonly Rule<Messages[`${typeof PACKAGE}.${N}`] & More>[];
  } & Partial<Pick<OwnMessage, 'own' | 'doc'>> = {},
): PolicyMessage {
  return {
    message: name,
    schema: messageWith<`${typeof PACKAGE}.${N}`, More>(`${PACKAGE}.${name}`, options),
    limited,
    inner,
    read,
    write,
  };
}

export type PolicyMessages = Readonly<Record<Exclude<Kind, 'by_name'>, PolicyMessage>>;

/**
 * By their kinds, which their messages begin with.
 *
 * @param inside a `load_balancing_policy`; undefined: in a policy that is passed over.
 */
export const policyMessages = (inside: Schema<Policy | undefined>): PolicyMessages => ({
  round_robin: kept('round_robin.v3.RoundRobin', ({ localityLbConfig, ...value }): RoundRobin => ({
    kind: 'round_robin',
    ...value,
    ...ofLocalities(localityLbConfig),
  })),
  least_request: kept(
    'least_request.v3.LeastRequest',
    ({ localityLbConfig, ...value }): LeastRequest => ({
      kind: 'least_request',
      ...value,
      ...ofLocalities(localityLbConfig),
    }),
    { rules: [choiceCount] },
  ),
  random: kept('random.v3.Random', ({ localityLbConfig }): Random => ({
    kind: 'random',
    ...ofLocalities(localityLbConfig),
  })),
  ring_hash: kept(
    'ring_hash.v3.RingHash',
    // Two older fields of RingHash itself apply where there is no consistent_hashing_lb_config.
    ({ useHostnameForHashing, hashBalanceFactor, hashFunction, consistentHashingLbConfig, ...value }): RingHash => ({
      kind: 'ring_hash',
      ...value,
      hashFunction: hashFunction === 'DEFAULT_HASH' ? 'XX_HASH' : hashFunction,
      ...hashing(
        consistentHashingLbConfig ??
          (useHostnameForHashing || hashBalanceFactor !== undefined
            ? { useHostnameForHashing, ...defined({ hashBalanceFactor }) }
            : undefined),
      ),
    }),
  ),
  maglev: kept('maglev.v3.Maglev', ({ consistentHashingLbConfig, ...value }): Maglev => ({
    kind: 'maglev',
    ...value,
    ...hashing(consistentHashingLbConfig),
  })),
  cluster_provided: kept('cluster_provided.v3.ClusterProvided', (): Policy => ({ kind: 'cluster_provided' })),
  client_side_weighted_round_robin: kept(
    'client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin',
    (value): ReportedWeights => ({ kind: 'client_side_weighted_round_robin', ...value }),
    {
      limited: true,
      own: () => ({ slow_start_config: withLimits(SlowStart, false) }),
      doc: 'Weights are requests a second over utilisation, as hosts report them.',
    },
  ),
  subset: kept<'subset.v3.Subset', Subset, Holding<'subset_lb_policy'>>(
    'subset.v3.Subset',
    // Unlike lb_subset_config it divides without selectors, too: the fallback answers every request.
    ({ subsetLbPolicy, subsetSelectors, localityWeightAware, ...value }): Subset => ({
      kind: 'subset',
      ...value,
      subsetSelectors: subsetSelectors.length === 0 ? [WITHOUT_KEYS] : subsetSelectors,
      localityWeightAware: localityWeightAware && weighsLocalities(held(subsetLbPolicy)),
      inner: held(subsetLbPolicy),
    }),
    {
      own: () => ({ subset_lb_policy: inside }),
      inner: 'subset_lb_policy',
      write: ({ kind: _, inner: subsetLbPolicy, ...value }) => ({ ...value, subsetLbPolicy }),
      rules: [holds('subset', 'subset_lb_policy'), ...subsetRules],
    },
  ),
  wrr_locality: kept<'wrr_locality.v3.WrrLocality', WrrLocality, Holding<'endpoint_picking_policy'>>(
    'wrr_locality.v3.WrrLocality',
    ({ endpointPickingPolicy }): WrrLocality => ({ kind: 'wrr_locality', inner: held(endpointPickingPolicy) }),
    {
      own: () => ({ endpoint_picking_policy: inside }),
      inner: 'endpoint_picking_policy',
      write: ({ inner: endpointPickingPolicy }) => ({ endpointPickingPolicy }),
      rules: [holds('wrr_locality', 'endpoint_picking_policy'), reportedOnly],
    },
  ),
  load_aware_locality: kept<
    'load_aware_locality.v3.LoadAwareLocality',
    LoadAwareLocality,
    Holding<'endpoint_picking_policy'>
  >(
    'load_aware_locality.v3.LoadAwareLocality',
    ({ endpointPickingPolicy, ...value }): LoadAwareLocality => ({
      kind: 'load_aware_locality',
      ...value,
      inner: held(endpointPickingPolicy),
    }),
    {
      limited: true,
      own: () => ({ endpoint_picking_policy: inside }),
      inner: 'endpoint_picking_policy',
      write: ({ kind: _, inner: endpointPickingPolicy, ...value }) => ({ ...value, endpointPickingPolicy }),
      doc: 'Shares of localities by the room that their hosts report to have.',
      rules: [holds('load_aware_locality', 'endpoint_picking_policy')],
    },
  ),
  override_host: kept<'override_host.v3.OverrideHost', OverrideHost, Holding<'fallback_policy'>>(
    'override_host.v3.OverrideHost',
    ({ fallbackPolicy, ...value }): OverrideHost => ({ kind: 'override_host', ...value, inner: held(fallbackPolicy) }),
    {
      limited: true,
      own: () => ({ fallback_policy: inside }),
      inner: 'fallback_policy',
      write: ({ kind: _, inner: fallbackPolicy, ...value }) => ({ ...value, fallbackPolicy }),
      doc: 'Requests name their hosts; a policy chooses for those that do not.',
      rules: [holds('override_host', 'fallback_policy')],
    },
  ),
});
