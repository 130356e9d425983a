import type { Schema } from '../../../src/config/reader/schema.js';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/config/json-schema.js';
import type { Field } from './v2-api.js';
import { api, ourName, ours } from './v2-api.js';

/** Every message, field and enumeration of the v2 API that a cluster, its hosts, a node or a sink can have. */

/** What differs and why: everything else must agree. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  // A message without fields, as the other.
  'core.GrpcService.GoogleGrpc.ChannelCredentials.local_credentials': 'google.protobuf.Empty',
};

/** Messages that only those fields have. */
const UNUSED = new Set([
  'LoadBalancingPolicy',
  'LoadBalancingPolicy.Policy',
  'core.GrpcService.GoogleGrpc.GoogleLocalCredentials',
]);

/** Fields of ours that stand for one of the API under a neutral name. */
const NEUTRAL = new Set(['core.GrpcService.proxy_grpc']);

/** The type as the API has it: `repeated core.Address`, `map of Struct`, `UInt32Value`, `enum Cluster.LbPolicy`. */
function wanted({ type, label = '' }: Field): string {
  const base =
    api.enums[type] !== undefined ? `enum ${ourName(type)}` : ourName(type.replace(/^google\.protobuf\.(?!Empty)/, ''));
  if (label.startsWith('map:')) return `map of ${base}`;
  return label === 'repeated' ? `repeated ${base}` : base;
}

function found(schema: Schema<unknown>): string {
  const { message, typeName, values } = schema.marks;
  if (message !== undefined) return message.name;
  if (typeName !== undefined) return values === undefined ? typeName : `enum ${typeName}`;
  const form = schema.form;
  if (form.kind === 'list') return `repeated ${found(form.item)}`;
  if (form.kind === 'map') return `map of ${found(form.value)}`;
  return 'inner' in form ? found(form.inner) : form.kind;
}

describe.each(Object.entries(api.messages).filter(([name]) => !UNUSED.has(ourName(name))))('%s', (name, fields) => {
  const info = ours.get(ourName(name));

  it('is known, with every field and its type', () => {
    const own = new Map((info === undefined ? [] : fieldsOf(info)).map((field) => [field.name, found(field.schema)]));
    const missing = fields.flatMap((field) => {
      const difference = DIFFERENCES[`${ourName(name)}.${field.name}`];
      const is = own.get(field.name) ?? 'missing';
      return is === wanted(field) || difference === is ? [] : [`${field.name}: ${wanted(field)}, here ${is}`];
    });
    expect(missing).toEqual([]);
    expect(info).toBeDefined();
  });

  it('has no field that the API does not have, unless it is marked as an extension', () => {
    const names = new Set(fields.map((field) => field.name));
    const extra = (info === undefined ? [] : fieldsOf(info)).filter(
      (field) =>
        !names.has(field.name) && !NEUTRAL.has(`${ourName(name)}.${field.name}`) && field.marks.extension === undefined,
    );
    expect(extra.map((field) => field.name)).toEqual([]);
  });

  it('calls deprecated what the API calls so', () => {
    const deprecated = fields.filter((field) => field.deprecated === true).map((field) => field.name);
    const own = (info === undefined ? [] : fieldsOf(info)).filter(({ marks }) => marks.deprecated !== undefined);
    expect(own.map((field) => field.name)).toEqual(expect.arrayContaining(deprecated));
  });

  it('has its one-of groups', () => {
    const groups = new Map<string, string[]>();
    for (const { name: field, oneof } of fields) {
      if (oneof !== undefined) groups.set(oneof, [...(groups.get(oneof) ?? []), field]);
    }
    for (const group of [...groups.values()].filter((members) => members.length > 1)) {
      const own = (info?.oneOfs ?? []).some((oneOf) => group.every((field) => oneOf.fields.includes(field)));
      expect({ group, own }).toEqual({ group, own: true });
    }
  });
});

/** Our enumerations, by name. */
const enumerations = new Map([
  ...[...ours.values()].flatMap((info) =>
    fieldsOf(info).flatMap(({ schema }) => {
      const { typeName, values } = schema.marks;
      return typeName === undefined || values === undefined ? [] : [[typeName, values] as const];
    }),
  ),
]);

/** Values that the API has not. */
const OWN: readonly string[] = [
  // Policies that were added.
];

describe('enumerations', () => {
  it.each(Object.entries(api.enums).filter(([name]) => enumerations.has(ourName(name))))('%s', (name, values) => {
    const inOrder = Object.entries(values).sort(([, a], [, b]) => a - b);
    const own = enumerations.get(ourName(name))?.filter((value) => !OWN.includes(value));
    expect(own).toEqual(inOrder.map(([value]) => value));
  });

  it('all are known', () => {
    expect(Object.keys(api.enums).filter((name) => !enumerations.has(ourName(name)))).toEqual([]);
  });
});
