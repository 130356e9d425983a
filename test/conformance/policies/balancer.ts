import { fromBigInt, toBigInt } from '../../../src/core/u64.js';
import { MICROS_PER_MILLI } from '../../../src/core/units.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { HealthFlag } from '../../../src/host/host.js';
import { createPolicyBalancer } from '../../../src/hostset/create-load-balancer.js';
import type { HostSet } from '../../../src/hostset/host-set.js';
import type { LoadBalancerConfig } from '../../../src/hostset/lb-config.js';
import {
  type LbEnvironment,
  type LoadBalancer,
  type PickRequest,
  Decision,
  emptyPickRequest,
} from '../../../src/hostset/load-balancer.js';
import { LbStats } from '../../../src/hostset/lb-stats.js';
import { ListBalancer } from '../../../src/hostset/list-balancer.js';
import type { PriorityLoad } from '../../../src/hostset/priority-load.js';
import type { LocalityChooser } from '../../../src/hostset/locality-weights.js';
import { leastRequest } from '../../../src/policy/least-request.js';
import { policyOf } from '../../../src/policy/policy-of.js';
import { roundRobin } from '../../../src/policy/round-robin.js';
import type { SlowStart } from '../../../src/policy/slow-start.js';
import { ScriptedRandom } from '../../../src/random/random64.js';
import type { Check } from '../check.js';
import { type Fields, FormatError } from '../fields.js';
import { acceptedConfig } from './config.js';
import { compareCounts } from './counts.js';
import { HostTable, ManualClock, RuntimeTable, u64Of } from './fixtures.js';
import { compareStats } from './statistics.js';
import { compareTable } from './tables.js';

/** A locality schedule whose answers the vector dictates. */
class ScriptedLocalities implements LocalityChooser {
  next = -1;

  start(): void {
    // Nothing to prepare.
  }

  update(): void {
    // Nothing to rebuild.
  }

  choose(): number {
    return this.next;
  }

  describe(): undefined {
    return undefined;
  }
}

/** A balancer over one vector's hosts, and everything the vector can touch around it. */
class Bench {
  readonly hosts = new HostTable();
  readonly clock = new ManualClock();
  readonly runtime = new RuntimeTable();
  readonly stats = new LbStats();
  readonly localities = new ScriptedLocalities();
  readonly decision = new Decision();
  readonly hostSets: HostSet[];
  readonly addresses = new Set<string>();
  readonly randomDefault;
  readonly balancer: LoadBalancer;
  readonly slowStart: SlowStart | undefined;

  constructor(
    readonly config: LoadBalancerConfig,
    vector: Fields,
    initRandom: readonly unknown[],
    scriptedLocalities: boolean,
  ) {
    this.clock.nowUs = (vector.optionalNumber('start_ms') ?? 0) * MICROS_PER_MILLI;
    this.runtime.set(vector.optionalObject('runtime'));
    this.randomDefault = u64Of(vector.optionalString('random_default') ?? '0', 'random_default');
    this.hostSets = vector.objects('priorities').map((fields, priority) => this.hosts.hostSet(priority, fields));
    for (const { hosts } of this.hostSets) for (const host of hosts) this.addresses.add(host.address);

    const localCluster = vector.optionalObject('local_cluster');
    const env: LbEnvironment = {
      random: this.script(initRandom, 'init_random'),
      runtime: this.runtime,
      clock: this.clock,
      stats: this.stats,
      hasLocalCluster: localCluster !== undefined,
      initial: this.hostSets,
      activity: { upstreamRqActive: 0 },
    };
    const { balancer, slowStart } = this.create(config, env, scriptedLocalities);
    this.balancer = balancer;
    this.slowStart = slowStart;
    if (localCluster !== undefined) {
      const local = new HostTable().hostSet(0, localCluster);
      if (local.hosts.length > 0 || local.localities.length > 0) balancer.updateLocalCluster(local);
    }
  }

  script(values: readonly unknown[], path: string): ScriptedRandom {
    return new ScriptedRandom(
      values.map((value, index) => u64Of(value, `${path}[${index}]`)),
      this.randomDefault,
    );
  }

  deliver(hostSet: HostSet, added: readonly string[]): void {
    this.hostSets[hostSet.priority] = hostSet;
    this.balancer.update(
      hostSet,
      added.map((address) => this.hosts.byAddress(address)),
      [],
    );
  }

