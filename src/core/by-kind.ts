/** A function of a union, by the kind of its member. */
export function byKind<Union extends { readonly kind: string }, Result, Rest extends readonly unknown[] = []>(cases: {
  readonly [Kind in Union['kind']]: (value: Union & { readonly kind: Kind }, ...rest: Rest) => Result;
}): (value: Union, ...rest: Rest) => Result {
  return (value, ...rest) => {
    const ofKind: (value: never, ...rest: Rest) => Result = cases[value.kind as Union['kind']];
    return ofKind(value as never, ...rest);
  };
}
