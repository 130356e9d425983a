import { PLAIN } from '../../src/report/paint.js';
import { textReport } from '../../src/report/text-report.js';
import type { Host } from '../../src/host/host.js';
import type { DecisionRecord } from '../../src/result/decision-record.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import type { ClusterResult, RunResult } from '../../src/result/run-result.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { ProxyCluster } from '../../src/simulation/proxy-cluster.js';
import { RequestState } from '../../src/simulation/open-requests.js';
import type { Simulation } from '../../src/simulation/simulation.js';
import { createSimulation } from '../../src/simulation/simulation.js';

/** A whole result takes time to make: it is looked at after this many events. */
const RESULT_EVERY = 1500;

/**
 * Runs a scenario event by event and holds it to what is true of every run at every instant.
 *
 * @throws Error that says what was violated, and when.
 */
export async function runWithInvariants(scenario: Scenario): Promise<RunResult> {
  const watch = new Watch(scenario.warmupUs);
  const simulation = await createSimulation(scenario, { onDecision: watch.decided, onRequest: watch.ended });
  watch.simulation = simulation;
  try {
    let lastUs = 0;
    for (let events = 0, done = false; !done; events++) {
      done = simulation.advance(1);
      hold(simulation.nowUs >= lastUs, `time runs backwards, from ${lastUs} to ${simulation.nowUs} us`);
      lastUs = simulation.nowUs;
      watch.balance();
      if (done || events % RESULT_EVERY === 0) watch.agreesWith(simulation.result());
    }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`at ${simulation.nowUs} us: ${what}`, { cause: error });
  }
  const result = simulation.result();
  for (const [name, cluster] of Object.entries(result.clusters)) addsUp(name, cluster);
  textReport(result, { width: 100, bars: true, paint: PLAIN, all: false });
  return result;
}

/** What was seen of one cluster of one proxy. */
class Account {
  arrived = 0;
  answered = 0;
  failed = 0;
  /** These after the warm-up only. */
  decisions = 0;
  answeredWithError = 0;
}

/** What the proxy has open at one instant. */
class Open {
  requests = 0;
  pending = 0;
  sent = 0;
  retries = 0;
  countedPending = 0;
  countedSent = 0;
  readonly byHost = new Map<Host, number>();
}

/** Keeps books of its own on every request, from its first decision to its end, and compares them with the run's. */
class Watch {
  simulation: Simulation | undefined;
  private readonly attempts = new Map<number, number>();
  private readonly accounts = new Map<ProxyCluster, Account>();
  /** What hosts were busy with before their first request. */
  private readonly baselines = new Map<Host, number>();
  private counted = { arrived: 0, ended: 0 };

  constructor(private readonly warmupUs: number) {}

  readonly decided = (decision: DecisionRecord): void => {
    const { request, attempt, host, cluster, proxy, tUs, panic, priority } = decision;
    const known = this.clusterOf(proxy, cluster);
    const account = this.account(known);
    hold((this.attempts.get(request) ?? -1) === attempt - 1, `request ${request}: attempt ${attempt} out of turn`);
    this.attempts.set(request, attempt);
    hold(tUs === this.run.nowUs, `request ${request} is decided at ${tUs}`);
    if (attempt === 0) {
      account.arrived++;
      if (tUs >= this.warmupUs) this.counted.arrived++;
    }
    if (this.isCounted(request)) account.decisions++;
    if (host === null) return;
    const listed = [...known.upstream.hosts()].filter((one) => one.host.address === host && one.priority === priority);
    hold(listed.length > 0, `request ${request}: ${host} is in no list of ${cluster}`);
    // Lists are made anew with every change of health; balancers may hold old ones only while updates wait. Who names its
    // host gets it, ill or not.
    const isIll = known.world.type !== 'ORIGINAL_DST' && listed.every((one) => one.host.isUnhealthy);
    const isLate = known.upstream.pendingDeliveries > 0;
    hold(!isIll || panic || isLate, `request ${request}: ${host} of ${cluster} is known to be unhealthy`);
  };

