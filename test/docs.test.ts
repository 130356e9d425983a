import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { topicOf } from '../src/cli/commands/examples.js';
import { PLAIN } from '../src/report/paint.js';
import { textReport } from '../src/report/text-report.js';
import { loadScenario } from '../src/scenario/load.js';
import { runScenario } from '../src/simulation/simulation.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

describe.each(pages)('%s', (page) => {
  it('links to files that exist', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

describe('README.md', () => {
  it('shows what npm start prints', async () => {
    const { scenario } = loadScenario({ file: 'showcase.yaml', text: read('scenarios/showcase.yaml') });
    if (scenario === undefined) throw new Error('the showcase does not load');
    const report = textReport(await runScenario(scenario), {
      width: 80,
      bars: false,
      paint: PLAIN,
      all: false,
      expectations: scenario.expect,
    });
    const [, picture = ''] = /test\/docs\.test\.ts checks\. -->\n```\n([^`]*)\n```/.exec(read('README.md')) ?? [];
    expect(picture.split('\n').length).toBeGreaterThan(10);
    expect(report.slice(0, picture.length)).toBe(picture);
  });

  it('shows a scenario that loads', () => {
    const [, text = ''] = /```yaml\n([^`]*)```/.exec(read('README.md')) ?? [];
    expect(loadScenario({ file: 'readme.yaml', text }).problems).toEqual([]);
  });

  it('shows a balancer held to the laws, as test/testing/fewest-active.test.ts runs it', () => {
    const [, example = ''] = /```ts\n([^`]*)```/.exec(read('README.md')) ?? [];
    const run = read('test/testing/fewest-active.test.ts');
    expect(example.replace("'lbsim/testing'", "'../../src/testing/index.js'")).toBe(run);
  });

  it('lists every shipped scenario with its question, under its topic', () => {
    const sections = read('README.md').split(/^#{2,3} /m);
    for (const file of readdirSync(join(root, 'scenarios'))) {
      const text = read(join('scenarios', file));
      const { scenario } = loadScenario({ file, text });
      const row = `| ${scenario?.description ?? file} | [${file.replace('.yaml', '')}](scenarios/${file}) |`;
      expect(sections.find((section) => section.startsWith(`${topicOf(text)}\n`))).toContain(row);
    }
  });
});
