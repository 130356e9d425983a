import type { JsonValue, Struct } from '../../core/json-value.js';
import type { HealthStatus } from '../../host/host.js';
import type { LbPolicy } from '../../hostset/lb-config.js';
import { isTablePolicy } from '../../policy/registry.js';
import { RandomStreams } from '../../random/streams.js';
import { CLUSTER } from '../story.js';
import { Chooser } from './chooser.js';
import { drawConfig } from './draw-config.js';
import type { Trial, TrialEvent, TrialHost, TrialLevel, TrialRequest, TrialSubject } from './trial.js';

const ZONES = ['a', 'b', 'c'] as const;
const HEALTH: readonly HealthStatus[] = ['HEALTHY', 'HEALTHY', 'HEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING'];
const EVENTS = 70;

/** The trial of this number: the same on every machine, and never another, since recordings depend on it. */
export function drawTrial(subject: TrialSubject, number: number): Trial {
  const seed = `${subject.lbPolicy}/${subject.version}/${number}`;
  const some = new Chooser(new RandomStreams('trials').stream(seed));
  const config = drawConfig(some, subject, CLUSTER);
  const isModern = subject.version === '1.40';
  const isPlain = config.clientSubset === undefined && config.overrideHost === undefined;
  const members = isModern && isPlain && config.subset === undefined && some.percent(15) ? 2 : 1;
  const priorities = some.of(1, 1, 2, 2, 3);
  const weighs = some.percent(50);
  const hosts = Array.from({ length: some.from(0, members * 6) + some.from(1, 6) }, (_, index) =>
    drawHost(some, index, { priorities, weighs, members }),
  );
  const levels = Array.from({ length: priorities }, (): TrialLevel => ({
    overprovisioningFactor: some.of(140, 140, 100, 200),
    weightedPriorityHealth: isModern && some.percent(20),
    localityWeights: config.localityWeighted ? drawWeights(some) : undefined,
  }));
  const hasLocalCluster = !config.localityWeighted && config.loadAwareLocality === undefined && some.percent(50);
  const trial = {
    seed,
    config,
    hasLocalCluster,
    isThere: some.percent(40),
    client: some.percent(80) ? { client: some.from(0, 3), clients: some.of(1, 4, 5) } : undefined,
    members,
    levels,
    hosts,
  };
  const events: TrialEvent[] = hasLocalCluster ? [drawCallers(some)] : [];
  while (events.length < EVENTS) events.push(drawEvent(some, trial));
  return { ...trial, events };
}

function drawHost(
  some: Chooser,
  index: number,
  { priorities, weighs, members }: { readonly priorities: number; readonly weighs: boolean; readonly members: number },
): TrialHost {
  return {
    member: some.from(0, members - 1),
    address: `10.0.${some.from(0, 255)}.${index + 1}:80`,
    hostname: `host-${some.from(0, 99)}-${index}`,
    priority: some.from(0, priorities - 1),
    zone: some.of(...ZONES),
    weight: weighs ? some.of(1, 1, 2, 3, 5, 100) : 1,
    health: some.of(...HEALTH),
    isNew: some.percent(8),
    metadata: drawMetadata(some, index),
  };
}

function drawMetadata(some: Chooser, index: number): Struct {
  return {
    ...(some.percent(80) && { stage: some.of<JsonValue>('prod', 'prod', 'dev', ['prod', 'dev'], []) }),
    ...(some.percent(70) && { version: some.of<JsonValue>('1', '2', 1, 1.5, true, ['1', '2'], ['2', '1', '1'], []) }),
    ...(some.percent(90) && { id: some.percent(20) ? 'same' : `id-${index}` }),
    ...(some.percent(15) && { hash_key: `key-${some.from(0, 9)}` }),
  };
}

function drawWeights(some: Chooser): Readonly<Record<string, number>> {
  return Object.fromEntries(ZONES.map((zone) => [zone, some.from(0, 4)]));
}

function drawCallers(some: Chooser): TrialEvent {
  const [callers, down] = [4, some.of(0, 0, 5)].map((most) =>
    Object.fromEntries(ZONES.slice(0, some.from(1, 3)).map((zone) => [zone, some.from(0, most)])),
  );
  return { callers: callers ?? {}, down: down ?? {} };
}

type Drawn = Omit<Trial, 'events'>;

