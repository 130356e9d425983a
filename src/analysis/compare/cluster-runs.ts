import { groupBy, largest, mapValues } from '../../core/values.js';
import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';
import type { Scenario } from '../../scenario/model.js';
import { NO_PAUSE, type Pause, seedOfRun } from '../pause.js';
import * as tally from './tally.js';
import { runScenario } from '../run/run-scenario.js';
import type { CauseResult } from '../../result/happenings.js';
import type { ClusterResult } from '../../result/run-result.js';

type PhaseStart = Pick<ClusterResult['phases'][number], 'from_s' | 'causes'>;

/** A stretch in which nothing changed for the balancers of any side, except what they do not see. */
export interface SharedPhase extends tally.Window {
  /** What began it, by side; nothing for a side without a change. */
  readonly began: readonly (readonly CauseResult[])[];
}

/** Phase starts of different sides closer together than this part of the run are one. */
const SAME_INSTANT = 0.01;

/** The phases of all sides together. @param sides undefined: the side has no such cluster. */
function sharedPhases(
  sides: readonly ({ readonly phases: readonly PhaseStart[] } | undefined)[],
  endUs: Micros,
): readonly SharedPhase[] {
  const starts: { readonly atUs: Micros; readonly began: (readonly CauseResult[])[] }[] = [];
  const begun = sides
    .flatMap((side, index) => (side?.phases ?? []).map(({ from_s: from, causes }) => ({ from, causes, index })))
    .map(({ from, causes, index }) => ({ atUs: Math.round(from * MICROS_PER_SECOND), causes, index }))
    .sort((a, b) => a.atUs - b.atUs || a.index - b.index);
  for (const { atUs, causes, index } of begun) {
    const last = starts[starts.length - 1];
    const isClose = last !== undefined && last.began[index]?.length === 0 && atUs - last.atUs <= SAME_INSTANT * endUs;
    if (isClose) last.began[index] = causes;
    else starts.push({ atUs, began: sides.map((_, side) => (side === index ? causes : [])) });
  }
  return starts.map(({ atUs, began }, index) => ({
    fromUs: atUs,
    toUs: starts[index + 1]?.atUs ?? Math.max(endUs, atUs) + 1,
    began,
  }));
}

/** One run of one side, with its decisions: plain data, which a thread can hand over. */
export type SideRun = Awaited<ReturnType<typeof runSide>>;

/** Who runs sides: what comes out depends on nothing but the side and the seed. */
export interface SideRunner {
  /** How many runs it should have at a time. */
  readonly wants: number;
  readonly run: (side: number, seed: string, pause: Pause) => Promise<SideRun>;
}

/** One after the other, here. */
const runnerHere = (sides: readonly { readonly scenario: Scenario }[]): SideRunner => ({
  wants: 1,
  run: (side, seed, pause) => runSide((sides[side] as (typeof sides)[number]).scenario, seed, pause),
});

/** Its expectations are not asked. */
export async function runSide(scenario: Scenario, seed: string, pause: Pause) {
  const recorder = new tally.RunRecorder(scenario.warmupUs);
  const { onDecision, onRequest } = recorder;
  const one = { ...scenario, seed, expect: [] };
  const { totals, duration_s: durationS, clusters } = await runScenario(one, { onDecision, onRequest }, pause);
  return {
    requests: totals.requests,
    endUs: durationS * MICROS_PER_SECOND,
    clusters: mapValues(clusters, ({ phases, hosts }) => ({
      phases: phases.map(({ from_s, causes }) => ({ from_s, causes })),
      hosts: hosts.map(({ address, priority, locality }) => ({ address, priority, locality })),
      /** What the busiest host got of what it could serve; null: nothing bounds it. */
      load: hosts.some(({ load }) => load !== undefined) ? largest(hosts.map(({ load = 0 }) => load)) : null,
    })),
    log: recorder.log,
  };
}

export type ComparedSide = Readonly<{ name: string; scenario: Scenario }>;

