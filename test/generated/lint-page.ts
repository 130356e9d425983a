import { type DocumentedRule, LINT_CHAPTERS } from '../scenario/lint/documented-rules.js';

/** docs/lint.md, written from the rules and src/scenario/lint/rules.yaml. */
export function lintPage(): string {
  const count = LINT_CHAPTERS.reduce((sum, { rules }) => sum + rules.length, 0);
  const contents = LINT_CHAPTERS.map(({ title, rules }) => {
    const links = rules.map(({ name, title: what }) => `  * [${what}](#${name})`);
    return [`* ${title}`, ...links].join('\n');
  });
  const chapters = LINT_CHAPTERS.map(({ title, rules }) => [`## ${title}`, ...rules.map(section)].join('\n\n'));
  return `<!-- Written from the rules by \`npm run docs\`; a test holds it current. -->

# Lint: legal, and not what it seems

For those whose file is valid and does something else than it says: ${count} settings that people have written, run and wondered about.

\`lbsim validate\` finds what a proxy refuses, and also what it accepts and then does something else with. A **warning** means that traffic goes elsewhere than
the file suggests; a **note** means that a setting does nothing, or less than it seems to. Neither keeps a file from running.

Every rule has a reason, a source, an example, and the same example repaired; tests run both. Rules look at the file alone: they know the hosts that it
names, not those that a resolver or a management server would send.

${contents.join('\n')}

${chapters.join('\n\n')}
`;
}

function section({ name, severity, title, why, sources, example, repaired }: DocumentedRule): string {
  return [
    `### ${name}`,
    `**${title}** (${severity})`,
    why,
    fence(example),
    'Repaired:',
    fence(repaired),
    `Sources: ${sources.map((source) => `[${source.title}](${source.url})`).join(' · ')}`,
  ].join('\n\n');
}

function fence(text: string): string {
  return `\`\`\`yaml\n${text.trim()}\n\`\`\``;
}
