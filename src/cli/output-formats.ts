/** The forms in which `test` and `validate` tell. Apart from the commands: `--help` loads neither YAML nor the schemas. */
export const OUTPUT_FORMATS = ['text', 'json', 'github'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
