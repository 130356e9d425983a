import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** Pictures of pages, an eighth of their size: how letters are smoothed is averaged out, what is missing is not. */

const FOLDER = join(import.meta.dirname, 'golden');
const REDUCED = 8;
/** Levels of a colour: fewer make smaller files. */
const LEVELS = 16;
/** Of a colour, 0–1, as pixelmatch takes it. */
const COLOUR_TOLERANCE = 0.1;
/**
 * Part of the pixels that may differ. Other ways to smooth letters change up to 0.0003 of them, the smallest panel that is
 * gone 0.0017.
 */
export const TOLERANCE = 0.001;
/** Of the height, in pixels of the picture. */
const MOST_HIGHER = 1;

/** `compare` or `record`. */
const ASKED = process.env['PICTURES'] !== undefined;

/** The font of Debian, whatever else the machine has, and nothing that differs from run to run. */
const STEADY = `
  * { font-family: 'DejaVu Sans' !important; caret-color: transparent !important; }
  pre, code, .cm-scroller, .cm-scroller * { font-family: 'DejaVu Sans Mono' !important; }
  .transport { position: static !important; }`;

/** The whole page as it is. */
export async function pictureOfPage(page: Page): Promise<PNG> {
  await page.addStyleTag({ content: STEADY });
  await page.evaluate(`(() => {
    for (const one of document.querySelectorAll('.facts')) one.textContent = one.textContent.replace(/simulated in [^·]*ms/, 'simulated');
    for (const one of document.querySelectorAll('.change .sum')) one.textContent = one.textContent.replace(/Worked out in .* ms/, 'Worked out');
  })()`);
  // Charts are drawn anew some frames after a change of size.
  await page.evaluate(`(async () => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
  })()`);
  return reduced(PNG.sync.read(await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })));
}

/** The page once it does not change any more. */
async function steadyPicture(page: Page): Promise<PNG> {
  let before = await pictureOfPage(page);
  for (;;) {
    const next = await pictureOfPage(page);
    if (next.data.equals(before.data)) return next;
    before = next;
  }
}

/** Means of squares. */
function reduced(picture: PNG): PNG {
  const small = new PNG({ width: Math.floor(picture.width / REDUCED), height: Math.floor(picture.height / REDUCED) });
  const step = 255 / (LEVELS - 1);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let place = 0; place < REDUCED * REDUCED; place++) {
          const row = y * REDUCED + Math.floor(place / REDUCED);
          sum += picture.data[(row * picture.width + x * REDUCED + (place % REDUCED)) * 4 + channel] ?? 0;
        }
        small.data[(y * small.width + x) * 4 + channel] = Math.round(Math.round(sum / REDUCED ** 2 / step) * step);
      }
    }
  }
  return small;
}

/** Part of the pixels in which they differ, over the height that both have; 1: their sizes have nothing in common. */
export function difference(one: PNG, other: PNG, drawn?: PNG): number {
  const { width } = one;
  const height = Math.min(one.height, other.height);
  if (other.width !== width || Math.abs(one.height - other.height) > MOST_HIGHER) return 1;
  const pixels = pixelmatch(top(one, height), top(other, height), drawn && top(drawn, height), width, height, {
    threshold: COLOUR_TOLERANCE,
    includeAA: true,
  });
  return pixels / (width * height);
}

function top({ data, width }: PNG, height: number): Buffer {
  return data.subarray(0, width * height * 4);
}

/**
 * Holds a page against its picture in golden/, where PICTURES asks for it: another version of Chromium draws another picture.
 * `PICTURES=record npx vitest run test/site/golden.test.ts` makes them anew.
 *
 * @returns what is wrong; undefined: it looks as it did, or nobody asks.
 */
export async function lookAt(page: Page, name: string): Promise<string | undefined> {
  if (!ASKED) return undefined;
  const file = join(FOLDER, `${name}.png`);
  const golden = existsSync(file) ? PNG.sync.read(readFileSync(file)) : undefined;
  if (golden !== undefined && difference(await pictureOfPage(page), golden) <= TOLERANCE) return undefined;
  // It may not have been ready.
  const shown = await steadyPicture(page);
  const bytes = PNG.sync.write(shown, { colorType: 2, deflateLevel: 9 });
  if (process.env['PICTURES'] === 'record') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, bytes);
    return undefined;
  }
  if (golden === undefined)
    return `there is no ${file}: PICTURES=record npx vitest run test/site/golden.test.ts makes it`;
  const drawn = new PNG({ width: shown.width, height: shown.height });
  const part = difference(shown, golden, drawn);
  if (part <= TOLERANCE) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'lbsim-pictures-'));
  writeFileSync(join(folder, `${name}.png`), bytes);
  writeFileSync(join(folder, `${name}-difference.png`), PNG.sync.write(drawn));
  return `${name} differs in ${(part * 100).toFixed(1)} % of its pixels from ${file}: look at ${folder}; if it is meant, PICTURES=record npx vitest run test/site/golden.test.ts`;
}

/** Whether the machine has the font of the pictures: without it lines break elsewhere. */
export function hasFont(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    const widthIn = (font) => { context.font = '40px ' + font; return context.measureText('lbsim playground').width; };
    return ["'DejaVu Sans'", "'DejaVu Sans Mono'"].every((font) => ['serif', 'cursive'].some(
      (other) => widthIn(font + ', ' + other) !== widthIn("'no such font', " + other)));
  })()`);
}
