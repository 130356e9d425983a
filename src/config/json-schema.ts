/**
 * From schemas to JSON Schema, draft 2020-12, so that editors complete and check what people write.
 *
 * It describes the preferred form: names in snake_case are offered and lowerCamelCase is accepted, lists are lists, except
 * that the proxy's may be nested, names of enumerations come first. What only the reader can check (rules across fields,
 * single objects for lists, text that YAML reads as a number) is left to `lbsim validate`.
 */
import { fileDefault } from '../core/defaults.js';
import { defined, entryOf } from '../core/values.js';
import type { ApiVersion } from './api/api.js';
import { camel, type JsonSchema, type MessageInfo, type Vocabulary, type Schema } from './reader.js';
import { whereAbsent } from './reader/schema.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** @param title of the whole. @param api whose fields messages of the proxy have. */
export function jsonSchema(schema: Schema<unknown>, title: string, api: ApiVersion = 'v2'): JsonObject {
  const writer = new Writer(api);
  const root = writer.of(schema);
  const body = typeof root === 'boolean' ? { not: {} } : root;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...body,
    $defs: Object.fromEntries([...writer.definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

class Writer {
  readonly definitions = new Map<string, JsonSchema>();
  private readonly names = new Map<string, object>();
  private readonly forms = new Map<string, object>();
  private vocabulary: Vocabulary = 'scenario';

  constructor(private readonly api: ApiVersion) {}

  readonly of = (schema: Schema<unknown>): JsonSchema => {
    const marks = schema.marks;
    if (marks.json !== undefined) return this.shared(marks.json(this.of), marks.typeName);
    if (marks.anyTypes !== undefined) return this.any(marks.anyTypes, marks.anyOpen === true);
    if (marks.message !== undefined) return this.reference(marks.message.as(this.api));
    if (marks.read !== undefined) return marks.typeName === 'string' ? { type: 'string' } : {};
    const form = schema.form;
    if (form.kind === 'nullable') return { anyOf: [this.of(form.inner), { type: 'null' }] };
    if ('inner' in form) return this.of(form.inner);
    switch (form.kind) {
      case 'list':
        return { type: 'array', items: this.items(this.of(form.item)) };
      case 'tuple': {
        const { length } = form.items;
        return { type: 'array', prefixItems: form.items.map(this.of), minItems: length, maxItems: length };
      }
      case 'map':
        return { type: 'object', additionalProperties: this.of(form.value) };
      case 'union':
        return { anyOf: form.options.map(this.of) };
      case 'any':
      case 'value':
        return {};
    }
  };

  /** The proxy flattens lists within lists, however deep. A scenario does not. */
  private items(item: JsonSchema): JsonSchema {
    if (this.vocabulary === 'scenario') return item;
    const owner = entryOf(this.forms, `items ${JSON.stringify(item)}`, () => ({}));
    const wanted = typeof item === 'object' && typeof item['$ref'] === 'string' ? item['$ref'].slice(8) : 'value';
    const name = this.define(owner, `items of ${wanted}`, (own) => ({
      if: { type: 'array' },
      then: { items: { $ref: `#/$defs/${own}` } },
      else: item,
    }));
    return { $ref: `#/$defs/${name}` };
  }

  /** Parts that many fields share are defined once. */
  private shared(form: JsonSchema, typeName: string | undefined): JsonSchema {
    const text = JSON.stringify(form);
    if (typeName === undefined || text.length < 90) return form;
    const owner = entryOf(this.forms, text, () => ({}));
    return { $ref: `#/$defs/${this.define(owner, typeName, () => form)}` };
  }

  private reference(info: MessageInfo): JsonSchema {
    return { $ref: `#/$defs/${this.define(info, info.name, () => this.object(info))}` };
  }

  /** A definition is made once; it may refer to itself. */
  private define(owner: object, wanted: string, make: (name: string) => JsonSchema): string {
    const slug = wanted.replace(/[^\w.@-]+/g, '-');
    let name = slug;
    for (let number = 2; ![undefined, owner].includes(this.names.get(name)); number += 1) name = `${slug}-${number}`;
    if (this.names.has(name)) return name;
    this.names.set(name, owner);
    this.definitions.set(name, true);
    this.definitions.set(name, make(name));
    return name;
  }

  private object(info: MessageInfo, extra: JsonObject = {}): JsonSchema {
    const outer = this.vocabulary;
    this.vocabulary = info.vocabulary;
    const form = this.fields(info, extra);
    this.vocabulary = outer;
    return form;
  }

  private fields(info: MessageInfo, extra: JsonObject): JsonSchema {
    const fields = fieldsOf(info);
    const proxy = info.vocabulary === 'proxy';
    const forms = fields.map((field) => [field, this.field(field)] as const);
    const properties = forms.map(([{ name }, form]) => [name, form] as const);
    // Editors offer properties, not patterns: the second spelling is accepted without being offered.
    const spellings = fields.flatMap(({ name, schema }) =>
      proxy && camel(name) !== name ? [[`^${camel(name)}$`, this.of(schema)] as const] : [],
    );
    const required = fields.filter((field) => field.required).map(({ name }) => name);
    const twice = required.filter((name) => proxy && camel(name) !== name);
    const groups = [
      ...twice.map((name) => present([name, camel(name)])),
      ...info.oneOfs.filter((group) => group.required === true).map((group) => present(bothCases(group.fields, proxy))),
    ];
    return defined({
      type: 'object',
      title: info.name,
      description: info.doc,
      properties: { ...extra, ...Object.fromEntries(properties) },
      patternProperties: spellings.length === 0 ? undefined : Object.fromEntries(spellings),
      required: required.length === twice.length ? undefined : required.filter((name) => !twice.includes(name)),
      allOf: groups.length === 0 ? undefined : groups,
      dependentSchemas: exclusions(info),
      additionalProperties: info.idle ? undefined : false,
    });
  }

  private field(field: FieldFacts): JsonSchema {
    const form = this.of(field.schema);
    const { deprecated, extension, noEffect, lacking } = field.marks;
    const remarks = [
      field.doc,
      deprecated === undefined ? '' : `Deprecated: ${deprecated}.`,
      extension === undefined ? '' : `Newer than the v2 schema: ${extension}.`,
      noEffect === undefined ? '' : `No effect in the simulation: ${noEffect}.`,
      lacking === undefined ? '' : `Not simulated: ${lacking}.`,
    ];
    return defined({
      ...(typeof form === 'boolean' ? { not: form ? undefined : {} } : form),
      description: remarks.filter((remark) => remark !== '').join(' '),
      deprecated: deprecated === undefined ? undefined : true,
      default: field.jsonDefault,
    });
  }

  /** A known type is checked like its message, with `@type` beside its fields. */
  private any(types: Readonly<Record<string, Schema<unknown>>>, open: boolean): JsonSchema {
    const known = Object.entries(types).flatMap(([type, schema]) => {
      const info = schema.marks.message?.as(this.api);
      if (info === undefined) return [];
      const extra = { '@type': { type: 'string' } };
      const name = this.define(schema, `${info.name}@any`, () => this.object(info, extra));
      const pattern = `(?:^|/)(?:(?:envoy|proxy)\\.)?(?:api\\.v2\\.)?${type.replaceAll('.', '\\.')}$`;
      return [{ if: { properties: { '@type': { pattern } }, required: ['@type'] }, then: { $ref: `#/$defs/${name}` } }];
    });
    const base = defined({
      type: 'object',
      properties: { '@type': { type: 'string' } },
      required: open ? undefined : ['@type'],
    }) as JsonObject;
    return known.length === 0 ? base : { ...base, allOf: known };
  }
}

const bothCases = (names: readonly string[], proxy: boolean): readonly string[] =>
  proxy ? [...new Set(names.flatMap((name) => [name, camel(name)]))] : names;

const present = (names: readonly string[]): JsonSchema =>
  names.length === 1 ? { required: names } : { anyOf: names.map((name) => ({ required: [name] })) };

function exclusions({ oneOfs, vocabulary }: MessageInfo): JsonObject | undefined {
  if (oneOfs.length === 0) return undefined;
  const proxy = vocabulary === 'proxy';
  const entries = oneOfs.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const others = bothCases(
        fields.filter((other) => other !== field),
        proxy,
      );
      const none = { properties: Object.fromEntries(others.map((other) => [other, false])) };
      return others.length === 0 ? [] : bothCases([field], proxy).map((name) => [name, none] as const);
    }),
  );
  return Object.fromEntries(entries);
}

