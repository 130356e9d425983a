import { ejectionsRefused, ejectionTimes } from './ejections.js';
import { defaultLimits, refusedRetries } from './limits.js';
import { namesAndAddresses } from './dns-names.js';
import { loadFeedback } from './load-feedback.js';
import { restartedTurns } from './restarted-turns.js';
import { severalRotations } from './rotations.js';
import type { ClusterRun, RunReason } from './run-reason.js';

/** In the order in which a report gives them. */
const RUN_REASONS: readonly RunReason[] = [
  namesAndAddresses,
  loadFeedback,
  restartedTurns,
  severalRotations,
  ejectionTimes,
  ejectionsRefused,
  refusedRetries,
  defaultLimits,
];

/** The reasons for a cluster's numbers that no single phase shows. */
export function runReasons(run: ClusterRun): string[] {
  if (run.result.requests === 0) return [];
  return RUN_REASONS.flatMap((reason) => reason(run));
}
