import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lbsim } from '../cli/harness.js';
import { hasChromium } from '../support/chromium.js';
import { Playground } from './playground.js';
import { WorkerInPage } from './worker-in-page.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const files = readdirSync(scenarios).filter((file) => file.endsWith('.yaml'));
const textOf = (file: string): string => readFileSync(join(scenarios, file), 'utf8');

describe.runIf(hasChromium)('the engine of the page', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.start();
  });
  afterAll(() => playground.close());
  afterEach(async () => {
    expect(await playground.rest()).toEqual([]);
  });

  it('gives for each shipped scenario what the command gives, byte for byte', async () => {
    const page = await playground.open();
    const engine = await WorkerInPage.start(page);
    const differ: string[] = [];
    for (const file of files) {
      const path = join(scenarios, file);
      const [{ stdout }, here] = await Promise.all([
        lbsim(['run', path, '--json']),
        engine.run({ file, text: textOf(file) }),
      ]);
      // The page knows the file by its name, the command by its path.
      if (here !== stdout.replaceAll(JSON.stringify(path), JSON.stringify(file))) differ.push(file);
    }
    expect(differ).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(50);
  });

  it('outlives a scenario at every keystroke, and others at many', async () => {
    const page = await playground.open();
    const engine = await WorkerInPage.start(page);
    expect(await engine.checkBeginnings(withoutComments(textOf('tiny-ring.yaml')), 1)).toEqual([]);
    for (const file of files.filter((_, index) => index % 9 === 0)) {
      expect([file, await engine.checkBeginnings(withoutComments(textOf(file)), 61)]).toEqual([file, []]);
    }
  });
});

function withoutComments(text: string): string {
  return text.replace(/^#.*\n/gm, '');
}
