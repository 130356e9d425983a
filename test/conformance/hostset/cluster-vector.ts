import { parse, type U64 } from '../../../src/core/u64.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { type Locality, Host, HealthFlag, localityKey } from '../../../src/host/host.js';
import { buildHostSet } from '../../../src/hostset/build-host-set.js';
import { createLoadBalancer } from '../../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../../src/hostset/host-set.js';
import type { PolicySettings } from '../../../src/hostset/lb-config.js';
import {
  type LbEnvironment,
  type LoadBalancer,
  type PickRequest,
  Decision,
  emptyPickRequest,
} from '../../../src/hostset/load-balancer.js';
import { LbStats } from '../../../src/hostset/lb-stats.js';
import { ScriptedRandom } from '../../../src/random/random64.js';
import { Check } from '../check.js';
import { type Fields, FormatError, asList, asNumber, asString } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';
import { readClusterConfig, readStruct } from './cluster-config.js';

/**
 * Replays one cluster vector (priority_load, panic, zone_aware, locality_wrr, subset) as one version: a balancer over
 * its host sets, then its steps in order, every `expect_*` compared where it stands.
 */
export function runClusterVector(vector: Fields, version: ProxyVersion): CaseOutcome {
  const check = new Check();
  const name = vector.string('name');
  vector.ignore('profiles', 'source', 'derived', 'docs_say', 'config_note', 'expect_normalized_total');
  const config = readClusterConfig(vector.object('config'), version);

  const seeds = vector.optionalList('seeds');
  if (seeds !== undefined) {
    compareSeeds(vector, config, seeds, check);
  } else {
    const seed = vector.optionalString('seed');
    const cluster = new VectorCluster(vector, config, [readU64(seed ?? '0', 'seed')], check);
    cluster.compareState(vector, 'at the start');
    vector.optionalObjects('steps').forEach((step, index) => cluster.replay(step, `steps[${index}]`));
  }
  vector.end();
  return check.outcome(name, version);
}

/** One balancer for each seed, one pick each. */
function compareSeeds(vector: Fields, config: PolicySettings, seeds: readonly unknown[], check: Check): void {
  const counts = new Map<string, number>();
  for (const [index, seed] of seeds.entries()) {
    const path = `seeds[${index}]`;
    const value = typeof seed === 'number' ? String(seed) : asString(seed, path);
    const cluster = new VectorCluster(vector, config, [readU64(value, path)], check);
    count(counts, cluster.pick({}).host?.locality.zone ?? 'nowhere');
  }
  compareCounts(check, counts, vector, 'seeds');
}

/** The cluster of one vector, its balancer and what the steps change of it. */
class VectorCluster {
  private readonly stats = new LbStats();
  private readonly runtime = new Map<string, number>();
  private readonly known = new Map<string, Host>();
  /** undefined (`node_zone: null`): the node is nowhere. */
  private readonly nodeLocality: Locality | undefined;
  private readonly levels: HostSet[] = [];
  private local: HostSet | undefined;
  private readonly balancer: LoadBalancer;

  constructor(
    vector: Fields,
    config: PolicySettings,
    seeds: readonly U64[],
    private readonly check: Check,
  ) {
    this.nodeLocality =
      vector.unknown('node_zone') === null ? undefined : locality(vector.optionalString('node_zone') ?? '');
    this.setRuntime(vector.optionalObject('runtime'));
    for (const [priority, level] of vector.objects('priorities').entries()) {
      this.levels.push(this.readLevel(level, priority));
    }
    const local = vector.optionalObject('local_cluster');
    const environment: LbEnvironment = {
      random: new ScriptedRandom(seeds),
      runtime: { number: (key) => this.runtime.get(key) },
      clock: { nowUs: 0 },
      stats: this.stats,
      hasLocalCluster: local !== undefined,
      initial: this.levels,
    };
    this.balancer = createLoadBalancer(config, environment);
    if (local !== undefined) this.updateLocalCluster(local);
  }

  replay(step: Fields, where: string): void {
    const update = step.optionalObject('update');
    const runtime = step.optionalObject('runtime');
    if (update !== undefined) this.update(update);
    else if (runtime !== undefined) this.setRuntime(runtime);
    else if (step.optionalBoolean('destroy') === true) this.balancer.destroy?.();
    else if (step.has('picks')) this.replayPicks(step, where);
    else if (step.has('pick_priority')) this.replayPickPriority(step, where);
    else this.replayPick(step, where);
    this.compareState(step, where);
    step.end();
  }

  pick(options: Partial<PickRequest>): Decision {
    const decision = new Decision();
    const request: PickRequest = { ...emptyPickRequest(new ScriptedRandom([])), ...options };
    this.balancer.choose(request, decision);
    return decision;
  }

