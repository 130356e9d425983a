import { describe, expect, it } from 'vitest';
import { observe, type ObservedCluster } from '../../src/analysis/observe/observe.js';
import { predict } from '../../src/predict/predict.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

interface Setting {
  readonly cluster?: string;
  readonly hosts?: readonly string[];
  readonly workload?: string;
  readonly more?: string;
}

const HOSTS = ['1', '2', '3', '4'].map((last) => `address: 10.0.0.${last}:80`);
const ZONES = HOSTS.map((host, index) => `${host}, locality: { zone: ${index < 3 ? 'a' : 'b'} }`);

function withHost(edit: string, hosts = HOSTS): readonly string[] {
  return hosts.map((host, index) => (index === 0 ? `${host}, ${edit}` : host));
}

function textOf({ cluster = '', hosts = HOSTS, workload = '', more = '' }: Setting): string {
  return `
clusters: [{ name: web, connect_timeout: 1s${cluster === '' ? '' : `, ${cluster}`} }]
${hosts.length === 0 ? '' : `endpoints: { web: [${hosts.map((host) => `{ ${host} }`).join(', ')}] }`}
workloads: [{ cluster: web, arrivals: 1000/s, stop: 10s${workload === '' ? '' : `, ${workload}`} }]
${more}
`;
}

/** What is said of a configuration where production has another one, for `part` of the time. */
async function seenBeside(written: Setting, real: Setting, part = 1, requests = 20_000): Promise<ObservedCluster> {
  const counts = new Map<string, number>();
  for (const [one, weight] of [[real, part] as const, [written, 1 - part] as const]) {
    const { clusters } = await predict(scenarioOf(textOf(one)));
    for (const { address, share } of clusters['web']?.hosts ?? []) {
      const host = address.replace(':81', ':80');
      counts.set(host, (counts.get(host) ?? 0) + share * weight * requests);
    }
  }
  const text = [...counts].map(([host, count]) => `${host} ${Math.round(count)}`).join('\n');
  const { clusters } = await observe(scenarioOf(textOf(written)), [{ file: 'seen.csv', text }]);
  const found = clusters['web'];
  if (found === undefined) throw new Error('nothing is said');
  return found;
}

const LOCALITIES = (weight: number, on: boolean): Setting => ({
  hosts: [],
  cluster:
    `${on ? 'common_lb_config: { locality_weighted_lb_config: {} }, ' : ''}load_assignment: { cluster_name: web, endpoints: [` +
    ['a', 'b']
      .map((zone, index) => {
        const own = [0, 1, 2].slice(0, 3 - index).map((host) => {
          return `{ endpoint: { address: { socket_address: { address: 10.0.${index}.${host + 1}, port_value: 80 } } } }`;
        });
        return `{ locality: { zone: ${zone} }, load_balancing_weight: ${index === 0 ? weight : 1}, lb_endpoints: [${own.join(', ')}] }`;
      })
      .join(', ') +
    '] }',
});

const MATCH = 'metadata_match: { v: "2" }';

const SUBSETS = (fallback: string, metadata: string): Setting => ({
  cluster: `lb_subset_config: { fallback_policy: ${fallback}, default_subset: { v: "1" }, subset_selectors: [{ keys: [v] }] }`,
  hosts: HOSTS.map((host, index) => `${host}, metadata: { v: "${index < 1 ? 1 : 2}" }`),
  workload: metadata,
});

const RANDOM = 'lb_policy: RANDOM';
/** Another port of a host stands for the host itself. */
const TWICE = [...HOSTS, 'address: 10.0.0.1:81'];
const UNEQUAL = ['9', '4', '1', '1'].map((weight, index) => `${HOSTS[index] ?? ''}, weight: ${weight}`);

const CASES: readonly (readonly [says: string, written: Setting, real: Setting, part?: number])[] = [
  ['it was unhealthy', {}, { hosts: withHost('health: UNHEALTHY') }],
  ['it was unhealthy for 70 % of the time', {}, { hosts: withHost('health: UNHEALTHY') }, 0.7],
  ['it was healthy instead of unhealthy', { hosts: withHost('health: UNHEALTHY') }, {}],
  ['its weight is 1 instead of 3', { hosts: withHost('weight: 3', ZONES) }, { hosts: ZONES }],
  ['its weight is 5 instead of 1', {}, { hosts: withHost('weight: 5') }],
  ['it is listed twice', { cluster: RANDOM }, { cluster: RANDOM, hosts: TWICE }],
  ['weights of hosts are not used', { hosts: UNEQUAL }, {}],
  ['the weight of zone a is 4 instead of 1', LOCALITIES(1, true), LOCALITIES(4, true)],
  ['weights of localities are not used', LOCALITIES(4, true), LOCALITIES(4, false)],
  ['weights of localities are used', LOCALITIES(4, false), LOCALITIES(4, true)],
  ['the fallback of subsets is ANY_ENDPOINT', SUBSETS('DEFAULT_SUBSET', ''), SUBSETS('ANY_ENDPOINT', '')],
  ['40 % of the requests do not ask for a subset', SUBSETS('ANY_ENDPOINT', MATCH), SUBSETS('ANY_ENDPOINT', ''), 0.4],
];

