import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toFragment } from '../../src/site/link.js';
import { lbsim } from '../cli/harness.js';
import { hasChromium, warnWithoutChromium } from '../support/chromium.js';
import { EVIL, HOSTILE, isText } from './hostile.js';
import {
  choose,
  download,
  findings,
  fitsItsWidth,
  openExample,
  openText,
  paste,
  Playground,
  shownTime,
  until,
  write,
} from './playground.js';

warnWithoutChromium('the playground in a real browser');

const scenarios = join(import.meta.dirname, '../../scenarios');
const TWO = `name: two
clusters: [{name: web, connect_timeout: 1s}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: web, arrivals: 100/s, stop: 10s}]
timeline:
  - {at: 4s, fail: 10.0.0.1}
  - {at: 4s, set_health: {hosts: 10.0.0.1, status: UNHEALTHY}}
`;

/** In the first half of its one phase half of the requests are for a subset that nobody is in. */
const MISSES = `clusters:
  - {name: web, lb_subset_config: {subset_selectors: [{keys: [v]}]}}
endpoints: {web: [{address: 10.0.0.1:80, metadata: {v: a}}, {address: 10.0.0.2:80, metadata: {v: a}}]}
workloads:
  - {name: hits, cluster: web, arrivals: 100/s, stop: 10s, metadata_match: {v: a}}
  - {name: misses, cluster: web, arrivals: 100/s, stop: 5s, metadata_match: {v: b}}
`;

const ENDPOINT = { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } };
const CLUSTER = {
  name: 'web',
  connect_timeout: '1s',
  load_assignment: { cluster_name: 'web', endpoints: [{ lb_endpoints: [{ endpoint: ENDPOINT }] }] },
};
const BOOTSTRAP = JSON.stringify({
  '@type': 'type.googleapis.com/envoy.config.bootstrap.v3.Bootstrap',
  static_resources: { clusters: [CLUSTER] },
});

