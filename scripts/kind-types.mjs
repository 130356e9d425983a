/**
 * Types of tables that say of each kind of a fact what it has, or of each field what it is: `is` says what it means, in the place of a
 * comment, and a question mark behind a name that it may be absent.
 */

const LINE = 120;

const comment = (words, indent) => (words === undefined ? '' : `${indent}/** ${words} */\n`);

/** A field is its type, or that with what it means; or it `has` fields itself. */
const fieldOf = ([name, of], mark) => {
  const { type, is, has } = typeof of === 'string' ? { type: of } : of;
  return { is, head: `${mark}${name}: `, type, has: has && Object.entries(has).map((field) => fieldOf(field, mark)) };
};

const lineOf = ({ head, type, has }, indent) => `${head}${has === undefined ? type : braces(has, indent, 0)};`;

/** Fields in braces: on one line, where they fit and nothing is said of them. */
function braces(fields, indent, room) {
  const line = `{ ${fields
    .map((one) => lineOf(one, indent))
    .join(' ')
    .slice(0, -1)} }`;
  if (line.length <= room && fields.every(({ is, has }) => is === undefined && has === undefined)) return line;
  const inner = `${indent}  `;
  return `{\n${fields.map((one) => `${comment(one.is, inner)}${inner}${lineOf(one, inner)}\n`).join('')}${indent}}`;
}

/**
 * A union of kinds: of each what it means, what it `has`, and `also` all that other types have.
 * @param others members that are written already. @param within another type, which each of them has, too. @param around each: another type, of the kind and its fields; absent: an object that has its kind, too.
 */
export function unionOf(name, words, kinds, around, { others = '', within } = {}) {
  const members = Object.entries(kinds).map(([kind, { is, has = {}, also }]) => {
    const fields = Object.entries(has).map((field) => fieldOf(field, around === undefined ? 'readonly ' : ''));
    const own = around === undefined ? [fieldOf(['kind', `'${kind}'`], 'readonly '), ...fields] : fields;
    const [before, behind] = around === undefined ? ['', ''] : [`${around}<'${kind}', `, '>'];
    // What stands around the braces: `  | `, the other type, parentheses.
    const outside =
      4 + before.length + behind.length + (also === undefined ? 0 : also.length + 3 + (behind === '' ? 2 : 0));
    const inner = own.length === 0 ? undefined : braces(own, '    ', LINE - outside);
    const all =
      (around === undefined ? [inner, also] : [also, inner]).filter((part) => part !== undefined).join(' & ') ||
      'Readonly<Record<string, never>>';
    const wrapped = around === undefined && also !== undefined ? `(${all})` : all;
    return `${comment(is, '  ')}  | ${before}${wrapped}${behind}`;
  });
  return `${comment(words, '')}export type ${name} =${within === undefined ? '' : ` ${within} & (`}\n${others}${members.join('\n')}${within === undefined ? '' : '\n)'};\n`;
}

/** A type of fields, what each is where nothing says so, and the words that some may be, as constants. */
export function valuesOf(name, words, fields, [usual, options]) {
  const typed = Object.entries(fields).map(([field, { is, words: choices = [], type }]) => {
    const union = [...choices.map((word) => `'${word}'`), type ?? []].flat().join(' | ');
    return fieldOf([field, { is, type: union }], 'readonly ');
  });
  const values = Object.entries(fields).map(([field, { value }]) => `  ${field}: ${literal(value)},\n`);
  const chosen = Object.entries(fields).flatMap(([field, { words: choices }]) => (choices ? [[field, choices]] : []));
  return `${comment(words, '')}export interface ${name} ${braces(typed, '', 0)}

export const ${usual}: ${name} = {\n${values.join('')}};

export const ${options} = ${JSON.stringify(Object.fromEntries(chosen))} as const;
`;
}

const literal = (value) => (value === Infinity ? 'Infinity' : String(JSON.stringify(value)));
