import { EVIDENCE } from '../../src/core/generated/evidence.js';
import { minorOf, NEWEST_MINOR, type Quirk } from '../../src/core/version.js';
import { QUIRKS } from '../../src/core/generated/quirks.js';
import { releasesOf } from '../../src/words/versions.js';

/** The tables of versions and of what differs between them. */
export function versionTables(): string {
  const since = Object.keys(EVIDENCE).map(minorOf);
  const rows = Object.values(EVIDENCE).map(({ api, evidence }, index) => {
    const [first = 0, next = NEWEST_MINOR + 1] = since.slice(index);
    const to = next - 1 === first ? '' : ` to \`1.${next - 1}\``;
    return `| \`1.${first}\`${to} | ${api} | ${evidence} |`;
  });
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
