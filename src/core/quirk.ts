import type { ProxyVersion } from './version.js';

/**
 * One way in which releases of the proxy decide differently: which of them have it, and how that is known.
 *
 * Releases are written as the proxy's own, `1.16.0`; a {@link ProxyVersion} stands for the release line of that name.
 */
export interface Quirk {
  /** The first release that has it; undefined: those before 1.12.0 had it too. */
  readonly first?: string;
  /** The last release that has it; undefined: it is still there. */
  readonly last?: string;
  /** What was run or read to know. */
  readonly evidence: string;
}

/** Whether a version has a quirk. */
export function has(version: ProxyVersion, { first, last }: Quirk): boolean {
  const line = minorOf(version);
  return (first === undefined || minorOf(first) <= line) && (last === undefined || line <= minorOf(last));
}

/** 16 of `1.16.0`: all releases that matter begin with 1. */
function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
