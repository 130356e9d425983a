import type { Documents } from '../report/documents.js';

/** The names for `lbsim schema --output`. */
export type OutputName = keyof Documents;

const NAMES: Readonly<Record<OutputName, true>> = {
  run: true,
  serve: true,
  predict: true,
  ring: true,
  compare: true,
  race: true,
  sweep: true,
  paper: true,
  explain: true,
  find: true,
  curve: true,
  verify: true,
  fuzz: true,
  test: true,
  validate: true,
  import: true,
  examples: true,
  policies: true,
  decisions: true,
};

export const OUTPUT_NAMES = Object.keys(NAMES) as readonly OutputName[];
