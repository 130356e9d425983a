import type { LintRule } from './rule.js';
import { localitiesRules } from './locality-rules.js';
import { zonesRules } from './zone-rules.js';
import { listsRules } from './list-rules.js';
import { tablesRules } from './table-rules.js';
import { healthRules } from './health-rules.js';
import { subsetsRules } from './subset-rules.js';
import { trafficRules } from './traffic-rules.js';
import { ignoredRules } from './ignored-rules.js';
import { problemAt, type SourceDocument } from '../../config/reader.js';
import type { LintRuleName, Problem } from '../../core/problem.js';
import type { ScenarioParts } from '../scenario-parts.js';
import { lintSubject } from './subject.js';

/**
 * Finds what is legal in a file and does not do what it seems to. Parts with errors are skipped.
 *
 * @param selects rules by name; default: all.
 */
export function lint(
  parts: ScenarioParts,
  document: SourceDocument,
  selects: (name: string) => boolean = () => true,
): readonly Problem[] {
  const subject = lintSubject(parts, document);
  const problems: Problem[] = [];
  for (const { name, severity, check } of LINT_RULES) {
    if (selects(name))
      check(subject, (path, message) =>
        problems.push(problemAt(document, path, severity, name as LintRuleName, message)),
      );
  }
  return problems;
}

export const LINT_RULES: readonly LintRule[] = [
  ...localitiesRules,
  ...zonesRules,
  ...listsRules,
  ...tablesRules,
  ...healthRules,
  ...subsetsRules,
  ...trafficRules,
  ...ignoredRules,
];

const NAMES: ReadonlySet<string> = new Set(LINT_RULES.map(({ name }) => name));

export function isLintRule(rule: string): boolean {
  return NAMES.has(rule);
}

const SHOWN_IN_RUNS = new Set(LINT_RULES.flatMap(({ name, aboutSplit }) => (aboutSplit === true ? [name] : [])));

export function isShownInRuns(rule: string): boolean {
  return SHOWN_IN_RUNS.has(rule);
}
