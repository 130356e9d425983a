import { isDeepStrictEqual } from 'node:util';
import { lbPolicyOf } from '../../../src/config/policy/of-cluster.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import type { RequestRecord } from '../../../src/result/request-record.js';
import { addressText } from '../../../src/config/address.js';
import { Check } from '../check.js';
import type { CaseOutcome } from '../outcome.js';
import { problemOf } from '../problem.js';
import type { ObservedRequest, TodayCase } from './case.js';
import { compareMixed, COUNTED, LATE_S } from './mixed.js';
import { type Run, run } from './run.js';
import { actionTimes, bootS, scenarioOf } from './scenario.js';

/** Where the proxy draws, recordings show one draw of many: as many of ours as it takes to have each. */
const SEEDS = 24;
const SEEDS_WHERE_ALIKE = 6;
/** Of many connections that each draw a cluster only the sums are seen, which may be rare ones. */
const SEEDS_OF_CONNECTIONS = 100;

/** Replays a recording of `recorded/today`. */
export async function runTodayFile(recording: TodayCase): Promise<readonly CaseOutcome[]> {
  const { name, observed } = recording;
  try {
    const check = new Check();
    const { scenario, problems } = loadScenarioValue(scenarioOf(recording), name);
    const refusal = problems.find(({ severity }) => severity === 'error');
    if (observed.accepted === false || scenario === undefined) {
      check.that('accepted', observed.accepted === false && scenario === undefined, () =>
        scenario === undefined ? `refused: ${refusal?.path ?? ''}: ${refusal?.message ?? ''}` : 'the proxy refuses it',
      );
      return [check.outcome(name, '1.40')];
    }
    if (recording.area === 'mixed') {
      await compareMixed(check, recording, (seed) => run({ ...scenario, seed: String(seed) }));
      return [check.outcome(name, '1.40')];
    }
    const runs: Run[] = [];
    const isTcp = recording.driver === 'tcp';
    const isAlike = observed.recorded_twice === 'the same';
    const seeds = recording.draws ?? (isTcp ? SEEDS_OF_CONNECTIONS : isAlike ? SEEDS_WHERE_ALIKE : SEEDS);
    for (let seed = 0; seed < seeds; seed++) runs.push(await run({ ...scenario, seed: String(seed) }));
    if (recording.driver === 'workers') compareWorkers(check, recording, scenario, runs);
    else if (recording.driver === 'tcp') compareConnections(check, recording, scenario, runs);
    else compareRequests(check, recording, scenario, runs);
    compareChecks(check, recording, scenario, runs);
    compareStats(check, recording, runs);
    return [check.outcome(name, '1.40')];
  } catch (error) {
    return [{ name, version: '', result: 'failed', compared: [], problem: problemOf(error) }];
  }
}

/** Each request as one of the runs has it, and all where the runs agree; the order of a rotation up to its start. */
function compareRequests(check: Check, recording: TodayCase, scenario: Scenario, runs: readonly Run[]): void {
  const { observed, counts_only: countsOnly } = recording;
  if (countsOnly === true) {
    compareCounts(check, recording, runs);
    return;
  }
  const boot = bootS(recording);
  // Whoever comes before the process has begun, or before it listens, is refused, and no proxy hears of it.
  const refused = (observed.requests ?? []).map(({ status }) => status === NOBODY);
  const seen = (observed.requests ?? []).filter((_, index) => refused[index] !== true);
  const sentS = (recording.requests ?? []).filter((_, index) => refused[index] !== true).map(({ at }) => at);
  check.equal('requests', runs[0]?.requests.length, seen.length, 'number of requests that are taken');
  if (recording.keep_clock === true) {
    const first = (runs[0]?.requests[0]?.tUs ?? 0) / 1e6 + boot;
    check.that('ready', Math.abs(first - (sentS[0] ?? boot)) < NEAR_S, () => `first taken at ${first} s`);
  }
  /** Requests whose host is drawn; of a rotation only the start is. */
  let drawn = 0;
  let turned = 0;
  for (const [index, request] of seen.entries()) {
    const ours = runs.map(({ requests }) => requests[index]);
    if (request.status === NOT_HTTP) {
      check.loose('HTTP is not parsed here, so that nothing is a bad request', 'requests');
    } else if (!compareOne(check, `request ${index}`, request, ours, scenario, recording)) {
      const to = scenario.clusters.find(({ name }) => name === (request.cluster ?? scenario.clusters[0]?.name));
      if (to?.lbPolicy === 'ROUND_ROBIN') turned++;
      else drawn++;
    }
  }
  const { recorded_twice: again } = observed;
  const changed = typeof again === 'object' ? (again['host differs'] ?? 0) : again === 'the same' ? 0 : undefined;
  if (changed !== undefined) {
    const isAlike = changed <= drawn + turned && (changed > 0 || drawn < MOST_ALIKE);
    check.that(
      'what is drawn',
      isAlike,
      () => `${changed} hosts changed in a second recording, ${drawn} are drawn here`,
    );
  }
  // Which hosts are in the rotation changes with their health, and each worker has its own.
  if (recording.area !== 'birth' && (recording.concurrency ?? 1) === 1) compareRotations(check, seen, scenario);
  compareShadows(check, seen, runs);
}

