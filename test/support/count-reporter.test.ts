import { expect, it } from 'vitest';
import { summaryOf, type ToldModule } from './count-reporter.js';

interface Told {
  readonly errors?: readonly string[];
  readonly suites?: Readonly<Record<string, readonly string[]>>;
  readonly tests?: Readonly<Record<string, readonly string[] | 'passed' | 'skipped'>>;
}

const asErrors = (texts: readonly string[] = []): readonly { readonly message: string }[] =>
  texts.map((message) => ({ message }));

function file(relativeModuleId: string, { errors, suites = {}, tests = {} }: Told): ToldModule {
  return {
    relativeModuleId,
    errors: () => asErrors(errors),
    children: {
      allSuites: () => Object.entries(suites).map(([fullName, own]) => ({ fullName, errors: () => asErrors(own) })),
      allTests: () =>
        Object.entries(tests).map(([fullName, state]) => ({
          fullName,
          result: () => (typeof state === 'string' ? { state } : { state: 'failed', errors: asErrors(state) }),
        })),
    },
  };
}

const good = file('test/good.test.ts', { tests: { 'it > holds': 'passed', later: 'skipped' } });

it('counts, and names nothing where all is well', () => {
  expect(summaryOf([good], [])).toEqual({ passed: 1, failed: 0, skipped: 1, failures: [] });
});

it('names each failure by file, test and the first line of its error', () => {
  const bad = file('test/bad.test.ts', {
    suites: { 'a suite': ['No test found in suite a suite'] },
    tests: { 'a suite > adds': ['\u001b[31mexpected 3 to be 4\u001b[39m\n\n- 4\n+ 3', 'a second error'] },
  });
  const broken = file('test/broken.test.ts', { errors: ["Cannot find module './gone.js'\nRequire stack:"] });
  expect(summaryOf([bad, good, broken], asErrors(['unhandled rejection']))).toEqual({
    passed: 1,
    failed: 4,
    skipped: 1,
    failures: [
      'test/bad.test.ts > a suite: No test found in suite a suite',
      'test/bad.test.ts > a suite > adds: expected 3 to be 4',
      "test/broken.test.ts: Cannot find module './gone.js'",
      'outside of any test: unhandled rejection',
    ],
  });
});
