import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryOf } from '../../core/values.js';
import { fileProblem, type Problem } from '../../core/problem.js';
import { isProxyPolicy } from '../../policy/registry.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import type { NamedModule } from '../../scenario/modules/added-policies.js';
import { whyNotLoaded } from '../../scenario/modules/module-shape.js';
import type { RunOptions } from '../program/generated/commands.js';
import { InputError } from '../session.js';

/** The options of a call that let code of the user's be run. */
export type PolicyOptions = Pick<RunOptions, 'policy' | 'allowCode'>;

/** A module as text, which is to be loaded where its file is not, by the name that clusters use. */
export type SentModule = Readonly<{ name: string; text: string }>;

/** When each module that was loaded had been saved: Node keeps one for each address, and never looks at the file again. */
const loadedMs = new Map<string, number>();

export class PolicyModules {
  readonly policies: Record<string, unknown> = {};
  readonly files: { readonly name: string; readonly file: string; readonly policy: unknown }[] = [];

  static async of({ policy = [] }: PolicyOptions): Promise<PolicyModules> {
    const modules = new PolicyModules();
    const problems: Problem[] = [];
    for (const option of policy) {
      const label = `--policy ${option}`;
      const equals = option.indexOf('=');
      const [name, file] = [option.slice(0, equals), option.slice(equals + 1)];
      if (equals < 1 || file === '')
        problems.push(moduleProblem(label, 'write a name and a file, as mine=./my-policy.mjs'));
      else if (isProxyPolicy(name) || Object.hasOwn(EXTENSIONS, name))
        problems.push(moduleProblem(label, `${name} is the name of a policy that is there already: choose another`));
      else problems.push(...(await modules.load(name, resolve(file))).map((message) => moduleProblem(label, message)));
    }
    if (problems.length > 0) throw new InputError(problems);
    return modules;
  }

  /** Loads modules from their texts, which somebody has allowed. @throws Error where one cannot be. */
  static async ofTexts(sent: readonly SentModule[]): Promise<PolicyModules> {
    const modules = new PolicyModules();
    for (const { name, text } of sent) {
      const url = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
      const [problem] = await modules.evaluate(name, url);
      if (problem !== undefined)
        throw new Error(`the module ${name}: ${problem}; one that is sent to workers imports no other file`);
    }
    return modules;
  }

  /** Loads what files name, which the user has allowed. @param sources their texts by name, to show the lines. */
  async loadNamed(named: readonly NamedModule[], sources?: ReadonlyMap<string, string>): Promise<void> {
    const problems: Problem[] = [];
    const files = new Map<string, string>();
    for (const { text, writtenIn, place } of named) {
      const folder = writtenIn === '' || writtenIn === '-' ? '.' : dirname(writtenIn);
      const file = resolve(folder, text);
      const other = files.get(text);
      const report = (message: string): void => {
        problems.push({ ...moduleProblem(text, message), ...place });
      };
      if (other !== undefined) {
        if (other !== file) report(`it means ${other} and ${file}: name one of them with --policy NAME=FILE`);
      } else if (!Object.hasOwn(this.policies, text)) {
        files.set(text, file);
        for (const message of await this.load(text, file)) report(message);
      }
    }
    if (problems.length > 0) throw new InputError(problems, sources);
  }

  /** @returns why it cannot be loaded. What is wrong with its shape is reported where a cluster names it. */
  async load(name: string, file: string): Promise<readonly string[]> {
    if (!existsSync(file)) return [`there is no such module: ${file}`];
    const url = pathToFileURL(file);
    const { mtimeMs } = statSync(file);
    if (entryOf(loadedMs, file, () => mtimeMs) !== mtimeMs) url.searchParams.set('saved', String(mtimeMs));
    const problems = await this.evaluate(name, url.href);
    if (problems.length === 0) this.files.push({ name, file, policy: this.policies[name] });
    return problems;
  }

  private async evaluate(name: string, url: string): Promise<readonly string[]> {
    try {
      const module = (await import(/* @vite-ignore */ url)) as { readonly default?: unknown };
      this.policies[name] = module.default;
      return [];
    } catch (error) {
      return [whyNotLoaded(error)];
    }
  }
}

const moduleProblem = (label: string, message: string): Problem => fileProblem(label, 'policy-module', message);
