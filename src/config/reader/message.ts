import { entryOf } from '../../core/lists.js';
import type { ProblemRule } from '../../core/problem.js';
import { apiOf, type ApiVersion } from '../api/api.js';
import { tableName } from '../api/message-names.js';
import { camel, spellings } from './letter-case.js';
import { messageView, register } from './api-schema.js';
import { messageInfo, Schema } from './schema.js';
import type { MessageInfo, MessageOptions, Output, Rule, Shape } from './schema.js';

/** `lb_policy` → `lbPolicy`, as protobuf names fields in JSON. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

type OptionalKeys<S extends Shape> = {
  [K in keyof S]: undefined extends Output<S[K]> ? K : never;
}[keyof S];

/** The value of a message: camelCase names, fields without a default optional. */
export type MessageOutput<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>> as Camel<K & string>]: Output<S[K]>;
} & {
  readonly [K in OptionalKeys<S> as Camel<K & string>]?: Output<S[K]>;
};

/**
 * A message of the proxy's configuration. Its fields are in the table of the API; code adds only those that the simulation
 * reads.
 *
 * @param name as documentation has it: `Cluster.RingHashLbConfig` of `api.v2`, other packages in full.
 * @param shape makes its fields. It is called once, on first use.
 */
export function message<S extends Shape>(
  name: string,
  shape: () => S,
  ...rules: readonly Rule<MessageOutput<S>>[]
): Schema<MessageOutput<S>> {
  return messageWith(name, shape, { rules });
}

/** A {@link message} of which there is more to say than its rules. */
export function messageWith<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
): Schema<MessageOutput<S>> {
  const views = new Map<ApiVersion, MessageInfo>();
  const as = (version: ApiVersion): MessageInfo =>
    entryOf(views, version, () => {
      const known = tableName(name, version);
      const table = known === undefined ? undefined : apiOf(version).message(known);
      return table === undefined ? own : messageView(table, version, own, as);
    });
  const own = messageInfo('proxy', name, shape, options, as);
  // The table of a v2 message is read on demand.
  const marks = {
    get message() {
      return as('v2');
    },
  };
  const schema = new Schema<MessageOutput<S>>({ kind: 'value' }, marks);
  register(name, schema);
  return schema;
}

/** A block of the scenario's own vocabulary: strict, and otherwise as {@link message}. */
export function block<S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
): Schema<MessageOutput<S>> {
  return new Schema<MessageOutput<S>>({ kind: 'value' }, { message: messageInfo('scenario', name, shape, options) });
}

/** A condition on one field, where it is set. @param problem what is wrong with its value. */
export function valid<F extends string, V>(
  name: ProblemRule,
  field: F,
  doc: string,
  problem: (value: V) => string | undefined,
): Rule<{ readonly [K in Camel<F>]?: V | undefined }> {
  return {
    name,
    doc,
    reads: [field],
    check: (message, report) => {
      const value = message[camel(field) as Camel<F>];
      const found = value === undefined ? undefined : problem(value);
      if (found !== undefined) report(found, [field]);
    },
  };
}

/** Two fields that the proxy does not take together, with its words; the problem is reported at the first. */
export function exclusive(name: ProblemRule, [one, other]: readonly [string, string], text: string): Rule<unknown> {
  return {
    name,
    doc: `${one} and ${other} exclude each other.`,
    reads: [],
    check: (_, report, has) => {
      if (has(one) && has(other)) report(text, [one]);
    },
  };
}

const spelled = new WeakMap<MessageInfo, ReadonlyMap<string, string>>();

/** The names of a message's fields in either API, by each of their spellings. */
export function fieldNames(info: MessageInfo): ReadonlyMap<string, string> {
  const known = spelled.get(info);
  if (known !== undefined) return known;
  const views = [info, info.as('v2'), info.as('v3')];
  const names = spellings(views.flatMap(({ shape, dropped }) => [...Object.keys(shape), ...Object.keys(dropped)]));
  spelled.set(info, names);
  return names;
}