describe.runIf(hasChromium)('the playground', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  it('opens on the showcase: the answer, the flow, the split', async () => {
    const page = await playground.open();
    const { stdout } = await lbsim(['run', join(scenarios, 'showcase.yaml')]);
    const answer = page.locator('.headline');
    expect(stdout.replace(/\s+/g, ' ')).toContain(await answer.getAttribute('title'));
    expect(await answer.innerText()).toBe(
      '50.0 % of requests failed from 30 to 50 s: every host from 10.2.0.4 to 10.2.0.7 stops answering at 30 s.',
    );
    expect(await page.locator('.flow .host').count()).toBe(9);
    expect(await page.getByRole('row').filter({ hasText: '10.1.0.1' }).first().innerText()).toContain('healthy');
  });

  it('splits all attempts of a phase, those that found no host too', async () => {
    const page = await playground.open();
    await write(page, MISSES);
    const lost = page.locator('.bad').filter({ hasText: 'of attempts found no host' });
    await lost.waitFor();
    const shares = await page.locator('table.split .figure').allInnerTexts();
    const parts = [...shares, await lost.innerText()].map((text) => Number(/([\d.]+) %/.exec(text)?.[1]));
    expect(parts).toHaveLength(3);
    expect(parts[2]).toBeCloseTo(33.3, -1);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(100, 0);
  });

  it('opens at the time that tells most, and plays on from there', async () => {
    const page = await playground.open('', { reducedMotion: 'no-preference' });
    expect(await shownTime(page)).toBe('45.0 s');
    expect(await page.locator('.flow .node[data-kind="clients"]').textContent()).toMatch(/7\d\.\d % fail/);
    expect(await page.locator('.flow .panic').count()).toBe(2);
    await page.getByRole('button', { name: 'Play' }).click();
    await until(page, `document.querySelector('.time').textContent !== '45.0 s'`);
    await page.getByRole('button', { name: 'Pause' }).click();
  });

  it('goes through time by keyboard', async () => {
    const page = await playground.open();
    const times: (string | null)[] = [];
    await page.keyboard.press('Home');
    for (const key of ['n', 'n', 'p', 'End', 'Home', 'ArrowRight']) {
      await page.keyboard.press(key);
      times.push(await shownTime(page));
    }
    expect(times).toEqual(['10.0 s', '20.0 s', '10.0 s', '60.0 s', '0.0 s', '0.6 s']);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('goes through time by mouse, and tells of that time', async () => {
    const page = await playground.open();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('.events button').filter({ hasText: '40 s' }).first().click();
    expect(await shownTime(page)).toBe('40.0 s');
    await page.getByRole('tab', { name: 'Why' }).click();
    expect(await page.getByRole('tabpanel').innerText()).toContain('in panic');
    expect(await page.locator('.flow .panic').count()).toBe(2);
    await page.locator('.lanes svg').click({ position: { x: 100, y: 30 } });
    expect(await shownTime(page)).not.toBe('40.0 s');
  });

  it('says errors at their place while one types, and keeps what it shows', async () => {
    const page = await playground.open();
    await write(page, TWO.replace('connect_timeout: 1s', 'conect_timeout: 1s'));
    const problem = page.getByLabel('Problems').getByRole('button').first();
    expect(await problem.innerText()).toMatch(/error in line 2[^]*connect_timeout/);
    await page.locator('.cm-lintRange-error').first().waitFor();
    expect(await page.locator('.flow .host').count()).toBe(9);
    expect(await page.locator('.stale').count()).toBe(1);
    await write(page, TWO);
    await page.locator('.facts').filter({ hasText: 'two' }).waitFor();
    expect(await page.locator('.flow .host').count()).toBe(2);
    expect(await page.locator('.stale').count()).toBe(0);
  });

  it('outlives every piece of a text', async () => {
    const page = await playground.open();
    const text = readFileSync(join(scenarios, 'tiny-ring.yaml'), 'utf8').replace(/^#.*\n/gm, '');
    for (let length = 0; length < text.length; length += 67) await write(page, text.slice(0, length));
    await write(page, text);
    await page.locator('.facts').filter({ hasText: 'tiny-ring' }).waitFor();
  });

  it('proposes fields and values of the format', async () => {
    const page = await playground.open();
    await write(page, 'clusters:\n  - name: a\n    lb_po');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'lb_policy' }).first().click();
    await page.keyboard.type('MAG');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'MAGLEV' }).click();
    expect(await page.locator('.cm-content').innerText()).toContain('lb_policy: MAGLEV');
  });

  it('reads what a proxy is configured with', async () => {
    const page = await playground.open();
    await paste(page, BOOTSTRAP);
    await page.locator('.facts').filter({ hasText: 'pasted' }).waitFor();
    expect(await page.locator('.facts').innerText()).toContain('1.40');
    await page.getByRole('button', { name: 'Turn into a scenario' }).click();
    await page.getByRole('heading', { name: 'imported.yaml' }).waitFor();
    await page.locator('.bar-says').filter({ hasText: 'Click users' }).waitFor();
    expect(await download(page, 'yaml')).toContain('api: v3');
    await choose(page, page.locator('.flow .host').first(), 'Kill');
    await page.locator('.change').waitFor();
  });

  it('lets one kill a host from the time shown on, and keep or undo the lines that say so', async () => {
    const page = await playground.open();
    await write(page, TWO.replace(/timeline:[^]*/, ''));
    await page.locator('.facts').filter({ hasText: 'two' }).waitFor();
    await page.getByLabel('Time', { exact: true }).fill('500');
    await choose(page, page.locator('.flow .host').nth(1), 'Kill');
    const change = page.locator('.change');
    await change.filter({ hasText: '10.0.0.1 100.0 %' }).waitFor();
    expect(await change.innerText()).toMatch(/10\.0\.0\.2:80 killed at [\d.]+ s/);
    expect(await change.textContent()).toMatch(/at: [\d.]+s, fail: 10\.0\.0\.2:80/);
    await page.locator('.lanes').filter({ hasText: 'unhealthy' }).waitFor();
    expect(await download(page, 'yaml')).toContain('status: UNHEALTHY');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await download(page, 'yaml')).toBe(TWO.replace(/timeline:[^]*/, ''));
    await choose(page, page.locator('.flow .node[data-kind="proxies"]'), 'MAGLEV');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('tabpanel').filter({ hasText: 'MAGLEV' }).waitFor();
    expect(await change.count()).toBe(0);
  });

  it('tells a decision, and why a host gets nothing', async () => {
    const page = await playground.open();
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await page.getByRole('tab', { name: 'Decision' }).click();
    await page.getByRole('button', { name: 'Tell the next decision' }).click();
    const story = page.locator('.story');
    const { stdout } = await lbsim(['explain', join(scenarios, 'showcase.yaml'), '--at', '10s']);
    const [line = ''] = stdout.split('\n');
    await story.filter({ hasText: line.slice(0, 30) }).waitFor();
    expect(await story.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await page.locator('.flow .host').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.menu').filter({ hasText: '10.1.0.1:8080' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Why does 10.1.0.1:8080 get' }).click();
    await story.filter({ hasText: 'by weight' }).waitFor();
  });

  it('puts the scenario into a link, and takes it out again', async () => {
    const page = await playground.open();
    await write(page, TWO);
    await page.locator('.facts').filter({ hasText: 'two' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByLabel('Time', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Next event' }).click();
    await choose(page, 'Share', 'Copy a link');
    // Only this machine has the page.
    await page.locator('.said').filter({ hasText: 'nobody else can open it' }).waitFor();
    await until(page, `location.hash.startsWith('#s=')`);
    const fragment = new URL(page.url()).hash;
    expect(fragment.length).toBeLessThan(500);
    const other = await playground.open(fragment);
    expect(await download(other, 'yaml')).toBe(TWO);
    expect(await shownTime(other)).toBe('4.00 s');
  });

  it.each([
    ['damaged', '#s=<script>alert(1)</script>'],
    ['of another kind', '#javascript:alert(1)'],
  ])('opens the showcase for a link that is %s', async (_, fragment) => {
    const page = await playground.open(fragment);
    expect(await page.locator('.facts').innerText()).toContain('showcase');
    expect(await page.getByRole('alert').count()).toBe(fragment.startsWith('#s=') ? 1 : 0);
  });

  it('saves its pictures as files that tell what they show, and need nothing beside them', async () => {
    const page = await playground.open('#example=zone-outage');
    const saved = async (item: string): Promise<Buffer> => {
      const [file] = await Promise.all([page.waitForEvent('download'), choose(page, 'Share', item)]);
      return readFileSync(await file.path());
    };
    const text = (await saved('SVG')).toString('utf8');
    expect(text).toMatch(/^<svg [^>]*width="\d/);
    const headline = (await page.locator('.headline').innerText()).slice(0, 40);
    for (const told of [
      '10.0.0.2',
      'A zone dies',
      headline,
      '23.5 s of 60.0 s',
      '33.3 % of requests fail',
      'lbsim 0.',
    ]) {
      expect(text).toContain(told);
    }
    expect(text).not.toMatch(/var\(|<script|href=/);
    for (const item of ['PNG', 'Charts (PNG)']) {
      const bytes = await saved(item);
      expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
      // Twice as wide as on the page.
      expect(bytes.readUInt32BE(16)).toBeGreaterThan(800);
    }
    const gif = await saved('GIF');
    expect(gif.subarray(0, 6).toString('latin1')).toBe('GIF89a');
    expect(gif.length).toBeGreaterThan(20_000);
    expect(await shownTime(page)).toBe('23.5 s');
  });

  it('records a film of the run, by keys alone, whatever the names in it', async () => {
    const files = [{ file: `${EVIL}.yaml`, text: JSON.stringify(HOSTILE) }];
    const page = await playground.open(await toFragment({ files, overrides: {}, at: 0 }));
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Enter');
    const focused = async (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.textContent);
    for (let press = 0; press < 20 && (await focused()) !== 'Film'; press++) await page.keyboard.press('ArrowDown');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toMatch(/^[^/<>"]+\.webm$/);
    const bytes = readFileSync(await file.path());
    // The sign of Matroska, and more than a picture's worth.
    expect(bytes.readUInt32BE(0)).toBe(0x1a45dfa3);
    expect(bytes.length).toBeGreaterThan(20_000);
    expect(await shownTime(page)).toMatch(/^0\.0+ s$/);
  });

  it('shows hostile names as text', async () => {
    const page = await playground.open();
    await paste(page, JSON.stringify(HOSTILE));
    await page.locator('.facts').filter({ hasText: '</script>' }).waitFor();
    for (const tab of ['Why', 'Events', 'Split']) await page.getByRole('tab', { name: tab }).click();
    await isText(page);
    expect(await fitsItsWidth(page)).toBe(true);
  });

  it('stops a long run at once, and tells what was known by then', async () => {
    const page = await playground.open();
    await write(page, TWO.replace('100/s', '100000/s').replace('stop: 10s', 'stop: 1000s'));
    await page.getByRole('progressbar').waitFor();
    await until(page, `document.querySelector('progress')?.value > 0`);
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.locator('.headline').filter({ hasText: 'Stopped at' }).waitFor();
  });

  it('saves the result that the command prints, byte for byte', async () => {
    const page = await playground.open();
    for (const file of ['prequal-many-proxies.yaml', 'zone-outage.yaml']) {
      const name = file.replace('.yaml', '');
      await openExample(page, name);
      const { stdout } = await lbsim(['run', join(scenarios, file), '--json']);
      // The page knows the file by its name, the command by its path.
      const named = stdout.replaceAll(JSON.stringify(join(scenarios, file)), JSON.stringify(file));
      expect(await download(page, 'json')).toBe(named);
    }
  });

  it.each([
    ['light', 1400],
    ['dark', 375],
  ] as const)('has no serious finding of axe, %s and %i px wide', async (colorScheme, width) => {
    const page = await playground.open('', { colorScheme, viewport: { width, height: 800 } });
    await page.keyboard.press('End');
    await page.keyboard.press('p');
    expect(await fitsItsWidth(page)).toBe(true);
    for (const tab of ['Why', 'Inside', 'Decision', 'Zones', 'Events', 'Split']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await findings(page)).toEqual([]);
    }
  });

  it('is small enough to be opened in passing, and loads the rest when it is needed', async () => {
    expect(gzipSync(playground.read('index.html'), { level: 6 }).length).toBeLessThan(516_000);
    const page = await playground.open();
    const loaded = (): Promise<unknown> =>
      page.evaluate(`[...document.head.querySelectorAll('script[src]')].map((one) => one.getAttribute('src'))`);
    expect(await loaded()).toEqual([]);
    await openText(page);
    await page.getByRole('textbox', { name: 'Scenario' }).focus();
    await page.locator('.cm-focused').waitFor();
    expect(await loaded()).toEqual(['editor.js']);
    await choose(page, page.locator('.questions'), /Four hosts, so I asked for a ring of four/);
    await page.locator('.facts').filter({ hasText: 'tiny-ring · ' }).waitFor();
    expect(await loaded()).toEqual(['editor.js', 'examples.js']);
    await paste(page, BOOTSTRAP);
    await page.locator('.facts').filter({ hasText: 'pasted' }).waitFor();
    expect(await loaded()).toEqual(['editor.js', 'examples.js', 'v3.js']);
  });

  it('says which file is missing where only the page was copied', async () => {
    const page = await playground.open('', {}, playground.alone());
    await page.evaluate(`location.hash = '#example=tiny-ring'`);
    await page.getByRole('alert').filter({ hasText: 'examples.js does not lie beside this page' }).waitFor();
    // The browser says so, too.
    expect(await playground.rest()).toEqual([expect.stringContaining('ERR_FILE_NOT_FOUND')]);
  });

  it('forbids itself whatever it does not need', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(playground.read('index.html'))?.[1];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+' 'strict-dynamic' 'wasm-unsafe-eval'; worker-src blob:;/,
    );
    expect(policy).not.toMatch(/connect-src|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
  });
});
