import { fileProblem } from '../../core/problem.js';
import type { Advice, Pause, Problem, RunResult, Scenario, Simulation, VersionDifference } from '../../index.js';
import {
  adviceFor,
  answer,
  compare,
  comparisonAnswer,
  createSimulation,
  csvReport,
  differenceAt,
  explain,
  explainReport,
  explainRequest,
  explainRequestReport,
  importScenario,
  MODERN_PROXY_VERSION,
  NothingToExplain,
  PLAIN,
  predict,
  runJson,
  schemaOf,
  textReport,
  UnsupportedError,
  whyNot,
  whyNotReport,
  unsupportedFeatures,
} from '../../index.js';
import { setsWithoutSecrets, withoutSecrets } from '../../scenario/secrets.js';
import { pictureOfPrediction, pictureOfRun, worldOf } from './draw-picture.js';
import { addedLines, CannotEdit } from './edit-yaml.js';
import { type Lever, pulled } from './levers.js';
import { load, Looking } from './looking.js';
import type { CheckPicture } from './picture.js';
import type {
  Answers,
  EngineRequest,
  ExportForm,
  PullAnswer,
  RunAnswer,
  SourceFile,
  Subject,
  EngineMessage,
} from './protocol.js';
import { TableMissing } from './tables-on-demand.js';

/** The last run, with the other parts of its reports. */
interface Last {
  readonly result: RunResult;
  readonly scenario: Scenario;
  readonly otherVersion: VersionDifference | undefined;
  readonly advice: readonly Advice[];
}

export interface EngineSurroundings {
  readonly post: (message: EngineMessage) => void;
  readonly nowMs: () => number;
  /** Lets pending messages be read. */
  readonly turn: () => Promise<void>;
}

/** Between two slices the engine reads its messages: a cancellation takes effect within this time. */
const SLICE_MS = 25;
/** Events between two readings of the clock. */
const EVENTS_PER_LOOK = 512;
const REPORT_WIDTH = 110;
const EXPLANATION_WIDTH = 64;
/** Runs of each side: enough for most differences to be told from chance, few enough to wait for. */
const COMPARED_RUNS = 3;

/** The library behind the page. It handles one request after the other; a cancellation takes effect in between. */
export class Engine {
  private last: Last | undefined;
  private cancelled = false;
  /** Lets messages be read while something long is worked out. */
  private readonly pause = (): Promise<void> => this.surroundings.turn();
  private readonly looking = new Looking(this.pause);

  constructor(private readonly surroundings: EngineSurroundings) {}

