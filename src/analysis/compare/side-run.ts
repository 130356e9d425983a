import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import type { Scenario } from '../../scenario/model.js';
import { createSimulation } from '../../simulation/simulation.js';
import { type Pause, runUntil } from '../pause.js';
import { type HostKey, type RunLog, RunRecorder } from './tally.js';
import type { PhaseStart } from './windows.js';

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
