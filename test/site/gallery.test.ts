import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildGallery } from '../../scripts/build-gallery.mjs';
import { hasChromium } from '../support/chromium.js';
import { EVIL, HOSTILE, isText } from './hostile.js';
import { findings, fitsItsWidth, Playground, shownTime } from './playground.js';

const scenarios = readdirSync(join(import.meta.dirname, '../../scenarios')).filter((file) => file.endsWith('.yaml'));

describe.runIf(hasChromium)('the gallery', () => {
  let playground: Playground;
  let folder: string;
  beforeAll(async () => {
    playground = await Playground.start();
    folder = playground.buildGallery([]);
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const addressOf = (name: string): string => pathToFileURL(join(folder, name)).href;

  it('has a page with a picture for every shipped scenario, and a card that leads to it', () => {
    const index = read('index.html');
    for (const file of scenarios) {
      const name = file.replace('.yaml', '');
      expect(index).toContain(`href="${name}.html"`);
      const page = read(`${name}.html`);
      expect(page).toMatch(/<svg[^>]*viewBox="0 0 700 /);
      expect(page).toContain(`../index.html#example=${name}`);
      // What is computed is never shown raw.
      expect(page).not.toMatch(/NaN|undefined|\[object/);
      // Nothing is timed.
      expect(page).not.toContain('simulated in');
    }
    expect(index.match(/class="card"/g)).toHaveLength(scenarios.length);
  });

  it('needs no script, and forbids every one', () => {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
      expect(read(file)).not.toContain('<script');
      expect(read(file)).toContain("content=\"default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:");
    }
  });

  it('shows hostile names as text', async () => {
    const hostile = join(folder, '../hostile');
    mkdirSync(hostile);
    const comment = `# "${EVIL}"\n#\n# Topic: ${EVIL}\n# ${EVIL}\n`;
    writeFileSync(join(hostile, 'evil.yaml'), comment + JSON.stringify(HOSTILE));
    await buildGallery(hostile, undefined, hostile);
    for (const name of ['index', 'evil']) {
      const page = await playground.visit(
        pathToFileURL(join(hostile, `${name}.html`)).href,
        new URL('.', playground.url).href,
      );
      expect(await page.locator('body').innerText()).toContain('</script><img');
      await isText(page);
      expect(await fitsItsWidth(page)).toBe(true);
    }
  });

  it('leads by mouse and by keyboard from a question to the playground, at the time of the picture', async () => {
    const page = await playground.visit(addressOf('index.html'), new URL('.', playground.url).href);
    await page.getByRole('link', { name: /What happens to a shop's checkout/ }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain("a shop's checkout");
    expect(await page.locator('.on-wide .panic').count()).toBe(2);
    expect(await page.locator('.on-narrow').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Open in the playground' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.facts').filter({ hasText: 'showcase' }).waitFor();
    expect(await shownTime(page)).toBe('45.0 s');
  });

  it('opens any scenario by its name; one that there is not is said', async () => {
    const page = await playground.open('#example=tiny-ring');
    await page.locator('.facts').filter({ hasText: 'tiny-ring · ' }).waitFor();
    const other = await playground.open('#example=<script>&at=x');
    expect(await other.getByRole('alert').innerText()).toContain('No scenario <script> is shipped');
    expect(await other.locator('.facts').innerText()).toContain('showcase');
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('can be read by all, %s and %i px wide', async (colorScheme, width) => {
    for (const name of ['index', 'showcase', 'fleet-over-zones']) {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const page = await playground.visit(addressOf(`${name}.html`), new URL('.', playground.url).href, options);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await findings(page)).toEqual([]);
    }
  });
});
