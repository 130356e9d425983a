import { describe, expect, it } from 'vitest';
import { clusterIn } from '../../../src/config/cluster/cluster.js';
import { OWN_NAMES } from '../../../src/config/generated/own-names.js';
import type { Kind, Policy } from '../../../src/config/policy/policy.js';
import { policyOf } from '../../../src/config/policy/of-cluster.js';
import { typeUrl } from '../../../src/config/policy/read.js';
import { withPolicy } from '../../../src/config/write-cluster.js';
import { parseDocument } from '../../../src/config/reader.js';
import { plainOf } from '../../../src/config/source/trees.js';
import { isStruct, type JsonValue, type Struct } from '../../../src/core/values.js';
import type { Problem } from '../../../src/core/problem.js';
import { DOCUMENTED_RULES } from './documented-rules.js';
import { loadScenario } from '../../../src/scenario/load.js';

/** `typed` has its policy in a `load_balancing_policy`, `nested` inside of another policy there. */
type Form = 'v2' | 'v3' | 'typed' | 'nested';

interface File {
  readonly text: string;
  readonly form: Form;
}

function loaded({ text, form }: File, set: readonly string[] = []): readonly Problem[] {
  const options = { lint: true, api: form === 'v2' ? 'v2' : 'v3', set } as const;
  return loadScenario({ file: 'a.yaml', text }, options).problems;
}

/** The cluster with its policy as a `load_balancing_policy`, where it is a cluster that v3 knows. */
function typed(message: Struct, isNested: boolean): Struct {
  const cluster = clusterIn(message);
  if (cluster === undefined) return message;
  const own = policyOf(cluster);
  const subsets = cluster.lbSubsetConfig;
  if (own.kind === 'cluster_provided') return message;
  // Older fields without a selector make no subsets; the policy does.
  const policy: Policy = subsets?.subsetSelectors.length === 0 ? { kind: 'subset', ...subsets, inner: own } : own;
  if (!isNested) return withPolicy(message, policy);
  return withPolicy(message, { kind: 'override_host', overrideHostSources: [{ header: 'x-host' }], inner: policy });
}

/** A file in the form, as far as it has another one there. */
function inForm(written: string, form: Form): File {
  const text = form === 'v2' ? written : written.replace('drain_connections_on_', 'ignore_health_on_');
  const { document } = parseDocument(text, 'a.yaml');
  const root = document && plainOf(document.root);
  const plain: JsonValue = JSON.parse(JSON.stringify(root)) as JsonValue;
  if (form === 'v2' || form === 'v3' || !isStruct(plain)) return { text, form };
  const change = (one: Struct): Struct => typed(one, form === 'nested');
  const { clusters } = plain;
  const changed = Array.isArray(clusters)
    ? { ...plain, clusters: (clusters as readonly JsonValue[]).map((one) => (isStruct(one) ? change(one) : one)) }
    : change(plain);
  return { text: JSON.stringify(changed), form };
}

const KINDS = Object.keys(OWN_NAMES.policies) as readonly (keyof typeof OWN_NAMES.policies)[];

/** `--set` for the policy that an advice names, inside of another where that is `nested`. */
function otherPolicy(name: string): string {
  if (!name.startsWith('envoy.')) return `clusters.backend.lb_policy=${name}`;
  const own = name.slice('envoy.load_balancing_policies.'.length).toUpperCase();
  const kind = KINDS.find((one) => OWN_NAMES.policies[one] === own);
  if (kind === undefined) throw new Error(`${name} is no policy`);
  const config = `{"@type": "${typeUrl(kind)}"}`;
  const list = `{policies: [{typed_extension_config: {name: ${name}, typed_config: ${config}}}]}`;
  return `clusters.backend.load_balancing_policy=${list}`;
}

/** The path of a field beside the one that was reported. */
const beside = ({ path }: Problem, field: string): string => path.replace(/[^.]+$/, field);

const KEYED = '{uniform: {keys: 1000}}';

/** One way to follow an advice: `path=value` of each change. */
type Way = readonly string[];

/** What is told, and every way to do it: one for each side of an "or". */
type Advice = readonly [says: RegExp, ways: (problem: Problem, ...words: readonly string[]) => readonly Way[]];

const HEALTH_CHECK = '{timeout: 1s, interval: 5s, unhealthy_threshold: 3, healthy_threshold: 2, tcp_health_check: {}}';

