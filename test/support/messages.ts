import * as messages from '../../src/config/messages.js';
import type { MessageInfo, Schema } from '../../src/config/reader/schema.js';

/** The messages in the form of a field. */
export function messagesIn(schema: Schema<unknown>): readonly MessageInfo[] {
  return messages.messagesIn(schema).map(({ info }) => info);
}

/** All messages that can be reached, by name. */
export function messagesBelow(schemas: readonly Schema<unknown>[]): ReadonlyMap<string, MessageInfo> {
  return new Map([...messages.messagesBelow(schemas)].map(([name, { info }]) => [name, info]));
}
