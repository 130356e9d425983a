import type { ObservedCause } from '../../src/analysis/observe/causes.js';
import type { ObserveOptions } from '../../src/analysis/generated/options.js';
import { NothingSeen, type ObservedCluster } from '../../src/analysis/observe/observe.js';
import { predict } from '../../src/predict/predict.js';
import type { Scenario } from '../../src/scenario/model.js';
import { type Plant, PLANTS } from './plants.js';
import { observationOf, type Recorded, scenarioOf } from './recordings.js';

/** Requests that are looked at where something is planted. */
export const REQUESTS = 2000;
/** A share that is moved by so much is to be noticed. */
const MOVED = 0.05;

export interface JudgedPlant {
  readonly plant: string;
  readonly name: string;
  /** Its largest share is off by at least {@link MOVED}. */
  readonly moved: boolean;
  readonly noticed: boolean;
  readonly found: 'first' | 'tied' | 'later' | 'no';
  readonly ties: number;
  readonly says: string;
}

async function isPredicted(scenario: Scenario, cluster: string): Promise<boolean> {
  const { clusters } = await predict(scenario, { exactOnly: true });
  return ['exact', 'numeric'].includes(clusters[cluster]?.method ?? 'none');
}

/** Recordings that have a prediction, without which each would be some runs. */
export async function predictedAmong(all: readonly Recorded[]): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  for (const one of all) {
    const scenario = scenarioOf(one.name, one.scenario);
    if (scenario !== undefined && (await isPredicted(scenario, one.cluster))) found.push(one);
  }
  return found;
}

/** In an order that has nothing to do with their kinds. */
export function shuffled(all: readonly Recorded[]): readonly Recorded[] {
  const places = new Map(all.map((one) => [one, drawsOf(one.name)()]));
  return [...all].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** What is said of proxies with their own configuration, where it is not that they do what it says. */
export async function falseAlarms(all: readonly Recorded[]): Promise<readonly string[]> {
  const alarms: string[] = [];
  for (const one of all) {
    const found = await judged(one, one.scenario, one.counts);
    if (found?.verdict === 'not_as_configured') alarms.push(`${one.name}: ${found.says}`);
  }
  return alarms;
}

async function judged(
  { name, cluster }: Recorded,
  handedIn: unknown,
  counts: ReadonlyMap<string, number>,
  options?: ObserveOptions,
): Promise<ObservedCluster | undefined> {
  const scenario = scenarioOf(name, handedIn);
  if (scenario === undefined) return undefined;
  try {
    const found = await observationOf(scenario, { cluster, counts }, options);
    return Object.values(found.clusters)[0];
  } catch (error) {
    if (error instanceof NothingSeen) return undefined;
    throw error;
  }
}

/** Causes of one kind, one in each recording that can have it. */
export async function plantedCauses(
  plant: string,
  all: readonly Recorded[],
  most: number,
): Promise<readonly JudgedPlant[]> {
  const done: JudgedPlant[] = [];
  for (const [index, recorded] of all.entries()) {
    if (done.length >= most) break;
    const { name, scenario, counts, answers } = recorded;
    const draws = drawsOf(`${plant} ${name} ${index}`);
    const text = JSON.stringify(scenario);
    if (text.includes('"loadAssignment"') || typeof scenario !== 'object' || scenario === null) continue;
    const planted = PLANTS[plant]?.({ ...scenario }, (list) => list[Math.floor(draws() * list.length)]);
    const handedIn = planted && scenarioOf(name, planted.scenario);
    if (planted === undefined || handedIn === undefined || !(await isPredicted(handedIn, recorded.cluster))) continue;
    const seen = plant === 'retries' ? answers : counts;
    const whole = await judged(recorded, planted.scenario, seen);
    const moved = Math.max(0, ...(whole?.parts ?? []).map((part) => Math.abs(part.seen - part.expected))) >= MOVED;
    const found = await judged(recorded, planted.scenario, await thinned(recorded, seen, draws));
    if (found === undefined) continue;
    const noticed = found.verdict === 'not_as_configured';
    // What moves nothing cannot be found.
    if (!moved && !noticed) continue;
    done.push({ plant, name, moved, noticed, ...placeOf(planted, found.causes), says: found.says });
  }
  return done;
}

function placeOf({ kinds, of }: Plant, causes: readonly ObservedCause[]): Pick<JudgedPlant, 'found' | 'ties'> {
  const index = causes.findIndex((one) => kinds.includes(one.kind) && (of === undefined || one.of === of));
  const found = index < 0 ? 'no' : index === 0 ? 'first' : causes[index]?.tied === true ? 'tied' : 'later';
  return { found, ties: causes.filter(({ tied }) => tied).length };
}

/** Some of the requests: any, where hosts are drawn; where they take turns, the same part of each host's. */
async function thinned(
  { name, scenario, cluster }: Recorded,
  counts: ReadonlyMap<string, number>,
  draws: () => number,
) {
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const read = scenarioOf(name, scenario);
  const hosts = read === undefined ? [] : ((await predict(read)).clusters[cluster]?.hosts ?? []);
  const drawn = hosts.some(({ share, variance }) => variance > (share * (1 - share)) / 2);
  if (!drawn) return new Map([...counts].map(([host, count]) => [host, Math.round((count * REQUESTS) / all)]));
  const tickets = [...counts].flatMap(([host, count]) => Array.from({ length: count }, () => host));
  const picked = new Map([...counts.keys()].map((host) => [host, 0]));
  for (let pick = 0; pick < Math.min(REQUESTS, tickets.length); pick++) {
    const other = pick + Math.floor(draws() * (tickets.length - pick));
    const host = tickets[other] ?? '';
    tickets[other] = tickets[pick] ?? '';
    picked.set(host, (picked.get(host) ?? 0) + 1);
  }
  return picked;
}

/** Numbers from 0 to below 1. Source: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators, mix of 32 bits. */
function drawsOf(seed: string): () => number {
  let state = Buffer.from(seed).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
