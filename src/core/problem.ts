import type { PROBLEMS } from './generated/problems.js';

declare const lint: unique symbol;

/** The name of a rule of `scenario/lint`: docs/lint.md explains these. */
export type LintRuleName = string & { readonly [lint]: true };

export type ProblemRule = keyof typeof PROBLEMS | LintRuleName;

/** How bad a problem of the input is: only an `error` keeps a file from running. */
export type Severity = 'error' | 'warning' | 'deprecation' | 'note';

/** One problem of a file: where, what was found, what is allowed. Problems are collected, never thrown one by one. */
export interface Problem {
  readonly severity: Severity;
  /** File as the user named it; `-` is standard input. */
  readonly file: string;
  /** Path of the field, as `clusters[0].ring_hash_lb_config`; empty for the document itself. */
  readonly path: string;
  /** 1-based; 0 where there is no place (a missing file). */
  readonly line: number;
  /** 1-based; 0 where there is no place. */
  readonly column: number;
  readonly message: string;
  /** Stable, as `unknown-field` or `ring-size-order`: docs/errors.md explains each. */
  readonly rule: ProblemRule;
  /** Length in characters of what the caret should underline. */
  readonly length?: number;
}

/** An error of a file, or of an option of the call, as a whole: it has no place in it. */
export function fileProblem(file: string, rule: ProblemRule, message: string): Problem {
  return { severity: 'error', file, path: '', line: 0, column: 0, message, rule };
}

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some((problem) => problem.severity === 'error');
