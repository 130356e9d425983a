import type { Path } from '../../config/reader.js';
import type { LintCluster, LintSubject } from './subject.js';

/** A source for the reader: a thread, a page of the proxy's documentation, a paper. */
export interface LintSource {
  readonly title: string;
  readonly url: string;
}

/**
 * Something legal that does not do what it seems to. The proxy starts with it, but its author certainly meant something
 * else.
 *
 * `example` and `repaired` are whole files: documentation shows them, and a test checks that the rule reports the first and
 * not the second.
 */
export interface LintRule {
  /** Stable, kebab-case; `Problem.rule`. */
  readonly name: string;
  /** warning: traffic goes elsewhere than written. note: a setting does nothing, or less than it seems to. */
  readonly severity: 'warning' | 'note';
  /** The configuration does not divide the traffic as it seems to: runs report it, too. */
  readonly aboutSplit?: true;
  /** What is written, in a few words; a heading. */
  readonly title: string;
  /** What the proxy does instead, and why. */
  readonly why: string;
  readonly sources: readonly LintSource[];
  readonly example: string;
  readonly repaired: string;
  readonly check: (subject: LintSubject, report: LintReport) => void;
}

/** Rules under the heading that documentation gives them. */
export interface LintChapter {
  readonly title: string;
  readonly rules: readonly LintRule[];
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

/** A thread on GitHub: an issue of the proxy by its number, any other by its path, as `istio/istio/issues/48084`. */
export function thread(at: number | string, title: string): LintSource {
  const path = typeof at === 'number' ? `envoyproxy/envoy/issues/${at}` : at;
  const [, repository = '', , number = ''] = path.split('/');
  return { title: `${repository}#${number}: ${title}`, url: `https://github.com/${path}` };
}

/** A page of the proxy's documentation for the last release that takes this schema. */
export function manual(page: string, title: string): LintSource {
  return { title: `Envoy 1.17: ${title}`, url: `https://www.envoyproxy.io/docs/envoy/v1.17.0/${page}` };
}

export const BALANCING = 'intro/arch_overview/upstream/load_balancing';
