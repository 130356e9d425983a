import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../run/run-scenario.js';
import { type Pause, runUntil } from '../pause.js';
import { type HostKey, type RunLog, RunRecorder, type Window } from './tally.js';
import type { CauseResult } from '../../result/happenings.js';
import type { ClusterResult } from '../../result/run-result.js';

/** How a phase of one side begins. */
type PhaseStart = Pick<ClusterResult['phases'][number], 'from_s' | 'causes'>;

/** A stretch in which nothing changed for the balancers of any side, except what they do not see. */
export interface SharedPhase extends Window {
  /** What began it, by side; nothing for a side without a change. */
  readonly began: readonly (readonly CauseResult[])[];
}

/** Phase starts of different sides closer together than this part of the run are one. */
const SAME_INSTANT = 0.01;

/** The phases of all sides together. @param sides undefined: the side has no such cluster. */
export function sharedPhases(
  sides: readonly ({ readonly phases: readonly PhaseStart[] } | undefined)[],
  endUs: Micros,
): readonly SharedPhase[] {
  const starts: { readonly atUs: Micros; readonly began: (readonly CauseResult[])[] }[] = [];
  const begun = sides
    .flatMap((side, index) => (side?.phases ?? []).map(({ from_s: from, causes }) => ({ from, causes, index })))
    .map(({ from, causes, index }) => ({ atUs: Math.round(from * MICROS_PER_SECOND), causes, index }))
    .sort((a, b) => a.atUs - b.atUs || a.index - b.index);
  for (const { atUs, causes, index } of begun) {
    const last = starts[starts.length - 1];
    const isClose = last !== undefined && last.began[index]?.length === 0 && atUs - last.atUs <= SAME_INSTANT * endUs;
    if (isClose) last.began[index] = causes;
    else starts.push({ atUs, began: sides.map((_, side) => (side === index ? causes : [])) });
  }
  return starts.map(({ atUs, began }, index) => ({
    fromUs: atUs,
    toUs: starts[index + 1]?.atUs ?? Math.max(endUs, atUs) + 1,
    began,
  }));
}

/** One run of one side, with its decisions: plain data, which a thread can hand over. */
export interface SideRun {
  readonly requests: number;
  readonly endUs: Micros;
  readonly clusters: Readonly<Record<string, SideCluster>>;
  readonly log: RunLog;
}

export interface SideCluster {
  readonly phases: readonly PhaseStart[];
  readonly hosts: readonly HostKey[];
}

/** Who runs sides: what comes out depends on nothing but the side and the seed. */
export interface SideRunner {
  /** How many runs it should have at a time. */
  readonly wants: number;
  /** @param side its number. */
  readonly run: (side: number, seed: string, pause: Pause) => Promise<SideRun>;
}

/** One after the other, here. */
export function runnerHere(sides: readonly { readonly scenario: Scenario }[]): SideRunner {
  return {
    wants: 1,
    run: (side, seed, pause) => runSide((sides[side] as (typeof sides)[number]).scenario, seed, pause),
  };
}

/** Its expectations are not asked. */
export async function runSide(scenario: Scenario, seed: string, pause: Pause): Promise<SideRun> {
  const recorder = new RunRecorder(scenario.warmupUs);
  const { onDecision, onRequest } = recorder;
  const simulation = await createSimulation({ ...scenario, seed, expect: [] }, { onDecision, onRequest });
  await runUntil(simulation, pause);
  const { totals, duration_s: durationS, clusters } = simulation.result();
  return {
    requests: totals.requests,
    endUs: durationS * MICROS_PER_SECOND,
    clusters: Object.fromEntries(
      Object.entries(clusters).map(([name, { phases, hosts }]): [string, SideCluster] => [
        name,
        {
          phases: phases.map(({ from_s, causes }) => ({ from_s, causes })),
          hosts: hosts.map(({ address, priority, locality }) => ({ address, priority, locality })),
        },
      ]),
    ),
    log: recorder.log(),
  };
}
