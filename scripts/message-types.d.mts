/** Of each message the fields that are read. @param read lines of fields by the name of their message. */
export function readMessages(
  read: Readonly<Record<string, readonly string[]>>,
  v2: string,
  v3: string,
): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
