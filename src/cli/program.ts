import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { PROXY_VERSIONS } from '../core/version.js';
import { completionScript, type Shell, SHELLS } from './completion.js';
import { ExitCode } from './exit-code.js';
import type { SchemaKind } from '../scenario/json-schema.js';
import { OUTPUT_NAMES } from './output-names.js';
import { parsePace } from './pace.js';
import type { Session } from './session.js';
import type { RunOptions } from './commands/run.js';
import type { SchemaOptions } from './commands/schema.js';
import type { PredictOptions } from './commands/predict.js';
import { TOPICS } from './topics.js';
import { TEST_FORMATS } from './test-formats.js';
import type { TestOptions } from './commands/test.js';
import type { CurveOptions } from './commands/curve.js';
import type { FindOptions } from './commands/find.js';
import type { ExplainOptions } from './commands/explain.js';
import type { CompareOptions } from './commands/compare.js';
import type { RingOptions } from './commands/ring.js';
import type { ValidateOptions } from './commands/validate.js';
import type { ImportOptions } from './commands/import.js';
import type { ServeOptions } from './commands/serve.js';
import { parseEvery } from './every-option.js';
import { AT_END, gatherNames, parseHost, parsePort } from './serve-options.js';
import { VALIDATE_FORMATS } from './validate-formats.js';
import { packageVersion } from './version.js';

export interface ProgramHooks {
  /** Help or version, instead of a command. */
  readonly onHelp: (text: string) => void;
  readonly onDone: (code: ExitCode) => void;
}

/**
 * The command line. Commands are imported when they are called: `--help` loads neither YAML nor the simulation.
 */