  /** What the balancer stands on, kept by policy: a vector looks into the state of slow start. */
  private create(
    config: LoadBalancerConfig,
    env: LbEnvironment,
    scriptedLocalities: boolean,
  ): { balancer: LoadBalancer; slowStart: SlowStart | undefined } {
    const localities = scriptedLocalities ? this.localities : undefined;
    const { lbPolicy } = config;
    if (lbPolicy === 'ROUND_ROBIN' || lbPolicy === 'LEAST_REQUEST') {
      const balancer =
        lbPolicy === 'ROUND_ROBIN'
          ? new ListBalancer(config, env, roundRobin, localities)
          : new ListBalancer(config, env, leastRequest, localities);
      return { balancer, slowStart: balancer.state.slowStart };
    }
    const policy = policyOf(lbPolicy);
    const balancer =
      policy.kind === 'list' ? new ListBalancer(config, env, policy, localities) : createPolicyBalancer(config, env);
    return { balancer, slowStart: undefined };
  }
}

/** Replays one vector of a policy over hosts given as lists. */
export function replayBalancer(vector: Fields, version: ProxyVersion, check: Check): void {
  const config = acceptedConfig(vector, version);
  if (config.lbPolicy !== vector.string('policy')) throw new FormatError('policy and lb_policy differ');
  vector.ignore('features');
  const steps = vector.objects('steps');
  const scriptedLocalities = steps.some((step) => step.has('forced_locality'));

  const instances = vector.optionalObjects('instances');
  if (instances.length > 0) {
    const picks: (string | null)[] = [];
    for (const [index, instance] of instances.entries()) {
      const bench = new Bench(config, vector, instance.optionalList('init_random') ?? [], false);
      picks.push(pick(bench, instance, `instance ${index}`, check));
      instance.end();
    }
    compareCounts(check, [], picks, vector, 'instances');
    return;
  }

  const bench = new Bench(config, vector, vector.optionalList('init_random') ?? [], scriptedLocalities);
  compareTable(check, bench.balancer, vector, 'at the start');
  compareStats(check, bench.stats, vector.optionalCounts('expected_stats'), 'at the start');
  for (const [index, step] of steps.entries()) {
    replayStep(bench, step, `step ${index}`, check);
    step.end();
  }
}

function replayStep(bench: Bench, step: Fields, where: string, check: Check): void {
  if (step.has('expect')) {
    const expected = step.unknown('expect');
    check.equal('picks', pick(bench, step, where, check), expected, where);
  }
  if (step.has('update')) update(bench, step.object('update'), (hostSet, added) => bench.deliver(hostSet, added));
  if (step.has('set_hosts_silently')) {
    update(bench, step.object('set_hosts_silently'), (hostSet) => (bench.hostSets[hostSet.priority] = hostSet));
  }
  if (step.has('refresh')) refresh(bench, step.object('refresh'));
  if (step.has('update_local'))
    bench.balancer.updateLocalCluster(new HostTable().hostSet(0, step.object('update_local')));
  if (step.has('set')) setHosts(bench, step.object('set'));
  if (step.has('set_runtime')) bench.runtime.set(step.object('set_runtime'));
  bench.clock.nowUs += (step.optionalNumber('advance_ms') ?? 0) * MICROS_PER_MILLI;
  if (step.has('sweep')) sweep(bench, step, where, check);
  if (step.has('picks')) picks(bench, step, where, check);
  if (step.has('expect_latest_host_added_ms')) {
    const latest = bench.slowStart === undefined ? undefined : bench.slowStart.latestUs / MICROS_PER_MILLI;
    check.equal('slow start', latest, step.number('expect_latest_host_added_ms'), where);
  }
  compareTable(check, bench.balancer, step, where);
  compareStats(check, bench.stats, step.optionalCounts('expect_stats'), where);
}

/** One pick. @returns the address of its host, null for none. */
function pick(bench: Bench, step: Fields, where: string, check: Check): string | null {
  const values = step.optionalList('random') ?? [];
  const random = bench.script(values, `${where}.random`);
  const hash = step.has('hash') ? u64Of(step.unknown('hash'), `${where}.hash`) : undefined;
  const load = step.optionalObject('priority_load');
  const request: PickRequest = {
    ...emptyPickRequest(random),
    hasHash: hash !== undefined,
    hashHi: hash?.hi ?? 0,
    hashLo: hash?.lo ?? 0,
    priorityLoad: load && fixedLoad(load),
    ...retry(step),
  };
  if (step.has('forced_locality')) {
    const forced = step.unknown('forced_locality');
    bench.localities.next = typeof forced === 'number' ? forced : -1;
  }

  bench.balancer.choose(request, bench.decision);
  if (step.optionalBoolean('random_exact') === true) {
    check.equal('draws', random.draws, values.length, `${where}: draws`);
  }
  const availability = step.optionalString('expect_availability');
  if (availability !== undefined) {
    check.equal('availability', bench.decision.degraded ? 'degraded' : 'healthy', availability, where);
  }
  bench.localities.next = -1;
  return bench.decision.host?.address ?? null;
}

