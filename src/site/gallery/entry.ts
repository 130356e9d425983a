import type { Example } from '../../scenario/example.js';
import type { ClusterPicture, PhasePicture, RunPicture } from '../engine/picture.js';
import { Engine } from '../engine/engine.js';
import type { SourceFile } from '../engine/protocol.js';

/** A scenario with what its run gave. */
export interface Entry {
  readonly example: Example & { readonly text: string };
  readonly picture: RunPicture;
  /** The report in words. */
  readonly report: string;
  /** Of each cluster, what is drawn of it. */
  readonly telling: readonly Telling[];
}

/** @throws Error where the scenario cannot be run. */
export async function entryFor(example: Entry['example'] & SourceFile): Promise<Entry> {
  // The engine behind the playground. A page that is built twice is the same, so nothing is timed; nobody waits for a turn.
  const engine = new Engine({ onProgress: () => undefined, nowMs: () => 0, turn: () => Promise.resolve() });
  const { picture, problems } = await engine.run({ files: [example], overrides: {} });
  if (picture === undefined) throw new Error(`${example.file}: ${problems.map(({ message }) => message).join(' ')}`);
  return { example, picture, report: engine.export('text').join(''), telling: tellingPhases(picture) };
}

/** Which instant of a run a still picture shows. */

export interface Telling {
  readonly cluster: ClusterPicture;
  readonly phase: PhasePicture;
}

/**
 * Of each cluster with hosts and requests the phase in which most fails; if nothing does, a phase in panic, else the last
 * one, which all events have led to. What fails most comes first.
 */
function tellingPhases({ clusters }: RunPicture): readonly Telling[] {
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

/** The playground on this scenario, at the time of its picture. */
export function playgroundLink({ example, telling }: Entry): string {
  const at = telling[0]?.phase.fromS ?? 0;
  return `../index.html#example=${encodeURIComponent(example.name)}${at > 0 ? `&at=${Number(at.toFixed(3))}` : ''}`;
}
