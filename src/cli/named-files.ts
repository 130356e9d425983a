import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode, reasonOf } from './errors.js';
import { readWholeFile, RefusedFile } from './read-file.js';

/** Some ten million arrivals. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * The files that a scenario names. A scenario may come from a stranger: it may read only files below its own folder, links
 * resolved.
 */
export class NamedFiles {
  /** The files read so far. */
  readonly paths: string[] = [];

  /** @param anywhere the user trusts the scenario with every file. */
  constructor(private readonly anywhere: boolean) {}

  /**
   * @param path as the scenario writes it.
   * @param scenario as it was named on the command line; `-` is standard input, whose folder is the working directory.
   * @throws Error with a clause that becomes a part of a problem.
   */
  read(path: string, scenario: string): string {
    const file = this.locate(path, scenario === '-' ? '.' : dirname(scenario));
    this.paths.push(file);
    try {
      return new TextDecoder('utf-8').decode(readWholeFile(file, MAX_BYTES));
    } catch (error) {
      if (error instanceof RefusedFile) throw new Error(asClause(error.message), { cause: error });
      throw unreadable(error);
    }
  }

  /** Nothing outside of the folder is accessed, not even to see whether a file exists. */
  private locate(path: string, folder: string): string {
    const file = resolve(folder, path);
    if (this.anywhere) return file;
    if (isAbsolute(path) || !isBelow(resolve(folder), file)) throw outside();
    let real: string;
    let realFolder: string;
    try {
      realFolder = realpathSync(folder);
      real = realpathSync(file);
    } catch (error) {
      throw unreadable(error);
    }
    if (!isBelow(realFolder, real)) throw outside();
    return real;
  }
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(): Error {
  return new Error(
    'a scenario reads files below its own folder, by relative paths; --allow-outside-files lets it read any',
  );
}

function unreadable(error: unknown): Error {
  return new Error(errorCode(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error), { cause: error });
}

function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
