/**
 * Types of results. Their facts stand in tables beside those who find them. In the documents of commands, and in what the library
 * returns, there are words beside facts, which src/words/results.yaml has: whatever has a part with words has it with them there.
 */

const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As TypeScript has it; of a list one of several texts. */
export function typeText(type) {
  if (!Array.isArray(type)) return String(type);
  const texts = type.map((one) => `'${one}'`);
  const line = texts.join(' | ');
  return line.length < WIDTH - 30 ? line : `\n  | ${texts.join('\n  | ')}`;
}

/** Where lines end. */
export const WIDTH = 120;

/** Before what it is about; a longer one has several lines. */
export function comment(words, indent = '') {
  if (words === undefined) return '';
  const one = `${indent}/** ${words.trim()} */\n`;
  if (one.length <= WIDTH) return one;
  const lines = words.trim().match(new RegExp(`.{1,${WIDTH - indent.length - 3}}(?: |$)`, 'g'));
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line.trimEnd()}\n`).join('')}${indent} */\n`;
}

const membersIn = (table) => Object.entries(table).filter(([name]) => !name.startsWith('('));

/** In a line where that is short and says all. @param room of the line. */
export function objectText(members, indent, room) {
  if (members === '') return '{}';
  const one = `{ ${members.trim().replaceAll(/;\n */g, '; ').replace(/;$/, '')} }`;
  return one.length <= room && !members.includes('/**') ? one : `{\n${members}${indent}}`;
}

/** @param readonly what stands before each, or nothing. */
export const membersText = (table, readonly, indent) =>
  membersIn(table)
    .map(([name, of]) => {
      const { type, list, words } = isTable(of) ? of : { type: of };
      const head = `${indent}${readonly}${name}: `;
      const inside = (parts) =>
        objectText(membersText(parts, readonly, `${indent}  `), indent, WIDTH - head.length - readonly.length - 3);
      const text = (lines) => lines.trim().replaceAll('\n', `\n${indent}`);
      const is = list ? `${readonly}${inside(list)}[]` : isTable(type) ? inside(type) : text(typeText(type));
      return `${comment(words, indent)}${head}${is};\n`;
    })
    .join('');

/** One of several types, which a text tells apart; several texts may have the same. */
function kindsText({ '(kinds)': kinds, '(by)': by = 'kind', '(or)': others }) {
  const each = Object.entries(kinds).map(([kind, table]) => {
    const is = typeText(kind.split(' | '));
    const members = `    readonly ${by}: ${is};\n${membersText(table, 'readonly ', '    ')}`;
    return `\n${comment(table['(words)'], '  ')}  | ${objectText(members, '  ', WIDTH - 5)}`;
  });
  return `${others === undefined ? '' : `\n  | ${others}`}${each.join('')}`;
}

const aliasOf = (name, text) => `export type ${name} =${text.startsWith('\n') ? '' : ' '}${text};\n`;

function typeOf(name, table, filled) {
  if (!isTable(table)) return aliasOf(name, typeText(table));
  const { '(words)': words, '(extends)': others, '(is)': is, '(kinds)': kinds, '(and)': and } = table;
  const members = membersText(table, (table['(filled)'] ?? filled) ? '' : 'readonly ', '  ');
  const body = members === '' ? '{}' : `{\n${members}}`;
  if (kinds !== undefined) return `${comment(words)}export type ${name} =${kindsText(table)};\n`;
  if (and !== undefined) return `${comment(words)}export type ${name} = ${and} & ${body};\n`;
  if (is !== undefined) return comment(words) + aliasOf(name, typeText(is));
  const head = `${comment(words)}export interface ${name}${others === undefined ? '' : ` extends ${others}`}`;
  return `${head} ${body}\n`;
}

const importsOf = (imports) =>
  Object.entries(imports).map(([module, names]) => {
    const what = names.startsWith('*') ? names : `{ ${names} }`;
    return `import type ${what} from '${module}';\n`;
  });

/** The types of a table: its members are read-only, unless it is `filled` by and by. */
export function resultTypes({ imports = {}, filled = false, types }) {
  const declared = Object.entries(types).map(([name, table]) => typeOf(name, table, filled));
  return [...importsOf(imports), ...declared].join('');
}

/**
 * The types of results with their words.
 * @param results tables of facts, each with the `module` that has its types, and a name for that.
 */
export function toldTypes({ imports, plain, whole, types }, results) {
  const facts = new Map(
    results.flatMap((result) => Object.entries(result.types).map(([name, table]) => [name, { ...result, table }])),
  );
  const told = new Set(Object.keys(types));
  const textOf = (of) => JSON.stringify(isTable(of) ? (of.list ?? of.type) : of);
  const isTold = ([, of]) => [...told].some((name) => new RegExp(`\\b${name}\\b`).test(textOf(of)));
  const parts = ({ table }) => (isTable(table) ? membersIn(table).filter(isTold) : []);
  for (let before = 0; before < told.size;) {
    before = told.size;
    for (const [name, one] of facts) if (parts(one).length > 0 && !plain.includes(name)) told.add(name);
  }
  const declared = [...told].map((name) => {
    const own = types[name] ?? {};
    const one = facts.get(name);
    if (one === undefined) return typeOf(name, own, own['(filled)']);
    const others = [`${one.name}.${name}`, own['(extends)'] ?? []].flat().join(', ');
    const isHere = (part) => isTold(part) || Object.hasOwn(own, part[0]);
    // What it means is said of the fact.
    const again = membersIn(one.table)
      .filter(isHere)
      .map(([part, of]) => [part, isTable(of) ? { ...of, words: undefined } : of]);
    return typeOf(name, { ...Object.fromEntries(again), ...own, '(extends)': others }, one.filled);
  });
  const modules = results.map(({ module, name }) => {
    const others = whole.includes(name) ? `export type * from '${module}';\n` : '';
    return `import type * as ${name} from '${module}';\n${others}`;
  });
  return [...importsOf(imports), ...modules, ...declared].join('');
}