export function buildProgram(session: Session, hooks: ProgramHooks): Command {
  const program = new Command('lbsim')
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
    .addHelpText(
      'after',
      examples('lbsim init hello.yaml', 'lbsim run hello.yaml', 'lbsim examples') +
        '\n\nExit codes: 0 fine, 1 an expectation failed, 2 wrong input or usage,\n3 a defect of lbsim, 130 interrupted.',
    );

  withScenarioOptions(
    program
      .command('run')
      .summary('run a scenario and report the split')
      .description(
        'Runs a scenario and reports where the requests went and why. ' +
          'FILE is a scenario, or what a proxy is configured with: a bootstrap, clusters, assignments, routes, a config_dump, a page of /clusters; ' +
          'in v2 or v3, YAML or JSON; several files are one configuration; "-" is standard input.',
      )
      .argument('<FILE...>', 'what to run')
      .option('--json', 'print the result as one JSON document')
      .option('--csv', 'print a row per phase and host; with --every, per interval and host')
      .option(
        '--every <TIME>',
        'tell the course over time in intervals of this length, as 1s or 500ms (default: what suits the run, drawn only)',
        parseEvery,
      )
      .option(
        '--decisions <OUT>',
        'write each decision as a line of JSON to this file; "-": standard output, no report',
      )
      .option('--sinks', 'send statistics to the stats_sinks of the scenario; without it nothing leaves this machine')
      .option(
        '--stats-file <OUT>',
        'write the lines of the sinks to this file: virtual time, proxy, sink, line; "-": standard output, no report',
      )
      .option(
        '--prometheus <OUT>',
        'write the statistics at the end in Prometheus’ text format; "-": standard output, no report',
      )
      .option('--force', 'overwrite files that exist; never one that is read')
      .option('--pace <PACE>', 'virtual time per wall time: 1x, 0.5x, 10x … or max (default: max)', parsePace)
      .option('--seed <SEED>', 'seed of every random stream, instead of the scenario’s')
      .option('--duration <TIME>', 'virtual time to simulate, as 30s or 5m'),
  )
    .option('--all', 'show every host and phase, however many')
    .option('--events', 'tell what happened event by event, instead of phase by phase')
    .option('--predicted', 'show the exact shares beside what was counted, even where they agree')
    .option('--width <COLUMNS>', 'width of the report (default: the terminal’s, else 80)', columns)
    .option('--bars', 'draw bars even where the output is no terminal')
    .option('--no-bars', 'draw no bars')
    .addHelpText(
      'after',
      examples(
        'lbsim run canary.yaml',
        'lbsim run canary.yaml --unhealthy zone=a --json',
        'lbsim run canary.yaml --set clusters.backend.lb_policy=MAGLEV --seed 7',
        'lbsim run canary.yaml --every 1s',
        'lbsim run canary.yaml --decisions decisions.jsonl',
        'lbsim run config_dump.json clusters.json',
        'lbsim run canary.yaml --sinks --pace 1x',
      ),
    )
    .action(async (files: string[], options: RunOptions) => {
      hooks.onDone(await (await import('./commands/run.js')).run(files, options, session));
    });

  withScenarioOptions(
    program
      .command('serve')
      .summary('run a scenario live and serve the admin interface')
      .description(
        'Runs a scenario at the pace of the clock and serves what an operator knows of a proxy: /clusters, /stats, ' +
          '/config_dump, /server_info, /ready, and /dashboard_event_stream for a circuit-breaker dashboard. All of it ' +
          'only reads. With several proxies these are about the first; /proxies/<name>/… is about another.',
      )
      .argument('<FILE>', 'what to run')
      .option('--pace <PACE>', 'virtual time per wall time: 1x, 10x … or max', parsePace, 1)
      .option('--port <PORT>', 'where to listen; 0: any port that is free', parsePort, 9901)
      .option('--host <ADDRESS>', 'address to listen on; by default this machine alone gets in', parseHost, '127.0.0.1')
      .option('--allow-host <NAME>', 'a name under which clients may come, beside addresses; repeatable', gatherNames)
      .addOption(
        new Option('--at-end <WHAT>', 'when the run is over: serve its final state, exit, or run it again')
          .choices(AT_END)
          .default('hold'),
      )
      .option('--json', 'print the result at the end as one JSON document')
      .option('--sinks', 'send statistics to the stats_sinks of the scenario too')
      .option('--seed <SEED>', 'seed of every random stream, instead of the scenario’s')
      .option('--duration <TIME>', 'virtual time to simulate, as 30s or 5m'),
  )
    .addHelpText(
      'after',
      examples(
        'lbsim serve canary.yaml',
        'lbsim serve canary.yaml --pace 10x --port 8080 --at-end repeat',
        'curl http://127.0.0.1:9901/clusters',
      ),
    )
    .action(async (file: string, options: ServeOptions) => {
      hooks.onDone(await (await import('./commands/serve.js')).serve(file, options, session));
    });

  withScenarioOptions(
    program
      .command('ring')
      .summary('show the table of a RING_HASH or MAGLEV cluster')
      .description(
        'Shows the hash tables of a cluster: their size, who owns how much, how even that is, who serves a key. ' +
          'Without CLUSTER it takes the first cluster whose policy is RING_HASH or MAGLEV.',
      )
      .argument('<FILE>', 'scenario, bare cluster or bootstrap; "-" is standard input')
      .argument('[CLUSTER]', 'name of the cluster')
      .option('--json', 'print the tables as one JSON document')
      .option('--keys <KEYS.txt>', 'print key, tab, address for each line of this file; "-" is standard input')
      .option('--where <KEY>', 'print key, tab, address of this key; repeatable', gather)
      .option(
        '--against <FILE>',
        'which part of all keys has another host there; with --where: who serves the key there',
      )
      .option(
        '--advise [PERCENT]',
        'which size of ring or Maglev table keeps the busiest host at most so much above its fair part (default: 5)',
        positive,
      )
      .option('--dump', 'print every entry in table order: hash (ring) or slot (Maglev), tab, address'),
  )
    .option('--all', 'show every host, however many')
    .option('--width <COLUMNS>', 'width of the report (default: the terminal’s, else 80)', columns)
    .option('--bars', 'draw bars even where the output is no terminal')
    .option('--no-bars', 'draw no bars')
    .addHelpText(
      'after',
      examples(
        'lbsim ring sticky.yaml',
        'lbsim ring sticky.yaml backend --keys users.txt',
        'lbsim ring sticky.yaml --set clusters.backend.lb_policy=MAGLEV --json',
        'lbsim ring sticky.yaml --dump | head',
      ),
    )
    .action(async (file: string, cluster: string | undefined, options: RingOptions) => {
      hooks.onDone(await (await import('./commands/ring.js')).ring(file, cluster, options, session));
    });

  withScenarioOptions(
    program
      .command('predict')
      .summary('work out the exact split without running anything')
      .description(
        'Works out the split from the rules: exact shares per phase, host, locality, priority and subset. ' +
          'Beside them stand the gates that act (panic, spill, zones, subsets), in the words of `run`. ' +
          'Where there is no closed form (least request under load, retries …) it says so.\n\n' +
          '--json: clusters.NAME.phases[] with method (exact, numeric with its error, none with why_not), reasons, ' +
          'requests, hosts[].share and how far a sample strays from it, localities, priorities, subsets, no_host.',
      )
      .argument('<FILE...>', 'as of `lbsim run`; "-" is standard input')
      .option('--json', 'print the prediction as one JSON document')
      .option('--duration <TIME>', 'virtual time to predict, as 30s or 5m'),
  )
    .option('--all', 'show every host and phase, however many')
    .option('--width <COLUMNS>', 'width of the report (default: the terminal’s, else 80)', columns)
    .option('--bars', 'draw bars even where the output is no terminal')
    .option('--no-bars', 'draw no bars')
    .addHelpText(
      'after',
      examples(
        'lbsim predict canary.yaml',
        'lbsim predict canary.yaml --unhealthy zone=a',
        'lbsim predict canary.yaml --json',
      ),
    )
    .action(async (files: string[], options: PredictOptions) => {
      hooks.onDone(await (await import('./commands/predict.js')).predictCommand(files, options, session));
    });

  withLayoutOptions(
    withScenarioOptions(
      program
        .command('compare')
        .summary('put two scenarios, versions or policies side by side')
        .description(
          'Runs two scenarios under the same seeds and says who gains and who loses: shares, failures and latency at every ' +
            'phase, each change with its 95 % interval; shares that can be predicted are exact. Of hash policies also ' +
            'which part of all keys changes hands, and how much had to.\n\n' +
            'A and B are two files, or one file with --set, --version-b or --policies.',
        )
        .argument('<A>', 'scenario, or what a proxy is configured with; "-" is standard input')
        .argument('[B]', 'the other one; without it B is A with --set and --version-b')
        .option('--json', 'print the comparison as one JSON document'),
      'change a field of B first, as clusters.backend.lb_policy=MAGLEV; repeatable',
    )
      .option('--set-a <PATH=VALUE>', 'change a field of A first; repeatable', gather)
      .addOption(new Option('--version-a <VERSION>', 'A behaves as this version').choices(PROXY_VERSIONS))
      .addOption(new Option('--version-b <VERSION>', 'B behaves as this version').choices(PROXY_VERSIONS))
      .option('--policies <LIST>', 'one file under each of these policies, as ROUND_ROBIN,MAGLEV; or all')
      .option('--runs <N>', 'runs of each side, each with another seed (default: 10, less where they are long)', runs)
      .option('--seed <SEED>', 'seed of the first run, instead of the scenario’s')
      .option('--duration <TIME>', 'virtual time to simulate, as 30s or 5m')
      .option('--all-single-host-failures', 'lose each host by itself: which keys move?')
      .option('--all-zone-failures', 'lose each zone: which keys move?'),
  )
    .addHelpText(
      'after',
      examples(
        'lbsim compare before.yaml after.yaml',
        'lbsim compare canary.yaml --set clusters.backend.lb_policy=MAGLEV',
        'lbsim compare canary.yaml --version-a 1.17 --version-b 1.40',
        'lbsim compare canary.yaml --policies all',
        'lbsim compare sticky.yaml --policies RING_HASH,MAGLEV --all-single-host-failures',
      ),
    )
    .action(async (a: string, b: string | undefined, options: CompareOptions) => {
      hooks.onDone(await (await import('./commands/compare.js')).compareCommand(a, b, options, session));
    });

  withLayoutOptions(
    withScenarioOptions(
      program
        .command('explain')
        .summary('tell one decision as a story, or why a host gets little')
        .description(
          'Runs until a moment and asks the balancer for one request more: every number that it compares, every draw, ' +
            'every fallback, in its order. With --why-not HOST: why this host gets nothing, or less than its weight ' +
            'says, over the whole run. --cluster NAME says which cluster is asked; --all adds the rule to each step.',
        )
        .argument('<FILE...>', 'as of `lbsim run`; "-" is standard input')
        .option('--json', 'print the steps as one JSON document')
        .option('--at <TIME>', 'when, as 12.3s (default: at the start)')
        .option('--key <KEY>', 'the request has this key')
        .option('--hash-key <KEY>', 'the same')
        .option('--hash <NUMBER>', 'the request has this hash, whatever its key')
        .option('--metadata <NAME=VALUE>', 'what the route asks of subsets; or JSON; repeatable', gather)
        .option('--header <NAME=VALUE>', 'a header of the request; repeatable', gather)
        .option('--proxy <NAME>', 'which proxy decides (default: the first)')
        .option('--worker <NUMBER>', 'which of its workers (default: 0)')
        .option('--random <N,N…>', 'values that are drawn, then 0 (default: those that the worker draws next)')
        .option('--why-not <HOST>', 'why does this host get nothing, or little?')
        .option('--seed <SEED>', 'seed of every random stream, instead of the scenario’s')
        .option('--duration <TIME>', 'virtual time to simulate, as 30s or 5m'),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lbsim explain canary.yaml',
        'lbsim explain canary.yaml --at 12.3s --metadata version=2',
        'lbsim explain sticky.yaml --cluster backend --key user-7',
        'lbsim explain canary.yaml --why-not 10.0.0.3:80',
      ),
    )
    .action(async (files: string[], options: ExplainOptions) => {
      hooks.onDone(await (await import('./commands/explain.js')).explainCommand(files, options, session));
    });

  withLayoutOptions(
    withScenarioOptions(
      program
        .command('find')
        .summary('find the smallest losses that bring trouble')
        .description(
          'Finds the smallest sets of hosts, and of zones, whose loss brings panic, failed requests, or a host above its ' +
            'capacity. Every set is judged by its exact prediction; where not all smaller sets could be tried, it says so, ' +
            'and none of the set can be spared.',
        )
        .argument('<FILE>', 'scenario, or what a proxy is configured with; "-" is standard input')
        .option('--json', 'print the findings as one JSON document')
        .option(
          '--capacity <N>',
          'requests a second that a host can take (default: its concurrency over its mean service time)',
          positive,
        )
        .option('--replay <OUT>', 'write a scenario of the first finding alone; "-": standard output, no report')
        .option('--force', 'overwrite the file if it exists; never one that is read'),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lbsim find prod.yaml',
        'lbsim find prod.yaml --capacity 250',
        'lbsim find prod.yaml --replay outage.yaml',
      ),
    )
    .action(async (file: string, options: FindOptions) => {
      hooks.onDone(await (await import('./commands/find.js')).findCommand(file, options, session));
    });

  withLayoutOptions(
    withScenarioOptions(
      program
        .command('curve')
        .summary('lose hosts one by one, and see where it tips over')
        .description(
          'Loses the hosts of a selector one by one, in their order, and predicts the split, the failures and panic after ' +
            'each: where does panic begin, when do requests fail?',
        )
        .argument('<FILE>', 'scenario, or what a proxy is configured with; "-" is standard input')
        .option('--lose <SELECTOR>', 'which hosts go, as zone=a, priority=0, 10.0.0.0/24')
        .option('--json', 'print the points as one JSON document'),
    ),
  )
    .addHelpText(
      'after',
      examples('lbsim curve prod.yaml --lose zone=a', 'lbsim curve prod.yaml --lose priority=0 --json'),
    )
    .action(async (file: string, options: CurveOptions) => {
      hooks.onDone(await (await import('./commands/curve.js')).curveCommand(file, options, session));
    });

  withScenarioOptions(
    program
      .command('test')
      .summary('run scenarios and hold each to what it expects, for CI')
      .description(
        'Runs scenarios and says in a line each whether all of their expectations hold; those that do not stand below, ' +
          'with their line in the file. Exit code 1 if one fails, 2 if a file cannot be run.',
      )
      .argument('<FILE...>', "files, directories, or patterns as 'scenarios/**'")
      .option('--json', 'short for --format json')
      .addOption(
        new Option('--format <FORMAT>', 'text, one JSON document, or text with annotations of GitHub workflows')
          .choices(TEST_FORMATS)
          .default('text'),
      )
      .option('--junit <OUT>', 'write the results as JUnit XML too; "-": standard output, no report')
      .option('--force', 'overwrite the file if it exists; never one that is read'),
  )
    .addHelpText(
      'after',
      examples(
        "lbsim test 'scenarios/**'",
        'lbsim test scenarios/ --junit results.xml',
        'lbsim test tests/*.yaml --format github',
      ),
    )
    .action(async (files: string[], options: TestOptions) => {
      hooks.onDone(await (await import('./commands/test.js')).testCommand(files, options, session));
    });

  withScenarioOptions(
    program
      .command('validate')
      .summary('check scenarios without running them')
      .description(
        'Checks scenarios and what a proxy is configured with: all problems at once, each with its place. ' +
          'Each file is checked by itself, unless one of them has no clusters: then they are one configuration, as for run. ' +
          'Errors keep a file from running. Warnings are settings that do not do what they seem to, each with its ' +
          'reason in docs/lint.md. Deprecations work and name what replaces them. Notes say what has no effect here. ' +
          'With --as TYPE each file is one message of the configuration; docs/reference has a page for each type.',
      )
      .argument('<FILE...>', 'files or directories (all *.yaml, *.yml and *.json below them); "-" is standard input')
      .option('--json', 'short for --format json')
      .addOption(
        new Option('--format <FORMAT>', 'text, one JSON document, or annotations of GitHub workflows')
          .choices(VALIDATE_FORMATS)
          .default('text'),
      )
      .addOption(
        new Option('--as <TYPE>', 'each file is one message of the configuration, as core.Node or Cluster').conflicts([
          'proxyVersion',
          'set',
          'unhealthy',
          'fail',
          'allowOutsideFiles',
        ]),
      )
      .option('--no-files', 'do not look for files that the configuration names, as certificates')
      .option('--no-notes', 'leave out the notes'),
  )
    .addHelpText(
      'after',
      examples(
        'lbsim validate canary.yaml',
        'lbsim validate scenarios/ --json',
        'lbsim validate envoy.yaml --format github',
        'lbsim validate --as core.HealthCheck check.yaml',
      ),
    )
    .action(async (files: string[], options: ValidateOptions) => {
      hooks.onDone(await (await import('./commands/validate.js')).validate(files, options, session));
    });

  program
    .command('schema')
    .summary('print the JSON Schema of scenarios, or of what a command prints')
    .description(
      'Prints the JSON Schema (draft 2020-12) of a kind of file, so that editors complete and check what you write. ' +
        'In YAML, name it in a comment: # yaml-language-server: $schema=scenario.schema.json\n\n' +
        'With --output: of what a command prints with --json, for programs that read it.',
    )
    .addArgument(
      new Argument('[KIND]', 'scenario, cluster (a bare cluster) or bootstrap (default: scenario)').choices([
        'scenario',
        'cluster',
        'bootstrap',
      ] satisfies SchemaKind[]),
    )
    .addOption(new Option('--api <API>', 'in which clusters are written (default: v2)').choices(['v2', 'v3']))
    .addOption(
      new Option('--output <COMMAND>', 'what this command prints; decisions: a line of --decisions').choices(
        OUTPUT_NAMES,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'lbsim schema > scenario.schema.json',
        'lbsim schema cluster --api v3 > cluster.v3.schema.json',
        'lbsim schema --output run > run.schema.json',
      ),
    )
    .action(async (kind: SchemaKind | undefined, options: SchemaOptions) => {
      hooks.onDone(await (await import('./commands/schema.js')).schema(kind, options, session));
    });

  program
    .command('import')
    .summary('make a scenario of what a proxy is configured with')
    .description(
      'Writes a scenario of a configuration in any of the forms that `lbsim run` takes, and of pages of /stats: one, or ' +
        'two with the time between them, in any format; their rates become workloads. What balances nothing is left ' +
        'out, with a comment; keys, certificates, tokens and headers never get into it, nor into a message.',
    )
    .argument('<FILE...>', 'what to import; "-" is standard input')
    .option('-o, --output <OUT>', 'where to; "-" is standard output', '-')
    .option('--json', 'print what became of the files, and a scenario that goes nowhere else, as one JSON document')
    .option('--force', 'overwrite the file if it exists; never one that is read')
    .option('--stats-interval <TIME>', 'the time between two pages of /stats, as 60s; the older one is named first')
    .option('--uptime <TIME>', 'the age of the counters of one page of /stats (default: its server.uptime)')
    .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
    .addOption(apiOption())
    .addHelpText(
      'after',
      examples(
        'lbsim import config_dump.json clusters.json -o prod.yaml',
        'lbsim import bootstrap.yaml stats-1.json stats-2.json --stats-interval 60s',
        'lbsim import config_dump.json | lbsim run -',
      ),
    )
    .action(async (files: string[], options: ImportOptions) => {
      hooks.onDone(await (await import('./commands/import.js')).importCommand(files, options, session));
    });

  program
    .command('init')
    .summary('write a scenario to start from')
    .description('Writes a small scenario with a comment on every line that matters.')
    .argument('[FILE]', 'where to; "-" is standard output', 'scenario.yaml')
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', examples('lbsim init', 'lbsim init canary.yaml', 'lbsim init - | lbsim run -'))
    .action(async (file: string, options: { readonly force?: boolean }) => {
      hooks.onDone(await (await import('./commands/init.js')).init(file, options, session));
    });

  program
    .command('examples')
    .summary('list the shipped scenarios, or print one')
    .description('Lists the scenarios that come with lbsim, each with the question it answers, or prints one of them.')
    .argument('[NAME]', 'the scenario to print')
    .option('--json', 'print the list as one JSON document')
    .addHelpText(
      'after',
      examples('lbsim examples', 'lbsim examples showcase > mine.yaml', 'lbsim examples showcase | lbsim run -'),
    )
    .action(async (name: string | undefined, options: { readonly json?: boolean }) => {
      hooks.onDone(await (await import('./commands/examples.js')).examples(name, options, session));
    });

  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script that completes commands, options and files. bash: source <(lbsim completion bash) in ~/.bashrc; ' +
        'zsh: the same in ~/.zshrc, behind compinit; fish: lbsim completion fish > ~/.config/fish/completions/lbsim.fish',
    )
    .addArgument(new Argument('<SHELL>', 'for which shell').choices(SHELLS))
    .addHelpText('after', examples('source <(lbsim completion bash)'))
    .action(async (shell: Shell) => {
      await session.out.write(completionScript(program, shell));
      hooks.onDone(ExitCode.ok);
    });

  return program;
}

