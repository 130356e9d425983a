import * as checks from '../core/arguments.js';
import { DEFAULT_PROXY_VERSION, PROXY_VERSIONS, type ProxyVersion } from '../core/version.js';
import { createLoadBalancer } from '../hostset/create-load-balancer.js';
import { leafOf as leafIn, type LbPolicy, type LoadBalancerConfig, type PolicySettings } from '../hostset/lb-config.js';
import type { LbEnvironment, LoadBalancer } from '../hostset/load-balancer.js';
import { ListBalancer } from '../hostset/list-balancer.js';
import { TableBalancer } from '../hostset/table-balancer.js';
import type { Struct } from '../core/values.js';
import { adaptModule } from '../policy/foreign/adapted-module.js';
import { EXTENSIONS } from '../policy/extensions.js';
import type { PolicyModule } from '../policy/foreign/policy-module.js';
import type { ListPolicy, TablePolicy } from '../policy/policy-kinds.js';
import { LB_POLICIES, type ListPolicyConfig } from '../policy/registry.js';

/** The subject of the laws: something that makes balancers. */
export interface BalancerUnderTest {
  /**
   * The policy that it replaces. It determines whether hosts are looked up by hash (RING_HASH, MAGLEV), and a printed
   * scenario runs it.
   */
  readonly lbPolicy: LbPolicy;
  /** The version whose rules apply. */
  readonly version: ProxyVersion;
  /** Makes the balancer of one thread, by the policy and those around it. */
  readonly create: (policy: PolicySettings, env: LbEnvironment) => LoadBalancer;
}

/** Of the settings that `create` gets, those of the policy that chooses the host. */
export const leafOf = checks.checked('leafOf', leafIn, {
  policy: checks.withMembers('the settings of a policy', 'kind'),
});

export type SubjectOptions = Readonly<{ version?: ProxyVersion; lbPolicy?: LbPolicy }>;

const NAMED = checks.oneOf([...LB_POLICIES, ...Object.keys(EXTENSIONS)]);
/** A policy of a module is an object. */
const POLICY: checks.Check = (value, name) => (checks.ANY_TABLE(value, name).length === 0 ? [] : NAMED(value, name));
const SUBJECT = checks.optionsOf<SubjectOptions>({ version: checks.oneOf(PROXY_VERSIONS), lbPolicy: POLICY });

/** The proxy's own policy. */
export function builtInPolicy(lbPolicy: LbPolicy, version: ProxyVersion = DEFAULT_PROXY_VERSION): BalancerUnderTest {
  checks.demand('builtInPolicy', ['lbPolicy', lbPolicy, POLICY], ['version', version, checks.oneOf(PROXY_VERSIONS)]);
  return { lbPolicy, version, create: createLoadBalancer };
}

/** A policy that picks from a list of hosts, inside the proxy's own balancer: priorities, panic, zones, subsets. */
export function listPolicyUnderTest<State>(
  policy: ListPolicy<ListPolicyConfig, State>,
  options: SubjectOptions = {},
): BalancerUnderTest {
  checks.demand(
    'listPolicyUnderTest',
    ['policy', policy, checks.withFunctions('start', 'refresh', 'choose')],
    ['options', options, SUBJECT],
  );
  const checked: ListPolicy<ListPolicyConfig, State> = {
    ...methodsOf(policy),
    choose: (state, source, hosts, input) =>
      indexAmong(hosts.length, policy.choose(state, source, hosts, input), policy.name),
  };
  return withSubsets(options, 'ROUND_ROBIN', (config, env) => new ListBalancer(config, env, checked));
}

/** A policy with a table per priority, inside the proxy's own balancer. */
export function tablePolicyUnderTest<Config, Table extends object>(
  policy: TablePolicy<Config, Table>,
  config: Config,
  options: SubjectOptions = {},
): BalancerUnderTest {
  checks.demand(
    'tablePolicyUnderTest',
    ['policy', policy, checks.withFunctions('build', 'choose')],
    ['options', options, SUBJECT],
  );
  const sizes = new WeakMap<Table, number>();
  return withSubsets(
    options,
    'RING_HASH',
    (lbConfig, env) =>
      new TableBalancer<Table>(lbConfig, env, {
        configuration: policy.name,
        build: (hosts) => {
          const table = policy.build(hosts, config);
          sizes.set(table, hosts.keys.length);
          return table;
        },
        choose: (table, ...of) => indexAmong(sizes.get(table) ?? 0, policy.choose(table, ...of), policy.name),
        hearing: policy,
        shown: () => undefined,
      }),
  );
}

/** A policy module, as its file exports it; with its own settings, or their defaults. */
export function policyModuleUnderTest(
  module: PolicyModule,
  settings?: Struct,
  options: SubjectOptions = {},
): BalancerUnderTest {
  checks.demand(
    'policyModuleUnderTest',
    ['module', module, checks.ANY_TABLE],
    ['settings', settings, checks.optional(checks.ANY_TABLE)],
    ['options', options, SUBJECT],
  );
  const own = settings ?? defaultsOf(module);
  const policy = adaptModule(module);
  if (policy.kind === 'table') return tablePolicyUnderTest(policy, own, options);
  return listPolicyUnderTest(
    { ...policy, start: (config, random) => policy.start({ ...config, settings: own }, random) },
    options,
  );
}

const defaultsOf = ({ settings = {} }: PolicyModule): Struct =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, schema]) =>
      schema.default === undefined ? [] : [[name, schema.default]],
    ),
  );

/** A policy may be an instance of a class: its methods are not its own. */
const methodsOf = <State>(
  policy: ListPolicy<ListPolicyConfig, State>,
): Omit<ListPolicy<ListPolicyConfig, State>, 'choose'> => ({
  name: policy.name,
  firstPriorityOnly: policy.firstPriorityOnly,
  start: (config, random) => policy.start(config, random),
  refresh: (state, source, hosts) => policy.refresh(state, source, hosts),
  ...Object.fromEntries(OPTIONAL.map((member) => [member, policy[member]?.bind(policy)])),
});

const OPTIONAL = ['hostsAdded', 'turns', 'answered', 'reported', 'probes', 'probed'] as const;

/** @throws RangeError for an invalid index, before any law fails because of it. */
function indexAmong(hosts: number, index: number, policy: string): number {
  if (Number.isInteger(index) && index >= -1 && index < hosts) return index;
  const range = hosts === 0 ? '-1, since there are no hosts' : `a whole number from 0 to ${hosts - 1}, or -1 for none`;
  throw new RangeError(`${policy}.choose returned ${String(index)} for ${hosts} hosts: it has to be ${range}`);
}

const withSubsets = (
  options: SubjectOptions,
  lbPolicy: LbPolicy,
  inner: (config: LoadBalancerConfig, env: LbEnvironment) => LoadBalancer,
): BalancerUnderTest => ({
  lbPolicy: options.lbPolicy ?? lbPolicy,
  version: options.version ?? DEFAULT_PROXY_VERSION,
  create: (policy, env) => createLoadBalancer(policy, env, inner),
});
