import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runConformance } from './runner.js';
import { failures, hasSharedCases, sharedFolder } from './shared.js';

/**
 * Replays the folders beside the checkout, where they are.
 *
 * @param folders cases found in each: none may get lost.
 */
export function replays(folders: Readonly<Record<string, number>>): void {
  if (!hasSharedCases) console.log(`notice: ${sharedFolder} is not there, so only our own cases are replayed`);

  describe.skipIf(!hasSharedCases)('recorded behaviour of the proxy', () => {
    it.each(Object.entries(folders))('%s: nothing fails and no case is lost', async (folder, count) => {
      const report = await runConformance(join(sharedFolder, folder));
      expect(failures(report)).toEqual([]);
      expect(report.cases).toHaveLength(count);
      expect(report).toMatchObject({ failed: 0, skipped: 0 });
    });
  });
}