  async receive(ask: EngineRequest): Promise<void> {
    const { post } = this.surroundings;
    const { id } = ask;
    try {
      post({ kind: 'answer', id, value: await this.answerTo(ask) });
    } catch (error) {
      if (error instanceof TableMissing) post({ kind: 'table-missing', id });
      else post({ kind: 'defect', id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  private answerTo(ask: EngineRequest): Answers[EngineRequest['kind']] | Promise<Answers[EngineRequest['kind']]> {
    switch (ask.kind) {
      case 'check':
        return this.check(ask.subject);
      case 'run':
        return this.run(ask.subject, ask.id);
      case 'cancel':
        this.cancelled = true;
        return null;
      case 'pull':
        return pull(ask.text, ask.lever);
      case 'import':
        return imported(ask.files);
      case 'safe':
        return safeSubject(ask.subject);
      case 'explain':
        return explained(ask, this.pause);
      case 'inspect':
        return this.looking.look(ask);
      case 'export':
        return this.exported(ask.form);
      case 'compare':
        return compared(ask.subjects);
      case 'schema':
        return schemaOf('scenario');
    }
  }

  private async check(subject: Subject): Promise<CheckPicture> {
    const startMs = this.surroundings.nowMs();
    const { scenario, problems } = load(subject, { lint: true });
    const obstacles = scenario === undefined ? [] : obstaclesOf(scenario, subject);
    const clusters =
      scenario === undefined || obstacles.length > 0
        ? undefined
        : pictureOfPrediction(await predict(scenario, { exactOnly: true }), scenario);
    return {
      problems: [...problems, ...obstacles],
      world: scenario && { ...worldOf(scenario), name: scenario.name, isScenario: !scenario.origin.bare },
      clusters,
      elapsedMs: this.surroundings.nowMs() - startMs,
    };
  }

  /** Like `lbsim run`: the same calls with the same options, so that the result is the same, byte for byte. */
  private async run(subject: Subject, id: number): Promise<RunAnswer> {
    this.cancelled = false;
    const { nowMs } = this.surroundings;
    const startMs = nowMs();
    const { scenario, problems } = load(subject, { advice: true });
    const obstacles = scenario === undefined ? [] : obstaclesOf(scenario, subject);
    if (scenario === undefined || obstacles.length > 0) {
      return { problems: [...problems, ...obstacles], picture: undefined };
    }
    const simulation = await createSimulation(scenario, { predict: true });
    const finished = await this.drive(simulation, id);
    if (!finished) simulation.abandon();
    const result = simulation.result();
    const otherVersion = await differenceAt(scenario, simulation, MODERN_PROXY_VERSION);
    this.last = { result, scenario, otherVersion, advice: adviceFor(problems) };
    return { problems, picture: pictureOfRun(result, scenario, answer(result), nowMs() - startMs) };
  }

  private async drive(simulation: Simulation, id: number): Promise<boolean> {
    const { post, nowMs, turn } = this.surroundings;
    for (;;) {
      const endMs = nowMs() + SLICE_MS;
      while (nowMs() < endMs) if (simulation.advance(EVENTS_PER_LOOK)) return true;
      post({ kind: 'progress', id, progress: simulation.progress });
      await turn();
      // A message in between may have set it.
      if (this.isCancelled()) return false;
    }
  }

  private isCancelled(): boolean {
    return this.cancelled;
  }

  private exported(form: ExportForm): readonly string[] {
    if (this.last === undefined) throw new Error('nothing was run');
    const { result, scenario, otherVersion, advice } = this.last;
    switch (form) {
      case 'json':
        return [...runJson(result, { otherVersion, advice })];
      case 'csv':
        return [...csvReport(result)];
      case 'text':
        return [
          textReport(result, {
            width: REPORT_WIDTH,
            bars: true,
            paint: PLAIN,
            all: false,
            expectations: scenario.expect,
            otherVersion,
            advice,
          }),
        ];
    }
  }
}

function pull(text: string, lever: Lever): PullAnswer {
  try {
    const after = pulled(text, lever);
    return { text: after, lines: addedLines(text, after) };
  } catch (error) {
    if (error instanceof CannotEdit) return { problem: error.message };
    throw error;
  }
}

const PLAIN_REPORT = { width: EXPLANATION_WIDTH, bars: false, paint: PLAIN, all: true };

async function explained(
  { subject, cluster, atS, about }: Extract<EngineRequest, { readonly kind: 'explain' }>,
  pause: Pause,
): Promise<string> {
  const { scenario } = load(subject);
  if (scenario === undefined) return 'The text has errors: there is nothing to explain yet.';
  try {
    switch (about.kind) {
      case 'decision': {
        const atUs = Math.round(atS * 1e6);
        const { hashKey } = about;
        return explainReport(await explain(scenario, { atUs, cluster, hashKey, pause }), PLAIN_REPORT);
      }
      case 'host':
        return whyNotReport(await whyNot(scenario, about.address), PLAIN_REPORT);
      case 'request':
        return explainRequestReport(await explainRequest(scenario, about.number, pause), PLAIN_REPORT);
    }
  } catch (error) {
    if (error instanceof NothingToExplain) return error.message;
    throw error;
  }
}

async function compared(subjects: readonly Subject[]): Promise<readonly string[]> {
  const sides = subjects.flatMap((subject, index) => {
    const { scenario } = load(subject);
    return scenario === undefined ? [] : [{ name: 'AB'[index] ?? '', scenario }];
  });
  if (sides.length < subjects.length) return ['One of the two texts has errors.'];
  try {
    return comparisonAnswer(await compare(sides, { runs: COMPARED_RUNS }));
  } catch (error) {
    if (error instanceof UnsupportedError) return [error.message];
    throw error;
  }
}

function safeSubject({ files, overrides }: Subject): Subject {
  const { api, set } = overrides;
  return {
    files: withoutSecrets(files, api),
    overrides: { ...overrides, ...(set !== undefined && { set: setsWithoutSecrets(set, files, api) }) },
  };
}

function imported(files: readonly SourceFile[]): PullAnswer {
  const { text, scenario, says, problems } = importScenario(files);
  const obstacles = scenario === undefined ? problems : notSupported(scenario, files[0]?.file ?? '');
  if (text !== undefined && obstacles.length === 0) return { text, lines: says };
  return { problem: obstacles.map(({ message }) => message).join(' ') };
}

/** The errors that prevent a run of a readable scenario, in the words of the command. */
function obstaclesOf(scenario: Scenario, { files }: Subject): Problem[] {
  const file = files[0]?.file ?? '';
  const { unsent } = scenario.origin;
  return [...(unsent === undefined ? [] : [fileProblem(file, 'no-hosts', unsent)]), ...notSupported(scenario, file)];
}

function notSupported(scenario: Scenario, file: string): Problem[] {
  return unsupportedFeatures(scenario).map(({ feature, path }) => ({
    ...fileProblem(file, 'not-supported', `not supported yet: ${feature}`),
    path,
  }));
}
