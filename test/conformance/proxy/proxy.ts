import { MICROS_PER_MILLI } from '../../../src/core/units.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import type { Scenario } from '../../../src/scenario/model.js';
import { unsupportedFeatures } from '../../../src/analysis/run/unsupported.js';
import { Check } from '../check.js';
import { Fields } from '../fields.js';
import type { CaseOutcome } from '../outcome.js';
import { problemOf } from '../problem.js';
import { checkThatItAddsUp } from './adds-up.js';
import { clocks } from './clock.js';
import { compareReplay } from './compare.js';
import { Evidence } from './evidence.js';
import { KNOWN_NOISE } from './noise.js';
import { readRecording, type Recording } from './recording.js';
import { type Assumptions, lastAnswerUs, Replay, type Run } from './replay.js';

/** Replays one case of `proxy/`: runs its scenario and compares what a real proxy did with it. */
export async function runProxyFile(content: unknown): Promise<readonly CaseOutcome[]> {
  return [await new ProxyCase().run(content)];
}

/** One scenario, which may be compared with several recordings: the runs are made once. */
export class ProxyCase {
  /** @param addsUp a recording that contradicts itself fails; else only what is simulated decides. */
  constructor(private readonly addsUp = true) {}

  private replayed: { readonly key: string; readonly replay: Replay } | undefined;

  async run(content: unknown): Promise<CaseOutcome> {
    const read = readRecording(Fields.of(content, ''));
    const { notCompared = [] } = KNOWN_NOISE.get(read.name) ?? {};
    const narrowing = { ...read.narrowing, notCompared: [...read.narrowing.notCompared, ...notCompared] };
    const recording = { ...read, narrowing };
    try {
      return await this.compare(recording);
    } catch (error) {
      return { name: recording.name, version: '', result: 'failed', compared: [], problem: problemOf(error) };
    }
  }

  private async compare(recording: Recording): Promise<CaseOutcome> {
    const { name } = recording;
    const { scenario, problems } = loadScenarioValue(recording.scenario, name);
    const errors = problems.filter((problem) => problem.severity === 'error');
    const firstError = errors.map((problem) => `${problem.path}: ${problem.message}`)[0];
    const version = scenario?.proxies[0]?.version ?? '';
    if (recording.kind === 'reject' && (recording.accepted !== true || scenario === undefined)) {
      const check = new Check();
      compareVerdict(check, recording, scenario, firstError);
      return check.outcome(name, version);
    }
    if (scenario === undefined) {
      return { name, version, result: 'failed', compared: [], problem: `refused: ${firstError ?? ''}` };
    }
    const missing = new Set(unsupportedFeatures(scenario).map(({ feature }) => feature));
    if (missing.size > 0) {
      return { name, version, result: 'skipped', compared: [], problem: `needs ${[...missing].join(', ')}` };
    }
    const contradictions = new Check();
    if (this.addsUp) checkThatItAddsUp(contradictions, recording);
    if (contradictions.failures > 0) return contradictions.outcome(name, version);
    const outcome = await judge(recording, scenario, this.replayOf(recording, scenario));
    return { ...outcome, compared: [...contradictions.outcome(name, version).compared, ...outcome.compared] };
  }

  private replayOf(recording: Recording, scenario: Scenario): Replay {
    // Of a recording, runs depend on nothing but when it was read and when its timeline acted.
    const readings = recording.phases.map(({ fromS, toS }) => [fromS, toS]);
    const key = JSON.stringify([readings, recording.appliedAt, lastAnswerUs(recording)]);
    if (this.replayed?.key !== key) this.replayed = { key, replay: new Replay(recording, scenario) };
    return this.replayed.replay;
  }
}

function compareVerdict(check: Check, { accepted }: Recording, scenario: Scenario | undefined, error = ''): void {
  check.that('accepted', accepted === (scenario !== undefined), () => {
    return accepted === true ? `refused: ${error}` : 'accepted, but the proxy refuses it';
  });
}

/** What a message takes on the wire of the machine that recorded. */
const WIRE_US = MICROS_PER_MILLI;
/** Runs with and without a wire, of which shares are the mean where one run does not agree. */
const SEEDS = 4;
/** Runs among which there has to be one that agrees where a recording is known for its noise. */
const NOISY_SEEDS = 32;

/** Compares the recording with runs of its scenario, as many as it takes to tell chance from a difference. */
async function judge(recording: Recording, scenario: Scenario, replay: Replay): Promise<CaseOutcome> {
  const compare = (runs: readonly Run[]): Check => {
    const check = new Check();
    if (recording.kind === 'reject') compareVerdict(check, recording, scenario);
    compareReplay(check, recording, replay, new Evidence(runs));
    return check;
  };
  const wires = recording.kind === 'timeline' && !replay.explicit ? [WIRE_US, 0] : [0];
  // The clock is one for the whole case: that of the proxy whose recording fits best, before chance is asked.
  let best: { readonly check: Check; readonly run: Run } | undefined;
  for (const timersAheadUs of clocks(recording, scenario)) {
    const run = await replay.run({ timersAheadUs, wireUs: wires[0] ?? 0, seed: 0 });
    const check = compare([run]);
    if (best === undefined || check.failures < best.check.failures) best = { check, run };
    if (check.failures === 0) break;
  }
  const version = scenario.proxies[0]?.version ?? '';
  if (best === undefined || best.check.failures === 0)
    return (best?.check ?? new Check()).outcome(recording.name, version);
  const { timersAheadUs } = best.run.assumptions;
  const runs: Run[] = [];
  for (let seed = 0; seed < SEEDS; seed++) {
    for (const wireUs of wires) runs.push(await replay.run({ timersAheadUs, wireUs, seed } satisfies Assumptions));
  }
  const outcome = compare(runs).outcome(recording.name, version);
  const noise = KNOWN_NOISE.get(recording.name);
  if (noise === undefined || outcome.result === 'passed') return outcome;
  for (let seed = 0; seed < NOISY_SEEDS; seed++) {
    const assumed = { timersAheadUs: noise.timersAheadUs ?? timersAheadUs, wireUs: WIRE_US, seed, uneven: true };
    const check = compare([await replay.run(assumed)]);
    if (check.failures > 0) continue;
    check.loose(`one of several runs agrees: ${noise.why}`, 'noise');
    return check.outcome(recording.name, version);
  }
  return outcome;
}
