/**
 * The messages of the proxy that a simulation reads (src/config/api/read.txt), with the types that the tables of its API give
 * their fields: for the reader, which of them it keeps and what an absent one is, and for the code that uses them, TypeScript types.
 */

/** Types of single values, by their names in the tables. */
const TYPES = {
  bool: 'boolean',
  BoolValue: 'boolean',
  string: 'string',
  StringValue: 'string',
  bytes: 'Uint8Array',
  BytesValue: 'Uint8Array',
  ...of('number', ['uint32', 'UInt32Value', 'double', 'DoubleValue', 'float', 'FloatValue', 'Duration']),
  ...of('bigint', ['int32', 'int64', 'uint64', 'UInt64Value']),
  Struct: 'Struct',
  Any: 'AnyValue',
};

function of(type, names) {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/** What absent ones are. */
const ZEROS = { boolean: false, string: '', number: 0 };

export const TYPE_IMPORTS = `import type { AnyValue, Struct } from '../values.js';
`;

/** A table as text: messages with the words of their fields, and names of enumerations. */
function readTable(text) {
  const messages = new Map();
  const enums = new Map();
  let fields;
  for (const line of text.split('\n')) {
    const [first, ...words] = line.trim().split(' # ')[0].split(' ');
    if (line.startsWith(' ')) fields.set(first, words);
    else if (line.startsWith('='))
      enums.set(
        first.slice(1),
        words.map((word) => word.replace(/^[-!]|:.*$/g, '')),
      );
    else if (/^\w/.test(line)) {
      fields = new Map();
      messages.set(first, { fields, previous: words.find((word) => word.startsWith('<'))?.slice(1) });
    }
  }
  return { messages, enums };
}

/** `name`, `name?`, `name:`. */
function readWord(word) {
  const [, name, mark, ours] = /^(\w+)([!?=]?)(:?)$/.exec(word);
  return { name, mark, isOurs: ours !== '' };
}

class Types {
  constructor(read, v2, v3) {
    this.read = Object.fromEntries(
      Object.entries(read).map(([head, lines]) => {
        const [name, alias = `=${name}`] = head.split(' ');
        return [name, { table: alias.slice(1), fields: lines.join(' ').split(' ').filter(Boolean).map(readWord) }];
      }),
    );
    this.v2 = readTable(v2);
    this.v3 = readTable(v3);
  }

  /** The name of a message of a table in documentation: see src/config/api/message-names.ts. */
  shown(table) {
    const own = table.replace(/^config\.cluster\.v3\./, 'api.v2.');
    const former = this.v3.messages.get(table)?.previous ?? (this.v2.messages.has(own) ? own : table);
    const name = former.replace(/^api\.v2\./, '');
    return Object.keys(this.read).find((one) => this.read[one].table === name) ?? name;
  }

  /** Both messages of a name, of v2 and of v3. */
  tablesOf({ table }) {
    const { v2, v3 } = this;
    const former = [`api.v2.${table}`, table].find((one) => v2.messages.has(one));
    const next = [...v3.messages].find(([, { previous }]) => previous !== undefined && previous === former)?.[0];
    const later = next ?? [table, `config.cluster.v3.${table}`].find((one) => v3.messages.has(one));
    return [
      [former, v2],
      [later, v3],
    ].filter(([name]) => name !== undefined);
  }

  /** @returns `{absent, type}` of a field: in JSON what is where it is absent, and its type; undefined: code says it. */
  field(message, { name, mark, isOurs }) {
    const found = this.tablesOf(message).flatMap(([owner, api]) => {
      const words = api.messages.get(owner).fields.get(name);
      return words === undefined ? [] : [{ owner, api, words }];
    });
    const [first] = found;
    if (first === undefined) throw new Error(`read.txt: ${message.table} has no field ${name}`);
    const [, map, list, isEnum] = /^(\{\w*\})?(\[\])?(=)?/.exec(first.words[0]);
    const options = found.flatMap(({ owner, api, words }) => api.enums.get(fullName(owner, words[0])) ?? []);
    const names = [...new Set(options)];
    const one = isEnum ? names.map((option) => `'${option}'`).join(' | ') : this.type(first);
    const type = map ? `Readonly<Record<string, ${one}>>` : list ? `readonly ${one}[]` : one;
    const zero = map ? {} : list ? [] : isEnum ? names[0] : ZEROS[one];
    const absent = mark || natural(first.words, zero);
    const isOpen = absent === '?';
    return {
      absent: isOpen || absent === '!' ? absent : { zero },
      type: isOurs ? undefined : `${isOpen ? '?' : ''}: ${type}${isOpen ? ' | undefined' : ''}`,
    };
  }

  type({ owner, words }) {
    const name = fullName(owner, words[0]);
    if (TYPES[name] !== undefined) return TYPES[name];
    const shown = this.shown(name);
    return this.read[shown] === undefined ? 'unknown' : `Messages['${shown}']`;
  }
}

function fullName(owner, word) {
  const bare = word.replace(/^(?:\{\w*\})?(?:\[\])?=?/, '');
  return bare.startsWith('.') ? `${owner}${bare}` : bare;
}

/** Whether an absent field is missing, absent, or has a zero value, which a message has not, nor a field of a one-of. */
function natural([written, ...marks], zero) {
  const isOneOf = marks.some((word) => word.startsWith('oneof='));
  const isPlain = /^(?:[{[=]|(?:bool|string|bytes|u?int\d+|double|float)$)/.test(written);
  const isNeeded = marks.includes('required') || (isPlain && marks.some((word) => excludes(word, zero)));
  if (isNeeded && !isOneOf) return '!';
  return isPlain && !isOneOf ? '=' : '?';
}

/** Whether a limit says that there must be something: `len>=1`, `>0`, `items>=1`. */
function excludes(word, zero) {
  const [, unit, sign, bound] = /^(len|bytes|items)?(>=|>)(\d+)$/.exec(word) ?? [];
  if (sign === undefined || typeof zero === 'boolean') return false;
  const isMeasured = typeof zero === 'number' ? unit === undefined : unit !== undefined && zero !== undefined;
  return isMeasured && (sign === '>' || Number(bound) > 0);
}

/** By message, of each field: `!` it must be written, `?` it may be absent, or the value that it then has. */
export function readMessages(read, v2, v3) {
  const all = new Types(read, v2, v3);
  const messages = Object.entries(all.read).map(([name, message]) => {
    const fields = message.fields.map((field) => [field.name, all.field(message, field).absent]);
    return [name, Object.fromEntries(fields)];
  });
  return Object.fromEntries(messages);
}

export function typesOfMessages(read, v2, v3) {
  const all = new Types(read, v2, v3);
  const members = Object.entries(all.read).map(([name, message]) => {
    const fields = message.fields.map((field) => {
      const { type } = all.field(message, field);
      const key = field.name.replace(/_+([^_])/g, (_, letter) => letter.toUpperCase());
      return type === undefined ? '' : `    readonly ${key}${type};\n`;
    });
    return `  readonly '${name}': {\n${fields.join('')}  };\n`;
  });
  return `export interface Messages {\n${members.join('')}}\n`;
}
