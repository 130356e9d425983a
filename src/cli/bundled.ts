#!/usr/bin/env node
/** Where the bundled command begins: `scripts/bundle.mjs` makes dist/cli/main.js of this file, and command.js beside it of main.ts. */
import * as nodeModule from 'node:module';

// Since 22.1 Node caches compiled code of modules loaded from here on, among the user's temporary files.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
nodeModule.createRequire(import.meta.url)('./command.js');
