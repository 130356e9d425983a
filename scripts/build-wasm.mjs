// Compiles the AssemblyScript kernels and writes each as a TypeScript module with the bytes in base64, so that workers,
// bundles and the npm package need no file beside them. The same sources give the same bytes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOrExit } from './install.mjs';
import { kernelDigest } from './sources.mjs';

installOrExit();
const { default: asc } = await import('assemblyscript/asc');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kernels = [{ entry: 'src/hash/kernel/assembly/kernel.ts', output: 'src/hash/kernel/generated/kernel-wasm.ts' }];

for (const { entry, output } of kernels) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      entry,
      '--outFile=kernel.wasm',
      '-O3',
      '--noAssert',
      '--runtime=stub',
      '--enable=bulk-memory',
      '--initialMemory=8',
      '--memoryBase=0',
    ],
    {
      readFile: (name, base) => readFile(join(root, base === '.' ? name : join(base, name)), 'utf8').catch(() => null),
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) {
    process.stderr.write(`${entry}: ${error?.message ?? 'no output'}\n${stderr.toString()}`);
    process.exit(1);
  }
  const file = join(root, output);
  await mkdir(dirname(file), { recursive: true });
  const source = `// Compiled from ${entry} by scripts/build-wasm.mjs; SHA-256 of its folder: ${kernelDigest()}\nexport const kernelWasm =\n  '${Buffer.from(binary).toString('base64')}';\n`;
  // Left alone when nothing changed: watchers and incremental builds see no new file.
  if ((await readFile(file, 'utf8').catch(() => '')) !== source) await writeFile(file, source);
}
