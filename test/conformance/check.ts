import { isDeepStrictEqual } from 'node:util';
import type { CaseOutcome } from './outcome.js';

/** What one case compared, and the first thing that was not as expected. */
export class Check {
  private readonly names = new Set<string>();
  private firstProblem: string | undefined;
  private problems = 0;

  /** Compares deeply. `what` names the kind of thing in the report, `where` the place of this one. */
  equal(what: string, actual: unknown, expected: unknown, where = what): void {
    this.that(what, isDeepStrictEqual(actual, expected), () => {
      return `${where}: expected ${show(expected)}, got ${show(actual)}`;
    });
  }

  that(what: string, holds: boolean, problem: () => string): void {
    this.names.add(what);
    if (holds) return;
    this.problems++;
    this.firstProblem ??= problem();
  }

  outcome(name: string, version: string): CaseOutcome {
    const compared = [...this.names];
    if (compared.length === 0) return { name, version, result: 'failed', compared, problem: 'nothing was compared' };
    if (this.firstProblem === undefined) return { name, version, result: 'passed', compared };
    const more = this.problems > 1 ? ` (and ${this.problems - 1} more)` : '';
    return { name, version, result: 'failed', compared, problem: `${this.firstProblem}${more}` };
  }
}

export function show(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? 'nothing' : text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
