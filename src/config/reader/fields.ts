import { own } from '../../core/own.js';
import type { z } from 'zod';
import type { Severity } from '../../core/problem.js';
import type { MapEntry, MapNode, SourceNode } from '../source/document.js';
import type { Walk } from './context.js';
import { reportDuplicate } from './duplicates.js';
import { formOf } from './form.js';
import type { Has, MessageInfo, OneOf, Read, Report } from './marks.js';
import { INVALID, marksOf } from './marks.js';
import { camel, snake } from './names.js';
import { headSpan, keySpan, locate } from './place.js';
import { isNull } from './scalar-value.js';
import { describe, nearest } from './words.js';

/** Maps with known fields: messages, blocks and plain zod objects. */

export type ReaderOf = (schema: z.core.$ZodType) => Read;

interface Field {
  /** As written in files. */
  readonly name: string;
  /** As the value has it. */
  readonly key: string;
  readonly read: Read;
  readonly nullable: boolean;
  readonly absent: Absent;
  readonly remarks: readonly Remark[];
}

type Absent =
  { readonly kind: 'error' } | { readonly kind: 'omit' } | { readonly kind: 'default'; readonly value: unknown };

interface Remark {
  readonly severity: Severity;
  readonly rule: string;
  readonly text: string;
}

/** The reader of a plain `z.object`: names stay as they are. */
export function objectReader(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  rest: Read | undefined,
  readerOf: ReaderOf,
): Read {
  const fields = Object.entries(shape).map(([name, schema]) => fieldOf(name, name, schema, readerOf));
  return new FieldsReader(fields, undefined, rest).read;
}

export function messageReader(info: MessageInfo, readerOf: ReaderOf): Read {
  const fields = Object.entries(info.shape).map(([name, schema]) => fieldOf(name, camel(name), schema, readerOf));
  return new FieldsReader(fields, info, undefined).read;
}

function fieldOf(name: string, key: string, schema: z.core.$ZodType, readerOf: ReaderOf): Field {
  let absent: Absent = { kind: 'error' };
  let nullable = false;
  let inner = schema;
  for (;;) {
    const form = formOf(inner);
    if (form.kind === 'default') absent = { kind: 'default', value: form.value };
    else if (form.kind === 'optional') absent = absent.kind === 'error' ? { kind: 'omit' } : absent;
    else if (form.kind === 'nullable' || form.kind === 'any') nullable = true;
    if (!('inner' in form) || form.kind === 'pipe') break;
    inner = form.inner;
  }
  return { name, key, read: readerOf(schema), nullable, absent, remarks: remarksOn(name, schema) };
}

function remarksOn(name: string, schema: z.core.$ZodType): readonly Remark[] {
  const { deprecated, extension, noEffect } = marksOf(schema);
  const remarks: Remark[] = [];
  if (deprecated !== undefined) {
    remarks.push({ severity: 'deprecation', rule: 'deprecated', text: `${name} is deprecated: ${deprecated}` });
  }
  if (extension !== undefined) {
    remarks.push({ severity: 'note', rule: 'extension', text: `${name} is newer than the v2 schema: ${extension}` });
  }
  if (noEffect !== undefined) {
    remarks.push({ severity: 'note', rule: 'no-effect', text: `${name} has no effect in the simulation: ${noEffect}` });
  }
  return remarks;
}

type Slots = (MapEntry | undefined)[];

const NONE: ReadonlySet<string> = new Set();

class FieldsReader {
  private readonly names: readonly string[];
  /** Index of a field by each of its spellings. */
  private readonly known = new Map<string, number>();
  private readonly rules: readonly { readonly rule: MessageInfo['rules'][number]; readonly reads: readonly number[] }[];
  private readonly oneOfs: readonly { readonly oneOf: OneOf; readonly fields: readonly number[] }[];

