interface Definitions {
  readonly messages: Map<string, { readonly head: string; readonly fields: Map<string, string> }>;
  readonly enums: Map<string, string>;
}
export function readDefinitions(): Definitions;
export function amend(definitions: Definitions, text: string): void;
export function reachable(definitions: Definitions): Definitions;
export function tableText(definitions: Definitions): string;
