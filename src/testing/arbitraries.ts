import fc from 'fast-check';
import { demand, INDEX, must } from '../core/arguments.js';
import { optionsIn } from '../core/options.js';
import { type JsonValue, type Struct, defined } from '../core/values.js';
import { MODERN_PROXY_VERSION } from '../core/version.js';
import type { HealthStatus } from '../host/host.js';
import { UNSET } from '../hostset/generated/unset.js';
import type { HostSet } from '../hostset/host-set.js';
import type { SubsetConfig, SubsetSelector } from '../hostset/lb-config.js';
import { type HostsOptions, type RequestsOptions, StoryOptions } from './generated/law-options.js';
import type { HostChange, Story, StoryCluster, StoryHost, StoryRequest, StoryStep } from './story.js';
import { hostOf, hostSetOf, NODE_ZONE } from './story.js';

/**
 * The examples of the laws. All shrink towards fewer hosts, fewer events and default settings, so that a counterexample is
 * a scenario of a few lines.
 */

const ZONES = ['a', 'b', 'c'] as const;
const HEALTH: readonly HealthStatus[] = ['HEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING'];

const mostlyHealthy: fc.Arbitrary<HealthStatus> = fc.oneof(
  { arbitrary: fc.constant<HealthStatus>('HEALTHY'), weight: 3 },
  { arbitrary: fc.constantFrom<HealthStatus>('UNHEALTHY', 'DEGRADED', 'DRAINING'), weight: 2 },
);

const ARBITRARY = must('an arbitrary of fast-check', (value) => value instanceof fc.Arbitrary);
/** Options of a part are those of the whole. */
const OPTIONS = optionsIn({
  ...{ ...StoryOptions, priority: 'index' },
  ...{ health: ARBITRARY, metadata: ARBITRARY, metadataMatch: ARBITRARY, cluster: ARBITRARY },
});

/** The hosts of a cluster: several priorities and zones, any health, idle or not. */
export function hosts(options: HostsOptions = {}): fc.Arbitrary<readonly StoryHost[]> {
  demand('hosts', ['options', options, OPTIONS]);
  const {
    maxHosts = 8,
    maxPriorities = 3,
    maxWeight = 5,
    health = mostlyHealthy,
    metadata = fc.constant({}),
    withNew = false,
  } = options;
  const isNew = withNew ? fc.constantFrom(false, false, false, true) : fc.constant(false);
  return fc
    .array(
      fc.record({
        priority: fc.nat(maxPriorities - 1),
        zone: fc.constantFrom(...ZONES),
        weight: fc.integer({ min: 1, max: maxWeight }),
        health,
        metadata,
        isNew,
        busy: fc.constantFrom(0, 0, 1, 5),
      }),
      { maxLength: maxHosts },
    )
    .map((list) => list.map((host, index) => ({ address: `10.0.${host.priority}.${index + 1}:80`, ...host })));
}

/** The lists of one priority, as its balancer gets them from a proxy in zone a. */
export function hostSet(options: HostsOptions & { readonly priority?: number } = {}): fc.Arbitrary<HostSet> {
  demand('hostSet', ['options', options, OPTIONS]);
  const { priority = 0 } = options;
  return fc
    .tuple(hosts({ ...options, maxPriorities: 1 }), fc.option(zoneWeights, { nil: undefined }))
    .map(([list, weights]): HostSet => {
      return hostSetOf({ priority, hosts: list.map((host) => hostOf(host, MODERN_PROXY_VERSION)) }, NODE_ZONE, weights);
    });
}

const zoneWeights = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) });

/** A third of the hosts is above 33 % and below 34 %. */
const healthyPanicThreshold = fc.constantFrom(50, 0, 100, 33, 34);

/** A cluster without weighted localities and without zone-aware routing: all hosts of a level are in one list. */
export const plainCluster = (): fc.Arbitrary<StoryCluster> =>
  fc.record({ healthyPanicThreshold, failTrafficOnPanic: fc.boolean() });

/** A cluster's settings of balancing, without its policy and its subsets. */
export function cluster(): fc.Arbitrary<StoryCluster> {
  const callers = fc.option(zoneWeights, { nil: undefined });
  // Weighted localities and zone-aware routing exclude each other in a cluster's configuration.
  return fc.oneof(
    fc.record({ healthyPanicThreshold, failTrafficOnPanic: fc.boolean(), callers }),
    fc.record({ healthyPanicThreshold, failTrafficOnPanic: fc.constant(false), localityWeights: zoneWeights }),
  );
}