/** What each rule tells to write, and how that is done. */
const ADVICE: Readonly<Record<string, readonly Advice[]>> = {
  'locality-weights-ignored': [
    [/ has no (\S+), so/, (_, place) => [[`clusters.backend.${place}={}`]]],
    [
      / has (\S+), which looks at zones; (\S+) goes in its place/,
      (_, old, place) => [[`clusters.backend.${old}=null`, `clusters.backend.${place}={}`]],
    ],
  ],
  'locality-weight-without-locality': [[/Write (locality): (\{\})/, (one, field) => [[`${beside(one, field)}={}`]]]],
  'no-locality-has-weight': [[/Give the locality a (\w+)/, ({ path }, field) => [[`${path}.${field}=1`]]]],
  'scaled-locality-weight-zero': [[/Use larger weights/, ({ path }) => [[`${path}=100`]]]],
  'scale-without-aware': [
    [
      /without (\w+) and (\S+)$/,
      (one, field, place) => [[`${beside(one, field)}=true`, `clusters.backend.${place}={}`]],
    ],
    [/without (\w+)$/, (one, field) => [[`${beside(one, field)}=true`]]],
  ],
  'ring-too-small': [
    [
      /try (\S+): (\d+), with a (\w+) of at least that/,
      ({ path }, field, size, bound) => {
        const around = path.replace(/\.?[^.]+$/, '');
        return [[`${around}.${bound}=${size}`, `${around}.${field}=${size}`]];
      },
    ],
    [/try (minimum_ring_size): (\d+)/, ({ path }, _, size) => [[`${path}=${size}`]]],
    [/try (\S+): (\d+)/, (_, place, size) => [[`clusters.backend.${place}=${size}`]]],
  ],
  'ring-size-zero': [
    [/set it to (\d+)/, ({ path }, size) => [[`${path}=${size}`]]],
    [/leave the field out/, ({ path }) => [[`${path}=null`]]],
  ],
  'removed-hosts-stay': [[/set (\w+): (true)/, (_, field) => [[`clusters.backend.${field}=true`]]]],
  'random-ignores-weights': [[/Use (\S+) or (\S+)$/, (_, ...names) => names.map((name) => [otherPolicy(name)])]],
  'hash-key-unused': [[/; (\S+) or (\S+) would keep/, (_, ...names) => names.map((name) => [otherPolicy(name)])]],
  'hash-without-key': [[/Set (hash_key)/, ({ path }, field) => [[`${path}.${field}=${KEYED}`]]]],
  'failover-without-health': [
    [
      /Add (\w+) or (\w+)$/,
      (_, checks, outliers) => [
        [`clusters.backend.${checks}=[${HEALTH_CHECK}]`],
        [`clusters.backend.${outliers}={max_ejection_percent: 50}`],
      ],
    ],
  ],
  'outlier-ejects-nobody': [[/Set (\w+): (\d+)/, ({ path }, field, value) => [[`${path}.${field}=${value}`]]]],
  'zone-aware-without-local-cluster': [[/there is no (\S+),/, (_, place) => [[`${place}=edge`]]]],
  'zone-aware-without-zone': [[/ has no (\S+): /, ({ path }, field) => [[`${path}.${field}={zone: a}`]]]],
  'zone-aware-cluster-too-small': [
    [/the default of (\w+)$/, ({ path }, field) => [[`${path}.${field}=1`]]],
    [/, fewer than \d+$/, ({ path }) => [[`${path}=1`]]],
  ],
  'local-errors-not-split': [[/without (\w+)$/, (one, field) => [[`${beside(one, field)}=true`]]]],
  'detected-not-ejected': [[/: (\w+) is 0 by default$/, (one, field) => [[`${beside(one, field)}=100`]]]],
  'keys-subset-without-target': [
    [
      /Add (\{.*\})$/,
      ({ path }, selector) => [
        [
          `${path.replace(/\[0\]\.fallback_keys_subset$/, '')}=[${selector}, {keys: [stage, version], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [stage]}]`,
        ],
      ],
    ],
  ],
  'retries-by-default-limit': [
    [
      /Set (\w+) or a (\w+) in its (\w+)/,
      (_, limit, budget, around) =>
        [`${limit}: 100`, `${budget}: {}`].map((field) => [`clusters.backend.${around}={thresholds: [{${field}}]}`]),
    ],
  ],
  'previous-hosts-gives-up': [[/Set (\w+)$/, ({ path }, field) => [[`${path}.${field}=5`]]]],
};

const SAYS_WHAT_TO_WRITE =
  /\b(Set|Add|Use|Write|Give) \S|; (set|try|leave) |_lb_config\.|would keep|there is no \w+[._]|has no \w+\.|without \w+_\w+$|the default of|by default$/;