  /** Statistics, loads, panic and zones, where the vector or one of its steps says what they are. */
  compareState(fields: Fields, where: string): void {
    for (const [name, expected] of fields.optionalCounts('expect_stats') ?? []) {
      this.check.equal(`stats: ${name}`, this.statistic(name), expected, `${where}: ${name}`);
    }
    const load = fields.optionalObject('expect_load');
    if (load !== undefined) {
      const { priorities } = this.balancer.describe();
      const actual = {
        healthy: priorities.map((level) => level.healthyLoad),
        degraded: priorities.map((level) => level.degradedLoad),
      };
      const expected = { healthy: load.numbers('healthy'), degraded: load.numbers('degraded') };
      load.end();
      this.check.equal('load', actual, expected, `${where}: load`);
    }
    const panic = fields.optionalList('expect_panic');
    if (panic !== undefined) {
      const actual = this.balancer.describe().priorities.map((level) => level.panic);
      this.check.equal('panic', actual, panic, `${where}: panic`);
    }
    const zone = fields.optionalObject('expect_zone_state');
    if (zone !== undefined) this.compareZone(zone, where);
  }

  private compareZone(expected: Fields, where: string): void {
    const zone = this.balancer.describe().zone;
    this.check.equal('zone state', zone?.state, expected.string('state'), `${where}: zone state`);
    const residual = zone?.state === 'residual' ? zone : undefined;
    if (expected.has('local_percent_to_route')) {
      const percent = expected.number('local_percent_to_route');
      this.check.equal('local_percent_to_route', residual?.localPercentToRoute, percent, `${where}: local percent`);
    }
    if (expected.has('residual_capacity')) {
      const capacity = expected.numbers('residual_capacity');
      this.check.equal('residual_capacity', residual?.residualCapacity, capacity, `${where}: residual capacity`);
    }
    expected.end();
  }

