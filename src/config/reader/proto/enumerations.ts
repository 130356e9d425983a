import { own } from '../../../core/own.js';
import type { ScalarNode, SourceNode } from '../../source/document.js';
import type { Walk, Invalid } from '../context.js';
import type { Schema } from '../schema.js';
import { protobuf, reading } from '../combinators.js';
import { describe, didYouMean } from '../error-words.js';
import { integerOf, integerText } from './integers.js';
import { anyCase, plainKind, yamlInteger } from './plain-scalars.js';

export interface EnumOptions<Name extends string> {
  /** What replaces a value, by its name: reported where it is used. */
  readonly deprecated?: Partial<Readonly<Record<Name, string>>>;
  /** The message about a common wrong name. */
  readonly hints?: Readonly<Record<string, string>>;
  /** The proxy does not check the number: one that has no name counts as 0. */
  readonly open?: boolean;
}

/** By name in any case, or by number; absent, it is the value with number 0. */
export function enumeration<const V extends Readonly<Record<string, number>>>(
  typeName: string,
  values: V,
  options: EnumOptions<keyof V & string> = {},
): Schema<keyof V & string> {
  type Name = keyof V & string;
  const names = Object.keys(values) as Name[];
  const byName = new Map<string, Name>(names.map((name) => [name.toUpperCase(), name]));
  const byNumber = new Map<number, Name>(names.map((name) => [values[name] as number, name]));
  const read = (node: SourceNode, walk: Walk): Name | Invalid => {
    const expected = (): string => `expected one of ${names.join(', ')}, found ${describe(node)}`;
    if (node.kind !== 'scalar') return walk.error('type', expected(), node);
    const named = byName.get(node.text) ?? byName.get(node.text.toUpperCase());
    if (named === undefined && plainKind(node, walk) === 'bool') return walk.error('type', expected(), node);
    const number = named === undefined ? enumNumber(node, walk) : undefined;
    const name = named ?? (number === undefined ? undefined : byNumber.get(Number(number)));
    if (name === undefined && options.open === true && number !== undefined && BigInt.asIntN(32, number) === number) {
      const zero = byNumber.get(0) as Name;
      walk.report('warning', 'enum', `${number} is no ${typeName}: the proxy takes it for ${zero}`, node);
      return zero;
    }
    if (name === undefined) {
      const hint = own(options.hints ?? {}, node.text.toUpperCase());
      const help = hint === undefined ? didYouMean(node.text, names) : `: ${hint}`;
      return walk.error('enum', `${expected()}${help}`, node);
    }
    const replacement = options.deprecated?.[name];
    if (replacement !== undefined) {
      walk.once(`${typeName}.${name}`, 'deprecation', 'deprecated', `${name} is deprecated: ${replacement}`, node);
    }
    return name;
  };
  const schema = reading<Name>(typeName, read, byNumber.get(0));
  const numbers = [...new Set(byNumber.keys())];
  const anyNumber = options.open === true;
  const json = {
    anyOf: [
      { enum: names },
      { type: 'string', pattern: anyCase(names) },
      { type: 'string', pattern: `^\\s*[-+]?0*(?:${anyNumber ? '[0-9]+' : numbers.join('|')})\\s*$` },
      anyNumber ? { type: 'integer', minimum: -2147483648, maximum: 2147483647 } : { type: 'integer', enum: numbers },
    ],
  };
  return protobuf(schema, { values: names, json: () => json });
}

function enumNumber(node: ScalarNode, walk: Walk): bigint | undefined {
  // As text a number is decimal: `"5.0"` is no number.
  const asText = node.quoted || (!walk.document.isJson(node) && yamlInteger(node.text) === undefined);
  if (!asText) return integerOf(node, walk);
  const trimmed = node.text.trim();
  return /^[-+]?\d+$/.test(trimmed) ? integerText(trimmed) : undefined;
}
