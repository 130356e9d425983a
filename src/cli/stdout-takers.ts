import { UsageError } from './errors.js';

/** Options that print something else than a report. */
export interface FormOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly jsonl?: boolean;
}

/** Those that are given, as they are written. */
export function formsOf({ json, csv, jsonl }: FormOptions): readonly string[] {
  return [
    ...(json === true ? ['--json'] : []),
    ...(csv === true ? ['--csv'] : []),
    ...(jsonl === true ? ['--jsonl'] : []),
  ];
}

/**
 * @param takers options that want standard output for themselves.
 * @throws UsageError for more than one.
 */
export function refuseSeveral(takers: readonly string[]): void {
  if (takers.length > 1) throw new UsageError(`${takers.join(' and ')} both want standard output: choose one`);
}