  readonly ended = (record: RequestRecord): void => {
    const { request, outcome, attempts, host, latencyUs, proxy, cluster, status, tUs } = record;
    const last = this.attempts.get(request);
    const account = this.account(this.clusterOf(proxy, cluster));
    hold((last === undefined) === (attempts === 0), `request ${request} ended ${outcome} after ${attempts} attempts`);
    if (last === undefined) {
      account.arrived++;
      if (tUs >= this.warmupUs) this.counted.arrived++;
    } else {
      hold(last + 1 === attempts, `request ${request}: ${last + 1} decisions, ${attempts} attempts`);
    }
    this.attempts.delete(request);
    hold((host !== null) === (outcome === 'answered'), `request ${request}: ${outcome} by ${String(host)}`);
    hold(latencyUs >= 0, `request ${request} ended before it began`);
    if (status < 500) account.answered++;
    else account.failed++;
    if (tUs < this.warmupUs) return;
    this.counted.ended++;
    if (outcome === 'answered' && status >= 500) account.answeredWithError++;
  };

  /** The books of every cluster of every proxy balance. */
  balance(): void {
    const open = this.open();
    for (const proxy of this.run.proxies) {
      for (const cluster of proxy.clusters) {
        try {
          this.balanceCluster(cluster, open.get(cluster) ?? new Open());
        } catch (error) {
          throw new Error(`${proxy.name}: ${cluster.name}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        }
      }
    }
  }

  private balanceCluster(cluster: ProxyCluster, open: Open): void {
    const { arrived, answered, failed, decisions, answeredWithError } = this.account(cluster);
    same('sent = answered + failed + in flight', arrived, answered + failed + open.requests);

    const { rows, phases } = cluster.recorder;
    const attempts = sum(phases, ({ requests }) => requests);
    same('decisions = sent + no host + turned away + waiting', decisions, attempts + open.countedPending);
    const finals = sum(rows, (row) => row.answered);
    const failures = sum(rows, (row) => row.errors) - answeredWithError;
    same(
      'attempts = answered + failed + with a host',
      sum(rows, ({ requests }) => requests),
      finals + failures + open.countedSent,
    );

    for (const row of rows) hold(row.answered <= row.requests, `${row.answered} answers to ${row.requests} attempts`);

    const pools = [...cluster.allPools()];
    const breakers = [cluster.breakerOf('DEFAULT'), cluster.breakerOf('HIGH')];
    same('active requests', cluster.requests.upstreamRqActive, open.sent);
    same(
      'requests on connections',
      sum(pools, (pool) => sum([...pool.connections], ({ streams }) => streams)),
      open.sent,
    );
    same(
      'requests that wait for connections',
      sum(pools, ({ pending }) => pending),
      open.pending,
    );
    same(
      'active requests of the circuit breakers',
      sum(breakers, ({ requests }) => requests.count),
      open.sent,
    );
    same(
      'pending requests of the circuit breakers',
      sum(breakers, ({ pendingRequests }) => pendingRequests.count),
      open.pending,
    );
    same(
      'retries of the circuit breakers',
      sum(breakers, ({ retries }) => retries.count),
      open.retries,
    );
    same(
      'connections of the circuit breakers',
      sum(breakers, ({ connections }) => connections.count),
      sum(pools, ({ connections }) => connections.size),
    );
    notNegative(cluster);
    for (const { host } of cluster.upstream.hosts()) {
      const busy = open.byHost.get(host) ?? 0;
      let baseline = this.baselines.get(host);
      if (baseline === undefined) this.baselines.set(host, (baseline = host.activeRequests - busy));
      same(`active requests of ${host.address}`, host.activeRequests, baseline + busy);
    }
  }

  /** The totals of the whole run. */
  agreesWith({ totals, clusters }: RunResult): void {
    const { requests, success, failed, in_flight } = totals;
    same('requests = success + failed + in flight', requests, success + failed + in_flight);
    same('requests', this.counted.arrived, requests);
    same('ended requests', this.counted.ended, success + failed);
    const each = Object.values(clusters);
    same(
      'successes by cluster',
      sum(each, (cluster) => cluster.success),
      success,
    );
    same(
      'failures by cluster',
      sum(each, (cluster) => cluster.failed),
      failed,
    );
    for (const { phases, failed: inAll } of each) {
      same(
        'failures by phase',
        sum(phases, (phase) => phase.failed),
        inAll,
      );
    }
  }

  private open(): ReadonlyMap<ProxyCluster, Open> {
    const found = new Map<ProxyCluster, Open>();
    for (const { state, upstream: cluster, counted, host, holdsRetry } of this.run.requests.places) {
      if (state === RequestState.free) continue;
      let open = found.get(cluster);
      if (open === undefined) found.set(cluster, (open = new Open()));
      const counts = counted ? 1 : 0;
      open.requests++;
      if (holdsRetry) open.retries++;
      if (state === RequestState.pending) {
        open.pending++;
        open.countedPending += counts;
      } else if (state === RequestState.sent && host !== undefined) {
        open.sent++;
        open.countedSent += counts;
        open.byHost.set(host, (open.byHost.get(host) ?? 0) + 1);
      }
    }
    return found;
  }

  /** The request, which is open, arrived after the warm-up. */
  private isCounted(request: number): boolean {
    for (const place of this.run.requests.places) if (place.isOpenAs(request)) return place.counted;
    throw new Error(`request ${request} is decided, and not open`);
  }

  private account(cluster: ProxyCluster): Account {
    let account = this.accounts.get(cluster);
    if (account === undefined) this.accounts.set(cluster, (account = new Account()));
    return account;
  }

  private clusterOf(proxy: string, cluster: string): ProxyCluster {
    const found = this.run.proxies.find(({ name }) => name === proxy)?.clusters.find(({ name }) => name === cluster);
    if (found === undefined) throw new Error(`no cluster ${cluster} in ${proxy}`);
    return found;
  }

  private get run(): Simulation {
    if (this.simulation === undefined) throw new Error('nothing runs');
    return this.simulation;
  }
}

function notNegative(cluster: ProxyCluster): void {
  const check = (what: string, value: number): void => hold(value >= 0, `${value} ${what}`);
  check('active requests', cluster.requests.upstreamRqActive);
  check('active connections', cluster.connections.upstreamCxActive);
  check('waiting requests', cluster.connections.upstreamRqPendingActive);
  for (const priority of ['DEFAULT', 'HIGH'] as const) {
    const { connections, pendingRequests, requests, retries } = cluster.breakerOf(priority);
    for (const [what, resource] of Object.entries({ connections, pendingRequests, requests, retries })) {
      check(`${what} at ${priority}`, resource.count);
    }
  }
  for (const { host } of cluster.upstream.hosts()) {
    check(`active requests of ${host.address}`, host.activeRequests);
    check(`waiting requests of ${host.address}`, host.pendingRequests);
  }
}

/** Every attempt went to a host, to none, or was turned away. */
function addsUp(name: string, { requests, hosts, no_host, overflow, phases }: ClusterResult): void {
  const all = sum(hosts, (host) => host.requests) + no_host.requests + overflow.requests;
  hold(all === requests, `${name}: ${requests} attempts, ${all} accounted for`);
  const inPhases = sum(phases, (phase) => phase.requests);
  hold(inPhases === requests, `${name}: ${requests} attempts, ${inPhases} in phases`);
  for (const host of hosts) hold(host.answered <= host.requests, `${name}: ${host.address} answered more than it got`);
  for (const [index, { from_s, to_s }] of phases.entries()) {
    hold(from_s <= to_s, `${name}: a phase from ${from_s} to ${to_s}`);
    hold(index === 0 || phases[index - 1]?.to_s === from_s, `${name}: no phase ends at ${from_s}`);
  }
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

function same(law: string, left: number, right: number): void {
  hold(left === right, `${law}: ${left} is not ${right}`);
}

function hold(law: boolean, violated: string): asserts law {
  if (!law) throw new Error(violated);
}
