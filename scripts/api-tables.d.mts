/** The table of the v3 API as text. */
export function v3Text(): string;
