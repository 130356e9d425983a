import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { SchemaKind } from '../../scenario/json-schema.js';
import type { SchemaOptions } from '../commands/schema.js';
import { OUTPUT_NAMES } from '../output-names.js';
import type { Call } from './shared-options.js';
import { examples } from './shared-options.js';

export function addSchema(program: Command, call: Call): void {
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
    .action((kind: SchemaKind | undefined, options: SchemaOptions) =>
      call(async (session) => (await import('../commands/schema.js')).schema(kind, options, session)),
    );
}
