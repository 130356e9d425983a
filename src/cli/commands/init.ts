import { printable } from '../../core/printable.js';
import { writeFileSync } from 'node:fs';
import { errorCode, InputError, fileProblem, OutputError } from '../errors.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { STARTER } from '../starter.js';

/** `lbsim init [FILE]` */
export async function init(file: string, options: { readonly force?: boolean }, session: Session): Promise<ExitCode> {
  if (file === '-') {
    await session.out.write(STARTER);
    return ExitCode.ok;
  }
  try {
    // "wx" fails on an existing file in one step: nothing can slip in between a check and the write.
    writeFileSync(file, STARTER, { flag: options.force === true ? 'w' : 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw new OutputError(file, error);
    const message = 'This file exists already. --force overwrites it.';
    throw new InputError([fileProblem(file, 'file-exists', message)], undefined, 'Nothing was written.');
  }
  await session.out.write(printable(`Wrote ${file}. Run it with: lbsim run ${file}`) + '\n');
  return ExitCode.ok;
}
