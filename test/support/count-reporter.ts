import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

type Errors = readonly Pick<SerializedError, 'message'>[];

/** What is read of a file of tests. */
export interface ToldModule {
  readonly relativeModuleId: string;
  errors(): Errors;
  readonly children: {
    allSuites(): Iterable<{ readonly fullName: string; errors(): Errors }>;
    allTests(): Iterable<{
      readonly fullName: string;
      result(): { readonly state: string; readonly errors?: Errors | undefined };
    }>;
  };
}

export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** `FILE > TEST: first line of the error`, one for each failure. */
  readonly failures: readonly string[];
}

/** A file that cannot be loaded and an error outside any test count as one failure each. */
export function summaryOf(modules: readonly ToldModule[], unhandledErrors: Errors): TestSummary {
  let passed = 0;
  let skipped = 0;
  const failures: string[] = [];
  const fail = (place: readonly string[], [error]: Errors): void => {
    const [line = ''] = stripVTControlCharacters(error?.message ?? '')
      .trim()
      .split('\n');
    failures.push(`${place.join(' > ')}: ${line}`);
  };
  for (const module of modules) {
    const file = module.relativeModuleId;
    // Errors of the file and of its suites belong to no test: a hook that threw, an import that failed.
    for (const error of module.errors()) fail([file], [error]);
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) fail([file, suite.fullName], [error]);
    }
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'failed') fail([file, test.fullName], errors);
      else skipped += 1;
    }
  }
  for (const error of unhandledErrors) fail(['outside of any test'], [error]);
  return { passed, failed: failures.length, skipped, failures };
}

/** Writes the summary to the file that LBSIM_TEST_COUNTS names; `npm test` prints it as its last lines. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env['LBSIM_TEST_COUNTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(summaryOf(modules, unhandledErrors)));
  }
}
