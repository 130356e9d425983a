import type { Scenario } from '../scenario/model.js';
import type { Simulation } from '../words/library.js';

/** The state of the served run. */
export interface RunView {
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  /** The run is over, and its final state is served. */
  readonly state: 'running' | 'over';
  /** 1, and more where the scenario is repeated. */
  readonly run: number;
  /** Wall-clock time of virtual time 0, RFC 3339. */
  readonly startedAt: string;
  readonly lbsimVersion: string;
}