/** Rules about what some form does not have: old proxies, settings that the proxy refuses beside a typed policy. */
const NOT_IN: Readonly<Record<Form, readonly string[]>> = {
  v2: ['subset-load-reports'],
  v3: ['outlier-ejects-one-anyway'],
  typed: ['outlier-ejects-one-anyway', 'zone-aware-hash', 'hostname-hashing-unused'],
  nested: ['outlier-ejects-one-anyway', 'zone-aware-hash', 'hostname-hashing-unused'],
};

const errorsIn = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === 'error');

/** Follows what is told of a file in each way that it tells, and finds it gone; nothing where it tells nothing. */
function follow(name: string, file: File): void {
  const problems = loaded(file);
  expect(errorsIn(problems)).toEqual([]);
  const own = problems.filter((one) => one.rule === name);
  expect(own).not.toEqual([]);
  const toFollow = own.map((one) => {
    for (const [pattern, ways] of ADVICE[name] ?? []) {
      const [whole, ...words] = pattern.exec(one.message) ?? [];
      if (whole !== undefined) return ways(one, ...words);
    }
    // What tells to write something is in the table above.
    expect(one.message).not.toMatch(SAYS_WHAT_TO_WRITE);
    return [];
  });
  const ways = toFollow[0] ?? [];
  for (const at of ways.keys()) {
    const sets = toFollow.flatMap((one) => one[at] ?? []);
    const after = loaded(file, sets);
    expect(errorsIn(after), sets.join('\n')).toEqual([]);
    expect(
      after.filter((one) => one.rule === name),
      sets.join('\n'),
    ).toEqual([]);
  }
}

const FORMS = ['v2', 'v3', 'typed', 'nested'] as const;

describe.each(FORMS)('advice on a %s file', (form) => {
  const rules = DOCUMENTED_RULES.filter(({ name }) => !NOT_IN[form].includes(name));

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s does what it says once it is followed', (name, rule) => {
    follow(name, inForm(rule.example, form));
  });
});

/** What rules tell of other files than their examples. */
const OTHERWISE: readonly (readonly [rule: string, fields: string, groups?: string])[] = [
  ['locality-weights-ignored', 'common_lb_config: {zone_aware_lb_config: {}}'],
  ['locality-weights-ignored', 'lb_policy: MAGLEV'],
  ['locality-weights-ignored', 'lb_subset_config: {subset_selectors: [{keys: [v]}]}'],
  [
    'no-locality-has-weight',
    'lb_policy: RING_HASH, common_lb_config: {locality_weighted_lb_config: {}}',
    '[{locality: {zone: a}, load_balancing_weight: 1, lb_endpoints: [HOST1]}, {priority: 1, locality: {zone: b}, lb_endpoints: [HOST2]}]',
  ],
  ['scale-without-aware', 'lb_subset_config: {subset_selectors: [{keys: [v]}], scale_locality_weight: true}'],
  ['ring-too-small', 'lb_policy: RING_HASH', '[{lb_endpoints: [{load_balancing_weight: 200, HOST1}, HOST2]}]'],
  ['ring-too-small', 'lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 8, maximum_ring_size: 100}'],
  ['ring-size-zero', 'lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 0, maximum_ring_size: 100}'],
  ['outlier-ejects-nobody', 'outlier_detection: {max_ejection_percent: 20}'],
  ['outlier-ejects-nobody', 'outlier_detection: {max_ejection_percent: 50}', '[{lb_endpoints: [HOST1]}]'],
  ['zone-aware-cluster-too-small', 'common_lb_config: {zone_aware_lb_config: {min_cluster_size: 9}}'],
  ['local-errors-not-split', 'outlier_detection: {enforcing_local_origin_success_rate: 5}'],
  ['detected-not-ejected', 'outlier_detection: {failure_percentage_threshold: 50, max_ejection_percent: 50}'],
];

const GROUPS =
  '[{locality: {zone: a}, load_balancing_weight: 300, lb_endpoints: [HOST1, HOST2]}, {locality: {zone: b}, load_balancing_weight: 100, lb_endpoints: [HOST3, HOST4]}]';

describe.each(FORMS)('advice on another %s file', (form) => {
  it.each(OTHERWISE.map(([rule, fields, groups = GROUPS]) => [rule, fields, groups] as const))(
    '%s of %s does what it says once it is followed',
    (name, fields, groups) => {
      const host = (last: string): string =>
        `endpoint: {address: {socket_address: {address: 10.0.0.${last}, port_value: 80}}}, metadata: {filter_metadata: {envoy.lb: {v: "1"}}}`;
      const hosts = groups
        .replaceAll(/(?<=, )HOST(\d)\}/g, (_, last: string) => `${host(last)}}`)
        .replaceAll(/HOST(\d)/g, (_, last: string) => `{${host(last)}}`);
      const text = `proxy: {version: "1.40"}
clusters: [{name: backend, connect_timeout: 1s, ${fields}, load_assignment: {cluster_name: backend, endpoints: ${hosts}}}]
workloads: [{cluster: backend, arrivals: 100/s, stop: 1s, hash_key: ${KEYED}}]
`;
      follow(name, inForm(text, form));
    },
  );
});

