import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { completeSources } from './scripts/sources.mjs';

completeSources();

/** Against what hangs: no test takes a tenth of it, on a machine of 2 cores that does ten times as much besides. */
const TIME_LIMIT_MS = 20 * 60_000;
/** Tests that take longer are named one by one. */
const SLOW_MS = 20_000;

/** Files that take long, the longest first: a worker that begins one of them last works on alone. Vitest goes by the size of a file. */
const LONGEST = [
  ...[
    'recipes',
    'conformance-recorded',
    'conformance-today',
    'analysis/prove/brute-force',
    'cli/verify',
    'cli/fleet',
    'site/golden',
  ],
  ...[
    'site/playground',
    'cli/fuzz',
    'cli/formats',
    'site/tasks',
    'testing/common-mistakes',
    'scenarios',
    'site/gallery',
  ],
  ...[
    'cli/process',
    'random-scenarios',
    'site/own-policies',
    'cli/start',
    'site/same-results',
    'differential/validation',
  ],
  ...[
    'analysis/prove/prove',
    'docs',
    'example-policies',
    'site/versus',
    'generated',
    'judge/watched',
    'testing/recorded',
  ],
].map((name) => join(import.meta.dirname, 'test', `${name}.test.ts`));

for (const file of LONGEST)
  if (!existsSync(file)) throw new Error(`vitest.config.ts: there is no ${relative(import.meta.dirname, file)}`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => LONGEST.indexOf(moduleId) + 1 || Infinity;
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/time-limit.ts', 'test/support/property-seed.ts'],
    // Vitest itself leaves a core free, which is half of a machine with two.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // Node loads sources as it would without vitest, by the project's own compiler: up to a fifth less CPU, as calls of imports stay calls.
    // The page's need more than that. No test replaces a module of ours.
    execArgv: ['--import', new URL('scripts/typescript-register.mjs', import.meta.url).href],
    server: { deps: { external: [/\/src\/(?!site\/).*\.ts$/] } },
    // No module keeps a state between tests: loading each anew for each file took a tenth of the time.
    isolate: false,
    testTimeout: TIME_LIMIT_MS,
    hookTimeout: TIME_LIMIT_MS,
    teardownTimeout: TIME_LIMIT_MS,
    slowTestThreshold: SLOW_MS,
    reporters: ['default'],
  },
});
