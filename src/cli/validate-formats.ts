/** How `validate` writes what it found. Apart from the command, so that `--help` loads neither YAML nor the schemas. */
export const VALIDATE_FORMATS = ['text', 'json', 'github'] as const;

export type ValidateFormat = (typeof VALIDATE_FORMATS)[number];
