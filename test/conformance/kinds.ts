import { runHostSetFile } from './hostset/hostset.js';
import type { CaseOutcome } from './outcome.js';
import { runPoliciesFile } from './policies.js';
import { runProxyFile } from './proxy/proxy.js';
import { runValidationFile } from './validation.js';

export type RunFile = (content: unknown) => readonly CaseOutcome[] | Promise<readonly CaseOutcome[]>;

/** How the files of each kind are replayed. */
export const kinds: ReadonlyMap<string, RunFile> = new Map<string, RunFile>([
  ['policies', runPoliciesFile],
  ['hostset', runHostSetFile],
  ['mapping', runProxyFile],
  ['split', runProxyFile],
  ['timeline', runProxyFile],
  ['reject', runProxyFile],
  ['validation', runValidationFile],
]);
