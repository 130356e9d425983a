import { isDeepStrictEqual } from 'node:util';
import type { CaseOutcome, LooseComparison } from './outcome.js';

/** What one case compared, and the first thing that was not as expected. */
export class Check {
  private readonly names = new Set<string>();
  private readonly looseNames = new Map<string, Set<string>>();
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

  /** What is compared with more room than the word "equal" has, or not at all, and why. */
  loose(why: string, what: string): void {
    const names = this.looseNames.get(why);
    if (names === undefined) this.looseNames.set(why, new Set([what]));
    else names.add(what);
  }

  /** How many comparisons did not hold. */
  get failures(): number {
    return this.problems;
  }

  outcome(name: string, version: string): CaseOutcome {
    return { ...this.verdict(name, version), ...(this.looseNames.size > 0 && { loose: this.looseList() }) };
  }

  private looseList(): readonly LooseComparison[] {
    return [...this.looseNames].map(([why, names]) => ({ why, what: [...names] }));
  }

  private verdict(name: string, version: string): CaseOutcome {
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