describe('counters of the cluster', () => {
  const ZONED = `
proxies: [{ name: edge, node: { id: a, cluster: edge, locality: { zone: a } }, local_cluster_name: edge }]
clusters: [{ name: web, connect_timeout: 1s }, { name: edge, connect_timeout: 1s }]
endpoints:
  web: [{ address: 10.0.0.1:80, count: 4, zone: a }, { address: 10.0.1.1:80, count: 4, zone: b }]
  edge: [{ address: 10.9.0.1:80, zone: a }, { address: 10.9.1.1:80, zone: b }]
workloads: [{ cluster: web, arrivals: 1000/s, stop: 10s }]
`;
  const counts = [0, 1].flatMap((zone) => [1, 2, 3, 4].map((host) => `web,10.0.${zone}.${host}:80,1000`)).join('\n');
  const stats = (by: number): string =>
    ['lb_zone_cluster_too_small', 'lb_zone_number_differs', 'lb_healthy_panic']
      .map((name, index) => `cluster.web.${name}: ${index === 0 ? by : 7}`)
      .join('\n');
  const pages = [1, 2].map((by) => ({ file: `stats-${by}.txt`, text: stats(by) }));

  it('tell which gate turns routing by zone off', async () => {
    const { says } = await observe(scenarioOf(ZONED), [{ file: 'seen.csv', text: counts }, ...pages]);
    expect(says).toContain('requests are not routed by zone, as lb_zone_cluster_too_small says');
  });

  it('are named as what would tell where they are not given', async () => {
    const { clusters } = await observe(scenarioOf(ZONED), [{ file: 'seen.csv', text: counts }]);
    const [cause] = clusters['web']?.causes.filter(({ kind }) => kind === 'zone_routing') ?? [];
    expect(cause).toMatchObject({
      grew: [],
      look: 'lb_zone_cluster_too_small, lb_zone_number_differs and lb_local_cluster_not_ok in /stats',
    });
  });
});

it('weights that a page shows are used by the proxy: the policy is one that knows none', async () => {
  const text = textOf({ hosts: UNEQUAL, cluster: RANDOM }).replace('lb_policy: RANDOM', 'lb_policy: LEAST_REQUEST');
  const page = (by: number): string =>
    [9, 4, 1, 1]
      .map(
        (weight, index) =>
          `web::10.0.0.${index + 1}:80::rq_total::${by * ([2480, 2530, 2470, 2520][index] ?? 0)}\nweb::10.0.0.${index + 1}:80::weight::${weight}`,
      )
      .join('\n');
  const seen = [1, 2].map((by) => ({ file: `${by}.txt`, text: page(by) }));
  const { says } = await observe(scenarioOf(text), seen);
  expect(says).toContain('the policy is RANDOM, which uses no weights of hosts, instead of LEAST_REQUEST');
});

it('a host that pages show as unhealthy is not taken for a degraded one', async () => {
  const written = textOf({ hosts: withHost('health: UNHEALTHY', HOSTS.slice(0, 3)) });
  const page = (counts: readonly number[]): string =>
    counts
      .map(
        (count, index) =>
          `web::10.0.0.${index + 1}:80::rq_total::${count}\n${index === 0 ? 'web::10.0.0.1:80::health_flags::/failed_outlier_check\n' : ''}`,
      )
      .join('');
  const seen = [
    [0, 0, 0],
    [3, 11, 10],
  ].map((counts, at) => ({ file: `${at}.txt`, text: page(counts) }));
  const { says } = await observe(scenarioOf(written), seen);
  expect(says).toMatch(/it was healthy for \d+ % of the time instead of unhealthy/);
  expect(says).not.toContain('degraded');
});

it('of a mesh they are those that the cluster has alone', async () => {
  const seen = [
    {
      file: 'seen.csv',
      text: HOSTS.map((_, index) => `web,10.0.0.${index + 1}:80,${index === 0 ? 9 : 997}`).join('\n'),
    },
  ];
  const alone = textOf({});
  const others = Array.from({ length: 3 }, (_, index) => `, { name: other${index}, connect_timeout: 1s }`).join('');
  const mesh = alone
    .replace('1s }]', `1s }${others}]`)
    .replace(
      '] }\nworkloads: [',
      '], other0: [10.0.0.1:80], other1: [10.0.9.1:80], other2: [10.0.9.1:80] }\nworkloads: [{ cluster: other1, arrivals: 10/s, stop: 10s }, ',
    );
  const [one, several] = await Promise.all([alone, mesh].map((text) => observe(scenarioOf(text), seen)));
  expect(several?.clusters['web']?.causes).toEqual(one?.clusters['web']?.causes);
  expect(one?.clusters['web']?.causes).not.toEqual([]);
});

describe('a cause is named', () => {
  const cases = CASES.map(([says, written, real, part = 1]) => ({ says, written, real, part }));
  it.each(cases)('$says', async ({ says, written, real, part }) => {
    expect((await seenBeside(written, real, part)).says).toContain(says);
  });

  it('where hosts are not configured', async () => {
    const { causes } = await seenBeside({ hosts: HOSTS.slice(0, 3) }, {});
    expect(causes.map((one) => one.says)).toEqual([
      'the proxy was given other hosts than these files have: 10.0.0.4:80',
    ]);
  });

  it('where counts vary as draws do, and turns do not', async () => {
    const counts = [4880, 5110, 5075, 4935].map((count, index) => `10.0.0.${index + 1}:80 ${count}`).join('\n');
    const { says } = await observe(scenarioOf(textOf({})), [{ file: 'seen.csv', text: counts }]);
    expect(says).toMatch(/most likely the policy is \w+ instead of ROUND_ROBIN/);
  });
});