/** `retry` is the caller's predicate; `attempt` asks a hash policy for what it gives at that attempt. */
function retry(step: Fields): Pick<PickRequest, 'hostSelectionRetryCount' | 'rejects'> {
  const attempt = step.optionalNumber('attempt');
  if (attempt !== undefined) return { hostSelectionRetryCount: attempt, rejects: () => true };
  const fields = step.optionalObject('retry');
  if (fields === undefined) return { hostSelectionRetryCount: 0, rejects: undefined };
  const max = fields.number('max');
  const everybody = fields.unknown('reject') === 'all';
  const rejected = new Set(everybody ? [] : fields.strings('reject'));
  fields.end();
  return { hostSelectionRetryCount: max, rejects: (host) => everybody || rejected.has(host.address) };
}

function fixedLoad(fields: Fields): () => PriorityLoad {
  const load = { healthy: fields.numbers('healthy'), degraded: fields.numbers('degraded') };
  fields.end();
  return () => load;
}

function update(bench: Bench, fields: Fields, apply: (hostSet: HostSet, added: readonly string[]) => void): void {
  const priority = fields.number('priority');
  const added = fields.optionalStrings('added') ?? [];
  const hostSet = bench.hosts.hostSet(priority, fields);
  for (const { address } of hostSet.hosts) bench.addresses.add(address);
  apply(hostSet, added);
}

function refresh(bench: Bench, fields: Fields): void {
  const hostSet = bench.hostSets[fields.number('priority')];
  if (hostSet === undefined) throw new FormatError(`${fields.path}: no such priority`);
  const added = fields.optionalStrings('added') ?? [];
  fields.end();
  bench.deliver(hostSet, added);
}

function setHosts(bench: Bench, fields: Fields): void {
  for (const address of fields.keys) {
    const host = bench.hosts.byAddress(address);
    const values = fields.object(address);
    host.activeRequests = values.optionalNumber('active') ?? host.activeRequests;
    host.pendingRequests = values.optionalNumber('pending') ?? host.pendingRequests;
    host.weight = values.optionalNumber('weight') ?? host.weight;
    const failed = values.optionalBoolean('failed_active_hc');
    if (failed === true) host.flags |= HealthFlag.FAILED_ACTIVE_HC;
    if (failed === false) host.flags &= ~HealthFlag.FAILED_ACTIVE_HC;
    if (values.optionalBoolean('last_hc_pass_now') === true) host.lastHealthCheckPassUs = bench.clock.nowUs;
    values.end();
  }
}

/** Picks with hashes 0, multiplier, 2 · multiplier … modulo 2⁶⁴. */
function sweep(bench: Bench, step: Fields, where: string, check: Check): void {
  const fields = step.object('sweep');
  const count = fields.number('count');
  const multiplier = toBigInt(u64Of(fields.unknown('multiplier'), `${where}.multiplier`));
  fields.end();
  const request = { ...emptyPickRequest(bench.script([], where)), hasHash: true };
  const picked: (string | null)[] = [];
  for (let index = 0; index < count; index++) {
    const hash = fromBigInt(BigInt(index) * multiplier);
    request.hashHi = hash.hi;
    request.hashLo = hash.lo;
    bench.balancer.choose(request, bench.decision);
    picked.push(bench.decision.host?.address ?? null);
  }
  compareCounts(check, bench.addresses, picked, step, where);
}

/** The same number of plain picks; counts may be off by what one turn of a schedule can shift. */
function picks(bench: Bench, step: Fields, where: string, check: Check): void {
  const count = step.number('picks');
  const request = emptyPickRequest(bench.script(step.optionalList('random') ?? [], where));
  const picked: (string | null)[] = [];
  for (let index = 0; index < count; index++) {
    bench.balancer.choose(request, bench.decision);
    picked.push(bench.decision.host?.address ?? null);
  }
  compareCounts(check, bench.addresses, picked, step, where);
}
