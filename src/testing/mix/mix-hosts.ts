import { defined } from '../../core/values.js';
import { POOLS } from './generated/pools.js';
import fc from 'fast-check';

/** A scenario, or a part of one, as a file would hold it. */
export type Json = Record<string, unknown>;

/** Most of the time the default. */
export const sometimes = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.constantFrom<T | undefined>(undefined, undefined, ...values);

/** One of a list of pools.yaml. */
export const fromPool = (name: 'localities' | 'matches' | 'behaviors'): fc.Arbitrary<Json | undefined> =>
  fc.constantFrom<Json | null>(...POOLS[name]).map((one) => one ?? undefined);

type Fields = { readonly [Field in string]: readonly unknown[] | Fields };

/** A record of pools.yaml: of each field one of its list, or none of it. */
export const recordOf = (
  name: Exclude<keyof typeof POOLS, 'localities' | 'matches' | 'hash_policies' | 'behaviors'>,
): fc.Arbitrary<Json> => fieldsOf(POOLS[name]);

function fieldsOf(fields: Fields): fc.Arbitrary<Json> {
  const drawn: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [field, values] of Object.entries(fields))
    drawn[field] = isLists(values) ? fieldsOf(values) : fc.constantFrom(...values.map((one) => one ?? undefined));
  return fc.record(drawn, { noNullPrototype: true }).map(defined);
}

const isLists = (values: readonly unknown[] | Fields): values is Fields => !Array.isArray(values);

/** `behavior` of hosts: which statuses they answer, and which loads they report. */
export function answers(): fc.Arbitrary<readonly Json[]> {
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 200, 200, 404, 500, 503),
    report: fc.option(fc.record({ own: recordOf('report') }), { nil: undefined, freq: 4 }),
  });
  return fc.array(answer, { minLength: ADDRESSES, maxLength: ADDRESSES }).map((all) =>
    all.flatMap(({ status, report }, index) => {
      const failing = status !== 200 && { error_rate: '100%', error_status: status };
      const said = { ...failing, ...(report !== undefined && { load_report: report.own }) };
      return Object.keys(said).length === 0 ? [] : [{ hosts: { address: `${addressAt(index + 1)}:80` }, ...said }];
    }),
  );
}

/** So many hosts have addresses of their own. */
const ADDRESSES = 30;

const addressAt = (ip: number): string => `10.0.0.${ip}`;

/** The assignment, or one that drops a part of the requests. */
export const withDrops = (hosts: Json): fc.Arbitrary<Json> =>
  fc.constantFrom(undefined, undefined, undefined, undefined, 0, 30, 100).map((numerator) => {
    if (numerator === undefined) return hosts;
    const drops = [{ category: 'load', drop_percentage: { numerator, denominator: 'HUNDRED' } }];
    return { ...hosts, policy: { ...(hosts['policy'] as Json), drop_overloads: drops } };
  });

/** Entries of an assignment: places come in pieces and at several priorities, with and without a name and a weight. */
export function assignment(clusterName: string, weighted: boolean): fc.Arbitrary<Json> {
  const entry = fc.record({
    priority: fc.constantFrom(0, 0, 0, 1, 2),
    locality: fromPool('localities'),
    weight: weighted ? fc.constantFrom(undefined, 1, 2, 5) : fc.constant(undefined),
    endpoints: fc.array(endpoint(), { minLength: 0, maxLength: 6 }),
  });
  return fc
    .record({
      factor: sometimes(100, 120, 200),
      weightedHealth: sometimes(true),
      entries: fc.array(entry, { minLength: 1, maxLength: 6 }),
    })
    .map(({ factor, weightedHealth, entries }) => ({
      cluster_name: clusterName,
      policy: defined({ overprovisioning_factor: factor, weighted_priority_health: weightedHealth }),
      endpoints: entries.map((group) =>
        defined({
          priority: group.priority,
          locality: group.locality,
          load_balancing_weight: group.weight,
          lb_endpoints: group.endpoints,
        }),
      ),
    }));
}

/** The assignment with the first hosts of each entry, each address once, as servers on loopback stand for them. */
export function withFewHosts(hosts: Json): Json {
  const seen = new Set<string>();
  const isFirst = (host: Json): boolean => {
    const { size } = seen;
    return size < MOST_PLAYED && seen.add(JSON.stringify(host['endpoint'])).size > size;
  };
  const groups = hosts['endpoints'] as readonly Json[];
  return {
    ...hosts,
    endpoints: groups.map((group) => ({
      ...group,
      lb_endpoints: (group['lb_endpoints'] as readonly Json[]).slice(0, 2).filter(isFirst),
    })),
  };
}

const MOST_PLAYED = 6;

/** The assignment with other health, weights and metadata of some hosts, without some, and with new ones. */
export function changed(first: Json): fc.Arbitrary<Json> {
  const each = (first['endpoints'] as readonly Json[]).map((group) => {
    const hosts = (group['lb_endpoints'] as readonly Json[]).map(changedHost);
    return fc
      .record({
        stays: fc.tuple(...hosts),
        joins: fc.array(endpoint(), { maxLength: 1 }),
        isThere: fc.constantFrom(true, true, true, true, false),
      })
      .map(({ stays, joins, isThere }) =>
        isThere ? [{ ...group, lb_endpoints: [...stays.filter((host) => host !== undefined), ...joins] }] : [],
      );
  });
  return fc.tuple(...each).map((changes) => ({ ...first, endpoints: changes.flat() }));
}

/** undefined: it is gone. */
const changedHost = (host: Json): fc.Arbitrary<Json | undefined> =>
  fc
    .record({
      what: fc.constantFrom('same', 'same', 'same', 'gone', 'health_status', 'load_balancing_weight', 'metadata'),
      other: endpoint(),
    })
    .map(({ what, other }): Json | undefined => {
      if (what === 'gone') return undefined;
      if (what === 'same') return host;
      return { ...host, [what]: other[what] };
    });

export const health = (): fc.Arbitrary<string> =>
  fc.constantFrom('HEALTHY', 'HEALTHY', 'HEALTHY', 'UNKNOWN', 'UNHEALTHY', 'DEGRADED', 'DRAINING', 'TIMEOUT');

/** Few addresses, so that some hosts are named twice. */
export const endpoint = (): fc.Arbitrary<Json> =>
  fc
    .record({
      ip: fc.integer({ min: 1, max: ADDRESSES }),
      status: health(),
      weight: fc.constantFrom(1, 1, 1, 2, 5, 300),
      metadata: metadata(),
    })
    .map(({ ip, status, weight, metadata: own }) => ({
      endpoint: { address: { socket_address: { address: addressAt(ip), port_value: 80 } } },
      health_status: status,
      load_balancing_weight: weight,
      metadata: { filter_metadata: { 'proxy.lb': own } },
    }));

/** Values of all types; lists matter to `list_as_any`. */
export const metadata = (): fc.Arbitrary<Json> =>
  fc
    .record({
      v: fc.constantFrom<unknown>('1', '1', '2', ['1', '2'], [], ['1', '1'], 1, null, undefined),
      s: fc.constantFrom<unknown>('x', 'x', 'y', { a: 1, b: [true] }, undefined),
      u: fc.constantFrom<unknown>(undefined, undefined, true, 'only'),
      hash_key: fc.constantFrom<unknown>(undefined, undefined, undefined, 'k1', 'k2', ''),
    })
    .map(defined);
