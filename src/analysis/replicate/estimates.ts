import { FORMAT } from '../../core/document-format.js';
import { entryOf } from '../../core/lists.js';
import { microsToSeconds } from '../../core/units.js';
import type { ExpectationResult, RunResult } from '../../result/run-result.js';
import type { Scenario } from '../../scenario/model.js';
import { inputOf } from '../../scenario/origin.js';
import { versionsOf } from '../../scenario/versions.js';
import { count, someOf } from '../../core/words.js';
import { CONFIDENCE, MeanEstimate } from '../interval.js';
import { requestsFor } from './pooled-quantile.js';
import { widestOf } from './precision.js';
import type { Estimate, ExpectationCount, ReplicatedCluster, Replications } from './replications.js';
import { runNumbers, type RunNumbers } from './run-numbers.js';

/** What one run leaves for the means: plain data, which another thread or machine may send. */
export interface RunSummary extends RunNumbers {
  readonly seed: string;
  readonly policies: Readonly<Record<string, string>>;
  readonly expect: readonly Pick<ExpectationResult, 'expectation' | 'passed'>[];
}

/** @param course as {@link runNumbers} has it. */
export function summaryOf(result: RunResult, course = false): RunSummary {
  return {
    ...runNumbers(result, course),
    seed: result.seed,
    policies: Object.fromEntries(Object.entries(result.clusters).map(([name, { policy }]) => [name, policy])),
    expect: result.expect.map(({ expectation, passed }) => ({ expectation, passed })),
  };
}

/** Means of runs, which are added one after the other and not kept: the result depends on their order, in the last digits. */
export class Estimates {
  private readonly means = new Map<string, MeanEstimate>();
  private readonly seeds: string[] = [];
  private readonly passed: number[] = [];
  private first: RunSummary | undefined;
  /** Clusters whose phases differ from run to run. */
  private readonly differing = new Set<string>();

  get runs(): number {
    return this.seeds.length;
  }

  add(run: RunSummary): void {
    this.first ??= run;
    this.seeds.push(run.seed);
    for (const [name, value] of run.numbers) {
      entryOf(this.means, name, () => new MeanEstimate()).add(value);
    }
    run.expect.forEach(({ passed }, index) => (this.passed[index] = (this.passed[index] ?? 0) + (passed ? 1 : 0)));
    for (const [name, causes] of Object.entries(run.phases)) {
      const others = this.first.phases[name] ?? [];
      const same = causes.length === others.length && causes.every((cause, index) => cause === others[index]);
      if (!same) this.differing.add(name);
    }
  }

  /** The number of this name so far; undefined: no run had it. */
  of(name: string): Estimate | undefined {
    const mean = this.means.get(name);
    const interval = mean?.interval();
    if (mean === undefined || interval === undefined) return undefined;
    return mean.count === this.runs ? interval : { ...interval, runs: mean.count };
  }

  /** Clusters that got requests, as of the first run. */
  get clusters(): Readonly<Record<string, ReplicatedCluster>> {
    const { policies = {}, hosts = {}, numbers } = this.first ?? {};
    return Object.fromEntries(
      Object.entries(policies).flatMap(([name, policy]) =>
        (numbers?.get(`clusters.${name}.requests`) ?? 0) === 0
          ? []
          : [[name, { policy, hosts: hosts[name] ?? [] }] as const],
      ),
    );
  }

  /** @param wanted the precision that was asked for, 0–1. */
  document(
    scenario: Scenario,
    options: { readonly partial: boolean; readonly wanted?: number | undefined },
  ): Replications {
    const { wanted } = options;
    return {
      format: FORMAT,
      scenario: scenario.name,
      ...inputOf(scenario),
      version: versionsOf(scenario).version,
      method: 'replications',
      runs: this.runs,
      seeds: this.seeds,
      confidence: CONFIDENCE,
      ...(options.partial && { partial: true }),
      warmup_s: microsToSeconds(scenario.warmupUs),
      ...(wanted !== undefined && { precision: widestOf(this, wanted) }),
      numbers: Object.fromEntries(this.named()),
      clusters: this.clusters,
      expect: this.expectations(),
      notes: [...scenario.notes, ...this.phaseNotes(), ...this.shortNotes()],
    };
  }

  private *named(): Generator<readonly [string, Estimate]> {
    const left = [...this.differing].map((name) => `clusters.${name}.phases.`);
    for (const name of this.means.keys()) {
      const estimate = left.some((beginning) => name.startsWith(beginning)) ? undefined : this.of(name);
      if (estimate !== undefined) yield [name, estimate];
    }
  }

  private expectations(): ExpectationCount[] {
    return (this.first?.expect ?? []).map(({ expectation }, index) => ({
      expectation,
      passed: this.passed[index] ?? 0,
      runs: this.runs,
    }));
  }

  /** Percentiles of runs that are too short to know them: their mean is that of such runs, and no other's. */
  private shortNotes(): string[] {
    return [90, 99].flatMap((percentile) => {
      const needed = requestsFor(percentile);
      const short = Object.keys(this.clusters).filter(
        (name) =>
          (this.of(`clusters.${name}.requests`)?.mean ?? 0) < needed &&
          this.of(`clusters.${name}.latency_ms.p${percentile}`) !== undefined,
      );
      const what = `p${percentile} is the mean of runs with fewer than ${count(needed)} requests, which say little of that of a long one`;
      return short.length === 0 ? [] : [`${someOf(short, 3)}: ${what}`];
    });
  }

  private phaseNotes(): string[] {
    return [...this.differing].map(
      (name) => `the phases of ${name} differ from run to run: their numbers have no mean, and are left out`,
    );
  }
}
