import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { toFragment } from '../../src/site/link.js';
import { lbsim } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { choose, download, paste, Playground, write } from './playground.js';

const folder = join(import.meta.dirname, '../../examples/policies');
const scenarioWith = (policy: string): string => `name: mine
clusters: [{name: web, connect_timeout: 1s, lb_policy: ${policy}}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: web, arrivals: 100/s, stop: 10s}]
`;
const FIRST = `export default { name: 'FIRST', kind: 'list', start: () => ({}), refresh() {}, choose: () => 0 };`;
/** A link to a scenario whose cluster has a policy of the link's own. */
const linkTo = (policy: string): Promise<string> =>
  toFragment({
    files: [
      { file: 'theirs.yaml', text: scenarioWith('./theirs.mjs') },
      { file: 'theirs.mjs', text: policy },
    ],
    overrides: {},
  });
const facts = (page: Page, name: string): Promise<void> => page.locator('.facts').filter({ hasText: name }).waitFor();

describe.runIf(hasChromium)('policies of one’s own in the playground', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  it('come with the scenario as files, and give what the command gives', async () => {
    const page = await playground.open();
    const files = ['sticky.mjs', 'sticky.yaml'].map((name) => join(folder, name));
    await page.locator('#paste input').setInputFiles(files);
    await facts(page, 'sticky · ');
    const { stdout } = await lbsim(['run', join(folder, 'sticky.yaml'), '--allow-code', '--json']);
    expect(await download(page, 'json')).toBe(stdout.replaceAll(join(folder, 'sticky.yaml'), 'sticky.yaml'));
    await page.getByRole('tab', { name: 'Inside' }).click();
    await page.getByRole('tabpanel').filter({ hasText: './sticky.mjs draws hosts' }).waitFor();
  });

  it('are pasted: the cluster that is shown has the policy, until that is undone', async () => {
    const page = await playground.open();
    await paste(page, scenarioWith('ROUND_ROBIN'));
    await facts(page, 'mine · ');
    await paste(page, FIRST);
    await page.locator('.split').filter({ hasText: '100.0 %' }).waitFor();
    await page.locator('.change-bar').filter({ hasText: 'pasted.mjs' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.split').filter({ hasNotText: '100.0 %' }).waitFor();
    await choose(page, 'Compare', './pasted.mjs');
    await page.locator('.headline').filter({ hasText: '10.0.0.1' }).waitFor();
  });

  it.each([
    ['a module that is none', 'export default {', /it cannot be loaded: SyntaxError/],
    ['a wrong shape', FIRST.replace('choose', 'chose'), /no policy: choose/],
  ])('%s is told where the scenario names it', async (_, module, said) => {
    const page = await playground.open('#example=tiny-ring');
    await paste(page, scenarioWith('./mine.mjs'));
    const problem = page.getByLabel('Problems').getByRole('button').first();
    await problem.filter({ hasText: './mine.mjs is not loaded' }).waitFor();
    await paste(page, module);
    await problem.filter({ hasText: said }).waitFor();
    expect(await problem.innerText()).toContain('error in line 2');
    await page.locator('.editor-head select').selectOption({ label: 'mine.mjs' });
    await write(page, FIRST);
    await facts(page, 'mine · ');
  });

  it('what goes wrong in a run is told in the words of the command', async () => {
    const page = await playground.open('#example=tiny-ring');
    await paste(page, FIRST.replace('=> 0', '=> 77'));
    await page
      .getByRole('alert')
      .filter({ hasText: /The policy failed: .*77/ })
      .waitFor();
  });

  it('of a link are shown, and run when the reader says so, without a connection', async () => {
    const seen: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      seen.push(url);
      response.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'text/javascript').end('');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tells = ['fetch', 'import'].map((way) => `await ${way}('${at}/${way}').catch(() => 0);`).join('\n');
    const nested = `new Worker(URL.createObjectURL(new Blob(['import("${at}/nested")'])));`;
    const page = await playground.open('#example=tiny-ring');
    await page.goto(playground.url + (await linkTo([tells, nested, FIRST].join('\n'))));
    const code = page.getByRole('dialog', { name: 'This link brings code' });
    await code.filter({ hasText: "name: 'FIRST'" }).waitFor();
    await page.getByLabel('Problems').filter({ hasText: './theirs.mjs is not loaded' }).waitFor();
    await page.getByRole('button', { name: 'Run it' }).click();
    await facts(page, 'mine · ');
    await page.locator('.split').filter({ hasText: '100.0 %' }).waitFor();
    expect(seen).toEqual([]);
    server.close();
    // The browser tells of what it refused.
    expect((await playground.rest()).filter((complaint) => !complaint.includes(at))).toEqual([]);
  });

  it('of a link may be left out, and cannot come back', async () => {
    const page = await playground.open('#example=tiny-ring');
    await page.goto(playground.url + (await linkTo(FIRST)));
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await write(page, scenarioWith('RANDOM'));
    await facts(page, 'mine · ');
    expect(await page.locator('.editor-head select').count()).toBe(0);
  });

  it('that never end are stopped, and another takes their place', async () => {
    const page = await playground.open('#example=tiny-ring');
    await paste(page, FIRST.replace('choose: () => 0', 'choose() { for (;;); }'));
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.getByRole('alert').filter({ hasText: 'did not end by itself' }).waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await paste(page, `for (;;);\n${FIRST}`);
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.getByRole('alert').filter({ hasText: 'did not end by itself' }).waitFor();
    await paste(page, FIRST);
    await page.locator('.split').filter({ hasText: '100.0 %' }).waitFor();
  });
});
