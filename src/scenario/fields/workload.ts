import { yesNo } from '../../config/reader/plain-choices.js';
import { block, defaulted, either, list, optional, required, type Schema } from '../../config/reader.js';
import type { Struct } from '../../core/json-value.js';
import { Distribution } from './behavior.js';
import { decimal, DurationText, integer, LbMetadata, Name, nonEmpty, Rate, Text, U64Text } from './fields.js';
import type { Arrivals, ExplicitRequest, KeyDistribution, RouteCluster, Workload } from '../../settings/world.js';
import { REQUEST_FIELDS } from './retry-policy.js';

/** Traffic: `workloads` and `requests`. */

// --- arrivals ------------------------------------------------------------------------------------------------------

const Closed = block(
  'closed',
  () => ({
    users: required(integer('users', 1, 10_000_000), 'How many users there are.'),
    think_time: defaulted(
      Distribution,
      { kind: 'constant', us: 0 },
      'How long a user waits after an answer. Default 0.',
    ),
  }),
  { doc: 'Users who wait for an answer, think, and send again.' },
);

const RampPoint = block(
  'ramp point',
  () => ({ at: required(DurationText, 'Virtual time of the point.'), rate: required(Rate, 'Rate at that time.') }),
  {
    doc: 'A point of a ramp: between two points the rate is linear, before the first and after the last it is constant.',
  },
);

const Ramp = list(RampPoint).checked((points, fail) => {
  if (points.length === 0) {
    fail('ramp', 'a ramp needs at least one point');
  }
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && point.at <= before.at) {
      fail('ramp', 'the points of a ramp must be in ascending order of time', [index, 'at']);
    }
  }
});

const ARRIVALS = ['poisson', 'constant', 'closed', 'ramp', 'trace'] as const;

const ArrivalsBlock = block(
  'arrivals',
  () => ({
    poisson: optional(Rate, 'Independent arrivals at this mean rate.'),
    constant: optional(Rate, 'Evenly spaced: the first at start, the k-th at start + k/rate.'),
    closed: optional(Closed, 'A fixed number of users, each with at most one request open.'),
    ramp: optional(Ramp, 'Poisson arrivals whose rate is linear between points.'),
    trace: optional(Name, 'CSV file with one arrival time a line, beside the scenario.'),
  }),
  { doc: 'When requests arrive.', oneOfs: [{ name: 'arrivals', fields: ARRIVALS, required: true }] },
);

/** `500/s`, which is Poisson, or a map with exactly one of {@link ARRIVALS}. The times of a trace are filled in later. */
const ArrivalsField: Schema<Arrivals> = either(ArrivalsBlock, Rate).transform((value): Arrivals => {
  if (typeof value === 'number') return { kind: 'poisson', perSecond: value };
  const { poisson, constant, closed, ramp, trace } = value;
  if (constant !== undefined) return { kind: 'constant', perSecond: constant };
  if (closed !== undefined) return { kind: 'closed', users: closed.users, thinkTime: closed.thinkTime };
  if (ramp !== undefined) return { kind: 'ramp', points: ramp.map(({ at, rate }) => ({ atUs: at, perSecond: rate })) };
  if (trace !== undefined) return { kind: 'trace', file: trace, timesUs: [] };
  return { kind: 'poisson', perSecond: poisson ?? 0 };
});

// --- keys ----------------------------------------------------------------------------------------------------------

const KEYS_MAX = 1_000_000_000;

const keyFields = () => ({
  keys: required(integer('keys', 1, KEYS_MAX), 'How many different keys there are.'),
  prefix: defaulted(Text, '', 'What every key starts with: keys are prefix0 to prefix(keys − 1).'),
});

const Zipf = block(
  'zipf',
  () => ({
    ...keyFields(),
    exponent: defaulted(
      decimal('exponent', 'above 0 (for equal shares use uniform)', (exponent) => exponent > 0),
      1,
      'How skewed: the key of rank r has a share in proportion to 1 / r^exponent. Default 1.',
    ),
  }),
  { doc: 'A few keys are popular and most are rare; prefix0 is the most popular.' },
);
const UniformKeys = block('uniform', keyFields, { doc: 'All keys are equally likely.' });
const Sequence = block('sequence', keyFields, { doc: 'One key after the other; after the last, the first again.' });

const KEY_KINDS = ['zipf', 'uniform', 'sequence', 'cycle'] as const;

const HashKey: Schema<KeyDistribution> = block(
  'hash_key',
  () => ({
    zipf: optional(Zipf, 'Popular and rare keys.'),
    uniform: optional(UniformKeys, 'Equally likely keys.'),
    sequence: optional(Sequence, 'Numbered keys in order.'),
    cycle: optional(nonEmpty(Text, 'a cycle needs at least one key'), 'These keys in order, over and over.'),
  }),
  {
    doc: 'Which keys the requests carry; each is hashed with 64-bit xxHash as the proxy hashes a header.',
    oneOfs: [{ name: 'hash_key', fields: KEY_KINDS, required: true }],
  },
).transform(({ zipf, uniform, sequence, cycle }): KeyDistribution => {
  if (zipf !== undefined) return { kind: 'zipf', ...zipf };
  if (uniform !== undefined) return { kind: 'uniform', ...uniform };
  if (sequence !== undefined) return { kind: 'sequence', ...sequence };
  return { kind: 'cycle', keys: cycle ?? [] };
});

