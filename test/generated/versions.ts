import { AFTER_V2, type Quirk } from '../../src/core/quirks.js';
import { QUIRKS } from '../../src/core/generated/quirks.js';
import { DEFAULT_PROXY_VERSION, VERSIONS } from '../../src/core/version.js';

/** The tables of versions and of what differs between them. */
export function versionTables(): string {
  const rows = Object.entries(VERSIONS).map(
    ([version, { api, evidence }]) =>
      `| \`${version}\`${version === DEFAULT_PROXY_VERSION ? ' (default)' : ''} | ${api} | ${evidence} |`,
  );
  const quirks = Object.values<Quirk>(QUIRKS).map(
    (quirk) => `| ${quirk.what} | ${releasesOf(quirk)} | ${quirk.evidence} |`,
  );
  return [
    '| version | API | evidence |',
    '|---|---|---|',
    ...rows,
    '',
    'Where they differ:',
    '',
    '| what | releases | evidence |',
    '|---|---|---|',
    ...quirks,
  ].join('\n');
}

/** From which release to which, for people. */
export function releasesOf({ first, last }: Quirk): string {
  if (first === AFTER_V2) return 'after 1.17';
  if (first === undefined) return `to ${last ?? ''}`;
  return last === undefined ? `since ${first}` : `${first} to ${last}`;
}
