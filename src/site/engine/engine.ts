import { type ObservedPicture, observedPicture } from './observed-picture.js';
import { fileProblem } from '../../core/problem.js';
import { byKind, catching, only } from '../../core/values.js';
import { someOf } from '../../core/words.js';
import * as lbsim from '../../index.js';
import { readSeen } from '../../analysis/observe/seen.js';
import { obstaclesOf, unsupportedProblems } from '../../analysis/run/unsupported.js';
import { sentence } from '../../report/format.js';
import { whyNotLoaded } from '../../scenario/modules/module-shape.js';
import { setsWithoutSecrets, withoutSecrets } from '../../scenario/secrets.js';
import { modulesOf, type SourceFile, type Subject, textsOf } from '../link.js';
import { clusterPictures, pictureOf } from './draw-picture.js';
import { CannotEdit, type Lever, leverInWords, pulled } from './levers.js';
import { type DifferencePicture, differenceOf } from './difference.js';
import { bringTableOfV3 } from './tables-on-demand.js';

/** What goes between the page and the engine in its worker, whose methods the page calls. */

export type ExportForm = 'json' | 'csv' | 'text';

export type Question =
  /** The next decision at the time, of a request with a key of its own if it is given. */
  | { readonly kind: 'decision'; readonly hashKey: string | undefined }
  /** Why it gets what it gets. */
  | { readonly kind: 'host'; readonly address: string }
  /** The path of one request of the run, by its number. */
  | { readonly kind: 'request'; readonly number: number };

/** A cluster at a time. */
type Asked = Readonly<{ subject: Subject; cluster: string; atS: number }>;

/** `hashKey`: where does it fall? */
type LookQuestion = Asked & { readonly hashKey: string | undefined };

export type LossesAnswer = Awaited<ReturnType<Engine['losses']>>;

export type LossCurve = Awaited<ReturnType<Engine['lossCurve']>>;

export type InspectAnswer = lbsim.Inspection | { readonly problem: string };

export type CheckPicture = Awaited<ReturnType<Engine['check']>>;

export type PullAnswer = { readonly text: string; readonly says: string } | { readonly problem: string };

