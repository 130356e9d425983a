/**
 * Output formats of `test` and `validate`. Separate from the commands, so that `--help` loads neither YAML nor the schemas.
 */
export const OUTPUT_FORMATS = ['text', 'json', 'github'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
