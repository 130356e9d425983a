import type { Clock } from '../../core/environment.js';
import { HealthFlag, type Host } from '../../host/host.js';
import { AggregateBalancer } from '../../hostset/aggregate.js';
import type { HostSet } from '../../hostset/host-set.js';
import { around, leafOf, type LoadBalancerConfig } from '../../hostset/lb-config.js';
import {
  type LbEnvironment,
  type Decision,
  emptyDecision,
  emptyPickRequest,
  type LoadBalancer,
} from '../../hostset/load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { LocalityLoads } from '../../hostset/load-aware-localities.js';
import { spreadOverRest } from '../../hostset/priority-load.js';
import { TableCache } from '../../hostset/table-cache.js';
import type { AnswerListener } from '../../policy/answers.js';
import { ClientSideWeights } from '../../policy/client-side-weights.js';
import type { LoadReport } from '../../policy/load-report.js';
import { type RandomStream, RandomStreams } from '../../random/streams.js';
import type { BalancerUnderTest } from '../balancer-under-test.js';
import { changeTraits, hostOf, hostSetOf, localHostSet, NODE_ZONE } from '../story.js';
import type { Trial, TrialEvent, TrialLevel, TrialRequest } from './trial.js';

/**
 * Plays a trial with a balancer of the subject.
 * @param picked hears of each pick: two characters, the host's index (`-`: none) and the level, its panic and its kind;
 * and which event it was.
 */
export function playTrial(
  subject: BalancerUnderTest,
  trial: Trial,
  picked: (pick: string, event: number) => void,
): void {
  const player = new Player(subject, trial);
  trial.events.forEach((event, index) => {
    const pick = player.happen(event);
    if (pick !== undefined) picked(pick, index);
  });
}

interface Request {
  readonly host: Host;
  readonly listener: AnswerListener | undefined;
}

class Player {
  private readonly random: RandomStream;
  private readonly runtime: Record<string, number> = {};
  private readonly clock = { nowUs: 0 };
  private readonly activity = { upstreamRqActive: 0 };
  private readonly members: readonly Member[];
  private readonly aggregate: AggregateBalancer | undefined;
  /** One for all picks, as callers have it. */
  private readonly decision = emptyDecision();
  private readonly sent: Request[] = [];
  private readonly hosts: Host[];
  private readonly leaf: LoadBalancerConfig;

  constructor(
    subject: BalancerUnderTest,
    private readonly trial: Trial,
  ) {
    const { policy, seed } = trial;
    this.leaf = leafOf(policy);
    const { version } = this.leaf;
    this.random = new RandomStreams(seed).stream('balancer');
    this.hosts = trial.hosts.map((spec) => hostOf(spec, version));
    const environment = {
      random: this.random,
      runtime: { number: (key: string) => this.runtime[key] },
      clock: this.clock,
      stats: new LbStats(),
      hasLocalCluster: trial.hasLocalCluster,
      activity: this.activity,
      ...(trial.client && { client: trial.client }),
      tables: new TableCache(),
    };
    this.members = Array.from({ length: trial.members }, (_, member) => {
      const hosts = this.hosts.filter((_, index) => trial.hosts[index]?.member === member);
      const priorities = new Map(this.hosts.map((host, index) => [host, trial.hosts[index]?.priority ?? 0]));
      return new Member(trial, hosts, priorities, this.clock, (own) =>
        subject.create(policy, { ...environment, ...own }),
      );
    });
    if (trial.members > 1) {
      const parts = this.members.map((member, index) => ({
        name: `member-${index}`,
        index,
        hostSets: member.levels,
        balancer: member.balancer,
      }));
      this.aggregate = new AggregateBalancer(this.leaf, environment, () => parts);
      this.aggregate.refresh();
    }
  }

