/**
 * The proxy's API as data: the fields of each message, their types and limits.
 *
 * A table (`v2.txt`, `v3.txt`) has one line per message, one line per field below it, and one line per
 * enumeration:
 *
 * ```text
 * config.cluster.v3.Cluster.RingHashLbConfig <api.v2.Cluster.RingHashLbConfig
 *  minimum_ring_size UInt64Value <=8388608
 *  hash_function =.HashFunction defined
 * =config.cluster.v3.Cluster.RingHashLbConfig.HashFunction XX_HASH MURMUR_HASH_2
 * ```
 *
 * After a message's name: `<` and the message of the former API that it continues, `!` and a one-of of which one field must
 * be set. A field has its type (`[]` repeated, `{}` a map, `=` an enumeration, a leading `.` a name inside the message),
 * then its marks, then its limits (protoc-gen-validate's rules, a word each). Enumerations count from 0; `:5` sets a
 * number, `-` is deprecated, `!` is refused by the proxy.
 *
 * After ` # ` comes our documentation of a message, a field or an enumeration: first a sentence, then `default:` (as in
 * files, or in words), `idle:` (why it has no effect on a run), `lacking:` (not simulated: what it does in a proxy),
 * `instead:` (what replaces something deprecated) and `since:` (the first proxy with it, where that is newer than v2);
 * for an enumeration, remarks on single names.
 */
import { entryOf } from '../../core/values.js';
import { tableOf } from './table-text.js';

export type ApiVersion = 'v2' | 'v3';

export type ApiField = ReturnType<typeof readField>;

/** What stands behind ` # ` in a table, see above. */
export interface Texts {
  /** Absent: only its name and type are known. */
  readonly doc?: string;
  /** The value of an absent field, as in files or in words. */
  readonly byDefault?: string;
  readonly noEffect?: string;
  readonly lacking?: string;
  readonly instead?: string;
  readonly since?: string;
}

export type ApiMessage = ReturnType<typeof readMessage>;

type ApiEnum = Readonly<ReturnType<typeof readEnum>>;

const SCALAR = /^(?:bool|bytes|double|float|string|u?int(?:32|64))$/;

/** One version of the API. Messages are made on demand. */
export class Api {
  /** Offset of the lines of each message, by name. */
  private readonly heads = new Map<string, number>();
  private readonly enumHeads = new Map<string, number>();
  private readonly messages = new Map<string, ApiMessage>();
  private readonly enums = new Map<string, ApiEnum>();

  constructor(private readonly table: string) {
    for (let at = 0; at < table.length; at = lineEnd(table, at) + 1) {
      const first = table.charCodeAt(at);
      if (first === SPACE) continue;
      const end = lineEnd(table, at);
      const space = table.indexOf(' ', at);
      const nameEnd = space === -1 || space > end ? end : space;
      if (first === EQUALS) this.enumHeads.set(table.slice(at + 1, nameEnd), at);
      else this.heads.set(table.slice(at, nameEnd), at);
    }
  }

  get names(): readonly string[] {
    return [...this.heads.keys()];
  }

  has(name: string): boolean {
    return this.heads.has(name);
  }

  /** The message of the former API that a message continues, without reading its fields. */
  previousOf(name: string): string | undefined {
    const head = this.heads.get(name);
    return head === undefined ? undefined : /^\S+ <(\S+)/.exec(this.table.slice(head, lineEnd(this.table, head)))?.[1];
  }

  /** @param name full, without `envoy.`; undefined: the API has no such message. */
  message(name: string): ApiMessage | undefined {
    const head = this.heads.get(name);
    return head === undefined ? undefined : entryOf(this.messages, name, () => readMessage(this.table, head));
  }

  /** @param name full, without `envoy.`; undefined: the API has no such enumeration. */
  enumOf(name: string): ApiEnum | undefined {
    const head = this.enumHeads.get(name);
    const line = (at: number): string => this.table.slice(at, lineEnd(this.table, at));
    return head === undefined ? undefined : entryOf(this.enums, name, () => readEnum(line(head)));
  }
}

const SPACE = 0x20;
const EQUALS = 0x3d;

