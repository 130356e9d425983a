import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lbsim } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { choose, download, findings, fitsItsWidth, Playground, shownTime, write } from './playground.js';

const UNEVEN = `name: uneven
clusters: [{name: web, connect_timeout: 1s, lb_policy: ROUND_ROBIN}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80]}
behavior:
  - {hosts: {}, service_time: 10ms}
  - {hosts: 10.0.0.1, service_time: 200ms}
workloads: [{cluster: web, arrivals: 100/s, stop: 10s}]
timeline: [{at: 4s, fail: 10.0.0.2}]
`;

describe.runIf(hasChromium)('two runs side by side', () => {
  let playground: Playground;
  let folder: string;
  beforeAll(async () => {
    playground = await Playground.start();
    folder = mkdtempSync(join(tmpdir(), 'lbsim-versus-'));
  });
  afterAll(async () => {
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  async function open(options: Parameters<Playground['open']>[1] = {}): Promise<Page> {
    const page = await playground.open('', options);
    await write(page, UNEVEN);
    await page.locator('.facts').filter({ hasText: 'uneven · ' }).waitFor();
    return page;
  }

  it('have their pictures on one clock, and the sentence of the command', async () => {
    const page = await open();
    await choose(page, 'Compare', 'LEAST_REQUEST');
    await page.locator('.side-head').nth(1).filter({ hasText: 'LEAST_REQUEST' }).waitFor();
    expect(await page.locator('.side-head').first().innerText()).toContain('ROUND_ROBIN');
    expect(await page.locator('.flow').count()).toBe(2);
    const answer = page.locator('.headline').filter({ hasNotText: 'Comparing' });
    await answer.waitFor();
    const file = join(folder, 'uneven.yaml');
    writeFileSync(file, UNEVEN);
    const { stdout } = await lbsim(['compare', file, '--set', 'clusters.web.lb_policy=LEAST_REQUEST', '--runs', '3']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(await answer.getAttribute('title'));
    const rows = await page.locator('.difference tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t')[0])).toEqual(expect.arrayContaining(['failed', 'p99']));
    // One clock: a click into A moves B, too.
    await page
      .locator('.lanes svg')
      .first()
      .click({ position: { x: 200, y: 10 } });
    expect(await shownTime(page)).toMatch(/^[56]\./);
    const places = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.sides .cursor')].map((line) => line.style.transform)`,
    );
    expect(new Set(places).size).toBe(1);
  });

  it('end with one of the two', async () => {
    const page = await open();
    await choose(page, 'Compare', 'MAGLEV');
    await page.locator('.side-head').nth(1).filter({ hasText: 'MAGLEV' }).waitFor();
    await page.getByRole('button', { name: 'Go on with A' }).click();
    expect(await page.locator('.side-head').count()).toBe(0);
    expect(await download(page, 'yaml')).toBe(UNEVEN);
    await choose(page, 'Compare', 'proxy 1.40');
    await page.locator('.side-head').nth(1).filter({ hasText: 'proxy 1.40' }).waitFor();
    await page.getByRole('button', { name: 'Go on with B' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.facts').filter({ hasText: 'proxy 1.40' }).waitFor();
  });

  it('show what is changed from now on, while one types', async () => {
    const page = await open();
    await choose(page, 'Compare', 'what I change from now on');
    await write(page, UNEVEN.replace('100/s', '200/s').replace('4s, fail', '4s, oops'));
    await page.locator('.verdict').filter({ hasText: 'error' }).waitFor();
    await write(page, UNEVEN.replace('stop: 10s', 'stop: 20s'));
    await page.locator('.facts').filter({ hasText: 'in 20' }).waitFor();
    // The longer of both is the length of the clock.
    expect(await page.locator('.transport .end').innerText()).toMatch(/^20\.\d s$/);
    await page.locator('.difference').waitFor();
  });

  it.each([
    ['light', 375],
    ['dark', 1400],
  ] as const)('can be read by all, %s and %i px wide', async (colorScheme, width) => {
    const page = await open({ colorScheme, viewport: { width, height: 900 } });
    await choose(page, 'Compare', 'RANDOM');
    await page.locator('.side-head').nth(1).filter({ hasText: 'RANDOM' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
  });
});
