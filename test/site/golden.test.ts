import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lbsim } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { difference, hasFont, lookAt, pictureOfPage, TOLERANCE } from './golden-images.js';
import { choose, findings, fitsItsWidth, Playground } from './playground.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
/** As it is named in reports: nothing of where the project lies. */
const showcase = relative(process.cwd(), join(scenarios, 'showcase.yaml'));
const WIDTHS = [375, 768, 1280, 1600];
const TWO = [375, 1280];
const THEMES = ['light', 'dark'] as const;

describe.runIf(hasChromium)('how pages look', () => {
  let playground: Playground;
  let folder: string;
  let knowsFont = true;
  beforeAll(async () => {
    playground = await Playground.start();
    playground.buildGallery(['showcase', 'tiny-ring', 'fleet-over-zones', 'aggregate-failover', 'canary-dead']);
    folder = mkdtempSync(join(tmpdir(), 'lbsim-golden-'));
    knowsFont = await hasFont(await playground.visit('about:blank', ''));
    await playground.rest();
    if (!knowsFont) console.warn('skipped: how pages look, since the fonts of DejaVu are missing');
  });
  afterAll(async () => {
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  /** A report as the command writes it, in the page of these sources. */
  async function report(name: string, argv: readonly string[]): Promise<string> {
    const file = join(folder, `${name}.html`);
    await lbsim([...argv, '--html', file]);
    const packed =
      /<script type="text\/plain" id="report">[\w-]+<\/script>/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
    writeFileSync(file, playground.read('report.html').replace('<!-- report -->', packed));
    return pathToFileURL(file).href;
  }

  async function openAt(address: string, time: string): Promise<Page> {
    const page = await playground.open('', {}, address);
    await page.getByLabel('Time', { exact: true }).fill(time);
    return page;
  }

  /** At all widths, in light and dark: as it was, nothing beside the screen, and readable. */
  async function lookAtAll(page: Page, name: string, widths: readonly number[]): Promise<void> {
    if (!knowsFont) return;
    const wrong: unknown[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        wrong.push(await lookAt(page, `${name}-${width}-${colorScheme}`));
      }
      // Contrast is of colours, places are of the width: each once is enough.
      if (width === 1280) await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      if (width === 375 || width === 1280) wrong.push(...((await findings(page)) as unknown[]));
      if (!(await fitsItsWidth(page))) wrong.push(`${name} is wider than ${width} px`);
    }
    expect(wrong.filter((one) => one !== undefined)).toEqual([]);
  }

  const PAGES: [name: string, open: () => Promise<Page>, widths: readonly number[]][] = [
    ['playground', () => openAt(playground.url, '700'), WIDTHS],
    [
      'inside',
      async () => {
        const page = await openAt(playground.url, '700');
        await page.getByRole('tab', { name: 'Inside' }).click();
        await page.getByRole('tabpanel').filter({ hasText: 'Whose turn it is' }).waitFor();
        return page;
      },
      TWO,
    ],
    [
      'fleet',
      async () => {
        const page = await playground.open('#example=fleet-over-zones');
        await page.locator('.facts').filter({ hasText: 'fleet-over-zones · ' }).waitFor();
        return page;
      },
      TWO,
    ],
    [
      'versus',
      async () => {
        const page = await openAt(playground.url, '700');
        await choose(page, 'Compare', 'MAGLEV');
        await page.locator('.side-head').nth(1).filter({ hasText: 'MAGLEV' }).waitFor();
        await page.locator('.difference').waitFor();
        return page;
      },
      TWO,
    ],
    [
      'paste',
      async () => {
        const page = await playground.open();
        await page.getByRole('button', { name: 'Paste yours' }).click();
        return page;
      },
      TWO,
    ],
    ['gallery', () => openGallery('index'), WIDTHS],
    ['gallery-page', () => openGallery('showcase'), TWO],
    ['report', async () => openAt(await report('run', ['run', showcase]), '700'), WIDTHS],
    [
      'report-compare',
      async () => openAt(await report('compare', ['compare', showcase, '--version-b', '1.40', '--runs', '2']), '700'),
      TWO,
    ],
  ];

  function openGallery(name: string): Promise<Page> {
    const folder = new URL('gallery/', playground.url).href;
    return playground.visit(new URL(`${name}.html`, folder).href, folder);
  }

  it.each(PAGES)('%s, light and dark, on small and large screens', async (name, open, widths) => {
    const page = await open();
    await lookAtAll(page, name, widths);
  });

  it.each(THEMES)('is noticed where a panel is gone, or lies upon another, in %s', async (colorScheme) => {
    const page = await openAt(playground.url, '700');
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const whole = await pictureOfPage(page);
    const without = async (style: string): Promise<number> => {
      await page.evaluate(`document.head.insertAdjacentHTML('beforeend', '<style id="harm">${style}</style>')`);
      const part = difference(await pictureOfPage(page), whole);
      await page.evaluate(`document.getElementById('harm').remove()`);
      return part;
    };
    expect(await without('')).toBeLessThan(TOLERANCE / 5);
    for (const panel of ['.details', '.answer', '.lanes']) {
      expect([panel, await without(`${panel} { visibility: hidden }`)]).toEqual([panel, expect.toSatisfy(isSeen)]);
    }
    expect(await without('.details { margin-left: -300px }')).toSatisfy(isSeen);
  });
});

const isSeen = (part: number): boolean => part > TOLERANCE;