/** A v3 cluster with these settings of its policy, around it others, and localities of unlike weights. */
function typedCluster(policy: string): File {
  const host = (last: number): string =>
    `{endpoint: {address: {socket_address: {address: 10.0.0.${last}, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {v: "1"}}}}`;
  const text = `clusters:
  - name: backend
    connect_timeout: 1s
    load_balancing_policy: ${policy}
    load_assignment:
      cluster_name: backend
      endpoints:
        - {locality: {zone: a}, load_balancing_weight: 300, lb_endpoints: [${host(1)}, ${host(2)}]}
        - {locality: {zone: b}, load_balancing_weight: 100, lb_endpoints: [${host(3)}, ${host(4)}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 1s, hash_key: ${KEYED}}]
`;
  return { text, form: 'typed' };
}

const policies = (kind: Exclude<Kind, 'by_name'>, settings = ''): string =>
  `{policies: [{typed_extension_config: {name: p, typed_config: {"@type": "${typeUrl(kind)}"${settings}}}}]}`;

it('names the field of a bootstrap for what a scenario has in a proxy', () => {
  const host = '{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}';
  const text = `node: {locality: {zone: a}}
static_resources:
  clusters:
    - name: backend
      connect_timeout: 1s
      common_lb_config: {zone_aware_lb_config: {min_cluster_size: 1}}
      load_assignment: {cluster_name: backend, endpoints: [{locality: {zone: a}, lb_endpoints: [${host}]}]}
`;
  const name = 'zone-aware-without-local-cluster';
  const file = { text, form: 'v3' } as const;
  const [, place] = / there is no (\S+),/.exec(loaded(file).find(({ rule }) => rule === name)?.message ?? '') ?? [];
  expect(place).toBe('cluster_manager.local_cluster_name');
  const after = loaded(file, [`${place ?? ''}=backend`]);
  expect(after.filter(({ severity, rule }) => severity === 'error' || rule === name)).toEqual([]);
});

