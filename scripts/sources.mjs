/** What sources import and git does not hold, made where it is missing: then they run as they stand, without a build. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeDataModules } from './data-modules.mjs';
import { root } from './files.mjs';

const KERNEL = 'src/hash/kernel/generated/kernel-wasm.ts';

export function completeSources() {
  writeDataModules();
  // Only a build compiles it anew where its own source changed.
  if (existsSync(join(root, KERNEL))) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-wasm.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`scripts/build-wasm.mjs ended with ${status}: the hash kernel is not compiled`);
}
