/** The messages of the proxy's configuration, by the names of their pages in the reference. */
import { addAll } from '../core/values.js';
import type { Schema, MessageInfo } from './reader.js';
import { mark, message, messageOfUrl, readInApi, typeOfUrl, apiSchema, readerOf } from './reader.js';
import { Bootstrap } from './bootstrap.js';
import { Cluster } from './cluster/cluster.js';
import { KNOWN_NAMES } from './generated/known-names.js';
import { fieldsOf } from './json-schema.js';

export type MessageSchema = Readonly<{ schema: Schema<unknown>; info: MessageInfo }>;

/** Messages of the schema document that are in no field of a cluster, its hosts, a node or a sink. */
export const standalone = (): readonly Schema<unknown>[] =>
  KNOWN_NAMES.standalone.flatMap((name) => apiSchema(name, 'v2') ?? []);

/** In fields that are newer than v2 the key is optional. */
const RuntimeDouble = message('core.RuntimeDouble');

const RuntimeDoubleWithKey = mark(
  RuntimeDouble.checked(({ runtimeKey }, fail) => {
    if (runtimeKey === '') fail('required', 'runtime_key is required in core.RuntimeDouble');
  }),
  RuntimeDouble.marks,
);

/** All that `lbsim validate --as` can check. */
export function messagesByName(): ReadonlyMap<string, Schema<unknown>> {
  const found = [...messagesBelow([Bootstrap, Cluster, ...standalone()]).values()];
  const own = found.filter(({ info }) => info.vocabulary === 'proxy');
  const named = own.map(({ schema, info }): [string, Schema<unknown>] => [info.name, schema]);
  return new Map([...named, ['core.RuntimeDouble', RuntimeDoubleWithKey]]);
}

/** A message of either API by its name or type URL; undefined: neither has it. */
export function messageNamed(written: string): Schema<unknown> | undefined {
  const known = messagesByName().get(typeOfUrl(written));
  const found = known === undefined ? messageOfUrl(written) : undefined;
  if (found === undefined) return known;
  const schema = apiSchema(found.name, found.version);
  if (schema === undefined) return undefined;
  const read = readerOf(schema);
  return mark(schema, { read: (node, walk) => readInApi(read, found.version, node, walk) });
}

export function messagesBelow(schemas: readonly Schema<unknown>[]): ReadonlyMap<string, MessageSchema> {
  const found = new Map<string, MessageSchema>();
  const open = [...schemas];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const one of messagesIn(schema)) {
      if (found.has(one.info.name)) continue;
      found.set(one.info.name, one);
      for (const field of fieldsOf(one.info)) open.push(field.schema);
    }
  }
  return found;
}

/** The messages in the type of a field: itself, its elements, its options, the known types of an Any. */
export function messagesIn(schema: Schema<unknown>): readonly MessageSchema[] {
  const { message, anyTypes, json } = schema.marks;
  if (message !== undefined) return [{ schema, info: message }];
  const found: MessageSchema[] = [];
  const take = (part: Schema<unknown>): boolean => {
    addAll(found, messagesIn(part));
    return true;
  };
  if (anyTypes !== undefined) Object.values(anyTypes).forEach(take);
  if (json !== undefined) json(take);
  else partsOf(schema).forEach(take);
  return found.filter(({ info }, index) => found.findIndex((one) => one.info === info) === index);
}

function partsOf(schema: Schema<unknown>): readonly Schema<unknown>[] {
  if (schema.marks.read !== undefined) return [];
  const form = schema.form;
  if ('inner' in form) return [form.inner];
  if (form.kind === 'list') return [form.item];
  if (form.kind === 'map') return [form.value];
  if (form.kind === 'union') return form.options;
  return form.kind === 'tuple' ? form.items : [];
}
