import type { PhaseFact } from '../../result/facts.js';
import { type BehaviorRule, Behaviors, capacityOf } from '../../settings/behavior.js';
import type { Obstacle } from '../../predict/obstacle.js';
import { predict } from '../../predict/predict.js';
import type { ClusterPrediction, PredictedHost, PredictedSplit } from '../../predict/prediction.js';
import type { Scenario, TimelineEntry } from '../../scenario/model.js';
import { RuntimeValues } from '../../core/runtime-values.js';
import { outlierSettings, readAssignment } from '../../config/to-settings.js';
import { OutlierSettings } from '../../upstream/outlier-settings.js';
import { selectable } from '../../predict/judge-expectations.js';
import { discoveryType, lookupsOf } from '../../config/cluster/discovery.js';
import { effectiveAssignment } from '../../config/assignment-rules.js';
import { ipOf, parseIp } from '../../core/ip.js';
import type { Cluster } from '../../config/cluster/cluster-shape.js';
import { localityKey } from '../../host/host.js';
import { canonicalName } from '../../settings/timeline-entry.js';
import { dnsTarget, resolvedEndpoint } from '../../upstream/discovery/dns-discovery.js';
import { Resolver } from '../../upstream/discovery/resolver.js';

export interface Unit {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Units of one kind are interchangeable. */
  readonly kind: string;
  /** Units that belong together, as hosts of a zone. */
  readonly group: string;
}

/** The hosts of the cluster are the addresses of names: to lose one is to lose its record. */
export function isFromDns(cluster: Cluster | undefined): boolean {
  const type = cluster && discoveryType(cluster);
  return type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
}

/** The records of the cluster's names; addresses that stand in the place of a name have none. */
export function recordUnits(scenario: Scenario, cluster: Cluster): Unit[] {
  const resolver = new Resolver(scenario.dns);
  const assignment = effectiveAssignment(cluster);
  const isLogical = discoveryType(cluster) === 'LOGICAL_DNS';
  const units = new Map<string, Unit>();
  for (const group of assignment === undefined ? [] : readAssignment(assignment).groups) {
    for (const endpoint of group.endpoints) {
      const target = dnsTarget(endpoint);
      const answer = resolver.lookup(target.name, lookupsOf(cluster).family);
      if (parseIp(target.name) !== undefined || answer.kind === 'failure') continue;
      for (const ip of answer.addresses) {
        const { address } = resolvedEndpoint(endpoint, target, ip);
        const name = `${target.name} ${ip}`;
        const place = [localityKey(group.locality), group.priority, endpoint.weight].join('\n');
        // Of a logical host only the first address counts: no two records are alike.
        const kind = isLogical ? name : `${canonicalName(target.name)}\n${place}`;
        const known = units.get(name);
        units.set(name, {
          name,
          addresses: [...new Set([...(known?.addresses ?? []), address])],
          kind: known === undefined ? kind : name,
          group: target.name,
        });
      }
    }
  }
  return [...units.values()];
}

/** The same scenario with a resolver that has no records of these hosts, given as `ip:port`. */
function withoutRecords(scenario: Scenario, lost: ReadonlySet<string>): Scenario {
  const ips = new Set([...lost].map(ipOf));
  const dns = new Map(
    [...scenario.dns].map(([name, answer]) => [
      name,
      'fail' in answer ? answer : { ...answer, addresses: answer.addresses.filter((ip) => !ips.has(ip)) },
    ]),
  );
  return { ...scenario, dns };
}

/** What makes a proxy see that a host of a cluster no longer answers. */
export type Notice = 'health_checks' | 'outlier_detection' | 'control_plane' | 'dns';

/** null: lost hosts keep their part. There is a control plane with EDS, or where the timeline tells health later on. */
function whoNotices(scenario: Scenario, name: string): Notice | null {
  const cluster = scenario.clusters.find((one) => one.name === name);
  if (cluster === undefined) return null;
  const type = discoveryType(cluster);
  // To lose a host there is to lose its record.
  if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS') return 'dns';
  if (cluster.healthChecks.length > 0) return 'health_checks';
  if (type === 'EDS') return 'control_plane';
  const told = scenario.timeline.some(
    ({ atUs, action }) => atUs > 0 && action.kind === 'set_health' && (action.hosts.cluster ?? name) === name,
  );
  if (told) return 'control_plane';
  return cluster.outlierDetection === undefined ? null : 'outlier_detection';
}

