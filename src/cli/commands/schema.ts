import { readFileSync } from 'node:fs';
import { printableJson } from '../../core/printable.js';
import { schemaOf } from '../../scenario/scenario.js';
import { UsageError, type Work } from '../session.js';
import { packageRoot } from '../package-root.js';

/** `lbsim schema [KIND] [--api v2|v3]`, `lbsim schema --output COMMAND`: JSON Schema for editors, validators and programs. */
export const schemaCommand: Work<'schema'> = async (kind, { api, output }, session) => {
  if (output === undefined) return session.out.write(schemaText(schemaOf(kind ?? 'scenario', api)));
  if (kind !== undefined || api !== undefined) {
    const given = kind === undefined ? '--api' : kind;
    throw new UsageError(`--output is about what a command prints, ${given} about what it reads: choose one`);
  }
  // It is generated from types, which no longer exist at run time.
  await session.out.write(readFileSync(new URL(`schema/output/${output}.schema.json`, packageRoot), 'utf8'));
};

/** A schema as files keep it: each definition is a line, so that a change shows as one, in three fifths of the space. */
export function schemaText({ $defs = {}, ...rest }: Readonly<Record<string, unknown>>): string {
  const lines = (members: object): string =>
    Object.entries(members)
      .map(([name, value]) => `${JSON.stringify(name)}: ${printableJson(JSON.stringify(value))}`)
      .join(',\n');
  return `{\n${lines(rest)},\n"$defs": {\n${lines($defs as object)}\n}\n}\n`;
}
