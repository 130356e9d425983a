import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { playgroundInOneFile } from '../../src/cli/output/page-files.js';
import { lbsim, Sink } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { HOSTILE, isText } from './hostile.js';
import { choose, download, findings, fitsItsWidth, paste, Playground, shownTime } from './playground.js';

describe.runIf(hasChromium)('away from the site', () => {
  let playground: Playground;
  let folder: string;
  let scenario: string;
  beforeAll(async () => {
    playground = await Playground.start();
    folder = mkdtempSync(join(tmpdir(), 'lbsim-elsewhere-'));
    scenario = join(folder, 'evil.yaml');
    writeFileSync(scenario, JSON.stringify(HOSTILE));
  });
  afterAll(async () => {
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  /** A report of the command, in the page of these sources. */
  async function open(name: string, argv: readonly string[]): Promise<Page> {
    const file = join(folder, `${name}.html`);
    const { code, stderr } = await lbsim([...argv, '--html', file]);
    expect([code, stderr]).toEqual([0, stderr]);
    const packed =
      /<script type="text\/plain" id="report">[\w-]+<\/script>/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
    const read = (part: string): string => playground.read(part);
    const page = argv.includes('--playable') ? playgroundInOneFile(read) : read('report.html');
    writeFileSync(file, page.replace('<!-- report -->', packed));
    return playground.open('', { viewport: { width: 1280, height: 900 } }, pathToFileURL(file).href);
  }

  async function isHarmless(page: Page): Promise<void> {
    await isText(page);
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await fitsItsWidth(page)).toBe(true);
    }
    expect(await findings(page)).toEqual([]);
  }

  it.each([
    ['run', []],
    ['predict', []],
    ['compare', ['--version-b', '1.40', '--runs', '2']],
    ['race', ['--policies', 'RANDOM,MAGLEV,LEAST_REQUEST', '--runs', '2']],
  ])('a report of %s is read, played and sought by mouse and by keys; its names are text', async (command, options) => {
    const page = await open(command, [command, scenario, ...options]);
    await isHarmless(page);
    await page.keyboard.press('Home');
    // A note is an event of a run alone.
    if (command !== 'predict') await page.keyboard.press('n');
    await page.keyboard.press('n');
    expect(await shownTime(page)).toMatch(/^2\.0/);
    await page.getByRole('button', { name: 'Previous event' }).click();
    await page
      .locator('.lanes svg')
      .first()
      .click({ position: { x: 300, y: 30 } });
    expect(await shownTime(page)).not.toMatch(/^[02]\.0/);
    expect(await page.locator('.side-head').count()).toBe(command === 'compare' ? 2 : 0);
    if (command === 'race') {
      await page.getByLabel('Shown below').selectOption({ index: 1 });
      await page.locator('.split-head').filter({ hasText: 'MAGLEV' }).waitFor();
    }
  });

  it('a playable report is the playground: it compares, and takes changes', async () => {
    const page = await open('play', ['run', scenario, '--playable']);
    await isHarmless(page);
    // It has no shipped scenarios.
    expect(await page.locator('.questions').count()).toBe(0);
    await choose(page, 'Compare', 'MAGLEV');
    await page.locator('.side-head').nth(1).filter({ hasText: 'MAGLEV' }).waitFor();
    await page.locator('.difference').waitFor();
    await page.getByRole('button', { name: 'Go on with A' }).click();
    await choose(page, page.locator('.flow .host').last(), 'Kill');
    await page.locator('.flow .host[data-health="unhealthy"]').first().waitFor();
    await isHarmless(page);
    // The table of v3 is in the file.
    await paste(page, JSON.stringify({ api: 'v3', ...HOSTILE, name: 'newer' }));
    await page.locator('.facts').filter({ hasText: 'newer · ' }).waitFor();
  });

  it('serve has the same page on loopback, which compares', async () => {
    let interrupt: () => void = () => undefined;
    const interrupted = new Promise<void>((resolve) => (interrupt = resolve));
    const stderr = new Sink();
    const ended = lbsim(['serve', scenario, '--port', '0', '--pace', 'max'], { stderr, interrupt: interrupted });
    const call = { isOver: false };
    void ended.then(() => (call.isOver = true));
    while (!stderr.text.includes('playground: http') && !call.isOver) await new Promise(setImmediate);
    const address = /playground: (http:\S+)/.exec(stderr.text)?.[1] ?? stderr.text;
    const page = await playground.open('', {}, address);
    await choose(page, 'Compare', 'MAGLEV');
    await page.locator('.side-head').nth(1).filter({ hasText: 'MAGLEV' }).waitFor();
    await page.locator('.difference').waitFor();
    await page.getByRole('button', { name: 'Go on with B' }).click();
    expect(await download(page, 'yaml')).toContain('MAGLEV');
    interrupt();
    await ended;
  });
});