/** A cluster after a permanent loss of hosts, as it is once the loss has been noticed by those who can. */
export interface Outcome {
  readonly split: PredictedSplit;
  readonly panic: boolean;
  /** Why the split is what it is, as `run` has it. */
  readonly facts: readonly PhaseFact[];
  /** Part of the requests that find no host, or one of those that are lost, 0–1. */
  readonly failed: number;
  /** The host with the highest load relative to its capacity; undefined where no capacity is known. */
  readonly fullest: { readonly address: string; readonly load: number; readonly perSecond: number } | undefined;
}

/** A smaller part of the requests is a rounding error. */
export const NEGLIGIBLE = 1e-9;

/** Why no loss of a cluster can be judged. */
export type NoSplit =
  | Obstacle
  | { readonly kind: 'no_such_cluster'; readonly cluster: string }
  | { readonly kind: 'no_host_up' }
  | { readonly kind: 'no_such_host'; readonly lose: string }
  /** `message`: what is wrong with the selector. */
  | { readonly kind: 'no_selector'; readonly lose: string; readonly message: string };

/** There is no exact split for the search. */
export class NoPrediction extends Error {
  override readonly name = 'NoPrediction';

  /** @param cluster that it is about; undefined: none in particular. */
  constructor(
    readonly fact: NoSplit,
    readonly cluster?: string,
  ) {
    super();
  }
}

/** What to know of an answer about losses, beside it. */
export type LossNote =
  /** Hosts that are down from the start, of all: what is lost comes on top. */
  | { readonly kind: 'out_already'; readonly out: number; readonly hosts: number }
  /** Nobody said what a host can take. */
  | { readonly kind: 'no_capacity' }
  /** Requests are not retried here. */
  | { readonly kind: 'tried_once' }
  | { readonly kind: 'not_searched'; readonly why: NoSplit };

/** One that holds for all of these clusters. */
export type LossFact = LossNote & { readonly clusters: readonly string[] };

/** Evaluates losses of one cluster, one after the other, beside those hosts that are down from the start. */
export class Losses {
  /** Those that can be lost: neither unhealthy nor down from the start. */
  readonly hosts: readonly PredictedHost[];
  /** How many others there are. */
  readonly outFromStart: number;
  /** Hosts that are down from the start. */
  private readonly down: readonly string[];
  /** Requests a second that a host can take, by address; Infinity: any. */
  private readonly capacities = new Map<string, number>();
  private readonly base: Scenario;
  private readonly fromDns: boolean;
  private readonly isChecked: boolean;
  /** null: a lost host keeps its part. */
  readonly noticedBy: Notice | null;
  /** Some of its requests would be tried again, which no loss here is told with. */
  readonly hasRetries: boolean;
  /** This many lost hosts are noticed at most. */
  private readonly mostNoticed: number;

  private constructor(
    scenario: Scenario,
    readonly cluster: string,
    hosts: readonly PredictedHost[],
    capacity: number | undefined,
    private readonly seconds: number,
    private readonly intact: ClusterPrediction,
  ) {
    this.base = settled(scenario);
    const config = scenario.clusters.find(({ name }) => name === cluster);
    this.fromDns = isFromDns(config);
    this.isChecked = (config?.healthChecks.length ?? 0) > 0;
    this.hasRetries = scenario.workloads.some(
      ({ route, retryPolicy }) => retryPolicy !== undefined && route.some((one) => one.cluster === cluster),
    );
    this.noticedBy = whoNotices(scenario, cluster);
    this.mostNoticed = mostNoticed(this.noticedBy, scenario, cluster, hosts.length);
    const behaviors = new Behaviors([...scenario.behavior, ...behaviorsAtStart(scenario)]);
    const down: string[] = [];
    this.hosts = hosts.filter((host) => {
      const behavior = behaviors.of([selectable(host, cluster)]);
      this.capacities.set(host.address, capacity ?? capacityOf(behavior));
      if (behavior.down !== 'none') down.push(host.address);
      return behavior.down === 'none' && host.health !== 'unhealthy';
    });
    this.down = down;
    this.outFromStart = hosts.length - this.hosts.length;
  }

