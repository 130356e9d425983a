import { displayWidth, type Paint } from '../../src/report/layout.js';

/** Marks of styles, as a terminal has them, so that they have no width. They nest nowhere in a report. */
const ESCAPE = '\u001b';
const END = `${ESCAPE}[0m`;
const MARKS = {
  strong: `${ESCAPE}[1m`,
  faint: `${ESCAPE}[2m`,
  good: `${ESCAPE}[32m`,
  bad: `${ESCAPE}[31m`,
  odd: `${ESCAPE}[33m`,
  bar: `${ESCAPE}[36m`,
} as const satisfies Record<keyof Paint, string>;

const MARK = new RegExp(`(${ESCAPE}\\[\\d+m)`);

const STYLES: Readonly<Record<string, string>> = {
  [MARKS.strong]: 'fill="#ffffff" font-weight="bold"',
  [MARKS.faint]: 'fill="#8b949e"',
  [MARKS.good]: 'fill="#3fb950"',
  [MARKS.bad]: 'fill="#ff7b72"',
  [MARKS.odd]: 'fill="#d29922"',
  [MARKS.bar]: 'fill="#39c5cf"',
};

/** Paints a report so that {@link terminalPicture} can tell its parts apart. */
export const MARKING_PAINT: Paint = {
  strong: marked('strong'),
  faint: marked('faint'),
  good: marked('good'),
  bad: marked('bad'),
  odd: marked('odd'),
  bar: marked('bar'),
};

const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 8.43;
const MARGIN = 20;
const TITLE_HEIGHT = 36;

/** A terminal that shows `command` and what it printed, as SVG. */
export function terminalPicture(command: string, output: string, columns: number): string {
  const lines = [`${MARKS.faint}$${END} ${command}`, '', ...output.trimEnd().split('\n')];
  const width = Math.ceil(columns * CHARACTER_WIDTH + 2 * MARGIN);
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + MARGIN;
  const rows = lines
    .map((line, index) => row(line, TITLE_HEIGHT + (index + 1) * LINE_HEIGHT))
    .filter((text) => text !== '');
  const dots = ['#ff5f56', '#ffbd2e', '#27c93f'].map(
    (fill, index) => `<circle cx="${MARGIN + index * 20}" cy="18" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14" fill="#c9d1d9">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** One line; each stretch is as wide as its characters, whatever the font. */
function row(line: string, y: number): string {
  const spans: string[] = [];
  let column = 0;
  let style = '';
  for (const part of line.split(MARK)) {
    if (part === END) style = '';
    else if (part in STYLES) style = ` ${STYLES[part] ?? ''}`;
    else {
      for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g)) {
        const at = column + displayWidth(part.slice(0, index));
        const x = (MARGIN + at * CHARACTER_WIDTH).toFixed(1);
        const wide = (displayWidth(text) * CHARACTER_WIDTH).toFixed(1);
        spans.push(
          `<tspan x="${x}" textLength="${wide}" lengthAdjust="spacingAndGlyphs"${style}>${escaped(text)}</tspan>`,
        );
      }
      column += displayWidth(part);
    }
  }
  return spans.length === 0 ? '' : `<text y="${y}" xml:space="preserve">${spans.join('')}</text>`;
}

function marked(name: keyof typeof MARKS): (text: string) => string {
  return (text) => `${MARKS[name]}${text}${END}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
