import { defineConfig } from 'vitest/config';
import { completeSources } from './scripts/sources.mjs';

completeSources();

/** Against what hangs: no test takes a tenth of it, on a machine of 2 cores that does ten times as much besides. */
const TIME_LIMIT_MS = 20 * 60_000;
/** Tests that take longer are named one by one. */
const SLOW_MS = 20_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/time-limit.ts', 'test/support/property-seed.ts'],
    // Vitest itself leaves a core free, which is half of a machine with two.
    maxWorkers: '100%',
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
