import { ejectionsRefused, ejectionTimes } from './ejections.js';
import { defaultLimits, refusedRetries } from './limits.js';
import { namesAndAddresses } from './dns-names.js';
import { loadFeedback } from './load-feedback.js';
import { restartedTurns, severalRotations } from './turns-of-workers.js';
import type { RunFact } from '../../result/facts.js';
import type { ClusterRun } from './cluster-run.js';

/** In the order in which a report gives them. */
const MAKERS: readonly ((run: ClusterRun) => readonly RunFact[])[] = [
  namesAndAddresses,
  loadFeedback,
  restartedTurns,
  severalRotations,
  ejectionTimes,
  ejectionsRefused,
  refusedRetries,
  defaultLimits,
];

/** Why a cluster's numbers are what they are, where no single phase shows it. */
export function runFacts(run: ClusterRun): RunFact[] {
  if (run.result.requests === 0) return [];
  return MAKERS.flatMap((make) => make(run));
}
