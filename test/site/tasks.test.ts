import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toFragment } from '../../src/site/link.js';
import { hasChromium } from '../support/chromium.js';
import { choose, download, fitsItsWidth, Playground, shownTime, write } from './playground.js';

const ZONES = `name: zones
clusters: [{name: web, connect_timeout: 1s, lb_policy: ROUND_ROBIN}]
endpoints: {web: [{address: 10.0.0.1:80, count: 2, zone: a}, {address: 10.0.1.1:80, count: 2, zone: b}]}
behavior: [{hosts: {}, service_time: 5ms}]
workloads: [{name: users, cluster: web, arrivals: 100/s, stop: 10s}]
timeline:
  - {at: 4s, note: half way}
`;

/** Chooses from a menu by keys alone: Enter opens it, and arrows go from one to the next. */
async function chooseByKeys(opener: Locator, item: string): Promise<void> {
  const { keyboard } = opener.page();
  await opener.focus();
  await keyboard.press('Enter');
  const buttons = opener.page().locator('.menu button');
  await buttons.first().waitFor();
  const names = await buttons.evaluateAll((list) =>
    list.map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  const place = names.indexOf(item);
  expect(names).toContain(item);
  for (let step = 0; step < place; step++) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
}

/** A drag by the mouse, from and to parts of an element's box. */
async function drag(place: Locator, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await place.scrollIntoViewIfNeeded();
  const box = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const { mouse } = place.page();
  const at = ([x, y]: readonly [number, number]): [number, number] => [box.x + x * box.width, box.y + y * box.height];
  await mouse.move(...at(from));
  await mouse.down();
  await mouse.move(...at(to), { steps: 6 });
  await mouse.up();
}

describe.runIf(hasChromium)('each task', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  async function open(text = ZONES, at = 0): Promise<Page> {
    const files = [{ file: 'mine.yaml', text }];
    const page = await playground.open(await toFragment({ files, overrides: {}, at }));
    await page.locator('.flow .host, .flow .field').first().waitFor();
    return page;
  }

  it('of levers, by keys: kill a zone, revive it, another policy, load, keep and undo', async () => {
    const page = await open();
    const change = page.locator('.change pre');
    const node = (kind: string): Locator => page.locator(`.flow .node[data-kind="${kind}"]`).last();
    await chooseByKeys(node('zone'), 'Kill');
    await change.filter({ hasText: 'fail: {cluster: web, zone: b}' }).waitFor({ state: 'attached' });
    await page.locator('.flow .host[data-is="dead"]').nth(1).waitFor();
    await chooseByKeys(page.locator('.flow .host').last(), 'Revive zone b');
    await change.filter({ hasText: 'recover: {cluster: web, zone: b}' }).waitFor({ state: 'attached' });
    await chooseByKeys(node('clients'), 'Load 10×');
    await change.filter({ hasText: 'set_rate: {workload: users, rate: 1000/s}' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Keep' }).focus();
    await page.keyboard.press('Enter');
    expect(await change.count()).toBe(0);
    await chooseByKeys(node('proxies'), 'MAGLEV');
    await change.filter({ hasText: 'lb_policy:' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    const text = await download(page, 'yaml');
    expect(text).toContain('set_rate');
    expect(text).toContain('lb_policy: ROUND_ROBIN');
  });

  it('of levers, by mouse: kill a place named by more than its zone, whose line is long', async () => {
    const far = `far/${'x'.repeat(300)}`;
    const page = await open(ZONES.replace('zone: b', `locality: {region: ${far}, zone: b}`));
    await choose(page, page.locator('.flow .node[data-kind="zone"]').last(), 'Kill');
    await page.locator('.flow .host[data-health="unhealthy"]').nth(1).waitFor();
    expect(await page.locator('.change pre').textContent()).toContain(`locality: {region: "${far}", zone: b}}, status`);
    expect(await fitsItsWidth(page)).toBe(true);
  });

  it('of levers, by mouse: kill a zone, slow a host, the panic threshold', async () => {
    const page = await open();
    await choose(page, page.locator('.flow .host').last(), 'Kill zone b');
    await page.locator('.flow .host[data-health="unhealthy"]').nth(1).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await choose(page, page.locator('.flow .host').first(), 'Slow');
    await page.locator('.flow .host[data-is="slow"]').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.flow .node[data-kind="priority"]').click();
    await drag(page.getByLabel('Panic below'), [0.5, 0.5], [0.8, 0.5]);
    await page
      .locator('.change')
      .filter({ hasText: /healthy_panic_threshold: \{value: (?:7|8)\d\}/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep' }).click();
    expect(await page.locator('.change').count()).toBe(0);
  });

  it('of levers, by mouse and keys: who is believed dead is revived, and who was made slow is as fast as before', async () => {
    const page = await open(`${ZONES}  - {at: 2s, set_health: {hosts: 10.0.0.2, status: UNHEALTHY}}\n`, 3);
    const line = page.locator('.change pre');
    const first = page.locator('.flow .host').first();
    const second = page.locator('.flow .host').nth(1);
    await second.focus();
    await page.keyboard.press('Enter');
    await page.locator('.menu').getByRole('button', { name: 'Revive', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.flow .host:focus').waitFor();
    await page.keyboard.press('k');
    await line.filter({ hasText: '{at: 3s, recover: 10.0.0.2:80}' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await choose(page, second, 'Revive');
    await line.filter({ hasText: '{at: 3s, recover: 10.0.0.2:80}' }).waitFor({ state: 'attached' });
    await choose(page, first, 'Slow');
    await line.filter({ hasText: 'service_time: 100ms' }).waitFor({ state: 'attached' });
    await page.locator('.flow .host[data-is="slow"]').waitFor();
    await choose(page, first, 'As fast as before');
    await line.filter({ hasNotText: 'service_time' }).waitFor({ state: 'attached' });
    expect(await line.textContent()).toContain('recover: 10.0.0.2:80');
    expect(await page.locator('.flow .host[data-is="slow"]').count()).toBe(0);
  });

  it('of menus: a click on the button of another opens that one', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.locator('.menu').getByText('with another policy').waitFor();
    await choose(page, 'Share', 'Copy a link');
    await page.locator('.said').filter({ hasText: 'The link is' }).waitFor();
  });

  it('of one host among a hundred, by mouse and by keys', async () => {
    const page = await open(ZONES.replaceAll('count: 2', 'count: 50'));
    const field = page.locator('.flow .field').first();
    await field.scrollIntoViewIfNeeded();
    const { x, y } = (await field.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 4, y + 18);
    await page.mouse.down();
    await page.mouse.move(x + 4, y - 80, { steps: 8 });
    await page.mouse.up();
    const change = page.locator('.change pre');
    const line = (pattern: RegExp): Promise<void> => change.filter({ hasText: pattern }).waitFor({ state: 'attached' });
    await line(/set_weight: \{hosts: 10\.0\.0\.1:80, weight: [3-9]\}/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await change.waitFor({ state: 'detached' });
    await field.click({ position: { x: 40, y: 18 } });
    await page.locator('.menu').filter({ hasText: '10.0.0.5:80' }).waitFor();
    await page.keyboard.press('Escape');
    await field.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('+');
    await line(/set_weight: \{hosts: 10\.0\.0\.6:80, weight: 2\}/);
    // The hosts behind a sum.
    const group = page.getByRole('button', { name: /zone b: 50 hosts/ });
    await group.click();
    await page.getByRole('row', { name: /10\.0\.1\.1 / }).waitFor();
    await page.keyboard.press('Enter');
    expect(await group.getAttribute('aria-expanded')).toBe('false');
  });

  it('of time, by mouse: play, speed, seek, zoom', async () => {
    const page = await open();
    await page.getByLabel('Speed').selectOption('0.05');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await drag(page.locator('.seek'), [0.1, 0.5], [0.75, 0.5]);
    expect(await shownTime(page)).toMatch(/^7\.\d/);
    await drag(page.locator('.chart .u-over').nth(1), [0.2, 0.5], [0.6, 0.5]);
    await page.getByRole('button', { name: 'Show the whole run' }).click();
    expect(await page.locator('.unzoom').count()).toBe(0);
  });

  it('of time, by keys: zoom, speed, seek', async () => {
    const page = await open();
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await page.locator('.unzoom').waitFor();
    // A quarter of the run, around the event at 4 s.
    expect(await page.locator('.lanes .mark').count()).toBe(1);
    await page.keyboard.press('Z');
    await page.keyboard.press('Z');
    expect(await page.locator('.unzoom').count()).toBe(0);
    await page.getByLabel('Time', { exact: true }).focus();
    await page.keyboard.press('End');
    expect(await shownTime(page)).toBe('10.00 s');
    await page.getByLabel('Speed').focus();
    await page.keyboard.press('ArrowUp');
    expect(await page.getByLabel('Speed').inputValue()).not.toBe('0.5');
  });

  it('of passing on, by keys: a link to a copy of one’s own, and the files', async () => {
    const page = await open();
    const received = page.url();
    await write(page, ZONES.replace('100/s', '200/s'));
    await page
      .locator('.facts')
      .filter({ hasText: /2.\d\d\d requests/ })
      .waitFor();
    await chooseByKeys(page.getByRole('button', { name: 'Share' }), 'Copy a link');
    await page.locator('.said').filter({ hasText: 'link' }).waitFor();
    expect(page.url()).not.toBe(received);
    const copy = await playground.open(new URL(page.url()).hash);
    expect(await download(copy, 'yaml')).toContain('200/s');
    for (const [item, name] of [
      ['Scenario (YAML)', 'mine.yaml'],
      ['SVG', 'mine.svg'],
      ['PNG', 'mine.png'],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        chooseByKeys(page.getByRole('button', { name: 'Share' }), item),
      ]);
      expect(file.suggestedFilename()).toBe(name);
    }
  });

  it('of comparing, by keys; the link holds both', async () => {
    const page = await open();
    await chooseByKeys(page.getByRole('button', { name: 'Compare' }), 'LEAST_REQUEST');
    await page.locator('.side-head').nth(1).filter({ hasText: 'LEAST_REQUEST' }).waitFor();
    await page.locator('.difference').waitFor();
    const says = await page.locator('.headline').innerText();
    await choose(page, 'Share', 'Copy a link');
    await page.locator('.said').filter({ hasText: 'link' }).waitFor();
    const fragment = new URL(page.url()).hash;
    const other = await playground.open(fragment);
    await other.locator('.side-head').nth(1).filter({ hasText: 'LEAST_REQUEST' }).waitFor();
    expect(await other.locator('.side-head').first().innerText()).toContain('ROUND_ROBIN');
    await other.locator('.headline').filter({ hasText: says }).waitFor();
    await other.getByRole('button', { name: 'Go on with A' }).click();
    expect(await download(other, 'yaml')).toBe(ZONES);
  });

  it('of opening: typed, pasted at length, dropped', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Paste yours' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Text', { exact: true }).focus();
    await page.keyboard.insertText(ZONES.replace('name: zones', 'name: typed'));
    await page.getByRole('button', { name: 'Look at it' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.facts').filter({ hasText: 'typed · ' }).waitFor();
    await page.getByRole('button', { name: 'Paste yours' }).click();
    const long = `${ZONES.replace('name: zones', 'name: long')}${'# a long comment\n'.repeat(20_000)}`;
    const field = page.getByLabel('Text', { exact: true });
    await field.fill('');
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', text);
      return transfer;
    }, long);
    await field.evaluate(
      (element, clipboardData) =>
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true })),
      data,
    );
    expect((await field.inputValue()).length).toBe(long.length);
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('.facts').filter({ hasText: 'long · ' }).waitFor();
    const files = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.yaml'));
      return transfer;
    }, ZONES);
    await page.locator('.answer').dispatchEvent('drop', { dataTransfer: files });
    await page.getByRole('heading', { name: 'dropped.yaml' }).waitFor();
  });

  it('of completion, by keys alone', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Scenario' }).focus();
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('clusters:\n  - name: a\n    lb_');
    await page.keyboard.press('Control+Space');
    const selected = page.locator('.cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel');
    await selected.filter({ hasText: 'lb_policy' }).waitFor();
    // The answer of a check comes, and leaves the list open.
    await page.locator('.cm-lintRange-error').waitFor();
    // For 75 ms by this clock keys are still those of the text.
    await page.clock.setSystemTime(Date.now() + 1_000);
    await page.keyboard.press('ArrowDown');
    const chosen = await selected.filter({ hasNotText: 'lb_policy' }).innerText();
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').filter({ hasText: chosen }).waitFor();
    // Its clock stays what it is.
    await page.context().close();
  });

  it('goes on while a run does: a text is read, and the run is stopped by keys', async () => {
    const page = await open();
    await write(page, ZONES.replace('100/s', '100000/s').replace('stop: 10s', 'stop: 1000s'));
    await page.getByRole('progressbar').waitFor();
    await write(page, ZONES.replace('name: zones', 'nam: zones'));
    await page.locator('.verdict').filter({ hasText: '✕' }).waitFor();
    // An error starts no other run: the long one goes on, and the page heard of the error meanwhile.
    expect(await page.getByRole('progressbar').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop the run' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.headline').filter({ hasText: 'Stopped at' }).waitFor();
  });

  it('a link to a policy’s module, or to A with one, opens as text and runs nothing', async () => {
    const evil = ZONES.replace('ROUND_ROBIN', './evil.mjs');
    const files = [{ file: 'mine.yaml', text: evil }];
    const page = await playground.open('#example=tiny-ring');
    await page.locator('.facts').filter({ hasText: 'tiny-ring' }).waitFor();
    await page.goto(playground.url + (await toFragment({ files, overrides: {}, at: 0 })));
    await page.getByLabel('Problems').filter({ hasText: './evil.mjs is not loaded' }).waitFor();
    const beside = { files, overrides: {} };
    await page.goto(
      playground.url + (await toFragment({ files: [{ file: 'b.yaml', text: ZONES }], overrides: {}, at: 0, beside })),
    );
    await page.getByRole('alert').filter({ hasText: 'A has errors and is left out' }).waitFor();
    await page.locator('.facts').filter({ hasText: 'zones · ' }).waitFor();
    expect(await page.locator('.side-head').count()).toBe(0);
  });
});