  /** A counter or gauge by the proxy's name. */
  private statistic(name: string): number | undefined {
    const property = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!Object.hasOwn(this.stats, property)) throw new FormatError(`unknown statistic ${JSON.stringify(name)}`);
    return this.stats[property as Exclude<keyof LbStats, 'tables' | 'policy'>];
  }

  private replayPick(step: Fields, where: string): void {
    const random = (step.optionalStrings('random') ?? []).map((value) => readU64(value, `${where}.random`));
    const rejected = step.optionalList('reject')?.map((address) => asString(address, `${where}.reject`));
    const hash = step.optionalString('hash');
    const options: Partial<PickRequest> = {
      metadataMatch: readStruct(step, 'metadata_match'),
      hostSelectionRetryCount: step.optionalNumber('host_selection_retry_count') ?? 0,
      rejects: rejected === undefined ? undefined : (host) => rejected.includes(host.address),
      hasHash: hash !== undefined,
      ...hashHalves(hash === undefined ? { hi: 0, lo: 0 } : readU64(hash, `${where}.hash`)),
    };
    const repeat = step.optionalNumber('repeat') ?? 1;
    for (let i = 0; i < repeat; i++) {
      const decision = this.pick({ ...options, random: new ScriptedRandom(random) });
      const address = decision.host?.address ?? null;
      if (step.has('expect')) {
        this.check.equal('pick', address, step.unknown('expect'), `${where}: pick`);
      }
      const any = step.optionalList('expect_any');
      if (any !== undefined) {
        this.check.that('pick', any.includes(address), () => `${where}: ${address} is none of ${any.join(', ')}`);
      }
      if (step.has('expect_priority')) {
        this.check.equal('priority', decision.priority, step.number('expect_priority'), `${where}: priority`);
      }
    }
    const says = ['expect', 'expect_any', 'expect_priority', 'expect_stats', 'expect_load', 'expect_panic'];
    if (!says.some((key) => step.has(key))) throw new FormatError(`${where}: nothing to compare`);
  }

  private replayPicks(step: Fields, where: string): void {
    const counts = new Map<string, number>();
    const random = new ScriptedRandom(
      (step.optionalStrings('random') ?? []).map((value) => readU64(value, `${where}.random`)),
    );
    const metadataMatch = readStruct(step, 'metadata_match');
    for (let i = 0; i < step.number('picks'); i++) {
      count(counts, this.pick({ random, metadataMatch }).host?.locality.zone ?? 'nowhere');
    }
    compareCounts(this.check, counts, step, where);
  }

  private replayPickPriority(step: Fields, where: string): void {
    const expected = step.object('pick_priority');
    for (const value of expected.keys) {
      const path = `${where}.pick_priority.${value}`;
      const [level, availability] = asList(expected.unknown(value), path);
      const decision = this.pick({ random: new ScriptedRandom([readU64(value, path)]) });
      const actual = [decision.priority, decision.degraded ? 'degraded' : 'healthy'];
      this.check.equal('priority', actual, [asNumber(level, path), asString(availability, path)], path);
    }
  }

  private update(update: Fields): void {
    const levels = update.optionalObject('priorities');
    for (const key of levels?.keys ?? []) {
      const priority = Number(key);
      const before = this.levels[priority]?.hosts ?? [];
      const hostSet = this.readLevel((levels as Fields).object(key), priority);
      this.levels[priority] = hostSet;
      const added = hostSet.hosts.filter((host) => !before.includes(host));
      const removed = before.filter((host) => !hostSet.hosts.includes(host));
      this.balancer.update(hostSet, added, removed);
    }
    const local = update.optionalObject('local_cluster');
    if (local !== undefined) this.updateLocalCluster(local);
    update.end();
  }

  private updateLocalCluster(fields: Fields): void {
    this.local = this.hostSet(this.readHosts(fields, '11.0'), 0, 140, false, undefined);
    fields.end();
    this.balancer.updateLocalCluster(this.local);
  }

  private setRuntime(runtime: Fields | undefined): void {
    for (const key of runtime?.keys ?? []) this.runtime.set(key, (runtime as Fields).number(key));
  }

  private readLevel(fields: Fields, priority: number): HostSet {
    const weights = fields.optionalCounts('locality_weights');
    const hostSet = this.hostSet(
      this.readHosts(fields, `10.${priority}`),
      priority,
      fields.optionalNumber('overprovisioning_factor') ?? 140,
      fields.optionalBoolean('weighted_priority_health') ?? false,
      weights === undefined
        ? undefined
        : new Map([...weights].map(([zone, weight]) => [localityKey(locality(zone)), weight])),
    );
    fields.end();
    return hostSet;
  }

  private hostSet(
    hosts: readonly Host[],
    priority: number,
    overprovisioningFactor: number,
    weightedPriorityHealth: boolean,
    localityWeights: ReadonlyMap<string, number> | undefined,
  ): HostSet {
    const { nodeLocality } = this;
    return buildHostSet({
      priority,
      hosts,
      overprovisioningFactor,
      weightedPriorityHealth,
      nodeLocality,
      localityWeights,
    });
  }

  /** `host_groups` count up addresses over the whole level; a known address stays the same object. */
  private readHosts(fields: Fields, prefix: string): readonly Host[] {
    const hosts = fields.optionalObjects('hosts').map((host) => this.readHost(host, host.string('address')));
    let n = 0;
    for (const group of fields.optionalObjects('host_groups')) {
      const end = n + group.number('count');
      for (; n < end; n++) hosts.push(this.readHost(group, `${prefix}.${Math.floor(n / 256)}.${n % 256}:80`));
    }
    return hosts;
  }

  private readHost(fields: Fields, address: string): Host {
    const place = fields.optionalObject('locality');
    const zone = locality(place?.optionalString('zone') ?? '');
    place?.end();
    const metadata = fields.optionalObject('metadata');
    const lb =
      metadata === undefined ? undefined : (readStruct(metadata, 'proxy.lb') ?? readStruct(metadata, 'envoy.lb'));
    metadata?.end();
    const health = healthFlags(fields.optionalString('health') ?? 'HEALTHY');
    const excluded = fields.optionalBoolean('excluded') === true ? HealthFlag.PENDING_ACTIVE_HC : 0;
    const weight = fields.optionalNumber('weight') ?? 1;
    fields.end();

    let host = this.known.get(address);
    if (host === undefined || localityKey(host.locality) !== localityKey(zone)) {
      host = new Host({ address, locality: zone });
      this.known.set(address, host);
    }
    host.weight = weight;
    host.metadata = lb ?? {};
    host.flags = health | excluded;
    return host;
  }
}

function locality(zone: string): Locality {
  return { region: '', zone, subZone: '' };
}

function healthFlags(health: string): number {
  switch (health) {
    case 'HEALTHY':
      return 0;
    case 'DEGRADED':
      return HealthFlag.DEGRADED_EDS_HEALTH;
    case 'UNHEALTHY':
      return HealthFlag.FAILED_EDS_HEALTH;
    default:
      throw new FormatError(`unknown health ${JSON.stringify(health)}`);
  }
}

function readU64(text: string, path: string): U64 {
  const value = parse(text);
  if (value === undefined) throw new FormatError(`${path}: ${JSON.stringify(text)} is no 64-bit integer`);
  return value;
}

function hashHalves(value: U64): { readonly hashHi: number; readonly hashLo: number } {
  return { hashHi: value.hi, hashLo: value.lo };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function compareCounts(check: Check, counts: ReadonlyMap<string, number>, fields: Fields, where: string): void {
  const expected = fields.optionalCounts('expect_counts');
  if (expected === undefined) throw new FormatError(`${where}: no expect_counts`);
  const nonZero = [...expected].filter(([, n]) => n > 0);
  check.equal('counts', Object.fromEntries(counts), Object.fromEntries(nonZero), `${where}: picks per zone`);
}
