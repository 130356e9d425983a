import jstat from 'jstat';
import { demand, SCENARIO } from '../../core/arguments.js';
import { optionsIn } from '../../core/options.js';
import { firstWhere, groupBy, largest, sum } from '../../core/values.js';
import type { Scenario } from '../../scenario/model.js';
import { answerHead } from '../../scenario/origin.js';
import { endOf, everTakesTime } from '../../settings/world.js';
import { BoundsOptions } from '../generated/options.js';
import { NO_PAUSE, type Pause } from '../pause.js';
import { type ExpectedCluster, expectedOf, samplesOf, varianceOf, withBalancers } from './expected.js';
import { boundsOf, type Law, lawOf, normalAt, type Portion } from './law.js';
import type { BoundedPart, BoundedSplit, Bounds } from '../generated/experiments.js';

const POWER = 0.9;
/** Beyond it no test goes. */
const MOST_REQUESTS = 1e9;

/**
 * The least and the most that each host of a cluster, or each backend of a route, may show in a test of so many requests, and what wrong
 * split the test would see.
 *
 * What is drawn for each request is binomial. How turns and loads vary is seen in runs of the engine, and counts are then taken as normal.
 */
export async function bounds(scenario: Scenario, options: BoundsOptions = {}): Promise<Bounds> {
  demand('bounds', ['scenario', scenario, SCENARIO], ['options', options, optionsIn(BoundsOptions)]);
  const { requests: given, falseAlarm = 1e-6, detect, pause = NO_PAUSE } = options;
  const balanced = withBalancers(scenario, options);
  const length = Math.min(given ?? LONGEST_RUN, LONGEST_RUN);
  const tests = [...ofRoutes(balanced), ...(await ofClusters(balanced, length, pause))];
  const bounded = ({ parts }: Test, requests: number): readonly BoundedPart[] =>
    parts.map((part) => boundedPart(part, requests, falseAlarm / parts.length));
  const isEnough = (requests: number): boolean =>
    tests.every((test) => bounded(test, requests).every((part) => sees(part, detect ?? 0)));
  const requests = given ?? (detect === undefined ? 1000 : firstWhere(1, MOST_REQUESTS, isEnough));
  return {
    ...answerHead(scenario),
    requests,
    false_alarm: falseAlarm,
    power: POWER,
    ...(detect !== undefined && { detect }),
    splits: tests.map((test) => ({ ...test.head, parts: bounded(test, requests) })),
  };
}

/** Whether every share that is off by so much is seen. */
const sees = ({ share, sees_below: below, sees_above: above }: BoundedPart, detect: number): boolean =>
  (share < detect || (below ?? 0) >= share - detect) && (share + detect > 1 || (above ?? 1) <= share + detect);

type Part = Portion & { readonly name: string };
type Test = { readonly head: Omit<BoundedSplit, 'parts'>; readonly parts: readonly Part[] };

/** Routes to several clusters draw one for each request. */
const ofRoutes = ({ workloads }: Scenario): readonly Test[] =>
  workloads.flatMap(({ name, route }): Test[] => {
    const clusters = groupBy(route, ({ cluster }) => cluster);
    const whole = sum(route.map(({ weight }) => weight));
    if (clusters.size < 2 || whole === 0) return [];
    const parts = [...clusters].map(([cluster, targets]): Part => {
      const share = sum(targets.map(({ weight }) => weight)) / whole;
      return { name: cluster, share, variance: share * (1 - share), granularity: 0 };
    });
    return [{ head: { of: 'route', name, policy: 'weighted_clusters', method: 'exact' }, parts }];
  });

