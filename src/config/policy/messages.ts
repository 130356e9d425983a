/**
 * The messages of policies in a `load_balancing_policy`: each is a policy that chooses the host, or one around another.
 * Source: docs of the messages in `extensions.load_balancing_policies`; what a 1.40.0 takes of them.
 */
import { assert } from '../../core/assert.js';
import { defined } from '../../core/values.js';
import { REFUSALS } from '../generated/refusals.js';
import { UNSET } from '../../hostset/generated/unset.js';
import type { Messages } from '../api/generated/read-messages.js';
import { choiceCount, fallbackKeys } from '../cluster/parts.js';
import type { Schema, Camel, Rule, Shape } from '../reader.js';
import { list, mark, message, rule, camel, messageWith, readerOf } from '../reader.js';
import * as policies from './policy.js';

/** The package of all of them, as message names begin in the tables. */
export const PACKAGE = 'extensions.load_balancing_policies' as const;

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
  rules: [
    rule<Messages[typeof HOST_SOURCE]>('override-source', ['header', 'metadata'], ({ header, metadata }, report) => {
      if (header === '' && metadata === undefined) report('Empty override source: name a header');
      if (header !== '' && metadata !== undefined) report('Only one override source must be set', ['metadata']);
    }),
  ],
});

message(`${PACKAGE}.subset.v3.Subset.LbSubsetSelector`, fallbackKeys);

const ofHosts: readonly policies.Kind[] = [
  ...(['round_robin', 'least_request', 'random', 'client_side_weighted_round_robin'] as const),
  ...(['ring_hash', 'maglev', 'cluster_provided', 'by_name'] as const),
];

/** Policies that may stand inside of one that leaves the choice of the host to another. */
const MAY_HOLD: Readonly<Record<policies.Outer['kind'], readonly policies.Kind[]>> = {
  subset: [...ofHosts, 'wrr_locality'],
  wrr_locality: ofHosts,
  load_aware_locality: ofHosts.filter((kind) => kind !== 'cluster_provided'),
  override_host: [...ofHosts, 'subset', 'wrr_locality', 'load_aware_locality'],
};

const holds = (kind: policies.Outer['kind'], field: string): Rule<Readonly<Record<string, unknown>>> =>
  rule('not-simulated', [field], (value, report) => {
    const inside = policies.policiesIn(value[camel(field)] as policies.Policy | undefined);
    const found = inside.find((one) => !MAY_HOLD[kind].includes(one.kind));
    if (found !== undefined) report(`${found.kind} inside of ${kind} is not simulated`, [field]);
  });

/** Of wrr_locality: for hosts the proxy accepts one policy only. */
const reportedOnly: Rule<{ readonly endpointPickingPolicy?: policies.Policy | undefined }> = rule(
  'load-balancing-policy',
  ['endpoint_picking_policy'],
  ({ endpointPickingPolicy: inside }, report) => {
    if (inside === undefined || !ofHosts.includes(inside.kind) || inside.kind === 'client_side_weighted_round_robin')
      return;
    report(REFUSALS.policy.reported_only, ['endpoint_picking_policy']);
  },
);

const subsetRules: readonly Rule<{
  readonly localityWeightAware: boolean;
  readonly subsetLbPolicy?: policies.Policy | undefined;
}>[] = [
  {
    name: 'no-effect',
    doc: 'Subsets are aware of the weights of localities that the policy inside of them uses.',
    reads: ['locality_weight_aware', 'subset_lb_policy'],
    check: ({ localityWeightAware, subsetLbPolicy }, report) => {
      if (!localityWeightAware || subsetLbPolicy === undefined || policies.weighsLocalities(subsetLbPolicy)) return;
      report(REFUSALS.policy.no_locality_weights, ['locality_weight_aware'], 'warning');
    },
  },
  rule('no-effect', ['subset_lb_policy'], ({ subsetLbPolicy }, report) => {
    if (policies.policiesIn(subsetLbPolicy).at(-1)?.kind !== 'client_side_weighted_round_robin') return;
    report(REFUSALS.policy.late_weights, ['subset_lb_policy'], 'warning');
  }),
];

type OfLists = Messages[`${typeof COMMON}.LocalityLbConfig`];
type ReadZones = NonNullable<OfLists['zoneAwareLbConfig']>;

const ofLocalities = (read: OfLists | undefined): ReturnType<typeof policies.localities> =>
  policies.localities(
    read && { ...read, ...defined({ zoneAwareLbConfig: read.zoneAwareLbConfig && forced(read.zoneAwareLbConfig) }) },
  );

/** The older form of force_local_zone says it where the newer one is absent. */
function forced({ forceLocalityDirectRouting, forceLocalZone, ...zones }: ReadZones) {
  return { ...zones, ...defined({ forceLocalZone: forceLocalZone ?? (forceLocalityDirectRouting ? {} : undefined) }) };
}