describe('a setting of a typed policy', () => {
  const said = (file: File, name: string): readonly string[] =>
    loaded(file)
      .filter(({ rule }) => rule === name)
      .map(({ message }) => message);
  const AT = 'load_balancing_policy.policies[0].typed_extension_config.typed_config';
  const WEIGHTED = 'locality_weighted_lb_config';

  it.each([
    ['a table', policies('maglev'), `${AT}.${WEIGHTED}`],
    ['a list', policies('round_robin'), `${AT}.locality_lb_config.${WEIGHTED}`],
    [
      'subsets',
      policies('subset', `, subset_selectors: [{keys: [v]}], subset_lb_policy: ${policies('maglev')}`),
      `${AT}.subset_lb_policy.policies[0].typed_extension_config.typed_config.${WEIGHTED}`,
    ],
  ])('of %s is named where its policy is, and can be set by both names', (_, policy, place) => {
    const file = typedCluster(policy);
    const name = 'locality-weights-ignored';
    expect(said(file, name)).toEqual([expect.stringContaining(`backend has no ${place}, so`)]);
    for (const at of [place, `common_lb_config.${WEIGHTED}`]) {
      const after = loaded(file, [`clusters.backend.${at}={}`]);
      expect(after.filter(({ severity, rule }) => severity === 'error' || rule === name)).toEqual([]);
    }
    const refused = loaded(file, [`clusters.backend.common_lb_config={${WEIGHTED}: {}}`]);
    expect(errorsIn(refused).map(({ message }) => message)).toEqual([
      expect.stringContaining(`it belongs into the policy there, as ${place}`),
    ]);
  });

  it('goes in the place of one that the policy does not take beside it', () => {
    const file = typedCluster(policies('round_robin', ', locality_lb_config: {zone_aware_lb_config: {}}'));
    const at = `${AT}.locality_lb_config`;
    expect(said(file, 'locality-weights-ignored')).toEqual([
      `locality weights are ignored: backend has ${at}.zone_aware_lb_config, which looks at zones; ${at}.${WEIGHTED} goes in its place`,
    ]);
  });

  it('is another policy around one that has no localities', () => {
    const name = 'locality-weights-ignored';
    expect(said(typedCluster(policies('client_side_weighted_round_robin')), name)).toEqual([
      expect.stringContaining('no wrr_locality around client_side_weighted_round_robin'),
    ]);
    const around = policies(
      'wrr_locality',
      `, endpoint_picking_policy: ${policies('client_side_weighted_round_robin')}`,
    );
    expect(said(typedCluster(around), name)).toEqual([]);
    expect(errorsIn(loaded(typedCluster(around)))).toEqual([]);
    const inner = policies('client_side_weighted_round_robin');
    const scaled = ', subset_selectors: [{keys: [v]}], scale_locality_weight: true';
    const inside = typedCluster(policies('subset', `${scaled}, subset_lb_policy: ${inner}`));
    expect(said(inside, 'scale-without-aware')).toEqual([
      expect.stringMatching(/without locality_weight_aware and wrr_locality around their policy$/),
    ]);
    const sets = [`${AT}.locality_weight_aware=true`, `${AT}.subset_lb_policy=${around}`];
    const after = loaded(
      inside,
      sets.map((set) => `clusters.backend.${set}`),
    );
    const rules = [name, 'scale-without-aware'];
    expect(after.filter(({ severity, rule }) => severity === 'error' || rules.includes(rule))).toEqual([]);
  });

  it('is named in what a statistic needs', () => {
    const { text, form } = typedCluster(policies('round_robin'));
    const expectations = ['lb_subsets_single_host_per_subset_duplicate', 'ring_hash_lb.size'].map(
      (stat) => `{stat: cluster.backend.${stat}, equals: 0}`,
    );
    const needed = (file: File): readonly string[] =>
      said(file, 'absent-statistic').map((message) => message.replace(/^.*": /, ''));
    const written = `${text}expect: [${expectations.join(', ')}]\n`;
    expect(needed({ text: written, form })).toEqual([
      'it needs envoy.load_balancing_policies.subset',
      'only clusters with envoy.load_balancing_policies.ring_hash have it',
    ]);
    const older = written.replace(/load_balancing_policy: .*/, 'lb_policy: ROUND_ROBIN');
    expect(needed({ text: older, form: 'v2' })).toEqual([
      'it needs lb_subset_config',
      'only clusters with lb_policy RING_HASH have it',
    ]);
  });

  it('is told with what it needs', () => {
    const inner = policies('round_robin');
    const subsets = `, subset_selectors: [{keys: [v]}], scale_locality_weight: true, subset_lb_policy: ${inner}`;
    const file = typedCluster(policies('subset', subsets));
    const place = `${AT}.subset_lb_policy.policies[0].typed_extension_config.typed_config.locality_lb_config.${WEIGHTED}`;
    expect(said(file, 'scale-without-aware')).toEqual([
      expect.stringMatching(new RegExp(`without locality_weight_aware and ${place.replaceAll(/[[\]]/g, '.')}$`)),
    ]);
    const sets = [`${AT}.locality_weight_aware=true`, `${place}={}`].map((one) => `clusters.backend.${one}`);
    const after = loaded(file, sets);
    expect(after.filter(({ severity, rule }) => severity === 'error' || rule === 'scale-without-aware')).toEqual([]);
  });

  it.each([
    [', minimum_ring_size: 0, maximum_ring_size: 100', 'ring-size-zero', /set it to 100$/],
    [', minimum_ring_size: 0', 'ring-size-zero', /leave the field out for 1024$/],
    [
      ', minimum_ring_size: 8, maximum_ring_size: 100',
      'ring-too-small',
      /: 512, with a maximum_ring_size of at least that$/,
    ],
  ])('%s of a ring is advised within its bounds', (settings, name, expected) => {
    expect(said(typedCluster(policies('ring_hash', settings)), name)).toEqual([expect.stringMatching(expected)]);
  });

  it('may be the hash itself, which requests then need not have', () => {
    const own = policies('maglev', ', consistent_hashing_lb_config: {hash_policy: [{header: {header_name: x-user}}]}');
    const [without, withHash] = [policies('maglev'), own].map((policy) => {
      const { text, form } = typedCluster(policy);
      return said({ text: text.replace(`, hash_key: ${KEYED}`, ''), form }, 'hash-without-key');
    });
    expect(without).toHaveLength(1);
    expect(withHash).toEqual([]);
  });

  it('is refused where its policy has none such', () => {
    const problems = loaded(typedCluster(policies('maglev')), [
      'clusters.backend.ring_hash_lb_config.minimum_ring_size=1',
    ]);
    expect(errorsIn(problems).map(({ message }) => message)).toEqual([
      'clusters[0].load_balancing_policy names MAGLEV, which has no ring_hash_lb_config.minimum_ring_size',
    ]);
  });
});
