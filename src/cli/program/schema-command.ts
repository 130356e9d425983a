import { Argument } from 'commander';
import type { SchemaKind } from '../../scenario/json-schema.js';
import { OUTPUT_NAMES } from '../output-names.js';
import type { LbsimCommand } from './lbsim-command.js';

export function addSchema(command: LbsimCommand): void {
  command
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
    .choice('--api <API>', 'in which clusters are written (default: v2)', ['v2', 'v3'])
    .choice('--output <COMMAND>', 'what this command prints; decisions: a line of --decisions', OUTPUT_NAMES)
    .examples(
      'lbsim schema > scenario.schema.json',
      'lbsim schema cluster --api v3 > cluster.v3.schema.json',
      'lbsim schema --output run > run.schema.json',
    )
    .does(async () => (await import('../commands/schema.js')).schema);
}
