import type { Scenario } from '../scenario/model.js';
import type { Simulation } from '../simulation/simulation.js';

/** The run that is served, as it is at this moment. */
export interface RunView {
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  /** Over: nothing happens any more, and the final state is served. */
  readonly state: 'running' | 'over';
  /** 1, and more where the scenario is repeated. */
  readonly run: number;
  /** When virtual time was 0, RFC 3339. */
  readonly startedAt: string;
  readonly lbsimVersion: string;
}