async function ofClusters(scenario: Scenario, length: number, pause: Pause): Promise<readonly Test[]> {
  const all = await expectedOf(scenario, pause);
  const clusters = [...all].filter(([, { hosts, requests }]) => hosts.length > 1 && requests !== 0);
  // How busy hosts are decides how evenly least request chooses among equals.
  const isKnown = ({ policy, method }: ExpectedCluster): boolean =>
    method === 'exact' && !(policy.endsWith('LEAST_REQUEST') && everTakesTime(scenario));
  const isDrawn = (one: ExpectedCluster): boolean => isKnown(one) && one.hosts.every((host) => lawOf(host, 1).drawn);
  const open = clusters.some(([, one]) => !isDrawn(one));
  const samples = open ? await sampled(scenario, clusters, length, pause) : undefined;
  const balancers = sum(scenario.proxies.map(({ count, workers }) => count * workers));
  return clusters.map(([name, predicted]) => {
    const sample = samples?.get(name);
    const cluster = predicted.method === 'approximate' ? (sample ?? predicted) : predicted;
    const { policy, method, hosts, error } = cluster;
    const offs = new Map(isDrawn(cluster) ? [] : sample?.hosts.map(({ address, off }) => [address, off]));
    const parts = hosts.map(({ address, share, variance, granularity }): Part => {
      const part = { name: address, share, variance, granularity, error };
      const [off, length] = [offs.get(address), sample?.requests ?? 0];
      if (off === undefined) return part;
      const seen = varianceOf(off) * (1 + CAREFUL * Math.sqrt(2 / (off.length - 1)));
      if (!isKnown(cluster)) return { ...part, variance: seen / length, granularity: 0 };
      // What turns add does not grow with the number of requests; what is drawn does.
      const turns = { ...part, granularity: Math.sqrt(Math.max(0, seen - length * variance)) };
      if (variance > 0 || balancers > FEW_BALANCERS) return turns;
      // A few balancers that only take turns: each count is one of the whole numbers around its mean, or hardly further.
      return { ...turns, reach: Math.max(1, largest(off.map(Math.abs), 0) + (balancers === 1 ? 0.4 : 0.9)) };
    });
    return { head: { of: 'cluster', name, policy, method }, parts };
  });
}

/** By so much a variance of so many runs may be too small, in its standard errors. */
const CAREFUL = 1.64;
/** With more of them, what is furthest off is rarer than in the runs. */
const FEW_BALANCERS = 4;

/** Requests of all runs together, and of one: enough, and no multiple of what turns take. */
const SAMPLED = 400_000;
const LONGEST_RUN = 997;
const RUNS = { fewest: 60, most: 400 };

/** Runs of about so many requests to each cluster, where nothing happens in time; else of the whole scenario. */
async function sampled(
  scenario: Scenario,
  clusters: readonly (readonly [string, ExpectedCluster])[],
  length: number,
  pause: Pause,
) {
  const each = Math.max(1, ...clusters.map(([, { requests }]) => requests ?? 1));
  const endUs = endOf(scenario);
  const isSteady = scenario.timeline.length === 0 && scenario.requests.length === 0 && endUs > 0;
  const part = isSteady ? Math.min(1, length / each) : 1;
  // A test sends so many requests, whenever they come.
  const workloads = scenario.workloads.map((workload): Scenario['workloads'][number] => {
    const { arrivals } = workload;
    if (arrivals.kind !== 'poisson' || everTakesTime(scenario)) return workload;
    return { ...workload, arrivals: { ...arrivals, kind: 'constant' } };
  });
  const short = { ...scenario, workloads, ...(part < 1 && { durationUs: Math.ceil(endUs * part) }) };
  const number = Math.round(SAMPLED / (each * part * clusters.length));
  return samplesOf(short, Math.min(RUNS.most, Math.max(RUNS.fewest, number)), pause);
}

function boundedPart(part: Part, requests: number, alarm: number): BoundedPart {
  const law = lawOf(part, requests);
  const [least, most] = boundsOf(law, alarm);
  // Who gets too few leaves too many to the others.
  const others = seenBeyond(law, requests - least);
  return {
    name: part.name,
    share: part.share,
    least,
    most,
    sees_below: others === null ? null : 1 - others,
    sees_above: seenBeyond(law, most),
  };
}

/** The share of which more than `most` are seen with {@link POWER}. */
function seenBeyond({ requests, variance, drawn, error }: Law, most: number): number | null {
  if (most >= requests) return null;
  if (drawn) return jstat.ibetainv(POWER, most + 1, requests - most);
  const share = (most + 0.5 + error + normalAt(POWER) * Math.sqrt(variance)) / requests;
  return share > 1 ? null : share;
}
