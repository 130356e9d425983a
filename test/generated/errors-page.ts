import { PROBLEMS } from '../../src/core/generated/problems.js';
import { Messages } from './messages.js';

/** docs/errors.md: every problem of the input, why it is one, and what to do. */
export function errorsPage(): string {
  const rows = [...explained()].map(([name, { why, fix }]) => `| \`${name}\` | ${cell(why)} | ${cell(fix)} |`);
  return `<!-- Written from the code by \`npm run docs\`; a test holds it current. -->

# Problems

For those who were shown a problem: what its name means, why it is one, and what to do.

Each problem ends with its name in brackets. Names that are not here belong to rules of [lint](lint.md): what is legal and does not do what it seems to.

| name | why | what to do |
|---|---|---|
${rows.join('\n')}
`;
}

/** Sorted by name. */
export function explained(): ReadonlyMap<string, { readonly why: string; readonly fix: string }> {
  const sentences = new Messages().ruleSentences();
  const entries = Object.entries<{ readonly why?: string; readonly fix: string }>(PROBLEMS);
  return new Map(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { why, fix }]) => [name, { why: why ?? [...(sentences.get(name) ?? [])].join(' '), fix }]),
  );
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
