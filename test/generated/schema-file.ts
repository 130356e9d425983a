/**
 * A schema as it is kept: each definition is a line, so that a change shows as one, in three fifths of the space.
 *
 * @returns JSON, with a newline at the end.
 */
export function schemaFile(schema: Readonly<Record<string, unknown>>): string {
  const { $defs = {}, ...rest } = schema;
  const lines = (members: object): string =>
    Object.entries(members)
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  return `{\n${lines(rest)},\n"$defs": {\n${lines($defs as object)}\n}\n}\n`;
}
