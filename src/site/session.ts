import type { AppState, Change } from './app-state.js';
import { app, clock, drawnHost, durationOf, FRESH, placeOfText, SEEN, shownS, VERSUS } from './app-state.js';
import { Abandoned, EngineClient } from './engine/client.js';
import type { Lever } from './engine/levers.js';
import type { RunPicture } from './engine/draw-picture.js';
import { clusterOf, tellingInstants } from './instant.js';
import { type Example, loadPart } from './parts.js';
import {
  isCode,
  MAX_LINK,
  modulesOf,
  type Overrides,
  type Shared,
  type SourceFile,
  type Subject,
  textsOf,
  toFragment,
} from './link.js';
import { only } from '../core/values.js';
import { newest } from './newest.js';
import { messageOf } from './number-format.js';
import { initialSpeed } from './player.js';
import { steppedWeight } from './view/host-drag.js';

/** Delays after the last keystroke: of reading, and of running. */
const CHECK_DELAY_MS = 150;
const RUN_DELAY_MS = 500;
/** Reading that takes so long can be stopped; what does not react to that as soon is ended with its worker. */
const PATIENCE_MS = 1_000;

/*
 * The user's actions and their effects: reading, running, playing.
 *
 * One engine reads and predicts while another runs: typing never waits for a run. Comparing takes several runs, and a link may
 * bring A of a comparison: a third does both.
 */
export const reader = new EngineClient();
export const runner = new EngineClient((progress) => {
  // One that was ended may have said so before.
  if (app.now.progress !== undefined) app.set({ progress });
});
const comparer = new EngineClient();

let checkTimer: number | undefined;
let runTimer: number | undefined;
let runs = 0;
/** Nothing of the scenario was shown yet. */
let isNew = false;
/** Where it opens, in seconds; undefined: at the time that tells most. */
let openAt: number | undefined;
/** What slides: a lever in somebody's hand, whatever its value, and where it began. */
let grip: { readonly of: string; readonly latest: Lever; readonly from: ReturnType<typeof untouched> } | undefined;
let pulledAtMs = 0;

function subjectNow(): Subject {
  const { files, overrides } = app.now;
  return { files, overrides };
}

/** Another scenario. @param options.at where the clock stands then; undefined: at the time that tells most. */
export function open(given: Subject['files'], overrides: Overrides = {}, options: OpenOptions = {}): void {
  const { at, beside, ...state } = options;
  const files = [...textsOf(given), ...modulesOf(given)];
  app.set({ ...FRESH, ...state, files, revision: app.now.revision + 1, overrides });
  clock.set({ t: at ?? 0 });
  isNew = true;
  openAt = at;
  read(0);
  void putBeside(beside);
}

/** A of a comparison that comes with a link: it is run here, like B. */
const putBeside = showingDefects(async (subject: Subject | undefined) => {
  comparer.restart();
  if (subject === undefined) return;
  const { picture } = await comparer.ask('run', subject);
  if (picture === undefined) {
    app.set({ message: 'This link compares two runs; A has errors and is left out.' });
    return;
  }
  app.set({ pinned: { subject, run: picture }, tab: VERSUS });
  compareNow();
});

/** What somebody brought: configuration, modules, and what hosts were seen to get; without the first it is of what is open. */
export const take = showingDefects(async (files: readonly SourceFile[]) => {
  const { configs, seen } = await reader.ask('sorted', files);
  if (textsOf(configs).length > 0) open(configs);
  else if (configs.length > 0) await bring(configs);
  if (seen.length > 0) see(seen);
});

/** One that the text does not name becomes the policy of the cluster that is shown. */
async function bring(modules: readonly SourceFile[]): Promise<void> {
  const { files, run, cluster } = app.now;
  const others = files.filter(({ file }) => modules.every((module) => module.file !== file));
  app.set({ files: [...others, ...modules], active: 0, revision: app.now.revision + 1, ...TOUCHED });
  const added = modules.find(({ file }) => textsOf(files).every(({ text }) => !text.includes(file)));
  const name = clusterOf(run, cluster)?.name;
  if (added === undefined || name === undefined) read(0);
  else await pull({ kind: 'policy', cluster: name, policy: `./${added.file}` });
}

