import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/chromium.js';
import { findings, paste, Playground } from './playground.js';

const folder = join(import.meta.dirname, '../../docs/observe');
const file = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');

describe.runIf(hasChromium)('what hosts were seen to get', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  it('stands beside what is configured: as files with it, or pasted one after the other', async () => {
    const page = await playground.open();
    const answer = page
      .locator('.headline')
      .filter({ hasText: '10.0.0.7:8080 gets 3.2 % where 10 % are expected: most likely' });
    const row = page.getByRole('row').filter({ hasText: '10.0.0.7:8080' });
    await page.getByRole('button', { name: 'Paste yours' }).click();
    await page.locator('#paste input').setInputFiles(['web.yaml', 'before.txt', 'after.txt'].map(file));
    await answer.waitFor();
    expect(await row.textContent()).toBe('10.0.0.7:808010.0 %▼ 3.2 % fewer9.9–10.1 %');
    expect(await findings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove' }).click();
    await answer.waitFor({ state: 'detached' });
    await paste(page, text('web.yaml'));
    for (const name of ['before.txt', 'after.txt']) {
      await page.getByRole('button', { name: 'Paste yours' }).click();
      await page.getByLabel('Text', { exact: true }).fill(text(name));
      await page.getByRole('button', { name: 'Compare with what is open' }).click();
    }
    await answer.waitFor();
    expect(await page.getByText('Seen in pasted 1, pasted 2').count()).toBe(1);
  });
});
