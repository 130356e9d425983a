import { app, type AppState, type Change, clock, durationOf, FRESH, VERSUS } from './app-state.js';
import { type DrawnHost, drawnHost, shownS } from './drawn-host.js';
import { Abandoned, EngineClient } from './engine/client.js';
import type { Lever } from './engine/levers.js';
import type { RunPicture } from './engine/picture.js';
import type { ExportForm, InspectAnswer, Overrides, Question, SourceFile, Subject } from './engine/protocol.js';
import { tellingInstants } from './instant.js';
import { type Example, openedExample } from './parts.js';
import { MAX_LINK, toFragment } from './link.js';
import { newest } from './newest.js';
import { initialSpeed } from './player.js';
import { clusterOf } from './run-at-time.js';
import { steppedWeight } from './view/host-drag.js';

/** Delays after the last keystroke: of reading, and of running. */
const CHECK_DELAY_MS = 150;
const RUN_DELAY_MS = 500;
/** A run that does not react to a cancellation by then is ended with its worker. */
const CANCEL_MS = 1_000;

/** A lever in somebody's hand. */
interface Grip {
  /** Which it is, whatever its value. */
  readonly of: string;
  readonly latest: Lever;
  readonly from: { readonly text: string; readonly change: Change | undefined };
}

/** The user's actions and their effects: reading, running, playing. */
export class Session {
  /** One engine reads and predicts while the other runs: typing never waits for a run. */
  private readonly reader: EngineClient;
  private readonly runner: EngineClient;
  /** Comparing takes several runs: it has an engine of its own. */
  private readonly comparer: EngineClient;
  /** Runs A of a link, which is there beside B's run and the reader's work. */
  private readonly besideRunner: EngineClient;
  private checkTimer: number | undefined;
  private runTimer: number | undefined;
  private runs = 0;
  private besides = 0;
  /** Nothing of the scenario was shown yet. */
  private isNew = false;
  /** Where it opens, in seconds; undefined: at the time that tells most. */
  private openAt: number | undefined;
  /** What slides. */
  private grip: Grip | undefined;
  private pulledAtMs = 0;

  constructor(engine: string) {
    this.reader = new EngineClient(engine);
    this.runner = new EngineClient(engine, (progress) => {
      // One that was ended may have said so before.
      if (app.now.progress !== undefined) app.set({ progress });
    });
    this.comparer = new EngineClient(engine);
    this.besideRunner = new EngineClient(engine);
  }

  get subject(): Subject {
    const { files, overrides } = app.now;
    return { files, overrides };
  }

  /** Another scenario. @param options.at where the clock stands then; undefined: at the time that tells most. */
  open(files: readonly SourceFile[], overrides: Overrides = {}, { at, beside, ...state }: OpenOptions = {}): void {
    app.set({ ...FRESH, ...state, files, revision: app.now.revision + 1, overrides });
    this.comparer.restart();
    clock.set({ t: at ?? 0 });
    this.isNew = true;
    this.openAt = at;
    this.read(0);
    void this.putBeside(beside);
  }

  /** A of a comparison that comes with a link: it is run here, like B. */
  private async putBeside(subject: Subject | undefined): Promise<void> {
    const own = ++this.besides;
    this.besideRunner.restart();
    if (subject === undefined) return;
    try {
      const { picture } = await this.besideRunner.ask('run', subject);
      if (own !== this.besides) return;
      // Its worker is not needed any more.
      this.besideRunner.restart();
      if (picture === undefined) {
        app.set({ message: 'This link compares two runs; A has errors and is left out.' });
        return;
      }
      app.set({ pinned: { subject, run: picture }, tab: VERSUS });
      this.compareNow();
    } catch (error) {
      if (own === this.besides) showDefect(error);
    }
  }

  /** A shipped one: its question is in the page, its text is closed. */
  async openExample(example: Example, at?: number): Promise<void> {
    try {
      this.open([await openedExample(example)], {}, { at, example: example.name, editing: false });
    } catch (error) {
      app.set({ message: messageOf(error) });
    }
  }

