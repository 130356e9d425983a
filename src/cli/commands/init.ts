import { fileProblem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { existsSync } from 'node:fs';
import { isModuleName } from '../../scenario/modules/module-shape.js';
import { InputError, UsageError } from '../errors.js';
import { openOutput } from '../output/output-files.js';
import type { Session } from '../session.js';
import { TEXT as POLICY } from '../starters/generated/policy.js';
import { TEXT as POLICY_TEST } from '../starters/generated/policy-test.js';
import { TEXT as SCENARIO } from '../starters/generated/scenario.js';
import type { InitOptions } from '../program/generated/commands.js';

/** A policy with every member that there is, and its test beside it, for a file of this name. */
function policyFiles(file: string): readonly { readonly file: string; readonly text: string }[] {
  const base = file.replace(/^.*[/\\]/, '');
  const test = file.replace(/(\.[cm]?js)$/, '.test$1');
  return [
    { file, text: POLICY.replaceAll('FILE', base) },
    { file: test, text: POLICY_TEST.replaceAll('FILE', base).replaceAll('TEST', test.replace(/^.*[/\\]/, '')) },
  ];
}

export async function init(file: string, options: InitOptions, session: Session): Promise<void> {
  if (options.policy === true) return initPolicy(file, options, session);
  if (file === '-') return session.out.write(SCENARIO);
  await write(file, SCENARIO, options, session);
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
