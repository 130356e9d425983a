import type { Messages } from '../../config/api/generated/read-messages.js';
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

/** @param at the place in `of`, which is the cluster unless it is given: `health_checks.0.timeout`. */
export type ClusterReport = (at: string, message: string, of?: { readonly path: Path }) => void;

/** A rule that looks at one cluster at a time. */
export function eachCluster(check: (cluster: LintCluster, report: ClusterReport, subject: LintSubject) => void): Check {
  return (subject, report) => {
    for (const cluster of subject.clusters) {
      const inCluster: ClusterReport = (at, message, { path } = cluster) => {
        const steps = at.split('.').filter((step) => step !== '');
        report([...path, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))], message);
      };
      check(cluster, inCluster, subject);
    }
  };
}

/** A rule that looks at the subsets of one cluster at a time; places are in `lb_subset_config`. */
export function eachSubsets(
  check: (
    subsets: Messages['Cluster.LbSubsetConfig'],
    report: ClusterReport,
    cluster: LintCluster,
    subject: LintSubject,
  ) => void,
): Check {
  return eachCluster((cluster, report, subject) => {
    if (cluster.subsets === undefined) return;
    const of = { path: [...cluster.path, 'lb_subset_config'] };
    check(cluster.subsets, (at, message, other = of) => report(at, message, other), cluster, subject);
  });
}
