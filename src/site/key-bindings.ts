import { own } from '../core/own.js';
import { app, clock, durationOf } from './app-state.js';
import { seek, stepEvent, togglePlay, zoom } from './player.js';

/** What each key does, for the list of them too. */
export const KEYS: readonly (readonly [key: string, action: string])[] = [
  ['Space', 'play or pause'],
  ['n', 'next event'],
  ['p', 'previous event'],
  ['← →', 'back or on by a hundredth of the run'],
  ['Home End', 'beginning or end of the run'],
  ['z Z', 'charts closer around the time shown, or wider'],
  ['k', 'kill the chosen host, or revive it'],
  ['s', 'make the chosen host slow, or as fast as before'],
  ['w W', 'more or less weight for the chosen host; + and − as well'],
  ['Esc', 'choose no host'],
];

/** What keys change in the scenario. */
interface Levers {
  killChosen(): void;
  slowChosen(): void;
  weighChosen(direction: 1 | -1): void;
}

/** By key. */
const ACTIONS: Readonly<Record<string, (durationS: number, levers: Levers | undefined) => void>> = {
  ' ': togglePlay,
  n: () => stepEvent(1),
  p: () => stepEvent(-1),
  ArrowRight: (durationS) => seek(clock.now.t + durationS / 100),
  ArrowLeft: (durationS) => seek(clock.now.t - durationS / 100),
  Home: () => seek(0),
  End: seek,
  z: () => zoom('in'),
  Z: () => zoom('out'),
  k: (_, levers) => levers?.killChosen(),
  s: (_, levers) => levers?.slowChosen(),
  w: (_, levers) => levers?.weighChosen(1),
  W: (_, levers) => levers?.weighChosen(-1),
  Escape: () => app.set({ host: undefined, message: '' }),
  '+': (_, levers) => levers?.weighChosen(1),
  '-': (_, levers) => levers?.weighChosen(-1),
};

/**
 * Keys work wherever they would not type or press something else.
 *
 * @param levers absent on a page that changes nothing.
 */
export function bindKeys(levers?: Levers): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
    const act = own(ACTIONS, event.key);
    if (act === undefined || app.now.run === undefined) return;
    act(durationOf(app.now), levers);
    event.preventDefault();
  });
}

const OWN_KEYS = 'input, textarea, select, [contenteditable="true"], [role="tab"], dialog, .menu';

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OWN_KEYS) !== null) return true;
  return key === ' ' && target.closest('button, summary, a, [role="button"]') !== null;
}
