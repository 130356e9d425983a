import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { isBuilt } from '../../scripts/build.mjs';
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.js';

/** Against what never comes: far above what the slowest machine needs, and a failure then tells what was waited for. */
const WAIT_MS = Number(process.env['WAIT_MS'] ?? 180_000);

const root = join(import.meta.dirname, '../..');

const STANDARD = {
  viewport: { width: 1400, height: 900 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions;

function node(script: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A page that tests have one after the other: a new one costs a second of CPU. */
interface Tab {
  readonly page: Page;
  /** What it was made with, as JSON. */
  readonly made: string;
  /** The page that it shows may load what lies beside it; undefined: no test has it. */
  site: string | undefined;
}

/** The page as it is built, in a browser; it is opened from the disk, where nothing can be loaded besides. */
export class Playground {
  /** What no page may do: errors on the console, requests to anywhere, dialogs. */
  private readonly complaints: string[] = [];
  private readonly tabs: Tab[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Playground> {
    const folder = mkdtempSync(join(tmpdir(), 'lbsim-site-'));
    if (isBuilt()) cpSync(join(root, 'dist/site'), folder, { recursive: true });
    else node('scripts/build-page.mjs', folder);
    return new Playground(
      await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS, timeout: 0 }),
      folder,
    );
  }

  /** The scripts beside the page. */
  private get parts(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith('.js'));
  }

  /** A file of the site. */
  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Pages with the pictures of some scenarios, beside the page. */
  buildGallery(names: readonly string[]): string {
    const folder = join(this.folder, 'gallery');
    node('scripts/build-gallery.mjs', folder, ...names);
    return folder;
  }

  /** The page alone, without the files beside it. */
  alone(): string {
    mkdirSync(join(this.folder, 'alone'), { recursive: true });
    copyFileSync(join(this.folder, 'index.html'), join(this.folder, 'alone/index.html'));
    return pathToFileURL(join(this.folder, 'alone/index.html')).href;
  }

  get url(): string {
    return pathToFileURL(join(this.folder, 'index.html')).href;
  }

  private async context(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({ ...STANDARD, ...options });
    context.setDefaultTimeout(WAIT_MS);
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('dialog', (dialog) => {
      this.complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    return context;
  }

  /**
   * @param fragment of the address, with `#`.
   * @param site where the page lies.
   */
  async open(fragment = '', options: BrowserContextOptions = {}, site = this.url): Promise<Page> {
    const tab = await this.freeTab(options);
    const { page } = tab;
    tab.site = site;
    await page.goto(site + fragment);
    await page.locator('.facts').waitFor();
    return page;
  }

  /** Any page below a folder. */
  async visit(address: string, folder: string, options: BrowserContextOptions = {}): Promise<Page> {
    const tab = await this.freeTab(options);
    tab.site = folder;
    await tab.page.goto(address);
    return tab.page;
  }

  private async freeTab(options: BrowserContextOptions): Promise<Tab> {
    const made = JSON.stringify(options);
    const free = this.tabs.find((tab) => tab.made === made && tab.site === undefined);
    if (free !== undefined) return free;
    const page = await (await this.context(options)).newPage();
    const tab: Tab = { page, made, site: undefined };
    page.on('request', (request) => {
      const url = request.url();
      const { site = '' } = tab;
      const own = this.parts.some((name) => url === new URL(name, site).href);
      if (!/^(?:blob|data|about):/.test(url) && !url.startsWith(site) && !own) this.complaints.push(`request ${url}`);
    });
    this.tabs.push(tab);
    return tab;
  }

  /**
   * Ends a test: the next has its pages, at their first size and without a trace, but those that it closed.
   *
   * @returns the complaints since the last one ended.
   */
  async rest(): Promise<readonly string[]> {
    for (const tab of this.tabs.filter(({ site }) => site !== undefined)) {
      const { page, made } = tab;
      if (page.isClosed()) {
        this.tabs.splice(this.tabs.indexOf(tab), 1);
        continue;
      }
      const { viewport, colorScheme, reducedMotion } = { ...STANDARD, ...(JSON.parse(made) as BrowserContextOptions) };
      await page.evaluate(`location.protocol === 'about:' || localStorage.clear()`);
      await page.goto('about:blank');
      await page.mouse.move(0, 0);
      await page.setViewportSize(viewport ?? STANDARD.viewport);
      await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null });
      tab.site = undefined;
    }
    return this.complaints.splice(0);
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Puts a text in the place of what the editor holds, as a user does. */
export async function write(page: Page, text: string): Promise<void> {
  await openText(page);
  await page.getByRole('textbox', { name: 'Scenario' }).click();
  await page.locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Of a shipped scenario the text is closed at first. */
export async function openText(page: Page): Promise<void> {
  const toggle = page.locator('.text-toggle');
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

/** Opens a text by "Paste yours". */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste yours' }).click();
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Look at it' }).click();
}

/** Chooses from a menu by mouse; what opens it is a button, or a part of the picture. */
export async function choose(page: Page, menu: string | Locator, item: string | RegExp): Promise<void> {
  await (typeof menu === 'string' ? page.getByRole('button', { name: menu, exact: true }) : menu).click();
  const name = typeof item === 'string' ? { name: item, exact: true } : { name: item };
  await page.locator('.menu').getByRole('button', name).first().click();
}

/** Opens a shipped scenario. */
export async function openExample(page: Page, name: string): Promise<void> {
  await page.evaluate(`location.hash = '#example=${name}'`);
  await page
    .locator('.facts')
    .filter({ hasText: `${name} · ` })
    .waitFor();
}

const FILES = {
  yaml: 'Scenario (YAML)',
  json: 'Result (JSON)',
  csv: 'Result (CSV)',
  text: 'Report (text)',
} as const;

export async function download(page: Page, form: keyof typeof FILES): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, 'Share', FILES[form])]);
  return readFileSync(await file.path(), 'utf8');
}

export function shownTime(page: Page): Promise<string | null> {
  return page.getByLabel('Time shown', { exact: true }).textContent();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits until an expression of the page is true. Playwright's own way evaluates a text again and again, which the policy of
 * our pages forbids, so that it fails where the first look is too early.
 */
export async function until(page: Page, expression: string): Promise<void> {
  await page.evaluate(`(async () => {
    while (!(${expression})) await new Promise(requestAnimationFrame);
  })()`);
}

/** Charts take a new width some frames late, more of them on a busy machine. */
const FRAMES_TO_FIT = 300;

/** Whether nothing lies beside the screen. */
export function fitsItsWidth(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(async () => {
    const fits = () => document.documentElement.scrollWidth <= innerWidth;
    for (let frame = 0; frame < ${FRAMES_TO_FIT} && !fits(); frame++) await new Promise(requestAnimationFrame);
    return fits();
  })()`);
}

/** What somebody could not read or reach. */
export async function findings(page: Page): Promise<unknown> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${AXE} })()`);
  return page.evaluate(`axe.run({ preload: false }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary)]))`);
}
