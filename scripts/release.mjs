/**
 * `node scripts/release.mjs`: what keeps this checkout from being published, a line each; exit code 1 if there is anything.
 * `npm publish` calls it.
 *
 * OWNER stands for whoever publishes: put the owner of the repository into `repository`, `homepage`, `bugs` and `author` of
 * package.json and a name into CITATION.cff.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './files.mjs';

/**
 * @param read gives the text of a file of the project.
 * @param tag as `v0.1.0`; undefined: none is being published.
 * @returns sentences.
 */
export function obstaclesOfRelease(read, tag) {
  const manifest = JSON.parse(read('package.json'));
  const found = ['repository', 'homepage', 'bugs', 'author']
    .filter((field) => manifest[field] === undefined || JSON.stringify(manifest[field]).includes('OWNER'))
    .map((field) => `package.json: "${field}" has the placeholder OWNER, or is missing`);
  const citation = read('CITATION.cff');
  if (citation.includes('OWNER')) found.push('CITATION.cff: has the placeholder OWNER');
  const { version } = manifest;
  if (!citation.includes(`\nversion: ${version}\n`)) found.push(`CITATION.cff: its version is not ${version}`);
  const heading = read('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith(`## [${version}]`));
  if (!/\d{4}-\d{2}-\d{2}$/.test(heading ?? '')) found.push(`CHANGELOG.md: ${version} has no date`);
  if (tag !== undefined && tag !== `v${version}`) found.push(`the tag ${tag} is not that of version ${version}`);
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
  const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : undefined;
  const found = obstaclesOfRelease((file) => readFileSync(join(root, file), 'utf8'), tag);
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
