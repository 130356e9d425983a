import type { Path } from '../../config/reader.js';
import type { LintCluster, LintSubject } from './subject.js';

/**
 * Something legal that does not do what it seems to. The proxy starts with it, but its author certainly meant something
 * else.
 *
 * What documentation says of it is in rules.yaml: a reason, sources, and two whole files; a test checks that the rule
 * reports the first and not the second.
 */
export interface LintRule {
  /** Stable, kebab-case; `Problem.rule`. */
  readonly name: string;
  /** warning: traffic goes elsewhere than written. note: a setting does nothing, or less than it seems to. */
  readonly severity: 'warning' | 'note';
  /** The configuration does not divide the traffic as it seems to: runs report it, too. */
  readonly aboutSplit?: true;
  readonly check: (subject: LintSubject, report: LintReport) => void;
}

/** @param message what was found here, what happens, and what to write instead: one or two sentences. */
export type LintReport = (path: Path, message: string) => void;

/** A rule that looks at one cluster at a time. */
export function eachCluster(
  check: (cluster: LintCluster, report: LintReport, subject: LintSubject) => void,
): LintRule['check'] {
  return (subject, report) => {
    for (const cluster of subject.clusters) check(cluster, report, subject);
  };
}
