import type { Clock } from '../../core/environment.js';
import { HealthFlag, type Host } from '../../host/host.js';
import { AggregateBalancer } from '../../hostset/aggregate.js';
import type { HostSet } from '../../hostset/host-set.js';
import { around, leafOf } from '../../hostset/lb-config.js';
import * as balancers from '../../hostset/load-balancer.js';
import { LbStats } from '../../hostset/lb-stats.js';
import { LocalityLoads } from '../../hostset/load-aware-localities.js';
import { spreadOverRest } from '../../hostset/priority-load.js';
import { TableCache } from '../../hostset/table-cache.js';
import type { AnswerListener } from '../../policy/answers.js';
import { ClientSideWeights } from '../../policy/client-side-weights.js';
import type { LoadReport } from '../../policy/load-report.js';
import { RandomStreams } from '../../random/streams.js';
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
  const { policy } = trial;
  const leaf = leafOf(policy);
  const random = new RandomStreams(trial.seed).stream('balancer');
  const runtime: Record<string, number> = {};
  const clock = { nowUs: 0 };
  const activity = { upstreamRqActive: 0 };
  const hosts = trial.hosts.map((spec) => hostOf(spec, leaf.version));
  const environment = {
    random,
    runtime: { number: (key: string) => runtime[key] },
    clock,
    stats: new LbStats(),
    hasLocalCluster: trial.hasLocalCluster,
    activity,
    ...(trial.client && { client: trial.client }),
    tables: new TableCache(),
  };
  const members = Array.from({ length: trial.members }, (_, member) => {
    const own = hosts.filter((_, index) => trial.hosts[index]?.member === member);
    const priorities = new Map(hosts.map((host, index) => [host, trial.hosts[index]?.priority ?? 0]));
    return createMember(trial, own, priorities, clock, (more) => subject.create(policy, { ...environment, ...more }));
  });
  const parts = members.map(({ levels, balancer }, index) => ({
    name: `member-${index}`,
    index,
    hostSets: levels,
    balancer,
  }));
  const aggregate = members.length > 1 ? new AggregateBalancer(leaf, environment, () => parts) : undefined;
  aggregate?.refresh();
  // One for all picks, as callers have it.
  const decision = new balancers.Decision();
  const sent: { readonly host: Host; readonly listener: AnswerListener | undefined }[] = [];

  function pick(wanted: TrialRequest): string {
    const { loads, rejected, tried } = wanted;
    (aggregate ?? members[0]?.balancer)?.choose(
      {
        ...balancers.emptyPickRequest(random),
        hasHash: wanted.hash !== undefined,
        hashHi: wanted.hash?.hi ?? 0,
        hashLo: wanted.hash?.lo ?? 0,
        metadataMatch: wanted.metadataMatch,
        headers: wanted.headers,
        key: wanted.key,
        hostSelectionRetryCount: wanted.hostSelectionRetryCount ?? 0,
        rejects: rejected && ((host) => rejected.includes(hosts.indexOf(host))),
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
      activity.upstreamRqActive++;
      sent.push({ host, listener });
    }
    for (const [order, asked] of probes.entries())
      listener?.probed?.(asked, { inFlight: asked.activeRequests, latencyUs: 1000 * (1 + (order % 3)) });
    return textOf(decision);
  }

  function textOf({ host, priority, panic, degraded, member }: balancers.Decision): string {
    const index = host === undefined ? -1 : hosts.indexOf(host);
    const owner = aggregate === undefined ? -1 : trial.hosts[index]?.member;
    const which = index < 0 ? '-' : member === owner ? index.toString(36) : '?';
    return which + (4 * (priority + 1) + (panic ? 2 : 0) + (degraded ? 1 : 0)).toString(36);
  }

  function end({ ends, latencyUs, report }: Extract<TrialEvent, { readonly ends: unknown }>): void {
    const request = sent.shift();
    if (request === undefined) return;
    const { host, listener } = request;
    host.activeRequests = Math.max(0, host.activeRequests - 1);
    activity.upstreamRqActive--;
    listener?.answered?.(host, latencyUs, ends);
    if (report === undefined) return;
    listener?.reported?.(host, report);
    for (const member of members) member.reported(host, report);
  }

  function change(event: Extract<TrialEvent, { readonly host: number }>): void {
    const host = hosts[event.host];
    const member = members[trial.hosts[event.host]?.member ?? 0];
    if (host === undefined || member === undefined) return;
    if ('present' in event) {
      member.move(host, event.present);
      return;
    }
    if ('active' in event) {
      activity.upstreamRqActive += event.active - host.activeRequests;
      host.activeRequests = event.active;
      host.pendingRequests = event.pending;
      return;
    }
    if ('passes' in event) {
      host.lastHealthCheckPassUs = clock.nowUs;
      host.flags &= ~(HealthFlag.PENDING_ACTIVE_HC | HealthFlag.FAILED_ACTIVE_HC);
    } else if (!changeTraits(host, event, leaf.version) && 'metadata' in event) return;
    if (!('waits' in event)) member.deliver(host);
  }

  for (const [index, event] of trial.events.entries()) {
    if ('pick' in event) {
      picked(pick(event.pick), index);
      continue;
    }
    if ('passMs' in event) clock.nowUs += 1000 * event.passMs;
    else if ('runtime' in event) Object.assign(runtime, event.runtime);
    else if ('ends' in event) end(event);
    else if ('reweigh' in event) for (const member of members) member.reweigh();
    else if ('callers' in event) {
      const local = localHostSet(event.callers, NODE_ZONE, event.down);
      for (const { balancer } of members) balancer.updateLocalCluster(local);
    } else if ('localityWeights' in event) {
      for (const member of members) member.weighLocalities(event.priority, event.localityWeights);
    } else change(event);
    aggregate?.refresh();
  }
}