// --- workloads -----------------------------------------------------------------------------------------------------

const RouteEntry = block(
  'route entry',
  () => ({
    cluster: required(Name, 'Name of the cluster.'),
    weight: defaulted(integer('weight', 0, 4294967295), 1, 'Its part of the requests, relative to the other entries.'),
    metadata_match: optional(
      LbMetadata,
      "What this entry asks of subsets, over and above the workload's metadata_match.",
    ),
  }),
  { doc: 'One cluster of a weighted route.' },
);

const Route = list(RouteEntry).checked((route, fail) => {
  if (route.length === 0) {
    fail('route', 'a route needs at least one cluster');
  } else if (route.every((entry) => entry.weight === 0)) {
    fail('route', 'all weights are 0: no cluster can be chosen');
  }
});

/** A workload and how it was written: with `route`, or with `cluster`. */
export interface WrittenWorkload extends Workload {
  readonly routed: boolean;
}

/** A workload as written; its name may be missing. */
export type NamelessWorkload = Omit<WrittenWorkload, 'name'> & { readonly name?: string | undefined };

export const WorkloadEntry: Schema<NamelessWorkload> = block(
  'workload',
  () => ({
    name: optional(Name, 'Shown in reports and named by set_rate. Default: workload, workload-2, …'),
    cluster: optional(Name, 'The cluster that all requests go to.'),
    route: optional(Route, 'Several clusters with weights, instead of cluster.'),
    arrivals: required(
      ArrivalsField,
      'When requests arrive: 500/s, or {poisson | constant | closed | ramp | trace: …}.',
    ),
    start: defaulted(DurationText, 0, 'No request arrives before. Default 0s.'),
    stop: optional(DurationText, 'No request arrives then or later. Default: the duration of the run.'),
    hash_key: optional(
      HashKey,
      'The key of each request: the route hashes it, and the header x-key carries it. Absent: the route computes no hash.',
    ),
    route_hash: defaulted(
      yesNo,
      true,
      'false: the route hashes nothing, the key is for policies that read headers themselves. Default true.',
    ),
    ...REQUEST_FIELDS,
    proxies: optional(nonEmpty(Name, 'name at least one proxy'), 'Which proxies get the requests. Default: all.'),
  }),
  {
    doc: 'A stream of requests to a cluster.',
    oneOfs: [{ name: 'where requests go', fields: ['cluster', 'route'], required: true }],
    hints: {
      rate: 'write arrivals: 500/s',
      duration: 'write stop, or the duration of the scenario',
      hash: 'write hash_key; a value itself goes into requests',
      service_time: 'hosts have a service_time: see behavior',
      clusters: 'write route: [{cluster: …, weight: …}]',
    },
    rules: [
      {
        name: 'workload-window',
        reads: ['start', 'stop'],
        check: ({ start, stop }, report) => {
          if (stop !== undefined && stop <= start)
            report('stop is not after start: no request would be sent', ['stop']);
        },
      },
    ],
  },
).transform(
  ({ cluster = '', route, start: startUs, stop: stopUs, timeout: timeoutUs, ...fields }): NamelessWorkload => ({
    ...fields,
    routed: route !== undefined,
    route: withMatch(route ?? [{ cluster, weight: 1 }], fields.metadataMatch),
    startUs,
    stopUs,
    timeoutUs,
  }),
);

/** The entries of a route; what an entry asks goes before what the route asks. */
export const withMatch = (entries: readonly RouteCluster[], route: Struct | undefined): readonly RouteCluster[] =>
  route === undefined
    ? entries
    : entries.map((entry) => ({ ...entry, metadataMatch: { ...route, ...entry.metadataMatch } }));

export const RequestEntry: Schema<ExplicitRequest> = block(
  'request',
  () => ({
    at: required(DurationText, 'When it arrives.'),
    cluster: required(Name, 'Where it goes.'),
    hash_key: optional(Text, 'The key, hashed with 64-bit xxHash.'),
    hash: optional(U64Text, 'The 64-bit hash itself.'),
    random: optional(
      list(U64Text),
      "The 64-bit values that the decisions of this request draw, in drawing order; then 0. Absent: the balancer's own.",
    ),
    service_time: optional(DurationText, 'How long its host works on it, instead of what behavior says.'),
    proxy: optional(Name, 'Which proxy gets it. Default: the first.'),
    worker: optional(integer('worker', 0), 'Which worker gets it, from 0. Default 0.'),
    ...REQUEST_FIELDS,
  }),
  {
    doc: 'One request at one time.',
    oneOfs: [{ name: 'hash', fields: ['hash_key', 'hash'] }],
    hints: { route: 'a request goes to one cluster', arrivals: 'a request has a time: at', start: 'write at' },
  },
).transform(({ at: atUs, serviceTime: serviceTimeUs, timeout: timeoutUs, ...fields }): ExplicitRequest => ({
  ...fields,
  atUs,
  serviceTimeUs,
  timeoutUs,
}));
