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
  ['+ −', 'more or less weight for the chosen host'],
];

/** What keys change in the scenario. */
interface Levers {
  killChosen(): void;
  weighChosen(direction: 1 | -1): void;
}

/**
 * Keys work wherever they would not type or press something else.
 *
 * @param levers absent on a page that changes nothing.
 */
export function bindKeys(levers?: Levers): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
    const { run } = app.now;
    if (run === undefined) return;
    const durationS = durationOf(app.now);
    const stride = durationS / 100;
    switch (event.key) {
      case ' ':
        togglePlay();
        break;
      case 'n':
        stepEvent(1);
        break;
      case 'p':
        stepEvent(-1);
        break;
      case 'ArrowRight':
        seek(clock.now.t + stride);
        break;
      case 'ArrowLeft':
        seek(clock.now.t - stride);
        break;
      case 'Home':
        seek(0);
        break;
      case 'End':
        seek(durationS);
        break;
      case 'z':
      case 'Z':
        zoom(event.key === 'z' ? 'in' : 'out');
        break;
      case 'k':
        levers?.killChosen();
        break;
      case '+':
      case '-':
        levers?.weighChosen(event.key === '+' ? 1 : -1);
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}

const OWN_KEYS = 'input, textarea, select, [contenteditable="true"], [role="tab"], dialog';

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OWN_KEYS) !== null) return true;
  return key === ' ' && target.closest('button, summary, a, [role="button"]') !== null;
}