  /** The text that is edited changed; the cursor stays. */
  edit(text: string): void {
    const { files, active } = app.now;
    if (files[active]?.text === text) return;
    this.grip = undefined;
    app.set({ files: withText(files, active, text), ...TOUCHED, change: undefined, ahead: undefined });
    this.read(CHECK_DELAY_MS);
  }

  /** Changes the text by one of the levers; the exact prediction follows at once, the run after it. */
  pull(lever: Lever): Promise<void> {
    this.grip = undefined;
    return this.pullFrom(this.untouched(), lever);
  }

  /**
   * A lever that is moved step by step, as by a drag: each step takes the place of the one before. Of steps that come
   * faster than they are worked out only the newest counts.
   */
  async slide(lever: Lever): Promise<void> {
    const of = JSON.stringify({ ...lever, weight: 0, percent: 0 });
    this.grip = { of, from: this.grip?.of === of ? this.grip.from : this.untouched(), latest: lever };
    await this.slideTo(lever);
  }

  /** Nothing where the text was changed in another way meanwhile. */
  private readonly slideTo = newest(async (lever: Lever) => {
    if (this.grip !== undefined) await this.pullFrom(this.grip.from, lever);
  });

  /** Gives a host another weight from the time shown on. */
  readonly weigh = (address: string, weight: number): void => {
    void this.slide({ kind: 'weight', atS: shownS(), hosts: { address }, weight });
  };

  /** Makes the chosen host one step heavier or lighter. */
  weighChosen(direction: 1 | -1): void {
    const chosen = chosenHost();
    if (chosen === undefined) return;
    const { address, weight } = chosen;
    // Keys may come faster than predictions.
    const { latest } = this.grip ?? {};
    const isHeld = latest?.kind === 'weight' && 'address' in latest.hosts && latest.hosts.address === address;
    this.weigh(address, steppedWeight(isHeld && latest.atS === shownS() ? latest.weight : weight, direction));
  }

  /** Kills the chosen host, or revives it where it is out. */
  killChosen(): void {
    const chosen = chosenHost();
    if (chosen === undefined) return;
    void this.pull({ kind: chosen.isOut ? 'revive' : 'kill', atS: shownS(), hosts: { address: chosen.address } });
  }

  /** Makes the chosen host far slower; where levers did so, their lines are taken back. */
  slowChosen(): void {
    const chosen = chosenHost();
    if (chosen === undefined) return;
    const { address, isSlow, slowedBy, slowMs: serviceMs } = chosen;
    if (!isSlow) void this.pull({ kind: 'slow', atS: shownS(), hosts: { address }, serviceMs });
    else if (slowedBy.length > 0) void this.takeBack(slowedBy);
    else app.set({ message: 'The text says that this host is slow: change it there.' });
  }

  /** Pulls the other levers again. */
  private async takeBack(levers: readonly Lever[]): Promise<void> {
    const others = app.now.change?.levers.filter((lever) => !levers.includes(lever)) ?? [];
    this.undo();
    for (const lever of others) await this.pull(lever);
  }

  /** Where a lever begins. */
  private untouched(): Grip['from'] {
    const { files, active, change } = app.now;
    return { text: files[active]?.text ?? '', change };
  }

  private async pullFrom({ text, change }: Grip['from'], lever: Lever): Promise<void> {
    const startMs = performance.now();
    try {
      const answer = await this.reader.ask('pull', text, lever);
      if ('problem' in answer) app.set({ message: `This text cannot be changed by a lever: ${answer.problem}.` });
      else {
        const lines = [...(change?.lines ?? []), ...answer.lines];
        const says = [...(change?.says ?? []), answer.says];
        const levers = [...(change?.levers ?? []), lever];
        this.put(answer.text, { levers, says, lines, before: change?.before ?? text, tookMs: undefined });
        this.pulledAtMs = startMs;
        // The check without its delay.
        clearTimeout(this.checkTimer);
        await this.check();
      }
    } catch (error) {
      showDefect(error);
    }
  }