/** A check of a host begins this close to where the one before it says. */
const NEAR_S = 0.02;

function compareChecks(check: Check, recording: TodayCase, scenario: Scenario, runs: readonly Run[]): void {
  const { health_checks: theirs } = recording.observed;
  if (theirs === undefined) return;
  const jitterS = Math.max(
    0,
    ...scenario.clusters.flatMap(({ healthChecks }) =>
      healthChecks.map(({ initialJitter = 0, intervalJitter = 0 }) => (initialJitter + intervalJitter) / 1e6),
    ),
  );
  const boot = bootS(recording);
  const ours = (runs[0]?.checks ?? []).map(({ tUs, host }) => [tUs / 1e6 + boot, host] as const);
  for (const address of Object.keys(recording.hosts)) {
    const seen = theirs.filter(([, host]) => host === address).map(([seconds]) => seconds);
    const made = ours.filter(([, host]) => host === address).map(([seconds]) => seconds);
    const isClose = Math.abs(seen.length - made.length) <= (jitterS > 0 ? Math.ceil(seen.length / 3) : 1);
    check.that('health checks', isClose, () => `${address}: ${seen.length} checks, simulated ${made.length}`);
    for (const [index, seconds] of seen.entries()) {
      const [ourS, before, ourBefore] = [made[index], seen[index - 1] ?? boot, made[index - 1] ?? boot];
      // A last one may come just before the end, or just after it.
      if (ourS === undefined) continue;
      const gap = seconds - before;
      const ourGap = ourS - ourBefore;
      check.that(
        'health checks',
        Math.abs(gap - ourGap) <= NEAR_S + jitterS,
        () => `${address}: check ${index} after ${gap} s, simulated ${ourGap} s`,
      );
    }
  }
}

const COUNTING: ReadonlySet<string> = new Set(['birth', 'hedging', 'mirror', 'preconnect', 'closing', 'tcp']);

/** Counters that do not depend on when the recorder stopped. */
function compareStats(check: Check, { observed, area }: TodayCase, runs: readonly Run[]): void {
  if (!COUNTING.has(area)) return;
  for (const [name, value] of Object.entries(observed.stats ?? {})) {
    if (!COUNTED.test(name)) continue;
    const ours = runs.map(({ result: { stats } }) => stats.counters[name] ?? stats.gauges[name] ?? 0);
    const [least, most] = [Math.min(...ours), Math.max(...ours)];
    check.that('stats', value >= least && value <= most, () => `${name}: ${value}, simulated ${least} to ${most}`);
  }
}

/** The recorder's client had no answer. */
const NOBODY = 0;
const NOT_HTTP = 400;
/** Draws among several hosts that may have come out alike twice. */
const MOST_ALIKE = 8;

