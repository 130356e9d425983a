import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { existsSync } from 'node:fs';
import { isModuleName } from '../../scenario/modules/module-shape.js';
import { InputError, UsageError } from '../errors.js';
import { openOutput } from '../output/output-files.js';
import type { Session } from '../session.js';
import type { LbsimCommand } from '../program/lbsim-command.js';

/** What `lbsim init --policy FILE` writes: a policy with every member that there is, and its test. */
const POLICY_STARTER = `// A load-balancing policy for lbsim. A cluster names it by its file,
//     clusters: [{name: web, lb_policy: ./FILE}]
// and it is loaded where the command line allows it:  lbsim run scenario.yaml --allow-code
// Settings go with it:  lb_policy: {policy: ./FILE, settings: {half_life: 5s}}
//
// This one picks, of two hosts drawn at random, the one whose answers have been faster of late, times the requests it has
// open. Write your own in its place. docs/policies.md tells of each member; whatever is not needed may be left out.

export default {
  name: 'MY_POLICY', // as reports write it
  kind: 'list', // picks from a list of hosts; 'table' looks a hash up: build(hosts, settings), choose(table, hi, lo, attempt)

  usesWeights: false, // the weights of hosts count
  looksAtLoad: true, // so does how many requests each host has open
  drawsHosts: true, // each pick draws anew, instead of taking turns

  // Each setting has a type: number, integer, duration (in microseconds here, as 5s in files), boolean, string.
  settings: {
    half_life: { type: 'duration', default: 5_000_000, exclusiveMinimum: 0, description: 'How soon old answers count half.' },
  },

  // Counted with config.count(name): cluster.<name>.lb_policy.<statistic>.
  statistics: ['unknown_hosts'],

  // Once for each balancer, which is one a worker. Chance comes from \`random\` alone: one seed, one result.
  start(config, random) {
    return { config, latencies: new WeakMap() };
  },

  // A list of hosts was updated: all, healthy or degraded ones, of a priority or a locality; \`source\` tells them apart.
  refresh(state, source, hosts) {},

  // Which host? An index into \`hosts\`, which are never none; -1: none of them. A request waits: no promises.
  choose(state, source, hosts, { random }) {
    const draw = () => {
      random.next(); // 64 bits, in random.hi and random.lo
      return random.lo % hosts.length;
    };
    const cost = (index) => {
      const host = hosts[index];
      const known = state.latencies.get(host);
      if (known === undefined) state.config.count('unknown_hosts');
      return (known?.us ?? 0) * (host.activeRequests + 1);
    };
    const [a, b] = [draw(), draw()];
    return cost(b) < cost(a) ? b : a;
  },

  // An attempt has ended: 'success', 'error' (an answer of 500 or above), 'timeout', 'reset', 'connect_failure'.
  answered(state, host, latencyUs, outcome) {
    const { clock, settings } = state.config;
    const before = state.latencies.get(host) ?? { us: latencyUs, atUs: clock.nowUs };
    const weight = 2 ** (-(clock.nowUs - before.atUs) / settings.half_life);
    state.latencies.set(host, { us: weight * before.us + (1 - weight) * latencyUs, atUs: clock.nowUs });
  },

  // A policy may also ask hosts how busy they are with everybody's requests: which to ask after each pick, and an answer.
  //   probes(state, source, hosts, { random }) { return [0]; },
  //   probed(state, host, { inFlight, latencyUs }) {},
};
`;

const POLICY_TEST = `// Run it with:  node --test TEST
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenario, runScenario } from 'lbsim';
import policy from './FILE';

const text = \`
clusters: [{name: web, lb_policy: ./FILE}]
endpoints: {web: [{address: 10.0.0.1:80, count: 3}]}
behavior: [{hosts: {}, service_time: 5ms}, {hosts: {address: 10.0.0.3:80}, service_time: 50ms}]
workloads: [{cluster: web, arrivals: 500/s, stop: 20s}]
\`;

async function run(seed) {
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text }, { seed, policies: { './FILE': policy } });
  assert.deepEqual(problems, []);
  return runScenario(scenario);
}

test('the slow host gets the least', async () => {
  const { clusters, totals } = await run('1');
  const [first, second, slow] = clusters.web.hosts.map(({ share }) => share);
  assert.ok(slow < 0.15 && slow < first && slow < second, \`it got \${slow}\`);
  assert.equal(totals.failed, 0);
});

test('one seed, one result', async () => {
  assert.deepEqual(await run('7'), await run('7'));
});

// The laws that every balancer of the proxy obeys:
//   import { BALANCER_LAWS, policyModuleUnderTest } from 'lbsim/testing';
//   for (const { name, check } of BALANCER_LAWS) test(name, () => check(policyModuleUnderTest(policy)));
`;