  constructor(
    private readonly fields: readonly Field[],
    private readonly info: MessageInfo | undefined,
    /** Reads fields that are not declared; undefined: they are errors. */
    private readonly rest: Read | undefined,
  ) {
    this.names = fields.map((field) => field.name);
    for (const [index, field] of fields.entries()) this.known.set(field.name, index);
    if (info?.vocabulary === 'proxy') for (const [index, field] of fields.entries()) this.known.set(field.key, index);
    this.rules = (info?.rules ?? []).map((rule) => ({ rule, reads: rule.reads.map((name) => this.indexOf(name)) }));
    this.oneOfs = (info?.oneOfs ?? []).map((oneOf) => ({
      oneOf,
      fields: oneOf.fields.map((name) => this.indexOf(name)),
    }));
  }

  readonly read: Read = (node, walk) => {
    if (node.kind !== 'map') {
      const expected = this.info === undefined ? 'a map' : `a map (${this.info.name})`;
      return walk.error('type', `expected ${expected}, found ${describe(node)}`, node);
    }
    const { known } = walk.document;
    if (known.size > 0 && known.has(node)) return known.get(node);
    const outer = walk.vocabulary;
    if (this.info !== undefined) walk.vocabulary = this.info.vocabulary;
    const before = walk.errors;
    const value: Record<string, unknown> = {};
    const slots: Slots = [];
    const meant = this.place(node, slots, value, walk);
    const wrong = this.readFields(node, slots, value, meant, walk);
    for (const { oneOf, fields } of this.oneOfs) this.checkOneOf(oneOf, fields, slots, node, meant, walk);
    this.runRules(value, wrong, slots, node, meant, walk);
    walk.vocabulary = outer;
    return walk.errors > before ? INVALID : value;
  };

  private indexOf(name: string): number {
    const index = this.known.get(name);
    if (index === undefined) throw new TypeError(`${this.info?.name ?? 'object'} has no field ${name}`);
    return index;
  }

  /**
   * Which entry of the file each field has. Fields that are not declared go straight into the value.
   *
   * @returns fields that are misspelt, as they should be.
   */
  private place(node: MapNode, slots: Slots, value: Record<string, unknown>, walk: Walk): ReadonlySet<string> {
    let meant: Set<string> | undefined;
    for (const entry of node.entries) {
      const index = this.known.get(entry.key);
      if (index !== undefined) {
        const earlier = slots[index];
        if (earlier !== undefined) reportDuplicate(earlier, entry, this.names[index] as string, walk);
        slots[index] = entry;
      } else if (this.rest !== undefined) {
        if (Object.hasOwn(value, entry.key)) walk.error('duplicate-key', `${entry.key} is set twice`, keySpan(entry));
        // Not by assignment: a key may be `__proto__`.
        const part = walk.part(entry.key, this.rest, entry.value);
        Object.defineProperty(value, entry.key, { value: part, enumerable: true, writable: true, configurable: true });
      } else if (this.info?.open !== true) this.reportUnknown(entry, (meant ??= new Set()), walk);
    }
    return meant ?? NONE;
  }

  /** @returns indices of the fields without a sound value; undefined if all are sound. */
  private readFields(
    node: MapNode,
    slots: Slots,
    value: Record<string, unknown>,
    meant: ReadonlySet<string>,
    walk: Walk,
  ): ReadonlySet<number> | undefined {
    let wrong: Set<number> | undefined;
    for (const [index, field] of this.fields.entries()) {
      const entry = slots[index];
      if (entry === undefined || (!field.nullable && isNull(entry.value))) {
        slots[index] = undefined;
        const misspelt = meant.size > 0 && meant.has(field.name);
        if (misspelt || field.absent.kind === 'error') (wrong ??= new Set()).add(index);
        if (field.absent.kind === 'default') value[field.key] = field.absent.value;
        else if (field.absent.kind === 'error' && !misspelt) this.reportMissing(field.name, entry, node, walk);
        continue;
      }
      const errors = walk.errors;
      walk.path.push(field.name);
      for (const { severity, rule, text } of field.remarks) {
        walk.once(`${this.info?.name ?? ''}.${field.name}.${rule}`, severity, rule, text, keySpan(entry));
      }
      const part = field.read(entry.value, walk);
      walk.path.pop();
      if (part === INVALID || walk.errors > errors) (wrong ??= new Set()).add(index);
      else value[field.key] = part;
    }
    return wrong;
  }

