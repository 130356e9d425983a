import type { Command } from 'commander';
import { Option } from 'commander';
import type { ValidateOptions } from '../commands/validate.js';
import { OUTPUT_FORMATS } from '../output-formats.js';
import type { Call } from './shared-options.js';
import { addScenarioOptions, examples } from './shared-options.js';

export function addValidate(program: Command, call: Call): void {
  const command = program
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
        .choices(OUTPUT_FORMATS)
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
    .option('--no-notes', 'leave out the notes');
  addScenarioOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        'lbsim validate canary.yaml',
        'lbsim validate scenarios/ --json',
        'lbsim validate envoy.yaml --format github',
        'lbsim validate --as core.HealthCheck check.yaml',
      ),
    )
    .action((files: string[], options: ValidateOptions) =>
      call(async (session) => (await import('../commands/validate.js')).validate(files, options, session)),
    );
}
