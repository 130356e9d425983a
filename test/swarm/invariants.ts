import { around } from '../../src/hostset/lb-config.js';
import type { Host } from '../../src/host/host.js';
import { aggregated } from '../../src/config/cluster/cluster-shape.js';
import { predict } from '../../src/words/library.js';
import type { DecisionRecord, HostResult } from '../../src/result/run-result.js';
import type { Failures } from '../../src/result/failures.js';
import { FAILURE_CAUSES } from '../../src/core/failure-cause.js';
import { causeOf, countFailures, noFailures } from '../../src/result/failures.js';
import type { RequestRecord } from '../../src/result/request-record.js';
import type { ClusterResult, RunResult } from '../../src/words/results.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { ProxyCluster } from '../../src/simulation/proxy-cluster.js';
import { type OpenRequest, RequestState } from '../../src/simulation/servers/open-requests.js';
import type { ScenarioRun } from '../../src/analysis/run/run-scenario.js';
import type { Simulation } from '../../src/words/library.js';
import { createSimulation } from '../../src/words/library.js';
import { soundPrediction, soundResult } from './sound.js';

/** A whole result takes time to make: it is looked at after this many events. */
const RESULT_EVERY = 1500;

/**
 * Runs a scenario event by event and holds it to what is true of every run at every instant.
 *
 * @throws Error that says what was violated, and when.
 */
export async function runWithInvariants(scenario: Scenario): Promise<RunResult> {
  const watch = new Watch(scenario);
  soundPrediction(await predict(scenario));
  const hooks = { onDecision: watch.decided, onRequest: watch.ended, predict: true };
  const simulation = await createSimulation(scenario, hooks);
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
  for (const [name, cluster] of Object.entries(result.clusters)) {
    addsUp(name, cluster);
    for (const { to_s } of cluster.phases) hold(to_s <= result.duration_s, `${name}: a phase goes on to ${to_s}`);
  }
  for (const { t_s, text } of result.events) hold(t_s <= result.duration_s, `at ${t_s}, after the end: ${text}`);
  soundResult(result);
  return result;
}

/** What was seen of one cluster of one proxy. */
class Account {
  arrived = 0;
  answered = 0;
  failed = 0;
  /** These after the warm-up only. */
  countedArrivals = 0;
  decisions = 0;
  answeredWithError = 0;
  /** Requests that failed, by cause. */
  readonly failures = noFailures();
  /** Decisions by row of the report, less those that a circuit breaker turned away. */
  readonly chosen = new Map<string, number>();

  choose(row: string, decisions: 1 | -1): void {
    this.chosen.set(row, (this.chosen.get(row) ?? 0) + decisions);
  }
}

