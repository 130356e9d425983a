import { words, yesNo, defaulted, either, list, optional, required, rule, type Schema } from '../../config/reader.js';
import { block, choice, ofKind, says } from './block.js';
import type { Struct } from '../../core/values.js';
import { Durations } from './distribution.js';
import * as read from './fields.js';
import type * as worlds from '../../settings/world.js';
import { REQUEST_FIELDS } from './retry-policy.js';

/** Traffic: `workloads` and `requests`. */

const RampPoint = block('ramp point', () => ({ at: required(read.DurationText), rate: required(read.Rate) }));

const Ramp = list(RampPoint).checked((points, fail) => {
  if (points.length === 0) fail('ramp', 'a ramp needs at least one point');
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && point.at <= before.at)
      fail('ramp', 'the points of a ramp must be in ascending order of time', [index, 'at']);
  }
});

const poisson = (perSecond: number): worlds.Arrivals => ({ kind: 'poisson', perSecond });

const ArrivalsBlock = choice<worlds.Arrivals>('arrivals', () => ({
  poisson: says(read.Rate, poisson),
  constant: says(read.Rate, (perSecond) => ({ kind: 'constant', perSecond })),
  closed: ofKind('closed', () => ({
    users: required(read.integer('users', 1, 10_000_000)),
    think_time: defaulted(Durations, { kind: 'constant', value: 0 }),
  })),
  ramp: says(Ramp, (ramp) => ({ kind: 'ramp', points: ramp.map(({ at, rate }) => ({ atUs: at, perSecond: rate })) })),
  trace: says(read.Name, (file) => ({ kind: 'trace', file, timesUs: [] })),
}));

/** `500/s`, which is Poisson, or a map with exactly one of those. The times of a trace are filled in later. */
const ArrivalsField: Schema<worlds.Arrivals> = either(ArrivalsBlock, read.Rate.transform(poisson));

const KEYS_MAX = 1_000_000_000;

const keyFields = () => ({
  keys: required(read.integer('keys', 1, KEYS_MAX)),
  prefix: defaulted(read.Text, ''),
});

const HashKey = choice<worlds.KeyDistribution>('hash_key', () => ({
  zipf: ofKind('zipf', () => ({
    ...keyFields(),
    exponent: defaulted(
      read.decimal('exponent', 'above 0 (for equal shares use uniform)', (exponent) => exponent > 0),
      1,
    ),
  })),
  uniform: says(block('uniform keys', keyFields), (uniform) => ({ kind: 'uniform', ...uniform })),
  sequence: ofKind('sequence', keyFields),
  cycle: says(read.nonEmpty(read.Text, 'a cycle needs at least one key'), (keys) => ({ kind: 'cycle', keys })),
}));

/** As many as there are addresses of IPv4 in a block that a company has. */
const CLIENTS_MAX = 16_777_216;

const Clients: Schema<worlds.ClientsSpec> = block('clients', () => ({
  count: required(read.integer('count', 1, CLIENTS_MAX)),
  keys: defaulted(words(['uniform', 'zipf', 'sequence']), 'uniform'),
  address: defaulted(read.AddressBlock, { ip: { version: 4, groups: [0x0a00, 0] }, prefix: 8 }),
  cookie: defaulted(words(['keep', 'drop']), 'keep'),
})).transform(({ count: keys, keys: kind, address: addresses, cookie }) => ({
  turns: kind === 'zipf' ? { kind, keys, exponent: 1, prefix: '' } : { kind, keys, prefix: '' },
  addresses,
  keepCookies: cookie === 'keep',
}));

const RouteEntry = block('route entry', () => ({
  cluster: required(read.Name),
  weight: defaulted(read.integer('weight', 0, 4294967295), 1),
  metadata_match: optional(read.LbMetadata),
}));

const Route = list(RouteEntry).checked((route, fail) => {
  if (route.length === 0) fail('route', 'a route needs at least one cluster');
  else if (route.every((entry) => entry.weight === 0)) fail('route', 'all weights are 0: no cluster can be chosen');
});

/** A workload and how it was written: with `route`, or with `cluster`. */
export interface WrittenWorkload extends worlds.Workload {
  readonly routed: boolean;
}

export type NamelessWorkload = Omit<WrittenWorkload, 'name'> & { readonly name?: string | undefined };

export const WorkloadEntry: Schema<NamelessWorkload> = block(
  'workload',
  () => ({
    name: optional(read.Name),
    cluster: optional(read.Name),
    route: optional(Route),
    arrivals: required(ArrivalsField),
    start: defaulted(read.DurationText, 0),
    stop: optional(read.DurationText),
    hash_key: optional(HashKey),
    route_hash: defaulted(yesNo, true),
    ...REQUEST_FIELDS,
    proxies: optional(read.nonEmpty(read.Name, 'name at least one proxy')),
    clients: optional(Clients),
  }),
  rule('workload-window', ['start', 'stop'], ({ start, stop }, report) => {
    if (stop !== undefined && stop <= start) report('stop is not after start: no request would be sent', ['stop']);
  }),
).transform(({ cluster = '', route, start: startUs, stop: stopUs, timeout, ...fields }): NamelessWorkload => ({
  ...fields,
  routed: route !== undefined,
  route: withMatch(route ?? [{ cluster, weight: 1 }], fields.metadataMatch),
  startUs,
  stopUs,
  timeoutUs: fields.tcp?.maxDownstreamConnectionDuration ?? timeout,
}));

/** The entries of a route; what an entry asks goes before what the route asks. */
export const withMatch = (
  entries: readonly worlds.RouteCluster[],
  route: Struct | undefined,
): readonly worlds.RouteCluster[] =>
  route === undefined
    ? entries
    : entries.map((entry) => ({ ...entry, metadataMatch: { ...route, ...entry.metadataMatch } }));

const Answer: Schema<worlds.ScriptedAnswer> = block('answer', () => ({
  service_time: optional(read.DurationText),
  status: optional(read.integer('a status', 200, 599)),
})).transform(({ serviceTime: serviceUs, status }) => ({ serviceUs, status }));

export const RequestEntry: Schema<worlds.ExplicitRequest> = block('request', () => ({
  at: required(read.DurationText),
  cluster: optional(read.Name),
  route: optional(Route),
  address: optional(read.IpPort),
  hash_key: optional(read.Text),
  hash: optional(read.U64Text),
  random: optional(list(read.U64Text)),
  service_time: optional(read.DurationText),
  answers: optional(read.nonEmpty(Answer, 'say what at least one attempt gets')),
  proxy: optional(read.Name),
  worker: optional(read.integer('worker', 0)),
  ...REQUEST_FIELDS,
})).transform(({ at: atUs, serviceTime: serviceUs, timeout, route, ...fields }): worlds.ExplicitRequest => ({
  ...fields,
  cluster: fields.cluster ?? route?.[0]?.cluster ?? '',
  route: route && withMatch(route, fields.metadataMatch),
  atUs,
  answers: fields.answers ?? (serviceUs === undefined ? undefined : [{ serviceUs }]),
  timeoutUs: fields.tcp?.maxDownstreamConnectionDuration ?? timeout,
}));