  private reportMissing(name: string, entry: MapEntry | undefined, node: SourceNode, walk: Walk): void {
    const owner = this.info === undefined ? '' : ` in ${this.info.name}`;
    const text = `${name} is required${owner}`;
    if (entry === undefined) walk.error('required', text, headSpan(node));
    else walk.error('required', `${text}; null counts as absent`, keySpan(entry));
  }

  /** @param meant takes the field that was probably meant: nothing more is said of its absence. */
  private reportUnknown(entry: MapEntry, meant: Set<string>, walk: Walk): void {
    if (walk.full) {
      walk.error('unknown-field', '', keySpan(entry));
      return;
    }
    const owner = this.info === undefined ? 'here' : `of ${this.info.name}`;
    const hinted = entry.key === '@type' || own(this.info?.hints ?? {}, entry.key) !== undefined;
    const near = hinted ? undefined : nearest(snake(entry.key), this.names);
    if (near !== undefined) meant.add(near);
    walk.path.push(entry.key);
    const text = `${entry.key} is not a field ${owner}${this.hintOn(entry.key, near)}`;
    walk.error('unknown-field', text, keySpan(entry));
    walk.path.pop();
  }

  private hintOn(key: string, near: string | undefined): string {
    if (key === '<<') return ': merge keys are not supported, write the fields out';
    if (key === '@type') return ': it stands before resources of a management server and in typed_config; leave it out';
    const hint = own(this.info?.hints ?? {}, key);
    if (hint !== undefined) return `: ${hint}`;
    return near === undefined ? '' : ` (did you mean ${near}?)`;
  }

  private checkOneOf(
    oneOf: OneOf,
    fields: readonly number[],
    slots: Slots,
    node: MapNode,
    meant: ReadonlySet<string>,
    walk: Walk,
  ): void {
    let first: number | undefined;
    let second: number | undefined;
    for (const index of fields) {
      if (slots[index] === undefined) continue;
      if (first === undefined) first = index;
      else second ??= index;
    }
    if (first === undefined) {
      if (oneOf.required !== true || oneOf.fields.some((name) => meant.has(name))) return;
      const text = `${oneOf.name}: exactly one of ${oneOf.fields.join(', ')} must be set, found none`;
      walk.error('one-of', text, headSpan(node));
    }
    // Here ends what nearly every message has: no more than one.
    if (first === undefined || second === undefined) return;
    const earlier = slots[first];
    const later = slots[second];
    if (earlier === undefined || later === undefined) return;
    const [above, below] = earlier.keyStart <= later.keyStart ? [earlier, later] : [later, earlier];
    walk.path.push(this.names[this.known.get(below.key) ?? -1] ?? below.key);
    const text = `${below.key} cannot stand beside ${above.key}: at most one of ${oneOf.fields.join(', ')} may be set`;
    walk.error('one-of', text, keySpan(below));
    walk.path.pop();
  }

  private runRules(
    value: Readonly<Record<string, unknown>>,
    wrong: ReadonlySet<number> | undefined,
    slots: Slots,
    node: MapNode,
    meant: ReadonlySet<string>,
    walk: Walk,
  ): void {
    if (this.rules.length === 0) return;
    const has: Has = (name) => slots[this.indexOf(name)] !== undefined || meant.has(name);
    for (const { rule, reads } of this.rules) {
      if (wrong !== undefined && reads.some((index) => wrong.has(index))) continue;
      const report: Report = (message, at = [], severity = 'error', name = rule.name) => {
        walk.report(severity, name, message, locate(node, at), [...walk.path, ...at]);
      };
      rule.check(value as never, report, has);
    }
  }
}