const WITHOUT_KEYS: policies.Subset['subsetSelectors'][number] = { keys: [], ...UNSET.selector };

type MessageKind = Exclude<policies.Kind, 'by_name'>;
type MessageOf<K extends MessageKind> = Messages[`${typeof PACKAGE}.${K}.v3.${Capitalize<Camel<K>>}` & keyof Messages];
type Fields<K extends MessageKind> = Omit<policies.Policy & { readonly kind: K }, 'kind'>;

interface AnySpecial {
  /** The proxy checks the limits of its fields. */
  readonly limited?: boolean;
  readonly own?: () => Shape;
  readonly rules?: readonly Rule<never>[];
  readonly inner?: string;
  /** What the message says, in the one form that older fields are read as, too. */
  readonly read?: (value: never) => object;
}

interface Special<K extends MessageKind> extends AnySpecial {
  readonly read?: (value: K extends policies.Outer['kind'] ? Fields<K> : MessageOf<K>) => Fields<K>;
}

function overLists<Value extends MessageOf<'random'>>({ localityLbConfig, ...value }: Value) {
  return { ...value, ...ofLocalities(localityLbConfig) };
}

/** By their kinds, which their messages begin with. */
const SPECIAL: { readonly [K in MessageKind]: Special<K> } = {
  round_robin: { read: overLists },
  least_request: { read: overLists, rules: [choiceCount] },
  random: { read: overLists },
  ring_hash: {
    // Two older fields of RingHash itself apply where there is no consistent_hashing_lb_config.
    read: ({ useHostnameForHashing, hashBalanceFactor, hashFunction, consistentHashingLbConfig, ...value }) => ({
      ...value,
      hashFunction: hashFunction === 'DEFAULT_HASH' ? 'XX_HASH' : hashFunction,
      ...policies.hashing(
        consistentHashingLbConfig ??
          (useHostnameForHashing || hashBalanceFactor !== undefined
            ? { useHostnameForHashing, ...defined({ hashBalanceFactor }) }
            : undefined),
      ),
    }),
  },
  maglev: {
    read: ({ consistentHashingLbConfig, ...value }) => ({ ...value, ...policies.hashing(consistentHashingLbConfig) }),
  },
  cluster_provided: {},
  client_side_weighted_round_robin: {
    limited: true,
    own: () => ({ slow_start_config: withLimits(SlowStart, false) }),
  },
  subset: {
    inner: 'subset_lb_policy',
    rules: subsetRules,
    // Unlike lb_subset_config it divides without selectors, too: the fallback answers every request.
    read: ({ subsetSelectors, localityWeightAware, ...value }) => ({
      ...value,
      subsetSelectors: subsetSelectors.length === 0 ? [WITHOUT_KEYS] : subsetSelectors,
      localityWeightAware: localityWeightAware && policies.weighsLocalities(value.inner),
    }),
  },
  wrr_locality: { inner: 'endpoint_picking_policy', rules: [reportedOnly] },
  load_aware_locality: { inner: 'endpoint_picking_policy', limited: true },
  override_host: { inner: 'fallback_policy', limited: true },
};

type PolicyMessages = Readonly<Record<MessageKind, ReturnType<typeof policyMessage>>>;

/** @param inside a `load_balancing_policy`; undefined: in a policy that is passed over. */
export function policyMessages(inside: Schema<policies.Policy | undefined>): PolicyMessages {
  const made = Object.entries<AnySpecial>(SPECIAL).map(([kind, special]) => {
    return [kind, policyMessage(kind as MessageKind, special, inside)] as const;
  });
  return Object.fromEntries(made) as PolicyMessages;
}

function policyMessage(
  kind: MessageKind,
  { limited = false, own = () => ({}), rules = [], inner: field, read = (value) => value }: AnySpecial,
  inside: Schema<policies.Policy | undefined>,
) {
  const message = `${kind}.v3.${camel(`_${kind}`)}`;
  const key = field === undefined ? '' : camel(field);
  const schema = messageWith(`${PACKAGE}.${message}` as keyof Messages, {
    own: () => (field === undefined ? own() : { [field]: inside }),
    rules: (field === undefined ? rules : [holds(kind as policies.Outer['kind'], field), ...rules]) as never,
  });
  return {
    /** Without {@link PACKAGE}. */
    message,
    schema,
    limited,
    inner: field,
    read: (value: object): policies.Policy => {
      const { [key]: inner, ...rest } = value as Readonly<Record<string, unknown>>;
      assert(field === undefined || inner !== undefined, 'only a policy that is passed over has none inside');
      return { kind, ...read((field === undefined ? value : { ...rest, inner }) as never) } as policies.Policy;
    },
    write: ({ kind: _, inner, ...value }: { readonly kind?: unknown; readonly inner?: unknown }): object =>
      field === undefined ? value : { ...value, [key]: inner },
  };
}
