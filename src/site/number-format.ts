import { printable } from '../core/printable.js';

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const count = (value: number): string =>
  Number.isFinite(value) ? GROUPED.format(value).replaceAll(',', '\u202f') : '–';

export const counted = (value: number, singular: string, plural = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : plural}`;

/** A share of 1 as percent: `33.3 %`. */
export function percent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return '–';
  const value = share * 100;
  if (value > 0 && value < 0.5 * 10 ** -digits) return `<${(10 ** -digits).toFixed(digits)} %`;
  return `${value.toFixed(digits)} %`;
}

/** Seconds of virtual time, with a precision that fits a view of `span` seconds: `12.3 s`. */
export function seconds(value: number, span = 60): string {
  const digits = span >= 1000 ? 0 : span >= 20 ? 1 : Math.min(6, 2 - Math.floor(Math.log10(Math.max(span, 1e-6) / 2)));
  return `${value.toFixed(digits)} s`;
}

/** A time with the digits that it has: `0.25 s`. */
export const plainSeconds = (value: number): string => `${Number(value.toFixed(6))} s`;

/** From when to when, to a millisecond. */
export const span = ({ fromS, toS }: Readonly<{ fromS: number; toS: number }>): string =>
  `${plainSeconds(Number(fromS.toFixed(3)))} to ${plainSeconds(Number(toS.toFixed(3)))}`;

/** Replaces control characters and marks of direction. */
export const visible = (text: string, most = 200): string =>
  printable(text.length <= most ? text : `${text.slice(0, most - 1)}…`);

export const visibleLines = (text: string, most = 1000): string =>
  text.replaceAll(/[^\n]+/g, (line) => visible(line, most));

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** More does not fit a line. */
const MOST = 105;

/** As many clauses as fit a line, without what stands in brackets; the whole account is told beside it. */
export function headlineOf(sentence: string): string {
  if (sentence.length <= MOST) return sentence;
  const clauses = sentence.replaceAll(/ \([^()]*\)/g, '').split(/(?<=; |\. )(?![^{]*\})/);
  let said = '';
  for (const clause of clauses) {
    // A clause without its reason is one as well, but not one that says of whom the reason is.
    const [head = ''] = clause.split(/: (?![^{]*\})/);
    const more = [clause, ...(clause.startsWith('in ') ? [] : [head])].find(
      (part) => `${said}${part}`.trimEnd().length <= MOST,
    );
    said += more ?? (said === '' ? head : '');
    if (more !== clause) break;
  }
  return `${said.replace(/[;.: ]+$/, '')}.`;
}
