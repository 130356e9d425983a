import { fileProblem } from '../core/problem.js';
import { join } from 'node:path';
import { InputError } from './errors.js';
import { inputFiles } from './input-files.js';

const WILD = /[*?]/;

/**
 * The files of an argument, as {@link inputFiles}; of a pattern that the shell did not expand, as `scenarios/**` or
 * `tests/*.yaml`, all matches. `**` reaches into folders, `*` and `?` do not.
 *
 * @throws InputError where nothing matches.
 */
export function globFiles(argument: string): readonly string[] {
  if (!WILD.test(argument)) return inputFiles(argument);
  const parts = argument.split('/');
  const wild = parts.findIndex((part) => WILD.test(part));
  const folder = parts.slice(0, wild).join('/');
  const base = folder === '' && !argument.startsWith('/') ? '.' : folder === '' ? '/' : folder;
  const pattern = new RegExp(`^${parts.map(expressionOf).join('/').replaceAll('.*/', '(?:.*/)?')}$`);
  const files = inputFiles(base).filter((file) => pattern.test(join(file)));
  if (files.length > 0) return files;
  const message = `No *.yaml, *.yml or *.json file matches this pattern.`;
  throw new InputError([fileProblem(argument, 'no-files', message)]);
}

function expressionOf(part: string): string {
  if (part === '**') return '.*';
  return part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
