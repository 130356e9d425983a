import { microsToSeconds } from '../core/units.js';
import type { Host } from '../host/host.js';
import { Decision, emptyPickRequest, type PickRequest } from '../hostset/load-balancer.js';
import { PolicyFailure } from '../policy/foreign/policy-module.js';
import { ScriptedRandom } from '../random/random64.js';
import type { Connection } from '../upstream/connection-pool.js';
import type { Measurements } from './stats/measurements.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { OpenRequest } from './servers/open-requests.js';
import type { RequestPlan } from './request-plan.js';
import type { RequestStory } from './request-story.js';
import type { Retries } from './retries.js';
import type { TrafficHooks, TrafficRecords } from './stats/traffic-records.js';
import type { World } from './world.js';

/** One request object and one decision object are reused. */
export class HostPicker {
  readonly decision = new Decision();
  private readonly pick: PickRequest & { namesUsed: number } = emptyPickRequest(new ScriptedRandom([]));
  private pickedPlan: RequestPlan | undefined;

  /** @param measurements undefined where nothing is measured. */
  constructor(
    private readonly world: World,
    private readonly retries: Retries,
    private readonly measurements: Measurements | undefined,
    private readonly hooks: TrafficHooks,
    private readonly records: TrafficRecords,
    /** Follows one request; undefined: none. */
    private readonly story: RequestStory | undefined,
  ) {}

  /** Lets the worker's balancer choose; the result is in {@link decision}. */
  choose(request: OpenRequest): void {
    const { pick, decision } = this;
    const { plan, routed, worker, attempt, counted } = request;
    pick.random = plan.script ?? routed.randomOf(worker);
    if (plan !== this.pickedPlan) this.pickFor(plan);
    if (plan.hashed) {
      pick.hashHi = request.hashHi;
      pick.hashLo = request.hashLo;
      pick.hasHash = request.key !== '';
    }
    pick.key = request.key;
    pick.size = request.size;
    pick.namesUsed = request.namesUsed;
    pick.attempt = attempt;
    pick.tried = request.tried?.hosts;
    if (attempt > 0) this.retries.constrain(request, pick);
    const stopListening = this.story?.request === request.id ? this.story.listen(request, pick) : undefined;
    try {
      routed.balancerOf(worker).choose(pick, decision);
    } catch (error) {
      throw error instanceof PolicyFailure ? error.at(this.decisionName(request)) : error;
    }
    stopListening?.();
    if (attempt > 0) this.retries.unconstrain(pick);
    request.namesUsed = pick.namesUsed;
    const { host, member } = decision;
    if (host !== undefined && member !== -1) request.upstream = this.world.proxyAt(request.proxy).clusterAt(member);
    if (plan.remembersPriorities) request.priority = member === -1 ? decision.priority : decision.level;
    // Only in panic are unhealthy hosts picked on purpose.
    if (counted && host?.isUnhealthy === true && !decision.panic && !decision.named)
      request.upstream.recorder.knownBad++;
    if (this.hooks.onDecision !== undefined) this.hooks.onDecision(this.records.decision(request, decision));
    if (this.measurements !== undefined) this.measure(request, host, this.measurements);
  }

  /** The host that comes next, where that is certain. */
  peek(cluster: ProxyCluster, worker: number): Host | undefined {
    return cluster.balancerOf(worker).peek?.(this.pick);
  }

  private decisionName({ id, attempt, proxy, routed }: OpenRequest): string {
    const retry = attempt === 0 ? '' : `, retry ${attempt}`;
    const name = this.world.proxyAt(proxy).name;
    return `request ${id}${retry} at ${microsToSeconds(this.world.nowUs)} s to cluster ${routed.name} of proxy ${name}`;
  }

  private pickFor(plan: RequestPlan): void {
    const { pick } = this;
    this.pickedPlan = plan;
    pick.hasHash = plan.hashed;
    pick.metadataMatch = plan.metadataMatch;
    pick.headers = plan.headers;
    pick.address = plan.address;
  }

  private measure(request: OpenRequest, host: Host | undefined, measurements: Measurements): void {
    const { plan, attempt, counted } = request;
    if (attempt === 0) measurements.firstAttempt(request.routed.world.name, host?.address ?? null);
    if (!counted) return;
    const row = host === undefined ? -1 : this.rowAhead(request, host, plan);
    const home = request.upstream.world;
    measurements.decided(plan.cluster, row, this.world.nowUs, home, request);
    if (home.index !== plan.cluster) measurements.decided(home.index, row, this.world.nowUs, home, request);
  }

  /** The row that the attempt will be counted for: a logical host's idle connection may lead to an earlier address. */
  private rowAhead(request: OpenRequest, host: Host, plan: RequestPlan): number {
    const { upstream } = request;
    if (upstream.world.type !== 'LOGICAL_DNS') return host.index;
    const next = upstream.pools.of(host, request.worker, plan).idle;
    return next === undefined ? host.index : rowOf(host, next);
  }
}

/** The row that a request is counted for: its host's, or the address that a logical host had when it was connected. */
export const rowOf = (host: Host, connection: Connection): number =>
  connection.row === -1 ? host.index : connection.row;
