type Fields<Any> = Any extends unknown ? Omit<Any, 'kind'> : never;

/** Of every kind of a union some facts, each with its sentence: whoever changes one sees it among the others. */
export type Examples<Any extends { readonly kind: string }> = {
  readonly [Kind in Any['kind']]: readonly (readonly [Fields<Of<Any, Kind>>, string])[];
};

/** Several kinds may be one member of the union. */
type Of<Any, Kind> = Any extends { readonly kind: infer Own } ? (Kind extends Own ? Any : never) : never;

export function factsOf<Any extends { readonly kind: string }>(
  examples: Examples<Any>,
): (readonly [sentence: string, fact: Any])[] {
  return Object.entries<readonly (readonly [object, string])[]>(examples).flatMap(([kind, own]) =>
    own.map(([fields, text]) => [text, { kind, ...fields } as Any] as const),
  );
}