export type FieldFacts = ReturnType<typeof fieldsOf>[number];

export const fieldsOf = ({ shape, docs }: MessageInfo) =>
  Object.entries(shape).map(([name, schema]) => {
    const { absent, inner } = whereAbsent(schema);
    const { typeName = '' } = inner.marks;
    const { marks } = schema;
    const value = absent.kind === 'default' ? absent.value : undefined;
    return {
      name,
      marks,
      doc: docs[name] ?? marks.doc ?? '',
      /** Its type, without what makes it optional. */
      schema: inner,
      required: absent.kind === 'error',
      /** The value of an absent field as in files; undefined: none, or an obvious one. */
      jsonDefault: marks.byDefault === undefined ? ofValue(value, typeName) : fileDefault(typeName, marks.byDefault),
    };
  });

/** Durations are µs in values and text in files; obvious zero values are left out. */
function ofValue(value: unknown, typeName: string): string | number | boolean | undefined {
  if (/^duration$/i.test(typeName)) return typeof value === 'number' ? `${value / 1e6}s` : undefined;
  if (typeof value === 'bigint') return value === 0n ? undefined : String(value);
  if (typeof value === 'string' || typeof value === 'number') return value === '' || value === 0 ? undefined : value;
  return value === true ? true : undefined;
}
