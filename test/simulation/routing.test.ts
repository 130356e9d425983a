import { describe, expect, it } from 'vitest';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

const HOSTS = { a: ['10.0.0.1:80', '10.0.0.2:80'], b: ['10.1.0.1:80', '10.1.0.2:80'] };

interface Wanted {
  readonly requests?: readonly object[];
  readonly workloads?: readonly object[];
  readonly policy?: string;
  /** What else happens. */
  readonly world?: object;
}

async function run({ requests, workloads, policy = 'RING_HASH', world }: Wanted): Promise<readonly RequestRecord[]> {
  const { scenario, problems } = loadScenarioValue(
    {
      api: 'v3',
      proxy: { version: '1.40', address: '10.255.0.1:80' },
      clusters: ['a', 'b'].map((name) => ({ name, lb_policy: policy })),
      endpoints: HOSTS,
      ...(requests && { requests: requests.map((one) => ({ at: '0s', ...ROUTE, ...one })) }),
      ...(workloads && { workloads }),
      ...world,
    },
    'routes',
  );
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const records: RequestRecord[] = [];
  const simulation = await createSimulation(scenario as NonNullable<typeof scenario>, {
    onRequest: (record) => records.push(record),
  });
  while (!simulation.advance(Infinity));
  return records.sort((one, other) => one.request - other.request);
}

const ROUTE = {
  route: [
    { cluster: 'a', weight: 1 },
    { cluster: 'b', weight: 1 },
  ],
  use_hash_policy: true,
};
const COOKIE = { ...ROUTE, hash_policy: [{ cookie: { name: 's', ttl: '60.5s', path: '/x' } }] };

