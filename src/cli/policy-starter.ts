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
export function policyFiles(file: string): readonly { readonly file: string; readonly text: string }[] {
  const base = file.replace(/^.*[/\\]/, '');
  const test = file.replace(/(\.[cm]?js)$/, '.test$1');
  return [
    { file, text: POLICY_STARTER.replaceAll('FILE', base) },
    { file: test, text: POLICY_TEST.replaceAll('FILE', base).replaceAll('TEST', test.replace(/^.*[/\\]/, '')) },
  ];
}
