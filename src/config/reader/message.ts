import type { ProblemRule } from '../../core/problem.js';
import { entryOf } from '../../core/values.js';
import type { Messages } from '../api/generated/read-messages.js';
import { camel, spellings } from './letter-case.js';
import { type OwnMessage, ownSchema, plainSchema } from './api-schema.js';
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
 * A message of the proxy's configuration. Its fields are in the tables of the API, those that the simulation reads in
 * `api/read.txt`. @param name as documentation has it: `Cluster.RingHashLbConfig` of `api.v2`, other packages in full.
 */
export const message = <N extends keyof Messages>(
  name: N,
  ...rules: readonly Rule<Messages[N]>[]
): Schema<Messages[N]> =>
  rules.length === 0 ? (plainSchema(name) as Schema<Messages[N]>) : messageWith(name, { rules });

/** A {@link message} of which there is more to say than its rules. @param More fields whose types code says. */
export const messageWith = <N extends keyof Messages, More = unknown>(
  name: N,
  {
    rules = [],
    own = () => ({}),
    ...more
  }: Partial<Omit<OwnMessage, 'name' | 'rules'>> & { readonly rules?: readonly Rule<Messages[N] & More>[] },
): Schema<Messages[N] & More> => ownSchema({ name, rules, own, ...more }) as Schema<Messages[N] & More>;

/** A block of the scenario's own vocabulary: strict, and otherwise as {@link message}. */
export const block = <S extends Shape>(
  name: string,
  shape: () => S,
  options: MessageOptions<MessageOutput<S>>,
): Schema<MessageOutput<S>> =>
  new Schema<MessageOutput<S>>({ kind: 'value' }, { message: messageInfo('scenario', name, shape, options) });

/** A condition on one field, where it is set. @param problem what is wrong with its value. */
export const valid = <F extends string, V>(
  name: ProblemRule,
  field: F,
  doc: string,
  problem: (value: V) => string | undefined,
): Rule<{ readonly [K in Camel<F>]?: V | undefined }> => ({
  name,
  doc,
  reads: [field],
  check: (message, report) => {
    const value = message[camel(field) as Camel<F>];
    const found = value === undefined ? undefined : problem(value);
    if (found !== undefined) report(found, [field]);
  },
});

export function rule<T>(name: ProblemRule, reads: readonly string[], check: Rule<T>['check']): Rule<T> {
  return { name, reads, check };
}

/** Two fields that the proxy does not take together, with its words; the problem is reported at the first. */
export const exclusive = (name: ProblemRule, [one, other]: readonly [string, string], text: string): Rule<unknown> => ({
  name,
  doc: `${one} and ${other} exclude each other.`,
  reads: [],
  check: (_, report, has) => {
    if (has(one) && has(other)) report(text, [one]);
  },
});

const spelled = new WeakMap<MessageInfo, ReadonlyMap<string, string>>();

/** The names of a message's fields in either API, by each of their spellings. */
export function fieldNames(info: MessageInfo): ReadonlyMap<string, string> {
  const views = [info, info.as('v2'), info.as('v3')];
  return entryOf(spelled, info, () => spellings(views.flatMap(({ shape }) => Object.keys(shape))));
}