/** Default number of runs of each side, and the number of requests from which fewer are enough. */
export const MOST_RUNS = 10;
const FEWEST_RUNS = 3;
const ENOUGH_REQUESTS = 1_000_000;

export type RanSides = Awaited<ReturnType<typeof runSides>>;

/** Runs two or more sides under the same seeds, run by run: common random variation then hides no differences. `requests`: of the first runs. */
export async function runSides(
  sides: readonly ComparedSide[],
  { runs: wanted, pause = NO_PAUSE }: { readonly runs?: number | undefined; readonly pause?: Pause | undefined },
  runner = runnerHere(sides),
) {
  const seed = sides[0]?.scenario.seed ?? '';
  let total = (wanted ?? MOST_RUNS) * sides.length;
  let over = 0;
  /** Results come in any order. */
  const each = async (from: number, to: number, onRun: (ran: SideRun, side: number, run: number) => void) => {
    let next = from * sides.length;
    const work = async (): Promise<void> => {
      while (next < to * sides.length) {
        const [run, side] = [Math.floor(next / sides.length), next++ % sides.length];
        await pause(over / total);
        const ran = await runner.run(side, seedOfRun(seed, run), (own) => pause((over + own) / total));
        over++;
        onRun(ran, side, run);
      }
    };
    await Promise.all(Array.from({ length: runner.wants }, work));
  };
  const firstRuns: SideRun[] = [];
  await each(0, 1, (ran, side) => (firstRuns[side] = ran));
  const requests = firstRuns.map((ran) => ran.requests);
  const enough = Math.floor(ENOUGH_REQUESTS / Math.max(1, ...requests));
  const runs = wanted ?? Math.max(FEWEST_RUNS, Math.min(MOST_RUNS, enough));
  total = runs * sides.length;
  const names = [...new Set(firstRuns.flatMap(({ clusters }) => Object.keys(clusters)))];
  const clusters = names.map((name) => new ClusterRuns(name, firstRuns));
  await each(1, runs, (ran, side, run) => {
    for (const cluster of clusters) cluster.add(ran, side, run);
  });
  return { runs, seeds: Array.from({ length: runs }, (_, run) => seedOfRun(seed, run)), requests, clusters };
}

/** The data of the runs for one cluster: counts by phase, where phases are those of the first runs. */
export class ClusterRuns {
  readonly phases: readonly SharedPhase[];
  readonly hosts: readonly tally.HostKey[];
  readonly endUs: Micros;
  /** By side, run and phase. */
  readonly tallies: readonly (readonly tally.WindowTally[])[][];
  /** The busiest host's load, by side and run. */
  readonly loads: readonly (number | null)[][];
  private readonly there: readonly boolean[];

  constructor(
    readonly name: string,
    firstRuns: readonly SideRun[],
  ) {
    const own = firstRuns.map(({ clusters }) => clusters[name]);
    this.endUs = firstRuns.reduce<Micros>((end, ran) => Math.max(end, Math.ceil(ran.endUs)), 0);
    this.phases = sharedPhases(own, this.endUs);
    this.hosts = hostsOf(own.map((cluster) => cluster?.hosts ?? []));
    this.there = own.map((cluster) => cluster !== undefined);
    this.tallies = firstRuns.map(() => []);
    this.loads = firstRuns.map(() => []);
    firstRuns.forEach((ran, side) => this.add(ran, side, 0));
  }

  add({ log, clusters }: SideRun, side: number, run: number): void {
    const [tallies, loads] = [this.tallies[side], this.loads[side]];
    if (this.there[side] === true && tallies !== undefined)
      tallies[run] = tally.countLog(log.get(this.name), this.phases);
    if (loads !== undefined) loads[run] = clusters[this.name]?.load ?? null;
  }
}

/** Each once, those of the first side first. */
const hostsOf = (sides: readonly (readonly tally.HostKey[])[]): readonly tally.HostKey[] =>
  [...groupBy(sides.flat(), tally.hostKeyText).values()].flatMap(([first]) => first ?? []);
