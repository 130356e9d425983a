import type { z } from 'zod';

/** What a schema is made of: the one place that knows zod's classes by name. */
export type Form =
  /** The same value, which may be absent or null. */
  | { readonly kind: 'optional' | 'nullable'; readonly inner: z.core.$ZodType }
  | { readonly kind: 'default'; readonly inner: z.core.$ZodType; readonly value: unknown }
  /** The same value in other clothes: read-only, required after all, named before it is made. */
  | { readonly kind: 'same'; readonly inner: z.core.$ZodType }
  | { readonly kind: 'pipe'; readonly inner: z.core.$ZodType; readonly out: z.core.$ZodType }
  | { readonly kind: 'list'; readonly item: z.core.$ZodType }
  | { readonly kind: 'tuple'; readonly items: readonly z.core.$ZodType[] }
  | { readonly kind: 'map'; readonly key: z.core.$ZodType; readonly value: z.core.$ZodType }
  | {
      readonly kind: 'object';
      readonly shape: Readonly<Record<string, z.core.$ZodType>>;
      /** Of fields that are not declared; undefined: there may be none. */
      readonly rest: z.core.$ZodType | undefined;
    }
  | { readonly kind: 'union'; readonly options: readonly z.core.$ZodType[] }
  /** Any value at all, null too. */
  | { readonly kind: 'any' }
  /** Says nothing of its values: how they are read is told beside it. */
  | { readonly kind: 'custom' }
  | { readonly kind: 'scalar' };

export function formOf(schema: z.core.$ZodType): Form {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the rest are scalars
  switch (def.type) {
    case 'optional':
      return { kind: 'optional', inner: def.innerType };
    case 'nullable':
      return { kind: 'nullable', inner: def.innerType };
    case 'default':
    case 'prefault':
      return { kind: 'default', inner: def.innerType, value: def.defaultValue };
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return { kind: 'same', inner: def.innerType };
    case 'lazy':
      return { kind: 'same', inner: def.getter() };
    case 'pipe':
      return { kind: 'pipe', inner: def.in, out: def.out };
    case 'array':
      return { kind: 'list', item: def.element };
    case 'tuple':
      return { kind: 'tuple', items: def.items };
    case 'record':
      return { kind: 'map', key: def.keyType, value: def.valueType };
    case 'object': {
      const { catchall } = def;
      const open = catchall !== undefined && catchall._zod.def.type !== 'never';
      return { kind: 'object', shape: def.shape, rest: open ? catchall : undefined };
    }
    case 'union':
      return { kind: 'union', options: def.options };
    case 'any':
    case 'unknown':
      return { kind: 'any' };
    case 'custom':
      return { kind: 'custom' };
    default:
      return { kind: 'scalar' };
  }
}

/** The function of a `.transform()`, called without zod around it; undefined: it is something else. */
export function transformOf(schema: z.core.$ZodType): ((value: unknown) => Transformed) | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'transform' || (def.checks ?? []).length > 0) return undefined;
  return (value) => {
    const issues: z.core.$ZodRawIssue[] = [];
    const addIssue = (): void => void issues.push({ code: 'custom', input: value });
    const output = def.transform(value, { value, issues, addIssue } as z.core.ParsePayload);
    return { sound: issues.length === 0, output };
  };
}

/** `sound`: nothing was found wrong with the value. */
export interface Transformed {
  readonly sound: boolean;
  readonly output: unknown;
}