/** @returns whether it is certain what becomes of the request. */
function compareOne(
  check: Check,
  where: string,
  seen: ObservedRequest,
  ours: readonly (RequestRecord | undefined)[],
  scenario: Scenario,
  recording: TodayCase,
): boolean {
  const fate = (one: RequestRecord | undefined): string =>
    [one?.cluster, one?.host ?? 'nobody', one?.status, one?.attempts].join(' ');
  const only = ours[0]?.cluster;
  const theirs = [seen.cluster ?? only, seen.host ?? 'nobody', seen.status ?? 200, seen.attempts ?? 1].join(' ');
  const fates = new Set(ours.map(fate));
  // What is drawn may be anything that the cluster has.
  const isDrawn = fates.size > 1;
  const isHost = (cluster: string | undefined): boolean =>
    scenario.clusters.some(
      ({ name, loadAssignment }) =>
        name === cluster && JSON.stringify(loadAssignment).includes(seen.host?.split(':')[0] ?? '-'),
    );
  const isPossible =
    isDrawn &&
    ours.some(
      (one) =>
        one?.cluster === (seen.cluster ?? only) &&
        isHost(one?.cluster) &&
        one?.status === (seen.status ?? 200) &&
        one.attempts === (seen.attempts ?? 1),
    );
  check.that(
    'requests',
    fates.has(theirs) || isPossible,
    () => `${where}: expected ${theirs}, got ${[...fates].slice(0, 3).join(' or ')}`,
  );
  check.equal('cookies', ours[0]?.setCookies ?? [], seen.set_cookie ?? [], `cookies of ${where}`);
  if (recording.area === 'workers' || recording.timing !== true || seen.latency_s === undefined) return !isDrawn;
  const { latency_s: took } = seen;
  const latencies = ours.map((one) => (one?.latencyUs ?? 0) / 1e6);
  const isNear = took > Math.min(...latencies) - LATE_S && took < Math.max(...latencies) + LATE_S;
  check.that('latency', isNear, () => `${where}: took ${took} s, simulated ${latencies[0] ?? 0} s`);
  return !isDrawn;
}

/** The n-th request of a rotation goes to the n-th host after the first. */
function compareRotations(check: Check, seen: readonly ObservedRequest[], scenario: Scenario): void {
  const reached = seen.flatMap(({ host = '', upstream, shadow = [] }) => [
    ...(upstream?.map(([address]) => address) ?? [host]),
    ...shadow.map(([address]) => address),
  ]);
  for (const cluster of scenario.clusters) {
    const { name, loadAssignment } = cluster;
    const hosts = loadAssignment?.endpoints.flatMap(({ lbEndpoints }) => lbEndpoints) ?? [];
    const isPlain = hosts.every(({ loadBalancingWeight = 1 }) => loadBalancingWeight === 1);
    if (lbPolicyOf(cluster) !== 'ROUND_ROBIN' || !isPlain) continue;
    const addresses = hosts.map(({ endpoint: { address } }) => addressText(address));
    const places = reached.map((address) => addresses.indexOf(address)).filter((place) => place >= 0);
    const isTurn = places.every((place, index) => place === ((places[0] ?? 0) + index) % addresses.length);
    check.that('rotation', isTurn, () => `${name}: not in turn: ${places.slice(0, 20).join(' ')}`);
  }
}

/** The host of each connection, and which are closed when the recorder looked. Draws are one of many, as in {@link compareRequests}. */
function compareConnections(check: Check, recording: TodayCase, scenario: Scenario, runs: readonly Run[]): void {
  const { actions = [], observed } = recording;
  const times = actionTimes(recording);
  const seen = (observed.actions ?? []).flatMap(({ open, host = null }) => (open === undefined ? [] : [host]));
  const hostsOf = ({ chosen, requests }: Run): readonly (string | null)[] =>
    seen.map((_, open) => {
      const failed = requests.find(
        ({ request, outcome }) => request === open && outcome !== 'answered' && outcome !== 'reset',
      );
      return failed === undefined ? (chosen.get(open) ?? null) : null;
    });
  const ours = runs.map(hostsOf);
  const differ = seen.map((_, open) => new Set(ours.map((hosts) => hosts[open])).size > 1);
  // Only the start of a schedule is drawn.
  const isScheduled =
    scenario.clusters.length === 1 &&
    scenario.clusters.every(
      (cluster) =>
        lbPolicyOf(cluster) === 'ROUND_ROBIN' ||
        (lbPolicyOf(cluster) === 'LEAST_REQUEST' && JSON.stringify(cluster).includes('"loadBalancingWeight":2')),
    );
  if (isScheduled)
    check.that(
      'hosts',
      ours.some((hosts) => isDeepStrictEqual(hosts, seen)),
      () => `in turn ${seen.join(' ')}, simulated ${ours[0]?.join(' ') ?? ''}`,
    );
  for (const [open, host] of seen.entries()) {
    const possible = ours.map((hosts) => hosts[open]);
    check.that(
      'hosts',
      differ[open] === true || possible.includes(host),
      () => `connection ${open}: ${host ?? 'nobody'}, simulated ${possible[0] ?? 'nobody'}`,
    );
  }
  const { recorded_twice: again } = observed;
  const drawn = differ.filter(Boolean).length;
  check.that(
    'what is drawn',
    again !== 'the same' || isScheduled || drawn < MOST_ALIKE,
    () => `the same twice, ${drawn} are drawn here`,
  );
  let at = 0;
  for (const [index, { check: connection }] of actions.entries()) {
    const { closed } =
      (connection === undefined ? undefined : observed.actions?.filter(({ open }) => open === undefined)[at++]) ?? {};
    if (connection === undefined || closed === undefined) continue;
    const timeUs = (times[index] ?? 0) * 1e6;
    const isClosed = runs.map(({ requests }) =>
      requests.some((one) => one.request === connection && one.tUs + one.latencyUs < timeUs),
    );
    check.that(
      'closed',
      isClosed.includes(closed),
      () => `connection ${connection} ${closed ? 'closed' : 'open'} at action ${index}`,
    );
  }
}

