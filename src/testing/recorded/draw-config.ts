import type { JsonValue, Struct } from '../../core/values.js';
import { evidenceOf } from '../../core/version.js';
import { UNSET } from '../../hostset/generated/unset.js';
import type * as lbConfig from '../../hostset/lb-config.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import type { RandomStream } from '../../random/streams.js';
import type { SettingSchema } from '../../policy/foreign/policy-module.js';
import { isTablePolicy, moduleOf } from '../../policy/registry.js';
import { CHOICES } from './generated/choices.js';
import type { Emphasis, TrialSubject } from './trial.js';

/** As choices.yaml has them. */
type Choices = readonly unknown[] | number | { readonly [Field in string]: Choices };

type Drawn<C> = C extends readonly (infer One)[]
  ? One
  : C extends number
    ? boolean
    : { readonly [F in keyof C as C[F] extends Optional ? never : F]: Drawn<C[F]> } & {
        readonly [F in keyof C as C[F] extends Optional ? F : never]?: C[F] extends Optional
          ? Drawn<C[F]['of']>
          : never;
      };

type Optional = Readonly<{ percent: number; of: readonly unknown[] }>;

/** Draws the parts of trials. The order of the draws defines them. */
export class Chooser {
  constructor(private readonly stream: RandomStream) {}

  /** A whole number, both ends included. */
  from(low: number, high: number): number {
    return low + Math.floor(this.stream.uniform() * (high - low + 1));
  }

  percent(chance: number): boolean {
    return this.from(0, 99) < chance;
  }

  of<T>(...values: readonly T[]): T {
    return values[this.from(0, values.length - 1)] as T;
  }

  any<C extends Choices>(choices: C): Drawn<C> {
    return this.drawn(choices) as Drawn<C>;
  }

  private drawn(choices: Choices): unknown {
    if (typeof choices === 'number') return this.percent(choices);
    if (isChoice(choices)) return choices.length === 1 ? choices[0] : this.of(...choices);
    const entries = Object.entries(choices).flatMap(([field, own]) => {
      if (!isOptional(own)) return [[field, this.drawn(own)]];
      return this.percent(own.percent) ? [[field, this.drawn(own.of)]] : [];
    });
    return Object.fromEntries(entries);
  }
}

const isChoice = (choices: Choices): choices is readonly unknown[] => Array.isArray(choices);

const isOptional = (choices: unknown): choices is Optional =>
  typeof choices === 'object' && choices !== null && 'percent' in choices && 'of' in choices;

