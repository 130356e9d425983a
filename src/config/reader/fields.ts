import { own } from '../../core/values.js';
import type { ProblemRule, Severity } from '../../core/problem.js';
import type { MapEntry, MapNode, SourceNode } from '../source/document.js';
import { formerName } from '../api/message-names.js';
import * as schemas from './schema.js';
import { reportDuplicate, INVALID, type Walk, type Read } from './context.js';
import { camel, snake } from './letter-case.js';
import { headSpan, keySpan, locate } from './spans.js';
import { isNull, describe, nearest } from './error-words.js';

/** Maps with known fields: messages and blocks. */

export type ReaderOf = (schema: schemas.Schema<unknown>) => Read;

const NONE: ReadonlySet<string> = new Set();

type Field = ReturnType<typeof fieldOf>;

/** Of a field that nothing reads, a default is left out, too. */
function absentOf({ absents, shape }: schemas.MessageInfo, name: string): schemas.Absent {
  const known = absents[name];
  if (known !== undefined) return known;
  const schema = shape[name] as schemas.Schema<unknown>;
  const { absent } = schemas.whereAbsent(schema);
  return schema.marks.unread === true && absent.kind === 'default' ? { kind: 'omit' } : absent;
}

interface Remark {
  /** Reported once. */
  readonly key: string;
  readonly severity: Severity;
  readonly rule: ProblemRule;
  readonly text: string;
}

export function messageReader(info: schemas.MessageInfo, readerOf: ReaderOf): Read {
  return new FieldsReader(info, readerOf).read;
}

function fieldOf(info: schemas.MessageInfo, name: string, readerOf: ReaderOf) {
  const schema = info.shape[name] as schemas.Schema<unknown>;
  const { inner } = schemas.whereAbsent(schema);
  const { idle, lenient } = schema.marks;
  const former = formerName(name);
  return {
    /** As written in files. */
    name,
    /** Its name in v2, if it had another. */
    former: former === name ? undefined : former,
    read: readerOf(schema),
    nullable: inner.form.kind === 'any' || inner.form.kind === 'nullable',
    remarks: remarksOn(`${info.name}.${name}`, name, schema),
    schema,
    /** A mistake in it does not prevent a run: it has no effect on the simulation. */
    idle: idle === true,
    /** Unknown fields in it are no mistake. */
    lenient: lenient === true,
  };
}

function remarksOn(path: string, name: string, schema: schemas.Schema<unknown>): readonly Remark[] {
  const { deprecated, extension, noEffect, lacking } = schema.marks;
  const remarks: Remark[] = [];
  const add = (severity: Severity, rule: ProblemRule, text: string): void => {
    remarks.push({ key: `${path}.${rule}`, severity, rule, text });
  };
  if (deprecated !== undefined)
    add('deprecation', 'deprecated', `${name} is deprecated${deprecated === '' ? '' : `: ${deprecated}`}`);
  if (extension !== undefined) add('note', 'extension', `${name} is newer than the v2 schema: ${extension}`);
  if (noEffect !== undefined) add('note', 'no-effect', `${name} has no effect in the simulation: ${noEffect}`);
  if (lacking !== undefined) add('warning', 'not-simulated', notSimulated(name, lacking));
  return remarks;
}

/** The remark on a field that a proxy acts on and a simulation does not. @param lacking what it does there. */
export const notSimulated = (name: string, lacking: string): string => `${name} is not simulated: ${lacking}`;

/** A value that a field has where nobody wrote it: a proxy acts on it no more than a simulation. */
export function asksNothing(value: SourceNode, schema: schemas.Schema<unknown>): boolean {
  if (value.kind === 'list') return value.items.length === 0;
  if (value.kind !== 'scalar') return false;
  const { zero, values } = schemas.whereAbsent(schema).inner.marks;
  return value.text === 'false' || value.text === String(zero) || (values !== undefined && value.text === '0');
}

type Slots = (MapEntry | undefined)[];

/** A message while it is read. */
interface Open {
  readonly node: MapNode;
  readonly walk: Walk;
  /** The entry of each field. */
  readonly slots: Slots;
  readonly value: Record<string, unknown>;
  /** The intended names of misspelt fields. */
  readonly misspelt: ReadonlySet<string>;
  /** Indices of the fields with errors. */
  readonly wrong: Set<number>;
}

