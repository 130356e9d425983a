import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { fromFragment } from '../../src/site/link.js';
import type { Report } from '../../src/site/report.js';
import { unpackReport } from '../../src/site/report.js';
import { CHROMIUM, CHROMIUM_FLAGS, hasChromium, warnWithoutChromium } from '../support/chromium.js';
import { lbsim } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'lbsim-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

warnWithoutChromium('what a report in one file shows');

const TEXT = `name: </script><b>
clusters: [{name: web, connect_timeout: 1s}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: web, arrivals: 100/s, stop: 10s}]
`;
const file = join(folder, 'two.yaml');
writeFileSync(file, TEXT);

async function reportIn(path: string): Promise<Report> {
  const packed = /id="report">([\w-]*)</.exec(readFileSync(path, 'utf8'))?.[1];
  return unpackReport(packed ?? '');
}

describe('--html', () => {
  it('writes what a run printed and its pictures, the same bytes each time, beside the report', async () => {
    const [one, two] = ['one.html', 'two.html'].map((name) => join(folder, name)) as [string, string];
    const plain = await lbsim(['run', file]);
    const { code, stdout } = await lbsim(['run', file, '--html', one]);
    await lbsim(['run', file, '--html', two]);
    expect([code, stdout]).toEqual([0, plain.stdout]);
    expect(readFileSync(one, 'utf8')).toBe(readFileSync(two, 'utf8'));
    const { command, sides, text, shared } = await reportIn(one);
    expect([command, sides.length, shared]).toEqual(['run', 1, undefined]);
    expect(text).toContain('50.0 %');
    const { clusters, requests } = sides[0]?.picture ?? { clusters: [], requests: 0 };
    expect(requests).toBeGreaterThan(900);
    expect(clusters[0]?.phases[0]?.shares).toBeInstanceOf(Float32Array);
    expect(clusters[0]?.phases[0]?.shares[0]).toBeCloseTo(0.5, 2);
  });

  it.each([
    ['run'],
    ['predict'],
    ['compare', '--version-b', '1.40', '--runs', '2'],
    ['race', '--policies', 'RANDOM,MAGLEV', '--runs', '2'],
    ['sweep', '--vary', 'workloads.0.arrivals=100/s,200/s', '--results', ':memory:'],
  ])('- is all that %s prints, or a form of it is', async (command, ...options) => {
    const { code, stdout } = await lbsim([command, file, ...options, '--html', '-']);
    expect([code, stdout.startsWith('<!doctype html>'), stdout.trimEnd().endsWith('</html>')]).toEqual([0, true, true]);
    const both = await lbsim([command, file, ...options, '--html', '-', '--json']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--json and --html - both want standard')]);
  });

  it('is of predictions, comparisons and races, too', async () => {
    const out = (name: string): string => join(folder, `${name}.html`);
    await lbsim(['predict', file, '--html', out('predict')]);
    await lbsim(['compare', file, '--version-b', '1.40', '--runs', '2', '--html', out('compare')]);
    await lbsim(['race', file, '--policies', 'RANDOM,MAGLEV', '--runs', '2', '--html', out('race')]);
    const reports = await Promise.all(['predict', 'compare', 'race'].map((name) => reportIn(out(name))));
    expect(reports.map(({ command, sides }) => [command, sides.length])).toEqual([
      ['predict', 1],
      ['compare', 2],
      ['race', 2],
    ]);
    expect(reports[2]?.sides.map(({ picture }) => picture.clusters[0]?.policy)).toEqual(['RANDOM', 'MAGLEV']);
    expect(reports.map(({ race }) => race?.clusters['web']?.length)).toEqual([undefined, undefined, 2]);
  });

  it.runIf(hasChromium)('draws a sweep: a chart of each number along a field, and a table of all points', async () => {
    const out = join(folder, 'sweep.html');
    const vary = ['--vary', 'endpoints.web[0].count=2..4', '--vary', 'clusters.web.lb_policy=RANDOM,ROUND_ROBIN'];
    const counted = join(folder, 'counted.yaml');
    writeFileSync(counted, TEXT.replace('[10.0.0.1:80, 10.0.0.2:80]', '[{address: 10.0.0.1:80, count: 2}]'));
    // What an ended call left of its page does not hinder the same call.
    writeFileSync(out, '');
    const args = ['sweep', counted, ...vary, '--replications', '2', '--results', ':memory:', '--html', out];
    expect((await lbsim([...args, '--measure', 'requests'])).code).toBe(0);
    expect((await lbsim(args)).stderr).toContain('--force overwrites it');
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS, timeout: 0 });
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(out).href);
      await page.locator('.sweep-chart').last().waitFor();
      expect(await page.locator('h1').innerText()).toBe('</script><b>');
      expect(await page.locator('.chart strong').allInnerTexts()).toEqual(['requests', 'failures', 'mean', 'p99']);
      const requests = page.locator('.sweep-chart').first();
      // Two lines of three points, each with its interval.
      expect(await requests.locator('polyline').count()).toBe(2);
      expect(await requests.locator('g.line path').count()).toBe(6);
      expect(await requests.locator('title').first().textContent()).toMatch(/^count 2, lb_policy RANDOM: \d+ ± \d+$/);
      expect(await page.locator('tbody tr').count()).toBe(6);
      await page.locator('select').selectOption('clusters.web.lb_policy');
      expect(await requests.locator('polyline').count()).toBe(3);
    } finally {
      await browser.close();
    }
  });

  it('draws no more points of a sweep than can be seen', async () => {
    const out = join(folder, 'many.html');
    const vary = ['--vary', 'workloads[0].stop=1000ms..9000ms:lin3000'];
    const { code, stderr } = await lbsim(['sweep', file, ...vary, '--results', ':memory:', '--html', out]);
    expect([code, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toContain('--html draws 2,000 points at most');
  });

  it.runIf(hasChromium)('draws the finish of a race, whose names show the run of each policy', async () => {
    const out = join(folder, 'finish.html');
    await lbsim(['race', file, '--policies', 'RANDOM,MAGLEV,ROUND_ROBIN', '--runs', '2', '--html', out]);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS, timeout: 0 });
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(out).href);
      const rows = page.locator('.race tbody tr');
      await rows.last().waitFor();
      expect(await rows.count()).toBe(3);
      expect(await page.locator('.headline').innerText()).toMatch(/^\w+ comes first, 0\.0 % failed, p99 [\d.]+ ms\.$/);
      // Each host has its piece of the strip: an even half in turns.
      const strip = rows.filter({ hasText: 'ROUND_ROBIN' }).locator('.strip > span');
      expect(await strip.evaluateAll((pieces) => pieces.map((piece) => piece.style.width))).toEqual(['50%', '50%']);
      await rows.getByRole('button', { name: 'MAGLEV' }).click();
      expect(await page.locator('.side-choice select').evaluate((select: HTMLSelectElement) => select.value)).toBe('1');
      expect(await page.locator('.race tr[data-chosen="true"]').innerText()).toContain('MAGLEV');
    } finally {
      await browser.close();
    }
  });

  it('carries the scenario with --playable alone, under the name of the file, without its folder', async () => {
    const out = join(folder, 'play.html');
    await lbsim(['run', file, '--html', out, '--playable', '--seed', '9']);
    expect((await reportIn(out)).shared).toEqual({
      files: [{ file: 'two.yaml', text: TEXT }],
      overrides: { seed: '9' },
    });
    expect((await lbsim(['run', file, '--playable'])).stderr).toContain('--playable says what --html OUT writes');
  });

  it('carries both sides of a comparison with --playable, and one scenario of a race', async () => {
    const out = (name: string): string => join(folder, `${name}.html`);
    const files = [{ file: 'two.yaml', text: TEXT }];
    const versions = ['--version-a', '1.17', '--version-b', '1.40', '--set', 'seed=4'];
    await lbsim(['compare', file, ...versions, '--runs', '2', '--html', out('both'), '--playable']);
    expect((await reportIn(out('both'))).shared).toEqual({
      files,
      overrides: { proxyVersion: '1.40', set: ['seed=4'] },
      beside: { files, overrides: { proxyVersion: '1.17', set: [] } },
    });
    const three = ['--policies', 'RANDOM,MAGLEV,LEAST_REQUEST', '--runs', '2'];
    await lbsim(['race', file, ...three, '--html', out('raced'), '--playable']);
    expect((await reportIn(out('raced'))).shared).toEqual({ files, overrides: {} });
    const refused = await lbsim(['compare', file, ...three, '--html', out('many'), '--playable']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--playable carries two sides')]);
    expect((await lbsim(['compare', file, ...versions, '--playable'])).stderr).toContain('says what --html OUT writes');
  });

  it('stays below 2 MB for a million requests, played or read', async () => {
    const busy = join(folder, 'busy.yaml');
    const hosts = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}:80`);
    writeFileSync(busy, TEXT.replace('[10.0.0.1:80, 10.0.0.2:80]', JSON.stringify(hosts)).replace('100/s', '100000/s'));
    const out = join(folder, 'busy.html');
    await lbsim(['run', busy, '--html', out, '--playable']);
    expect((await reportIn(out)).sides[0]?.picture.requests).toBeGreaterThan(990_000);
    expect(readFileSync(out).length).toBeLessThan(2_000_000);
  });

  it('forbids itself connections, and scripts but its own', async () => {
    const out = join(folder, 'policy.html');
    await lbsim(['predict', file, '--html', out]);
    const html = readFileSync(out, 'utf8');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(policy).not.toMatch(/connect-src|'unsafe-eval'|script-src[^;]*'unsafe-inline'|https?:/);
    // The hostile name is packed: nothing of it is markup.
    expect(html).not.toContain('</script><b>');
  });

  it.each([
    ['a folder that is missing', () => join(folder, 'none/r.html'), 3],
    ['the scenario itself', () => file, 2],
  ] as const)('refuses %s before it runs', async (_, out, least) => {
    const { code, stdout } = await lbsim(['run', file, '--html', out()]);
    expect(code).toBeGreaterThanOrEqual(Math.min(2, least));
    expect(stdout).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('overwrites another file with --force only', async () => {
    const out = join(folder, 'there.html');
    writeFileSync(out, 'mine');
    expect((await lbsim(['predict', file, '--html', out])).stderr).toContain('--force overwrites it');
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await lbsim(['predict', file, '--html', out, '--force'])).code).toBe(0);
  });
});

describe('--link', () => {
  it('is the address of a page with texts and options in it, as the page itself writes it', async () => {
    const site = 'https://example.com/lbsim/';
    const { stdout, code } = await lbsim([
      'run',
      file,
      '--set',
      'seed=4',
      '--unhealthy',
      '10.0.0.1',
      '--duration',
      '9s',
      '--warmup',
      '1s',
      '--link',
      `${site}#x`,
    ]);
    expect(code).toBe(0);
    expect(stdout.startsWith(`${site}#s=`)).toBe(true);
    expect(await fromFragment(new URL(stdout.trim()).hash)).toEqual({
      files: [{ file: 'two.yaml', text: TEXT }],
      overrides: { set: ['seed=4'], unhealthy: ['10.0.0.1'], durationText: '9s', warmupText: '1s' },
    });
  });

  it('leads to the page of this package where no site is named', async () => {
    const { stdout } = await lbsim(['predict', file, '--link']);
    const url = new URL(stdout.trim());
    expect(existsSync(new URL(url.pathname, 'file://'))).toBe(true);
  });

  it('brings the modules that files name, where they may be run', async () => {
    const examples = join(import.meta.dirname, '../../examples/policies');
    const textOf = (name: string): string => readFileSync(join(examples, name), 'utf8');
    const files = ['sticky.yaml', 'sticky.mjs'].map((name) => ({ file: name, text: textOf(name) }));
    const sticky = join(examples, 'sticky.yaml');
    const linked = await lbsim(['run', sticky, '--link', '--allow-code']);
    expect(await fromFragment(new URL(linked.stdout.trim()).hash)).toEqual({ files, overrides: {} });
    const out = join(folder, 'sticky.html');
    await lbsim(['run', sticky, '--allow-code', '--duration', '1s', '--html', out, '--playable']);
    expect((await reportIn(out)).shared).toEqual({ files, overrides: { durationText: '1s' } });
    const sides = ['--set', 'seed=2', '--runs', '2', '--duration', '1s', '--allow-code'];
    await lbsim(['compare', sticky, ...sides, '--html', out, '--playable', '--force']);
    expect((await reportIn(out)).shared?.beside?.files).toEqual(files);
    const renamed = ['--policy', `mine=${join(examples, 'sticky.mjs')}`, '--set', 'clusters.web.lb_policy=mine'];
    for (const options of [[sticky], [file, ...renamed]]) {
      const { code, stderr } = await lbsim(['run', ...options, '--link']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('carries texts')]);
    }
  });

  it('refuses two modules of one name', async () => {
    const ways = ['a', 'b'];
    for (const way of ways) {
      mkdirSync(join(folder, way));
      const module = `export default { name: '${way}', kind: 'list', start: () => ({}), refresh() {}, choose: () => 0 };`;
      writeFileSync(join(folder, way, 'own.mjs'), module);
    }
    const text = `clusters: [${ways.map((way) => `{name: ${way}, lb_policy: ./${way}/own.mjs}`).join(', ')}]
endpoints: {${ways.map((way, at) => `${way}: [10.0.0.${at}:80]`).join(', ')}}\n`;
    writeFileSync(join(folder, 'alike.yaml'), text);
    const { code, stderr } = await lbsim(['run', join(folder, 'alike.yaml'), '--link', '--allow-code']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('two modules are called own.mjs')]);
  });

  it('refuses what is no address, what is read besides, and what is too long', async () => {
    expect((await lbsim(['run', file, '--link', 'javascript:1'])).stderr).toContain(
      'takes the address of a playground',
    );
    const traced = join(folder, 'traced.yaml');
    writeFileSync(traced, `${TEXT}workloads: [{cluster: web, arrivals: {trace: t.csv}}]\n`);
    const { code, stderr } = await lbsim(['run', traced, '--link']);
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain('no file that is read besides');
    const long = join(folder, 'long.yaml');
    const noise = Array.from({ length: 6000 }, (_, index) => `# ${Math.sin(index)}`).join('\n');
    writeFileSync(long, `${TEXT}${noise}\n`);
    expect((await lbsim(['run', long, '--link'])).stderr).toContain('get lost on their way');
  });
});
