/** What sources import and git does not hold, made where it is missing: then they run as they stand, without a build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDataModules } from './data-modules.mjs';
import { root } from './files.mjs';

const KERNEL = 'src/hash/kernel/generated/kernel-wasm.ts';
const ASSEMBLY = join(root, 'src/hash/kernel/assembly');

/** Of the kernel's own sources: what is compiled of them says it, too. */
export function kernelDigest() {
  const hash = createHash('sha256');
  for (const file of readdirSync(ASSEMBLY).sort()) hash.update(`${file}\n`).update(readFileSync(join(ASSEMBLY, file)));
  return hash.digest('hex');
}

export function completeSources() {
  writeDataModules();
  if (existsSync(join(root, KERNEL)) && readFileSync(join(root, KERNEL), 'utf8').includes(kernelDigest())) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-wasm.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`scripts/build-wasm.mjs ended with ${status}: the hash kernel is not compiled`);
}
