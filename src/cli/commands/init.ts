import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { existsSync } from 'node:fs';
import { isModuleName } from '../../scenario/module-name.js';
import { InputError, UsageError } from '../errors.js';
import { openOutput } from '../output-files.js';
import { policyFiles } from '../policy-starter.js';
import type { Session } from '../session.js';
import { STARTER } from '../starter.js';
import type { LbsimCommand } from '../program/lbsim-command.js';

export function addInit(command: LbsimCommand): void {
  command
    .description(
      'Writes a small scenario, or with --policy a policy of your own and its test, with a comment on every line that matters.',
    )
    .argument('[FILE]', 'where to; "-" is standard output', 'scenario.yaml')
    .option('--policy', 'write a load-balancing policy as a module, and its test beside it')
    .option('--force', 'overwrite the file if it exists')
    .examples('lbsim init', 'lbsim init canary.yaml', 'lbsim init - | lbsim run -', 'lbsim init --policy my-policy.mjs')
    .does(init);
}

export interface InitOptions {
  readonly force?: boolean;
  /** Write a policy instead of a scenario. */
  readonly policy?: boolean;
}

/** `lbsim init [FILE]`, `lbsim init --policy FILE` */
export async function init(file: string, options: InitOptions, session: Session): Promise<void> {
  if (options.policy === true) return initPolicy(file, options, session);
  if (file === '-') return session.out.write(STARTER);
  await write(file, STARTER, options, session);
  await session.out.write(printable(`Wrote ${file}. Run it with: lbsim run ${file}`) + '\n');
}

async function initPolicy(file: string, options: InitOptions, session: Session): Promise<void> {
  if (!isModuleName(file) || file.endsWith('.cjs')) {
    throw new UsageError(`--policy writes a module: name a file such as my-policy.mjs, not ${file}`);
  }
  const files = policyFiles(file);
  for (const each of files) await write(each.file, each.text, options, session);
  const [policy = '', test = ''] = files.map((each) => printable(each.file));
  const use = `Name it in a cluster, lb_policy: ./${policy}, and run it with: lbsim run FILE --allow-code`;
  await session.out.write(`Wrote ${policy} and ${test}. ${use}\n`);
}

async function write(file: string, text: string, { force }: InitOptions, session: Session): Promise<void> {
  if (force !== true && existsSync(file)) {
    const message = 'This file exists already. --force overwrites it.';
    throw new InputError([fileProblem(file, 'file-exists', message)], undefined, 'Nothing was written.');
  }
  const output = await openOutput('init', file, { inputs: [], named: [], force }, session);
  await output?.write(text);
  await output?.close();
}