const HELP_WIDTH = 80;

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

function gather(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

function apiOption(): Option {
  const words = 'read the configuration as this version of the API (default: as it says)';
  return new Option('--api <API>', words).choices(['v2', 'v3']);
}

/** Whose behaviour, and what if: the same for every command that reads a scenario. */
function withScenarioOptions(
  command: Command,
  set = 'change a field first, as clusters.backend.lb_policy=MAGLEV; repeatable',
): Command {
  return command
    .addOption(
      new Option('--proxy-version <VERSION>', 'behave as this version of the proxy, for all proxies').choices(
        PROXY_VERSIONS,
      ),
    )
    .addOption(apiOption())
    .option('--set <PATH=VALUE>', set, gather)
    .option('--cluster <NAME>', 'only this cluster, of many; with * several; repeatable', gather)
    .option(
      '--hosts <CLUSTER=HOSTS>',
      'hosts that no file tells, as backend=10.0.0.1:80,10.0.0.2:80@zone=b; made up: backend=3, *=3; repeatable',
      gather,
    )
    .option('--unhealthy <SELECTOR>', 'what if these hosts were unhealthy, as zone=a; repeatable', gather)
    .option('--fail <SELECTOR>', 'what if these hosts did not answer, as 10.0.0.3:80; repeatable', gather)
    .option('--allow-unknown-static-fields', 'fields that are not known are warnings, as with this option of the proxy')
    .option('--allow-outside-files', 'let the scenario name files (traces) that do not lie below its folder');
}

/** How a report for people looks. */
function withLayoutOptions(command: Command): Command {
  return command
    .option('--all', 'show every host and phase, however many')
    .option('--width <COLUMNS>', 'width of the report (default: the terminal’s, else 80)', columns);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || value === Infinity) throw new InvalidArgumentError('It is a number above 0.');
  return value;
}

function runs(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1000)
    throw new InvalidArgumentError('It is a whole number from 1 to 1000.');
  return value;
}

function columns(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 40 || value > 1000)
    throw new InvalidArgumentError('It is a whole number from 40 to 1000.');
  return value;
}