function lineEnd(table: string, at: number): number {
  const end = table.indexOf('\n', at);
  return end === -1 ? table.length : end;
}

/** Texts beyond ASCII are escaped in the command's tables, see src/cli/tables-on-disk.ts: that makes reading them half the work. */
function partsOf(line: string): readonly string[] {
  const [declared = '', ...texts] = line.split(' # ');
  const unitOf = (_: string, unit: string): string => String.fromCharCode(Number.parseInt(unit, 16));
  return [declared, ...texts.map((text) => text.replace(/\\u(....)/g, unitOf))];
}

function readMessage(table: string, head: number) {
  let end = lineEnd(table, head);
  const [line = '', ...texts] = partsOf(table.slice(head, end));
  const [name = '', ...marks] = line.split(' ');
  const fields: ApiField[] = [];
  while (table.charCodeAt(end + 1) === SPACE) {
    const at = end + 2;
    end = lineEnd(table, at);
    fields.push(readField(table.slice(at, end), name));
  }
  return {
    /** Without `envoy.`. */
    name,
    fields: fields as readonly ApiField[],
    /** Of these groups exactly one field must be set. */
    requiredOneOfs: marks.filter((mark) => mark.startsWith('!')).map((mark) => mark.slice(1)),
    texts: readTexts(texts),
  };
}

const TAGS: Readonly<Record<string, keyof Texts>> = { default: 'byDefault', idle: 'noEffect' };

function readTexts(parts: readonly string[]): Texts {
  const texts = parts.map((part) => {
    const [, tag = 'doc', text = part] = /^(default|idle|lacking|instead|since): (.*)$/.exec(part) ?? [];
    return [TAGS[tag] ?? tag, text] as const;
  });
  return Object.fromEntries(texts);
}

function readField(text: string, owner: string) {
  const [line = '', ...texts] = partsOf(text);
  const [name = '', written = '', ...words] = line.split(' ');
  const [, map, list, isEnum, bare = ''] = /^(\{\w*\})?(\[\])?(=)?(.*)$/.exec(written) ?? [];
  const type = bare.startsWith('.') ? `${owner}${bare}` : bare;
  const has = (mark: string): boolean => words.includes(mark);
  return {
    /** As written in files, snake_case. */
    name,
    label: map !== undefined ? 'map' : list !== undefined ? 'repeated' : 'one',
    /** Of a map: the scalar type of its keys. */
    keyType: map === undefined || map === '{}' ? 'string' : map.slice(1, -1),
    kind: isEnum !== undefined ? 'enum' : SCALAR.test(type) ? 'scalar' : type.includes('.') ? 'message' : 'well-known',
    /** A scalar (`uint32`), a well-known type (`Duration`), or the full name of a message or enumeration. */
    type,
    oneOf: words.find((word) => word.startsWith('oneof='))?.slice('oneof='.length),
    deprecated: has('deprecated'),
    /** Keys, tokens, passwords: never shown. */
    sensitive: has('sensitive'),
    required: has('required'),
    /** A word each, as the table has them. */
    limits: words.filter((word) => !MARKS.has(word) && !word.startsWith('oneof=')),
    texts: readTexts(texts),
  } as const;
}

const MARKS: ReadonlySet<string> = new Set(['deprecated', 'disallowed', 'sensitive', 'required']);

function readEnum(text: string) {
  const [line = '', ...texts] = partsOf(text);
  let next = 0;
  const values = line
    .split(' ')
    .slice(1)
    .map((word) => {
      const [, mark, name = '', number] = /^([-!]?)(\w+)(?::(-?\d+))?$/.exec(word) ?? [];
      const value = { name, number: number === undefined ? next : Number(number) };
      next = value.number + 1;
      return { ...value, deprecated: mark !== '' };
    });
  const advice = texts.map((one) => one.split(': ')).map(([name = '', ...rest]) => [name, rest.join(': ')] as const);
  return { values, advice: Object.fromEntries(advice) };
}

const apis = new Map<ApiVersion, Api>();

export const apiOf = (version: ApiVersion): Api => entryOf(apis, version, () => new Api(tableOf(version)));
