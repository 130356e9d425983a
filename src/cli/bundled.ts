#!/usr/bin/env node
/** Where the bundled command begins: `scripts/bundle.mjs` makes dist/cli/main.js of this file, and command.js beside it of main.ts. */

// Since 22.1 Node caches compiled code of modules loaded from here on, among the user's temporary files. Older ones are not asked.
type Cached = { readonly enableCompileCache?: () => unknown } | undefined;
const { getBuiltinModule } = process as { readonly getBuiltinModule?: (name: string) => unknown };
if (Number.parseInt(process.versions.node, 10) >= 22)
  (getBuiltinModule?.('node:module') as Cached)?.enableCompileCache?.();
void import('./main.js');
