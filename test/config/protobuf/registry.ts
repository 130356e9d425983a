import type { FileRegistry } from '@bufbuild/protobuf';
import { create, createFileRegistry } from '@bufbuild/protobuf';
import type { DescriptorProto, FieldDescriptorProto } from '@bufbuild/protobuf/wkt';
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  EnumValueDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { Field } from './v2-api.js';
import { api } from './v2-api.js';

/**
 * The v2 API as a real protobuf implementation knows it, put together from the tables of fields: what it makes of JSON
 * is the measure of our own reader.
 */

const SCALARS: Readonly<Record<string, Type>> = {
  double: Type.DOUBLE,
  float: Type.FLOAT,
  int32: Type.INT32,
  int64: Type.INT64,
  uint32: Type.UINT32,
  uint64: Type.UINT64,
  bool: Type.BOOL,
  string: Type.STRING,
  bytes: Type.BYTES,
};

/** Descriptor names carry no dots: a nested `a.B.C` is declared in the one file as message `a_B_C`. */
export const flat = (name: string): string => name.replaceAll('.', '_');

const WELL_KNOWN = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

export function v2Registry(): FileRegistry {
  const file = create(FileDescriptorProtoSchema, {
    name: 'v2.proto',
    syntax: 'proto3',
    dependency: WELL_KNOWN.map(({ proto }) => proto.name),
    messageType: Object.entries(api.messages).map(([name, fields]) => descriptor(name, fields)),
    enumType: Object.entries(api.enums).map(([name, values]) =>
      create(EnumDescriptorProtoSchema, {
        name: flat(name),
        value: Object.entries(values)
          .sort(([, a], [, b]) => a - b)
          .map(([value, number]) => create(EnumValueDescriptorProtoSchema, { name: value, number })),
      }),
    ),
  });
  const set = create(FileDescriptorSetSchema, { file: [...WELL_KNOWN.map(({ proto }) => proto), file] });
  return createFileRegistry(set);
}

function descriptor(name: string, fields: readonly Field[]): DescriptorProto {
  const oneofs = [...new Set(fields.flatMap(({ oneof }) => oneof ?? []))];
  const maps = fields.filter(({ label }) => label?.startsWith('map:') === true);
  return create(DescriptorProtoSchema, {
    name: flat(name),
    field: fields.map((field) => fieldDescriptor(name, field, oneofs)),
    oneofDecl: oneofs.map((oneof) => create(OneofDescriptorProtoSchema, { name: oneof })),
    nestedType: maps.map((field) =>
      create(DescriptorProtoSchema, {
        name: entryName(field),
        options: create(MessageOptionsSchema, { mapEntry: true }),
        field: [
          create(FieldDescriptorProtoSchema, { name: 'key', number: 1, label: Label.OPTIONAL, type: Type.STRING }),
          create(FieldDescriptorProtoSchema, {
            name: 'value',
            number: 2,
            label: Label.OPTIONAL,
            ...typeOf(field.type),
          }),
        ],
      }),
    ),
  });
}

function entryName({ name }: Field): string {
  return `${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

function fieldDescriptor(owner: string, field: Field, oneofs: readonly string[]): FieldDescriptorProto {
  const { name, number, label = '', oneof } = field;
  const map = label.startsWith('map:');
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    jsonName: name.replace(/_+([^_])/g, (_, letter: string) => letter.toUpperCase()),
    label: map || label === 'repeated' ? Label.REPEATED : Label.OPTIONAL,
    ...(map ? { type: Type.MESSAGE, typeName: `.${flat(owner)}.${entryName(field)}` } : typeOf(field.type)),
    ...(oneof === undefined ? {} : { oneofIndex: oneofs.indexOf(oneof) }),
  });
}

function typeOf(type: string): { readonly type: Type; readonly typeName?: string } {
  const scalar = SCALARS[type];
  if (scalar !== undefined) return { type: scalar };
  if (type.startsWith('google.protobuf.')) return { type: Type.MESSAGE, typeName: `.${type}` };
  return { type: api.enums[type] === undefined ? Type.MESSAGE : Type.ENUM, typeName: `.${flat(type)}` };
}
