import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.js';

/** Against what never comes: far above what the slowest machine needs, and a failure then tells what was waited for. */
const WAIT_MS = Number(process.env['WAIT_MS'] ?? 180_000);

const root = join(import.meta.dirname, '../..');

/** The page as it is built, in a browser; it is opened from the disk, where nothing can be loaded besides. */
export class Playground {
  /** What no page may do: errors on the console, requests to anywhere, dialogs. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Playground> {
    const folder = mkdtempSync(join(tmpdir(), 'lbsim-site-'));
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build-page.mjs'), folder], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
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
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts/build-gallery.mjs'), folder, ...names],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr);
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

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      viewport: { width: 1400, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
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
    const context = await this.context(options);
    const page = await context.newPage();
    page.on('request', (request) => {
      const url = request.url();
      const own = this.parts.some((name) => url === new URL(name, site).href);
      if (!/^(?:blob|data):/.test(url) && !url.startsWith(site) && !own) this.complaints.push(`request ${url}`);
    });
    await page.goto(site + fragment);
    await page.locator('.facts').waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Puts a text in the place of what the editor holds, as a user does. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Scenario' }).click();
  await page.locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Opens a text by "Paste yours". */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste yours' }).click();
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Look at it' }).click();
}

export async function download(page: Page, form: 'yaml' | 'json' | 'csv' | 'text'): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Download').selectOption(form)]);
  return readFileSync(await file.path(), 'utf8');
}

export function shownTime(page: Page): Promise<string | null> {
  return page.getByLabel('Time shown', { exact: true }).textContent();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Whether nothing lies beside the screen. Charts take a new width some frames late, more of them on a busy machine. */
export async function fitsItsWidth(page: Page): Promise<boolean> {
  const fits = page.waitForFunction('document.documentElement.scrollWidth <= innerWidth', undefined, {
    timeout: 10_000,
  });
  return fits.then(
    () => true,
    () => false,
  );
}

/** What somebody could not read or reach. */
export async function findings(page: Page): Promise<unknown> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${AXE} })()`);
  return page.evaluate(`axe.run({ preload: false }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary)]))`);
}
