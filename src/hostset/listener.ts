import type { Host } from '../host/host.js';
import type { AnswerListener } from '../policy/answers.js';
import type { LoadReport } from '../policy/load-report.js';
import type { Hearing } from '../policy/policy-kinds.js';

/** @returns undefined for a policy that wants to hear nothing. */
export function listenerOf<State>(policy: Hearing<State>, state: State): AnswerListener | undefined {
  if (policy.answered === undefined && policy.reported === undefined && policy.probed === undefined) return undefined;
  return {
    answered: (host, latencyUs, outcome) => policy.answered?.(state, host, latencyUs, outcome),
    ...(policy.reported !== undefined && {
      reported: (host: Host, report: LoadReport) => policy.reported?.(state, host, report),
    }),
    probed: (host, answer) => policy.probed?.(state, host, answer),
  };
}