  /** @returns what was picked, if it is a pick. */
  happen(event: TrialEvent): string | undefined {
    if ('pick' in event) return this.pick(event.pick);
    if ('passMs' in event) this.clock.nowUs += 1000 * event.passMs;
    else if ('runtime' in event) Object.assign(this.runtime, event.runtime);
    else if ('ends' in event) this.end(event);
    else if ('reweigh' in event) for (const member of this.members) member.reweigh();
    else if ('callers' in event) {
      for (const { balancer } of this.members) {
        balancer.updateLocalCluster(localHostSet(event.callers, NODE_ZONE, event.down));
      }
    } else if ('localityWeights' in event) {
      for (const member of this.members) member.weighLocalities(event.priority, event.localityWeights);
    } else this.change(event);
    this.aggregate?.refresh();
    return undefined;
  }

  private pick(wanted: TrialRequest): string {
    const request = emptyPickRequest(this.random);
    const { decision } = this;
    const { loads, rejected, tried } = wanted;
    (this.aggregate ?? this.members[0]?.balancer)?.choose(
      {
        ...request,
        hasHash: wanted.hash !== undefined,
        hashHi: wanted.hash?.hi ?? 0,
        hashLo: wanted.hash?.lo ?? 0,
        metadataMatch: wanted.metadataMatch,
        headers: wanted.headers,
        key: wanted.key,
        hostSelectionRetryCount: wanted.hostSelectionRetryCount ?? 0,
        rejects: rejected && ((host) => rejected.includes(this.hosts.indexOf(host))),
        // Of the levels that were not tried; their own where there are no others.
        priorityLoad:
          tried === undefined
            ? loads && (() => loads)
            : (all) => spreadOverRest(all, (priority) => tried.includes(priority)) ?? all.load,
      },
      decision,
    );
    const { host, listener, probes } = decision;
    if (host !== undefined) {
      host.activeRequests++;
      this.activity.upstreamRqActive++;
      this.sent.push({ host, listener });
    }
    for (const [order, asked] of probes.entries()) {
      listener?.probed?.(asked, { inFlight: asked.activeRequests, latencyUs: 1000 * (1 + (order % 3)) });
    }
    return this.textOf(decision);
  }

  private textOf({ host, priority, panic, degraded, member }: Decision): string {
    const index = host === undefined ? -1 : this.hosts.indexOf(host);
    const owner = this.aggregate === undefined ? -1 : this.trial.hosts[index]?.member;
    const which = index < 0 ? '-' : member === owner ? index.toString(36) : '?';
    return which + (4 * (priority + 1) + (panic ? 2 : 0) + (degraded ? 1 : 0)).toString(36);
  }

  private end({ ends, latencyUs, report }: Extract<TrialEvent, { readonly ends: unknown }>): void {
    const request = this.sent.shift();
    if (request === undefined) return;
    const { host, listener } = request;
    host.activeRequests = Math.max(0, host.activeRequests - 1);
    this.activity.upstreamRqActive--;
    listener?.answered?.(host, latencyUs, ends);
    if (report === undefined) return;
    listener?.reported?.(host, report);
    for (const member of this.members) member.reported(host, report);
  }

  private change(event: Extract<TrialEvent, { readonly host: number }>): void {
    const host = this.hosts[event.host];
    const member = this.members[this.trial.hosts[event.host]?.member ?? 0];
    if (host === undefined || member === undefined) return;
    if ('present' in event) {
      member.move(host, event.present);
      return;
    }
    if ('active' in event) {
      this.activity.upstreamRqActive += event.active - host.activeRequests;
      host.activeRequests = event.active;
      host.pendingRequests = event.pending;
      return;
    }
    if ('passes' in event) {
      host.lastHealthCheckPassUs = this.clock.nowUs;
      host.flags &= ~(HealthFlag.PENDING_ACTIVE_HC | HealthFlag.FAILED_ACTIVE_HC);
    } else if (!changeTraits(host, event, this.leaf.version) && 'metadata' in event) return;
    if (!('waits' in event)) member.deliver(host);
  }
}

type OwnEnvironment = Pick<LbEnvironment, 'initial' | 'localityLoads' | 'weighHosts'>;

/** A cluster with its balancer: of the trial, or of its aggregate. */
class Member {
  readonly balancer: LoadBalancer;
  readonly levels: HostSet[] = [];
  /** Builds for the other threads, where the policy does that. */
  private readonly main: LoadBalancer | undefined;
  private readonly settings: TrialLevel[];
  private readonly present: Host[];
  private readonly loads: LocalityLoads | undefined;
  private readonly weights: ClientSideWeights<Host> | undefined;
  private readonly weighsSubsets: boolean;