describe('a route that chooses by hash', () => {
  it('takes the cluster of the hash modulo the weights, and the host by the same hash', async () => {
    const hash_policy = [{ header: { header_name: 'x-user' } }];
    const users = Array.from({ length: 40 }, (_, user) => ({ headers: { 'x-user': `u${user}` }, hash_policy }));
    for (const { cluster, hash } of await run({ requests: users })) {
      expect(cluster).toBe(BigInt(hash ?? 0) % 2n === 0n ? 'a' : 'b');
    }
  });

  it('goes by the number in a header, where there is one', async () => {
    const requests = ['0', '1', '2', '3'].map((number) => ({
      use_hash_policy: undefined,
      header_name: 'x-number',
      headers: { 'x-number': number },
    }));
    expect((await run({ requests })).map(({ cluster }) => cluster)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('makes a cookie of both ends of the connection, and only where hosts are looked up', async () => {
    const requests = [{ ...COOKIE, address: '10.9.0.1:4000' }];
    const [record] = await run({ requests });
    expect(record?.setCookies).toEqual([expect.stringMatching(/^s="[0-9a-f]{16}"; Max-Age=60; Path=\/x; HttpOnly$/)]);
    const [plain] = await run({ requests, policy: 'ROUND_ROBIN' });
    expect(plain?.setCookies).toBeUndefined();
  });

  it('makes none where the policy hashes by sources of its own', async () => {
    const hash_policy = [{ header: { header_name: 'x-user' } }];
    const maglev = {
      name: 'maglev',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.extensions.load_balancing_policies.maglev.v3.Maglev',
        consistent_hashing_lb_config: { hash_policy },
      },
    };
    const { scenario } = loadScenarioValue(
      {
        api: 'v3',
        clusters: [{ name: 'a', load_balancing_policy: { policies: [{ typed_extension_config: maglev }] } }],
        endpoints: { a: HOSTS.a },
        requests: [{ at: '0s', cluster: 'a', hash_policy: COOKIE.hash_policy, address: '10.9.0.1:4000' }],
      },
      'its own hash',
    );
    const records: RequestRecord[] = [];
    const hooks = { onRequest: (record: RequestRecord) => records.push(record) };
    const simulation = await createSimulation(scenario as NonNullable<typeof scenario>, hooks);
    while (!simulation.advance(Infinity));
    expect(records.map(({ outcome, setCookies }) => [outcome, setCookies])).toEqual([['answered', undefined]]);
  });

  it('draws the cluster of each request where it has no hash', async () => {
    const requests = Array.from({ length: 40 }, () => ({ use_hash_policy: false }));
    expect(new Set((await run({ requests })).map(({ cluster }) => cluster))).toEqual(new Set(['a', 'b']));
  });

  it('makes it again with each attempt', async () => {
    const retried = { answers: [{ status: 503 }, {}], retry_policy: { retry_on: '5xx', num_retries: 1 } };
    const [record] = await run({ requests: [{ ...COOKIE, ...retried, address: '10.9.0.1:4000' }] });
    expect(record?.attempts).toBe(2);
    expect(record?.setCookies).toHaveLength(2);
    expect(new Set(record?.setCookies).size).toBe(1);
  });

  it('is kept by clients that keep their cookies', async () => {
    const clients = { count: 5, keys: 'sequence', address: '10.9.0.0/16' };
    const workload = { ...COOKIE, arrivals: { constant: '10/s' }, stop: '2s', clients };
    const records = await run({ workloads: [workload] });
    const later = records.slice(5).map(({ host }) => host);
    expect(records.filter(({ setCookies }) => setCookies !== undefined)).toHaveLength(5);
    expect(later.slice(5)).toEqual(later.slice(0, -5));
    const dropped = await run({ workloads: [{ ...workload, clients: { ...clients, cookie: 'drop' } }] });
    expect(dropped.every(({ setCookies }) => setCookies !== undefined)).toBe(true);
  });

  it('comes with the answer of a host alone: a client whose request has none gets it with the next one', async () => {
    const clients = { count: 5, keys: 'sequence', address: '10.9.0.0/16' };
    const workload = { ...COOKIE, arrivals: { constant: '10/s' }, stop: '1.5s', timeout: '0.05s', clients };
    const timeline = [{ at: '0.48s', set_behavior: { hosts: {}, down: 'none' } }];
    const records = await run({ workloads: [workload], world: { behavior: [{ down: 'hang' }], timeline } });
    const made = records.flatMap(({ setCookies }, index) => (setCookies === undefined ? [] : [index]));
    expect(made).toEqual([5, 6, 7, 8, 9]);
  });
});

describe('clients', () => {
  it('have one connection each, and so one worker: two of them cannot keep three busy', async () => {
    const { scenario } = loadScenarioValue(
      {
        proxy: { workers: 3 },
        clusters: [{ name: 'a' }],
        endpoints: { a: HOSTS.a },
        workloads: [{ cluster: 'a', arrivals: '100/s', stop: '2s', clients: { count: 2 } }],
      },
      'clients',
    );
    const workers = new Set<number>();
    const simulation = await createSimulation(scenario as NonNullable<typeof scenario>, {
      onRequest: ({ worker }) => workers.add(worker),
    });
    while (!simulation.advance(Infinity));
    expect(workers.size).toBeLessThan(3);
  });
});

describe('a cluster that says itself what is hashed', () => {
  it('replaces what the route says', async () => {
    const options = {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
        explicit_http_config: { http_protocol_options: {} },
        hash_policy: [{ header: { header_name: 'x-own' } }],
      },
    };
    const { scenario } = loadScenarioValue(
      {
        api: 'v3',
        proxy: { version: '1.40' },
        clusters: [{ name: 'a', lb_policy: 'RING_HASH', typed_extension_protocol_options: options }],
        endpoints: { a: HOSTS.a },
        requests: Array.from({ length: 20 }, (_, number) => ({
          at: '0s',
          cluster: 'a',
          hash_policy: [{ header: { header_name: 'x-route' } }],
          headers: { 'x-own': 'same', 'x-route': `r${number}` },
        })),
      },
      'routes',
    );
    const hosts = new Set<string | null>();
    const simulation = await createSimulation(scenario as NonNullable<typeof scenario>, {
      onRequest: ({ host }) => hosts.add(host),
    });
    while (!simulation.advance(Infinity));
    expect(hosts.size).toBe(1);
  });
});
