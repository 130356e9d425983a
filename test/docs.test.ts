import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { topicOf } from '../src/scenario/example.js';
import { PLAIN } from '../src/report/layout.js';
import { textReport } from '../src/report/run/text-report.js';
import { loadScenario } from '../src/scenario/load.js';
import { runScenario } from '../src/analysis/run/run-scenario.js';
import { Folder } from './cli/files.js';
import { lbsim } from './cli/harness.js';

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

const folder = new Folder();
afterAll(() => folder.remove());

/** What the dump of the tutorial holds, as lists: clusters, assignments, routes. */
function sections(): readonly (readonly unknown[])[] {
  const { configs } = JSON.parse(read('docs/tutorial/config_dump.json')) as {
    readonly configs: readonly Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>[];
  };
  const all = (list: string, item: string): readonly unknown[] =>
    configs.flatMap((config) => (config[list] ?? []).map((entry) => entry[item]));
  return [
    all('dynamic_active_clusters', 'cluster'),
    all('dynamic_endpoint_configs', 'endpoint_config'),
    all('dynamic_route_configs', 'route_config'),
  ];
}

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

  it('starts, right behind the two commands, from what users have', async () => {
    const readme = read('README.md');
    expect(readme.match(/^## .*$/m)?.[0]).toBe('## Start from what you have');
    const [, block = ''] = /## Start from what you have[^`]*(?:`[^`]+`[^`]*)*?```\n([^`]*)```/.exec(readme) ?? [];
    const calls = [...block.matchAll(/^lbsim (.*?)(?:\s+#.*)?$/gm)].map(([, call = '']) => call.replaceAll("'", ''));
    expect(calls.length).toBeGreaterThanOrEqual(5);
    // The files of the tutorial stand for the reader's own.
    const [clusters, endpoints, routes] = ['clusters.yaml', 'endpoints.yaml', 'routes.yaml'].map((name, index) =>
      folder.file(name, JSON.stringify(sections()[index])),
    );
    const own: Readonly<Record<string, string | undefined>> = {
      'envoy.yaml': join(root, 'docs/tutorial/bootstrap.yaml'),
      'config_dump.json': join(root, 'docs/tutorial/config_dump.json'),
      'clusters.json': join(root, 'docs/tutorial/clusters.json'),
      'clusters.yaml': clusters,
      'endpoints.yaml': endpoints,
      'routes.yaml': routes,
      'stats-1.json': folder.file('stats-1.json', '{"stats": [{"name": "cluster.web.upstream_rq_total", "value": 1}]}'),
      'stats-2.json': folder.file('stats-2.json', '{"stats": [{"name": "cluster.web.upstream_rq_total", "value": 7}]}'),
      'prod.yaml': join(folder.path, 'prod.yaml'),
      checkout: 'web',
    };
    for (const call of calls) {
      const { code, stdout } = await lbsim(call.split(' ').map((word) => own[word] ?? word));
      // Nobody can know the hosts of a bootstrap that a control plane tells.
      expect({ call, code }).toEqual({ call, code: call === 'run envoy.yaml' ? 2 : 0 });
      if (call.startsWith('import')) expect(readFileSync(own['prod.yaml'] ?? '', 'utf8')).toContain('arrivals: 0.1/s');
      else if (code === 0) expect(stdout).toContain('\nread as v3 (');
    }
  });

  const runnable = ['## Questions that follow', 'Each of them once:'].flatMap((before) => {
    const [, calls = ''] = new RegExp(`\n${before}\n+\`\`\`\n([^\`]*)\`\`\``).exec(read('README.md')) ?? [];
    return calls.trim().split('\n');
  });
  it.each(runnable)('%s', async (line) => {
    const argv = line
      .replace(/ +#.*$/, '')
      .split(' ')
      .slice(1);
    const { code, stdout } = await lbsim(
      argv.map((word) => (/^(scenarios|docs)\//.test(word) ? join(root, word) : word)),
      // Of a proxy, one that takes turns stands for it.
      { env: { ENVOY: join(root, 'test/real-proxy/stand-in.mjs') } },
    );
    expect({ code, said: stdout !== '' }).toEqual({ code: 0, said: true });
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