  /** Turns a proxy's configuration into a scenario, which levers can change. */
  async makeScenario(): Promise<void> {
    const { files } = app.now;
    try {
      const answer = await this.reader.ask('import', files);
      if ('problem' in answer) app.set({ message: `No scenario can be made of this: ${answer.problem}` });
      else this.open([{ file: 'imported.yaml', text: answer.text }]);
    } catch (error) {
      showDefect(error);
    }
  }

  /** The text as it was before the levers. */
  undo(): void {
    const { change } = app.now;
    this.grip = undefined;
    app.set({ ahead: undefined });
    if (change !== undefined) this.put(change.before, undefined);
  }

  /** Holds the run before the levers beside that of now. */
  pinBefore(): void {
    const { files, active, overrides, change } = app.now;
    if (change !== undefined) void this.putBeside({ files: withText(files, active, change.before), overrides });
  }

  /** Holds the current run beside those that follow: A | B. */
  pin(): void {
    const { run } = app.now;
    if (run === undefined) return;
    app.set({ pinned: { subject: this.subject, run }, difference: undefined, tab: VERSUS });
    this.compareNow();
  }

  /** Goes on with one of the two. */
  unpin(side: 'A' | 'B'): void {
    const { pinned, revision } = app.now;
    this.comparer.restart();
    app.set({ pinned: undefined, difference: undefined });
    if (side === 'B' || pinned === undefined) return;
    const { files, overrides } = pinned.subject;
    app.set({ files, overrides, active: 0, revision: revision + 1, run: pinned.run, change: undefined, message: '' });
    this.read(0);
  }

  /** What differs between A and B; an answer for an earlier B is no longer wanted. */
  private compareNow(): void {
    const { pinned } = app.now;
    if (pinned === undefined) return;
    app.set({ difference: undefined });
    this.comparer.restart();
    this.comparer
      .ask('compare', [pinned.subject, this.subject])
      .then((difference) => app.set({ difference }))
      .catch(ignoreAbandoned)
      .catch((error: unknown) => app.set({ difference: { sentences: [messageOf(error)], clusters: {} } }));
  }

  /** Makes the changes of the levers permanent. */
  keep(): void {
    this.grip = undefined;
    app.set({ change: undefined });
  }

  private put(text: string, change: Change | undefined): void {
    const { files, active, revision } = app.now;
    app.set({ files: withText(files, active, text), ...TOUCHED, revision: revision + 1, change });
    this.read(0);
  }

  override(overrides: Overrides): void {
    app.set({ overrides });
    this.read(0);
  }

  async cancel(): Promise<void> {
    if (app.now.progress === undefined) return;
    const timer = setTimeout(() => this.runner.restart(), CANCEL_MS);
    await this.runner.ask('cancel').catch(ignoreAbandoned);
    clearTimeout(timer);
  }

  exported(form: ExportForm): Promise<readonly string[]> {
    return this.runner.ask('export', form);
  }

  /** In words, at the time shown. */
  explain(cluster: string, about: Question, width: number): Promise<string> {
    return this.reader.ask('explain', { subject: this.subject, cluster, atS: clock.now.t, about, width });
  }

  /** The state at the time shown. */
  inspect(cluster: string, hashKey: string | undefined): Promise<InspectAnswer> {
    return this.reader.ask('inspect', { subject: this.subject, cluster, atS: clock.now.t, hashKey });
  }

  schema(): Promise<Readonly<Record<string, unknown>>> {
    return this.reader.ask('schema');
  }

