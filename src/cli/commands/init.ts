import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { writeFileSync } from 'node:fs';
import { isModuleName } from '../../scenario/module-name.js';
import { errorCode, InputError, OutputError, UsageError } from '../errors.js';
import { policyFiles } from '../policy-starter.js';
import type { Session } from '../session.js';
import { STARTER } from '../starter.js';

export interface InitOptions {
  readonly force?: boolean;
  /** Write a policy instead of a scenario. */
  readonly policy?: boolean;
}

/** `lbsim init [FILE]`, `lbsim init --policy FILE` */
export async function init(file: string, options: InitOptions, session: Session): Promise<void> {
  if (options.policy === true) return initPolicy(file, options, session);
  if (file === '-') return session.out.write(STARTER);
  write(file, STARTER, options);
  await session.out.write(printable(`Wrote ${file}. Run it with: lbsim run ${file}`) + '\n');
}

async function initPolicy(file: string, options: InitOptions, session: Session): Promise<void> {
  if (!isModuleName(file) || file.endsWith('.cjs')) {
    throw new UsageError(`--policy writes a module: name a file such as my-policy.mjs, not ${file}`);
  }
  const files = policyFiles(file);
  for (const each of files) write(each.file, each.text, options);
  const [policy = '', test = ''] = files.map((each) => printable(each.file));
  const use = `Name it in a cluster, lb_policy: ./${policy}, and run it with: lbsim run FILE --allow-code`;
  await session.out.write(`Wrote ${policy} and ${test}. ${use}\n`);
}

function write(file: string, text: string, { force }: InitOptions): void {
  try {
    // "wx" fails on an existing file in one step: no race between a check and the write.
    writeFileSync(file, text, { flag: force === true ? 'w' : 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new OutputError(file, error);
    const message = 'This file exists already. --force overwrites it.';
    throw new InputError([fileProblem(file, 'file-exists', message)], undefined, 'Nothing was written.');
  }
}
