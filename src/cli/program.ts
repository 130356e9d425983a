import type { Command } from 'commander';
import type { ExitCode } from './errors.js';
import { LbsimCommand } from './program/lbsim-command.js';
import type { Session } from './session.js';
import { packageVersion } from './package-root.js';

/** Topics of `lbsim help TOPIC`: terms that several commands share. */
export const TOPICS: Readonly<Record<string, string>> = {
  selectors: `Selectors name hosts: --unhealthy, --fail, --lose, and hosts: in a scenario.

  10.0.0.3:80            a host          10.0.0.3           all ports of it
  10.0.0.0/24            a block         zone=a             a zone
  region=eu              a region        priority=1         a priority
  cluster=web            a cluster       metadata.version=2 an entry under envoy.lb

  $ lbsim run canary.yaml --unhealthy zone=a
`,
  set: `--set PATH=VALUE changes a field before anything is checked.

Entries of lists go by name or by number, the value is YAML.
A policy that is set drops the blocks of other policies, and says so.

  $ lbsim run canary.yaml --set clusters.backend.lb_policy=MAGLEV
  $ lbsim run canary.yaml --set 'clusters[0].circuit_breakers={thresholds: [{max_requests: 5}]}'
`,
  expect: `expect: in a scenario says what must hold; run and test exit with 1 where it does not.

  {share: {cluster: web, hosts: {zone: a}}, between: [48%, 52%]}
  {no_host: {cluster: web}, at_most: 0%}
  {latency: {cluster: web, percentile: 99}, at_most: 50ms}
  {failures: {cluster: web, cause: timeout}, equals: 0}
  {host_load: {cluster: web}, at_most: 100%}
  {stat: cluster.web.lb_healthy_panic, equals: 0}

Also success_rate, requests, mean_latency, mean_stat, decision. during: [10s, 20s] looks at a time;
relative_to: {during: [0s, 10s]} or {cluster: other} compares with the same measured there, and
at_most: 2 is twice as much.

  $ lbsim test 'scenarios/**'
`,
  json: `--json prints one document: {"format": 1, ...}, also where it has only problems to tell.

A new field leaves format as it is; one that goes or changes its meaning raises it.

  $ lbsim schema --output run        its JSON Schema, which says of each field what it is
  $ lbsim run canary.yaml --json | jq .headline.text
`,
  units: `Units: 250us, 10ms, 1.5s, 5m, 2h; 500/s, 30/m; 12% or 0.12.

Inside clusters and assignments the proxy's own form holds: 0.250s.
`,
  exit: `Exit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,
3 a defect of lbsim, 130 interrupted.
`,
  seeds: `Seeds: the same file and seed give the same result, byte for byte.

Every stream of chance (arrivals, keys, service times, each balancer) is its own:
more requests do not change which host is slow. compare runs all sides under the
same seeds, SEED, SEED-2, SEED-3 ..., of which the first is that of run.
`,
};

const HELP_WIDTH = 80;

/** Says what a command takes and does. */
type Add = (command: LbsimCommand, program: LbsimCommand) => void;

interface Entry {
  readonly summary: string;
  /** The file of a command is loaded when it is asked for. */
  readonly load: () => Promise<Add>;
}

/** The commands by name, in the order of `--help`. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  run: {
    summary: 'run a scenario and report the split',
    load: async () => (await import('./commands/run.js')).addRun,
  },
  serve: {
    summary: 'run a scenario live and serve the admin interface',
    load: async () => (await import('./commands/serve.js')).addServe,
  },
  ring: {
    summary: 'show the table of a RING_HASH or MAGLEV cluster',
    load: async () => (await import('./commands/ring.js')).addRing,
  },
  predict: {
    summary: 'compute the exact split without running anything',
    load: async () => (await import('./commands/predict.js')).addPredict,
  },
  compare: {
    summary: 'put two scenarios, versions or policies side by side',
    load: async () => (await import('./commands/compare.js')).addCompare,
  },
  race: {
    summary: 'run one scenario under many policies, and rank them',
    load: async () => (await import('./commands/race.js')).addRace,
  },
  sweep: {
    summary: 'run a scenario over many values of its fields',
    load: async () => (await import('./commands/sweep.js')).addSweep,
  },
  worker: {
    summary: 'work for the sweeps of other machines',
    load: async () => (await import('./commands/worker.js')).addWorker,
  },
  explain: {
    summary: 'explain one decision step by step, or why a host gets little',
    load: async () => (await import('./commands/explain.js')).addExplain,
  },
  find: {
    summary: 'find the smallest losses that cause trouble',
    load: async () => (await import('./commands/find.js')).addFind,
  },
  curve: {
    summary: 'lose hosts one by one, and see when things change',
    load: async () => (await import('./commands/curve.js')).addCurve,
  },
  test: {
    summary: 'run scenarios and check their expectations, for CI',
    load: async () => (await import('./commands/test.js')).addTest,
  },
  verify: {
    summary: 'put a scenario to a real proxy, and compare',
    load: async () => (await import('./commands/verify.js')).addVerify,
  },
  fuzz: {
    summary: 'put random mixes of features to a real proxy, and compare',
    load: async () => (await import('./commands/fuzz.js')).addFuzz,
  },
  validate: {
    summary: 'check scenarios without running them',
    load: async () => (await import('./commands/validate.js')).addValidate,
  },
  schema: {
    summary: 'print the JSON Schema of scenarios, or of what a command prints',
    load: async () => (await import('./commands/schema.js')).addSchema,
  },
  import: {
    summary: 'turn a proxy’s configuration into a scenario',
    load: async () => (await import('./commands/import.js')).addImport,
  },
  init: {
    summary: 'write a scenario, or a policy, to start from',
    load: async () => (await import('./commands/init.js')).addInit,
  },
  paper: {
    summary: 'put ours beside published tables',
    load: async () => (await import('./commands/paper.js')).addPaper,
  },
  policies: {
    summary: 'list the policies: those of the proxy, and others',
    load: async () => (await import('./commands/policies.js')).addPolicies,
  },
  examples: {
    summary: 'list the shipped scenarios, or print one',
    load: async () => (await import('./commands/examples.js')).addExamples,
  },
  completion: {
    summary: 'print a script that completes commands in a shell',
    load: async () => (await import('./commands/completion.js')).addCompletion,
  },
};

export interface ProgramHooks {
  /** Help or version, instead of a command. */
  readonly onHelp: (text: string) => void;
  readonly onDone: (code: ExitCode) => void;
}

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/**
 * The command line. `--help` loads no command: their names and summaries are enough.
 *
 * @param loads names of the commands that are wanted whole.
 */
export async function buildProgram(session: Session, hooks: ProgramHooks, loads: readonly string[]): Promise<Command> {
  const program = new LbsimCommand('lbsim', async (command) => hooks.onDone(await command(session)));
  program
    .description('Simulates what a proxy’s load balancer does with your traffic: the split, and the reasons for it.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', `explain a command, or a topic: ${Object.keys(TOPICS).join(', ')}`)
    .exitOverride()
    .configureOutput({
      writeOut: hooks.onHelp,
      writeErr: hooks.onHelp,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .examples('lbsim init hello.yaml', 'lbsim run hello.yaml', 'lbsim examples')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,\n3 a defect of lbsim, 130 interrupted.',
    );
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).summary(summary);
    if (loads.includes(name)) (await load())(command, program);
  }
  return program;
}
