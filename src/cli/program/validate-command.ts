import { Option } from 'commander';
import { OUTPUT_FORMATS } from '../output-formats.js';
import type { LbsimCommand } from './lbsim-command.js';

export function addValidate(command: LbsimCommand): void {
  command
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
    .choice('--format <FORMAT>', 'text, one JSON document, or annotations of GitHub workflows', OUTPUT_FORMATS, 'text')
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
    .option('--no-notes', 'leave out the notes')
    .scenarioOptions()
    .examples(
      'lbsim validate canary.yaml',
      'lbsim validate scenarios/ --json',
      'lbsim validate envoy.yaml --format github',
      'lbsim validate --as core.HealthCheck check.yaml',
    )
    .does(async () => (await import('../commands/validate.js')).validate);
}
