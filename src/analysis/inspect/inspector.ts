import { type Micros, microsToSeconds } from '../../core/units.js';
import { createKeyHasher, type KeyHasher } from '../../hash/request-key.js';
import type { Scenario } from '../../scenario/model.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import { createSimulation } from '../run/run-scenario.js';
import type { Simulation } from '../../simulation/simulation.js';
import { NothingToExplain } from '../explain/explain.js';
import { NO_PAUSE, type Pause, runUntil } from '../pause.js';
import { balancerState } from './balancer-state.js';
import type { Inspection } from './inspection.js';
import { inspectKey, inspectTables } from './table-states.js';
import { breakersOf, hostsOf, outliersOf } from './upstream-state.js';
import { demand, fieldsOf, FROM_ZERO, FUNCTION, INDEX, SCENARIO, TEXT } from '../../core/arguments.js';

export interface InspectOptions {
  /** After everything else of that instant. Default: 0, before any traffic. */
  readonly atUs?: Micros | undefined;
  readonly cluster: string;
  /** Default: the first. */
  readonly proxy?: string | undefined;
  readonly worker?: number | undefined;
  /** Where does this key fall? Only tables are asked: that changes nothing. */
  readonly hashKey?: string | undefined;
  readonly pause?: Pause | undefined;
}

const INSPECT_OPTIONS = fieldsOf<InspectOptions>(
  { atUs: FROM_ZERO, cluster: TEXT, proxy: TEXT, worker: INDEX, hashKey: TEXT, pause: FUNCTION },
  'cluster',
);

/**
 * Shows the state of clusters at any instant of a scenario.
 *
 * Nothing is recorded: a run is deterministic, so the state at a time is that of a run until then. Going on in time runs
 * on from the last question, going back runs again.
 */
export class Inspector {
  private simulation: Simulation | undefined;
  private hasher: KeyHasher | undefined;

  constructor(private readonly scenario: Scenario) {
    demand('new Inspector', ['scenario', scenario, SCENARIO]);
  }

  /** @throws NothingToExplain where there is no such cluster or proxy; UnsupportedError as `runScenario` does. */
  async look(options: InspectOptions): Promise<Inspection> {
    demand('look', ['options', options, INSPECT_OPTIONS]);
    const { atUs = 0, cluster: name, proxy: wanted, worker = 0, hashKey, pause = NO_PAUSE } = options;
    const simulation = await this.simulationAt(atUs, pause);
    const { proxies } = simulation;
    const proxy = wanted === undefined ? proxies[0] : proxies.find((one) => one.name === wanted);
    if (proxy === undefined || worker < 0 || worker >= proxy.spec.workers) {
      throw new NothingToExplain(`there is no worker ${worker} of a proxy ${wanted ?? ''}`);
    }
    const cluster = proxy.clusterNamed(name);
    if (cluster === undefined) throw new NothingToExplain(`there is no cluster ${name}`);
    this.hasher ??= await createKeyHasher();
    const { present } = cluster.world;
    return {
      at_s: microsToSeconds(atUs),
      proxy: proxy.name,
      worker,
      cluster: name,
      policy: cluster.world.settings.policyName,
      present,
      ...balancerState(cluster, worker),
      tables: present ? inspectTables(cluster, worker) : [],
      key: present && hashKey !== undefined ? inspectKey(cluster, worker, hashKey, this.hasher) : null,
      merge_window: mergeWindow(cluster),
      outliers: outliersOf(cluster),
      breakers: [...breakersOf(cluster, 'DEFAULT'), ...breakersOf(cluster, 'HIGH')],
      hosts: hostsOf(cluster),
    };
  }

  private async simulationAt(atUs: Micros, pause: Pause): Promise<Simulation> {
    if (this.simulation === undefined || this.simulation.nowUs > atUs) {
      this.simulation = undefined;
      this.simulation = await createSimulation({ ...this.scenario, expect: [] });
    }
    await runUntil(this.simulation, pause, atUs);
    return this.simulation;
  }
}

function mergeWindow({ upstream, world }: ProxyCluster): Inspection['merge_window'] {
  return {
    window_s: microsToSeconds(world.settings.updateMergeWindowUs),
    waiting: upstream.delivery.waitingUpdates.map(({ priority, dueUs, causes }) => ({
      priority,
      due_s: microsToSeconds(dueUs),
      facts: [...new Map(causes.map(({ fact }) => [JSON.stringify(fact), fact])).values()],
    })),
  };
}
