import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What rules.yaml says of a rule. */
interface RuleText {
  readonly severity: 'warning' | 'note';
  /** What is written, in a few words; a heading. */
  readonly title: string;
  /** What the proxy does instead, and why. */
  readonly why: string;
  /** Threads, pages of the proxy's documentation for the last release that takes this schema, papers. */
  readonly sources: readonly { readonly title: string; readonly url: string }[];
  /** Two whole files: the rule reports the first and not the second. */
  readonly example: string;
  readonly repaired: string;
}

export interface DocumentedRule extends RuleText {
  readonly name: string;
}

interface Chapter<Rules> {
  readonly title: string;
  readonly rules: Rules;
}

const TEXTS = parse(
  readFileSync(new URL('../../../src/scenario/lint/rules.yaml', import.meta.url), 'utf8'),
) as readonly Chapter<Readonly<Record<string, RuleText>>>[];

/** Rules under the headings that documentation gives them. */
export const LINT_CHAPTERS: readonly Chapter<readonly DocumentedRule[]>[] = TEXTS.map(({ title, rules }) => ({
  title,
  rules: Object.entries(rules).map(([name, text]) => ({ name, ...text })),
}));

export const DOCUMENTED_RULES: readonly DocumentedRule[] = LINT_CHAPTERS.flatMap(({ rules }) => rules);
