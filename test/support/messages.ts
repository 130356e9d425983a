import type { z } from 'zod';
import { formOf } from '../../src/config/reader/form.js';
import type { MessageInfo } from '../../src/config/reader/marks.js';
import { marksOf } from '../../src/config/reader/marks.js';
import { fieldsOf } from '../../src/config/schema-fields.js';

/** The messages in the form of a field: itself, of its elements, of its options, of what an Any may be. */
export function messagesIn(schema: z.core.$ZodType): readonly MessageInfo[] {
  const { message, anyTypes, json } = marksOf(schema);
  if (message !== undefined) return [message];
  const found: MessageInfo[] = [];
  const take = (part: z.core.$ZodType): boolean => {
    found.push(...messagesIn(part));
    return true;
  };
  if (anyTypes !== undefined) Object.values(anyTypes).forEach(take);
  if (json !== undefined) json(take);
  else partsOf(schema).forEach(take);
  return [...new Set(found)];
}

/** All messages that can be reached, by name. */
export function messagesBelow(schemas: readonly z.core.$ZodType[]): ReadonlyMap<string, MessageInfo> {
  const found = new Map<string, MessageInfo>();
  const open = [...schemas];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const info of messagesIn(schema)) {
      if (found.has(info.name)) continue;
      found.set(info.name, info);
      open.push(...fieldsOf(info).map((field) => field.schema));
    }
  }
  return found;
}

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (marksOf(schema).read !== undefined) return [];
  const form = formOf(schema);
  if ('inner' in form) return [form.inner];
  if (form.kind === 'list') return [form.item];
  if (form.kind === 'map') return [form.value];
  if (form.kind === 'union') return form.options;
  return form.kind === 'tuple' ? form.items : [];
}