/** Each worker has a balancer of its own: what it picks in turn, up to where it began. */
function compareWorkers(check: Check, { observed }: TodayCase, scenario: Scenario, runs: readonly Run[]): void {
  const { by_worker: byWorker = {}, host_index: addresses = [] } = observed;
  for (const [worker, theirs] of Object.entries(byWorker)) {
    const ours = runs.map(({ requests }) =>
      requests.filter((one) => String(one.worker) === worker).map(({ host }) => addresses.indexOf(host ?? '')),
    );
    check.that(
      'workers',
      ours.every(({ length }) => length === theirs.length),
      () => `worker ${worker}: ${theirs.length} requests, simulated ${ours[0]?.length ?? 0}`,
    );
    const isDrawn = scenario.clusters.some((cluster) => lbPolicyOf(cluster) === 'LEAST_REQUEST');
    const isAlike = ours.some((one) => isDeepStrictEqual(one, theirs) || isTurned(one, theirs, addresses.length));
    check.that(
      'workers',
      isDrawn || isAlike,
      () => `worker ${worker}: ${theirs.join(' ')}, simulated ${ours[0]?.join(' ') ?? ''}`,
    );
  }
}

/** The same with each host as many places further. */
function isTurned(one: readonly number[], other: readonly number[], hosts: number): boolean {
  const shift = ((other[0] ?? 0) - (one[0] ?? 0) + hosts) % hosts;
  return one.every((host, index) => (host + shift) % hosts === other[index]);
}

/** Where copies go; in turn where both of two clusters take turns, which the rotations have. */
function compareShadows(check: Check, seen: readonly ObservedRequest[], runs: readonly Run[]): void {
  for (const [index, { shadow = [] }] of seen.entries()) {
    const ours = runs.map(({ copies }) => copies.get(index) ?? []);
    for (const [host] of shadow) {
      // Several arrive in any order.
      const possible = new Set(ours.flat());
      check.that(
        'copies',
        possible.has(host),
        () => `copy of ${index}: ${host}, simulated ${[...possible].join(' or ')}`,
      );
    }
  }
}

function compareCounts(check: Check, { observed }: TodayCase, runs: readonly Run[]): void {
  const { n = 0, hosts = {}, shadow_hosts: shadows = {} } = observed;
  const copies = runs.flatMap((one) => [...one.copies.values()].flat());
  const copied = copies.length / runs.length;
  for (const [host, count] of Object.entries(shadows)) {
    const mean = copies.filter((one) => one === host).length / runs.length;
    check.that(
      'copies',
      Math.abs(count - mean) <= 5 * Math.sqrt(mean) + 1,
      () => `${host}: ${count} copies, simulated ${mean} of ${copied}`,
    );
  }
  const all = runs.flatMap(({ requests }) => requests);
  for (const [host, count] of Object.entries(hosts)) {
    const share = all.filter((one) => one.host === host).length / all.length;
    const error = Math.sqrt(n * share * (1 - share));
    check.that(
      'hosts',
      Math.abs(count - n * share) <= 5 * error + 1,
      () => `${host}: ${count} of ${n}, simulated ${(100 * share).toFixed(1)} %`,
    );
  }
}
