import type { ClusterPicture, PhasePicture, RunPicture } from '../engine/picture.js';

/** Which instant of a run a still picture shows. */

export interface Telling {
  readonly cluster: ClusterPicture;
  readonly phase: PhasePicture;
}

/**
 * Of each cluster with hosts and requests the phase in which most fails; if nothing does, a phase in panic, else the last
 * one, which all events have led to. What fails most comes first.
 */
export function tellingPhases({ clusters }: RunPicture): readonly Telling[] {
  return clusters
    .filter(({ hosts, members, requests }) => (hosts.length > 0 || members.length > 0) && requests > 0)
    .flatMap((cluster) => {
      const phase = cluster.phases.reduce<PhasePicture | undefined>(
        (best, one) => (best === undefined || rank(one) >= rank(best) ? one : best),
        undefined,
      );
      return phase === undefined ? [] : [{ cluster, phase }];
    })
    .sort((a, b) => rank(b.phase) - rank(a.phase));
}

/** Below 0.01: no failures worth a picture. */
function rank({ requests, failed, noHost, priorities }: PhasePicture): number {
  const lost = Math.max(requests > 0 ? failed / requests : 0, noHost);
  if (lost >= 0.01) return lost;
  return priorities.some(({ panic }) => panic) ? 0.005 : 0;
}
