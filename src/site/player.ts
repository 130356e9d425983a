import { app, clock, durationOf } from './app-state.js';
import type { RunPicture } from './engine/draw-picture.js';
import { own } from '../core/values.js';

let frame: number | undefined;
let lastMs = 0;

function step(nowMs: number): void {
  frame = undefined;
  const { run, playing, speed } = app.now;
  if (!playing || run === undefined) return;
  const durationS = durationOf(app.now);
  const t = clock.now.t + (Math.min(nowMs - lastMs, 100) / 1000) * speed;
  lastMs = nowMs;
  if (t >= durationS) {
    clock.set({ t: durationS });
    app.set({ playing: false });
    return;
  }
  clock.set({ t });
  frame = requestAnimationFrame(step);
}

app.subscribe(() => {
  if (!app.now.playing || app.now.run === undefined || frame !== undefined) return;
  lastMs = performance.now();
  frame = requestAnimationFrame(step);
});

export function togglePlay(): void {
  const { playing, run } = app.now;
  if (!playing && run !== undefined && clock.now.t >= durationOf(app.now)) clock.set({ t: 0 });
  app.set({ playing: !playing });
}

export function seek(t: number): void {
  clock.set({ t: Math.min(Math.max(t, 0), durationOf(app.now)) });
}

/** Duration of a run at the initial speed. */
const SHOW_S = 24;
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** The speed at which a run is over after a while, whatever its length. */
export const initialSpeed = (durationS: number): number =>
  SPEEDS.find((speed) => durationS / speed <= SHOW_S) ?? durationS / SHOW_S;

/** The shortest part of a run that is drawn. */
const LEAST_ZOOM = 1 / 2000;

export function zoom(direction: 'in' | 'out'): void {
  const whole = durationOf(app.now);
  const [from, to] = app.now.zoom ?? [0, whole];
  const length = Math.max((to - from) * (direction === 'in' ? 0.5 : 2), whole * LEAST_ZOOM);
  const start = Math.min(Math.max(0, clock.now.t - length / 2), whole - length);
  app.set({ zoom: length < whole ? [start, start + length] : undefined });
}

/** Times of events, in order, each once. */
export function momentsOf(runs: readonly RunPicture[]): readonly number[] {
  const times = runs.flatMap(({ events, clusters }) => [
    ...events.map((event) => event.t_s),
    ...clusters.flatMap(({ phases }) => phases.map(({ fromS }) => fromS)),
  ]);
  return [...new Set(times)].sort((a, b) => a - b);
}

export function stepEvent(direction: 1 | -1): void {
  const { run, pinned } = app.now;
  if (run === undefined) return;
  app.set({ playing: false });
  const { t } = clock.now;
  const moments = momentsOf([run, ...(pinned === undefined ? [] : [pinned.run])]);
  const next =
    direction === 1 ? moments.find((moment) => moment > t + 1e-9) : moments.findLast((moment) => moment < t - 1e-9);
  seek(next ?? (direction === 1 ? durationOf(app.now) : 0));
}

/** What keys do; index.html lists them for readers. */
type Actions = Readonly<Record<string, (durationS: number) => void>>;

const ACTIONS: Actions = {
  ' ': togglePlay,
  n: () => stepEvent(1),
  p: () => stepEvent(-1),
  ArrowRight: (durationS) => seek(clock.now.t + durationS / 100),
  ArrowLeft: (durationS) => seek(clock.now.t - durationS / 100),
  Home: () => seek(0),
  End: seek,
  z: () => zoom('in'),
  Z: () => zoom('out'),
  Escape: () => app.set({ host: undefined, message: '' }),
};

/** Keys work where they would not type or press something else. @param levers those of the page that changes the scenario. */
export function bindKeys(levers: Actions = {}): void {
  const actions = { ...ACTIONS, ...levers };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
    const act = own(actions, event.key);
    if (act === undefined || app.now.run === undefined) return;
    act(durationOf(app.now));
    event.preventDefault();
  });
}

const OWN_KEYS = 'input, textarea, select, [contenteditable="true"], [role="tab"], dialog, .menu';

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OWN_KEYS) !== null) return true;
  return key === ' ' && target.closest('button, summary, a, [role="button"]') !== null;
}
