import { problemAt, type SourceDocument } from '../../config/reader.js';
import type { LintRuleName, Problem } from '../../core/problem.js';
import type { ScenarioParts } from '../read-parts.js';
import { RULES } from './generated/lint-rules.js';
import { healthRules } from './health-rules.js';
import { ignoredRules } from './ignored-rules.js';
import { listsRules, tablesRules } from './policy-rules.js';
import { localitiesRules } from './locality-rules.js';
import { type Check, lintSubject, type RuleName } from './subject.js';
import { subsetsRules } from './subset-rules.js';
import { trafficRules } from './traffic-rules.js';

const CHECKS: Readonly<Record<RuleName, Check>> = {
  ...localitiesRules,
  ...listsRules,
  ...tablesRules,
  ...healthRules,
  ...subsetsRules,
  ...trafficRules,
  ...ignoredRules,
};

/** Finds what is legal and does not do what it seems to; parts with errors are skipped. @param selects default: all. */
export function lint(
  parts: ScenarioParts,
  document: SourceDocument,
  selects: (name: string) => boolean = () => true,
): readonly Problem[] {
  const subject = lintSubject(parts, document);
  const problems: Problem[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    if (!selects(name)) continue;
    const { severity } = RULES[name as RuleName];
    check(subject, (path, message) => {
      problems.push(problemAt(document, path, severity, name as LintRuleName, message));
    });
  }
  return problems;
}

export const isLintRule = (rule: string): boolean => Object.hasOwn(RULES, rule);

/** Runs report it, too: the configuration does not divide the traffic as it seems to, or would not if a host failed. */
export const isShownInRuns = (rule: string): boolean => isLintRule(rule) && 'runs' in RULES[rule as RuleName];