/** A pasted text has no name: a module gets that of the first that is missing. */
export function pasted(text: string): SourceFile {
  if (!isCode(text)) return { file: 'pasted.yaml', text };
  const named = textsOf(app.now.files).flatMap((one) => one.text.match(/[\w-]+\.[cm]?js\b/g) ?? []);
  return { file: named.find((name) => app.now.files.every(({ file }) => file !== name)) ?? 'pasted.mjs', text };
}

/** Compares with what is open; pages that come one after the other go together. */
export function see(files: readonly SourceFile[]): void {
  app.set({ seen: [...app.now.seen, ...files], observation: undefined, tab: SEEN });
  void observeNow();
}

const observeNow = newest(
  showingDefects(async () => {
    const { seen } = app.now;
    const observation = seen.length === 0 ? undefined : await reader.ask('observe', subjectNow(), seen);
    if (seen === app.now.seen) app.set({ observation });
  }),
);

/** A shipped one: its question is in the page, its text is closed. */
export const openExample = showingDefects(async (example: Example, at?: number) => {
  const { file, name, text = (await loadPart('examples'))[file] ?? '' } = example;
  open([{ file, text }], {}, { at, example: name, editing: false });
});

/** The text that is edited changed; the cursor stays. */
export function edit(text: string): void {
  const { files, active } = app.now;
  if (files[active]?.text === text) return;
  grip = undefined;
  app.set({ files: withText(files, active, text), ...TOUCHED, change: undefined, ahead: undefined });
  read(CHECK_DELAY_MS);
}

/** Changes the text by one of the levers; the exact prediction follows at once, the run after it. */
export function pull(lever: Lever): Promise<void> {
  grip = undefined;
  return pullFrom(untouched(), lever);
}

/** A lever moved step by step, as by a drag: each step replaces the last; of waiting ones only the newest counts. */
export async function slide(lever: Lever): Promise<void> {
  const of = JSON.stringify({ ...lever, weight: 0, percent: 0 });
  grip = { of, from: grip?.of === of ? grip.from : untouched(), latest: lever };
  await slideTo(lever);
}

/** Nothing where the text was changed in another way meanwhile. */
const slideTo = newest(async (lever: Lever) => {
  if (grip !== undefined) await pullFrom(grip.from, lever);
});

/** Gives a host another weight from the time shown on. */
export function weigh(address: string, weight: number): void {
  void slide({ kind: 'weight', atS: shownS(), hosts: { address }, weight });
}

export function weighChosen(direction: 1 | -1): void {
  const chosen = chosenHost();
  if (chosen === undefined) return;
  const { address, weight } = chosen;
  // Keys may come faster than predictions.
  const latest = grip?.latest;
  const isHeld = latest?.kind === 'weight' && 'address' in latest.hosts && latest.hosts.address === address;
  weigh(address, steppedWeight(isHeld && latest.atS === shownS() ? latest.weight : weight, direction));
}

/** Kills the chosen host, or revives it where it is out. */
export function killChosen(): void {
  const chosen = chosenHost();
  if (chosen === undefined) return;
  void pull({ kind: chosen.isOut ? 'revive' : 'kill', atS: shownS(), hosts: { address: chosen.address } });
}

/** Makes the chosen host far slower; where levers did so, their lines are taken back. */
export async function slowChosen(): Promise<void> {
  const chosen = chosenHost();
  if (chosen === undefined) return;
  const { address, isSlow, slowedBy, slowMs: serviceMs } = chosen;
  if (!isSlow) await pull({ kind: 'slow', atS: shownS(), hosts: { address }, serviceMs });
  else if (slowedBy.length > 0) {
    const others = app.now.change?.levers.filter((lever) => !slowedBy.includes(lever)) ?? [];
    undo();
    for (const lever of others) await pull(lever);
  } else app.set({ message: 'The text says that this host is slow: change it there.' });
}

function untouched() {
  const { files, change } = app.now;
  return { text: files[placeOfText(app.now)]?.text ?? '', change };
}

