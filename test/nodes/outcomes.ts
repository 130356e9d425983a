import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lbsim } from '../cli/harness.js';

/**
 * What each shipped scenario gives on the Node that this runs on, by its name, as JSON: how it ended, what it said, a digest of
 * its document. One process runs all, as a start takes as long as most of them.
 */
const folder = join(import.meta.dirname, '../../scenarios');

const outcomes: Record<string, string> = {};
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith('.yaml')) continue;
  const { code, stdout, stderr } = await lbsim(['run', join(folder, name), '--json']);
  const digest = createHash('sha256').update(stdout).digest('hex');
  outcomes[name] = [code, stderr, stdout.length, digest].join('\n');
}
console.log(JSON.stringify(outcomes));