class FieldsReader {
  private readonly names = Object.keys(this.info.shape);
  /** Keys of the fields in the value. */
  private readonly keys = this.names.map((name) => camel(formerName(name)));
  private readonly absents = this.names.map((name) => absentOf(this.info, name));
  /** Most fields stand in no file: they are made where one does. */
  private readonly fields: (Field | undefined)[] = this.names.map(() => undefined);
  /** Index of a field by each of its spellings. */
  private readonly known = new Map<string, number>();
  private readonly indices = new Map<string, number>();
  private readonly checks = this.info.before ?? [];
  private readonly rules: readonly (readonly [rule: schemas.Rule<never>, reads: readonly number[]])[];
  private readonly oneOfs: readonly (readonly [oneOf: schemas.OneOf, fields: readonly number[]])[];
  /** Reused, unless a message of this kind is being read. */
  private spare: Slots | undefined;

  constructor(
    private readonly info: schemas.MessageInfo,
    private readonly readerOf: ReaderOf,
  ) {
    for (const [index, own] of this.names.entries()) {
      const names = info.vocabulary === 'proxy' ? [own, camel(own)] : [own];
      for (const name of names) this.known.set(name, index);
      // Rules use the first name of a field.
      for (const name of [own, formerName(own)]) this.indices.set(name, index);
    }
    this.rules = info.rules.map((rule) => [rule, rule.reads.flatMap((name) => this.indices.get(name) ?? [])]);
    this.oneOfs = info.oneOfs.map((oneOf) => [oneOf, oneOf.fields.map((name) => this.indexOf(name))]);
  }

  readonly read: Read = (node, walk) => {
    if (node.kind !== 'map')
      return walk.error('type', `expected a map (${this.info.name}), found ${describe(node)}`, node);
    const { known } = walk.document;
    if (known.size > 0 && known.has(node)) return known.get(node);
    const outer = walk.vocabulary;
    walk.vocabulary = this.info.vocabulary;
    for (const check of this.checks) check(node, walk);
    const before = walk.errors;
    const slots = this.spare ?? this.names.map(() => undefined);
    this.spare = undefined;
    const misspelt = this.place(node, slots, walk);
    const open: Open = { node, walk, slots, value: { ...this.info.dropped }, misspelt, wrong: new Set() };
    this.readFields(open);
    for (const [oneOf, fields] of this.oneOfs) this.checkOneOf(oneOf, fields, open);
    if (this.rules.length > 0) this.runRules(open);
    walk.vocabulary = outer;
    this.spare = slots.fill(undefined);
    return walk.errors > before ? INVALID : open.value;
  };

  private fieldAt(index: number): Field {
    return (this.fields[index] ??= fieldOf(this.info, this.names[index] as string, this.readerOf));
  }

  private indexOf(name: string): number {
    const index = this.indices.get(name);
    if (index === undefined) throw new TypeError(`${this.info.name} has no field ${name}`);
    return index;
  }

  /** Finds the entry of each field. @returns the intended names of misspelt fields. */
  private place(node: MapNode, slots: Slots, walk: Walk): ReadonlySet<string> {
    let misspelt: Set<string> | undefined;
    for (const entry of node.entries) {
      const index = this.known.get(entry.key);
      if (index !== undefined) {
        const earlier = slots[index];
        if (earlier !== undefined) reportDuplicate(earlier, entry, this.names[index] as string, walk);
        slots[index] = entry;
      } else this.reportUnknown(entry, (misspelt ??= new Set()), walk);
    }
    return misspelt ?? NONE;
  }

  private readFields({ node, walk, slots, value, misspelt, wrong }: Open): void {
    let index = -1;
    for (const name of this.names) {
      index += 1;
      const entry = slots[index];
      const field = entry && this.fieldAt(index);
      if (entry === undefined || field === undefined || (!field.nullable && isNull(entry.value))) {
        slots[index] = undefined;
        const absent = this.absents[index] as schemas.Absent;
        const isMisspelt = misspelt.size > 0 && misspelt.has(name);
        if (isMisspelt || absent.kind === 'error') wrong.add(index);
        if (absent.kind === 'default') value[this.keys[index] as string] = absent.value;
        else if (absent.kind === 'error' && !isMisspelt) this.reportMissing(this.fieldAt(index), entry, node, walk);
        continue;
      }
      const errors = walk.errors;
      walk.path.push(name);
      const { former } = field;
      if (former !== undefined) walk.document.move([...walk.path.slice(0, -1), former], [...walk.path]);
      if (field.remarks.length > 0) this.remark(field, entry, walk);
      if (field.idle) walk.idle += 1;
      if (field.lenient) walk.lenient += 1;
      const part = field.read(entry.value, walk);
      if (field.idle) walk.idle -= 1;
      if (field.lenient) walk.lenient -= 1;
      walk.path.pop();
      if (part === INVALID || walk.errors > errors) wrong.add(index);
      else value[this.keys[index] as string] = part;
    }
  }