function drawEvent(some: Chooser, trial: Drawn): TrialEvent {
  const { config, hosts, hasLocalCluster, levels } = trial;
  const host = some.from(0, hosts.length - 1);
  const kind = some.from(0, 99);
  if (kind < 40) return { pick: drawRequest(some, trial) };
  if (kind < 48) return { host, health: some.of(...HEALTH) };
  if (kind < 52) return { host, weight: some.of(1, 1, 2, 4) };
  if (kind < 59) return { host, present: some.percent(55) };
  if (kind < 65) return { host, active: some.of(0, 0, 1, 2, 4, 9), pending: some.of(0, 0, 3) };
  if (kind < 76) return drawEnd(some);
  if (kind < 81) return { passMs: some.of(0.5, 1, 50, 700, 2500, 9000) };
  if (kind < 84) return { host, metadata: drawMetadata(some, host) };
  if (kind < 87) return { host, passes: true };
  if (kind < 92) return { reweigh: true };
  if (kind < 95) return { runtime: drawRuntime(some) };
  if (config.localityWeighted) {
    return { priority: some.from(0, levels.length - 1), localityWeights: drawWeights(some) };
  }
  return hasLocalCluster ? drawCallers(some) : { pick: drawRequest(some, trial) };
}

function drawEnd(some: Chooser): TrialEvent {
  const metrics = (): Readonly<Record<string, number>> =>
    some.percent(50) ? { queue: some.of(0.1, 0.4, 0.9) } : some.percent(30) ? { other: 0.7 } : {};
  const report = {
    cpuUtilization: some.of(0, 0.2, 0.6),
    memUtilization: some.of(0, 0.3, 0.9),
    applicationUtilization: some.of(0, 0, 0.5, 1.2),
    rps: some.of(0, 10, 40, 100),
    eps: some.of(0, 0, 5),
    namedMetrics: metrics(),
    utilization: metrics(),
  };
  return {
    ends: some.of('success', 'success', 'success', 'error', 'timeout', 'reset', 'connect_failure'),
    latencyUs: some.of(500, 1000, 5000, 20_000, 300_000),
    ...(some.percent(70) && { report }),
  };
}

function drawRuntime(some: Chooser): Readonly<Record<string, number>> {
  return some.of<Readonly<Record<string, number>>>(
    {},
    { 'upstream.healthy_panic_threshold': some.of(0, 30, 80, 99.5) },
    { 'upstream.zone_routing.enabled': some.of(0, 40, 100) },
    { 'upstream.zone_routing.min_cluster_size': some.of(1, 3, 9) },
    { 'upstream.zone_routing.force_local_zone.min_size': some.of(1, 3) },
    { bias: some.of(0, 0.5, 2) },
    { aggression: some.of(0, 0.5, 1, 2) },
    { 'envoy.reloadable_features.least_request_lb_count_pending_requests': some.from(0, 1) },
  );
}

function drawRequest(some: Chooser, { config, hosts, levels }: Drawn): TrialRequest {
  const hashes = isTablePolicy(config.lbPolicy satisfies LbPolicy) ? 80 : 20;
  const load = (): number[] => {
    const first = some.from(0, 100);
    return levels.length === 1 ? [first] : [0, first, ...levels.slice(2).map(() => 0)];
  };
  const healthy = load();
  const sum = healthy.reduce((total, part) => total + part, 0);
  const degraded = healthy.map((_, index) => (index === 0 ? 100 - sum : 0));
  return {
    ...(some.percent(hashes) && { hash: { hi: some.word(), lo: some.word() } }),
    ...(config.subset !== undefined && some.percent(90) && { metadataMatch: drawMatch(some, hosts) }),
    ...(some.percent(50) && {
      headers: {
        ...(some.percent(60) && { 'x-user': some.of('', 'ann', 'bob', 'eve') }),
        ...(some.percent(40) && { cookie: some.of('a=1; session=7', 'session= 8', 'nothing', 'session=a=b') }),
        ...(some.percent(60) && { 'x-host': namesOf(some, hosts) }),
        ...(some.percent(20) && { 'x-other-host': namesOf(some, hosts) }),
      },
    }),
    ...(some.percent(30) && { key: some.of('', 'k1', 'k2') }),
    ...(some.percent(25) && {
      rejected: hosts.flatMap((_, index) => (some.percent(40) ? [index] : [])),
      hostSelectionRetryCount: some.of(1, 3, 5),
    }),
    ...(some.percent(10) && { loads: { healthy, degraded } }),
    ...(some.percent(8) && { tried: [some.from(0, levels.length - 1)] }),
  };
}

/** Addresses as a header lists them, some of no host. */
function namesOf(some: Chooser, hosts: readonly TrialHost[]): string {
  const names = Array.from({ length: some.from(1, 3) }, () =>
    some.percent(30) ? '10.9.9.9:80' : (hosts[some.from(0, hosts.length - 1)]?.address ?? ''),
  );
  return names.join(some.of(',', ', '));
}

function drawMatch(some: Chooser, hosts: readonly TrialHost[]): Struct {
  const match = (): Struct => ({
    ...(some.percent(60) && { stage: some.of('prod', 'dev', 'canary') }),
    ...(some.percent(50) && { version: some.of<JsonValue>('1', '2', 1, 1.5, true) }),
    ...(some.percent(20) && { id: some.percent(50) ? 'same' : `id-${some.from(0, hosts.length)}` }),
  });
  return some.percent(25) ? { ...match(), fallback_list: [match(), match()] } : match();
}
