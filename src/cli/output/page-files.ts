import { attempt, defined } from '../../core/values.js';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { printable } from '../../core/printable.js';
import { hasErrors } from '../../core/problem.js';
import { loadScenario } from '../../scenario/load.js';
import { isModuleName } from '../../scenario/modules/module-shape.js';
import { setsWithoutSecrets, withoutSecrets } from '../../scenario/secrets.js';
import { MAX_LINK, type Overrides, type Shared, toFragment } from '../../site/link.js';
import { packReport, type Report } from '../../site/report.js';
import { ExitCode, says, type Session, UsageError } from '../session.js';
import { packageRoot, packageVersion } from '../package-root.js';
import type { PolicyModules } from '../input/policy-modules.js';
import { loadOptionsOf, readScenario, type ScenarioOptions } from '../input/scenario-file.js';
import type { RunOptions } from '../program/generated/commands.js';

export type PageOptions = Pick<RunOptions, 'html' | 'playable' | 'link' | 'force'>;

export const sitePages = new URL('dist/site/', packageRoot);

/** @throws UsageError where the page was not built. */
export function readSitePage(name: string): string {
  const text = attempt(() => readFileSync(new URL(name, sitePages), 'utf8'), undefined);
  if (text !== undefined) return text;
  throw new UsageError(`the page ${name} was not built: npm run build makes it`);
}

export async function htmlReport(report: Omit<Report, 'madeBy'>): Promise<string> {
  const page = report.shared === undefined ? readSitePage('report.html') : playgroundInOneFile();
  return withReport(page, await packReport({ ...report, madeBy: `lbsim ${packageVersion()}` }));
}

const EXAMPLES = /(<script type="application\/json" id="examples">)[^]*?(?=<\/script>)/;

/** The playground with the parts inside that lie beside it, and without the shipped scenarios. */
export function playgroundInOneFile(read = readSitePage): string {
  const parts = ['editor', 'gif', 'v3'].map((part) => {
    const packed = /"([\w-]*)"/.exec(read(`${part}.js`))?.[1] ?? '';
    return `<script type="text/plain" id="packed-${part}">${packed}</script>`;
  });
  return read('index.html').replace(EXAMPLES, (_, open: string) => `${parts.join('')}${open}[]`);
}

/** The playground with this inside, and the scripts beside it, which it loads on demand: texts by file name. */
export async function playgroundWith(shared: Shared): Promise<ReadonlyMap<string, string>> {
  const report = { command: '', madeBy: '', sides: [], text: '', shared };
  const page = withReport(readSitePage('index.html'), await packReport(report));
  const parts = readdirSync(sitePages).filter((name) => name.endsWith('.js'));
  return new Map([['index.html', page], ...parts.map((name) => [name, readSitePage(name)] as const)]);
}

const withReport = (page: string, packed: string): string =>
  page.replace('<!-- report -->', `<script type="text/plain" id="report">${packed}</script>`);

/**
 * The texts and options of a call as data, which a page reads as the command does. Secrets stay behind. Modules that files name
 * come as text, which a page runs once its reader has agreed.
 * @throws UsageError where more is needed: a module under another name, files that the scenario names.
 */
export function sharedOf({ sources, options, code = [] }: Carried, option: string): Shared {
  const names = new Set([...sources.keys()].map((file) => basename(file)));
  const isShort = names.size === sources.size;
  const named = [...sources].map(([file, text]) => ({
    file: file === '-' ? 'scenario.yaml' : isShort ? basename(file) : file,
    text,
  }));
  const { set, api, ...given } = loadOptionsOf(options);
  const files = withoutSecrets(named, api);
  const overrides: Overrides = defined({ ...given, api, set: set && setsWithoutSecrets(set, named, api) });
  const modules = code.filter(({ name }) => isModuleName(name));
  const policies = Object.fromEntries(modules.map(({ name, policy }) => [name, policy]));
  const { problems } = loadScenario(files, { ...overrides, policies, statistics: false });
  const [error] = problems.filter((problem) => hasErrors([problem]));
  const twice = modules.find(({ name }, at) => modules.findIndex((one) => basename(one.name) === basename(name)) < at);
  const why = error?.message.split('\n')[0] ?? (twice && `two modules are called ${basename(twice.name)}`);
  if (why !== undefined) throw new UsageError(says('texts_alone', { option, why: printable(why) }));
  const texts = modules.map(({ name, file }) => ({ file: basename(name), text: readFileSync(file, 'utf8') }));
  return { files: [...files, ...texts], overrides };
}

export type Carried = Readonly<{
  sources: ReadonlyMap<string, string>;
  options: ScenarioOptions;
  code?: PolicyModules['files'];
}>;

/** One scenario, or B with A beside it. @throws UsageError as {@link sharedOf}, or for more than two. */
export function sharedOfSides([first, second, ...others]: readonly Carried[], option: string): Shared {
  if (first === undefined || others.length > 0)
    throw new UsageError(`${option} carries two sides: compare two files, or two policies as --policies RANDOM,MAGLEV`);
  const a = sharedOf(first, option);
  if (second === undefined) return a;
  const { files, overrides } = a;
  return { ...sharedOf(second, option), beside: { files, overrides } };
}

/** `--link`: the address of a playground with the scenario in it, on standard output. Nothing is run. */
export async function printLink(
  files: readonly string[],
  { link, ...options }: ScenarioOptions & PageOptions,
  session: Session,
): Promise<ExitCode> {
  const site = link === true || link === undefined ? new URL('index.html', sitePages).href : addressOf(link);
  if (link === true) readSitePage('index.html');
  const address =
    site + (await toFragment(sharedOf({ ...(await readScenario(files, options, session)), options }, '--link')));
  if (address.length > MAX_LINK)
    throw new UsageError(says('link_too_long', { characters: address.length, most: MAX_LINK }));
  await session.out.write(`${address}\n`);
  return ExitCode.ok;
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:', 'file:'].includes(url.protocol))
    throw new UsageError(says('no_playground', { text: printable(text) }));
  url.hash = '';
  return url.href;
}