  /** The address of this page with the scenario in it, or the name of a shipped one; undefined: it would be too long to share. */
  async link(): Promise<{ readonly link: string; readonly holds: 'name' | 'text' } | undefined> {
    const { pinned, example, overrides } = app.now;
    const here = location.href.replace(/#.*$/s, '');
    if (example !== undefined && pinned === undefined && Object.keys(overrides).length === 0) {
      return { link: `${here}#example=${example}&at=${shownS()}`, holds: 'name' };
    }
    const subject = await this.reader.ask('safe', this.subject);
    const beside = pinned && (await this.reader.ask('safe', pinned.subject));
    const fragment = await toFragment({ ...subject, at: shownS(), ...(beside && { beside }) });
    const link = here + fragment;
    return link.length > MAX_LINK ? undefined : { link, holds: 'text' };
  }

  private read(delayMs: number): void {
    clearTimeout(this.checkTimer);
    clearTimeout(this.runTimer);
    this.checkTimer = setTimeout(() => void this.check(), delayMs);
  }

  private readonly check = newest(async () => {
    const { subject } = this;
    try {
      const check = await this.reader.ask('check', subject);
      const { change, run } = app.now;
      const isAhead = change !== undefined && run !== undefined && check.clusters?.every(({ whyNot }) => whyNot === '');
      app.set({
        check,
        ahead: isAhead === true ? { ...run, clusters: check.clusters ?? [] } : undefined,
        ...(change !== undefined &&
          change.tookMs === undefined && { change: { ...change, tookMs: performance.now() - this.pulledAtMs } }),
      });
      const isRight = check.isScenario !== undefined && check.problems.every(({ severity }) => severity !== 'error');
      clearTimeout(this.runTimer);
      if (isRight) this.runTimer = setTimeout(() => void this.runNow(), this.isNew ? 0 : RUN_DELAY_MS);
    } catch (error) {
      showDefect(error);
    }
  });

  private async runNow(): Promise<void> {
    const run = ++this.runs;
    if (app.now.progress !== undefined) this.runner.restart();
    app.set({ progress: 0 });
    const { subject } = this;
    try {
      const { picture } = await this.runner.ask('run', subject);
      if (run !== this.runs) return;
      app.set({
        progress: undefined,
        // A prediction of a text that is newer than this run stays.
        ...(picture && subject.files === app.now.files && { ahead: undefined }),
        ...(picture && { run: picture, cluster: keptCluster(picture) }),
      });
      if (picture !== undefined) {
        this.show(picture);
        this.compareNow();
      }
    } catch (error) {
      if (run !== this.runs) return;
      app.set({ progress: undefined });
      showDefect(error);
    }
  }

  private show(picture: RunPicture): void {
    const whole = durationOf(app.now);
    if (clock.now.t > whole) clock.set({ t: whole });
    if (!this.isNew) return;
    this.isNew = false;
    const [telling] = tellingInstants(picture);
    app.set({ speed: initialSpeed(picture.durationS) });
    if (this.openAt === undefined) clock.set({ t: telling?.t ?? 0 });
  }
}

interface OpenOptions extends Partial<Pick<AppState, 'example' | 'editing'>> {
  readonly at?: number | undefined;
  readonly beside?: Subject | undefined;
}

/** A text that was changed is no shipped one any more. */
const TOUCHED = { example: undefined, message: '' } as const;

/** Says what to do where none is chosen. */
function chosenHost(): DrawnHost | undefined {
  const { run, cluster, host: chosen = -1, check } = app.now;
  const host = clusterOf(run, cluster)?.hosts[chosen];
  const drawn = host && drawnHost(host);
  if (check?.isScenario === false) {
    app.set({ message: 'Levers change a scenario: turn this configuration into one first.' });
    return undefined;
  }
  if (drawn === undefined) app.set({ message: 'Choose a host first: click it, or Tab to it and press Enter.' });
  return drawn;
}

function withText(files: readonly SourceFile[], place: number, text: string): readonly SourceFile[] {
  return files.map((file, index) => (index === place ? { ...file, text } : file));
}

/** The selected cluster; if it is gone, the one with most to show. */
function keptCluster(picture: RunPicture): string | undefined {
  const { cluster } = app.now;
  if (picture.clusters.some(({ name }) => name === cluster)) return cluster;
  return tellingInstants(picture)[0]?.cluster.name;
}

function ignoreAbandoned(error: unknown): void {
  if (!(error instanceof Abandoned)) throw error;
}

function showDefect(error: unknown): void {
  if (error instanceof Abandoned) return;
  app.set({ message: `The engine failed: ${messageOf(error)}` });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
