import type { Path } from '../../config/reader.js';
import type { RULES } from './generated/lint-rules.js';
import type { LintCluster, LintSubject } from './subject.js';

export type RuleName = keyof typeof RULES;

/**
 * Finds something legal that does not do what it seems to. The proxy starts with it, but its author certainly meant something
 * else.
 */
export type Check = (subject: LintSubject, report: LintReport) => void;

/** Rules by their names in rules.yaml, which has all else about them. */
export type Checks = Readonly<Partial<Record<RuleName, Check>>>;

/** @param message what was found here, what happens, and what to write instead: one or two sentences. */
export type LintReport = (path: Path, message: string) => void;

/** A rule that looks at one cluster at a time. */
export function eachCluster(check: (cluster: LintCluster, report: LintReport, subject: LintSubject) => void): Check {
  return (subject, report) => {
    for (const cluster of subject.clusters) check(cluster, report, subject);
  };
}
