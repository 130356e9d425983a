import { fileProblem } from '../../core/problem.js';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, reasonOf } from '../errors.js';

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

/** Extensions of scenarios and of proxy configuration. */
const SUFFIX = /\.(ya?ml|json)$/i;

/**
 * The files of an argument: itself, or all YAML and JSON files below a directory, in alphabetical order. Hidden entries,
 * `node_modules`, pipes and devices are skipped, links to directories are not followed.
 *
 * @throws InputError where a directory has none, or cannot be listed.
 */
export function inputFiles(argument: string): readonly string[] {
  if (argument === '-' || !isDirectory(argument)) return [argument];
  const files: string[] = [];
  collect(argument, files);
  if (files.length === 0) {
    const message = 'There is no *.yaml, *.yml or *.json file in this directory.';
    throw new InputError([fileProblem(argument, 'no-files', message)]);
  }
  return files;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A file or a link to one: a named pipe or a device is read only when named explicitly. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A dangling link is reported, not skipped.
    return true;
  }
}

function collect(directory: string, files: string[]): void {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const message = `This directory cannot be read: ${reasonOf(error)}.`;
    throw new InputError([fileProblem(directory, 'unreadable', message)]);
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) collect(path, files);
    else if (SUFFIX.test(entry.name) && isFile(path)) files.push(path);
  }
}
