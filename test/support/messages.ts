import type { z } from 'zod';
import * as messages from '../../src/config/messages.js';
import type { MessageInfo } from '../../src/config/reader/marks.js';

/** The messages in the form of a field. */
export function messagesIn(schema: z.core.$ZodType): readonly MessageInfo[] {
  return messages.messagesIn(schema).map(({ info }) => info);
}

/** All messages that can be reached, by name. */
export function messagesBelow(schemas: readonly z.core.$ZodType[]): ReadonlyMap<string, MessageInfo> {
  return new Map([...messages.messagesBelow(schemas)].map(([name, { info }]) => [name, info]));
}
