import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lbsim } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { findings, openExample, paste, Playground } from './playground.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const TROUBLE = `name: trouble
clusters:
  - name: web
    connect_timeout: 1s
    lb_policy: MAGLEV
    common_lb_config: {update_merge_window: 3s}
    outlier_detection: {consecutive_5xx: 3, interval: 2s, base_ejection_time: 4s}
endpoints: {web: [{address: 10.0.0.1:80, count: 5}]}
workloads: [{cluster: web, arrivals: {constant: 100/s}, hash_key: {uniform: {keys: 100}}, stop: 20s}]
timeline:
  - {at: 3s, set_weight: {hosts: 10.0.0.2, weight: 2}}
  - {at: 4s, set_behavior: {hosts: 10.0.0.1, error_rate: 1}}
`;

describe.runIf(hasChromium)('the inside of a proxy at the time shown', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  it('follows the time, by keyboard alone', async () => {
    const page = await playground.open();
    await page.keyboard.press('Home');
    await page.getByRole('tab', { name: 'Split' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const inside = page.getByRole('tabpanel');
    await inside.filter({ hasText: 'priority 0 gets 100 %' }).waitFor();
    // Out of the list of tabs, whose arrows are its own; then event by event, and back.
    await page.keyboard.press('Tab');
    for (let event = 0; event < 3; event++) await page.keyboard.press('n');
    await inside.filter({ hasText: 'priority 1 gets 28 % ▲ panic' }).waitFor();
    expect(await inside.innerText()).toContain('1 of 5 healthy × 1.4 covers 28 %');
    for (let event = 0; event < 2; event++) await page.keyboard.press('p');
    await inside.filter({ hasText: 'priority 1 gets 0 %' }).waitFor();
  });

  it('shows where a key falls, as the command does', async () => {
    const page = await playground.open();
    await openExample(page, 'tiny-ring');
    await page.getByRole('combobox', { name: /^Cluster/ }).selectOption('ring-64');
    await page.getByRole('tab', { name: 'Inside' }).click();
    await page.getByLabel('Where does a key fall?').pressSequentially('user-17');
    const found = page.locator('.found').filter({ hasText: 'user-17' });
    await found.waitFor();
    const command = [
      'explain',
      join(scenarios, 'tiny-ring.yaml'),
      '--cluster',
      'ring-64',
      '--key',
      'user-17',
      '--json',
    ];
    const { host } = JSON.parse((await lbsim(command)).stdout) as { readonly host: { readonly address: string } };
    expect(await found.innerText()).toContain(`→ ${host.address}`);
    expect(await page.locator('.circle .needle').count()).toBe(1);
    // The story of that very request.
    await page.getByRole('tab', { name: 'Decision' }).click();
    await page.getByLabel('Hash key').fill('user-17');
    await page.keyboard.press('Enter');
    await page.locator('.story').filter({ hasText: host.address }).waitFor();
    await page.getByRole('spinbutton', { name: 'Request' }).fill('5');
    await page.keyboard.press('Enter');
    await page.locator('.story').filter({ hasText: 'request 5' }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'shows suspicion, waiting updates and limits, legible in %s',
    async (colorScheme) => {
      const page = await playground.open('', { colorScheme });
      await paste(page, TROUBLE);
      await page.locator('.facts').filter({ hasText: 'trouble · ' }).waitFor();
      await page.getByRole('tab', { name: 'Inside' }).click();
      await page.getByLabel('Time', { exact: true }).fill('250');
      const inside = page.getByRole('tabpanel');
      await inside.filter({ hasText: /balancers hear in [\d.]+ s/ }).waitFor();
      const text = await inside.innerText();
      expect(text).toContain('10.0.0.1:80 ejected');
      expect(text).toMatch(/1 out, at most \d/);
      expect(text).toMatch(/max_requests\s+0\s+1.024/);
      expect(await findings(page)).toEqual([]);
    },
  );

  it('gives way while somebody types, and survives a text that breaks', async () => {
    const page = await playground.open();
    await page.getByRole('tab', { name: 'Inside' }).click();
    await page.getByRole('tabpanel').filter({ hasText: 'Whose turn it is' }).waitFor();
    const text = readFileSync(join(scenarios, 'showcase.yaml'), 'utf8');
    await paste(page, text.replace('seed: 7', 'seed: ['));
    await page.locator('.verdict').filter({ hasText: 'error' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('tabpanel').filter({ hasText: 'The text has errors' }).waitFor();
  });
});