  private remark({ remarks, schema }: Field, entry: MapEntry, walk: Walk): void {
    for (const { key, severity, rule, text } of remarks) {
      // Inside a field without effect, further notes say nothing new.
      const isLacking = rule === 'not-simulated';
      if ((severity === 'note' || isLacking) && walk.idle > 0) continue;
      if (isLacking && asksNothing(entry.value, schema)) continue;
      walk.once(key, severity, rule, text, keySpan(entry));
    }
  }

  private reportMissing({ name, idle }: Field, entry: MapEntry | undefined, node: SourceNode, walk: Walk): void {
    const text = `${name} is required in ${this.info.name}`;
    if (idle) walk.idle += 1;
    if (entry === undefined) walk.error('required', text, headSpan(node));
    else walk.error('required', `${text}; null counts as absent`, keySpan(entry));
    if (idle) walk.idle -= 1;
  }

  /** @param misspelt collects the intended field, so that its absence is not reported too. */
  private reportUnknown(entry: MapEntry, misspelt: Set<string>, walk: Walk): void {
    if (walk.full) {
      walk.error('unknown-field', '', keySpan(entry));
      return;
    }
    const owner = `of ${this.info.name}`;
    if (this.info.idle || walk.idle + walk.lenient > 0) {
      const text = `${entry.key} is not a field ${owner} as it is known here; it balances nothing`;
      walk.once('unknown-without-effect', 'note', 'unknown-field', text, keySpan(entry));
      return;
    }
    const hinted = entry.key === '@type' || own(this.info.hints, entry.key) !== undefined || this.isLater(entry.key);
    const near = hinted ? undefined : nearest(snake(entry.key), this.names);
    const text = `${entry.key} is not a field ${owner}${this.hintOn(entry.key, near)}`;
    const { errors } = walk;
    walk.report('error', 'unknown-field', text, keySpan(entry), [...walk.path, entry.key]);
    // Where unknown fields are tolerated, the intended one is missing, and only that is an error.
    if (near !== undefined && walk.errors > errors) misspelt.add(near);
  }

  /** The message has the field in v3. */
  private isLater(key: string): boolean {
    const later = this.info.as('v3');
    return later !== this.info && Object.hasOwn(later.shape, snake(key));
  }

  private hintOn(key: string, near: string | undefined): string {
    if (key === '<<') return ': merge keys are not supported, write the fields out';
    if (key === '@type') return ': it stands before resources of a management server and in typed_config; leave it out';
    const hint = own(this.info.hints, key);
    if (hint !== undefined) return `: ${hint}`;
    if (this.isLater(key)) return ': v3 has it; `--api v3`, or `api: v3` in a scenario, reads the file so';
    return near === undefined ? '' : ` (did you mean ${near}?)`;
  }

  private checkOneOf(oneOf: schemas.OneOf, fields: readonly number[], { node, walk, slots, misspelt }: Open): void {
    const set = fields.filter((index) => slots[index] !== undefined);
    if (set.length === 0) {
      if (oneOf.required !== true || walk.isUnlimited || oneOf.fields.some((name) => misspelt.has(name))) return;
      const text = `${oneOf.name}: exactly one of ${oneOf.fields.join(', ')} must be set, found none`;
      const idle = oneOf.idle === true ? 1 : 0;
      walk.idle += idle;
      walk.error('one-of-none', text, headSpan(node));
      walk.idle -= idle;
    }
    // Nearly every message has at most one.
    if (set.length < 2) return;
    const [earlier, later] = set.map((index) => slots[index]);
    if (earlier === undefined || later === undefined) return;
    const [above, below] = earlier.keyStart <= later.keyStart ? [earlier, later] : [later, earlier];
    const name = this.names[this.known.get(below.key) ?? -1] ?? below.key;
    const text = `${below.key} cannot stand beside ${above.key}: at most one of ${oneOf.fields.join(', ')} may be set`;
    walk.report('error', 'one-of', text, keySpan(below), [...walk.path, name]);
  }

  private runRules({ node, walk, slots, value, misspelt, wrong }: Open): void {
    // A field that this API does not have is not set.
    const has: schemas.Has = (name) => slots[this.indices.get(name) ?? -1] !== undefined || misspelt.has(name);
    for (const [rule, reads] of this.rules) {
      if (reads.some((index) => wrong.has(index))) continue;
      const report: schemas.Report = (message, at = [], severity = 'error', name = rule.name) => {
        const path = [...walk.path, ...at];
        const written = walk.document.written(path);
        const span = written === path ? locate(node, at) : locate(walk.document.root, written);
        walk.report(severity, name, message, span, path);
      };
      rule.check(value as never, report, has, walk.apiOf(node), String(walk.path.at(-1)));
    }
  }
}
