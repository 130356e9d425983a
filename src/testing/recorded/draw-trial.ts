import type { Struct } from '../../core/values.js';
import { evidenceOf } from '../../core/version.js';
import type { HealthStatus } from '../../host/host.js';
import { around, leafOf } from '../../hostset/lb-config.js';
import { isTablePolicy, lbPolicyName } from '../../policy/registry.js';
import { RandomStreams } from '../../random/streams.js';
import { CLUSTER } from '../story.js';
import { Chooser, drawPolicy } from './draw-config.js';
import { CHOICES } from './generated/choices.js';
import { EMPHASES } from './generated/emphases.js';
import type * as trials from './trial.js';

/** Of 32 bits. */
const MOST = 0xffffffff;
const ZONES = ['a', 'b', 'c'] as const;
const HEALTH: readonly HealthStatus[] = ['HEALTHY', 'HEALTHY', 'HEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING'];

/** Trials of any settings. */
export const SHORT_TRIALS = 80;
/** Trials after them, with one emphasis after the other. */
export const LONG_TRIALS = 16;

/** The trial of this number: the same on every machine, and never another, since recordings depend on it. */
export function drawTrial(subject: trials.TrialSubject, number: number): trials.Trial {
  const seed = `${lbPolicyName(subject.lbPolicy)}/${subject.version}/${number}`;
  const some = new Chooser(new RandomStreams('trials').stream(seed));
  const emphasis =
    (number < SHORT_TRIALS ? undefined : EMPHASES.long[(number - SHORT_TRIALS) % EMPHASES.long.length]) ?? EMPHASES.any;
  const policy = drawPolicy(some, subject, CLUSTER, emphasis.parts);
  const { localityWeighted } = leafOf(policy);
  const isModern = evidenceOf(subject.version).api === 'v3';
  const isPlain = policy.kind === 'hosts' || policy.kind === 'load_aware_locality';
  const members = isModern && isPlain && some.percent(15) ? 2 : 1;
  const priorities = some.of(...emphasis.priorities);
  const weighs = some.percent(50);
  const count =
    emphasis.hosts === null
      ? some.from(0, members * 6) + some.from(1, 6)
      : some.from(emphasis.hosts[0], emphasis.hosts[1]);
  const hosts = Array.from({ length: count }, (_, index) => ({
    member: some.from(0, members - 1),
    address: `10.0.${some.from(0, 255)}.${index + 1}:80`,
    hostname: `host-${some.from(0, 99)}-${index}`,
    priority: some.from(0, priorities - 1),
    zone: some.of(...ZONES),
    weight: weighs ? some.of(1, 1, 2, 3, 5, 100) : 1,
    health: some.of(...HEALTH),
    isNew: some.percent(8),
    metadata: drawMetadata(some, index, emphasis),
  }));
  const levels = Array.from({ length: priorities }, (): trials.TrialLevel => ({
    overprovisioningFactor: some.of(140, 140, 100, 200),
    weightedPriorityHealth: isModern && some.percent(20),
    localityWeights: localityWeighted ? drawWeights(some, emphasis) : undefined,
  }));
  const hasLocalCluster =
    !localityWeighted && around(policy, 'load_aware_locality') === undefined && some.percent(emphasis.localCluster);
  const trial = {
    seed,
    policy,
    hasLocalCluster,
    isThere: some.percent(40),
    client: some.percent(80) ? { client: some.from(0, 3), clients: some.of(1, 4, 5) } : undefined,
    members,
    levels,
    hosts,
  };
  const events: trials.TrialEvent[] = hasLocalCluster ? [drawCallers(some)] : [];
  while (events.length < emphasis.events) events.push(drawEvent(some, trial, emphasis));
  return { ...trial, events };
}

function drawMetadata(some: Chooser, index: number, { metadata }: trials.Emphasis): Struct {
  if (metadata === 'few') return some.any(CHOICES.fewMetadata);
  return {
    ...some.any(CHOICES.metadata),
    ...(some.percent(90) && { id: some.percent(20) ? 'same' : `id-${index}` }),
    ...(some.percent(15) && { hash_key: `key-${some.from(0, 9)}` }),
  };
}

/** In long trials a zone may have no weight at all. */
function drawWeights(some: Chooser, { events }: trials.Emphasis): Readonly<Record<string, number>> {
  const weights = ZONES.map((zone) => [zone, some.from(0, 4)] as const);
  return Object.fromEntries(events === EMPHASES.any.events ? weights : weights.filter(() => some.percent(85)));
}

function drawCallers(some: Chooser): trials.TrialEvent {
  const [callers, down] = [4, some.of(0, 0, 5)].map((most) =>
    Object.fromEntries(ZONES.slice(0, some.from(1, 3)).map((zone) => [zone, some.from(0, most)])),
  );
  return { callers: callers ?? {}, down: down ?? {} };
}

