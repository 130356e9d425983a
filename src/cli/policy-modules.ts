import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printable } from '../core/printable.js';
import type { Problem } from '../core/problem.js';
import { isProxyPolicy } from '../policy/registry.js';
import { EXTENSIONS } from '../policy/extensions.js';
import type { NamedModule } from '../scenario/added-policies.js';
import { fileProblem, InputError } from './errors.js';

/** The options of a call that let code of the user's be run. */
export interface PolicyOptions {
  /** `NAME=FILE`, each. */
  readonly policy?: readonly string[];
  /** Modules that files name may be loaded. */
  readonly allowCode?: boolean;
}

/** Modules of policies that a call has loaded, by the names that clusters use. */
export class PolicyModules {
  readonly policies: Record<string, unknown> = {};
  /** The files of these modules. */
  readonly files: string[] = [];

  /** Loads what the command line names. */
  static async of({ policy = [] }: PolicyOptions): Promise<PolicyModules> {
    const modules = new PolicyModules();
    const problems: Problem[] = [];
    for (const option of policy) {
      const label = `--policy ${option}`;
      const equals = option.indexOf('=');
      const [name, file] = [option.slice(0, equals), option.slice(equals + 1)];
      if (equals < 1 || file === '') {
        problems.push(moduleProblem(label, 'write a name and a file, as mine=./my-policy.mjs'));
      } else if (isProxyPolicy(name) || Object.hasOwn(EXTENSIONS, name)) {
        problems.push(moduleProblem(label, `${name} is the name of a policy that is there already: choose another`));
      } else {
        await modules.load(name, resolve(file), label, problems);
      }
    }
    if (problems.length > 0) throw new InputError(problems);
    return modules;
  }

  /** Loads what files name, which the user has allowed. */
  async loadNamed(named: readonly NamedModule[]): Promise<void> {
    const problems: Problem[] = [];
    const files = new Map<string, string>();
    for (const { text, writtenIn } of named) {
      if (Object.hasOwn(this.policies, text)) continue;
      const folder = writtenIn === '' || writtenIn === '-' ? '.' : dirname(writtenIn);
      const file = resolve(folder, text);
      const other = files.get(text);
      if (other !== undefined && other !== file) {
        problems.push(moduleProblem(text, `it means ${other} and ${file}: name one of them with --policy NAME=FILE`));
      }
      files.set(text, file);
    }
    for (const [text, file] of files) await this.load(text, file, text, problems);
    if (problems.length > 0) throw new InputError(problems);
  }

  /** What is wrong with its shape is reported where a cluster names it; a module that no cluster names is looked at here. */
  private async load(name: string, file: string, label: string, problems: Problem[]): Promise<void> {
    if (!existsSync(file)) {
      problems.push(moduleProblem(label, `there is no such module: ${file}`));
      return;
    }
    try {
      const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { readonly default?: unknown };
      this.policies[name] = module.default;
      this.files.push(file);
    } catch (error) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      problems.push(moduleProblem(label, `it cannot be loaded: ${printable(text.split('\n')[0] ?? '')}`));
    }
  }
}

function moduleProblem(label: string, message: string): Problem {
  return fileProblem(label, 'policy-module', message);
}
