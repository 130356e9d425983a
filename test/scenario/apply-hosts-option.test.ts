import { describe, expect, it } from 'vitest';
import { addressText } from '../../src/config/address.js';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

/** `--hosts`: hosts that no file tells, and what is said where nobody tells them. */

const DISCOVERED = 'type: EDS, eds_cluster_config: {eds_config: {ads: {}}}';

function resolved(name: string, type: string, more = ''): string {
  const address = `{socket_address: {address: ${name}.test, port_value: 81}}`;
  const endpoints = `[{lb_endpoints: [{endpoint: {address: ${address}}}]}]`;
  return `{name: ${name}, type: ${type}, ${more} load_assignment: {cluster_name: ${name}, endpoints: ${endpoints}}}`;
}

const BOOTSTRAP = `static_resources:
  clusters:
  - {name: eds, ${DISCOVERED}}
  - {name: "a=b|c", type: EDS, eds_cluster_config: {service_name: service, eds_config: {ads: {}}}}
  - ${resolved('strict', 'STRICT_DNS')}
  - ${resolved('logical', 'LOGICAL_DNS')}
  - ${resolved('six', 'STRICT_DNS', 'dns_lookup_family: V6_ONLY,')}
  - {name: original, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}
  - {name: empty}
`;

function load(options: LoadOptions, text = BOOTSTRAP): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, options);
  if (scenario === undefined) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return scenario;
}