type Drawn = Omit<trials.Trial, 'events'>;

function drawEvent(some: Chooser, trial: Drawn, emphasis: trials.Emphasis): trials.TrialEvent {
  const { policy, hosts, hasLocalCluster, levels } = trial;
  const host = some.from(0, hosts.length - 1);
  const later = (): { readonly waits?: true } =>
    emphasis.waits > 0 && some.percent(emphasis.waits) ? { waits: true } : {};
  const drawn: Readonly<Record<trials.EventKind, () => trials.TrialEvent>> = {
    pick: () => ({ pick: drawRequest(some, trial, emphasis) }),
    health: () => ({ host, health: some.of(...HEALTH), ...later() }),
    weight: () => ({ host, weight: some.of(1, 1, 2, 4), ...later() }),
    present: () => ({ host, present: some.percent(55) }),
    active: () => ({ host, ...some.any(CHOICES.active) }),
    ends: () => drawEnd(some, emphasis.events > EMPHASES.any.events),
    'passes time': () => ({ passMs: some.of(0.5, 1, 50, 700, 2500, 9000) }),
    metadata: () => ({ host, metadata: drawMetadata(some, host, emphasis), ...later() }),
    'passes check': () => ({ host, passes: true }),
    reweigh: () => ({ reweigh: true }),
    runtime: () => ({ runtime: some.of(...CHOICES.runtime.map((one) => some.any(one))) }),
    surroundings: () => {
      if (leafOf(policy).localityWeighted)
        return { priority: some.from(0, levels.length - 1), localityWeights: drawWeights(some, emphasis) };
      return hasLocalCluster ? drawCallers(some) : { pick: drawRequest(some, trial, emphasis) };
    },
  };
  return drawn[drawKind(some, emphasis.shares)]();
}

function drawKind(some: Chooser, shares: trials.Emphasis['shares']): trials.EventKind {
  let left = some.from(0, 99);
  for (const [kind, share] of Object.entries(shares) as [trials.EventKind, number][]) {
    if (left < share) return kind;
    left -= share;
  }
  return 'pick';
}

function drawEnd(some: Chooser, isLong: boolean): trials.TrialEvent {
  const metrics = (): Readonly<Record<string, number>> =>
    some.percent(50) ? { queue: some.of(0.1, 0.4, 0.9) } : some.percent(30) ? { other: 0.7 } : {};
  const report = {
    ...some.any(CHOICES.report),
    rps: isLong ? some.of(0, 0.3, 10, 100) : some.of(0, 10, 40, 100),
    eps: some.of(0, 0, 5),
    namedMetrics: metrics(),
    utilization: metrics(),
  };
  return { ...some.any(CHOICES.end), ...(some.percent(70) && { report }) };
}

function drawRequest(some: Chooser, { policy, hosts, levels }: Drawn, emphasis: trials.Emphasis): trials.TrialRequest {
  const hashes = isTablePolicy(leafOf(policy).lbPolicy) ? 80 : 20;
  const load = (): number[] => {
    const first = some.from(0, 100);
    return levels.length === 1 ? [first] : [0, first, ...levels.slice(2).map(() => 0)];
  };
  const healthy = load();
  const sum = healthy.reduce((total, part) => total + part, 0);
  const degraded = healthy.map((_, index) => (index === 0 ? 100 - sum : 0));
  return {
    ...(some.percent(hashes) && { hash: { hi: some.from(0, MOST), lo: some.from(0, MOST) } }),
    ...(around(policy, 'subset') !== undefined &&
      some.percent(90) && { metadataMatch: drawMatch(some, hosts, emphasis) }),
    ...(some.percent(50) && {
      headers: {
        ...some.any(CHOICES.headers),
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
function namesOf(some: Chooser, hosts: readonly trials.TrialHost[]): string {
  const names = Array.from({ length: some.from(1, 3) }, () =>
    some.percent(30) ? '10.9.9.9:80' : (hosts[some.from(0, hosts.length - 1)]?.address ?? ''),
  );
  return names.join(some.of(',', ', '));
}

function drawMatch(some: Chooser, hosts: readonly trials.TrialHost[], { metadata }: trials.Emphasis): Struct {
  if (metadata === 'few') return some.any(CHOICES.fewMatches);
  const match = (): Struct => ({
    ...some.any(CHOICES.match),
    ...(some.percent(20) && { id: some.percent(50) ? 'same' : `id-${some.from(0, hosts.length)}` }),
  });
  return some.percent(25) ? { ...match(), fallback_list: [match(), match()] } : match();
}
