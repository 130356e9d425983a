import { PLAIN } from '../../src/report/paint.js';
import { textReport } from '../../src/report/text-report.js';
import type { DecisionRecord } from '../../src/result/decision-record.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import type { ClusterResult, RunResult } from '../../src/result/run-result.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { ProxyCluster } from '../../src/simulation/proxy-cluster.js';
import type { Simulation } from '../../src/simulation/simulation.js';
import { createSimulation } from '../../src/simulation/simulation.js';

/** Events between two looks at everything. */
const STEP = 97;

/**
 * Runs a scenario and holds it to what is true of every run.
 *
 * @throws Error that says what was violated, and when.
 */
export async function runWithInvariants(scenario: Scenario): Promise<RunResult> {
  const watch = new Watch();
  const simulation = await createSimulation(scenario, { onDecision: watch.decided, onRequest: watch.ended });
  watch.simulation = simulation;
  let lastUs = 0;
  for (let step = 0, done = false; !done; step++) {
    done = simulation.advance(STEP);
    hold(simulation.nowUs >= lastUs, 'time runs backwards');
    lastUs = simulation.nowUs;
    for (const proxy of simulation.proxies) for (const cluster of proxy.clusters) notNegative(cluster);
    // Making a whole result takes time.
    if (done || step % 16 === 0) watch.agreesWith(simulation, scenario.warmupUs === 0);
  }
  const result = simulation.result();
  for (const [name, cluster] of Object.entries(result.clusters)) addsUp(name, cluster);
  textReport(result, { width: 100, bars: true, paint: PLAIN, all: false });
  return result;
}

/** Follows every request from its first decision to its end. */
class Watch {
  simulation: Simulation | undefined;
  private readonly open = new Map<number, number>();
  private endedRequests = 0;

  readonly decided = (decision: DecisionRecord): void => {
    const { request, attempt, host, cluster, proxy } = decision;
    hold((this.open.get(request) ?? -1) === attempt - 1, `request ${request}: attempt ${attempt} out of turn`);
    this.open.set(request, attempt);
    if (host === null) return;
    const known = this.clusterOf(proxy, cluster);
    hold(
      [...known.upstream.hosts()].some((one) => one.host.address === host),
      `request ${request}: ${host} is in no list of ${cluster}`,
    );
  };

  readonly ended = ({ request, outcome, attempts, host, latencyUs }: RequestRecord): void => {
    const last = this.open.get(request);
    this.endedRequests++;
    hold((last === undefined) === (attempts === 0), `request ${request} ended ${outcome} after ${attempts} attempts`);
    if (last !== undefined)
      hold(last + 1 === attempts, `request ${request}: ${last + 1} decisions, ${attempts} attempts`);
    this.open.delete(request);
    hold((host !== null) === (outcome === 'answered'), `request ${request}: ${outcome} by ${String(host)}`);
    hold(latencyUs >= 0, `request ${request} ended before it began`);
  };

  /** Sent = answered + failed + in flight. */
  agreesWith(simulation: Simulation, everyoneCounts: boolean): void {
    const { requests, success, failed, in_flight } = simulation.result().totals;
    hold(requests === success + failed + in_flight, `${requests} requests, ${success} + ${failed} + ${in_flight}`);
    if (!everyoneCounts) return;
    hold(this.open.size === in_flight, `${this.open.size} requests without an end, ${in_flight} in flight`);
    hold(this.endedRequests === success + failed, `${this.endedRequests} ended, ${success + failed} counted`);
  }

  private clusterOf(proxy: string, cluster: string): ProxyCluster {
    const found = this.simulation?.proxies
      .find(({ name }) => name === proxy)
      ?.clusters.find(({ name }) => name === cluster);
    if (found === undefined) throw new Error(`no cluster ${cluster} in ${proxy}`);
    return found;
  }
}

function notNegative(cluster: ProxyCluster): void {
  const check = (what: string, value: number): void => hold(value >= 0, `${cluster.name}: ${value} ${what}`);
  check('active requests', cluster.requests.upstreamRqActive);
  check('active connections', cluster.connections.upstreamCxActive);
  check('waiting requests', cluster.connections.upstreamRqPendingActive);
  for (const priority of ['DEFAULT', 'HIGH'] as const) {
    const { connections, pendingRequests, requests, retries } = cluster.breakerOf(priority);
    for (const [what, resource] of Object.entries({ connections, pendingRequests, requests, retries })) {
      check(`${what} at ${priority}`, resource.count);
    }
  }
  let active = 0;
  for (const { host } of cluster.upstream.hosts()) {
    check(`active requests of ${host.address}`, host.activeRequests);
    check(`waiting requests of ${host.address}`, host.pendingRequests);
    active += host.activeRequests;
  }
  check('active requests of all hosts', active);
}

/** Every attempt went to a host, to none, or was turned away. */
function addsUp(name: string, { requests, hosts, no_host, overflow, phases }: ClusterResult): void {
  const sum = hosts.reduce((total, host) => total + host.requests, 0) + no_host.requests + overflow.requests;
  hold(sum === requests, `${name}: ${requests} attempts, ${sum} accounted for`);
  const inPhases = phases.reduce((total, phase) => total + phase.requests, 0);
  hold(inPhases === requests, `${name}: ${requests} attempts, ${inPhases} in phases`);
  for (const host of hosts) hold(host.answered <= host.requests, `${name}: ${host.address} answered more than it got`);
}

function hold(law: boolean, violated: string): asserts law {
  if (!law) throw new Error(violated);
}