  /**
   * @param capacity requests a second that each host can take; undefined: what its behaviour allows.
   * @throws NoPrediction where the split of the whole cluster is not known exactly.
   */
  static async of(scenario: Scenario, cluster: string, capacity?: number): Promise<Losses> {
    const prediction = await predict(settled(scenario));
    const split = prediction.clusters[cluster];
    if (split === undefined) throw new NoPrediction({ kind: 'no_such_cluster', cluster });
    if (split.method === 'none') throw new NoPrediction(split.obstacle ?? { kind: 'no_prediction' });
    return new Losses(scenario, cluster, [...split.hosts], capacity, prediction.duration_s, split);
  }

  get knowsCapacity(): boolean {
    return [...this.capacities.values()].some((capacity) => capacity < Infinity);
  }

  async lose(more: ReadonlySet<string>): Promise<Outcome> {
    const lost = new Set([...this.down, ...more]);
    const split = lost.size === 0 ? this.intact : await this.splitWithout(more);
    if (split === undefined || split.method === 'none') {
      throw new NoPrediction(split?.obstacle ?? { kind: 'no_prediction' });
    }
    const phase = split.phases[split.phases.length - 1];
    const facts: readonly PhaseFact[] = phase?.facts ?? [];
    let failed = split.no_host?.share ?? 0;
    let fullest: Outcome['fullest'];
    for (const { address, share } of split.hosts) {
      if (lost.has(address)) {
        failed += share;
        continue;
      }
      const perSecond = (share * (split.requests ?? 0)) / this.seconds;
      const load = perSecond / (this.capacities.get(address) ?? Infinity);
      if (load > 0 && (fullest === undefined || load > fullest.load)) fullest = { address, load, perSecond };
    }
    return { split, facts, panic: facts.some(isPanic), failed, fullest };
  }

  private async splitWithout(more: ReadonlySet<string>): Promise<ClusterPrediction | undefined> {
    const { base, cluster, down } = this;
    // A host that is down keeps its record.
    const scenario = this.fromDns
      ? withLoss(withoutRecords(base, more), cluster, this.isChecked ? down : [])
      : withLoss(base, cluster, [...down, ...more].slice(0, this.mostNoticed));
    return (await predict(scenario)).clusters[cluster];
  }
}

function isPanic(fact: PhaseFact): boolean {
  return fact.kind === 'panic' || fact.kind === 'total_panic' || (fact.kind === 'members' && fact.total_panic);
}

/** How many hosts at once are taken out of use: outlier detection stops at its limit. */
function mostNoticed(by: Notice | null, { clusters, proxies }: Scenario, name: string, hosts: number): number {
  if (by === null) return 0;
  const config = clusters.find((cluster) => cluster.name === name)?.outlierDetection;
  const [proxy] = proxies;
  if (by !== 'outlier_detection' || config === undefined || proxy === undefined) return Infinity;
  const settings = new OutlierSettings(outlierSettings(config), new RuntimeValues(proxy.runtime));
  return settings.mayBeOut(hosts, proxy.version);
}

function isAtStart({ atUs, everyUs }: TimelineEntry): boolean {
  return atUs === 0 && everyUs === undefined;
}

/** As the timeline has it at time 0, above all what `--fail` selects. */
function behaviorsAtStart({ timeline }: Scenario): readonly BehaviorRule[] {
  return timeline.filter(isAtStart).flatMap(({ action }) => (action.kind === 'set_behavior' ? [action] : []));
}

/** The scenario as it starts, without anything random in its split. */
function settled(scenario: Scenario): Scenario {
  return {
    ...scenario,
    timeline: scenario.timeline.filter((entry) => isAtStart(entry) && entry.action.kind !== 'set_behavior'),
    behavior: [],
    expect: [],
    workloads: scenario.workloads.map((workload) => ({ ...workload, retryPolicy: undefined })),
  };
}

/** The hosts are unhealthy in discovery from the start: every proxy has noticed. */
function withLoss(scenario: Scenario, cluster: string, lost: readonly string[]): Scenario {
  const entries = lost.map((address) => ({
    atUs: 0,
    everyUs: undefined,
    untilUs: undefined,
    label: `${address} is lost`,
    action: { kind: 'set_health' as const, hosts: { address, cluster }, status: 'UNHEALTHY' as const },
  }));
  return { ...scenario, timeline: [...scenario.timeline, ...entries] };
}
