import { readFileSync } from 'node:fs';
import type { ApiVersion } from '../../config/api/api.js';
import { printableJson } from '../../core/printable.js';
import { type SchemaKind, schemaOf } from '../../scenario/scenario.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../package-root.js';
import type { Session } from '../session.js';
import { Argument } from 'commander';
import type { LbsimCommand } from '../program/lbsim-command.js';
import type { Documents } from '../../report/documents.js';

/** The names for `lbsim schema --output`. */
export type OutputName = keyof Documents;

const NAMES: Readonly<Record<OutputName, true>> = {
  run: true,
  serve: true,
  predict: true,
  ring: true,
  compare: true,
  race: true,
  sweep: true,
  paper: true,
  explain: true,
  find: true,
  curve: true,
  verify: true,
  fuzz: true,
  test: true,
  validate: true,
  import: true,
  examples: true,
  policies: true,
  decisions: true,
};

export const OUTPUT_NAMES = Object.keys(NAMES) as readonly OutputName[];

export function addSchema(command: LbsimCommand): void {
  command
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
    .does(schema);
}

export interface SchemaOptions {
  readonly api?: ApiVersion;
  readonly output?: OutputName;
}

/** `lbsim schema [KIND] [--api v2|v3]`, `lbsim schema --output COMMAND`: JSON Schema for editors, validators and programs. */
export async function schema(
  kind: SchemaKind | undefined,
  { api, output }: SchemaOptions,
  session: Session,
): Promise<void> {
  if (output === undefined) return session.out.write(schemaText(schemaOf(kind ?? 'scenario', api)));
  if (kind !== undefined || api !== undefined) {
    const given = kind === undefined ? '--api' : kind;
    throw new UsageError(`--output is about what a command prints, ${given} about what it reads: choose one`);
  }
  // It is generated from types, which no longer exist at run time.
  await session.out.write(readFileSync(new URL(`schema/output/${output}.schema.json`, packageRoot), 'utf8'));
}

/** A schema as files keep it: each definition is a line, so that a change shows as one, in three fifths of the space. */
export function schemaText({ $defs = {}, ...rest }: Readonly<Record<string, unknown>>): string {
  const lines = (members: object): string =>
    Object.entries(members)
      .map(([name, value]) => `${JSON.stringify(name)}: ${printableJson(JSON.stringify(value))}`)
      .join(',\n');
  return `{\n${lines(rest)},\n"$defs": {\n${lines($defs as object)}\n}\n}\n`;
}
