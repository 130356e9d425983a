import { problemAt, type SourceDocument } from '../../config/reader.js';
import type { LintRuleName, Problem } from '../../core/problem.js';
import type { ScenarioParts } from '../scenario-parts.js';
import { LINT_RULES } from './rules.js';
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
