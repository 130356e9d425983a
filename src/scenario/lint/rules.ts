import { problemAt, type SourceDocument } from '../../config/reader.js';
import { fill, type Sentence } from '../../core/fill.js';
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

type Rule = Readonly<{ severity: 'warning' | 'note'; at?: string; says: Sentence }>;

/** Finds what is legal and does not do what it seems to; parts with errors are skipped. @param selects default: all. */
export function lint(
  parts: ScenarioParts,
  document: SourceDocument,
  selects: (name: string) => boolean = () => true,
): readonly Problem[] {
  const subject = lintSubject(parts, document);
  const selected = Object.entries(CHECKS).filter(([name]) => selects(name));
  return selected.flatMap(([name, check]) => {
    const { severity, at = '', says }: Rule = RULES[name as RuleName];
    return check(subject).map((found) => {
      const steps = fill(found.at ?? at, found).split('.');
      const inside = steps.flatMap((step) => (step === '' ? [] : /^\d+$/.test(step) ? Number(step) : step));
      const path = [...found.of.path, ...inside];
      return problemAt(document, path, severity, name as LintRuleName, fill(says, found));
    });
  });
}

export const isLintRule = (rule: string): boolean => Object.hasOwn(RULES, rule);

/** Runs report it, too: the configuration does not divide the traffic as it seems to, or would not if a host failed. */
export const isShownInRuns = (rule: string): boolean => isLintRule(rule) && 'runs' in RULES[rule as RuleName];