const pullFrom = showingDefects(async ({ text, change }: ReturnType<typeof untouched>, lever: Lever) => {
  const startMs = performance.now();
  const answer = await reader.ask('pull', text, lever);
  if ('problem' in answer) app.set({ message: `This text cannot be changed by a lever: ${answer.problem}.` });
  else {
    const says = [...(change?.says ?? []), answer.says];
    const levers = [...(change?.levers ?? []), lever];
    put(answer.text, { levers, says, before: change?.before ?? text, tookMs: undefined });
    pulledAtMs = startMs;
    // The check without its delay.
    clearTimeout(checkTimer);
    await check();
  }
});

/** Turns a proxy's configuration into a scenario, which levers can change. */
export const makeScenario = showingDefects(async () => {
  const answer = await reader.ask('import', app.now.files);
  if ('problem' in answer) app.set({ message: `No scenario can be made of this: ${answer.problem}` });
  else open([{ file: 'imported.yaml', text: answer.text }, ...modulesOf(app.now.files)]);
});

export function undo(): void {
  const { change } = app.now;
  grip = undefined;
  app.set({ ahead: undefined });
  if (change !== undefined) put(change.before, undefined);
}

export function pinBefore(): void {
  const { files, overrides, change } = app.now;
  if (change !== undefined) void putBeside({ files: withText(files, placeOfText(app.now), change.before), overrides });
}

/** Holds the current run beside those that follow: A | B. */
export function pin(): void {
  const { run } = app.now;
  if (run === undefined) return;
  app.set({ pinned: { subject: subjectNow(), run }, difference: undefined, tab: VERSUS });
  compareNow();
}

/** Goes on with one of the two. */
export function unpin(side: 'A' | 'B'): void {
  const { pinned, revision } = app.now;
  comparer.restart();
  app.set({ pinned: undefined, difference: undefined });
  if (side === 'B' || pinned === undefined) return;
  const { files, overrides } = pinned.subject;
  app.set({ files, overrides, active: 0, revision: revision + 1, run: pinned.run, change: undefined, message: '' });
  read(0);
}

/** What differs between A and B; an answer for an earlier B is no longer wanted. */
function compareNow(): void {
  const { pinned } = app.now;
  if (pinned === undefined) return;
  app.set({ difference: undefined });
  comparer.restart();
  comparer
    .ask('compare', [pinned.subject, subjectNow()])
    .then((difference) => app.set({ difference }))
    .catch(ignoreAbandoned)
    .catch((error: unknown) => app.set({ difference: { sentences: [messageOf(error)], clusters: {} } }));
}

/** Makes the changes of the levers permanent. */
export function keep(): void {
  grip = undefined;
  app.set({ change: undefined });
}

function put(text: string, change: Change | undefined): void {
  const { files, revision } = app.now;
  app.set({ files: withText(files, placeOfText(app.now), text), ...TOUCHED, revision: revision + 1, change });
  read(0);
}

export function override(overrides: Overrides): void {
  app.set({ overrides });
  read(0);
}

/** Stops the run, and reading that does not end. */
export async function cancel(): Promise<void> {
  if (app.now.progress === undefined) return;
  const engines = [reader, runner];
  const timer = setTimeout(() => {
    app.set({ message: 'It did not end by itself: a policy may take forever.', progress: undefined });
    for (const engine of engines) if (engine.isBusy) engine.restart();
  }, PATIENCE_MS);
  await Promise.all(engines.map((engine) => engine.ask('cancel').catch(ignoreAbandoned)));
  clearTimeout(timer);
}

/** What a question is about that names a cluster of the text, at the time shown. */
export const about = (cluster: string) => ({ subject: subjectNow(), cluster, atS: clock.now.t });