/** What a row of the report is known by. */
function rowKey({ address, priority, locality }: Pick<HostResult, 'address' | 'priority' | 'locality'>): string {
  return JSON.stringify([priority, address, locality.region, locality.zone, locality.sub_zone]);
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
  /** Row of each open request's last decision. */
  private readonly rows = new Map<number, string>();
  private readonly accounts = new Map<ProxyCluster, Account>();
  /** What hosts were busy with before their first request. */
  private readonly baselines = new Map<Host, number>();
  /** Since when hosts are unhealthy, as of the last event. */
  private readonly illSince = new Map<Host, number>();
  /** Updates wait: as of the last event, and as of the last one before its instant. */
  private readonly late = new Map<ProxyCluster, { atUs: number; now: boolean; before: boolean }>();
  private counted = { arrived: 0, ended: 0 };

  private readonly warmupUs: number;
  /** Aggregates and their members count what passes from one to the other twice: their books are not kept. */
  private readonly shared: ReadonlySet<string>;

  constructor({ warmupUs, clusters, timeline }: Scenario) {
    this.warmupUs = warmupUs;
    const all = [
      ...clusters,
      ...timeline.flatMap(({ action }) => (action.kind === 'update_cluster' ? [action.cluster] : [])),
    ];
    const named = all.flatMap((cluster) => {
      const members = aggregated(cluster);
      return members === undefined ? [] : [cluster.name, ...members];
    });
    this.shared = new Set(named);
  }

  readonly decided = (decision: DecisionRecord): void => {
    const { request, attempt, host, cluster, member, proxy, tUs, panic, priority, locality } = decision;
    const known = this.clusterOf(proxy, member ?? cluster);
    const account = this.account(this.clusterOf(proxy, cluster));
    hold((this.attempts.get(request) ?? -1) === attempt - 1, `request ${request}: attempt ${attempt} out of turn`);
    this.attempts.set(request, attempt);
    hold(tUs === this.run.nowUs, `request ${request} is decided at ${tUs}`);
    if (attempt === 0) {
      account.arrived++;
      if (tUs >= this.warmupUs) {
        account.countedArrivals++;
        this.counted.arrived++;
      }
    }
    const isCounted = this.isCounted(request);
    if (isCounted) account.decisions++;
    this.rows.delete(request);
    if (host === null) return;
    hold(priority !== null && locality !== null, `request ${request}: ${host} is nowhere`);
    if (isCounted) {
      const row = rowKey({ address: host, priority, locality });
      this.rows.set(request, row);
      account.choose(row, 1);
    }
    const listed = [...known.upstream.priorities.hosts()].filter(
      (one) => one.host.address === host && one.priority === priority,
    );
    hold(listed.length > 0, `request ${request}: ${host} is in no list of ${cluster}`);
    // Lists are made anew with every change of health; balancers may hold old ones only while updates wait. Who names its
    // host gets it, ill or not.
    const { type } = known.world;
    const isNamed = type === 'ORIGINAL_DST' || around(known.parts.info.policy, 'override_host') !== undefined;
    const isIll = !isNamed && listed.every((one) => one.host.isUnhealthy);
    const isLate = known.upstream.delivery.pending > 0;
    // The main thread makes tables, which the workers take over once all else of the instant has happened.
    const isFresh = listed.every((one) => (this.illSince.get(one.host) ?? tUs) === tUs);
    const isNews = isTablePolicy(known) && (isFresh || this.wasLate(known));
    hold(!isIll || panic || isLate || isNews, `request ${request}: ${host} of ${cluster} is known to be unhealthy`);
  };

  readonly ended = (record: RequestRecord): void => {
    const { request, outcome, attempts, host, latencyUs, proxy, cluster, status, tUs } = record;
    const last = this.attempts.get(request);
    const account = this.account(this.clusterOf(proxy, cluster));
    hold((last === undefined) === (attempts === 0), `request ${request} ended ${outcome} after ${attempts} attempts`);
    if (last === undefined) {
      account.arrived++;
      if (tUs >= this.warmupUs) {
        account.countedArrivals++;
        this.counted.arrived++;
      }
    } else {
      hold(last + 1 === attempts, `request ${request}: ${last + 1} decisions, ${attempts} attempts`);
    }
    this.attempts.delete(request);
    const row = this.rows.get(request);
    this.rows.delete(request);
    if (outcome === 'overflow' && row !== undefined) account.choose(row, -1);
    hold((host !== null) === (outcome === 'answered'), `request ${request}: ${outcome} by ${String(host)}`);
    hold(latencyUs >= 0, `request ${request} ended before it began`);
    if (status < 500) account.answered++;
    else account.failed++;
    if (tUs < this.warmupUs) return;
    this.counted.ended++;
    if (status >= 500) account.failures[causeOf(outcome)]++;
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
    notNegative(cluster);
    if (this.shared.has(cluster.name)) return;
    const { arrived, answered, failed, decisions, answeredWithError } = this.account(cluster);
    same('sent = answered + failed + in flight', arrived, answered + failed + open.requests);

    const { rows, phases } = cluster.recorder;
    const attempts = sum(phases, ({ requests }) => requests);
    same('decisions = sent or waiting + no host + turned away', decisions, attempts);
    const finals = sum(rows, (row) => row.answered);
    const failures = sum(rows, (row) => row.errors) - answeredWithError;
    same(
      'attempts = answered + failed + with a host + waiting',
      sum(rows, ({ requests }) => requests),
      finals + failures + open.countedSent + open.countedPending,
    );

    for (const row of rows) hold(row.answered <= row.requests, `${row.answered} answers to ${row.requests} attempts`);

    const pools = [...cluster.pools.all()];
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
      cluster.protocol.limitsRequests ? open.sent : 0,
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
      sum(pools, ({ connections, protocol }) => (protocol.limitsConnections ? connections.size : 0)),
    );
    const { nowUs } = this.run;
    const known = this.late.get(cluster) ?? { atUs: nowUs, now: false, before: false };
    const before = known.atUs === nowUs ? known.before : known.now;
    this.late.set(cluster, { atUs: nowUs, now: cluster.upstream.delivery.pending > 0, before });
    for (const { host } of cluster.upstream.priorities.hosts()) {
      const busy = open.byHost.get(host) ?? 0;
      let baseline = this.baselines.get(host);
      if (baseline === undefined) this.baselines.set(host, (baseline = host.activeRequests - busy));
      same(`active requests of ${host.address}`, host.activeRequests, baseline + busy);
      if (!host.isUnhealthy) this.illSince.delete(host);
      else if (!this.illSince.has(host)) this.illSince.set(host, this.run.nowUs);
    }
  }

  /** The totals of the whole run. */
  agreesWith({ totals, failures, clusters }: RunResult): void {
    const { requests, success, failed, in_flight } = totals;
    same('requests = success + failed + in flight', requests, success + failed + in_flight);
    same('requests', this.counted.arrived, requests);
    same('ended requests', this.counted.ended, success + failed);
    const each = Object.values(clusters);
    if (this.shared.size === 0) {
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
      addUpByCause('all', { failed, failures }, each);
    }
    for (const [name, cluster] of Object.entries(clusters)) {
      addUpByCause(name, cluster, cluster.phases);
      if (this.shared.has(name)) continue;
      this.agreesWithCluster(name, cluster);
    }
  }

  /** What a cluster reports is what was seen of it, in all proxies. */
  private agreesWithCluster(name: string, { hosts, failures, success, requests }: ClusterResult): void {
    const seen = this.run.proxies.flatMap(({ clusters }) => clusters.filter((cluster) => cluster.name === name));
    const accounts = seen.map((cluster) => this.account(cluster));
    for (const cause of FAILURE_CAUSES) {
      same(
        `${name}: ${cause}`,
        sum(accounts, (account) => account.failures[cause]),
        failures[cause],
      );
    }
    same(
      `${name}: attempts`,
      sum(accounts, ({ decisions }) => decisions),
      requests,
    );
    const open = sum([...this.slots], ({ state, counted, upstream }) =>
      state !== RequestState.free && counted && upstream.name === name ? 1 : 0,
    );
    const arrived = sum(accounts, (account) => account.countedArrivals);
    same(`${name}: requests = success + failed by cause + open`, arrived, success + countFailures(failures) + open);
    // The connections of a logical host lead to addresses that it had before.
    if (seen.some(({ world }) => world.type === 'LOGICAL_DNS')) return;
    for (const host of hosts) {
      const row = rowKey(host);
      same(
        `${name}: decisions for ${host.address}`,
        sum(accounts, ({ chosen }) => chosen.get(row) ?? 0),
        host.requests,
      );
    }
  }

  /** When this instant began, updates waited. */
  private wasLate(cluster: ProxyCluster): boolean {
    const known = this.late.get(cluster);
    return known !== undefined && (known.atUs === this.run.nowUs ? known.before : known.now);
  }

  private open(): ReadonlyMap<ProxyCluster, Open> {
    const found = new Map<ProxyCluster, Open>();
    for (const { state, upstream: cluster, counted, host, holdsRetry } of this.slots) {
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
    for (const slot of this.slots) if (slot.isOpenAs(request)) return slot.counted;
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

  private get slots(): Iterable<OpenRequest> {
    return (this.run as unknown as ScenarioRun)['router'].requests.slots;
  }

  private get run(): Simulation {
    if (this.simulation === undefined) throw new Error('nothing runs');
    return this.simulation;
  }
}

function isTablePolicy({ lb, parts }: ProxyCluster): boolean {
  return parts.info.subset === undefined && (lb.lbPolicy === 'RING_HASH' || lb.lbPolicy === 'MAGLEV');
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
  for (const { host } of cluster.upstream.priorities.hosts()) {
    check(`active requests of ${host.address}`, host.activeRequests);
    check(`waiting requests of ${host.address}`, host.pendingRequests);
  }
}

/** Every attempt went to a host, to none, or was turned away. */
function addsUp(name: string, { requests, hosts, members, no_host, overflow, phases }: ClusterResult): void {
  const parts: readonly { readonly requests: number }[] = members ?? hosts;
  const all = sum(parts, (part) => part.requests) + no_host.requests + overflow.requests;
  hold(all === requests, `${name}: ${requests} attempts, ${all} accounted for`);
  const inPhases = sum(phases, (phase) => phase.requests);
  hold(inPhases === requests, `${name}: ${requests} attempts, ${inPhases} in phases`);
  for (const host of hosts) hold(host.answered <= host.requests, `${name}: ${host.address} answered more than it got`);
  for (const [index, { from_s, to_s, requests: own, failed }] of phases.entries()) {
    const isShown = from_s < to_s || (from_s === to_s && (phases.length === 1 || own + failed > 0));
    hold(isShown, `${name}: a phase from ${from_s} to ${to_s}`);
    hold(index === 0 || phases[index - 1]?.to_s === from_s, `${name}: no phase ends at ${from_s}`);
  }
}

interface Failed {
  readonly failed: number;
  readonly failures: Readonly<Failures>;
}

/** Failures add up to all that failed, and those of the parts to those of the whole. */
function addUpByCause(name: string, whole: Failed, parts: readonly Failed[]): void {
  same(`${name}: failures by cause`, countFailures(whole.failures), whole.failed);
  for (const cause of FAILURE_CAUSES) {
    same(
      `${name}: ${cause} of all parts`,
      sum(parts, ({ failures }) => failures[cause]),
      whole.failures[cause],
    );
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