type OwnEnvironment = Pick<balancers.LbEnvironment, 'initial' | 'localityLoads' | 'weighHosts'>;

/** A cluster with its balancer: of the trial, or of its aggregate. */
function createMember(
  trial: Trial,
  hosts: readonly Host[],
  priorities: ReadonlyMap<Host, number>,
  clock: Clock,
  create: (own: OwnEnvironment) => balancers.LoadBalancer,
) {
  const { policy, isThere } = trial;
  const { clientSideWeights } = leafOf(policy);
  const loadAware = around(policy, 'load_aware_locality');
  const weighsSubsets = around(policy, 'subset') !== undefined;
  const settings = [...trial.levels];
  const levels: HostSet[] = [];
  const present = [...hosts];
  const loads = loadAware && new LocalityLoads(loadAware, true);
  const namedFirst = trial.members === 1;
  const weights = clientSideWeights && new ClientSideWeights<Host>({ ...clientSideWeights, namedFirst });
  const weigh = (all: readonly Host[]): void => {
    const found = weights?.weights(all, clock.nowUs);
    if (found !== undefined) all.forEach((host, index) => (host.weight = found[index] ?? 1));
  };
  const build = (priority: number): HostSet => {
    const { localityWeights, ...level } = settings[priority] as TrialLevel;
    const own = present.filter((host) => priorities.get(host) === priority);
    const hostSet = hostSetOf({ priority, hosts: own, before: levels[priority], ...level }, NODE_ZONE, localityWeights);
    levels[priority] = hostSet;
    return hostSet;
  };
  const own: OwnEnvironment = { localityLoads: loads, ...(weighsSubsets && weights && { weighHosts: weigh }) };
  const first = create(isThere ? { ...own, initial: trial.levels.map((_, priority) => build(priority)) } : own);
  // Threads need not find what is there by themselves: one builds for the other, where the policy does that.
  const isWorker = !isThere && first.adopt !== undefined;
  const balancer = isWorker ? create(own) : first;

  function announced(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    first.update(hostSet, added, removed);
    if (isWorker) balancer.adopt?.(first);
  }

  /** Subsets weigh their hosts themselves. */
  function weighAll(): void {
    if (!weighsSubsets) for (const { hosts: all } of levels) weigh(all);
    for (const each of new Set([first, balancer])) each.weightsChanged?.();
  }

  /** Where weights follow reports, a change of hosts is an update of weights. */
  function update(priority: number, added: readonly Host[], removed: readonly Host[]): void {
    const hostSet = build(priority);
    if (weights !== undefined && !weighsSubsets) weighAll();
    announced(hostSet, added, removed);
  }

  if (!isThere) {
    for (const priority of trial.levels.keys()) {
      const hostSet = build(priority);
      if (hostSet.hosts.length > 0) announced(hostSet, hostSet.hosts, []);
    }
  }
  return {
    balancer,
    levels,
    move: (host: Host, isPresent: boolean): void => {
      const at = present.indexOf(host);
      if (isPresent === at >= 0) return;
      if (isPresent) present.push(host);
      else present.splice(at, 1);
      update(priorities.get(host) ?? 0, isPresent ? [host] : [], isPresent ? [] : [host]);
    },
    deliver: (host: Host): void => {
      if (present.includes(host)) update(priorities.get(host) ?? 0, [], []);
    },
    weighLocalities: (priority: number, localityWeights: Readonly<Record<string, number>>): void => {
      const level = settings[priority];
      if (level === undefined) return;
      settings[priority] = { ...level, localityWeights };
      update(priority, [], []);
    },
    reported: (host: Host, report: LoadReport): void => {
      loads?.reported(host, report, clock.nowUs);
      weights?.reported(host, report, clock.nowUs);
    },
    reweigh: (): void => {
      loads?.tick(levels, clock.nowUs);
      weighAll();
    },
  };
}
