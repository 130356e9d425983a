/** Types of tables whose kinds or fields have more beside them than their types: the words that say them, or what they are where nothing is said. */
import { comment, membersText, objectText, typeText, WIDTH } from './result-types.mjs';

const OUTSIDE = '    ';

/**
 * A union of kinds: of each what it has, as in tables of results, `(and)` all that another type has.
 * @param within another type, which each of them has, too.
 */
export function unionOf(name, words, kinds, within) {
  const members = Object.entries(kinds).map(([kind, { '(words)': is, '(and)': and, ...has }]) => {
    const own = `${OUTSIDE}readonly kind: '${kind}';\n${membersText(has, 'readonly ', OUTSIDE)}`;
    const room = WIDTH - (and === undefined ? 5 : and.length + 10);
    const inner = objectText(own, '  ', room);
    return `${comment(is, '  ')}  | ${and === undefined ? inner : `(${inner} & ${and})`}\n`;
  });
  const [before, behind] = within === undefined ? ['', ''] : [` ${within} & (`, ')'];
  return `${comment(words)}export type ${name} =${before}\n${members.join('')}${behind};\n`;
}

/** As `unionOf`, of steps. @param others that are written already. */
export function stepsUnion(name, words, kinds, others = []) {
  const members = Object.entries(kinds).map(([kind, { '(words)': is, '(and)': and, ...has }]) => {
    const own = membersText(has, '', OUTSIDE);
    const head = `  | Step<'${kind}', ${and === undefined || own === '' ? '' : `${and} & `}`;
    const none = and ?? 'Readonly<Record<string, never>>';
    return `${comment(is, '  ')}${head}${own === '' ? none : objectText(own, '  ', WIDTH - head.length - 1)}>\n`;
  });
  return `${comment(words)}export type ${name} =\n${others.map((one) => `  | ${one}\n`).join('')}${members.join('')};\n`;
}

/** A type of fields, what each is where nothing says so, and the words that some may be, as constants. */
export function valuesOf(name, fields, [usual, options]) {
  const typed = Object.entries(fields).map(([field, { type, or, words }]) => [
    field,
    { type: [typeText(type), or ?? []].flat().join(' | '), words },
  ]);
  const values = Object.entries(fields).map(([field, { value }]) => `  ${field}: ${literal(value)},\n`);
  const chosen = Object.entries(fields).filter(([, { type }]) => Array.isArray(type));
  return `export interface ${name} {
${membersText(Object.fromEntries(typed), 'readonly ', '  ')}}

export const ${usual}: ${name} = {\n${values.join('')}};

export const ${options} = ${JSON.stringify(Object.fromEntries(chosen.map(([field, { type }]) => [field, type])))} as const;
`;
}

const literal = (value) => (value === Infinity ? 'Infinity' : String(JSON.stringify(value)));