  constructor(
    trial: Trial,
    hosts: readonly Host[],
    private readonly priorities: ReadonlyMap<Host, number>,
    private readonly clock: Clock,
    create: (own: OwnEnvironment) => LoadBalancer,
  ) {
    const { policy } = trial;
    const { clientSideWeights } = leafOf(policy);
    const loadAware = around(policy, 'load_aware_locality');
    this.settings = [...trial.levels];
    this.present = [...hosts];
    this.loads = loadAware && new LocalityLoads(loadAware, true);
    const namedFirst = trial.members === 1;
    this.weights = clientSideWeights && new ClientSideWeights({ ...clientSideWeights, namedFirst });
    this.weighsSubsets = around(policy, 'subset') !== undefined;
    const own: OwnEnvironment = {
      localityLoads: this.loads,
      ...(this.weighsSubsets && this.weights && { weighHosts: (all) => this.weigh(all) }),
    };
    const first = create(
      trial.isThere ? { ...own, initial: trial.levels.map((_, priority) => this.build(priority)) } : own,
    );
    // Threads need not find what is there by themselves: one builds.
    const isWorker = !trial.isThere && first.adopt !== undefined;
    this.main = isWorker ? first : undefined;
    this.balancer = isWorker ? create(own) : first;
    if (trial.isThere) return;
    for (const priority of trial.levels.keys()) {
      const hostSet = this.build(priority);
      if (hostSet.hosts.length > 0) this.announced(hostSet, hostSet.hosts, []);
    }
  }

  move(host: Host, isPresent: boolean): void {
    const at = this.present.indexOf(host);
    if (isPresent === at >= 0) return;
    if (isPresent) this.present.push(host);
    else this.present.splice(at, 1);
    this.update(this.priorities.get(host) ?? 0, isPresent ? [host] : [], isPresent ? [] : [host]);
  }

  deliver(host: Host): void {
    if (this.present.includes(host)) this.update(this.priorities.get(host) ?? 0, [], []);
  }

  weighLocalities(priority: number, localityWeights: Readonly<Record<string, number>>): void {
    const level = this.settings[priority];
    if (level === undefined) return;
    this.settings[priority] = { ...level, localityWeights };
    this.update(priority, [], []);
  }

  reported(host: Host, report: LoadReport): void {
    this.loads?.reported(host, report, this.clock.nowUs);
    this.weights?.reported(host, report, this.clock.nowUs);
  }

  reweigh(): void {
    this.loads?.tick(this.levels, this.clock.nowUs);
    this.weighAll();
  }

  /** Subsets weigh their hosts themselves. */
  private weighAll(): void {
    if (!this.weighsSubsets) for (const { hosts } of this.levels) this.weigh(hosts);
    for (const balancer of [this.main, this.balancer]) balancer?.weightsChanged?.();
  }

  private weigh(hosts: readonly Host[]): void {
    const weights = this.weights?.weights(hosts, this.clock.nowUs);
    if (weights !== undefined) hosts.forEach((host, index) => (host.weight = weights[index] ?? 1));
  }

  /** Where weights follow reports, a change of hosts is an update of weights. */
  private update(priority: number, added: readonly Host[], removed: readonly Host[]): void {
    const hostSet = this.build(priority);
    if (this.weights !== undefined && !this.weighsSubsets) this.weighAll();
    this.announced(hostSet, added, removed);
  }

  private announced(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    const { balancer, main } = this;
    if (main === undefined) balancer.update(hostSet, added, removed);
    else {
      main.update(hostSet, added, removed);
      balancer.adopt?.(main);
    }
  }

  private build(priority: number): HostSet {
    const { localityWeights, ...settings } = this.settings[priority] as TrialLevel;
    const hosts = this.present.filter((host) => this.priorities.get(host) === priority);
    const level = { priority, hosts, before: this.levels[priority], ...settings };
    const hostSet = hostSetOf(level, NODE_ZONE, localityWeights);
    this.levels[priority] = hostSet;
    return hostSet;
  }
}
