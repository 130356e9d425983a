import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { topicOf } from '../src/scenario/example.js';
import { loadScenario } from '../src/scenario/load.js';
import { COMMAND_LINE } from '../src/cli/program/generated/commands.js';
import { Folder } from './cli/files.js';
import { lbsim, lbsimApart } from './cli/harness.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Headings of a page, as links name them. */
function headingsOf(page: string): ReadonlySet<string> {
  const titles = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\w\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  '.github/SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

describe.each(pages)('%s', (page) => {
  it('links to files that exist', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it('links to headings that exist', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const lost = links.filter(([, target = '', heading = '']) => {
      const path = target === '' ? page : join(dirname(page), target);
      return path.endsWith('.md') && !headingsOf(path).has(heading);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});

/** Written from the code: as long as that is. */
const GENERATED = /^docs\/(?:lint|errors)\.md$|^docs\/(?:api|reference)\//;

describe.each(pages.filter((page) => /^docs\/(?:[\w-]+|[\w-]+\/README)\.md$/.test(page)))('%s', (page) => {
  it('says first who it is for', () => {
    const [, first] = /^# .*\n\n(.*)/m.exec(read(page)) ?? [];
    expect(first).toMatch(/^For [a-z]/);
  });

  it.runIf(!GENERATED.test(page))('has at most 300 lines', () => {
    expect(read(page).split('\n').length - 1).toBeLessThanOrEqual(300);
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

/** What the command prints for a line of a page. */
async function said(line: string): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const argv = line
    .replace(/ +#.*$/, '')
    .split(' ')
    .slice(1)
    .map((word) => (/^(scenarios|docs)\//.test(word) ? join(root, word) : word));
  if (argv[0] === 'bench') return lbsimApart(argv);
  return lbsim(
    argv,
    // Of a proxy, one that takes turns stands for it.
    { env: { ENVOY: join(root, 'test/real-proxy/stand-in.mjs') } },
  );
}

describe('README.md', () => {
  it('is read in a few minutes', () => {
    const readme = read('README.md');
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10_240);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1600);
  });

  it('says before its 60th line what was compared, and what is not modelled', () => {
    const start = read('README.md').split('\n').slice(0, 60).join('\n');
    for (const words of ['recordings of a real', 'What is not modelled', '](docs/fidelity.md)'])
      expect(start).toContain(words);
  });

  it('shows what its first example prints, in twelve lines at most', async () => {
    const [, block = ''] = /test\/docs\.test\.ts checks\. -->\n```\n([^`]*)\n```/.exec(read('README.md')) ?? [];
    const [call = '', ...lines] = block.split('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(12);
    const { stdout } = await said(call.replace('$ ', ''));
    expect(stdout.split('\n').slice(0, lines.length)).toEqual(lines);
  });

  const rows = [...read('README.md').matchAll(/^\| .*\]\(scenarios\/([\w-]+\.yaml)\).*$/gm)];
  it.each(rows.map(([row, file]) => [file ?? '', row] as const))('says of %s what it prints', async (file, row) => {
    const figures = [...row.matchAll(/\*\*(.*?)\*\*/g)].map(([, figure = '']) => figure.toLowerCase());
    expect(figures).toHaveLength(1);
    const { stdout } = await said(`lbsim run scenarios/${file}`);
    for (const figure of figures) expect(stdout.split('\n\n').slice(0, 2).join('\n')).toContain(figure);
  });

  it('counts the recordings and requests that docs/fidelity.md lists', () => {
    const list = [...read('docs/fidelity.md').matchAll(/^\| [^|]*\| (\d+) of \d+[^|]*\| ([\d,]+|–) \|/gm)];
    const sum = (column: number): number =>
      list.reduce((total, row) => total + Number((row[column] ?? '').replaceAll(',', '').replace('–', '0')), 0);
    const [recordings, millions] = [sum(1), Math.floor(sum(2) / 1e5) / 10];
    expect(list.length).toBeGreaterThan(20);
    const readme = read('README.md').replaceAll('\n', ' ');
    expect(readme).toContain(`${recordings} recordings of a real 1.40.0`);
    expect(readme).toContain(`splits of ${millions} million requests`);
  });

  it('starts, right behind the two commands, from what users have', async () => {
    const readme = read('README.md');
    expect(readme.match(/^## .*$/m)?.[0]).toBe('## Start from what you have');
    const [, block = ''] = /\n## Your own files\n+```\n([^`]*)```/.exec(readme) ?? [];
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
      'prod.yaml': join(folder.path, 'prod.yaml'),
      checkout: 'web',
    };
    for (const call of calls) {
      const { code, stdout } = await lbsim(call.split(' ').map((word) => own[word] ?? word));
      expect({ call, code }).toEqual({ call, code: 0 });
      if (call.startsWith('import')) expect(readFileSync(own['prod.yaml'] ?? '', 'utf8')).toContain('clusters:');
      else expect(stdout).toContain('\nread as v3 (');
    }
  });

  it('shows a scenario that loads', () => {
    const [, text = ''] = /```yaml\n([^`]*)```/.exec(read('README.md')) ?? [];
    expect(loadScenario({ file: 'readme.yaml', text }).problems).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('is read in two minutes', () => {
    expect(Buffer.byteLength(read('CHANGELOG.md'))).toBeLessThanOrEqual(6144);
  });
});

describe('CONTRIBUTING.md', () => {
  it('is short: what is long stands beside what it describes', () => {
    expect(Buffer.byteLength(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(8192);
  });
});

describe('docs/commands.md', () => {
  it('has the commands by what one wants, as --help does', () => {
    const shown = read('docs/commands.md')
      .split(/^## /m)
      .map((section): [string, readonly string[]] => {
        const title = section.slice(0, section.indexOf('\n'));
        const names = [...section.matchAll(/^\| `lbsim (\w+)/gm)].map(([, name = '']) => name);
        // `run` stands in several places, as its options do what other commands do.
        return [title, [...new Set(names)].filter((name) => name !== 'run' || title === 'Answer')];
      })
      .filter(([, names]) => names.length > 0);
    expect(Object.fromEntries(shown)).toEqual(COMMAND_LINE.groups);
  });

  const runnable = ['## Questions that follow', 'Each of them once:'].flatMap((before) => {
    const [, calls = ''] = new RegExp(`\n${before}\n+\`\`\`\n([^\`]*)\`\`\``).exec(read('docs/commands.md')) ?? [];
    return calls.trim().split('\n');
  });
  it.each(runnable)('%s', async (line) => {
    const { code, stdout } = await said(line);
    expect({ code, said: stdout !== '' }).toEqual({ code: 0, said: true });
  });
});

describe('docs/testing.md', () => {
  it('shows a balancer held to the laws, as test/testing/fewest-active.test.ts runs it', () => {
    const [, example = ''] = /```ts\n([^`]*)```/.exec(read('docs/testing.md')) ?? [];
    const run = read('test/testing/fewest-active.test.ts');
    expect(example.replace("'lbsim/testing'", "'../../src/testing/index.js'")).toBe(run);
  });
});

describe('docs/questions.md', () => {
  it('lists every shipped scenario with its question, under its topic', () => {
    const sections = read('docs/questions.md').split(/^## /m);
    for (const file of readdirSync(join(root, 'scenarios'))) {
      const text = read(join('scenarios', file));
      const { scenario } = loadScenario({ file, text });
      const row = `| ${scenario?.description ?? file} | [${file.replace('.yaml', '')}](../scenarios/${file}) |`;
      expect(sections.find((section) => section.startsWith(`${topicOf(text)}\n`))).toContain(row);
    }
  });
});
