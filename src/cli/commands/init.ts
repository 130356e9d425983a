import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isModuleName } from '../../scenario/modules/module-shape.js';
import { InputError, type Session, UsageError, type Work } from '../session.js';
import { writeOutput } from '../output/output-files.js';
import { TEXT as POLICY } from '../starters/generated/policy.js';
import { TEXT as POLICY_TEST } from '../starters/generated/policy-test.js';
import { TEXT as SCENARIO } from '../starters/generated/scenario.js';
import type { InitOptions } from '../program/generated/commands.js';

export const initCommand: Work<'init'> = async (file, options, session) => {
  if (options.policy === true) return initPolicy(file, options, session);
  if (file === '-') return session.out.write(SCENARIO);
  await write({ [file]: SCENARIO }, options, session);
  await session.out.write(printable(`Wrote ${file}. Run it with: lbsim run ${file}`) + '\n');
};

/** A policy with every member that there is, and its test beside it. */
async function initPolicy(file: string, options: InitOptions, session: Session): Promise<void> {
  if (!isModuleName(file) || file.endsWith('.cjs'))
    throw new UsageError(`--policy writes a module: name a file such as my-policy.mjs, not ${file}`);
  const test = file.replace(/(\.[cm]?js)$/, '.test$1');
  const named = (text: string): string => text.replaceAll('FILE', basename(file)).replaceAll('TEST', basename(test));
  await write({ [file]: named(POLICY), [test]: named(POLICY_TEST) }, options, session);
  const use = `Name it in a cluster, lb_policy: ./${file}, and run it with: lbsim run FILE --allow-code`;
  await session.out.write(printable(`Wrote ${file} and ${test}. ${use}`) + '\n');
}

/** All of these files, or none where one is there already. */
async function write(texts: Readonly<Record<string, string>>, { force }: InitOptions, session: Session): Promise<void> {
  const taken = Object.keys(texts).find((file) => force !== true && existsSync(file));
  if (taken !== undefined) {
    const message = 'This file exists already. --force overwrites it.';
    throw new InputError([fileProblem(taken, 'file-exists', message)], undefined, 'Nothing was written.');
  }
  for (const [file, text] of Object.entries(texts))
    await writeOutput(text, 'init', file, { inputs: [], named: [], force }, session);
}
