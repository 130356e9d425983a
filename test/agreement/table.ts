import type { Agreement, AgreementColumn } from './column.js';

/** Rows of a page: features by versions. */
export function agreementTable(columns: readonly AgreementColumn[]): string {
  const features = [...new Set(columns.flatMap(({ rows }) => rows.map(({ feature }) => feature)))];
  const rows = features.map((feature) => {
    const cells = columns.map(({ rows: found }) => cellOf(found.find((row) => row.feature === feature)));
    return `| ${[feature, ...cells].join(' | ')} |`;
  });
  return [
    `| feature | ${columns.map(({ version }) => version).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n');
}

/** `56 of 57, 40, 3 refused`. */
function cellOf(row: Agreement | undefined): string {
  if (row === undefined) return '–';
  const { tried, decided, counted, refused } = row;
  return [
    `${decided} of ${tried}`,
    ...(counted === decided ? [] : [`${counted} in statistics`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ].join(', ');
}