/** A stream of requests, with hashes and without. */
export function requests(options: RequestsOptions = {}): fc.Arbitrary<readonly StoryRequest[]> {
  demand('requests', ['options', options, OPTIONS]);
  const { maxRequests = 12, metadataMatch } = options;
  const any = fc.record({ hi: fc.nat(0xffffffff), lo: fc.nat(0xffffffff) });
  // Some come again, after the host that they led to has changed.
  const again = fc.nat(3).map((key) => ({ hi: key * 0x2c1b3c6d, lo: key }));
  const hash = fc.option(fc.oneof(any, again), { nil: undefined, freq: 2 });
  const request =
    metadataMatch === undefined ? fc.record({ hash }).map(defined) : fc.record({ hash, metadataMatch }).map(defined);
  return fc.array(request, { minLength: 1, maxLength: maxRequests, size: 'max' });
}

/** Changes of `hostCount` hosts: health, weights, joining and leaving, each followed by requests. */
export function healthHistory(
  hostCount: number,
  stream: fc.Arbitrary<readonly StoryRequest[]> = requests(),
  maxChanges = 5,
  metadata?: fc.Arbitrary<Struct>,
): fc.Arbitrary<readonly StoryStep[]> {
  demand('healthHistory', ['hostCount', hostCount, INDEX], ['stream', stream, ARBITRARY]);
  const start = stream.map((first): StoryStep => ({ requests: first }));
  if (hostCount === 0) return start.map((step) => [step]);
  const host = fc.nat(hostCount - 1);
  const change: fc.Arbitrary<HostChange> = fc.oneof(
    fc.record({ host, health: fc.constantFrom(...HEALTH) }),
    fc.record({ host, weight: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ host, present: fc.boolean() }),
    ...(metadata === undefined ? [] : [fc.record({ host, metadata })]),
  );
  const later = fc.record({ change, requests: stream });
  return fc
    .tuple(start, fc.array(later, { maxLength: maxChanges, size: 'max' }))
    .map(([first, rest]) => [first, ...rest]);
}

/** A cluster, its hosts, their changes, and the requests in between. */
export function story(options: StoryOptions = {}): fc.Arbitrary<Story> {
  demand('story', ['options', options, OPTIONS]);
  const { maxHosts = 8 } = options;
  return fc
    .record({
      seed: fc.nat(9999),
      cluster: options.cluster ?? cluster(),
      hosts: hosts(options),
      // Drawn beside the hosts and not after them, so that each shrinks by itself.
      steps: healthHistory(maxHosts, requests(options), options.maxChanges, options.metadata),
    })
    .map(({ steps, ...story }) => {
      const { length } = story.hosts;
      const own = steps.map(({ change, ...step }) =>
        change === undefined || length === 0 ? step : { change: { ...change, host: change.host % length }, ...step },
      );
      return { ...story, steps: own };
    });
}

const stage = fc.constantFrom('prod', 'dev');
const version = fc.constantFrom<string | number>('1', '2', 1);

/** Metadata of hosts and of requests, with values that differ by type alone. */
export const subsetMetadata = (): fc.Arbitrary<Struct> => labels(version);

/** Metadata of hosts, some with lists of values, which `list_as_any` reads as any of them. */
export function listedMetadata(): fc.Arbitrary<Struct> {
  return labels(fc.oneof(version, fc.uniqueArray(version, { minLength: 1, maxLength: 2 })));
}

const labels = (versions: fc.Arbitrary<JsonValue>): fc.Arbitrary<Struct> =>
  fc
    .record({ stage: fc.option(stage, { nil: undefined }), version: fc.option(versions, { nil: undefined }) })
    .map(defined);

/** A legal `lb_subset_config` over the keys `stage` and `version`. */
export function subsetConfig(): fc.Arbitrary<SubsetConfig> {
  const fallbackPolicy = fc.constantFrom('NOT_DEFINED', 'NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET');
  const selector = (...keys: readonly string[]): fc.Arbitrary<SubsetSelector> =>
    fc.record({ fallbackPolicy }).map((own) => ({ keys, ...UNSET.selector, ...own }));
  const reducing = fc.constantFrom('stage', 'version').map((key): SubsetSelector => ({
    ...{ ...UNSET.selector, keys: ['stage', 'version'] },
    ...{ fallbackPolicy: 'KEYS_SUBSET', fallbackKeysSubset: [key] },
  }));
  const selectors = fc.oneof(selector('version'), selector('stage'), selector('stage', 'version'), reducing);
  return fc
    .record({
      fallbackPolicy: fc.constantFrom('NO_FALLBACK', 'ANY_ENDPOINT', 'DEFAULT_SUBSET'),
      defaultSubset: subsetMetadata(),
      selectors: fc.array(selectors, { minLength: 1, maxLength: 3 }),
      panicModeAny: fc.boolean(),
      listAsAny: fc.boolean(),
    })
    .map((own) => ({ ...UNSET.subset, ...own }));
}