function errors(...hosts: readonly string[]): readonly string[] {
  const { problems } = loadScenario({ file: 'a.yaml', text: BOOTSTRAP }, { hosts });
  return problems.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

function hostsOf({ clusters, assignments }: Scenario, name: string): readonly string[] {
  const assignment = assignments.get(name) ?? clusters.find((one) => one.name === name)?.loadAssignment;
  return (assignment?.endpoints ?? []).flatMap(({ lbEndpoints, locality, priority }) =>
    lbEndpoints.map(({ endpoint, loadBalancingWeight, healthStatus }) =>
      [addressText(endpoint.address), priority, locality?.zone, loadBalancingWeight, healthStatus].join(' '),
    ),
  );
}

describe('hosts of the command line', () => {
  it('are those of a discovered cluster, each with what is known of it', () => {
    const scenario = load({
      hosts: ['eds=10.0.0.1:80,10.0.0.2:80@zone=b@weight=3,[::1]:80@priority=1@health=DRAINING'],
    });
    expect(hostsOf(scenario, 'eds')).toEqual([
      '10.0.0.1:80 0   UNKNOWN',
      '10.0.0.2:80 0 b 3 UNKNOWN',
      '[::1]:80 1   DRAINING',
    ]);
  });

  it('go to the service that the cluster asks for, whatever is in its name', () => {
    expect(hostsOf(load({ hosts: ['a=b|c=10.0.0.1:80'] }), 'service')).toEqual(['10.0.0.1:80 0   UNKNOWN']);
  });

  it('have metadata, and may be several at consecutive addresses', () => {
    const { assignments } = load({ hosts: ['eds=10.0.0.1:80@count=2@metadata.version=v2'] });
    const [group] = assignments.get('eds')?.endpoints ?? [];
    expect(group?.lbEndpoints.map(({ endpoint }) => addressText(endpoint.address))).toEqual([
      '10.0.0.1:80',
      '10.0.0.2:80',
    ]);
    expect(group?.lbEndpoints[0]?.metadata).toEqual({ filterMetadata: { 'proxy.lb': { version: 'v2' } } });
  });

  it('are what the resolver says, where a cluster has one name', () => {
    const { dns, clusters } = load({ hosts: ['logical=10.0.0.1:81'] });
    expect(dns.get('logical.test')).toEqual({ addresses: ['10.0.0.1'], ttlUs: undefined });
    expect(clusters.find(({ name }) => name === 'logical')?.loadAssignment?.endpoints).toHaveLength(1);
  });

  it('go before those of the files', () => {
    expect(hostsOf(load({ hosts: ['strict=10.0.0.1:80'] }), 'strict')).toEqual(['10.0.0.1:80 0   UNKNOWN']);
  });

  it('have a weight where localities are weighted, and nothing is wrong with it', () => {
    const text = `clusters: [{name: a, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, common_lb_config: {locality_weighted_lb_config: {}}}]`;
    const { problems } = loadScenario({ file: 'a.yaml', text }, { hosts: ['a=10.0.0.1:80'], lint: true });
    expect(problems.map(({ rule }) => rule)).not.toContain('locality-weight-without-locality');
    expect(problems.map(({ rule }) => rule)).not.toContain('no-locality-has-weight');
  });

  it('are made up by number, and known to be', () => {
    const scenario = load({ hosts: ['eds=2@zone=a,1@zone=b'] });
    expect(hostsOf(scenario, 'eds')).toEqual([
      '198.18.0.1:80 0 a  UNKNOWN',
      '198.18.0.2:80 0 a  UNKNOWN',
      '198.18.0.3:80 0 b  UNKNOWN',
    ]);
    expect([...scenario.origin.madeUpHosts]).toEqual(['198.18.0.1', '198.18.0.2', '198.18.0.3']);
  });

  it('are never taken for hosts of the files', () => {
    const text = `clusters: [{name: a}, {name: b, ${DISCOVERED}}]\nendpoints: {a: ["198.18.0.1:80"]}\n`;
    expect(hostsOf(load({ hosts: ['b=1'] }, text), 'b')).toEqual(['198.18.0.2:80 0   UNKNOWN']);
  });

  it('by a pattern only where nothing else is known', () => {
    const scenario = load({ hosts: ['*=1', 'eds=10.0.0.1:80'] });
    expect(hostsOf(scenario, 'eds')).toEqual(['10.0.0.1:80 0   UNKNOWN']);
    expect(hostsOf(scenario, 'empty')).toEqual([]);
    expect([...scenario.dns.keys()]).toEqual(['strict.test', 'logical.test', 'six.test']);
    expect(scenario.dns.get('six.test')).toMatchObject({ addresses: [expect.stringContaining('2001:db8::')] });
    expect(scenario.origin.unknownHosts).toEqual([]);
    expect(scenario.workloads.map(({ name }) => name)).toEqual(['eds', 'a=b|c', 'strict', 'logical', 'six']);
  });

  it.each([
    ['eds', 'write CLUSTER=ADDRESS,ADDRESS or CLUSTER=NUMBER, as backend=10.0.0.1:80,10.0.0.2:80@zone=b or backend=3'],
    ['eds=10.0.0.1', '"10.0.0.1" has no port: write 10.0.0.1:80'],
    ['eds=svc.test:80', 'svc.test is a name: give the hosts of eds IP addresses'],
    ['eds=0', '0 hosts are out of range: allowed are 1 to 131000'],
    ['eds=130000,130000', 'these are more than 131000 made-up hosts in all clusters: give fewer'],
    ['eds=10.0.0.1:80@zoe=a', 'zoe is not a field of endpoint (did you mean zone?)'],
    ['eds=10.0.0.1:80@b', 'after @ write what else is known of a host, as @zone=b; found @b'],
    ['original=10.0.0.1:80', 'the hosts of original come from the requests: it is an ORIGINAL_DST cluster'],
    ['logical=10.0.0.1:80', 'logical resolves logical.test: give its addresses with the port of the name, 81'],
    ['logical=1@weight=2', /^logical resolves its names/],
    ['six=10.0.0.1:81', /^$/],
    [
      'strikt=1',
      /^there is no cluster "strikt" \(did you mean strict\?\); there are eds, a=b\|c, strict, logical, six/,
    ],
  ])('%s', (option, message) => {
    // A strict cluster takes any addresses instead of its names.
    const expected = option.startsWith('six')
      ? []
      : [typeof message === 'string' ? message : expect.stringMatching(message)];
    expect(errors(option)).toEqual(expected);
  });

  it('suit the addresses that a cluster asks for', () => {
    const text = `clusters: [${resolved('six', 'LOGICAL_DNS', 'dns_lookup_family: V6_ONLY,')}]`;
    const { problems } = loadScenario({ file: 'a.yaml', text }, { hosts: ['six=10.0.0.1:81'] });
    expect(problems).toMatchObject([
      { message: '10.0.0.1 is no address that six asks for: its dns_lookup_family is V6_ONLY' },
    ]);
  });
});

describe('clusters whose hosts nobody tells', () => {
  it('are said first, with what to paste', () => {
    const { origin, workloads } = load({ hosts: ['eds=1'] });
    expect(origin.unknownHosts).toEqual(['a=b|c', 'strict', 'logical', 'six']);
    expect(origin.says.at(-1)).toBe(
      [
        'the hosts of 4 of 7 clusters are not known from here: a=b|c (EDS), strict (strict.test), logical (logical.test), six (six.test). To add them:',
        "  --hosts 'a=b|c=10.0.0.1:80,10.0.0.2:80'                      # hosts that you know",
        "  --hosts '*=3'                                                # made-up hosts, 3 for each",
        '  endpoints: {"a=b|c": ["10.0.0.1:80", "10.0.0.2:80"]}         # the first again, in a second file',
        '  curl -s localhost:9901/clusters?format=json > clusters.json  # from a live proxy: name this file, too',
      ].join('\n'),
    );
    expect(workloads.map(({ name }) => name)).toEqual(['eds']);
    expect(origin.unsent).toBeUndefined();
  });

  it('cannot be sent to if they are all', () => {
    expect(load({}).origin.unsent).toMatch(/^no cluster has hosts that are known from here/);
  });

  it('are none if it is known that there are no hosts', () => {
    const { origin, workloads } = load({}, '{name: black-hole, type: STATIC}');
    expect(origin).toMatchObject({ unknownHosts: [], unsent: undefined });
    expect(workloads).toHaveLength(1);
  });

  it('are the members of an aggregate', () => {
    const type = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
    const aggregate = `{name: all, lb_policy: CLUSTER_PROVIDED, connect_timeout: 1s, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": ${type}, clusters: [eds, other]}}}`;
    const text = `static_resources: {clusters: [${aggregate}, {name: eds, ${DISCOVERED}}, {name: other, ${DISCOVERED}}]}`;
    const { origin } = load({ clusters: ['all'] }, text);
    expect(origin).toMatchObject({ unknownHosts: ['eds', 'other'] });
    expect(origin.unsent).toMatch(/nothing can be sent: eds \(EDS\), other \(EDS\)\./);
    expect(load({ clusters: ['all'], hosts: ['other=1'] }, text).origin).toMatchObject({
      unknownHosts: ['eds'],
      unsent: undefined,
    });
    expect(() => load({ hosts: ['all=1'] }, text)).toThrow(
      'the hosts of all are those of its members: give them to eds, other',
    );
  });

  it('may be given to clusters that are not asked about', () => {
    const text = `static_resources: {clusters: [{name: eds, ${DISCOVERED}}, {name: other, ${DISCOVERED}}, {name: third, ${DISCOVERED}}]}`;
    const { clusters, origin } = load({ clusters: ['eds'], hosts: ['eds=1', 'other=1'] }, text);
    expect(clusters.map(({ name }) => name)).toEqual(['eds', 'other']);
    expect([...(origin.reported ?? [])]).toEqual(['eds']);
  });

  it('have no warning of it where they are given', () => {
    const { problems } = loadScenario({ file: 'a.yaml', text: '{name: a, type: STATIC}' }, { hosts: ['a=1'] });
    expect(problems).toEqual([]);
  });

  it.each([
    ['endpoints', 'endpoints: {eds: ["10.0.0.1:80"]}', 'eds'],
    ['answers of the resolver', 'dns: {strict.test: {addresses: [10.0.0.1]}}', 'strict'],
  ])('get theirs from %s in a second file', (_, second, cluster) => {
    const files = [
      { file: 'a.yaml', text: BOOTSTRAP },
      { file: 'b.yaml', text: second },
    ];
    const { scenario } = loadScenario(files);
    expect(scenario?.workloads.map(({ name }) => name)).toEqual([cluster]);
  });

  it('are none where the timeline gives them hosts', () => {
    const text = `clusters: [{name: eds, ${DISCOVERED}}]
workloads: [{cluster: eds, arrivals: 1/s, stop: 2s}]
timeline: [{at: 1s, add_hosts: {cluster: eds, endpoints: ["10.0.0.1:80"]}}]
`;
    expect(load({}, text).origin.unknownHosts).toEqual([]);
  });
});
