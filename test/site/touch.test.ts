import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { draggedWeight, steppedWeight } from '../../src/site/view/host-drag.js';
import { hasChromium } from '../support/chromium.js';
import { choose, download, Playground, write } from './playground.js';

const THREE = `name: three
clusters: [{name: web, connect_timeout: 1s, lb_policy: ROUND_ROBIN}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80]}
behavior: [{hosts: {}, service_time: 10ms}]
workloads: [{cluster: web, arrivals: 100/s, stop: 10s}]
`;

describe('a weight', () => {
  it('grows upwards, shrinks downwards and is never below 1', () => {
    expect([0, 42, 100, 1e6].map((up) => draggedWeight(1, up))).toEqual([1, 2, 5, 10_000]);
    expect([-42, -1e6].map((up) => draggedWeight(100, up))).toEqual([50, 1]);
  });

  it('goes by round steps under keys', () => {
    expect([1, 9, 10, 95, 100].map((weight) => steppedWeight(weight, 1))).toEqual([2, 10, 20, 105, 200]);
    expect([1, 2, 10, 20, 200].map((weight) => steppedWeight(weight, -1))).toEqual([1, 1, 9, 10, 100]);
  });
});

describe.runIf(hasChromium)('touching the picture', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  async function open(text: string): Promise<Page> {
    const page = await playground.open();
    await write(page, text);
    await page
      .locator('.facts')
      .filter({ hasText: `${/name: (\w+)/.exec(text)?.[1] ?? ''} · ` })
      .waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Home');
    return page;
  }

  it('drags a host to another weight: the prediction goes along, the run follows, one line is left', async () => {
    const page = await open(THREE);
    const circle = page.locator('.flow .host circle').first();
    const { x, y, width, height } = (await circle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++) await page.mouse.move(x + width / 2, y + height / 2 - 6 * step);
    await page.locator('.flow .host').first().filter({ hasText: '60.0 % · w 3' }).waitFor();
    await page.mouse.up();
    expect(await page.locator('.change pre').textContent()).toMatch(
      /^\+ +- \{at: [\d.]+s, set_weight: \{hosts: 10\.0\.0\.1:80, weight: 3\}\}$/m,
    );
    expect(await download(page, 'yaml')).toMatch(/weight: 3\}\}\n$/);
    // The run has replaced the prediction.
    await page.locator('.change').waitFor();
    await page.locator('.flow .ahead').waitFor({ state: 'detached' });
    expect(await page.locator('.flow .host').first().textContent()).toMatch(/(?:59|60)\.\d % · w 3/);
    expect(await page.locator('.flow .host[data-chosen="true"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await download(page, 'yaml')).toBe(THREE);
  });

  it('kills, revives and weighs the chosen host by keys, and says so where none is chosen', async () => {
    const page = await open(THREE);
    await page.keyboard.press('k');
    await page.getByRole('alert').filter({ hasText: 'Choose a host first' }).waitFor();
    await page.locator('.flow .host').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.locator('.menu').filter({ hasText: '10.0.0.2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('+');
    await page.keyboard.press('w');
    await page.locator('.flow .host').nth(1).filter({ hasText: '60.0 % · w 3' }).waitFor();
    expect((await page.locator('.change pre').textContent())?.match(/set_weight/g)).toHaveLength(1);
    await page.keyboard.press('k');
    await page.locator('.change').filter({ hasText: 'fail: 10.0.0.2:80' }).waitFor();
    await page.locator('.flow .host[data-health="unhealthy"]').waitFor();
    await page.keyboard.press('k');
    await page.locator('.change').filter({ hasText: 'recover: 10.0.0.2:80' }).waitFor();
    await page.keyboard.press('s');
    await page.locator('.flow .host[data-is="slow"]').filter({ hasText: '10.0.0.2' }).waitFor();
    await page.keyboard.press('s');
    await page.locator('.flow .host[data-is="slow"]').waitFor({ state: 'detached' });
  });

  it('moves the panic threshold by a slider, and predicts a hundred hosts on the way', async () => {
    const hosts = Array.from(
      { length: 100 },
      (_, index) => `{address: 10.0.0.${index}:80, health: ${index < 60 ? 'UNHEALTHY' : 'HEALTHY'}}`,
    );
    const page = await open(THREE.replace(/web: \[.*/, `web: [${hosts.join(', ')}]}`).replace('three', 'hundred'));
    await page.locator('.flow .node[data-kind="priority"]').click();
    const slider = page.getByLabel('Panic below');
    expect(await slider.inputValue()).toBe('50');
    await slider.focus();
    for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowLeft');
    await page.locator('.change').filter({ hasText: 'healthy_panic_threshold: {value: 38}' }).waitFor();
    await page.locator('.change').filter({ hasText: 'Worked out in' }).waitFor();
    const took = /Worked out in (\d+) ms/.exec((await page.locator('.change').textContent()) ?? '')?.[1];
    console.info(`exact prediction of 100 hosts, from the key to the picture: ${took ?? '?'} ms`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep' }).click();
    expect(await page.locator('.change').count()).toBe(0);
    expect(await download(page, 'yaml')).toContain('healthy_panic_threshold: {value: 38}');
  });

  it('moves nothing: the flow stands still under kill, drag, choice and comparison', async () => {
    const page = await open(THREE);
    await page.setViewportSize({ width: 1440, height: 757 });
    const flow = page.locator('.flow').first();
    const place = async (): Promise<unknown> => {
      const { x, y } = (await flow.boundingBox()) ?? {};
      return { x, y, scrolled: await page.evaluate('scrollY') };
    };
    const before = await place();
    const places: [string, unknown][] = [];
    const look = async (after: string): Promise<unknown> => places.push([after, await place()]);
    await page.locator('.flow .host').nth(1).click();
    await look('choose');
    await page.locator('.menu').getByRole('button', { name: 'Kill', exact: true }).click();
    await page.locator('.flow .host[data-is="dead"]').waitFor();
    await look('kill');
    await page.locator('.flow .ahead').waitFor({ state: 'detached' });
    await look('run');
    await page.locator('.change summary').click();
    await look('lines');
    await page.locator('.change summary').click();
    const { x = 0, y = 0 } = (await page.locator('.flow .host circle').first().boundingBox()) ?? {};
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    await page.mouse.move(x + 4, y - 60, { steps: 6 });
    await look('drag');
    await page.mouse.up();
    await page.locator('.change').filter({ hasText: 'set_weight' }).waitFor();
    await choose(page, 'Compare', 'as it was before my changes');
    await page.locator('.side-head').nth(1).waitFor();
    await look('compare');
    await page.locator('.difference').waitFor();
    await look('difference');
    await page.getByRole('button', { name: 'Go on with A' }).click();
    await look('go on');
    await choose(page, page.locator('.flow .node[data-kind="clients"]'), 'Load 5×');
    await page.locator('.change').filter({ hasText: 'set_rate' }).waitFor();
    await look('load');
    expect(places).toEqual(places.map(([after]) => [after, before]));
  });
});