/** The address of this page with the scenario in it, or the name of a shipped one; undefined: it would be too long to share. */
export async function link(): Promise<{ readonly link: string; readonly holds: 'name' | 'text' } | undefined> {
  const { pinned, example, overrides } = app.now;
  const here = location.href.replace(/#.*$/s, '');
  if (example !== undefined && pinned === undefined && Object.keys(overrides).length === 0)
    return { link: `${here}#example=${example}&at=${shownS()}`, holds: 'name' };
  const subject = await reader.ask('safe', subjectNow());
  const beside = pinned && (await reader.ask('safe', pinned.subject));
  const link = here + (await toFragment({ ...subject, at: shownS(), ...(beside && { beside }) }));
  return link.length > MAX_LINK ? undefined : { link, holds: 'text' };
}

function read(delayMs: number): void {
  clearTimeout(checkTimer);
  clearTimeout(runTimer);
  checkTimer = setTimeout(() => void check(), delayMs);
}

const check = newest(
  showingDefects(async () => {
    const timer = setTimeout(() => app.set({ progress: app.now.progress ?? 0 }), PATIENCE_MS);
    const check = await reader.ask('check', subjectNow()).finally(() => {
      clearTimeout(timer);
      if (!runner.isBusy) app.set({ progress: undefined });
    });
    const { change, run } = app.now;
    const isAhead = change !== undefined && run !== undefined && check.clusters?.every(({ whyNot }) => whyNot === '');
    app.set({
      check,
      ahead: isAhead === true ? { ...run, clusters: check.clusters ?? [] } : undefined,
      ...(change !== undefined &&
        change.tookMs === undefined && { change: { ...change, tookMs: performance.now() - pulledAtMs } }),
    });
    void observeNow();
    const isRight = check.isScenario !== undefined && check.problems.every(({ severity }) => severity !== 'error');
    clearTimeout(runTimer);
    if (isRight) runTimer = setTimeout(() => void runNow(), isNew ? 0 : RUN_DELAY_MS);
  }),
);

async function runNow(): Promise<void> {
  const run = ++runs;
  if (app.now.progress !== undefined) runner.restart();
  app.set({ progress: 0 });
  const subject = subjectNow();
  try {
    const { picture } = await runner.ask('run', subject);
    if (run !== runs) return;
    app.set({
      progress: undefined,
      // A prediction of a text that is newer than this run stays.
      ...(picture && subject.files === app.now.files && { ahead: undefined }),
      ...(picture && { run: picture, cluster: keptCluster(picture) }),
    });
    if (picture === undefined) return;
    const whole = durationOf(app.now);
    if (clock.now.t > whole) clock.set({ t: whole });
    if (isNew) {
      isNew = false;
      app.set({ speed: initialSpeed(picture.durationS) });
      if (openAt === undefined) clock.set({ t: tellingInstants(picture)[0]?.t ?? 0 });
    }
    compareNow();
  } catch (error) {
    if (run !== runs) return;
    app.set({ progress: undefined });
    showDefect(error);
  }
}

type OpenOptions = Partial<Pick<AppState, 'example' | 'editing'> & Pick<Shared, 'beside'>> & {
  readonly at?: number | undefined;
};

/** A text that was changed is no shipped one any more. */
const TOUCHED = { example: undefined, message: '' } as const;

/** Says what to do where none is chosen. */
function chosenHost(): ReturnType<typeof drawnHost> {
  const { host, check } = app.now;
  const drawn = drawnHost(host);
  if (check?.isScenario === false) {
    app.set({ message: 'Levers change a scenario: turn this configuration into one first.' });
    return undefined;
  }
  if (drawn === undefined) app.set({ message: 'Choose a host first: click it, or Tab to it and press Enter.' });
  return drawn;
}

const withText = (files: readonly SourceFile[], place: number, text: string): readonly SourceFile[] =>
  files.map((file, index) => (index === place ? { ...file, text } : file));

/** The selected cluster; if it is gone, the one with most to show. */
function keptCluster(picture: RunPicture): string | undefined {
  const { cluster } = app.now;
  if (picture.clusters.some(({ name }) => name === cluster)) return cluster;
  return tellingInstants(picture)[0]?.cluster.name;
}

const ignoreAbandoned = only(Abandoned, () => undefined);

/** The same, which never fails. */
function showingDefects<Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) {
  return (...args: Args): Promise<void> => work(...args).catch(showDefect);
}

function showDefect(error: unknown): void {
  if (error instanceof Abandoned) return;
  app.set({ message: messageOf(error) });
}
