#!/usr/bin/env node
/** Where the bundled command begins: `scripts/bundle.mjs` makes dist/cli/main.js of this file, and command.js beside it of main.ts. */

interface NodeModule {
  // Since 22.1: compiled code of modules loaded from here on is cached, among the user's temporary files.
  readonly enableCompileCache?: () => unknown;
}

// Older ones have none, and would load a part of themselves to say so.
if (Number.parseInt(process.versions.node, 10) >= 22)
  (
    (process as Partial<typeof process>).getBuiltinModule?.('node:module') as NodeModule | undefined
  )?.enableCompileCache?.();
void import('./main.js');