export type EngineMessage =
  /** Of the current run, 0–1. */
  | { readonly kind: 'progress'; readonly progress: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  /** The table of v3 is needed, and the call once more behind it. */
  | { readonly kind: 'table-missing'; readonly id: number }
  | { readonly kind: 'defect'; readonly id: number; readonly message: string };

export interface EngineSurroundings {
  /** Told between two slices of a run, 0–1. */
  readonly onProgress: (progress: number) => void;
  readonly nowMs: () => number;
  /** Lets pending messages be read. */
  readonly turn: () => Promise<void>;
}

export type EngineMethods = {
  readonly [Name in keyof Engine]: (...args: Parameters<Engine[Name]>) => ReturnType<Engine[Name]>;
};

export interface EngineCall<Name extends keyof Engine = keyof Engine> {
  readonly id: number;
  readonly name: Name;
  readonly args: Parameters<Engine[Name]>;
}

/** Between two slices the engine reads its messages: a cancellation takes effect within this time. */
const SLICE_MS = 25;
/** Events between two readings of the clock. */
const EVENTS_PER_LOOK = 512;
const REPORT = { width: 110, bars: true, paint: lbsim.PLAIN, all: false };
/** Runs of each side: enough for most differences to be told from chance, few enough to wait for. */
const COMPARED_RUNS = 3;
/** The page has no option for it. */
const NO_CAPACITY = 'No capacity is known: give hosts a concurrency and a service_time, under behavior in the text.';
/** Of a loss, by name. */
const SHOWN_LOST = 4;

/** The library behind the page. It handles one request after the other; a cancellation takes effect in between. */
export class Engine {
  /** The last run, with the other parts of its reports. */
  private last:
    { result: lbsim.RunResult; scenario: lbsim.Scenario; extras: Parameters<typeof lbsim.runJson>[1] } | undefined;
  private cancelled = false;
  private readonly pause = (): Promise<void> => this.surroundings.turn();
  /** What answered the last question about a state; it goes on from there as long as the text is the same and time goes on. */
  private inspected: { readonly text: string; readonly inspector: lbsim.Inspector | undefined } | undefined;
  /** Questions about states are answered one by one. */
  private looked: Promise<unknown> = Promise.resolve();

  constructor(private readonly surroundings: EngineSurroundings) {}

  async check(subject: Subject) {
    const { scenario, runnable, problems } = await this.read(subject, { lint: true });
    return {
      problems,
      /** Whether it is a scenario, or a proxy's configuration; undefined where it has errors. */
      isScenario: scenario && !scenario.origin.bare,
      /** undefined without a prediction. */
      clusters: runnable && clusterPictures(await lbsim.predict(runnable, { exactOnly: true }), runnable),
    };
  }

  /** As `lbsim run`: the result is the same, byte for byte. @returns no picture where errors prevented a run. */
  async run(subject: Subject) {
    this.cancelled = false;
    const { nowMs } = this.surroundings;
    const startMs = nowMs();
    const { runnable: scenario, problems } = await this.read(subject, { advice: true });
    if (scenario === undefined) return { problems, picture: undefined };
    const simulation = await lbsim.createSimulation(scenario, { predict: true });
    const finished = await this.drive(simulation);
    if (!finished) simulation.abandon();
    const result = simulation.result();
    const otherVersion = await lbsim.differenceAt(scenario, simulation, lbsim.MODERN_PROXY_VERSION);
    this.last = { result, scenario, extras: { otherVersion, advice: lbsim.adviceFor(problems) } };
    return { problems, picture: pictureOf(result, scenario, lbsim.answer(result), nowMs() - startMs) };
  }

  private async drive(simulation: lbsim.Simulation): Promise<boolean> {
    const { onProgress, nowMs, turn } = this.surroundings;
    for (;;) {
      const endMs = nowMs() + SLICE_MS;
      while (nowMs() < endMs) if (simulation.advance(EVENTS_PER_LOOK)) return true;
      onProgress(simulation.progress);
      await turn();
      // A message in between may have set it.
      if (this.cancelled) return false;
    }
  }

  /** Ends the current run; its answer has the results so far. */
  cancel(): void {
    this.cancelled = true;
  }

  export(form: ExportForm): readonly string[] {
    if (this.last === undefined) throw new Error('nothing was run');
    const { result, scenario, extras } = this.last;
    const forms = {
      json: () => [...lbsim.runJson(result, extras)],
      csv: () => [...lbsim.csvReport(result)],
      text: () => [lbsim.textReport(result, { ...REPORT, expectations: scenario.expect, ...extras })],
    };
    return forms[form]();
  }

  pull(text: string, lever: Lever): PullAnswer {
    const says = leverInWords(lever);
    return catching(
      () => ({ text: pulled(text, lever), says }),
      only(CannotEdit, ({ message }) => ({ problem: message })),
    );
  }

  import(files: readonly SourceFile[]): PullAnswer {
    const { text, scenario, problems } = lbsim.importScenario(textsOf(files));
    const obstacles = scenario === undefined ? problems : unsupportedProblems(scenario, files[0]?.file ?? '');
    if (text !== undefined && obstacles.length === 0) return { text, says: '' };
    return { problem: obstacles.map(({ message }) => message).join(' ') };
  }

  /** Takes out what must not leave in a link. */
  safe({ files, overrides }: Subject): Subject {
    const { api, set } = overrides;
    return {
      files: [...withoutSecrets(textsOf(files), api), ...modulesOf(files)],
      overrides: { ...overrides, ...(set !== undefined && { set: setsWithoutSecrets(set, textsOf(files), api) }) },
    };
  }

  /** @param question.width in characters. */
  async explain(question: Asked & { readonly about: Question; readonly width: number }): Promise<string> {
    const { subject, cluster, atS, about, width } = question;
    const layout = { width, bars: false, paint: lbsim.PLAIN, all: true };
    const { scenario } = await this.load(subject);
    if (scenario === undefined) return 'The text has errors: there is nothing to explain yet.';
    const explained = byKind<Question, Promise<string>>({
      decision: async ({ hashKey }) => {
        const asked = { atUs: Math.round(atS * 1e6), cluster, hashKey, pause: this.pause };
        return lbsim.explainReport(await lbsim.explain(scenario, asked), layout);
      },
      host: async ({ address }) => lbsim.whyNotReport(await lbsim.whyNot(scenario, address), layout),
      request: async ({ number }) =>
        lbsim.explainRequestReport(await lbsim.explainRequest(scenario, number, this.pause), layout),
    });
    return explained(about).catch(only(lbsim.NothingToExplain, ({ message }) => message));
  }

  /** The smallest loss for each harm, with the hosts that are lost: none where nothing brings it, or nothing has to be lost. */
  async losses({ subject, cluster }: Omit<Asked, 'atS'>) {
    const { scenario } = await this.load(subject);
    if (scenario === undefined) return { rows: [], notes: ['The text has errors: nothing can be lost yet.'] };
    const { found, facts, notes } = await lbsim.prove(scenario, { clusters: [cluster], pause: this.pause });
    const rows = found.map(
      ({ brings: harm, lose, zone, size, of, at_least: least, set, smallest: proven, addresses }) => {
        const units = lose === 'zone_then_hosts' ? 'hosts beside a zone' : lose;
        const open = least === null ? 'none' : `none below ${least} ${units}`;
        const first = zone === undefined ? '' : `zone ${zone} and `;
        const whole = size === 0 ? 'as it is' : `${first}${size} of ${of} ${units}: ${someOf(set, SHOWN_LOST)}`;
        return { harm, loss: size === null ? open : whole, proven, addresses };
      },
    );
    return { rows, notes: notes.map((note, index) => (facts[index]?.kind === 'no_capacity' ? NO_CAPACITY : note)) };
  }

  /** By the number of hosts that are lost: what fails, 0–1, and how full a host is, if that is known. */
  async lossCurve({ subject, cluster }: Omit<Asked, 'atS'>) {
    const { scenario } = await this.load(subject);
    if (scenario === undefined) throw new Error('The text has errors: nothing can be lost yet.');
    const { points, edges } = await lbsim.curve(scenario, '*', { cluster, pause: this.pause });
    const fullest = points.map((point) => point.fullest ?? 0);
    const over = fullest.findIndex((load) => load > 1 + 1e-9);
    return {
      failed: points.map(({ failed }) => failed),
      fullest: fullest.some((load) => load > 0) ? fullest : [],
      edges: [...edges, ...(over < 0 ? [] : [{ lost: over, what: 'a host is above its capacity' }])].sort(
        (a, b) => a.lost - b.lost,
      ),
    };
  }

  inspect(question: LookQuestion): Promise<InspectAnswer> {
    const answer = this.looked.then(() => this.look(question));
    this.looked = answer.catch(() => undefined);
    return answer;
  }

  private async look({ subject, cluster, atS, hashKey }: LookQuestion): Promise<InspectAnswer> {
    const text = JSON.stringify(subject);
    if (this.inspected?.text !== text) {
      const { scenario } = await this.load(subject);
      this.inspected = { text, inspector: scenario && new lbsim.Inspector(scenario) };
    }
    const { inspector } = this.inspected;
    if (inspector === undefined) return { problem: 'The text has errors: there is nothing to look at yet.' };
    const says = ({ message }: Error): InspectAnswer => ({ problem: message });
    return inspector
      .look({ atUs: Math.round(atS * 1e6), cluster, hashKey, pause: this.pause })
      .catch(only(lbsim.NothingToExplain, says))
      .catch(only(lbsim.UnsupportedError, says));
  }

  async compare(subjects: readonly Subject[]): Promise<DifferencePicture> {
    const loaded = await Promise.all(subjects.map((subject) => this.load(subject)));
    const sides = loaded.flatMap(({ scenario }, index) =>
      scenario === undefined ? [] : [{ name: 'AB'[index] ?? '', scenario }],
    );
    if (sides.length < subjects.length) return { sentences: ['One of the two texts has errors.'], clusters: {} };
    return lbsim
      .compare(sides, { runs: COMPARED_RUNS })
      .then(differenceOf)
      .catch(only(lbsim.UnsupportedError, ({ message }) => ({ sentences: [message], clusters: {} })));
  }

  /** Which of several files tell what hosts got; one page of `/clusters` is configuration. */
  sorted(files: readonly SourceFile[]) {
    const all = files.map((one) => ({ one, seen: readSeen(one.file, one.text) }));
    const told = all.filter(({ seen }) => seen.length > 0);
    const isPage = told.length === 1 && told[0]?.seen[0]?.form === 'clusters';
    const seen = isPage ? [] : told.map(({ one }) => one);
    return { seen, configs: files.filter((file) => !seen.includes(file)) };
  }

  /** What hosts were seen to get, beside what is configured. */
  async observe(subject: Subject, seen: readonly SourceFile[]): Promise<ObservedPicture> {
    const { scenario } = await this.load(subject, { makesUpHosts: false });
    const nothing = (why: string) => ({ told: [why], isOff: true, clusters: [] });
    if (scenario === undefined) return nothing('The text has errors, or no hosts: nothing can be compared yet.');
    return lbsim
      .observe(scenario, seen, { pause: this.pause })
      .then(observedPicture)
      .catch(only(lbsim.NothingSeen, ({ message }) => nothing(sentence(message))));
  }

  readonly bringTable = bringTableOfV3;

  /** Reads what the page has, as the command would read it; of the modules beside the text, those that it names. */
  private async load({ files, overrides }: Subject, wanted: Wanted = {}): Promise<lbsim.LoadResult> {
    const options = { ...overrides, statistics: false, makesUpHosts: true, ...wanted };
    const loaded = lbsim.loadScenario(textsOf(files), options);
    const policies: Record<string, unknown> = {};
    const problems: lbsim.Problem[] = [];
    for (const { text: name, place } of loaded.policyModules ?? []) {
      const module = files.find(({ file }) => file === name.replace(/^.*\//, ''));
      if (module === undefined) continue;
      policies[name] = await policyIn(module.text).catch((error: unknown) => {
        problems.push({ ...fileProblem(name, 'policy-module', whyNotLoaded(error)), ...place });
      });
    }
    if (problems.length > 0) return { problems };
    return Object.keys(policies).length === 0 ? loaded : lbsim.loadScenario(textsOf(files), { ...options, policies });
  }

  /** The scenario, and once more where nothing prevents a run of it; what does is told in the words of the command. */
  private async read(subject: Subject, wanted: Wanted) {
    const { scenario, problems } = await this.load(subject, wanted);
    if (scenario === undefined) return { scenario, runnable: scenario, problems };
    const obstacles = obstaclesOf(scenario, subject.files[0]?.file ?? '');
    const runnable = obstacles.length === 0 ? scenario : undefined;
    return { scenario, runnable, problems: [...problems, ...obstacles] };
  }
}

async function policyIn(module: string): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }));
  return ((await import(/* @vite-ignore */ url)) as { readonly default?: unknown }).default;
}

type Wanted = Pick<lbsim.LoadOptions, 'lint' | 'advice' | 'makesUpHosts'>;