/** Both texts for a file of this name, which lie beside each other. */
function policyFiles(file: string): readonly { readonly file: string; readonly text: string }[] {
  const base = file.replace(/^.*[/\\]/, '');
  const test = file.replace(/(\.[cm]?js)$/, '.test$1');
  return [
    { file, text: POLICY_STARTER.replaceAll('FILE', base) },
    { file: test, text: POLICY_TEST.replaceAll('FILE', base).replaceAll('TEST', test.replace(/^.*[/\\]/, '')) },
  ];
}

/** What `lbsim init` writes: small enough to read, with the fields that people change first. */
const STARTER = `# A scenario for lbsim. Run it with:  lbsim run FILE
# Every field is explained in docs/scenario-format.md.

name: hello
description: Where do the requests go when one of three zones fails?

seed: 1                  # the same seed gives the same run, byte for byte

# Clusters are written as in the proxy's own configuration: paste yours here.
clusters:
  - name: backend
    lb_policy: ROUND_ROBIN           # or LEAST_REQUEST, RANDOM, RING_HASH, MAGLEV
    common_lb_config:
      healthy_panic_threshold: {value: 50}   # below 50 % healthy hosts the proxy stops looking at health

# The hosts. Short for the cluster's load_assignment.
endpoints:
  backend:
    - {address: 10.0.1.1:80, count: 2, zone: a}     # 10.0.1.1 and 10.0.1.2
    - {address: 10.0.2.1:80, count: 2, zone: b}
    - {address: 10.0.3.1:80, zone: c, weight: 2}    # as strong as two of the others

# How hosts answer. Later entries override earlier ones, field by field.
behavior:
  - hosts: {}                        # every host
    service_time: {exponential: {mean: 5ms}}
  - hosts: {zone: b}
    service_time: {exponential: {mean: 8ms}}   # zone b is slower

# The traffic: Poisson arrivals, 500 a second.
workloads:
  - name: users
    cluster: backend
    arrivals: 500/s                  # or {constant: 500/s}, {closed: {users: 40, think_time: 100ms}}
    stop: 20s
    hash_key: {zipf: {keys: 1000, exponent: 1.1, prefix: user-}}   # what RING_HASH and MAGLEV hash

# What happens when. Delete it for a run without events.
timeline:
  - {at: 10s, set_health: {hosts: {zone: c}, status: UNHEALTHY}}

# What must hold; otherwise the exit code is 1.
expect:
  - {share: {cluster: backend, hosts: {zone: c}}, at_most: 0%, during: [10s, 20s]}
  - {success_rate: {cluster: backend}, at_least: 99.9%}
`;

export function addInit(command: LbsimCommand): void {
  command
    .description(
      'Writes a small scenario, or with --policy a policy of your own and its test, with a comment on every line that matters.',
    )
    .argument('[FILE]', 'where to; "-" is standard output', 'scenario.yaml')
    .option('--policy', 'write a load-balancing policy as a module, and its test beside it')
    .option('--force', 'overwrite the file if it exists')
    .examples('lbsim init', 'lbsim init canary.yaml', 'lbsim init - | lbsim run -', 'lbsim init --policy my-policy.mjs')
    .does(init);
}

export interface InitOptions {
  readonly force?: boolean;
  /** Write a policy instead of a scenario. */
  readonly policy?: boolean;
}

/** `lbsim init [FILE]`, `lbsim init --policy FILE` */
export async function init(file: string, options: InitOptions, session: Session): Promise<void> {
  if (options.policy === true) return initPolicy(file, options, session);
  if (file === '-') return session.out.write(STARTER);
  await write(file, STARTER, options, session);
  await session.out.write(printable(`Wrote ${file}. Run it with: lbsim run ${file}`) + '\n');
}

async function initPolicy(file: string, options: InitOptions, session: Session): Promise<void> {
  if (!isModuleName(file) || file.endsWith('.cjs')) {
    throw new UsageError(`--policy writes a module: name a file such as my-policy.mjs, not ${file}`);
  }
  const files = policyFiles(file);
  for (const each of files) await write(each.file, each.text, options, session);
  const [policy = '', test = ''] = files.map((each) => printable(each.file));
  const use = `Name it in a cluster, lb_policy: ./${policy}, and run it with: lbsim run FILE --allow-code`;
  await session.out.write(`Wrote ${policy} and ${test}. ${use}\n`);
}

async function write(file: string, text: string, { force }: InitOptions, session: Session): Promise<void> {
  if (force !== true && existsSync(file)) {
    const message = 'This file exists already. --force overwrites it.';
    throw new InputError([fileProblem(file, 'file-exists', message)], undefined, 'Nothing was written.');
  }
  const output = await openOutput('init', file, { inputs: [], named: [], force }, session);
  await output?.write(text);
  await output?.close();
}
