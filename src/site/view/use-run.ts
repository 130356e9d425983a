import { app, clock } from '../app-state.js';
import type { ClusterPicture, PhasePicture, RunPicture } from '../engine/picture.js';
import { clusterOf, phaseAt } from '../run-at-time.js';
import { useStore } from '../store.js';

export function useCluster(run: RunPicture | undefined): ClusterPicture | undefined {
  return useStore(app, (state) => clusterOf(run, state.cluster));
}

/** Its phase at the time shown. */
export function usePhase(cluster: ClusterPicture | undefined): PhasePicture | undefined {
  return useStore(clock, ({ t }) => (cluster === undefined ? undefined : cluster.phases[phaseAt(cluster, t)]));
}

/**
 * The host that is chosen, as an index into the list of `cluster`, and how to choose one, or none. What is stored is an
 * index into the list of the current run; the other run of a comparison may list its hosts in another order.
 */
export function useChosenHost(
  cluster: ClusterPicture | undefined,
): readonly [chosen: number | undefined, choose: (host: number) => void] {
  const current = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const stored = useStore(app, (state) => state.host);
  const chosen = sameHost(current, stored, cluster);
  return [chosen, (host) => app.set({ host: host === chosen ? undefined : sameHost(cluster, host, current) })];
}

function sameHost(
  from: ClusterPicture | undefined,
  index: number | undefined,
  to: ClusterPicture | undefined,
): number | undefined {
  if (from === to || index === undefined) return index;
  const host = from?.hosts[index];
  const found = to?.hosts.findIndex(({ address, priority }) => address === host?.address && priority === host.priority);
  return found === undefined || found < 0 ? undefined : found;
}