/** Any settings that the policy can have at this version, and policies around it. */
export function drawPolicy(
  some: Chooser,
  subject: TrialSubject,
  clusterName: string,
  parts: Emphasis['parts'],
): lbConfig.PolicySettings {
  const { version, lbPolicy } = subject;
  const isModern = evidenceOf(version).api === 'v3';
  const isTable = isTablePolicy(lbPolicy);
  const localityWeighted = some.percent(parts.localityWeighted);
  const isLoadAware = isModern && !isTable && !localityWeighted && some.percent(parts.loadAware);
  const minimumRingSize = some.of(1, 16, 50, 64);
  const hosts: lbConfig.LoadBalancerConfig = {
    kind: 'hosts',
    clusterName,
    version,
    lbPolicy,
    ...some.any(CHOICES.panic),
    zoneAware: {
      ...some.any(CHOICES.zones),
      forceLocalZone: isModern && some.percent(30) ? { minSize: some.from(1, 3) } : undefined,
      localityBasis: isModern && some.percent(30) ? 'HEALTHY_HOSTS_WEIGHT' : undefined,
    },
    localityWeighted,
    ringHash: {
      minimumRingSize,
      maximumRingSize: minimumRingSize * some.of(1, 2, 64),
      hashFunction: some.of('XX_HASH', 'XX_HASH', 'MURMUR_HASH_2'),
    },
    maglev: { tableSize: some.of(7, 13, 101, 251) },
    consistentHashing: {
      ...some.any(CHOICES.hashing),
      ...(isModern && isTable && some.percent(30) && { hashSources: drawSources(some) }),
    },
    leastRequest: {
      ...some.any(CHOICES.leastRequest),
      selectionMethod: isModern && some.percent(40) ? 'FULL_SCAN' : 'N_CHOICES',
    },
    slowStart: isModern && some.percent(35) ? some.any(CHOICES.slowStart) : undefined,
  };
  const subset = some.percent(parts.subset) ? drawSubset(some, isModern) : undefined;
  const loadAware = isLoadAware ? some.any(CHOICES.loadAware) : undefined;
  const clientSideWeights =
    lbPolicy === 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN' ? some.any(CHOICES.clientSideWeights) : undefined;
  const clientSubset = some.percent(parts.clientSubset)
    ? { method: some.of<ClientSubsetConfig['method']>('deterministic', 'aperture'), size: some.from(1, 4) }
    : undefined;
  const headers =
    isModern && some.percent(12) ? (some.percent(50) ? ['x-host'] : ['x-other-host', 'x-host']) : undefined;
  let policy: lbConfig.PolicySettings = { ...hosts, clientSideWeights, settings: drawSettings(some, lbPolicy) };
  if (loadAware !== undefined) policy = { kind: 'load_aware_locality', ...loadAware, inner: policy };
  if (subset !== undefined) policy = { kind: 'subset', ...subset, inner: policy };
  if (headers !== undefined) policy = { kind: 'override_host', headers, inner: policy };
  if (clientSubset !== undefined) policy = { kind: 'client_subset', ...clientSubset, inner: policy };
  return policy;
}

function drawSources(some: Chooser): readonly lbConfig.HashSource[] {
  const source = (): lbConfig.HashSource => ({
    header: some.of('x-user', 'cookie', 'x-key', undefined),
    terminal: some.percent(30),
  });
  return Array.from({ length: some.from(1, 3) }, () => {
    const one = source();
    return one.header === 'cookie' ? { ...one, cookie: 'session' } : one;
  });
}

function drawSubset(some: Chooser, isModern: boolean): lbConfig.SubsetConfig {
  const fallbacks = ['NOT_DEFINED', 'NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'] as const;
  const selector = (keys: readonly string[]): lbConfig.SubsetSelector => {
    const reduces = keys.length > 1 && some.percent(40);
    return reduces
      ? { ...UNSET.selector, keys, fallbackPolicy: 'KEYS_SUBSET', fallbackKeysSubset: [some.of(...keys)] }
      : { ...UNSET.selector, keys, fallbackPolicy: some.of(...fallbacks) };
  };
  const keys = [['stage'], ['version'], ['stage', 'version'], ['version', 'stage', 'id'], ['id']];
  const others = Array.from({ length: some.from(1, 3) }, () => selector(some.of(...keys)));
  const hasSingle = some.percent(12);
  return {
    ...UNSET.subset,
    ...some.any(CHOICES.subset),
    selectors: hasSingle ? [{ keys: ['id'], ...UNSET.selector, singleHostPerSubset: true }] : others,
    ...(isModern && some.any(CHOICES.modernSubset)),
  };
}

/** Settings of a policy that the proxy has not: defaults, and values around them. */
function drawSettings(some: Chooser, lbPolicy: lbConfig.LbPolicy): Struct {
  const { settings = {} } = moduleOf(lbPolicy) ?? {};
  return Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, drawSetting(some, schema)]));
}

function drawSetting(some: Chooser, schema: SettingSchema): JsonValue {
  switch (schema.type) {
    case 'boolean':
      return some.percent(50);
    case 'string':
      return some.of(...(schema.enum ?? [schema.default ?? '']));
    case 'number':
    case 'integer':
    case 'duration': {
      const { default: usual = 1, minimum = -Infinity, maximum = Infinity } = schema;
      const other = usual * some.of(1, 1, 0.1, 0.25, 0.5, 2);
      const value = Math.min(maximum, Math.max(minimum, other));
      return schema.type === 'number' ? value : Math.max(1, Math.round(value));
    }
  }
}
