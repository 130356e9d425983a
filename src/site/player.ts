import { app, clock, durationOf } from './app-state.js';
import type { RunPicture } from './engine/picture.js';

/** Virtual time of the page: play, pause, seek, step. */

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

/** Times of events, in order, each once. */
export function momentsOf(runs: readonly RunPicture[]): readonly number[] {
  const times = runs.flatMap(({ events, clusters }) => [
    ...events.map((event) => event.t_s),
    ...clusters.flatMap(({ phases }) => phases.map(({ fromS }) => fromS)),
  ]);
  return [...new Set(times)].sort((a, b) => a - b);
}

/** To the next event, or back to the one before. */
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
